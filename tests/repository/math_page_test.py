"""docs/math.md stays true: every file it names exists, and so does every identifier beside it."""
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "math.md").read_text()


class MathPage(unittest.TestCase):
    def test_every_file_of_the_page_exists(self):
        named = re.findall(r"`((?:core|topology|ops|hodge|nn|models|data|tasks|train)/[\w/.]+)`", PAGE)
        self.assertGreater(len(named), 20)
        for name in named:
            candidates = [ROOT / "gsan" / name, ROOT / "gsan" / f"{name}.h", ROOT / "gsan" / f"{name}.cpp"]
            self.assertTrue(any(path.exists() for path in candidates), f"docs/math.md names gsan/{name}, which is not there")

    def test_every_identifier_stands_in_the_file_before_it(self):
        pairs = re.findall(r"`((?:topology|hodge|nn|models)/\w+(?:\.h)?)` `(\w+)`", PAGE)
        self.assertGreater(len(pairs), 30)
        for file, identifier in pairs:
            header = ROOT / "gsan" / (file if file.endswith(".h") else f"{file}.h")
            self.assertIn(identifier, header.read_text(), f"docs/math.md looks for {identifier} in {header.name}")


if __name__ == "__main__":
    sys.exit(unittest.main())
