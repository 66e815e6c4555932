"""A run that is killed (SIGKILL) at random moments and resumed ends as if nothing had happened."""
import os
import pathlib
import random
import subprocess
import tempfile
import time
import unittest

BINARY = os.environ["GSAN_KILL_RUN"]
KILLS = 10
COMPARED = ["final.safetensors", "metrics.jsonl", "metrics.csv", "checkpoints/best.safetensors",
            "checkpoints/last.safetensors"]


def start(folder):
    return subprocess.Popen([BINARY, str(folder)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


class Kill(unittest.TestCase):
    def finish(self, folder):
        """Seconds until training begins, and from there to its end."""
        started = time.monotonic()
        process = start(folder)
        process.stdout.readline()  # "training"
        began = time.monotonic()
        _, errors = process.communicate()
        self.assertEqual(process.returncode, 0, errors)
        return began - started, time.monotonic() - began

    def test_killed_ten_times_the_run_ends_with_the_same_bits(self):
        moments = random.Random(1)
        with tempfile.TemporaryDirectory() as name:
            whole, killed = pathlib.Path(name) / "whole", pathlib.Path(name) / "killed"
            starting, seconds = self.finish(whole)
            kills = 0
            while kills < KILLS:
                process = start(killed)
                try:
                    if kills % 3 == 2:  # also while it starts and reads the checkpoint
                        time.sleep(moments.uniform(0, starting + seconds / KILLS))
                    else:
                        process.stdout.readline()
                        time.sleep(moments.uniform(0, seconds / KILLS))
                    process.kill()
                    _, errors = process.communicate()
                finally:
                    process.kill()
                    process.wait()
                self.assertEqual(process.returncode, -9, f"ended before kill {kills}: {errors}")
                kills += 1
            self.finish(killed)
            for file in COMPARED:
                self.assertEqual((whole / file).read_bytes(), (killed / file).read_bytes(), file)
            names = {path.name for path in (killed / "checkpoints").iterdir()}
            self.assertEqual(names, {"best.safetensors", "best.safetensors.previous", "last.safetensors",
                                     "last.safetensors.previous"})


if __name__ == "__main__":
    unittest.main()
