"""The commands of README.md and docs/ run as they are printed, and what these pages link to is there. A fenced block marked `sh` is run line
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


# What needs Qhull: the lift, and the flow, which is made of it.
DELAUNAY = re.compile(r"lift delaunay|--data flow")
RESULTS = re.compile(r"--output (\S+)")


def commands(page):
    blocks = re.findall(r"^```sh\n(.*?)^```", page.read_text(), re.DOTALL | re.MULTILINE)
    return ["\n".join(line for line in block.replace("\\\n", " ").splitlines() if not line.startswith(INSTALLING))
            for block in blocks]


def links(page):
    """Targets of links and images of the same repository, without their anchors; code is no link."""
    text = re.sub(r"^```.*?^```|`[^`\n]*`", "", page.read_text(), flags=re.DOTALL | re.MULTILINE)
    targets = re.findall(r"\]\(<?([^)\s>]+)", text) + re.findall(r"""(?:src|srcset|href)=["']([^"']+)""", text)
    return [target.split("#")[0] for target in targets if not re.match(r"[a-z]+:|#", target)]


class Pages(unittest.TestCase):
    def test_links_and_images_are_there(self):
        pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *ROOT.glob("*/README.md")]
        self.assertTrue(links(ROOT / "README.md"))
        missing = [f"{page.relative_to(ROOT)}: {target}" for page in sorted(pages) for target in links(page)
                   if not (page.parent / target).exists()]
        self.assertEqual(missing, [])

    def test_measured_numbers_are_those_of_the_records(self):
        run = subprocess.run([sys.executable, ROOT / "scripts" / "readme_table.py", "--check"], capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)

    def check(self, page):
        environment = dict(os.environ, PATH=f"{BINARY.parent}:{os.environ['PATH']}")
        with tempfile.TemporaryDirectory() as scratch:
            (pathlib.Path(scratch) / "examples").symlink_to(ROOT / "examples")
            missing, left_out = set(), 0  # what blocks that are left out would have made
            for script in commands(page):
                if not script.strip():
                    continue
                if "Delaunay lift yes" not in VERSION and (DELAUNAY.search(script)
                                                           or any(word in missing for word in script.split())):
                    missing.update(RESULTS.findall(script))
                    left_out += 1
                    continue
                run = subprocess.run(["bash", "-euo", "pipefail", "-c", script], cwd=scratch, env=environment,
                                     capture_output=True, text=True, timeout=300)
                self.assertEqual(run.returncode, 0, f"{page.name}:\n{script}\n{run.stdout}{run.stderr}")
            if left_out:
                self.skipTest(f"{page.name}: {left_out} blocks need Qhull, which this build is without")

    def test_readme(self):
        self.assertTrue(any("gsan " in script for script in commands(ROOT / "README.md")))
        self.check(ROOT / "README.md")

    def test_docs(self):
        for page in sorted((ROOT / "docs").glob("*.md")):
            with self.subTest(page.name):
                self.check(page)


if __name__ == "__main__":
    sys.exit(unittest.main())
