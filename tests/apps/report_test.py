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

    def repeat_command(self, page, name="repeat"):
        return html.unescape(re.search("<pre>(.*?)</pre>", self.card(page, name), re.DOTALL)[1])

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
        for card in ("result", "metrics", "curves", "details", "confusion", "worst", "repeat", "environment"):
            self.assertTrue(self.card(page, card), card)
        manifest = json.loads((run / "manifest.json").read_text())
        for text in (manifest["gsan"], manifest["torch"], *manifest["data_sha256"].values()):
            self.assertIn(html.escape(text), self.card(page, "environment"))
        command = self.repeat_command(page)
        self.assertTrue(command.startswith("gsan train trajectory --data "), command)
        self.assertNotIn("config.yaml", command)
        self.gsan(*shlex.split(command)[1:], "--quiet")
        self.assert_same_run(run, self.folder / "run-again")

    def test_a_run_from_other_weights_is_repeated_from_them_and_lists_what_was_changed(self):
        first = self.run_of("first")
        run = self.run_of("run", "train.schedule.kind=constant", "--from", first, epochs=2)
        self.gsan("train", "--resume", run, "--threads", 1, "--quiet", "train.epochs=3")
        page = self.page(run)
        environment = self.card(page, "environment")
        self.assertIn(json.loads((run / "manifest.json").read_text())["first_weights"]["sha256"], environment)
        self.assertIn("train.epochs from 2 to 3 after 2 epochs", environment)
        self.gsan(*shlex.split(self.repeat_command(page))[1:], "--quiet")
        self.assert_same_run(run, self.folder / "run-again")

    def test_warnings_and_the_best_rule_by_the_direction_of_its_metric(self):
        run = self.run_of(epochs=1)
        record = json.loads((run / "results.json").read_text())
        record.update(headline_metric="auc", more_is_better=False, warnings=["loses to <b>"],
                      rules={"worse": {"auc": 60}, "better": {"auc": 90}})  # the loss chose, of which less is better
        (run / "results.json").write_text(json.dumps(record))
        page = self.page(run)
        self.assertIn("loses to &lt;b&gt;", self.card(page, "warnings"))
        self.assertIn("best rule: better", self.card(page, "result"))

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

    def test_a_slash_or_a_dot_after_the_folder_changes_nothing(self):
        run = self.run_of()
        plain = self.page("run", more=["--without-data"])
        self.assertTrue(self.repeat_command(plain).endswith(" --output run-again"))
        self.assertEqual(self.page("run/", more=["--without-data"]), plain)
        dotted = self.page("run/.", more=["--without-data"])
        self.assertIn("run run ", dotted)
        self.assertTrue(self.repeat_command(dotted).endswith(f" --output {run.resolve()}-again"))

    def test_runs_of_one_name_are_called_by_their_paths_and_repeated_beside_themselves(self):
        (self.folder / "x").mkdir()
        (self.folder / "y").mkdir()
        shutil.copytree(self.run_of("x/a"), self.folder / "y/a")
        page = self.page("x/a", "y/a/", more=["--without-data"])
        self.assertEqual(re.findall("<h2>(.*?)</h2>", page), ["x/a", "y/a"])
        curves = set(re.findall('data-name="([^"]*)"', self.card(page, "curves")))
        self.assertIn("x/a, train", curves)
        self.assertIn("y/a, train", curves)
        for number, path in enumerate(("x/a", "y/a"), 1):
            self.assertTrue(self.repeat_command(page, f"run{number}-repeat").endswith(f" --output {path}-again"))

    def test_thousands_of_epochs_leave_a_page_to_mail(self):
        log = self.run_of() / "metrics.jsonl"
        lines = log.read_text().splitlines()
        last = json.loads(lines[-1])
        for epoch in range(len(lines), 2000):
            wave = {name: value * (1 + 0.001 * (epoch * 7919 % 997)) for name, value in last.items() if name != "epoch"}
            lines.append(json.dumps({**last, **wave, "epoch": epoch + 1}))
        log.write_text("\n".join(lines) + "\n")
        page = self.page("run")
        self.assert_complete_by_itself(page)
        epochs = [int(float(x)) for x in re.findall('data-x="([^"]*)"', self.card(page, "curves"))]
        self.assertEqual((min(epochs), max(epochs)), (1, 2000))

    def parts(self, page):
        """The arrows of every picture of the decomposition by its title, and the energies below the pictures."""
        card = self.card(page, "decomposition")
        panels = re.findall(r'class="title"[^>]*>([^<]*)</text>(.*?)</svg>', card, re.DOTALL)
        return [(title, len(re.findall('class="edge', body))) for title, body in panels], re.findall("Energy [^<]*", card)

    def test_a_complex_without_holes_has_an_empty_picture_of_the_harmonic_part(self):
        data = self.own_data()
        with (data / "complex.txt").open("a") as file:  # the hole is filled
            file.writelines(f"0 {i} {i + 1}\n" for i in range(1, 7))
        self.gsan(*self.training(data, output=self.folder / "run"))
        arrows, energies = self.parts(self.page("run"))
        counts = {}
        for title, count in arrows:
            counts.setdefault(title, []).append(count)
        self.assertGreater(min(counts["signal"]), 0)
        self.assertEqual(set(counts["harmonic part"]), {0})
        for energy in energies:
            self.assertTrue(energy.endswith("harmonic 0.0 %."), energy)

    def test_a_signal_of_zero_has_no_share_that_is_not_a_number(self):
        data = self.own_data()
        labels = (data / "labels.csv").read_text().split()[1:]
        walks = (data / "paths.csv").read_text().splitlines()
        there_and_back = [f"{walk},{','.join(walk.split(',')[-2::-1])}" if label == "left" else walk
                          for walk, label in zip(walks, labels)]
        (data / "paths.csv").write_text("\n".join(there_and_back) + "\n")
        self.gsan(*self.training(data, output=self.folder / "run"))
        page = self.page("run")
        _, energies = self.parts(page)
        self.assertIn("Energy 0: gradient 0.0 %, curl 0.0 %, harmonic 0.0 %.", energies)
        self.assertNotIn("nan %", page)

    def test_a_large_network_without_triangles_has_no_pictures_and_a_sentence(self):
        data = self.own_data()
        ring = 5000
        (data / "complex.txt").write_text("".join(f"{i} {(i + 1) % ring}\n" for i in range(ring)))
        sides = (data / "labels.csv").read_text().split()[1:]
        (data / "paths.csv").write_text("".join(
            ",".join(str((i if side == "left" else -i) % ring) for i in range(5)) + "\n" for side in sides))
        self.gsan(*self.training(data, output=self.folder / "run", epochs=1))
        page = self.page("run")
        self.assert_complete_by_itself(page)
        self.assertIsNone(self.card(page, "decomposition"))
        self.assertIn("5000 edges and triangles", self.card(page, "missing"))
        self.assertTrue(self.card(page, "confusion"))

    def test_whatever_is_wrong_with_one_run_leaves_the_others(self):
        broken = self.run_of("broken")
        sound = self.folder / "sound"
        shutil.copytree(broken, sound)
        (broken / "results.json").unlink()
        (broken / "results.json").symlink_to("results.json")  # the file system itself refuses it
        page = self.page("broken", "sound")
        self.assertIn("The results cannot be read", self.card(page, "run1-missing"))
        self.assertIsNone(self.card(page, "run2-missing"))
        self.assertTrue(self.card(page, "run2-confusion"))

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
        self.assertIsNone(self.card(page, "worst"))
        for card in ("details", "confusion"):  # of the record
            self.assertEqual(self.card(page, card), self.card(whole, card))
        self.assertTrue(self.card(page, "metrics"))
        self.assertTrue(self.card(page, "repeat"))

    def test_only_what_the_folder_holds(self):
        page = self.page(self.run_of(), more=["--without-data"])
        self.assertIsNone(self.card(page, "worst"))
        self.assertIn("not asked for", self.card(page, "missing"))
        for text in ("balanced_accuracy", "macro_f1", "precision", "test set"):
            self.assertIn(text, self.card(page, "details"))
        self.assertTrue(self.card(page, "confusion"))

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
        self.refused(ARGUMENT, "report", self.folder / "walks", says=["is not a run folder", "manifest.json"])
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
        self.assertIn("printed 97.5 ± 2.0", cells)

    def test_records_without_their_plan_are_refused(self):
        self.write("trajectory.jsonl", "")
        self.refused(ARGUMENT, "report", self.folder, says=["tables.json"])


if __name__ == "__main__":
    import unittest
    unittest.main()
