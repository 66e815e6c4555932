"""scripts/lint.sh complains about what changed, not about what was there before, and mends it with --fix."""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
GOOD, BAD = "int f() { return 1; }\n", "int   f( ) {return 1;}\n"


@unittest.skipUnless(shutil.which("clang-format-14"), "clang-format-14 is not installed")
class Lint(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / "scripts").mkdir()
        shutil.copy(ROOT / "scripts/lint.sh", self.root / "scripts")
        shutil.copy(ROOT / ".clang-format", self.root)
        (self.root / "old.cpp").write_text(BAD)
        self.git("init", "-q")
        self.commit("old")
        (self.root / "new.cpp").write_text(GOOD)
        self.commit("new")

    def git(self, *words):
        subprocess.run(["git", "-c", "user.name=n", "-c", "user.email=e", *words], cwd=self.root, check=True)

    def commit(self, title):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", title)

    def lint(self, *words):
        run = subprocess.run(["scripts/lint.sh", "--format-only", *words], cwd=self.root, capture_output=True, text=True)
        return run.returncode, run.stdout + run.stderr

    def test_only_what_changed_is_looked_at(self):
        self.assertEqual(self.lint()[0], 0)
        code, text = self.lint("--all")
        self.assertNotEqual(code, 0)
        self.assertIn("old.cpp", text)
        self.assertNotIn("new.cpp:", text)

    def test_changes_of_commits_of_the_working_tree_and_new_files(self):
        for name, commit in (("new.cpp", True), ("new.cpp", False), ("untracked.h", False)):
            with self.subTest(name, commit=commit):
                (self.root / name).write_text(BAD)
                if commit:
                    self.commit("worse")
                code, text = self.lint()
                self.assertNotEqual(code, 0)
                self.assertIn(name, text)
                self.assertEqual(self.lint("--fix")[0], 0)
                self.assertEqual((self.root / name).read_text(), GOOD)
                self.assertEqual(self.lint()[0], 0)

    def test_a_branch_is_compared_with_where_it_left_main(self):
        self.git("update-ref", "refs/remotes/origin/main", "HEAD")
        (self.root / "new.cpp").write_text(BAD)
        self.commit("first of the branch")
        (self.root / "other.cpp").write_text(GOOD)
        self.commit("second of the branch")
        code, text = self.lint()
        self.assertNotEqual(code, 0)
        self.assertIn("new.cpp", text)


if __name__ == "__main__":
    sys.exit(unittest.main())
