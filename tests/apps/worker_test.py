"""gsan worker: several processes share the runs of a sweep, and none is trained twice or lost."""
import json
import signal
import time
import unittest

from command_case import ARGUMENT
from training_case import INTERRUPTED, TrainingCase


class Worker(TrainingCase):
    def setUp(self):
        super().setUp()
        self.data = self.own_data()
        self.output = self.folder / "sweep"

    def sweep(self, *more, seeds, epochs=2):
        return ["sweep", "trajectory", "--data", self.data, "--model", "san", "--output", self.output, "--quiet", "--jobs", 1,
                "--threads", 1, "model.hidden_channels=4", "model.n_layers=1", "trajectory.batch_size=16",
                f"train.epochs={epochs}", "train.checkpoint_seconds=0", "--seeds", seeds, *more]

    def begun(self, seeds, epochs):
        """The folder of a sweep that was stopped in its first run."""
        process = self.start(*self.sweep(seeds=seeds, epochs=epochs))
        self.wait_for(self.output / "trial-0000/seed-0/checkpoints/last.safetensors", process)
        process.send_signal(signal.SIGTERM)
        process.communicate()
        self.assertEqual(process.returncode, INTERRUPTED)
        self.assertFalse(list(self.output.rglob("*.claim")))

    def sessions(self, seeds=4):
        """How often each run was started."""
        return [json.loads((self.output / f"trial-0000/seed-{seed}/manifest.json").read_text())["sessions"] for seed in range(seeds)]

    def test_workers_share_the_runs(self):
        self.begun(seeds=4, epochs=30)
        workers = [self.start("worker", self.output, "--jobs", 1, "--quiet") for _ in range(2)]
        for worker in workers:
            _, errors = worker.communicate(timeout=120)
            self.assertEqual((worker.returncode, errors), (0, ""))
        self.assertIn(sorted(self.sessions()), ([1, 1, 1, 1], [1, 1, 1, 2]))
        self.assertFalse(list(self.output.rglob("*.claim")))
        report = self.report("sweep", "--output", self.output, "--resume", "--quiet")
        self.assertEqual(len(report["trials"][0]["runs"]), 4)

    def test_the_run_of_a_lost_worker_is_resumed(self):
        self.begun(seeds=2, epochs=60)
        lost = self.start("worker", self.output, "--jobs", 1, "--quiet", "--lost-after", 2)
        claim = self.output / "trial-0000/seed-0.claim"
        self.wait_for(claim, lost)
        # One of another machine cannot be asked whether it lives: it has stopped to write, and its training is gone.
        lost.kill()
        lost.communicate()
        claim.write_text("elsewhere 1 1\n")
        began = time.monotonic()
        self.gsan("worker", self.output, "--jobs", 2, "--quiet", "--lost-after", 2)
        self.assertGreater(time.monotonic() - began, 2)
        self.assertGreaterEqual(self.sessions(seeds=2)[0], 2)
        self.assertTrue(all((self.output / f"trial-0000/seed-{seed}/results.json").exists() for seed in range(2)))

    def test_a_folder_without_a_sweep_is_refused(self):
        self.refused(ARGUMENT, "worker", self.folder, says=("holds no sweep", "gsan sweep TASK --output"))


if __name__ == "__main__":
    unittest.main()
