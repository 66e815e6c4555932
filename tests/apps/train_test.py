"""gsan train and gsan eval."""
import itertools
import json
import os
import pathlib
import signal
import unittest

from command_case import ARGUMENT, FORMAT, IO, RESOURCE, USAGE
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
            self.assertEqual(evaluated["epoch"], record["chosen_epoch"])
        self.assertIn("accuracy", self.gsan("eval", run, "--phase", "train").stdout)
        # A finished run only tells its results again.
        self.assertEqual(self.report("train", "--resume", run)["test"], record["test"])

    def test_check_says_what_a_run_takes_and_leaves_nothing(self):
        data = self.own_data()
        before = self.files()
        words = [word for word in self.training(data, "train.least_steps=7") if word != "--quiet"]
        report = self.report(*words, "--check")
        self.assertEqual(self.files(), before)
        self.assertEqual(sum(report["parts"].values()), 40)
        steps = -(-report["parts"]["train"] // 8)
        self.assertEqual(report["steps_per_epoch"], -(-7 // steps) * steps)  # whole passes
        self.assertEqual((report["epochs"], report["first_batch"]["simplices"]), (4, [16, 32, 16]))
        measured, estimated = report["measured"], report["estimated"]
        self.assertEqual(measured["steps"], 4 * report["steps_per_epoch"])
        self.assertGreaterEqual(measured["memory"]["peak_bytes"], measured["memory"]["before_steps_bytes"])
        self.assertGreaterEqual(estimated["epoch_seconds"], report["steps_per_epoch"] * measured["step_seconds"])
        self.assertGreater(estimated["run_seconds"], 3 * estimated["epoch_seconds"])
        text = self.gsan(*words, "--check").stdout
        for word in ("parameters", "measured", "peak memory", "estimated", "no run folder"):
            self.assertIn(word, text)
        self.assertEqual(self.files(), before)
        # The steps of a check are those of the run: what is wrong with them is found.
        self.refused(7, *words, "--check", "train.optimizer.learning_rate=1e30", says=["not finite"])

    def test_max_memory_ends_with_one_sentence(self):
        data, run = self.own_data(), self.folder / "run"
        words = self.training(data, output=run)
        self.gsan(*words, "--max-memory", "64G")
        self.refused(RESOURCE, "eval", run, "--max-memory", "1M", says=["--max-memory", "1 MiB", "allow more"])
        self.refused(RESOURCE, "predict", run, "--max-memory", "1M", says=["--max-memory"])
        self.assertEqual(self.report("eval", run, "--max-memory", "64G")["metrics"], self.results(run)["test"])
        # Matrices of 20000 x 20000 numbers do not fit.
        large = self.training(data, "model.hidden_channels=20000", "model.n_layers=2", output=self.folder / "large")
        message = self.refused(RESOURCE, *large, "--max-memory", "1G",
                               says=["out of memory", "1600000000 bytes", "train.recompute", "hidden_channels"])
        self.assertEqual(message.count("\n"), 1)
        self.refused(USAGE, *words, "--max-memory", "much")

    def test_changed_data_are_refused_and_other_differences_are_told(self):
        data, run = self.own_data(), self.folder / "run"
        self.gsan(*self.training(data, output=run))
        record = self.results(run)
        labels = (data / "labels.csv").read_text()
        (data / "labels.csv").write_text(labels.replace("left", "nan", 3))
        says = ["not those of the run", f"SHA-256 of {data.resolve()}/labels.csv"]
        self.refused(ARGUMENT, "eval", run, says=says)
        (run / "results.json").unlink()
        self.refused(ARGUMENT, "train", "--resume", run, "--quiet", says=says)
        (data / "labels.csv").write_text(labels)
        manifest = json.loads((run / "manifest.json").read_text())
        (run / "manifest.json").write_text(json.dumps({**manifest, "compiler": "another"}))
        resumed = self.gsan("train", "--resume", run, "--threads", 1, "--quiet", code=None)
        self.assertEqual(resumed.returncode, 0, resumed.stderr)
        self.assertIn("compiler: another then", resumed.stderr)
        self.assertEqual(self.results(run), record)

    def test_a_split_of_ones_own_is_found_from_any_folder_and_must_stay(self):
        data, run = self.own_data(), self.folder / "run"
        split = {"train": list(range(20)), "validation": list(range(20, 30)), "test": list(range(30, 40))}
        self.write("split.json", json.dumps(split))
        report = self.report(*self.training("walks", "split.file=split.json", output=run))
        home, self.folder = self.folder, data  # where the command is started
        self.assertEqual(self.report("eval", run)["metrics"], report["test"])
        self.folder = home
        split["test"], split["train"] = split["train"][:10], split["train"][10:] + split["test"]
        self.write("split.json", json.dumps(split))
        self.refused(ARGUMENT, "eval", run, says=["split.json", "not the split"])

    def test_a_column_part_divides_the_items_and_the_run_says_so(self):
        data = self.own_data()
        labels = (data / "labels.csv").read_text().split()[1:]
        parts = ["test" if i % 5 == 0 else "val" if i % 5 == 1 else "train" for i in range(len(labels))]
        (data / "labels.csv").write_text("label,part\n" + "".join(map("{},{}\n".format, labels, parts)))
        text = self.gsan(*self.training(data, epochs=1, output="run")).stdout
        self.assertIn("split by the column part of labels.csv: train 24, validation 8, test 8\n", text)
        split = json.loads((self.folder / "run/splits/split.json").read_text())
        self.assertEqual(split["made"], "by the column part of labels.csv")
        self.assertEqual(split["test"], list(range(0, 40, 5)))
        self.gsan("eval", "run")
        # Drawn at random instead, and again as that run was divided.
        report = self.report(*self.training(data, "split.by=random", epochs=1, output="drawn"))
        self.assertEqual(report["split"], "stratified at random: train 24, validation 8, test 8")
        drawn = json.loads((self.folder / "drawn/splits/split.json").read_text())
        self.assertNotEqual(drawn["test"], split["test"])
        self.gsan(*self.training(data, "split.file=drawn/splits/split.json", epochs=1, output="again"))
        again = json.loads((self.folder / "again/splits/split.json").read_text())
        self.assertEqual({**again, "made": drawn["made"]}, drawn)
        self.refused(ARGUMENT, *self.training(data, "split.by=time", output="other"), says=["a column time in labels.csv"])

    def test_a_split_written_by_an_earlier_version_is_still_that_of_the_run(self):
        data, run = self.own_data(), self.folder / "run"
        self.gsan(*self.training(data, epochs=1, output=run))
        split = json.loads((run / "splits/split.json").read_text())
        del split["made"]
        (run / "splits/split.json").write_text(json.dumps(split))
        self.gsan("eval", run)
    def test_eval_prints_every_metric_and_the_scores_of_each_class(self):
        self.gsan(*self.training(self.own_data(), output="run"))
        report = self.report("eval", "run")
        record = json.loads((self.folder / "run/results.json").read_text())
        self.assertEqual(report["details"], record["test_details"])
        self.assertEqual(list(report["metrics"]), ["accuracy", "loss"])
        details = report["details"]
        self.assertEqual(list(details["metrics"]),
                         ["accuracy", "balanced_accuracy", "macro_f1", "auc", "average_precision", "loss"])
        self.assertEqual([one["name"] for one in details["classes"]], ["left", "right"])
        right = sum(row[i] for i, row in enumerate(details["confusion"]))
        items = sum(map(sum, details["confusion"]))
        self.assertAlmostEqual(details["metrics"]["accuracy"], 100 * right / items)
        self.assertEqual([one["count"] for one in details["classes"]], list(map(sum, details["confusion"])))
        text = self.gsan("eval", "run").stdout
        for words in ("balanced_accuracy", "precision", "true class", "left"):
            self.assertIn(words, text)
        with open(self.folder / "run/metrics.csv") as table:
            self.assertNotIn("macro_f1", table.readline())

    def test_eval_names_the_order_of_the_simplices(self):
        self.gsan("train", "imputation", "--data", ROOT / "examples/own-data/imputation", "--output", "run", "--quiet",
                  "--threads", 1, "train.epochs=1")
        report = self.report("eval", "run")
        self.assertEqual(report["details"]["order"], 1)
        self.assertEqual(list(report["details"]["metrics"]), ["within_5_percent", "mae", "rmse", "r2", "loss"])
        self.assertNotIn("classes", report["details"])
        self.assertIn("simplices of order 1", self.gsan("eval", "run").stdout)

    def test_own_data_by_a_key(self):
        self.own_data()
        arguments = [word for word in self.training("walks", "data.path=walks", epochs=1) if word not in ("--data", "walks")]
        self.assertEqual(self.report(*arguments)["run"], "runs/trajectory-walks-san-seed0")
        config = (self.folder / "runs/trajectory-walks-san-seed0/config.yaml").read_text()
        self.assertIn(str(self.folder.resolve() / "walks"), config)

    def test_eval_takes_other_data_that_lack_a_class(self):
        self.gsan(*self.training(self.own_data(), output="run"))
        other = self.own_data("others", signals=12, seed=2)
        (other / "labels.csv").write_text("label\n" + 12 * "right\n")
        rows = self.report("predict", "run", "--data", "others")["rows"]
        right = sum(row[1] == "right" for row in rows)
        self.assertAlmostEqual(self.report("eval", "run", "--data", "others")["metrics"]["accuracy"], 100 * right / 12)
        (other / "labels.csv").write_text("label\n" + 12 * "up\n")
        self.refused(ARGUMENT, "eval", "run", "--data", "others", says=["'up'", "left, right"])

    def test_eval_takes_complexes_without_triangles(self):
        example = ROOT / "examples/own-data/graph-classification"
        self.gsan("train", "graph-classification", "--data", example, "--quiet", "--threads", 1, "train.epochs=1",
                  "--output", "run")
        flat = self.folder / "flat"
        for complex in sorted(example.glob("*/complex.txt"))[:8]:
            (flat / complex.parent.name).mkdir(parents=True)
            edges = sorted({" ".join(sorted(pair)) for line in complex.read_text().splitlines()
                            for pair in itertools.combinations(line.split(), 2)})
            (flat / complex.parent.name / "complex.txt").write_text("\n".join(edges) + "\n")
        labels = dict(line.split(",") for line in (example / "labels.csv").read_text().split()[1:])
        (flat / "labels.csv").write_text("name,label\n" + "".join(
            f"{folder.name},{labels[folder.name]}\n" for folder in sorted(flat.iterdir()) if folder.is_dir()))
        rows = self.report("predict", "run", "--data", flat)["rows"]
        right = sum(row[1] == labels[row[0]] for row in rows)
        self.assertEqual(len(rows), 8)
        self.assertAlmostEqual(self.report("eval", "run", "--data", flat)["metrics"]["accuracy"], 100 * right / 8)

    def test_the_text_has_the_model_the_baselines_and_the_folder(self):
        run = self.gsan(*self.training(self.own_data(), epochs=1, output="runs/a"))
        for text in ("trajectory on walks, protocol strict, seed 0", "best epoch 1", "san", "run folder: runs/a"):
            self.assertIn(text, run.stdout)
        self.assertTrue(run.stdout.isascii())
        self.assertEqual((self.folder / "runs/a/report.txt").read_text(), run.stdout)

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
        self.environment = {"GSAN_HOME": str(self.folder / "home"), "GSAN_DATA": ""}
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
