"""examples/own-data and examples/raw are what their make.py makes, and stay small."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples" / "own-data"
RAW = EXAMPLES.parent / "raw"


def contents(folder):
    return {str(path.relative_to(folder)): path.read_bytes()
            for path in folder.rglob("*") if path.is_file() and path.suffix != ".py"}


class Examples(unittest.TestCase):
    def test_the_script_makes_the_same_folders(self):
        for folder in (EXAMPLES, RAW):
            with tempfile.TemporaryDirectory() as scratch:
                subprocess.run([sys.executable, folder / "make.py", scratch], check=True)
                self.assertEqual(contents(pathlib.Path(scratch)), contents(folder))

    def test_each_example_is_small(self):
        for folder in [*EXAMPLES.iterdir(), RAW]:
            if folder.is_dir():
                self.assertLess(sum(map(len, contents(folder).values())), 20000, folder.name)


if __name__ == "__main__":
    sys.exit(unittest.main())
