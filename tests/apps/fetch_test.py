"""gsan data fetch: from a server on this machine, whatever the server, the network or the disk does."""
import json
import os
import pathlib
import resource
import subprocess
import tempfile
import time
import unittest
import zipfile

from command_case import ARGUMENT, BINARY, ENVIRONMENT, FORMAT, IO, SUCCESS
from data_case import archive, sha256, CONTENT, HAS_CURL, ROOT, ServedCase, TEXTS
from https_server import make_certificates


@unittest.skipUnless(HAS_CURL, "this gsan was built without libcurl")
class Fetch(ServedCase):
    def fetch(self, *names, code=SUCCESS):
        return self.gsan(*self.arguments(*names), code=code)

    def start(self, *names):
        process = subprocess.Popen([BINARY, *self.arguments(*names)], env={**ENVIRONMENT, **self.environment},
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def check_big(self):
        self.assertEqual(self.big.read_bytes(), CONTENT)
        self.assertEqual(self.left(), ["data/big/big.bin"])

    def check_texts(self):
        self.assertEqual({path.name: path.read_bytes() for path in self.texts.iterdir() if path.name != ".lock"}, TEXTS)

    def test_a_file_and_an_archive(self):
        text = self.fetch("big", "texts").stdout
        self.assertLess(text.index("for tests only"), text.index("fetched"))
        self.assertIn(f"fetched {self.server.address}/big.bin", text)
        self.assertEqual(self.big.read_bytes(), CONTENT)
        self.check_texts()
        self.assertEqual(self.left(), ["data/big/big.bin", "data/tu/T/T_A.txt", "data/tu/T/T_labels.txt"])
        self.assertEqual(self.data("path", "texts").stdout, f"{self.texts}\n")
        self.data("verify", "big", "texts")

    def test_the_public_address_itself(self):
        self.catalog_json["datasets"][0]["files"][0]["url"] = f"{self.server.address}/here/big.bin"
        self.write("catalog.json", json.dumps(self.catalog_json))
        self.environment["GSAN_CA_FILE"] = str(self.authority)
        report = json.loads(self.data("fetch", "big", "--json").stdout)
        self.assertEqual(report["datasets"][0]["fetched"], [f"{self.server.address}/here/big.bin"])
        self.assertEqual(report["datasets"][0]["terms"], "for tests only")
        self.check_big()

    def test_what_is_there_is_not_fetched_again(self):
        self.fetch("big", "texts", "BIG")
        before = len(self.server.requests)
        self.assertEqual(before, 2)
        self.fetch("big", "texts")
        self.assertEqual(len(self.server.requests), before)
        (self.texts / "T_labels.txt").unlink()
        self.big.write_bytes(b"damaged")
        self.fetch("big", "texts")
        self.check_texts()
        self.assertEqual(self.big.read_bytes(), CONTENT)

    def test_an_untrusted_server_is_refused(self):
        run = self.data("fetch", "big", "--from", self.server.address, code=IO)
        self.told(run, "not trusted", "--ca-file", self.big, sha256(CONTENT))
        other = tempfile.TemporaryDirectory()
        self.addCleanup(other.cleanup)
        stranger, _ = make_certificates(other.name)
        self.told(self.data("fetch", "big", "--from", self.server.address, "--ca-file", stranger, code=IO),
                  "not trusted")
        self.told(self.data("fetch", "big", "--from", self.server.address, "--ca-file", "none.pem", code=IO),
                  "none.pem")
        # The right authority, for another name than the one that was asked.
        run = self.data("fetch", "big", "--from", f"https://localhost:{self.server.port}", "--ca-file", self.authority,
                        code=IO)
        self.told(run, "not trusted", "localhost")
        self.assertEqual(self.server.requests, [])
        self.assertEqual(self.left(), [])

    def test_a_cut_connection_goes_on_where_it_stopped(self):
        self.server.cut_after, self.server.cuts = 100_000, 2
        self.fetch("big")
        self.check_big()
        offsets = [first for _, first in self.server.requests]
        self.assertEqual(len(offsets), 3)
        self.assertEqual(offsets[0], 0)
        self.assertTrue(0 < offsets[1] < offsets[2] <= 200_000, offsets)

    def test_an_interrupted_download_leaves_a_part_that_the_next_one_continues(self):
        self.server.cut_after, self.server.cuts = 20_000, 100
        run = self.fetch("big", code=IO)
        self.told(run, "connection broke", self.big, sha256(CONTENT), "https://data.invalid/public/big.bin")
        size = self.part.stat().st_size
        self.assertGreater(size, 0)
        self.assertEqual(self.left(), ["data/big/big.bin.part"])
        self.assertEqual(self.part.read_bytes(), CONTENT[:size])
        self.server.cuts = 0
        self.fetch("big")
        self.assertEqual(self.server.requests[-1], ("big.bin", size))
        self.check_big()

    def test_an_archive_is_continued_too(self):
        self.server.files["T.zip"] = archive({f"T/{n}": t for n, t in TEXTS.items()}, zipfile.ZIP_STORED)
        self.server.cut_after, self.server.cuts = 10_000, 1
        self.fetch("texts")
        self.assertGreater(self.server.requests[-1][1], 0)
        self.check_texts()

    def test_a_server_without_ranges_starts_over(self):
        self.server.ranges = False
        self.server.cut_after, self.server.cuts = 100_000, 1
        self.fetch("big")
        self.check_big()

    def test_a_server_that_always_breaks_is_given_up(self):
        self.server.ranges = False
        self.server.cut_after, self.server.cuts = 100_000, 100
        self.fetch("big", code=IO)
        self.assertLess(len(self.server.requests), 5)
        self.assertFalse(self.big.exists())

    def test_other_content_is_refused_with_both_sums(self):
        wrong = CONTENT[:-1] + bytes([CONTENT[-1] ^ 1])
        self.server.files["big.bin"] = wrong
        self.told(self.fetch("big", code=FORMAT), sha256(wrong), sha256(CONTENT), self.big)
        self.assertEqual(self.left(), [])
        self.server.files["big.bin"] = CONTENT + b"!"
        self.told(self.fetch("big", code=FORMAT), "more than the 300000 bytes")
        self.server.files["big.bin"] = CONTENT[:1000]
        self.told(self.fetch("big", code=FORMAT), sha256(CONTENT[:1000]), sha256(CONTENT))
        self.server.files["big.bin"] = b""
        self.told(self.fetch("big", code=FORMAT), sha256(b""))
        self.assertEqual(self.left(), [])

    def test_other_content_never_replaces_a_file(self):
        self.big.parent.mkdir(parents=True)
        self.big.write_bytes(b"mine")
        self.server.files["big.bin"] = b"other"
        self.fetch("big", code=FORMAT)
        self.assertEqual(self.big.read_bytes(), b"mine")

    def test_a_part_of_something_else_is_thrown_away(self):
        for left in (b"x" * 1000, CONTENT[:-1] + b"?", CONTENT + b"?"):
            with self.subTest(len(left)):
                self.big.unlink(missing_ok=True)
                self.part.parent.mkdir(parents=True, exist_ok=True)
                self.part.write_bytes(left)
                self.fetch("big")
                self.check_big()
        self.texts.mkdir(parents=True)
        for left in (b"x" * 100, b"x" * len(self.server.files["T.zip"]), b"x" * 10000, self.server.files["T.zip"]):
            with self.subTest("archive", size=len(left)):
                for name in TEXTS:
                    (self.texts / name).unlink(missing_ok=True)
                (self.texts / "T.zip.part").write_bytes(left)
                self.fetch("texts")
                self.check_texts()

    def test_a_complete_part_needs_no_download(self):
        self.part.parent.mkdir(parents=True)
        self.part.write_bytes(CONTENT)
        self.fetch("big")
        self.assertEqual(self.server.requests, [])
        self.check_big()

    def test_not_found(self):
        self.server.files = {}
        self.told(self.fetch("big", code=IO), "404", self.big, "https://data.invalid/public/big.bin", sha256(CONTENT))
        self.told(self.fetch("texts", code=IO), "404", self.texts / "T_A.txt", "T/T_A.txt", sha256(TEXTS["T_A.txt"]))
        self.assertEqual(self.left(), [])

    def test_redirects_lead_to_https_only(self):
        self.server.files["elsewhere.bin"] = self.server.files.pop("big.bin")
        self.server.redirects["big.bin"] = f"http://127.0.0.1:{self.server.port}/elsewhere.bin"
        self.told(self.fetch("big", code=IO), "not https")
        self.server.redirects["big.bin"] = "file:///etc/hostname"
        self.told(self.fetch("big", code=IO), "not https")
        self.server.redirects["big.bin"] = f"{self.server.address}/big.bin"
        self.fetch("big", code=IO)  # round and round
        self.assertLess(len(self.server.requests), 12)
        self.assertEqual(self.left(), [])
        self.server.redirects["big.bin"] = f"{self.server.address}/elsewhere.bin"
        self.fetch("big")
        self.check_big()

    def test_an_archive_that_leads_out_is_refused(self):
        good = {f"T/{name}": text for name, text in TEXTS.items()}
        for name in ("T/../../evil.txt", "/evil.txt"):
            with self.subTest(name):
                self.server.files["T.zip"] = archive({**good, name: b"evil"})
                self.told(self.fetch("texts", code=FORMAT), "evil.txt", "leads out")
                self.assertEqual(self.left(), [])
                self.assertFalse(list(self.folder.rglob("evil*")))

    def test_archives_that_do_not_hold_the_files(self):
        good = {f"T/{name}": text for name, text in TEXTS.items()}
        whole = archive(good)
        other = {**good, "T/T_labels.txt": b"2\n-2\n" * 100}
        for content, word in ((whole[:-30], "ZIP"), (b"", "ZIP"), (b"<html>no</html>", "ZIP"),
                              (archive({"T/T_A.txt": TEXTS["T_A.txt"]}), "T/T_labels.txt"),
                              (archive({**good, "T/T_labels.txt": bytes(10_000_000)}), "10000000 bytes"),
                              (archive(other), sha256(other["T/T_labels.txt"])),
                              (archive(good, zipfile.ZIP_BZIP2), "method 12"),
                              (archive(good) + b"\0" * 3_000_000, "more than")):
            with self.subTest(word):
                self.server.files["T.zip"] = content
                self.told(self.fetch("texts", code=FORMAT), word, self.texts / "T_labels.txt")
                self.assertEqual(self.left(), [])  # not even the member that is right

    def test_kill_in_the_middle_then_again(self):
        for dataset, part in (("big", self.part), ("texts", self.texts / "T.zip.part")):
            with self.subTest(dataset):
                self.server.files["T.zip"] = archive({f"T/{n}": t for n, t in TEXTS.items()}, zipfile.ZIP_STORED)
                self.server.pause_after = 20_000
                self.server.paused.clear()
                self.server.go.clear()
                process = self.start(dataset)
                self.assertTrue(self.server.paused.wait(30))
                deadline = time.monotonic() + 30
                while (not part.exists() or part.stat().st_size == 0) and time.monotonic() < deadline:
                    time.sleep(0.01)
                process.kill()
                process.wait()
                self.server.go.set()
                size = part.stat().st_size
                self.assertGreater(size, 0)
                self.data("verify", dataset, code=IO)
                self.fetch(dataset)
                self.assertEqual(self.server.requests[-1][1], size)
                (self.check_big if dataset == "big" else self.check_texts)()

    def test_a_server_of_a_few_bytes_a_second_is_given_up(self):
        self.server.drip = 0.2
        begin = time.monotonic()
        self.told(self.fetch("big", "--stall-timeout", "2", code=IO), "less than 1024 bytes a second for 2 s", "kept")
        self.assertLess(time.monotonic() - begin, 20)
        self.assertEqual(len(self.server.requests), 1)
        self.server.drip = None
        self.fetch("big")
        self.assertGreater(self.server.requests[-1][1], 0)
        self.check_big()

    def test_two_at_once_take_turns(self):
        self.server.pause_after = 100_000
        first = self.start("big")
        self.assertTrue(self.server.paused.wait(30))
        second = self.start("big")
        for line in second.stdout:
            if "another process" in line:
                break
        else:
            self.fail("the second one did not wait")
        self.server.go.set()
        for process in (first, second):
            _, errors = process.communicate(timeout=60)
            self.assertEqual((process.returncode, errors), (0, ""))
        self.assertEqual(self.server.requests, [("big.bin", 0)])
        self.check_big()

    def test_many_at_once(self):
        processes = [self.start("big", "texts") for _ in range(4)]
        for process in processes:
            _, errors = process.communicate(timeout=60)
            self.assertEqual((process.returncode, errors), (0, ""))
        self.check_texts()
        self.assertEqual(self.big.read_bytes(), CONTENT)
        self.assertEqual(len(self.server.requests), 2)

    def test_folders_that_cannot_be_written(self):
        for home in ("/proc/gsan_test", self.write("file", "")):
            self.environment["GSAN_HOME"] = home
            self.told(self.fetch("big", code=IO), f"{home}/data/big", sha256(CONTENT))
        self.assertEqual(self.server.requests, [])

    def test_a_cache_that_is_only_read(self):
        self.fetch("big")
        before = {path: path.stat().st_mtime_ns for path in self.home.rglob("*")}
        for path in before:
            path.chmod(0o555)
        self.addCleanup(lambda: [path.chmod(0o755) for path in before])
        self.fetch("big")
        self.data("verify", "big")
        self.data("path", "big")
        self.assertEqual({path: path.stat().st_mtime_ns for path in self.home.rglob("*")}, before)

    def test_a_disk_that_takes_no_more(self):
        # A limit on the size of files stands for a full disk where none can be mounted.
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
        run = subprocess.run([BINARY, *self.arguments("big")], env={**ENVIRONMENT, **self.environment}, text=True,
                             capture_output=True, preexec_fn=limit, restore_signals=False)
        self.assertEqual(run.returncode, IO, run.stderr)
        self.told(run, "cannot write", self.part, "too large")
        self.assertEqual(self.part.read_bytes(), CONTENT[:100_000])
        self.fetch("big")
        self.check_big()

    def test_a_full_disk(self):
        self.home.mkdir()
        mount = ["mount", "-t", "tmpfs", "-o", "size=128k", "tmpfs", self.home]
        if subprocess.run(mount, capture_output=True).returncode:
            self.skipTest("no small file system can be mounted here")
        try:
            self.told(self.fetch("big", code=IO), "cannot write", self.part, "No space left")
            self.assertEqual(self.left(), ["data/big/big.bin.part"])
            subprocess.run(["mount", "-o", "remount,size=1m", self.home], check=True, capture_output=True)
            self.fetch("big")
            self.check_big()
        finally:
            subprocess.run(["umount", self.home], check=True)

    def test_only_https(self):
        for address in ("http://127.0.0.1:1/", "file:///etc/", "127.0.0.1"):
            run = self.data("fetch", "big", "--from", address, code=ARGUMENT)
            self.told(run, "https://", address)
        self.assertFalse(self.home.exists())

    def test_the_published_files_from_a_mirror(self):
        places = [pathlib.Path(os.environ["GSAN_HOME"]) / "data"] if os.environ.get("GSAN_HOME") else []
        place = next((p for p in (*places, ROOT.parent / "shared/data") if (p / "ocean/dataBuoys.jld2").exists()), None)
        if place is None:
            self.skipTest("the published files are neither in GSAN_HOME nor in ../shared/data")
        self.server.files = {path.name: path.read_bytes() for path in place.glob("[co]*/*")}
        for folder in (place / "tu").iterdir():
            members = {f"{folder.name}/{path.name}": path.read_bytes() for path in folder.iterdir()}
            self.server.files[f"{folder.name}.zip"] = archive(members)
        names = ["ocean", "citation", "proteins", "nci1"]
        self.gsan("data", "fetch", *names, "--from", self.server.address, "--ca-file", self.authority)
        report = self.report("data", "verify", *names)
        self.assertEqual({dataset["state"] for dataset in report["datasets"]}, {"verified"})
        for file in self.left():
            self.assertEqual((self.home / file).read_bytes(), (place.parent / file).read_bytes())


if __name__ == "__main__":
    unittest.main()
