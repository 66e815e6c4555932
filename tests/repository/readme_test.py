"""The commands of README.md and docs/ run as they are printed. A fenced block marked `sh` is run line
by line in one scratch folder with `gsan` on the PATH and the examples beside it; installing (git, ./quickstart.sh, ./test.sh,
cmake) is what the caller of this test has just done, so these lines are left out."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = pathlib.Path(os.environ["GSAN_BINARY"]).resolve()
INSTALLING = ("git ", "cd ", "./quickstart.sh", "./test.sh", "cmake ", "pip ", "python3 -m pip ", "export ")


VERSION = subprocess.run([BINARY, "--version"], capture_output=True, text=True, check=True).stdout


def commands(page):
    blocks = re.findall(r"^```sh\n(.*?)^```", page.read_text(), re.DOTALL | re.MULTILINE)
    return ["\n".join(line for line in block.replace("\\\n", " ").splitlines() if not line.startswith(INSTALLING))
            for block in blocks]


class Pages(unittest.TestCase):
    def check(self, page):
        environment = dict(os.environ, PATH=f"{BINARY.parent}:{os.environ['PATH']}")
        with tempfile.TemporaryDirectory() as scratch:
            (pathlib.Path(scratch) / "examples").symlink_to(ROOT / "examples")
            for script in commands(page):
                if not script.strip():
                    continue
                if "lift delaunay" in script and "Delaunay lift yes" not in VERSION:
                    self.skipTest("this build has no Delaunay lift")
                run = subprocess.run(["bash", "-euo", "pipefail", "-c", script], cwd=scratch, env=environment,
                                     capture_output=True, text=True, timeout=300)
                self.assertEqual(run.returncode, 0, f"{page.name}:\n{script}\n{run.stdout}{run.stderr}")

    def test_readme(self):
        self.assertTrue(any("gsan " in script for script in commands(ROOT / "README.md")))
        self.check(ROOT / "README.md")

    def test_docs(self):
        for page in sorted((ROOT / "docs").glob("*.md")):
            with self.subTest(page.name):
                self.check(page)


if __name__ == "__main__":
    sys.exit(unittest.main())
