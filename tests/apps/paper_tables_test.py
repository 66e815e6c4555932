"""The plan of the paper's tables and the page of results, without a run."""
import json
import pathlib
import unittest

from command_case import CommandCase

ROOT = pathlib.Path(__file__).resolve().parents[2]


class PaperTables(CommandCase):
    """Plans of all tables, without a run."""

    def report_of(self, table, protocol="published", *more):
        return self.report("reproduce", table, "--protocol", protocol, "--experiments", ROOT / "experiments", "--results",
                           self.folder / "none", *more, "--report")

    def test_every_cell_of_the_paper_is_there(self):
        paper = json.loads((ROOT / "experiments/paper_tables.json").read_text())
        report = self.report_of("all")
        ours = {}
        for table in report["tables"]:
            for block in table["blocks"]:
                for row in block["rows"]:
                    for cell in row["cells"]:
                        if cell["printed"]:
                            key = (table["name"], cell["printed"]["mean"], cell["printed"]["sd"])
                            ours[key] = ours.get(key, 0) + 1
        def pairs(value):
            if isinstance(value, list) and len(value) == 2 and all(isinstance(one, (int, float)) for one in value):
                yield tuple(value)
            elif isinstance(value, (list, dict)):
                for one in value.values() if isinstance(value, dict) else value:
                    yield from pairs(one)
        names = {"trajectory": "trajectory", "imputation": "imputation", "graph_classification": "graph-classification",
                 "simplex_prediction": "simplex-prediction", "ablation_attention": "ablation-attention",
                 "ablation_hyperparameters": "ablation-hyperparameters", "ablation_weight_sharing": "ablation-sharing"}
        self.assertEqual(set(names), set(paper))
        printed = {}
        for name, table in paper.items():
            for mean, sd in pairs({key: value for key, value in table.items() if key != "misprints"}):
                printed[names[name], mean, sd] = printed.get((names[name], mean, sd), 0) + 1
        self.assertEqual(ours, printed)

    def test_misprints_and_quoted_rows_are_marked(self):
        report = self.report_of("imputation")
        misprints = [cell for block in report["tables"][0]["blocks"] for row in block["rows"] for cell in row["cells"]
                     if cell["printed"] and cell["printed"]["misprint"]]
        self.assertEqual(len(misprints), 32)
        text = self.gsan("reproduce", "imputation", "--protocol", "published", "--experiments", ROOT / "experiments",
                         "--results", self.folder / "none", "--report").stdout
        self.assertRegex(text, "20 % missing: SNN, verdict +- +- +misprint +misprint +misprint +-\n")
        kinds = {row["name"]: row["kind"] for row in self.report_of("graph-classification")["tables"][0]["blocks"][0]["rows"]}
        self.assertEqual([kinds[name] for name in ("RWK", "PPGN", "GSAN", "GIN", "majority class")],
                         ["quoted", "quoted", "model", "model", "rule"])
        self.assertEqual([kinds[name] for name in ("GSAN, tuned", "GSAN, tuned, three layers")], ["variant", "variant"])

    def test_every_run_of_both_protocols_is_one_that_train_takes(self):
        for protocol in ("published", "strict"):
            plan = self.report("reproduce", "all", "--protocol", protocol, "--experiments", ROOT / "experiments",
                               "--results", self.folder / "none", "--list")
            self.assertGreater(plan["runs"]["planned"], 3800)
            targets = [cell for cell in plan["cells"] if cell["target"]]
            self.assertTrue(targets)
            self.assertEqual([cell for cell in targets if cell["runs"] == 0], [])

    def test_the_pages_of_results_are_what_the_records_say(self):
        for template, page in (("results.md.in", "RESULTS.md"), ("results-method.md.in", "results-method.md")):
            with self.subTest(page):
                made = self.gsan("reproduce", "--page", f"experiments/{template}", "--experiments", "experiments",
                                 folder=ROOT).stdout
                self.assertEqual(made, (ROOT / "docs" / page).read_text(),
                                 f"make it again: gsan reproduce --page experiments/{template} --output docs/{page}")

    def test_no_record_of_the_repository_is_broken_or_of_an_unknown_commit(self):
        files = sorted((ROOT / "experiments/results").glob("*.jsonl"))
        self.assertGreater(len(files), 4)
        seen = set()
        for file in files:
            for line in file.read_text().splitlines():
                record = json.loads(line)
                self.assertRegex(record["commit"], "^[0-9a-f]{40}$")
                self.assertRegex(record["resolved"], "^[0-9a-f]{16}$")
                key = json.dumps([record[name] for name in ("config", "protocol", "set", "seed")]
                                 + [record.get("by_hand"), "rules" in record])
                self.assertNotIn(key, seen)
                seen.add(key)
                # Runs of a changed tree were recorded until version 0.1; now they are not.
                if record.get("changed_tree"):
                    self.assertLess(record["ended"], "2026-11-16T12")


if __name__ == "__main__":
    unittest.main()
