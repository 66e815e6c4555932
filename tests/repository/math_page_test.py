"""docs/math.md stays true: every file it names exists, and so does every identifier beside it. docs/spec.md has every section that
docs/math.md and the sources cite as `spec N`."""
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "math.md").read_text()
SPEC = (ROOT / "docs" / "spec.md").read_text()
SOURCES = {".h", ".cpp", ".cu", ".cuh", ".py", ".md"}


def sections(spec):
    """Numbers of the numbered headings → their titles."""
    return {int(number): title for number, title in re.findall(r"^## (\d+)\. (.*)$", spec, re.MULTILINE)}


def cited(text):
    """Section numbers of `spec 3`, `spec 3, 6` and `spec 2–6`."""
    numbers = set()
    for listed in re.findall(r"\bspec (\d+(?:(?:, | and |[–-])\d+)*)", text):
        for first, last in re.findall(r"(\d+)(?:[–-](\d+))?", listed):
            numbers.update(range(int(first), int(last or first) + 1))
    return numbers


class MathPage(unittest.TestCase):
    def test_every_file_of_the_page_exists(self):
        named = re.findall(r"`((?:core|topology|ops|hodge|nn|models|data|tasks|train)/[\w/.]+)`", PAGE)
        self.assertGreater(len(named), 20)
        for name in named:
            candidates = [ROOT / "gsan" / name, ROOT / "gsan" / f"{name}.h", ROOT / "gsan" / f"{name}.cpp"]
            self.assertTrue(any(path.exists() for path in candidates), f"docs/math.md names gsan/{name}, which does not exist")

    def test_every_test_of_the_page_exists(self):
        named = re.findall(r"`(tests/[\w/.]+)`", PAGE)
        self.assertTrue(named)
        for name in named:
            self.assertTrue((ROOT / name).exists(), f"docs/math.md names {name}, which does not exist")

    def test_every_identifier_is_in_the_file_before_it(self):
        pairs = re.findall(r"`((?:topology|hodge|nn|models)/[\w/]+(?:\.h)?)` `(\w+)`", PAGE)
        self.assertGreater(len(pairs), 30)
        for file, identifier in pairs:
            header = ROOT / "gsan" / (file if file.endswith(".h") else f"{file}.h")
            if not header.exists():  # a private one
                header = header.parent / "detail" / header.name
            self.assertIn(identifier, header.read_text(), f"docs/math.md looks for {identifier} in {header.name}")


class Specification(unittest.TestCase):
    def test_the_math_page_cites_every_section_that_is_implemented(self):
        implemented = {number for number, title in sections(SPEC).items() if not title.endswith("(planned)")}
        self.assertTrue(implemented)
        self.assertEqual(cited(PAGE), implemented)

    def test_every_cited_section_exists(self):
        known = set(sections(SPEC))
        citing = 0
        for folder in ("gsan", "apps", "bindings", "tests", "docs"):
            for path in sorted((ROOT / folder).rglob("*")):
                if path.suffix not in SOURCES or not path.is_file() or path == pathlib.Path(__file__).resolve():
                    continue
                found = cited(path.read_text())
                citing += bool(found)
                self.assertLessEqual(found, known, f"{path.relative_to(ROOT)} cites a section that docs/spec.md does not have")
        self.assertGreater(citing, 30)

    def test_citations_and_headings_are_recognised(self):
        self.assertEqual(cited("spec 3; (spec 4, 6) and spec 2–5, not spec.md 7, inspect 8"), {2, 3, 4, 5, 6})
        self.assertEqual(sections("# A\n## 1. One\n## Errata\n### 2. no\n## 12. Twelve\n"), {1: "One", 12: "Twelve"})
        self.assertFalse(cited("as in spec 99") <= set(sections(SPEC)))


if __name__ == "__main__":
    sys.exit(unittest.main())
