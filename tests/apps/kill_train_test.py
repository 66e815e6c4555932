"""gsan train, killed, interrupted and resumed, ends as if nothing had happened."""
import random
import signal
import time
import unittest

from training_case import INTERRUPTED, TrainingCase

KILLS = 10


class Interrupted(TrainingCase):
    def setUp(self):
        super().setUp()
        self.data = self.own_data()
        self.whole = self.folder / "whole"
        self.run_folder = self.folder / "run"
        # A checkpoint after every step: every moment of a run is one at which something is being written.
        self.settings = ("train.checkpoint_seconds=0", "model.attention_dropout=0.2", "--seed", 3)

    def begin(self, epochs):
        """Starts the run, or goes on with it where it exists."""
        if (self.run_folder / "manifest.json").exists():
            return self.start("train", "--resume", self.run_folder, "--threads", 1, "--quiet")
        return self.start(*self.training(self.data, *self.settings, epochs=epochs, output=self.run_folder))

    def begin_and_move(self, epochs):
        """The same, until a step of this process is on the disk."""
        checkpoint = self.run_folder / "checkpoints/last.safetensors"
        stamp = lambda: checkpoint.stat().st_mtime_ns if checkpoint.exists() else None
        before = stamp()
        process = self.begin(epochs)
        while process.poll() is None and stamp() == before:
            time.sleep(0.001)
        return process

    def finish(self):
        self.gsan("train", "--resume", self.run_folder, "--threads", 1, "--quiet")
        self.assert_same_run(self.whole, self.run_folder)

    def test_two_runs_with_one_seed_are_identical(self):
        for output in (self.whole, self.run_folder):
            self.gsan(*self.training(self.data, "model.attention_dropout=0.2", "--seed", 3, output=output))
        self.assert_same_run(self.whole, self.run_folder)
        other = self.folder / "other"
        self.gsan(*self.training(self.data, "model.attention_dropout=0.2", "--seed", 4, output=other))
        self.assertNotEqual((other / "checkpoints/best.safetensors").read_bytes(),
                            (self.whole / "checkpoints/best.safetensors").read_bytes())

    def test_when_checkpoints_are_written_has_no_influence(self):
        self.gsan(*self.training(self.data, "--seed", 3, "train.checkpoint_seconds=0", output=self.whole))
        self.gsan(*self.training(self.data, "--seed", 3, "train.checkpoint_seconds=1000", output=self.run_folder))
        for name in ("metrics.jsonl", "checkpoints/best.safetensors"):
            self.assertEqual((self.whole / name).read_bytes(), (self.run_folder / name).read_bytes(), name)

    def test_killed_ten_times_the_weights_are_the_same(self):
        epochs = 60
        began = time.monotonic()
        whole = self.start(*self.training(self.data, *self.settings, epochs=epochs, output=self.whole))
        self.wait_for(self.whole / "checkpoints/last.safetensors", whole)
        start_seconds = time.monotonic() - began  # of which a machine may need more than for all steps
        _, errors = whole.communicate()
        self.assertEqual(whole.returncode, 0, errors)
        steps_seconds = time.monotonic() - began - start_seconds
        moments = random.Random(7)
        kills = 0
        for attempt in range(4 * KILLS):
            if attempt % 4 == 3:  # at any moment of the start, too
                process = self.begin(epochs)
                time.sleep(moments.uniform(0, start_seconds))
            else:  # some steps after the run has begun to move
                process = self.begin_and_move(epochs)
                time.sleep(moments.uniform(0, steps_seconds / (4 * KILLS)))
            process.kill()
            _, errors = process.communicate()
            if process.returncode == 0:
                break  # it was done before the blow
            self.assertEqual(process.returncode, -signal.SIGKILL, errors)
            self.checkpoints(self.run_folder)
            kills += 1
            if kills == KILLS:
                break
        self.assertEqual(kills, KILLS)
        self.finish()

    def test_ctrl_c_and_sigterm_save_and_say_how_to_go_on(self):
        epochs = 80  # so many that no signal comes too late
        self.gsan(*self.training(self.data, *self.settings, epochs=epochs, output=self.whole))
        for number in (signal.SIGINT, signal.SIGTERM):
            process = self.begin_and_move(epochs)
            process.send_signal(number)
            _, errors = process.communicate()
            self.assertEqual(process.returncode, INTERRUPTED, errors)
            self.assertIn(f"resume with: gsan train --resume {self.run_folder}", errors)
            self.assertFalse((self.run_folder / "results.json").exists())
            self.checkpoints(self.run_folder)
        self.finish()

    def test_a_finished_run_is_not_trained_again(self):
        self.gsan(*self.training(self.data, output=self.run_folder))
        before = {path: path.read_bytes() for path in (self.run_folder / "checkpoints").iterdir()}
        self.gsan("train", "--resume", self.run_folder, "--threads", 1, "--quiet")
        self.assertEqual(before, {path: path.read_bytes() for path in (self.run_folder / "checkpoints").iterdir()})


if __name__ == "__main__":
    unittest.main()
