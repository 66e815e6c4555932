"""gsan train and gsan eval."""
import json
import os
import pathlib
import signal
import unittest

from command_case import ARGUMENT, FORMAT, IO, USAGE
from training_case import INTERRUPTED, TrainingCase

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Train(TrainingCase):
    def test_eval_gives_the_number_of_the_record(self):
        data, run = self.own_data(), self.folder / "run"
        report = self.report(*self.training(data, output=run))
        record = json.loads((run / "results.json").read_text())
        self.assertEqual(report["test"], record["test"])
        self.assertEqual(report["run"], str(run))
        self.assertIsNone(report["paper"])
        for phase in ("test", "validation"):
            evaluated = self.report("eval", run, "--phase", phase)
            self.assertEqual(evaluated["metrics"], record[phase])
            self.assertEqual(evaluated["best_epoch"], record["best_epoch"])
        self.assertIn("accuracy", self.gsan("eval", run, "--phase", "train").stdout)
        # A finished run only tells its results again.
        self.assertEqual(self.report("train", "--resume", run)["test"], record["test"])

    def test_the_text_has_the_model_the_baselines_and_the_folder(self):
        run = self.gsan(*self.training(self.own_data(), epochs=1, output="runs/a"))
        for text in ("trajectory on walks, protocol strict, seed 0", "best epoch 1", "san", "run folder: runs/a"):
            self.assertIn(text, run.stdout)
        self.assertTrue(run.stdout.isascii())

    def test_the_standard_folder_names_task_data_model_and_seed(self):
        self.gsan(*self.training(self.own_data(), "--seed", 3, epochs=1))
        self.assertTrue((self.folder / "runs/trajectory-walks-san-seed3/results.json").exists())

    def test_progress_goes_to_standard_error(self):
        arguments = [a for a in self.training(self.own_data(), epochs=2, output="run") if a != "--quiet"]
        run = self.gsan(*arguments, "--json", code=None)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("epoch", run.stderr)
        json.loads(run.stdout)

    def test_a_stopped_run_goes_on_as_if_it_never_was(self):
        data = self.own_data()
        whole = self.folder / "whole"
        self.gsan(*self.training(data, epochs=200, output=whole))
        for number in (signal.SIGINT, signal.SIGTERM):
            stopped = self.folder / number.name
            process = self.start(*self.training(data, epochs=200, output=stopped))
            self.wait_for(stopped / "metrics.jsonl", process)
            process.send_signal(number)
            _, stderr = process.communicate(timeout=60)
            self.assertEqual(process.returncode, INTERRUPTED, stderr)
            self.assertIn(f"resume with: gsan train --resume {stopped}", stderr)
            self.assertFalse((stopped / "results.json").exists())
            self.gsan("train", "--resume", stopped, "--threads", 1, "--quiet")
            self.assert_same_run(whole, stopped)

    def test_a_config_with_three_mistakes_is_refused_once(self):
        config = self.write("bad.yaml", "task: trajectory\nmodel: {head: 2}\ntrain: {epochs: no}\n")
        self.refused(ARGUMENT, "train", config, "model.dropout=2",
                     says=["3 faults", "bad.yaml:2", "did you mean 'model.heads'", "bad.yaml:3", "model.dropout"])

    def test_wrong_words(self):
        data = self.own_data()
        self.refused(USAGE, "train", says=["give a task"])
        self.refused(USAGE, "train", "trajectory", "--resume", "x", says=["--resume"])
        self.refused(USAGE, "train", "--resum", "x", says=["did you mean '--resume'"])
        self.refused(ARGUMENT, "train", "trajectry", says=["did you mean 'trajectory'"])
        self.refused(IO, "train", "nothing.yaml", says=["nothing.yaml"])
        self.refused(FORMAT, "train", self.write("no.yaml", "task: ["), says=["no.yaml:1"])
        self.refused(IO, "train", "trajectory", "--data", "./nowhere", says=["no folder ./nowhere"])
        self.refused(ARGUMENT, "train", "trajectory", "--model", "gsaan", says=["did you mean 'gsan'"])
        self.refused(ARGUMENT, "train", "--resume", data, says=["holds no run"])
        self.refused(ARGUMENT, "eval", data, says=["holds no run"])
        self.refused(USAGE, "eval", says=["RUN"])

    def test_a_folder_that_holds_a_run_is_not_touched(self):
        data = self.own_data()
        self.gsan(*self.training(data, epochs=1, output="run"))
        self.refused(ARGUMENT, *self.training(data, epochs=1, output="run"),
                     says=["holds a run already", "--resume run", "--output"])

    def test_the_phase_must_exist(self):
        self.gsan(*self.training(self.own_data(), epochs=1, output="run"))
        self.refused(ARGUMENT, "eval", "run", "--phase", "tests", says=["train, validation, test"])

    def test_data_that_is_not_there_is_told_with_the_command_that_fetches_it(self):
        self.environment = {"GSAN_HOME": str(self.folder / "home")}
        os.makedirs(self.folder / "home")
        self.refused(IO, "train", "trajectory", "--data", "ocean", says=["gsan data fetch ocean"])

    def test_a_config_file_and_later_words_win_over_it(self):
        data = self.own_data()
        config = self.write("run.yaml", "task: trajectory\nseed: 5\ntrain: {epochs: 7}\n")
        keys = self.gsan("train", config, "train.epochs=2", "--data", data, "--keys").stdout
        self.assertIn("train.epochs = 2 ", keys)
        self.assertIn("seed = 5 ", keys)
        self.assertIn(f'data.path = "{data.resolve()}"', keys)


class Keys(TrainingCase):
    def test_the_page_of_all_keys_is_up_to_date(self):
        page = self.gsan("train", "--keys-page").stdout
        self.assertTrue(page.isascii())
        self.assertEqual((ROOT / "docs/config.md").read_text(), page,
                         "docs/config.md differs from the code: gsan train --keys-page > docs/config.md")

    def test_every_key_of_a_run_stands_on_the_page(self):
        page = (ROOT / "docs/config.md").read_text()
        for task in ("trajectory", "imputation", "simplex-classification", "graph-classification", "simplex-prediction"):
            for model in ("gsan", "gat", "mpsn", "gin", "mlp"):
                for line in self.gsan("train", "--keys", task, "--model", model).stdout.splitlines():
                    name = line.split(" = ")[0]
                    self.assertIn(f"| `{name}` |", page)


if __name__ == "__main__":
    unittest.main()
