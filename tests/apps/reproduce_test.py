"""gsan reproduce: small tables of own data through the whole command."""
import csv
import io
import json
import statistics
import unittest

from command_case import ARGUMENT, USAGE
from reproduce_case import ReproduceCase


class Tables(ReproduceCase):
    def test_a_table_from_nothing_and_again(self):
        report = self.reproduce()
        self.assertEqual(report["runs"]["missing"], 0)
        self.assertEqual(report["runs"]["planned"], 6)  # two models and one measurement of both rules, two seeds each
        cells, records = self.cells(report), self.records()
        self.assertEqual(len(records), 6)
        self.assertEqual(sum("rules" in record for record in records), 2)
        for name in ("GSAN", "SCNN", "regression"):
            values = cells[name]["values"]
            self.assertEqual(len(values), 2)
            self.assertAlmostEqual(cells[name]["mean"], statistics.mean(values))
            self.assertAlmostEqual(cells[name]["sd"], statistics.stdev(values))
            self.assertAlmostEqual(cells[name]["standard_error"], statistics.stdev(values) / 2 ** 0.5)
        self.assertAlmostEqual(cells["GSAN"]["difference"], cells["GSAN"]["mean"] - 99.0)
        self.assertIsNone(cells["SAT"]["mean"])
        self.assertEqual(cells["SAT"]["printed"]["mean"], 97.0)
        self.assertEqual(self.reproduce(), report)
        self.assertEqual(self.records(), records)
        self.assertFalse((self.folder / "runs").exists() and list((self.folder / "runs").rglob("results.json")))

    def test_a_record_tells_how_it_was_made(self):
        self.reproduce("--rows", "GSAN")
        record = self.record(seed=1)
        self.assertEqual((record["config"], record["protocol"], record["set"]), ("walks.yaml", "strict", []))
        self.assertNotIn("by_hand", record)
        self.assertEqual((record["epochs"], record["task"], record["data"]), (2, "trajectory", "walks"))
        for key in ("resolved", "commit", "gsan", "torch", "compiler", "machine", "device", "threads", "started", "ended",
                    "last", "validation", "test", "epoch_seconds", "headline"):
            self.assertIn(key, record)
        self.assertNotEqual(record["resolved"], self.record(seed=0)["resolved"])
        self.assertLess(len(json.dumps(record)), 1200)

    def test_a_rule_is_measured_as_every_run_of_its_task_does(self):
        self.reproduce("--rows", "majority;regression")
        rules, = [record for record in self.records() if record["seed"] == 1]
        for key in ("model", "epochs", "test", "validation"):
            self.assertNotIn(key, rules)
        trained = self.report("train", "--config", self.experiments / "walks.yaml", "seed=1", "train.epochs=1", "--quiet",
                              "--output", self.folder / "run")
        self.assertEqual(rules["rules"], trained["rules"])
        self.assertEqual(rules["headline"], trained["headline_metric"])

    def test_a_table_of_the_repository_takes_no_records_of_a_changed_tree(self):
        words = ["reproduce", "walks", "--experiments", self.experiments, "--rows", "majority", "--quiet"]
        told = self.gsan(*words, code=None)
        if told.returncode == 0:  # this binary is of a commit
            self.assertFalse(any("changed_tree" in record for record in self.records()))
            self.assertTrue(self.records())
        else:
            self.assertEqual(told.returncode, ARGUMENT, told.stderr)
            self.assertRegex(told.stderr, "changed tree|does not know the commit")
            self.assertIn("--results FOLDER", told.stderr)
            self.assertFalse(self.results.exists())

    def test_the_forms_agree(self):
        report = self.reproduce()
        plain = self.gsan(*self.arguments("--report")).stdout
        markdown = self.gsan(*self.arguments("--report", "--format", "markdown")).stdout
        table = list(csv.DictReader(io.StringIO(self.gsan(*self.arguments("--report", "--format", "csv")).stdout)))
        cells = self.cells(report)
        self.assertEqual([row["row"] for row in table], list(cells))
        for row in table:
            cell = cells[row["row"]]
            self.assertEqual(float(row["mean"]) if row["mean"] else None, cell["mean"])
            self.assertEqual([float(value) for value in row["values"].split()], cell["values"])
            self.assertEqual(float(row["printed_mean"]) if row["printed_mean"] else None,
                             cell["printed"] and cell["printed"]["mean"])
        shown = f"{cells['GSAN']['mean']:.1f} {{}} {cells['GSAN']['standard_error']:.1f} (2)"
        self.assertIn(shown.format("+-"), plain)
        self.assertIn(f"| GSAN | {shown.format('±')} |", markdown)
        self.assertNotIn("SAT", markdown)  # printed numbers are of the published protocol
        self.assertEqual(json.loads(self.gsan(*self.arguments("--report", "--format", "json")).stdout), report)
        self.gsan(*self.arguments("--report", "--output", self.folder / "table.txt"))
        self.assertEqual((self.folder / "table.txt").read_text(), plain)

    def test_printed_ours_and_verdict_stand_side_by_side_under_the_published_protocol(self):
        self.reproduce("--rows", "GSAN")
        plan = self.reproduce("--protocol", "published", "--rows", "GSAN", "--list")["cells"][0]["plan"]
        self.rewrite(lambda record: {**record, "protocol": "published", "resolved": plan[record["seed"]]["resolved"]})
        cell = self.cells(self.reproduce("--protocol", "published", "--report"))["GSAN"]
        room = 1.0 + 2 * cell["standard_error"] + 0.05
        self.assertEqual(cell["verdict"], "agrees" if abs(cell["mean"] - 99.0) <= room else "setting")
        markdown = self.gsan(*self.arguments("--protocol", "published", "--report", "--format", "markdown")).stdout
        self.assertIn(f"| GSAN | 99.0 ± 1.0 | {cell['mean']:.1f} ± {cell['standard_error']:.1f} (2) | {cell['verdict']} |",
                      markdown)
        self.assertIn("| SAT (quoted) | 97.0 ± 1.0 | - | - |", markdown)

    def test_targets_are_judged(self):
        targets = {target["says"]: target for target in self.reproduce("--budget", 0)["targets"]}
        self.assertEqual({target["state"] for target in targets.values()}, {"open"})
        report = self.reproduce()
        states = {target["says"]: target["state"] for target in report["targets"]}
        cells = self.cells(report)
        is_above = cells["GSAN"]["mean"] > cells["majority"]["mean"]
        is_printed = cells["regression"]["mean"] >= cells["SAT"]["printed"]["mean"]
        self.assertEqual(states, {"easy": "met", "hard": "missed", "rule": "met" if is_above else "missed",
                                  "printed": "met" if is_printed else "missed"})
        # A part of the rows or runs with changed settings judge nothing; a part of the seeds is said to be one.
        self.assertEqual(self.reproduce("--rows", "GSAN", "--report")["targets"], [])
        self.assertEqual(self.reproduce("--set", "train.epochs=1", "--report")["targets"], [])
        state = lambda report: next(target for target in report["targets"] if target["says"] == "easy")["state"]
        self.assertEqual(state(self.reproduce("--seeds", 1, "--report")), "met so far")
        self.remove(seed=1)
        self.assertEqual(state(self.reproduce("--report")), "met so far")

    def test_a_rule_is_compared_over_the_seeds_that_both_have(self):
        self.reproduce()
        def praised(record):
            if "rules" in record and record["seed"] == 1:
                record["rules"]["majority class"]["accuracy"] = 1000.0
            return record
        self.rewrite(praised)
        target = lambda: next(one for one in self.reproduce("--report")["targets"] if one["says"] == "rule")
        self.assertEqual(target()["state"], "missed")
        self.remove(seed=1)
        value = self.cells(self.reproduce("--report"))["majority"]["values"][0]
        self.assertIn(f"against {value:.2f}", target()["worst"])

    def test_no_budget_runs_nothing_and_says_what_is_left(self):
        report = self.reproduce("--budget", 0)
        self.assertEqual((report["runs"]["done"], report["runs"]["missing"]), (0, 6))
        self.assertFalse(self.results.exists())
        self.assertIn("0 of 6 runs are there, 6 missing", self.gsan(*self.arguments("--report")).stdout)

    def test_the_time_is_estimated_from_records(self):
        self.reproduce("--rows", "GSAN", "--seeds", 1)
        plan = self.reproduce("--rows", "GSAN", "--list")
        record = self.record()
        self.assertAlmostEqual(plan["cells"][0]["estimated_seconds"], 2 * record["seconds"])
        self.assertAlmostEqual(plan["runs"]["estimated_seconds"], record["seconds"])
        self.assertIsNone(self.reproduce("--rows", "SCNN", "--list")["cells"][0]["estimated_seconds"])
        timed = self.reproduce("--rows", "SCNN", "--time")
        self.assertGreater(timed["cells"][0]["estimated_seconds"], 0)
        self.assertEqual(timed["runs"]["missing"], 2)  # twelve epochs of it are no run of the table
        self.assertGreater(record["epoch_seconds"], 0)
        self.assertEqual(record["device"], "cpu")
        self.rewrite(lambda one: {**one, "device": "cuda"})
        plan = self.reproduce("--rows", "GSAN", "--list")  # the run is there, its time says nothing about processors
        self.assertEqual((plan["runs"]["done"], plan["cells"][0]["estimated_seconds"]), (1, None))

    def test_what_is_made_once_is_not_multiplied_by_the_epochs(self):
        self.reproduce("--rows", "GSAN", "--seeds", 1)
        record = self.record()
        epochs = record["epochs"]
        record.update(seconds=10 + 2 * epochs, epoch_seconds=2)
        longer = ("--rows", "GSAN", "--seeds", 1, "--list", "--set", f"train.epochs={100 * epochs}")

        def estimate(*records):
            (self.results / "walks.jsonl").write_text("".join(json.dumps(one) + "\n" for one in records))
            return self.reproduce(*longer)["cells"][0]["estimated_seconds"]

        self.assertAlmostEqual(estimate(record), 10 + 200 * epochs)
        slower = {**record, "seed": 8, "resolved": "8", "epoch_seconds": 3}  # while something else was running
        self.assertAlmostEqual(estimate(record, slower), 10 + 200 * epochs)
        other = {**record, "seed": 7, "resolved": "7", "machine": "zz, another one", "epoch_seconds": 1}  # faster
        self.assertAlmostEqual(estimate(record, other), 10 + 200 * epochs)
        killed = {**record, "seconds": 2 * epochs - 1}  # what a killed session took is not in it
        self.assertAlmostEqual(estimate(killed), 200 * epochs)
        together = {**record, "epoch_seconds": 0}  # as the oldest records have it
        self.assertAlmostEqual(estimate(together), 100 * (10 + 2 * epochs))

    def test_a_time_of_another_machine_is_measured_again_on_this_one(self):
        self.reproduce("--rows", "SCNN", "--time")
        record = self.record(model="scnn")
        self.assertEqual(record["by_hand"], ["train.epochs=12"])
        for other in ({"machine": "zz, another one"}, {"epoch_seconds": 0}, {"device": "cuda"}):
            self.rewrite(lambda one: {**record, **other})
            self.reproduce("--rows", "SCNN", "--time")
            measured = self.record(model="scnn")
            self.assertEqual((measured["machine"], measured["device"]), (record["machine"], "cpu"))
            self.assertGreater(measured["epoch_seconds"], 0)

    def test_a_changed_config_makes_records_stale(self):
        self.reproduce("--rows", "GSAN")
        before = self.records()
        self.config(epochs=3)
        report = self.reproduce("--rows", "GSAN", "--report")
        self.assertEqual((report["runs"]["missing"], report["runs"]["stale"]), (2, 2))
        self.assertEqual(self.cells(report)["GSAN"]["stale"], 2)
        self.assertIn("2 records are stale", self.gsan(*self.arguments("--rows", "GSAN", "--report")).stdout)
        self.assertEqual(self.reproduce("--rows", "GSAN")["runs"]["stale"], 0)
        self.assertEqual(len(self.records()), len(before))  # the new ones took the place of the old
        self.assertEqual([record["epochs"] for record in self.records()], [3, 3])

    def test_a_record_counts_for_its_config_whatever_the_row_is_called(self):
        self.reproduce("--rows", "GSAN")
        (self.experiments / "other.yaml").write_text((self.experiments / "walks.yaml").read_text() + "# the same\n")
        self.tables(rows=[{"name": "same", "config": "other.yaml"},
                          {"name": "another", "config": "other.yaml", "set": ["model.hidden_channels=5"]}])
        cells = self.cells(self.reproduce("--report"))
        self.assertEqual(cells["same"]["values"], cells["GSAN"]["values"])
        self.assertEqual((cells["another"]["done"], cells["another"]["stale"]), (0, 0))

    def test_changes_by_hand_are_kept_apart_and_marked(self):
        report = self.reproduce("--rows", "GSAN", "--set", "train.epochs=1")
        self.assertEqual(report["tables"][0]["set"], ["train.epochs=1"])
        self.assertEqual(report["runs"]["done"], 2)
        self.assertIn("With train.epochs=1: these runs are not of the protocol.",
                      self.gsan(*self.arguments("--rows", "GSAN", "--report", "--set", "train.epochs=1")).stdout)
        self.assertEqual(self.reproduce("--rows", "GSAN", "--report")["runs"]["done"], 0)
        self.assertEqual([record["by_hand"] for record in self.records()], [["train.epochs=1"]] * 2)

    def test_the_best_epoch_of_the_mean_curve(self):
        report = self.reproduce(table="folds")
        cell = report["tables"][0]["blocks"][0]["rows"][0]["cells"][0]
        expected = []
        for seed in (0, 1):
            curves = [self.record(seed, "folds", set=["split.folds=2", "train.epochs=3", f"split.fold={fold}"])["curve"]
                      for fold in (0, 1)]
            self.assertEqual([len(curve) for curve in curves], [3, 3])
            expected.append(max(statistics.mean(values) for values in zip(*curves)))
        self.assertEqual(len(cell["values"]), 2)
        for value, other in zip(cell["values"], expected):
            self.assertAlmostEqual(value, other)
        self.assertAlmostEqual(cell["mean"], statistics.mean(expected))
        self.assertGreaterEqual(cell["own_best"], cell["mean"] - 1e-9)
        self.assertEqual(cell["runs"], "2 x 2")
        # A seed that lacks folds does not count beside a whole one.
        self.remove(1, "folds", set=["split.folds=2", "train.epochs=3", "split.fold=1"])
        cell = self.reproduce("--report", table="folds")["tables"][0]["blocks"][0]["rows"][0]["cells"][0]
        self.assertEqual(len(cell["values"]), 1)
        self.assertAlmostEqual(cell["mean"], expected[0])
        self.assertEqual(cell["runs"], "1 seed; 3 of 4")

    def test_a_curve_has_the_epochs_that_were_validated(self):
        for _ in range(2):
            report = self.reproduce("--set", "train.validate_every=2", table="folds")
            self.assertEqual(report["runs"]["missing"], 0)
            self.assertTrue(report["tables"][0]["blocks"][0]["rows"][0]["cells"][0]["mean"] >= 0)
        self.assertEqual({len(record["curve"]) for record in self.records("folds")}, {2})  # of epochs 2 and 3

    def test_a_row_may_be_of_some_columns_alone(self):
        self.tables(rows=[{"name": "elsewhere", "config": "{file}.yaml", "columns": ["plane"]},
                          {"name": "here", "config": "{file}.yaml", "columns": ["ring"]}])
        cells = self.cells(self.reproduce("--report"))
        self.assertIn("here", cells)
        self.assertNotIn("elsewhere", cells)

    def test_what_is_refused(self):
        self.refused(ARGUMENT, *self.arguments("--rows", "GSANN"), says=["no row is called 'GSANN'", "did you mean 'GSAN'"])
        self.refused(ARGUMENT, *self.arguments(table="walk"), says=["no table is called 'walk'", "did you mean 'walks'"])
        self.refused(ARGUMENT, "reproduce", "all", "--experiments", "nowhere", says=["nowhere/tables.json", "--experiments"])
        self.refused(ARGUMENT, *self.arguments("--set", "train.epoch=1"), says=["train.epoch"])
        self.refused(USAGE, "reproduce", says=["give a table"])
        self.refused(USAGE, *self.arguments("--list", "--report"), says=["exclude each other"])
        self.refused(USAGE, *self.arguments("--set", "seed=5"), says=["--seeds"])
        self.refused(USAGE, *self.arguments("--budget", -1), says=["--budget", "-1 not in range"])
        (self.experiments / "tables.json").write_text("{")
        self.refused(4, *self.arguments(), says=["tables.json is not a list of tables"])

    def test_a_page_is_filled_in(self):
        self.reproduce()
        (self.folder / "page.md").write_text("A\n\n{{table walks strict}}\n{{targets}}\n{{records}}- {{records walks strict}}\n{{within strict 9}}\n"
                                             "{{cell walks|strict||GSAN|ring}}; {{cell walks|published||GSAN|ring}}\n")
        words = ["reproduce", "--page", self.folder / "page.md", "--experiments", self.experiments, "--results", self.results]
        page = self.gsan(*words).stdout
        self.assertEqual(page, self.gsan(*words).stdout)
        self.assertIn("| GSAN |", page)
        self.assertIn("(not measured yet)", page)
        self.assertIn("- 4 runs and 2 measurements of rules, ", page)
        self.assertIn("- `gsan reproduce walks --protocol strict`: 4 runs and 2 measurements of rules, ", page)
        self.assertNotIn("{{", page)
        (self.folder / "page.md").write_text("{{cell walks|strict||GSAN|plane}}")
        self.refused(4, *words, says=["a cell that no table has"])


    def test_a_variant_does_not_meet_the_target_of_the_papers_row(self):
        self.tables(rows=[{"name": "GSAN, wider", "variant_of": "GSAN", "config": "{file}.yaml",
                           "set": ["model.hidden_channels=5"]}])
        file = json.loads((self.experiments / "tables.json").read_text())
        file["targets"] = [{"says": "both", "table": "walks", "protocol": "strict", "rows": ["GSAN", "GSAN, wider"],
                            "at_least": {"ring": 0}}]
        (self.experiments / "tables.json").write_text(json.dumps(file))
        self.reproduce("--rows", "GSAN, wider")
        states = {target["by"]: target["state"] for target in self.reproduce("--report")["targets"]}
        self.assertEqual(states, {"as printed": "open", "best variant": "met"})


if __name__ == "__main__":
    unittest.main()
