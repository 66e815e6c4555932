"""gsan plot of runs: curves, confusion, response, attention and sweep show the numbers that the run left."""
import csv
import json
import math
import pathlib
import shutil
import subprocess
import tempfile
import types
import unittest
import xml.etree.ElementTree as ElementTree

from command_case import ARGUMENT, BINARY, ENVIRONMENT, FORMAT
from training_case import TrainingCase

SCRIPT = "<script>alert(1)</script>"


def elements(svg, name):
    """The elements of the picture with this class, as their attributes."""
    return [element.attrib for element in svg.iter() if name in element.get("class", "").split()]


def curves_of(svg):
    """Name → points of every curve, panels together."""
    found = {}
    for group in svg.iter():
        if "curve" in group.get("class", "").split():
            points = [(float(point.get("data-x")), float(point.get("data-y"))) for point in group
                      if point.get("class") == "point"]
            found.setdefault(group.get("data-name"), []).append(points)
    return found


class PlotRuns(TrainingCase):
    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.shared = pathlib.Path(scratch.name)
        cls.data = TrainingCase.own_data(types.SimpleNamespace(folder=cls.shared))
        labels = cls.data / "labels.csv"
        labels.write_text(labels.read_text().replace("left", SCRIPT))
        cls.san = cls.train("san")
        cls.scnn = cls.train("scnn", model="scnn")

    @classmethod
    def train(cls, name, *more, epochs=3, model="san"):
        run = cls.shared / name
        subprocess.run([BINARY, *TrainingCase.training(None, cls.data, *more, epochs=epochs, output=run, model=model)],
                       env=ENVIRONMENT, check=True, capture_output=True)
        return run

    def plot(self, kind, *arguments):
        """The picture as XML, and the JSON report."""
        file = self.folder / f"{kind}.svg"
        report = self.report("plot", kind, *arguments, "--output", file)
        self.assertEqual(report["files"], [str(file)])
        text = file.read_text()
        self.assertNotIn("<script", text)
        return ElementTree.fromstring(text), report

    def copy_of(self, run, name="copy"):
        return pathlib.Path(shutil.copytree(run, self.folder / name))

    # --- curves

    def columns(self, run):
        with open(run / "metrics.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        return {name: [(float(row["epoch"]), float(row[name])) for row in rows if row[name]] for name in rows[0]}

    def test_curves_are_the_columns_of_the_metrics(self):
        svg, report = self.plot("curves", self.san)
        found = curves_of(svg)
        self.assertEqual(set(found), {"train.loss", "validation.loss", "validation.accuracy"})
        for name, (points,) in found.items():
            self.assertEqual(points, self.columns(self.san)[name])
        self.assertEqual(len(report["curves"]), 3)

    def test_curves_of_two_runs_have_their_names(self):
        svg, _ = self.plot("curves", self.san, str(self.scnn) + "/", "--metric", "validation.accuracy")
        found = curves_of(svg)
        self.assertEqual(set(found), {"san: validation.accuracy", "scnn: validation.accuracy"})
        self.assertEqual(found["scnn: validation.accuracy"][0], self.columns(self.scnn)["validation.accuracy"])

    def test_epochs_that_are_not_finite_are_gaps(self):
        run = self.copy_of(self.san)
        lines = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
        lines[1]["train.loss"] = None
        (run / "metrics.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
        svg, _ = self.plot("curves", run, "--metric", "train.loss")
        self.assertEqual([x for x, _ in curves_of(svg)["train.loss"][0]], [1, 3])
        for line in lines:
            line["train.loss"] = None
        (run / "metrics.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
        svg, _ = self.plot("curves", run, "--metric", "train.loss")
        self.assertEqual(curves_of(svg)["train.loss"], [[]])

    def test_a_run_of_one_epoch_without_validation(self):
        run = self.train("single", "split.validation=0", epochs=1, model="scnn")
        svg, _ = self.plot("curves", run)
        found = curves_of(svg)
        self.assertEqual(set(found), {"train.loss"})
        self.assertEqual(len(found["train.loss"][0]), 1)

    def test_curves_name_what_is_no_run_and_no_metric(self):
        picture = ["--output", self.folder / "x.svg"]
        self.refused(ARGUMENT, "plot", "curves", self.folder, *picture, says=["is not a run folder", "gsan train"])
        for metric in ("speed", "test.loss"):
            self.refused(ARGUMENT, "plot", "curves", self.san, "--metric", metric, *picture,
                         says=[f"'{metric}'", "train.loss", "validation.accuracy"])
        run = self.copy_of(self.san)
        (run / "metrics.jsonl").write_text("")
        self.refused(ARGUMENT, "plot", "curves", run, *picture, says=["no epoch yet", "--resume"])
        (run / "metrics.jsonl").write_text("{}\n")
        self.refused(FORMAT, "plot", "curves", run, *picture, says=["metrics.jsonl:1"])
        self.refused(ARGUMENT, "plot", "curves", self.san, "--output", self.folder / "x.txt", says=[".svg"])

    # --- confusion

    def test_confusion_counts_what_predict_answers(self):
        answers = {row[0]: row[1] for row in self.report("predict", self.san)["rows"]}
        truth = (self.data / "labels.csv").read_text().split()[1:]
        for phase in ("test", "train"):
            svg, report = self.plot("confusion", self.san, "--phase", phase)
            items = json.loads((self.san / "splits" / "split.json").read_text())[phase]
            counts = {}
            for i in items:
                counts[truth[i], answers[str(i)]] = counts.get((truth[i], answers[str(i)]), 0) + 1
            cells = {(cell["data-row"], cell["data-column"]): float(cell["data-value"]) for cell in elements(svg, "cell")}
            self.assertEqual(set(report["classes"]), {SCRIPT, "right"})
            self.assertEqual(len(cells), 4)
            self.assertEqual({key: value for key, value in cells.items() if value}, counts)
            metrics = self.report("eval", self.san, "--phase", phase)["metrics"]
            self.assertAlmostEqual(report["accuracy"], metrics["accuracy"], places=9)

    def test_confusion_in_shares_of_each_class(self):
        svg, _ = self.plot("confusion", self.san, "--shares")
        rows = {}
        for cell in elements(svg, "cell"):
            rows[cell["data-row"]] = rows.get(cell["data-row"], 0) + float(cell["data-value"])
        for total in rows.values():
            self.assertAlmostEqual(total, 100)

    def test_an_unfinished_run_shows_its_validation_set(self):
        self.assertEqual(self.plot("confusion", self.san)[1]["phase"], "test")
        run = self.copy_of(self.san)
        (run / "results.json").unlink()
        self.assertEqual(self.plot("confusion", run)[1]["phase"], "validation")
        self.assertEqual(self.plot("confusion", run, "--phase", "test")[1]["phase"], "test")
        said = self.gsan("plot", "response", run, "--output", self.folder / "x.svg").stdout
        self.assertIn("validation item 0 of an unfinished run", said)

    def test_confusion_needs_items_and_classes(self):
        run = self.train("no-test", "split.test=0", epochs=1, model="scnn")
        picture = ["--output", self.folder / "x.svg"]
        self.refused(ARGUMENT, "plot", "confusion", run, *picture, says=["test part has no items"])
        self.refused(ARGUMENT, "plot", "confusion", self.san, "--phase", "nothing", *picture, says=["nothing", "validation"])
        self.refused(ARGUMENT, "plot", "confusion", self.folder, *picture, says=["holds no run"])

    # --- response

    def points_of_panels(self, svg):
        """All points of the response panels, as a set."""
        return {point for panels in curves_of(svg).values() for points in panels for point in points}

    def test_response_of_a_convolution_is_a_curve_over_all_eigenvalues(self):
        svg, report = self.plot("response", self.scnn)
        self.assertTrue(report["exact"])
        self.assertFalse(report["depends_on_signals"])
        edges = 32  # of the annulus: two rings of 8, and 16 between them
        self.assertEqual(len(report["eigenvalues"]), edges)
        self.assertEqual({part for part in report["parts"]}, {"gradient", "curl", "harmonic"})
        shown = self.points_of_panels(svg)
        for term in report["terms"]:
            for value, gain in zip(report["eigenvalues"], term["gain"]):
                if gain is not None and math.isfinite(gain):
                    self.assertIn((value, gain), shown)
        self.assertIn("lower term", [term["name"] for term in report["terms"]])
        # A lower polynomial does nothing to curls: all curls have one gain.
        lower = next(term for term in report["terms"] if term["name"] == "lower term")
        curls = [gain for gain, part in zip(lower["gain"], report["parts"]) if part == "curl"]
        self.assertLess(max(curls) - min(curls), 1e-6)

    def test_response_of_attention_is_measured_for_an_item(self):
        _, first = self.plot("response", self.san)
        _, other = self.plot("response", self.san, "--item", 1)
        self.assertFalse(first["exact"])
        self.assertTrue(first["depends_on_signals"])
        self.assertEqual(first["eigenvalues"], other["eigenvalues"])
        self.assertNotEqual(first["terms"], other["terms"])

    def test_response_of_a_filter(self):
        svg, report = self.plot("response", "--complex", self.data / "complex.txt", "--filter", "1,-0.5,0.25", "--count", 6)
        for value, found in zip(report["eigenvalues"], report["response"]):
            self.assertAlmostEqual(found, 1 - 0.5 * value + 0.25 * value ** 2, places=9)
        self.assertIn("harmonic", curves_of(svg))
        largest = self.report("spectrum", self.data / "complex.txt", "--count", 1, "--largest")["eigenvalues"][0]["value"]
        self.assertAlmostEqual(curves_of(svg)["filter"][0][-1][0], largest, places=4)  # not only the six
        _, lower = self.plot("response", "--example", "annulus", "--filter", "1,1", "--side", "lower")
        self.assertIn(1.0, lower["response"])  # curls are not in the range of the lower side

    def test_response_names_what_is_not_there(self):
        picture = ["--output", self.folder / "x.svg"]
        self.refused(ARGUMENT, "plot", "response", self.san, "--layer", 5, *picture, says=["layers 1 ... 1", "got 5"])
        self.refused(ARGUMENT, "plot", "response", self.san, "--order", 2, *picture, says=["--order", "[1]"])
        self.refused(ARGUMENT, "plot", "response", self.san, "--item", 999, *picture, says=["item(s)", "got 999"])
        self.refused(ARGUMENT, "plot", "response", *picture, says=["give RUN", "--filter"])
        self.refused(ARGUMENT, "plot", "response", self.san, "--example", "annulus", "--filter", 1, *picture, says=["one of them"])
        mlp = self.train("mlp", model="mlp", epochs=1)
        self.refused(ARGUMENT, "plot", "response", mlp, *picture, says=["mlp", "not made of simplicial layers"])

    # --- attention

    def test_attention_around_a_simplex_and_of_all_pairs(self):
        svg, report = self.plot("attention", self.san, "--simplex", "0,1")
        self.assertEqual(report["simplex"], [0, 1])
        self.assertEqual([operator["side"] for operator in report["operators"]], ["lower", "upper"])
        drawn = [element for element in elements(svg, "edge") if element.get("data-value", "nan") != "nan"]
        weights = [entry["weight"] for operator in report["operators"] for entry in operator["neighbors"]]
        self.assertEqual(sorted(float(edge["data-value"]) for edge in drawn), sorted(weights))
        for operator in report["operators"]:
            self.assertAlmostEqual(sum(entry["weight"] for entry in operator["neighbors"]), 1, places=5)
            self.assertIn([0, 1], [entry["simplex"] for entry in operator["neighbors"]])
            self.assertTrue(all(set(entry["simplex"]) & {0, 1} for entry in operator["neighbors"]))
        pairs = sum(int(entry["data-count"]) for entry in elements(svg, "bin"))
        self.assertEqual(pairs, sum(operator["pairs"] for operator in report["operators"]))
        self.assertFalse(report["sampled"])

    def test_attention_samples_rows_and_says_so(self):
        _, whole = self.plot("attention", self.san)
        _, some = self.plot("attention", self.san, "--max-pairs", 50)
        self.assertTrue(some["sampled"])
        self.assertLess(some["rows"], whole["rows"])
        self.assertLess(some["operators"][0]["pairs"], whole["operators"][0]["pairs"])

    def test_attention_names_what_is_not_there(self):
        picture = ["--output", self.folder / "x.svg"]
        self.refused(ARGUMENT, "plot", "attention", self.scnn, *picture, says=["no attention"])
        self.refused(ARGUMENT, "plot", "attention", self.san, "--simplex", "0,5", *picture, says=["0,5", "not a simplex"])
        self.refused(ARGUMENT, "plot", "attention", self.san, "--simplex", "0", *picture, says=["2 vertices"])
        self.refused(ARGUMENT, "plot", "attention", self.san, "--head", 7, *picture, says=["heads are 0 ... 0", "got 7"])

    # --- sweep

    def sweep(self, *axes):
        folder = self.folder / "sweep"
        return folder, self.report("sweep", "trajectory", "--data", self.data, "--model", "scnn", "--output", folder, "--quiet",
                                   "model.hidden_channels=4", "model.n_layers=1", "train.epochs=1", "--seeds", 2, *axes)

    def test_a_sweep_over_numbers_is_a_dot_per_run(self):
        folder, ranking = self.sweep("--grid", "train.optimizer.learning_rate=0.001,0.05")
        svg, report = self.plot("sweep", folder, "--log")
        dots = curves_of(svg)["train.optimizer.learning_rate, runs"][0]
        expected = sorted((float(trial["keys"]["train.optimizer.learning_rate"]), value)
                          for trial in ranking["trials"] for value in trial["validation"]["values"])
        self.assertEqual(sorted(dots), expected)
        self.assertEqual(report["metric"], ranking["validation_metric"])
        self.refused(ARGUMENT, "plot", "sweep", folder, "--metric", "acuracy", "--output", self.folder / "x.svg",
                     says=["--metric", "'acuracy'; there are", "accuracy"])
        (self.folder / "sweep/trial-0001/seed-0/results.json").unlink()
        (self.folder / "sweep/trial-0001/seed-1/results.json").unlink()
        self.assertEqual(self.plot("sweep", folder)[1]["missing"], 1)

    def test_a_sweep_over_words_is_bars(self):
        folder, ranking = self.sweep("--grid", "model.activation=tanh,relu")
        svg, _ = self.plot("sweep", folder, "--part", "test")
        bars = {bar["data-name"]: float(bar["data-value"]) for bar in elements(svg, "bar")}
        for trial in ranking["trials"]:
            self.assertAlmostEqual(bars[trial["keys"]["model.activation"]], trial["test"]["mean"])
        self.refused(ARGUMENT, "plot", "sweep", folder, "--key", "model.heads", "--output", self.folder / "x.svg",
                     says=["model.activation", "model.heads"])
        self.refused(ARGUMENT, "plot", "sweep", folder, "--log", "--output", self.folder / "x.svg", says=["not numbers"])

    def test_a_folder_that_holds_no_sweep(self):
        self.refused(ARGUMENT, "plot", "sweep", self.san, "--output", self.folder / "x.svg", says=["holds no sweep", "gsan sweep"])


if __name__ == "__main__":
    unittest.main()
