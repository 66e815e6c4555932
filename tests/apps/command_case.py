"""Runs the real command on real files in a scratch folder of each test."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

BINARY = os.environ["GSAN_BINARY"]
# One thread: these complexes are small, and tests run beside each other.
ENVIRONMENT = dict(os.environ, OMP_NUM_THREADS="1")

VERSION = subprocess.run([BINARY, "--version"], capture_output=True, text=True, check=True).stdout
HAS_DELAUNAY = "Delaunay lift yes" in VERSION  # Qhull was there: the lift, and the flow, which is made of it

SUCCESS, LAW_BROKEN, USAGE, ARGUMENT, FORMAT, RESOURCE, IO, NUMERIC = range(8)


class CommandCase(unittest.TestCase):
    environment = {}  # variables beside those of the machine

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def write(self, name, content):
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    def files(self):
        """Everything below the scratch folder, as sorted relative paths."""
        return sorted(str(path.relative_to(self.folder)) for path in self.folder.rglob("*"))

    def gsan(self, *arguments, code=SUCCESS, folder=None):
        """Runs `gsan arguments` in `folder` (the scratch folder); fails unless it exits with `code` (None: any)."""
        run = subprocess.run([BINARY, *map(str, arguments)], cwd=folder or self.folder, env={**ENVIRONMENT, **self.environment},
                             capture_output=True, text=True, timeout=120)
        if code is not None:
            self.assertEqual(run.returncode, code, f"gsan {arguments}\n{run.stdout}\n{run.stderr}")
        if code == SUCCESS:
            self.assertEqual(run.stderr, "")
        return run

    def report(self, *arguments, code=SUCCESS):
        """The JSON object that the command prints."""
        return json.loads(self.gsan(*arguments, "--json", code=code).stdout)

    def refused(self, code, *arguments, says=()):
        """The command must fail with `code`, print nothing on stdout, one message that holds
        every text of `says`, and leave the scratch folder as it was."""
        before = self.files()
        run = self.gsan(*arguments, code=code)
        self.assertEqual(run.stdout, "")
        self.assertTrue(run.stderr.startswith("gsan: "), run.stderr)
        for text in says:
            self.assertIn(str(text), run.stderr)
        self.assertEqual(self.files(), before)
        return run.stderr
