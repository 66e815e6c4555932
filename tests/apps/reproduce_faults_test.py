"""gsan reproduce when processes are killed or run at once, records are damaged and runs fail."""
import json
import os
import random
import signal
import time
import unittest

from reproduce_case import RUN_FAILED, ReproduceCase
from training_case import INTERRUPTED


class Faults(ReproduceCase):
    def test_what_a_killed_process_did_is_not_done_again(self):
        self.tables(seeds=12)
        process = self.start(*self.arguments("--rows", "GSAN"))
        self.wait_for_record(process)
        process.send_signal(signal.SIGKILL)
        process.wait()
        before = self.records()
        self.assertTrue(before)
        report = self.reproduce("--rows", "GSAN")
        self.assertEqual(report["runs"]["done"], 12)
        after = self.records()
        self.assertEqual(after[:len(before)], before)
        self.assertEqual(sorted(record["seed"] for record in after), list(range(12)))

    def test_killed_at_random_moments_the_records_are_the_same(self):
        """GSAN_KILLS (default 4), a quarter of them here, each of one process of several runs."""
        self.tables(seeds=3)
        began = time.monotonic()
        self.reproduce("--rows", "GSAN")
        seconds = time.monotonic() - began
        timeless = lambda: sorted((record["seed"], json.dumps({name: value for name, value in record.items()
                                                               if name not in ("started", "ended") and "seconds" not in name}, sort_keys=True))
                                  for record in self.records())
        whole, path, moments, killed = timeless(), self.results / "walks.jsonl", random.Random(13), 0
        kills = max(1, int(os.environ.get("GSAN_KILLS", "4")) // 4)
        for _ in range(kills):
            path.unlink()
            process = self.start(*self.arguments("--rows", "GSAN"))
            time.sleep(moments.uniform(0.1, 0.95) * seconds)
            process.kill()
            process.communicate()
            killed += process.returncode == -signal.SIGKILL
            self.assertEqual(self.reproduce("--rows", "GSAN")["runs"]["missing"], 0)
            self.assertEqual(timeless(), whole)
        print(f"{killed} of {kills} were killed before they ended; all records are the same")

    def test_an_interrupted_process_says_how_to_go_on(self):
        self.tables(seeds=40)
        process = self.start(*self.arguments("--rows", "GSAN"))
        self.wait_for_record(process)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, INTERRUPTED)
        self.assertIn("the same command runs what is missing", errors)
        before = self.records()
        self.assertEqual(self.reproduce("--rows", "GSAN")["runs"]["missing"], 0)
        self.assertEqual(self.records()[:len(before)], before)

    def test_two_processes_share_the_work(self):
        self.tables(seeds=8)
        noisy = [word for word in self.arguments("--rows", "GSAN") if word != "--quiet"]
        both = [self.start(*noisy), self.start(*noisy)]
        told = [process.communicate(timeout=120) for process in both]
        self.assertEqual([process.returncode for process in both], [0, 0], told)
        self.assertEqual(sorted(record["seed"] for record in self.records()), list(range(8)))
        self.assertEqual(self.reproduce("--report", "--rows", "GSAN")["runs"]["missing"], 0)

    def test_a_damaged_record_is_named_and_made_again(self):
        self.reproduce("--rows", "GSAN")
        path = self.results / "walks.jsonl"
        first, second = path.read_text().splitlines()
        for damage in (first[:100], "[]", '{"config": 1}', "\x00\xff", first.replace('"test":{', '"test":{"a":{},')):
            with self.subTest(damage[:20]):
                path.write_text(damage + "\n" + second + "\n")
                told = self.gsan(*self.arguments("--rows", "GSAN", "--report"), code=None)
                self.assertEqual(told.returncode, 0, told.stderr)
                self.assertIn(f"{path}:1 is not a record", told.stderr)
                self.assertIn("1 of 2 runs are there", told.stdout)
        run = self.gsan(*self.arguments("--rows", "GSAN"), code=None)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(json.loads(path.read_text().splitlines()[-1])["test"], json.loads(first)["test"])

    def test_a_run_that_fails_does_not_stop_the_others(self):
        self.tables(rows=[{"name": "broken", "config": "{file}.yaml", "set": [f"data.path={self.folder / 'nowhere'}"]}])
        report = self.reproduce(code=RUN_FAILED)
        self.assertEqual(len(report["failed"]), 2)
        self.assertIn("nowhere", report["failed"][0]["error"])
        self.assertEqual((report["runs"]["done"], report["runs"]["missing"]), (6, 2))


if __name__ == "__main__":
    unittest.main()
