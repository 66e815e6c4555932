"""The configs of experiments/, through the command: data opened, model built, nothing trained."""
import json
import json
import os
import pathlib
import unittest

from command_case import HAS_DELAUNAY, CommandCase

ROOT = pathlib.Path(__file__).resolve().parents[2]
BESIDE = ROOT.parent / "shared/data"  # published files, where this machine has them


def place_of_data():
    """$GSAN_HOME/data, else shared/data beside the repository; None where neither is."""
    home = pathlib.Path(os.environ["GSAN_HOME"]) / "data" if "GSAN_HOME" in os.environ else None
    return next((str(place) for place in (home, BESIDE) if place and place.is_dir()), None)


class Experiments(CommandCase):
    def setUp(self):
        super().setUp()
        self.environment = {"GSAN_HOME": str(self.folder / "home"), "GSAN_DATA": place_of_data() or ""}

    def check(self, config, *overrides):
        report = self.report("train", ROOT / "experiments" / config, "--check", *overrides)
        self.assertGreater(report["parameters"], 0)
        return report

    @unittest.skipUnless(HAS_DELAUNAY, "the flow needs Qhull, which this build is without")
    def test_generated_flows(self):
        for model in ("san", "gsan", "mpsn-flow"):
            with self.subTest(model):
                words = ["published/trajectory.yaml", "--model", model, "data.points=150"]
                published = self.check(*words)
                self.assertTrue(published["remarks"])
                if model == "mpsn-flow":
                    continue  # its row sets the readout, of which the strict protocol has one
                strict = self.check(*words, "--protocol", "strict", "--data", "flow")
                self.assertEqual(strict["remarks"], [])
        self.assertEqual(self.files(), [path for path in self.files() if path.startswith("home")])

    @unittest.skipUnless(place_of_data(), "the published files are neither in $GSAN_HOME/data nor in ../shared/data")
    def test_published_files(self):
        for config, overrides in (("trajectory", ["data.name=ocean", "model.name=sat"]),
                                  ("imputation", ["imputation.order=3"]),
                                  ("imputation", ["imputation.order=2", "model.name=sat"]),
                                  ("imputation_logarithms", ["imputation.order=5"]),
                                  ("graph-classification", ["split.fold=9"]),
                                  ("graph-classification", ["model.name=gin"]),
                                  ("simplex-prediction", ["model.name=gf"]),
                                  ("simplex-prediction", ["model.name=mlp"]),
                                  ("simplex-prediction", ["model.name=gsan-joint", "simplex-prediction.order=3"])):
            config = f"published/{config}.yaml"
            with self.subTest(config):
                self.assertTrue(self.check(config, *overrides)["remarks"])
                self.assertEqual(self.check(config, *overrides, "--protocol", "strict")["remarks"], [])

    @unittest.skipUnless(place_of_data(), "the published files are neither in $GSAN_HOME/data nor in ../shared/data")
    def test_a_misprint_of_the_table_is_marked(self):
        for order, expected in ((1, False), (2, True)):
            words = ["train", ROOT / "experiments/published/imputation.yaml", "model.name=snn", f"imputation.order={order}", "imputation.missing=30",
                     "train.epochs=1", "--quiet"]
            report = self.report(*words, "--output", self.folder / f"json{order}")
            self.assertIs(report["paper"]["misprint"], expected)
            text = self.gsan(*words, "--output", self.folder / f"text{order}").stdout
            self.assertEqual("printed in the paper, SNN (misprint)" in text, expected, text)

    @unittest.skipUnless(place_of_data(), "the published files are neither in $GSAN_HOME/data nor in ../shared/data")
    def test_the_last_step_counts_where_the_row_says_so(self):
        words = ["train", ROOT / "experiments/published/imputation_scnn.yaml", "imputation.order=0", "train.epochs=6", "--quiet"]
        self.assertEqual(self.report(*words, "--output", "last")["chosen_epoch"], 6)
        best = self.report(*words, "train.choose=best", "train.optimizer.learning_rate=10", "--output", "best")
        self.assertLess(best["chosen_epoch"], 6)

    @unittest.skipUnless(place_of_data(), "the published files are neither in $GSAN_HOME/data nor in ../shared/data")
    def test_the_papers_figure_stands_beside_random_gaps_alone(self):
        for choice, is_printed in (("random", True), ("by-group", False)):
            report = self.report("train", "imputation", "imputation.order=0", f"imputation.choice={choice}", "--quiet",
                                 "--model", "san", "train.epochs=1", "imputation.steps_per_epoch=1", "--output", choice)
            self.assertEqual(report["paper"] is not None, is_printed, choice)

    @unittest.skipUnless(place_of_data(), "the published files are neither in $GSAN_HOME/data nor in ../shared/data")
    def test_predictions_of_citation_are_those_of_the_test_part(self):
        self.gsan("train", "simplex-prediction", "train.epochs=1", "model.hidden_channels=4", "--quiet", "--output", "run")
        test = json.loads((self.folder / "run/splits/split.json").read_text())["test"]
        report = self.report("predict", "run")
        self.assertEqual(report["columns"], ["v0", "v1", "v2", "probability", "known", "part", "truth"])
        self.assertEqual(report["items"], len(test))


class Tables(unittest.TestCase):
    def test_the_misprints_are_the_cells_that_repeat_another_one(self):
        table = json.loads((ROOT / "experiments/paper_tables.json").read_text())["imputation"]
        rows = table["rows_by_missing_percent"]
        repeated = {(percent, row, column) for percent in rows if percent != "10" for row, cells in rows[percent].items()
                    for column, cell in zip(table["columns"][2:], cells[2:]) if cell in rows["20"][row][:2]}
        misprints = table["misprints"]
        self.assertEqual(repeated, {(str(percent), row, column) for percent in misprints["missing_percent"]
                                    for row, columns in misprints["cells"].items() for column in columns})


if __name__ == "__main__":
    unittest.main()
