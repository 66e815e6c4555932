"""gsan train with several processes: the same bits for any number of them, and no way to lose a run.

GSAN_KILLS: how many runs lose a rank at a random moment (default 2)."""
import json
import os
import pathlib
import random
import resource
import signal
import socket
import subprocess
import sys
import time
import unittest

from command_case import ARGUMENT, BINARY, ENVIRONMENT, IO, VERSION
from training_case import INTERRUPTED, TrainingCase

KILLS = int(os.environ.get("GSAN_KILLS", "2"))
RUN_FAILED = 8
HOST = socket.gethostname()
HAS_RANKS = "several processes yes" in VERSION
ROOT = pathlib.Path(__file__).resolve().parents[2]
TORCHRUN, EXAMPLES = ROOT / ".venv/bin/torchrun", ROOT / "examples/own-data"


def children_of(process):
    """Process ids of the ranks, by rank."""
    found = {}
    for child in pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split():
        try:
            variables = pathlib.Path(f"/proc/{child}/environ").read_bytes().split(b"\0")
        except OSError:  # it has ended
            continue
        found.update({int(v[5:]): int(child) for v in variables if v.startswith(b"RANK=")})
    return found


@unittest.skipUnless(HAS_RANKS, "this build has no Gloo: it trains in one process")
class Processes(TrainingCase):
    def setUp(self):
        super().setUp()
        self.data = self.own_data(signals=50)

    def command(self, *more, output, epochs=3):
        # Batches of 8: the last one of an epoch has fewer items than there are micro-batches.
        return self.training(self.data, "model.attention_dropout=0.2", "model.readout.batch_norm=false", "--seed", 3, *more,
                             epochs=epochs, output=output)

    def ranks(self, count, *more, output, epochs=3, code=0):
        run = self.gsan(*self.command("--processes", count, *more, output=output, epochs=epochs), code=None)
        self.assertEqual(run.returncode, code, run.stderr)
        return run

    def moving(self, *more, output, epochs, ranks=2):
        """A run whose first checkpoint is on the disk, and its ranks."""
        process = self.start(*self.command("--processes", ranks, "train.checkpoint_seconds=0", *more, output=output, epochs=epochs))
        self.wait_for(output / "checkpoints/last.safetensors", process)
        return process, children_of(process)

    # Equal bits.

    def test_any_number_of_ranks_gives_the_same_bits(self):
        runs = [self.folder / f"ranks-{count}" for count in (1, 2, 3, 4)]
        for count, output in enumerate(runs, 1):
            self.assertEqual(self.ranks(count, output=output).stderr, "")
        for other in runs[1:]:
            self.assert_same_run(runs[0], other)
        alone = self.folder / "alone"
        self.gsan(*self.command("train.micro_batches=4", output=alone))
        self.assert_same_run(runs[0], alone)
        self.assertIn("micro_batches: 4", (runs[1] / "config.yaml").read_text())
        predictions = [self.gsan("predict", run, "--threads", 1).stdout for run in (runs[0], runs[2])]
        self.assertEqual(*predictions)

    def test_a_run_by_itself_has_one_micro_batch(self):
        one, other, ranks = (self.folder / name for name in ("one", "other", "ranks"))
        self.gsan(*self.command(output=one))
        self.gsan(*self.command("train.micro_batches=1", output=other))
        self.ranks(2, "train.micro_batches=1", output=ranks)
        for run in (other, ranks):
            for name in ("metrics.jsonl", "checkpoints/best.safetensors"):
                self.assertEqual((one / name).read_bytes(), (run / name).read_bytes(), name)

    def test_another_number_of_ranks_resumes_to_the_same_bits(self):
        whole, run = self.folder / "whole", self.folder / "run"
        self.ranks(2, "train.checkpoint_seconds=0", output=whole, epochs=40)
        process, _ = self.moving(output=run, epochs=40, ranks=3)
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate()
        self.assertEqual(process.returncode, INTERRUPTED, errors)
        self.assertEqual(errors.count(f"resume with: gsan train --resume {run}"), 1)
        self.gsan("train", "--resume", run, "--processes", 2, "--threads", 1, "--quiet")
        self.assert_same_run(whole, run)

    def test_batch_statistics_are_those_of_all_ranks(self):
        runs = [self.folder / f"ranks-{count}" for count in (1, 2, 3)]
        for count, output in enumerate(runs, 1):
            self.assertEqual(self.ranks(count, "model.readout.batch_norm=true", output=output).stderr, "")
        for other in runs[1:]:
            self.assert_same_run(runs[0], other)

    def test_what_cannot_be_divided_runs_replicated_and_says_so(self):
        runs = [self.folder / "one", self.folder / "two"]
        for count, output in enumerate(runs, 1):
            run = self.gsan("train", "simplex-prediction", "--data", EXAMPLES / "simplex-prediction", "--quiet", "--threads", 1,
                            "train.epochs=2", "--processes", count, "--output", output, code=None)
            self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(run.stderr.count("every rank computes the whole of every step: simplex-prediction is on one complex"), 1,
                         run.stderr)
        self.assert_same_run(*runs)

    def test_a_check_rehearses_the_steps_of_the_ranks(self):
        report = json.loads(self.gsan(*self.command(output=self.folder / "run"), "--check", "--processes", 2, "--json").stdout)
        self.assertEqual((report["measured"]["processes"], report["measured"]["micro_batches"]), (2, 4))
        self.assertFalse((self.folder / "run").exists())

    @unittest.skipUnless(TORCHRUN.exists(), "there is no torchrun")
    def test_torchrun_starts_ranks_too(self):
        one, two = self.folder / "one", self.folder / "two"
        self.ranks(1, output=one)
        words = [str(TORCHRUN), "--no-python", "--standalone", "--nproc-per-node=2", BINARY, *self.command(output=two)]
        run = subprocess.run(words, cwd=self.folder, env=ENVIRONMENT, capture_output=True, text=True, timeout=120)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(run.stdout.count("test"), self.gsan("train", "--resume", one).stdout.count("test"))
        self.assert_same_run(one, two)

    @unittest.skipUnless(TORCHRUN.exists(), "there is no torchrun")
    def test_torchrun_restarts_lost_ranks(self):
        whole, run = self.folder / "whole", self.folder / "run"
        settings, epochs = ("train.checkpoint_seconds=0",), 40
        self.ranks(2, *settings, output=whole, epochs=epochs)
        words = [TORCHRUN, "--no-python", "--standalone", "--nproc-per-node=2", "--max-restarts=3", BINARY,
                 *self.command(*settings, output=run, epochs=epochs)]
        process = subprocess.Popen(list(map(str, words)), cwd=self.folder, env=ENVIRONMENT, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        self.wait_for(run / "checkpoints/last.safetensors", process)
        os.kill(children_of(process)[1], signal.SIGKILL)
        _, errors = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 0, errors)
        self.assert_same_run(whole, run)
        self.assertEqual(json.loads((run / "manifest.json").read_text())["sessions"], 2)

    # Faults.

    def test_a_rank_lost_before_all_have_joined_is_named(self):
        process = self.start(*self.command("--processes", 3, output=self.folder / "run"))
        began = time.monotonic()
        while 1 not in (ranks := children_of(process)):
            self.assertIsNone(process.poll())
        os.kill(ranks[1], signal.SIGKILL)
        _, errors = process.communicate(timeout=60)
        self.assertLess(time.monotonic() - began, 30)
        self.assertEqual(process.returncode, RUN_FAILED, errors)
        for survivor in (0, 2):
            self.assertRegex(errors, rf"gsan: rank {survivor} on {HOST} stops.*: rank 1 on {HOST} was ended by signal 9")

    def test_killed_ranks_are_named_and_the_rest_stops(self):
        run = self.folder / "run"
        process, ranks = self.moving(output=run, epochs=2000, ranks=3)
        began = time.monotonic()
        os.kill(ranks[1], signal.SIGKILL)
        _, errors = process.communicate()
        self.assertLess(time.monotonic() - began, 30)
        self.assertEqual(process.returncode, RUN_FAILED, errors)
        self.assertIn(f"rank 1 on {HOST} was ended by signal 9", errors)
        for survivor in (0, 2):
            self.assertRegex(errors, rf"gsan: rank {survivor} on {HOST} stops: rank 1 on {HOST} was ended by signal 9")
        self.checkpoints(run)

    def test_a_rank_that_hangs_is_named(self):
        process, ranks = self.moving(output=self.folder / "run", epochs=2000)
        began = time.monotonic()
        os.kill(ranks[1], signal.SIGSTOP)
        self.addCleanup(lambda: process.poll() is None and os.kill(ranks[1], signal.SIGKILL))
        while f"rank 1 on {HOST} has not answered" not in (line := process.stderr.readline()):
            self.assertNotEqual(line, "")
        self.assertLess(time.monotonic() - began, 30)
        os.kill(ranks[1], signal.SIGKILL)
        process.communicate()

    def test_a_full_disk_on_rank_0_stops_all(self):
        limit = lambda: (resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)), signal.signal(signal.SIGXFSZ, signal.SIG_IGN))
        run = subprocess.run([BINARY, *self.command("--processes", "2", output=self.folder / "run")], cwd=self.folder,
                             env=ENVIRONMENT, capture_output=True, text=True, timeout=120, preexec_fn=limit)
        self.assertEqual(run.returncode, IO, run.stderr)
        self.assertIn(f"gsan: rank 0 on {HOST}: ", run.stderr)
        self.assertIn(f"gsan: rank 1 on {HOST} stops: rank 0 on {HOST}: ", run.stderr)
        self.assertIn("File too large", run.stderr)

    def pair(self, words_of, folders=(None, None)):
        """Two ranks with words of their own, started by hand; their exit codes and messages."""
        # Bound here as long as the ranks need it, so that nobody else is given that port: it is shared with rank 0, which listens.
        reserved = socket.socket()
        self.addCleanup(reserved.close)
        reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        reserved.bind(("127.0.0.1", 0))
        port = reserved.getsockname()[1]
        processes = []
        for rank, folder in enumerate(folders):
            place = {"RANK": str(rank), "WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
            processes.append(subprocess.Popen([BINARY, *map(str, words_of(rank))], cwd=folder or self.folder,
                                              env={**ENVIRONMENT, **place}, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                              text=True))
        found = [process.communicate(timeout=60)[1] for process in processes]
        return [process.returncode for process in processes], found

    def assert_refused_by_both(self, found, what):
        codes, errors = found
        self.assertEqual(codes, [ARGUMENT, ARGUMENT], errors)
        for rank in range(2):
            self.assertIn(f"gsan: rank {rank} on {HOST}: ranks: {what} of rank 1 on {HOST} is not that of rank 0 on {HOST}",
                          errors[rank])

    def test_ranks_with_another_config_are_refused(self):
        words = lambda rank: self.command(f"model.hidden_channels={rank + 2}", output=self.folder / "run")
        self.assert_refused_by_both(self.pair(words), "the config")

    def test_ranks_with_other_data_are_refused(self):
        folders = []
        for seed in (1, 2):  # the same path, but every process has its own working folder
            folders.append(self.folder / f"machine-{seed}")
            folders[-1].mkdir()
            self.own_data(f"machine-{seed}/walks", signals=50, seed=seed)
        words = lambda rank: self.training("walks", "data.path=/proc/self/cwd/walks", "--seed", 3, output=self.folder / "run")
        words = lambda rank, words=words: [w for w in words(rank) if w not in ("--data", "walks")]
        self.assert_refused_by_both(self.pair(words, folders), "the data")

    def test_a_rank_that_fails_before_the_first_step_tells_the_others(self):
        codes, errors = self.pair(lambda rank: self.command(*(["model.heads=-1"] if rank else []), output=self.folder / "run"))
        self.assertEqual(codes, [IO, ARGUMENT], errors)
        self.assertIn(f"rank 0 on {HOST} stops: rank 1 on {HOST}: ", errors[0])
        self.assertIn("model.heads", errors[0])

    def test_runs_that_lose_ranks_end_with_the_undisturbed_bits(self):
        whole, epochs = self.folder / "whole", 20
        began = time.monotonic()
        self.ranks(2, "train.checkpoint_seconds=0", output=whole, epochs=epochs)
        seconds = time.monotonic() - began
        moments, lost = random.Random(7), 0
        number = 0
        while lost < KILLS:  # a moment may be one after the end
            self.assertLess(number, 10 + 3 * KILLS)
            number += 1
            run = self.folder / f"run-{number}"
            process = self.start(*self.command("--processes", 2, "--max-restarts", 3, "train.checkpoint_seconds=0", output=run,
                                               epochs=epochs))
            time.sleep(moments.uniform(0.1, 0.9) * seconds)
            rank = moments.randrange(2)
            try:
                os.kill(children_of(process)[rank], signal.SIGKILL)
            except (OSError, KeyError):  # it has ended before
                pass
            _, errors = process.communicate(timeout=120)
            self.assertEqual(process.returncode, 0, errors)
            self.assertEqual("was ended by signal 9" in errors, "restart 1 of 3" in errors, errors)
            self.assert_same_run(whole, run)
            lost += "was ended by signal 9" in errors
        print(f"{lost} of {number} runs lost a rank, all ended with the same bits", file=sys.stderr)

    # Words.

    def test_what_a_rank_must_be_told(self):
        self.environment = {"WORLD_SIZE": "2", "RANK": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": "29500"}
        self.refused(ARGUMENT, *self.command(output=self.folder / "run"), says=("RANK must be a number from 0 to 1, got '2'",))
        self.environment = {"WORLD_SIZE": "2", "RANK": "0", "MASTER_PORT": "29500"}
        self.refused(ARGUMENT, *self.command(output=self.folder / "run"), says=("MASTER_ADDR", "torchrun"))


if __name__ == "__main__":
    unittest.main()
