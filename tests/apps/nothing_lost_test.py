"""What costs users data, or answers with something that they did not ask for."""
import json
import os
import subprocess
import unittest

from command_case import BINARY, ENVIRONMENT, FORMAT, IO
from training_case import TrainingCase


def flip(path, at=-9):
    """One bit of one byte."""
    content = bytearray(path.read_bytes())
    content[at] ^= 4
    path.write_bytes(content)


class NothingLost(TrainingCase):
    def test_files_of_the_user_survive_a_training_beside_them(self):
        data = self.own_data()
        run = self.folder / "work"
        run.mkdir()
        mine = {run / name: name.encode() for name in ("draft.tmp", "notes.new", "a.77.0.tmp")}
        for path, content in mine.items():
            path.write_bytes(content)
        self.gsan(*self.training(data, epochs=1, output=run))
        self.gsan("train", "--resume", run, "--quiet")
        for path, content in mine.items():
            self.assertEqual(path.read_bytes(), content)

    def test_damaged_best_weights_are_refused_and_another_epoch_answers_only_when_asked(self):
        data = self.own_data()
        run = self.folder / "run"
        self.gsan(*self.training(data, "train.checkpoint_seconds=0", "train.choose=last", output=run))
        best = run / "checkpoints/best.safetensors"
        sound = self.report("eval", run)
        self.assertEqual((sound["weights"], sound["epoch"]), ("best", 4))
        flip(best)
        for command in ("eval", "predict"):
            self.refused(FORMAT, command, run, says=["best.safetensors", "damaged", "--weights previous", "--weights last"])
        previous = self.report("eval", run, "--weights", "previous")
        self.assertEqual((previous["weights"], previous["epoch"]), ("previous", 3))
        last = self.report("eval", run, "--weights", "last")
        self.assertEqual(last["epoch"], 4)
        self.assertEqual(last["metrics"], sound["metrics"])
        self.assertEqual(len(self.report("predict", run, "--weights", "last")["rows"]), 40)

        for path in best.parent.glob("best.safetensors*"):
            path.unlink()
        self.refused(IO, "eval", run, says=["best.safetensors", "--weights last"])

    def test_a_name_of_a_dataset_wins_over_the_folder_of_a_config(self):
        config = self.write("walks.yaml", f"task: trajectory\ndata: {{path: {self.own_data()}}}\n")
        keys = self.gsan("train", config, "--data", "ocean", "--keys").stdout
        self.assertIn('data.path = ""', keys)

    def test_lost_metrics_are_named_on_resume(self):
        data = self.own_data()
        run = self.folder / "run"
        self.gsan(*self.training(data, output=run))
        (run / "results.json").unlink()
        (run / "metrics.jsonl").unlink()
        told = self.gsan("train", "--resume", run, "--quiet", code=None)
        self.assertEqual(told.returncode, 0, told.stderr)
        self.assertIn("metrics.jsonl lacks 4 of the 4 epochs", told.stderr)

    def test_closed_standard_streams_cost_nothing(self):
        data = self.own_data()
        command = [word for word in self.training(data, output=self.folder / "run") if word != "--quiet"]
        run = subprocess.run(["sh", "-c", 'exec "$0" "$@" <&- >&- 2>&-', BINARY, *command], cwd=self.folder,
                             env=ENVIRONMENT, timeout=120)
        self.assertEqual(run.returncode, 0)
        lines = (self.folder / "run/metrics.jsonl").read_text().splitlines()
        self.assertEqual([json.loads(line)["epoch"] for line in lines], [1, 2, 3, 4])
        self.gsan(*self.training(data, output=self.folder / "other"))
        self.assert_same_run(self.folder / "run", self.folder / "other")

    def test_a_config_of_one_comma_ends(self):
        for text in (",", "--- ,"):
            self.refused(FORMAT, "train", self.write("run.yaml", text), says=["run.yaml:1", "YAML"])

    def test_nothing_is_writable_by_everybody_whatever_the_umask(self):
        run = self.folder / "run"
        done = subprocess.run([BINARY, *self.training(self.own_data(), epochs=1, output=run)], cwd=self.folder,
                              env=ENVIRONMENT, preexec_fn=lambda: os.umask(0), timeout=120)
        self.assertEqual(done.returncode, 0)
        self.assertEqual([path for path in [run, *run.rglob("*")] if os.stat(path).st_mode & 0o002], [])

    def test_a_written_file_keeps_its_mode(self):
        data = self.own_data()
        run = self.folder / "run"
        self.gsan(*self.training(data, epochs=1, output=run))
        answers = self.folder / "answers.csv"
        answers.write_text("")
        answers.chmod(0o600)
        self.gsan("predict", run, "--output", answers)
        self.assertEqual(os.stat(answers).st_mode & 0o777, 0o600)


if __name__ == "__main__":
    unittest.main()
