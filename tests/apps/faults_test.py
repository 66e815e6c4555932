"""Faults from outside: kill -9, full and read-only disks, little memory, a clock that is set back, damaged files.

GSAN_KILLS (default 4) is the number of kill -9 of a training; a quarter as many are of sweeps, and of gsan reproduce
(reproduce_faults_test.py).
"""
import os
import random
import resource
import shutil
import signal
import subprocess
import time
import unittest

from command_case import ARGUMENT, BINARY, ENVIRONMENT, FORMAT, IO, RESOURCE
from training_case import TrainingCase

KILLS = int(os.environ.get("GSAN_KILLS", "4"))


def can_mount():
    """Whether a disk of our own can be mounted: root, or user namespaces."""
    probe = subprocess.run(["unshare", "-m", "-r", "sh", "-c", "mount -t tmpfs -o size=64k none /mnt"], capture_output=True)
    return probe.returncode == 0


class Faults(TrainingCase):
    SETTINGS = ("train.checkpoint_seconds=0", "model.attention_dropout=0.2", "--seed", 3)

    def setUp(self):
        super().setUp()
        self.data = self.own_data()
        self.whole, self.run_folder = self.folder / "whole", self.folder / "run"

    def words(self, output, epochs=6):
        return self.training(self.data, *self.SETTINGS, epochs=epochs, output=output)

    def resume(self, run):
        if (run / "manifest.json").exists():
            return self.gsan("train", "--resume", run, "--threads", 1, "--quiet", code=None)
        return self.gsan(*self.words(run), code=None)

    def test_killed_at_random_moments_each_training_resumes_to_the_same_bits(self):
        began = time.monotonic()
        self.gsan(*self.words(self.whole))
        seconds = time.monotonic() - began
        moments, killed = random.Random(11), 0
        for number in range(KILLS):
            run = self.folder / f"run{number}"
            process = self.start(*self.words(run))
            time.sleep(moments.uniform(0, seconds))
            process.kill()
            process.communicate()
            killed += process.returncode == -signal.SIGKILL
            again = self.resume(run)
            self.assertEqual(again.returncode, 0, again.stderr)
            self.assert_same_run(self.whole, run)
            shutil.rmtree(run)
        print(f"{killed} of {KILLS} were killed before they ended; all resumed to the same bits")

    def test_a_killed_sweep_ends_the_same_when_started_again(self):
        words = lambda output: ["sweep", "trajectory", "--data", self.data, "--model", "san", "--output", output, "--quiet",
                                "model.hidden_channels=4", "model.n_layers=1", "trajectory.batch_size=16", "train.epochs=3",
                                "--grid", "model.heads=1,2", "--threads", 1]
        began = time.monotonic()
        self.gsan(*words(self.whole))
        seconds = time.monotonic() - began
        moments, killed, kills = random.Random(12), 0, max(1, KILLS // 4)
        for number in range(kills):
            output = self.folder / f"sweep{number}"
            process = self.start(*words(output))
            time.sleep(moments.uniform(0.1, 0.95) * seconds)
            process.kill()
            process.communicate()
            killed += process.returncode == -signal.SIGKILL
            self.gsan_when_unlocked(*words(output))
            for trial in ("trial-0000/seed-0", "trial-0001/seed-0"):
                self.assert_same_run(self.whole / trial, output / trial)
            shutil.rmtree(output)
        print(f"{killed} of {kills} sweeps were killed before they ended; all ended with the same bits")

    def gsan_when_unlocked(self, *arguments):
        """Children of a killed process end a moment after it: until then their folders are taken."""
        for _ in range(40):
            run = self.gsan(*arguments, code=None)
            if run.returncode == 0:
                return
            time.sleep(0.25)
        self.fail(run.stderr)

    def test_two_processes_never_share_a_run(self):
        first = self.start(*self.words(self.run_folder, epochs=100000))
        self.wait_for(self.run_folder / "checkpoints/last.safetensors", first)
        told = self.gsan("train", "--resume", self.run_folder, "--threads", 1, "--quiet", code=ARGUMENT)
        self.assertIn("another process is working", told.stderr)
        first.kill()

    def test_a_clock_that_was_set_back_costs_nothing(self):
        """Files from the future: nothing is decided by a time of the system."""
        self.gsan(*self.words(self.whole))
        process = self.start(*self.words(self.run_folder))
        self.wait_for(self.run_folder / "checkpoints/last.safetensors", process)
        process.kill()
        process.communicate()
        future = time.time() + 10 * 365 * 86400
        for path in self.run_folder.rglob("*"):
            os.utime(path, (future, future))
        again = self.resume(self.run_folder)
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assert_same_run(self.whole, self.run_folder)

    @unittest.skipUnless(os.geteuid() != 0 or can_mount(), "root writes into read-only folders, and no disk can be mounted")
    def test_a_read_only_folder_is_named(self):
        folder = self.folder / "closed"
        folder.mkdir()
        if os.geteuid() != 0:
            folder.chmod(0o555)
            told = self.gsan(*self.words(folder / "run"), code=IO)
        else:
            told = self.on_disk("mount -o remount,ro", folder, self.words(folder / "run"))
            self.assertEqual(told.returncode, IO, told.stderr)
        self.assertIn("closed/run", told.stderr)

    def on_disk(self, change, folder, words, size="1m"):
        """The command in a mount namespace of its own, where `folder` is a small disk in memory."""
        script = f'mount -t tmpfs -o size={size} none "$0" && {{ [ -z "{change}" ] || {change} "$0"; }} && exec "$@"'
        return subprocess.run(["unshare", "-m", "-r", "sh", "-c", script, str(folder), BINARY, *map(str, words)],
                              cwd=self.folder, env={**ENVIRONMENT, **self.environment}, capture_output=True, text=True,
                              timeout=120)

    @unittest.skipUnless(can_mount(), "a disk in memory cannot be mounted here (unshare -m)")
    def test_a_full_disk_is_an_error_with_its_reason_and_no_half_file(self):
        folder = self.folder / "small"
        folder.mkdir()
        outcomes = set()
        for size in ("4k", "12k", "28k", "60k"):
            # What is left on the disk is listed before its namespace ends.
            script = (f'mount -t tmpfs -o size={size} none "$0" && shift 0; "$@"; code=$?; '
                      'find "$0" -name "*.tmp" | sed s/^/LEFT:/; exit $code')
            run = subprocess.run(["unshare", "-m", "-r", "sh", "-c", script, str(folder), BINARY,
                                  *map(str, self.words(folder / "run"))], cwd=self.folder,
                                 env={**ENVIRONMENT, **self.environment}, capture_output=True, text=True, timeout=120)
            self.assertIn(run.returncode, (0, IO), run.stderr)
            self.assertNotIn("LEFT:", run.stdout)
            if run.returncode == IO:
                self.assertIn("No space left on device", run.stderr)
            outcomes.add(run.returncode)
        self.assertIn(IO, outcomes)

    def test_too_little_memory_ends_with_its_own_exit_code(self):
        told = self.gsan(*self.words(self.run_folder), "--max-memory", "1M", code=RESOURCE)
        self.assertIn("memory", told.stderr)

    def test_a_limit_of_the_system_on_file_sizes_is_told(self):
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (2048, 2048))
        run = subprocess.run([BINARY, *map(str, self.words(self.run_folder))], cwd=self.folder, preexec_fn=limit,
                             env={**ENVIRONMENT, **self.environment}, capture_output=True, text=True, timeout=120)
        self.assertEqual(run.returncode, IO, run.stderr)
        self.assertEqual(list(self.folder.rglob("*.tmp")), [])


class Damage(TrainingCase):
    def test_a_changed_byte_anywhere_in_a_checkpoint_is_noticed(self):
        """GSAN_FAULTS=all: at every offset; else at some of the header and of the numbers."""
        data, run = self.own_data(signals=12), self.folder / "run"
        self.gsan(*self.training(data, epochs=1, output=run))
        best = run / "checkpoints/best.safetensors"
        content = best.read_bytes()
        offsets = range(len(content))
        if os.environ.get("GSAN_FAULTS") != "all":
            offsets = sorted(random.Random(5).sample(offsets, 10) + [0, 8, len(content) - 1])
        for at in offsets:
            best.write_bytes(content[:at] + bytes([content[at] ^ 0x10]) + content[at + 1:])
            told = self.gsan("eval", run, code=None)
            self.assertIn(told.returncode, (FORMAT, ARGUMENT), f"byte {at} of {len(content)}: {told.stdout}{told.stderr}")
            self.assertIn("best.safetensors", told.stderr)


if __name__ == "__main__":
    unittest.main()
