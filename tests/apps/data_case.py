"""A catalog of small datasets for tests of gsan data."""
import hashlib
import io
import json
import pathlib
import random
import subprocess
import tempfile
import zipfile

from command_case import BINARY, SUCCESS, CommandCase
from https_server import HttpsServer, make_certificates

ROOT = pathlib.Path(__file__).resolve().parents[2]
CONTENT = random.Random(1).randbytes(300_000)
TEXTS = {"T_A.txt": b"1, 2\n" * 5000, "T_labels.txt": b"1\n-1\n" * 100}
HAS_CURL = "downloads yes" in subprocess.run([BINARY, "--version"], capture_output=True, text=True).stdout


def sha256(content):
    return hashlib.sha256(content).hexdigest()


def archive(members, method=zipfile.ZIP_DEFLATED):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as file:
        for name, content in members.items():
            file.writestr(name, content)
    return packed.getvalue()


class DataCase(CommandCase):
    """The catalog of these tests: `big`, one file, and `texts`, two files of an archive."""

    def setUp(self):
        super().setUp()
        self.home = self.folder / "home"
        self.environment = {"GSAN_HOME": str(self.home), "GSAN_DATA": "", "GSAN_CA_FILE": "", "no_proxy": "127.0.0.1,localhost",
                            "https_proxy": "", "HTTPS_PROXY": "", "all_proxy": "", "ALL_PROXY": ""}
        big = {"path": "big.bin", "sha256": sha256(CONTENT), "size": len(CONTENT),
               "url": "https://data.invalid/public/big.bin"}
        texts = [{"path": name, "sha256": sha256(text), "size": len(text), "url": "https://data.invalid/T.zip",
                  "member": f"T/{name}"} for name, text in TEXTS.items()]
        self.catalog_json = {"datasets": [
            {"name": "big", "what": "random bytes", "folder": "big", "terms": "for tests only", "files": [big]},
            {"name": "texts", "what": "two texts", "folder": "tu/T", "terms": "free", "files": texts}]}
        self.catalog = self.write("catalog.json", json.dumps(self.catalog_json))
        self.big = self.home / "data/big/big.bin"
        self.part = self.home / "data/big/big.bin.part"
        self.texts = self.home / "data/tu/T"

    def data(self, action, *arguments, code=SUCCESS):
        return self.gsan("data", action, *arguments, "--catalog", self.catalog, code=code)

    def told(self, run, *words):
        self.assertTrue(run.stderr.startswith("gsan: "), run.stderr)
        for word in words:
            self.assertIn(str(word), run.stderr)

    def left(self):
        """What lies in the cache, the lock files aside."""
        return sorted(str(path.relative_to(self.home)) for path in self.home.rglob("*")
                      if path.is_file() and path.name != ".lock")


class ServedCase(DataCase):
    """The same, with a server on this machine that has them."""

    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.authority, cls.certificate = make_certificates(scratch.name)

    def setUp(self):
        super().setUp()
        self.server = HttpsServer(self.certificate)
        self.addCleanup(self.server.close)
        self.server.files = {"big.bin": CONTENT,
                             "T.zip": archive({"T/README.txt": b"read me", **{f"T/{n}": t for n, t in TEXTS.items()}})}

    def arguments(self, *names):
        return ["data", "fetch", *names, "--catalog", self.catalog, "--from", self.server.address, "--ca-file",
                str(self.authority)]
