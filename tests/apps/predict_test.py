"""gsan predict: what a run says of its own data and of new data."""
import ast
import csv
import io
import json
import pathlib
import shutil
import struct

from command_case import ARGUMENT, FORMAT, IO, CommandCase

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples" / "own-data"


def table(text):
    return list(csv.DictReader(io.StringIO(text)))


def npy(path):
    """Shape and numbers of a '<f8' array."""
    data = path.read_bytes()
    length = struct.unpack("<H", data[8:10])[0]
    header = ast.literal_eval(data[10:10 + length].decode().strip())
    values = data[10 + length:]
    return header["shape"], struct.unpack(f"<{len(values) // 8}d", values)


class Predict(CommandCase):
    def setUp(self):
        super().setUp()
        self.environment = {"GSAN_HOME": str(self.folder / "home")}

    def train(self, task, *overrides):
        """A run of two epochs on a copy of the example, which the test may change."""
        shutil.copytree(EXAMPLES / task, self.folder / "data")
        self.gsan("train", task, "--data", "data", "--output", "run", "--quiet", "train.epochs=2", *overrides)
        return self.folder / "data"

    def predict(self, *arguments):
        return table(self.gsan("predict", "run", *arguments).stdout)

    def expect_parts_and_truth(self, rows, truth, name="name"):
        """Parts are those of the run's split, true answers those of the data."""
        parts = json.loads((self.folder / "run/splits/split.json").read_text())
        for number, row in enumerate(rows):
            own = [part for part in ("train", "validation", "test") if number in parts[part]]
            self.assertEqual([row["part"]] if row["part"] else [], own, row)
            self.assertEqual(row["truth"], truth[row[name]], row)

    def test_signals(self):
        data = self.train("trajectory")
        rows = self.predict()
        self.assertEqual(list(rows[0]), ["name", "predicted", "p_north", "p_south", "part", "truth"])
        self.assertEqual(len(rows), 80)
        self.assertEqual(rows[79]["name"], "walk79")
        for row in rows:
            north = float(row["p_north"])
            self.assertAlmostEqual(north + float(row["p_south"]), 1)
            self.assertEqual(row["predicted"], "north" if north > 0.5 else "south")
        self.expect_parts_and_truth(rows, {row["name"]: row["label"] for row in table((data / "labels.csv").read_text())})
        # New data: one path, no labels; the same path has the same answer as among all.
        (data / "labels.csv").unlink()
        (data / "paths.csv").write_text((data / "paths.csv").read_text().splitlines()[3] + "\n")
        alone = self.predict("--data", "data")
        self.assertEqual(len(alone), 1)
        self.assertEqual(alone[0]["name"], "0")
        self.assertAlmostEqual(float(alone[0]["p_north"]), float(rows[3]["p_north"]), delta=1e-6)

    def test_data_that_moved_with_the_run_are_found(self):
        self.train("trajectory")
        printed = self.gsan("predict", "run").stdout
        (self.folder / "away").mkdir()
        (self.folder / "data").rename(self.folder / "away" / "data")
        gone = self.refused(IO, "predict", "run", says=["run was trained on", "/data", "--data FOLDER"])
        self.assertNotIn("internal", gone)
        self.refused(IO, "eval", "run", says=["--data FOLDER"])
        self.gsan("report", "run", "--output", "report.html")
        (self.folder / "run").rename(self.folder / "away" / "run")
        self.assertEqual(self.gsan("predict", "away/run").stdout, printed)
        self.gsan("eval", "away/run")
        labels = self.folder / "away" / "data" / "labels.csv"
        labels.write_text(labels.read_text() + "\n")
        self.refused(ARGUMENT, "predict", "away/run", says=["labels.csv", "SHA-256"])

    def test_the_name_of_the_data_is_that_of_their_settings(self):
        shutil.copytree(EXAMPLES / "trajectory", self.folder / "data")
        self.write("data/dataset.yaml", "name: the old town\n")
        self.gsan("train", "trajectory", "--data", "data", "--quiet", "train.epochs=1", "--model", "san")
        run = "runs/trajectory-the_old_town-san-seed0"
        self.assertEqual(json.loads((self.folder / run / "results.json").read_text())["data"], "the old town")
        self.assertEqual(self.report("predict", run)["data"], "the old town")
        self.assertEqual(self.report("eval", run)["data"], "the old town")

    def test_files_that_nobody_reads_are_refused(self):
        shutil.copytree(EXAMPLES / "imputation", self.folder / "data")
        self.write("data/feature_1.csv", "v0,v1,x\n")
        self.refused(FORMAT, "train", "imputation", "--data", "data", "--output", "run",
                     says=["data/feature_1.csv", "did you mean features_1.csv?"])

    def test_files_and_json(self):
        self.train("trajectory")
        printed = self.gsan("predict", "run").stdout
        said = self.gsan("predict", "run", "--output", "answer.csv").stdout
        self.assertIn("80 predictions", said)
        self.assertEqual((self.folder / "answer.csv").read_text(), printed)
        self.gsan("predict", "run", "--output", "answer.npy")
        shape, numbers = npy(self.folder / "answer.npy")
        self.assertEqual(shape, (80, 2))
        self.assertEqual(numbers[0], float(table(printed)[0]["p_north"]))
        report = self.report("predict", "run")
        self.assertEqual(report["classes"], ["north", "south"])
        self.assertEqual(report["rows"][0], list(table(printed)[0].values()))

    def test_values_keep_what_is_known(self):
        data = self.train("imputation")
        given = table((data / "values_1.csv").read_text())
        rows = self.predict()
        self.assertEqual(list(rows[0]), ["v0", "v1", "value", "known", "predicted", "part", "truth"])
        found = {(row["v0"], row["v1"]): row for row in rows}
        self.assertEqual(len(rows), len(given))
        for row in given:
            answer = found[row["v0"], row["v1"]]
            self.assertEqual(answer["known"], "1" if row["value"] else "0")
            if row["value"]:
                self.assertEqual(float(answer["value"]), float(row["value"]))
            self.assertEqual(answer["truth"] and float(answer["truth"]), row["value"] and float(row["value"]))
            self.assertEqual(answer["part"] == "", row["value"] == "")
        # Other data have no parts: every known value is an input.
        self.assertEqual({row["part"] for row in self.predict("--data", "data")}, {""})

    def test_the_models_own_answers_are_those_that_the_run_was_judged_by(self):
        data = self.train("imputation")
        test = json.loads((self.folder / "run/splits/split.json").read_text())["test"]
        rows = self.predict()
        errors = [abs(float(rows[i]["predicted"]) - float(rows[i]["value"])) for i in test]
        recorded = json.loads((self.folder / "run/results.json").read_text())["test"]["mae"]
        self.assertAlmostEqual(sum(errors) / len(errors), recorded, delta=1e-5)
        self.assertTrue(any(float(row["predicted"]) != float(row["value"]) for row in rows))
        self.gsan("predict", "run", "--output", "answer.npy")
        self.assertEqual(npy(self.folder / "answer.npy")[0], (len(rows), 2))
        # Which values were hidden is no longer known once the data have changed.
        table_file = data / "values_1.csv"
        table_file.write_text("".join(table_file.read_text().splitlines(keepends=True)[:-1]))
        self.refused(ARGUMENT, "predict", "run", says=["not those of the run", "--data"])
        self.predict("--data", "data")

    def test_classes_of_simplices(self):
        data = self.train("simplex-classification")
        rows = self.predict("--data", "data")
        self.assertEqual(list(rows[0]), ["v0", "predicted", "p_chess", "p_rowing", "known", "part", "truth"])
        given = {row["v0"]: row["class"] for row in table((data / "classes_0.csv").read_text())}
        self.assertEqual({row["v0"]: row["known"] for row in rows},
                         {name: "1" if label else "0" for name, label in given.items()})
        self.assertEqual({row["v0"]: row["truth"] for row in rows}, given)
        self.assertEqual({row["part"] for row in rows if row["truth"]}, {"test"})  # of other data all that is known
        self.expect_parts_and_truth(self.predict(), given, "v0")

    def test_numbers_of_complexes(self):
        data = self.train("graph-regression")
        rows = self.predict()
        self.assertEqual(list(rows[0]), ["name", "predicted", "part", "truth"])
        self.expect_parts_and_truth(rows, {row["name"]: row["label"] for row in table((data / "labels.csv").read_text())})
        judged = [abs(float(row["predicted"]) - float(row["truth"])) for row in rows if row["part"] == "test"]
        record = json.loads((self.folder / "run/results.json").read_text())
        self.assertAlmostEqual(sum(judged) / len(judged), record["test"]["mae"], delta=1e-3)
        # One complex alone, without a target: in the units of the run.
        for folder in data.iterdir():
            if folder.is_dir() and folder.name != "group07":
                shutil.rmtree(folder)
        (data / "labels.csv").unlink()
        alone = self.predict("--data", "data")
        self.assertEqual([row["name"] for row in alone], ["group07"])
        self.assertAlmostEqual(float(alone[0]["predicted"]), float(rows[7]["predicted"]), delta=1e-3)
        (self.folder / "run/targets.json").unlink()
        self.refused(ARGUMENT, "predict", "run", "--data", "data", says=["targets.json"])
        (self.folder / "run/targets.json").write_text("{}")
        self.refused(FORMAT, "predict", "run", "--data", "data", says=["targets.json", "scale"])

    def test_numbers_of_simplices(self):
        data = self.train("simplex-regression")
        rows = self.predict()
        self.assertEqual(list(rows[0]), ["v0", "predicted", "part", "truth"])
        given = {row["v0"]: row["value"] for row in table((data / "targets_0.csv").read_text())}
        self.assertEqual({row["v0"]: row["truth"] and float(row["truth"]) for row in rows},
                         {name: value and float(value) for name, value in given.items()})
        # Without a target the same numbers: none is an input.
        (data / "targets_0.csv").unlink()
        again = self.predict("--data", "data")
        self.assertEqual([row["predicted"] for row in again], [row["predicted"] for row in rows])
        self.assertEqual({row["part"] + row["truth"] for row in again}, {""})

    def test_complexes_alone_and_together(self):
        data = self.train("graph-classification")
        rows = {row["name"]: row for row in self.predict()}
        self.assertEqual(len(rows), 40)
        for folder in data.iterdir():
            if folder.is_dir() and folder.name != "shape07":
                shutil.rmtree(folder)
        (data / "labels.csv").unlink()
        alone = self.predict("--data", "data")
        self.assertEqual([row["name"] for row in alone], ["shape07"])
        self.assertAlmostEqual(float(alone[0]["p_ring"]), float(rows["shape07"]["p_ring"]), delta=1e-6)

    def test_candidates(self):
        data = self.train("simplex-prediction", "simplex-prediction.split=random")
        rows = self.predict()
        self.assertEqual(list(rows[0]), ["v0", "v1", "v2", "probability", "known", "part", "truth"])
        self.assertEqual(len(rows), len(table((data / "candidates.csv").read_text())))
        self.assertTrue(all(0 < float(row["probability"]) < 1 for row in rows))
        given = {(row["v0"], row["v1"], row["v2"]): row["label"] for row in table((data / "candidates.csv").read_text())}
        for row in rows:
            self.assertEqual(row["truth"], given[row["v0"], row["v1"], row["v2"]])
            self.assertEqual(row["part"] == "", row["truth"] == "")

    def test_data_that_do_not_fit(self):
        data = self.train("trajectory")
        labels = (data / "labels.csv").read_text()
        (data / "labels.csv").write_text(labels.replace("south", "east", 1))
        self.refused(ARGUMENT, "predict", "run", "--data", "data", says=["'east'", "north, south"])
        (data / "labels.csv").write_text(labels)
        (data / "complex.txt").write_text("\n".join(
            " ".join(pair) for line in (data / "complex.txt").read_text().splitlines()[1:]
            for pair in zip(line.split(), line.split()[1:] + line.split()[:1])))
        self.refused(ARGUMENT, "predict", "run", "--data", "data", says=["order", "in the model", "for the data"])
        self.refused(IO, "predict", "run", "--data", EXAMPLES / "imputation", says=["signals.csv"])

    def test_no_run_and_damaged_weights(self):
        self.refused(ARGUMENT, "predict", "nowhere", says=["nowhere", "holds no run"])
        self.train("trajectory")
        self.refused(ARGUMENT, "predict", "run", "--output", "answer.txt", says=[".csv or .npy"])
        for path in (self.folder / "run" / "checkpoints").glob("best.safetensors*"):
            path.write_bytes(path.read_bytes()[:-100])
        self.refused(FORMAT, "predict", "run", says=["best.safetensors"])
        for path in (self.folder / "run" / "checkpoints").glob("best.safetensors*"):
            path.unlink()
        self.refused(IO, "predict", "run", says=["best.safetensors", "--weights last"])
        for path in (self.folder / "run" / "checkpoints").glob("last.safetensors*"):
            path.unlink()
        self.refused(ARGUMENT, "predict", "run", says=["no weights", "--resume"])
