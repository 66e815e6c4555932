"""gsan report: one page about runs, complete by itself, whatever the runs hold."""
import base64
import hashlib
import html
import json
import pathlib
import re
import shlex
import shutil

from command_case import ARGUMENT, FORMAT, USAGE
from training_case import TrainingCase

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Report(TrainingCase):
    def run_of(self, name="run", *more, **keywords):
        data = self.folder / "walks"
        if not data.exists():
            self.own_data()
        self.gsan(*self.training(data, *more, output=self.folder / name, **keywords))
        return self.folder / name

    def page(self, *runs, more=()):
        self.gsan("report", *runs, "--output", "page.html", *more)
        return (self.folder / "page.html").read_text()

    def card(self, page, name):
        """The markup of a card; None where the page has none of that name."""
        found = re.search(rf'<section class="card[^"]*" id="{name}">(.*?)</section>', page, re.DOTALL)
        return found and found[1]

    def assert_complete_by_itself(self, page):
        policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)[1]
        self.assertTrue(policy.startswith("default-src 'none'; "))
        self.assertNotIn("unsafe", policy)
        for element in ("style", "script"):
            contents = re.findall(rf"<{element}>(.*?)</{element}>", page, re.DOTALL)
            self.assertEqual(len(contents), 1, element)
            digest = base64.b64encode(hashlib.sha256(contents[0].encode()).digest()).decode()
            self.assertIn(f"{element}-src 'sha256-{digest}'", policy)
            self.assertLessEqual(len(contents[0]), 15000)
        self.assertEqual(re.findall(r'(?:src|href|action)="(?!data:,|#)[^"]*"', page), [])
        self.assertNotRegex(page, r"@import|url\(")
        for tag in re.findall(r"<[a-z][^>]*>", page):
            self.assertNotRegex(re.sub(r'"[^"]*"', '""', tag), r"\s(style|on[a-z]+)=")
        self.assertLessEqual(len(page.encode()), 300_000)

    def test_a_page_says_what_was_trained_and_how_to_repeat_it_bit_for_bit(self):
        run = self.run_of()
        page = self.page(run)
        self.assert_complete_by_itself(page)
        for card in ("result", "metrics", "curves", "confusion", "worst", "repeat", "environment"):
            self.assertTrue(self.card(page, card), card)
        manifest = json.loads((run / "manifest.json").read_text())
        for text in (manifest["gsan"], manifest["torch"], *manifest["data_sha256"].values()):
            self.assertIn(html.escape(text), self.card(page, "environment"))
        command = html.unescape(re.search("<pre>(.*?)</pre>", self.card(page, "repeat"), re.DOTALL)[1])
        self.assertTrue(command.startswith("gsan train trajectory --data "), command)
        self.assertNotIn("config.yaml", command)
        self.gsan(*shlex.split(command)[1:], "--quiet")
        self.assert_same_run(run, self.folder / "run-again")

    def test_names_of_the_run_are_text_and_never_markup(self):
        data = self.own_data("<img src=x onerror=alert(1)>")
        labels = data / "labels.csv"
        labels.write_text(labels.read_text().replace("left", "<script>alert(2)</script>").replace("right", "a & b"))
        run = self.folder / "<b>run"
        self.gsan(*self.training(data, output=run))
        page = self.page(run)
        self.assert_complete_by_itself(page)
        self.assertNotIn("<script>alert", page)
        self.assertNotIn("<img", page)
        self.assertNotIn("<b>run", page)
        self.assertIn("&lt;script&gt;alert(2)", self.card(page, "confusion"))

    def test_runs_side_by_side(self):
        one, two = self.run_of("one"), self.run_of("two", "model.hidden_channels=3", "--seed", "4", epochs=3)
        page = self.page(one, two)
        self.assert_complete_by_itself(page)
        keys = re.findall('<th scope="row">([^<]*)</th>', self.card(page, "differences"))
        self.assertEqual(keys, ["model.hidden_channels", "seed", "train.epochs"])
        curves = re.findall('data-name="([^"]*)"', self.card(page, "curves"))
        for name in ("one, validation", "two, validation", "one, train", "two, train"):
            self.assertIn(name, curves)
        for card in ("comparison", "run1-repeat", "run2-repeat", "run1-confusion", "run2-environment"):
            self.assertTrue(self.card(page, card), card)

    def test_a_run_that_is_not_finished_shows_what_there_is_and_never_the_test_set(self):
        run = self.run_of()
        (run / "results.json").unlink()
        manifest = run / "manifest.json"
        manifest.write_text(manifest.read_text().replace('"finished"', '"interrupted"'))
        page = self.page(run)
        self.assertIn("--resume", self.card(page, "missing"))
        self.assertIsNone(self.card(page, "metrics"))
        self.assertTrue(self.card(page, "curves"))
        self.assertIn("validation set", self.card(page, "confusion"))
        self.assertNotIn("test set", self.card(page, "confusion") + self.card(page, "worst"))

    def test_a_run_without_validation(self):
        run = self.run_of("plain", "split.validation=0", "train.choose=last")
        page = self.page(run)
        self.assertIn("no validation set", self.card(page, "metrics"))
        self.assertTrue(self.card(page, "curves"))

    def test_data_or_weights_that_are_gone_leave_a_page_that_says_so(self):
        run = self.run_of()
        whole = self.page(run)
        self.assertIsNone(self.card(whole, "missing"))
        shutil.rmtree(self.folder / "walks")
        page = self.page(run)
        self.assertIn("walks", self.card(page, "missing"))
        self.assertIsNone(self.card(page, "confusion"))
        self.assertTrue(self.card(page, "metrics"))
        self.assertTrue(self.card(page, "repeat"))

    def test_only_what_the_folder_holds(self):
        page = self.page(self.run_of(), more=["--without-data"])
        self.assertIsNone(self.card(page, "confusion"))
        self.assertIn("not asked for", self.card(page, "missing"))

    def test_damaged_folders(self):
        run = self.run_of()
        (run / "results.json").write_text("{")
        (run / "metrics.jsonl").write_text("nothing\n{}\n")
        page = self.page(run)
        self.assertIn("results.json", self.card(page, "missing"))
        self.assertIn("metrics.jsonl", self.card(page, "missing"))
        (run / "config.yaml").write_text("task: [")
        self.assertIn("config.yaml", self.card(self.page(run), "missing"))
        (self.folder / "page.html").unlink()
        (run / "manifest.json").write_text("{")
        self.refused(FORMAT, "report", run, says=["manifest.json"])
        self.refused(ARGUMENT, "report", self.folder / "walks", says=["holds no run", "manifest.json"])
        self.refused(USAGE, "report", says=["--help"])

    def test_json_names_the_page(self):
        run = self.run_of()
        report = self.report("report", run, "--output", "page.html")
        self.assertEqual(report["files"], ["page.html"])
        self.assertEqual(report["bytes"], (self.folder / "page.html").stat().st_size)


class Tables(TrainingCase):
    def test_the_tables_of_the_paper_hold_the_numbers_of_the_results_page(self):
        self.gsan("report", "experiments/results", "--output", self.folder / "page.html", folder=ROOT)
        page = (self.folder / "page.html").read_text()
        self.assertEqual(re.findall(r'(?:src|href)="(?!data:,)[^"]*"', page), [])
        cells = html.unescape(page)
        numbers = re.findall(r"\d+\.\d ± \d+\.\d \(\d[^)|]*\)", (ROOT / "docs/RESULTS.md").read_text())
        self.assertGreater(len(numbers), 100)
        self.assertEqual([number for number in numbers if number not in cells], [])
        self.assertIn("printed 99.0 ± 1.0", cells)

    def test_records_without_their_plan_are_refused(self):
        self.write("trajectory.jsonl", "")
        self.refused(ARGUMENT, "report", self.folder, says=["tables.json"])


if __name__ == "__main__":
    import unittest
    unittest.main()
