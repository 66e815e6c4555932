"""A finished run is trained longer, and a new one starts from the weights of another."""
import csv
import hashlib
import json
import pathlib
import random
import time
import unittest

from command_case import ARGUMENT, FORMAT, IO, USAGE
from training_case import TrainingCase, tensors_of

ROOT = pathlib.Path(__file__).resolve().parents[2]
CONSTANT = "train.schedule.kind=constant"
KILLS = 6


class Longer(TrainingCase):
    def setUp(self):
        super().setUp()
        self.data = self.own_data()
        self.whole, self.run_folder = self.folder / "whole", self.folder / "run"

    def train(self, output, *more, epochs):
        self.gsan(*self.training(self.data, CONSTANT, "model.attention_dropout=0.2", *more, epochs=epochs, output=output))

    def resume(self, *more):
        self.gsan("train", "--resume", self.run_folder, "--threads", 1, "--quiet", *more)

    def manifest(self):
        return json.loads((self.run_folder / "manifest.json").read_text())

    def files(self):
        return {path: path.read_bytes() for path in self.run_folder.rglob("*") if path.is_file()}

    def assert_refused_and_untouched(self, *words, says):
        before = self.files()
        self.refused(ARGUMENT, "train", "--resume", self.run_folder, "--threads", 1, "--quiet", *words, says=says)
        self.assertEqual(self.files(), before)

    def test_a_run_trained_longer_is_the_run_of_so_many_epochs(self):
        self.train(self.whole, epochs=6)
        self.train(self.run_folder, epochs=3)
        self.resume("train.epochs=6")
        self.assert_same_run(self.whole, self.run_folder)
        (change,) = self.manifest()["changes"]
        self.assertEqual((change["key"], change["from"], change["to"], change["epochs"]), ("train.epochs", "3", "6", 3))
        self.assertEqual(self.manifest()["sessions"], 2)
        # What it has now is only read.
        before = self.files()
        self.resume()
        self.resume("train.epochs=6")
        self.assertEqual(self.files().keys(), before.keys())
        self.assertEqual(self.results(self.run_folder)["epochs"], 6)

    def test_killed_while_it_is_trained_longer_nothing_is_lost(self):
        self.train(self.whole, "train.checkpoint_seconds=0", epochs=60)
        self.train(self.run_folder, "train.checkpoint_seconds=0", epochs=4)
        config = self.run_folder / "config.yaml"
        moments = random.Random(5)
        kills = 0
        for attempt in range(4 * KILLS):
            # Later attempts only resume: what was asked for is in the folder.
            words = ["train.epochs=60"] if "epochs: 4\n" in config.read_text() else []
            process = self.start("train", "--resume", self.run_folder, "--threads", 1, "--quiet", *words)
            if attempt % 2:
                self.wait_for_change(config if words else self.run_folder / "checkpoints/last.safetensors", process)
                time.sleep(moments.uniform(0, 0.05))
            else:
                time.sleep(moments.uniform(0, 0.6))
            process.kill()
            process.communicate()
            if process.returncode == 0:
                break
            self.checkpoints(self.run_folder)
            kills += 1
            if "epochs: 60\n" in config.read_text() and (self.run_folder / "results.json").exists():
                self.assertEqual(self.results(self.run_folder)["epochs"], 60, "looks finished with the results of 4 epochs")
                break  # killed between its results and its end
            if kills == KILLS:
                break
        self.assertGreater(kills, 2)
        self.resume(*(["train.epochs=60"] if "epochs: 4\n" in config.read_text() else []))
        self.assert_same_run(self.whole, self.run_folder)
        self.assertEqual([change["to"] for change in self.manifest()["changes"]], ["60"])

    def wait_for_change(self, path, process):
        stamp = path.stat().st_mtime_ns
        while process.poll() is None and path.stat().st_mtime_ns == stamp:
            time.sleep(0.001)

    def test_a_run_that_stopped_early_waits_longer(self):
        still = "train.optimizer.learning_rate=1e-30"  # no epoch is better than the first
        self.train(self.whole, still, "train.patience=6", epochs=25)
        self.train(self.run_folder, still, "train.patience=2", epochs=25)
        self.assertEqual(self.results(self.run_folder)["end"], "early_stopped")
        self.assert_refused_and_untouched("train.epochs=30", says=["stopped early", "train.patience"])
        self.resume("train.patience=6")
        self.assert_same_run(self.whole, self.run_folder)

    def test_only_the_length_may_change_and_others_are_refused_by_name(self):
        self.train(self.run_folder, epochs=3)
        self.assert_refused_and_untouched("model.hidden_channels=8", "seed=1", "train.epochs=5",
                                          says=["model.hidden_channels, seed cannot change", "train.epochs", "--from"])
        self.assert_refused_and_untouched("train.epochs=2", says=["has done 3 epochs", "train.epochs=2"])
        self.assert_refused_and_untouched("train.patience=9", says=["has done 3 epochs", "nothing is left to train"])
        self.assert_refused_and_untouched("train.epoch=5", says=["did you mean 'train.epochs'"])
        for words in (["--model", "gsan"], ["trajectory"], ["--seed", 3], ["--from", self.run_folder]):
            self.refused(USAGE, "train", "--resume", self.run_folder, *words, says=["--resume", "key=value"])

    def test_the_length_of_a_cosine_is_part_of_it(self):
        self.gsan(*self.training(self.data, "train.schedule.kind=cosine", epochs=3, output=self.run_folder))
        self.assert_refused_and_untouched("train.epochs=5", says=["from 3 to 5", "cosine", "--from"])

    def test_changed_data_cost_a_finished_run_nothing(self):
        self.train(self.run_folder, epochs=3)
        (self.data / "labels.csv").write_text((self.data / "labels.csv").read_text().replace("left", "nan", 3))
        self.assert_refused_and_untouched("train.epochs=5", says=["not those of the run"])


class From(TrainingCase):
    def setUp(self):
        super().setUp()
        self.source = self.folder / "source"
        self.gsan(*self.training(self.own_data(), output=self.source))
        self.other = self.own_data("others", signals=30, seed=2)

    def weights(self, run):
        """Without the statistics of normalisations, which are those of the data at hand."""
        return {name: tensor for name, tensor in tensors_of(run / "checkpoints/best.safetensors").items()
                if "running_" not in name}

    def test_the_first_step_starts_from_the_other_weights(self):
        # Steps too small to change a number.
        still = ("train.optimizer.learning_rate=1e-30", "train.optimizer.weight_decay=0", "--seed", 9)
        best = self.source / "checkpoints/best.safetensors"
        for number, source in enumerate((self.source, best)):
            run = self.folder / f"run{number}"
            self.gsan(*self.training(self.other, *still, "--from", source, epochs=1, output=run))
            self.assertEqual(self.weights(run), self.weights(self.source))
            origin = json.loads((run / "manifest.json").read_text())["first_weights"]
            self.assertEqual(origin, {"path": str(best.resolve()), "sha256": hashlib.sha256(best.read_bytes()).hexdigest()})
        last = self.source / "checkpoints/last.safetensors"
        self.gsan(*self.training(self.other, *still, "--from", last, epochs=1, output=self.folder / "last"))
        of_last = {name.removeprefix("model."): tensor for name, tensor in tensors_of(last).items()
                   if name.startswith("model.") and "running_" not in name}
        self.assertEqual(self.weights(self.folder / "last"), of_last)
        self.gsan(*self.training(self.other, *still, epochs=1, output=self.folder / "random"))
        self.assertNotEqual(self.weights(self.folder / "random"), self.weights(self.source))
        self.assertIsNone(json.loads((self.folder / "random/manifest.json").read_text())["first_weights"])

    def test_weights_of_other_classes_are_refused(self):
        labels = self.other / "labels.csv"
        labels.write_text(labels.read_text().replace("right", "upwards"))
        self.refused(ARGUMENT, *self.training(self.other, "--from", self.source, output=self.folder / "run"),
                     says=["left, right", "left, upwards", "same classes"])
        self.assertFalse((self.folder / "run").exists())

    def test_a_model_that_does_not_fit_is_refused_with_every_difference(self):
        words = self.training(self.other, "--from", self.source, "model.hidden_channels=8", "model.bias=false",
                              output=self.folder / "run")
        for more in ([], ["--check"]):
            self.refused(ARGUMENT, *words, *more,
                         says=["does not fit", "hidden_channels is 4 in the file, 8 in the model", "bias is", "tensor",
                               "config.yaml --from"])
        self.assertFalse((self.folder / "run").exists())
        self.refused(IO, *self.training(self.other, "--from", "nowhere"), says=["--from", "nowhere"])
        self.refused(IO, *self.training(self.other, "--from", self.other), says=["--from", "holds no weights"])
        damaged = self.folder / "damaged.safetensors"
        content = bytearray((self.source / "checkpoints/best.safetensors").read_bytes())
        content[-9] ^= 4
        damaged.write_bytes(content)
        self.refused(FORMAT, *self.training(self.other, "--from", damaged), says=["damaged"])

    def test_a_run_that_ended_before_its_first_checkpoint_starts_from_them_again(self):
        run, whole = self.folder / "run", self.folder / "whole"
        for output in (run, whole):
            self.gsan(*self.training(self.other, "--from", self.source, output=output))
        for path in [*(run / "checkpoints").iterdir(), *(run / name for name in ("results.json", "metrics.jsonl", "metrics.csv"))]:
            path.unlink()
        resume = ("train", "--resume", run, "--threads", 1, "--quiet")
        best = self.source / "checkpoints/best.safetensors"
        content = best.read_bytes()
        best.write_bytes(content[:-1] + b"x")
        self.refused(ARGUMENT, *resume, says=["no checkpoint", str(best), "SHA-256", "begin a new run"])
        best.write_bytes(content)
        resumed = self.gsan(*resume, code=None)
        self.assertEqual(resumed.returncode, 0, resumed.stderr)
        self.assert_same_run(whole, run)


class Ensemble(TrainingCase):
    def setUp(self):
        super().setUp()
        self.data = self.own_data()
        for width in (3, 4):
            self.gsan(*self.training(self.data, f"model.hidden_channels={width}", "--seed", 1, epochs=2,
                                     output=self.folder / f"w{width}"))

    def rows(self, *runs, data=None):
        more = ["--data", data] if data else []
        return [dict(zip(report["columns"], row)) for report in [self.report("predict", *runs, *more)]
                for row in report["rows"]]

    def test_predict_averages_probabilities(self):
        others = self.own_data("others", signals=12, seed=2)
        for data in (None, others):
            alone = [self.rows(run, data=data) for run in ("w3", "w4")]
            together = self.rows("w3", "w4", data=data)
            self.assertEqual(len(together), 12 if data else 40)
            for one, two, both in zip(*alone, together):
                self.assertEqual(one["name"], both["name"])
                mean = (float(one["p_left"]) + float(two["p_left"])) / 2
                self.assertAlmostEqual(float(both["p_left"]), mean, delta=1e-9)
                self.assertEqual(both["predicted"], "left" if mean > 0.5 else "right")

    def test_eval_judges_the_mean_answers_beside_each_run(self):
        report = self.report("eval", "w3", "w4")
        self.assertEqual([run["metrics"] for run in report["runs"]],
                         [self.report("eval", run)["metrics"] for run in ("w3", "w4")])
        test = json.loads((self.folder / "w3/splits/split.json").read_text())["test"]
        labels = (self.data / "labels.csv").read_text().split()[1:]
        rows = self.rows("w3", "w4")
        right = sum(rows[i]["predicted"] == labels[i] for i in test)
        self.assertAlmostEqual(report["ensemble"]["metrics"]["accuracy"], 100 * right / len(test))
        self.assertIn("ensemble", self.gsan("eval", "w3", "w4").stdout)

    def test_runs_that_do_not_agree_are_refused_with_the_difference(self):
        self.gsan(*self.training(self.data, "--seed", 2, epochs=1, output=self.folder / "seed2"))
        self.refused(ARGUMENT, "eval", "w3", "seed2", says=["test part of w3 is not that of seed2", "--data"])
        self.assertEqual(len(self.rows("w3", "seed2")), 40)  # nothing is judged
        self.gsan(*self.training(self.own_data("fewer", signals=30), epochs=1, output=self.folder / "fewer-run"))
        self.refused(ARGUMENT, "predict", "w3", "fewer-run", says=["40 in w3, 30 in fewer-run", "--data"])
        labels = self.data / "labels.csv"
        labels.write_text(labels.read_text().replace("left", "west"))
        self.gsan(*self.training(self.data, epochs=1, output=self.folder / "west"))
        self.refused(ARGUMENT, "predict", "west", "fewer-run", says=["different classes", "right, west in west"])


class Units(TrainingCase):
    def test_runs_with_other_units_of_their_targets_are_averaged_in_those_of_the_data(self):
        data = ROOT / "examples/own-data/graph-regression"
        for seed in (0, 1):  # other splits, so other means and spreads
            self.gsan("train", "graph-regression", "--data", data, "--threads", 1, "--quiet", "--seed", seed, "train.epochs=1",
                      "--output", f"run{seed}")
        report = self.report("eval", "run0", "run1", "--data", data)
        rows = list(csv.DictReader(self.gsan("predict", "run0", "run1", "--data", data).stdout.splitlines()))
        errors = [abs(float(row["predicted"]) - float(row["truth"])) for row in rows if row["truth"]]
        self.assertAlmostEqual(report["ensemble"]["metrics"]["mae"], sum(errors) / len(errors), places=3)


if __name__ == "__main__":
    unittest.main()
