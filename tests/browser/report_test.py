"""The report in a browser: what it shows is what the run holds, on a desktop and on a phone, in light and dark."""
import csv
import io
import json
import math
import pathlib
import time
import unittest

from browser_case import FORMS, PHONE, By, BrowserCase

ROOT = pathlib.Path(__file__).resolve().parents[2]
TIP = "const tip = document.getElementById('tip'); return tip.hidden ? null : tip.textContent;"
# A pointer at the middle of a mark, as a mouse or a finger sends it.
POINT = """
const mark = document.querySelectorAll(arguments[0])[arguments[1]];
mark.scrollIntoView({block: 'center'});
// Scrolling hides a tooltip, and its event comes with the next frame.
requestAnimationFrame(() => requestAnimationFrame(() => {
  const box = mark.getBoundingClientRect();
  arguments[2]([box.left + box.width / 2, box.top + box.height / 2]);
}));
"""


class Report(BrowserCase):
    def setUp(self):
        super().setUp()
        self.data = self.own_data()
        self.run_folder = self.folder / "run"
        self.gsan(*self.training(self.data, output=self.run_folder, epochs=6))
        self.page = self.folder / "report.html"
        self.gsan("report", self.run_folder, "--output", self.page)

    def metrics(self):
        """The columns of metrics.csv by name: pairs of epoch (from 1) and value."""
        rows = list(csv.DictReader(io.StringIO((self.run_folder / "metrics.csv").read_text())))
        names = [name for name in rows[0] if name != "epoch"]
        return {name: [(int(row["epoch"]), float(row[name])) for row in rows if row[name]] for name in names}

    def mouse(self, selector, number):
        """What the tooltip says with the mouse on a mark."""
        x, y = self.browser.execute_async_script(POINT, selector, number)
        self.browser.execute_cdp_cmd("Input.dispatchMouseEvent", {"type": "mouseMoved", "x": x, "y": y})
        return self.script(TIP)

    def test_every_size_and_scheme_opens_without_complaint_or_request_and_fits(self):
        for size, scheme in FORMS:
            with self.subTest(size=size, scheme=scheme):
                self.open(self.page, size, scheme)
                self.assert_no_sideways_scrolling()
                paper = self.script("return getComputedStyle(document.querySelector('.card')).backgroundColor")
                ink = self.script("return getComputedStyle(document.body).color")
                brightness = [sum(map(int, color[4:-1].split(","))) for color in (paper, ink)]
                self.assertEqual(brightness[0] < brightness[1], scheme == "dark")

    def test_points_are_the_numbers_of_the_metrics_file(self):
        self.open(self.page)
        expected = {}
        for name, points in self.metrics().items():
            part, dot, metric = name.partition(".")
            expected[metric if dot else part, part] = points
        drawn = {}
        for title, name, x, y in self.script("""
            return [...document.querySelectorAll('#curves .point')].map(point => [point.closest('svg').getAttribute('aria-label'),
              point.closest('.curve').dataset.name, +point.dataset.x, +point.dataset.y])"""):
            drawn.setdefault((title, name), []).append((x, y))
        self.assertEqual(drawn, expected)

    def test_the_tooltip_has_the_value_of_the_nearest_point(self):
        self.open(self.page)
        marks = self.script("""return [...document.querySelectorAll('#curves .point')].map(point =>
            [point.closest('.curve').dataset.name, point.dataset.x, point.dataset.y])""")
        for number in (0, len(marks) // 2, len(marks) - 1):
            name, x, y = marks[number]
            text = self.mouse("#curves .point", number)
            head, tail = text.split("\n")
            shown_x, shown_y = tail.removeprefix("epoch ").split(": ")
            # Two curves may meet in a point: the value then is that of both.
            self.assertIn([head, shown_x], [[other, at] for other, at, _ in marks])
            self.assertEqual(shown_x, x)
            self.assertTrue(math.isclose(float(shown_y), float(y), rel_tol=1e-5), (text, name, x, y))

    def test_the_tooltip_by_keyboard_and_by_touch(self):
        self.open(self.page)
        chart = self.browser.find_element(By.CSS_SELECTOR, "#curves svg")
        self.script("arguments[0].focus({focusVisible: true})", chart)
        values = self.marks("#curves svg:first-child .point")
        chart.send_keys("\ue014")  # right arrow
        first = self.script(TIP)
        chart.send_keys("\ue014")
        second = self.script(TIP)
        self.assertNotEqual(first, second)
        self.assertIn(f"epoch {values[1]['x']}", first + second)
        chart.send_keys("\ue00c")  # escape
        self.assertIsNone(self.script(TIP))
        self.open(self.page, PHONE)
        x, y = self.browser.execute_async_script(POINT, "#curves .point", 2)
        for kind, points in (("touchStart", [{"x": x, "y": y}]), ("touchEnd", [])):
            self.browser.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        self.assertIn("epoch ", self.script(TIP) or "")

    def test_bars_are_the_metrics_of_the_model_and_of_every_rule(self):
        self.open(self.page)
        results = json.loads((self.run_folder / "results.json").read_text())
        expected = {results["model"]: results["test"]["accuracy"]}
        expected.update({name: rule["accuracy"] for name, rule in results["rules"].items()})
        bars = {bar["name"]: float(bar["value"]) for bar in self.marks("#metrics .bar")}
        self.assertEqual(bars, expected)
        self.assertEqual(self.count("#metrics tbody tr"), len(expected) + 1)  # and the validation set

    def test_the_confusion_matrix_counts_the_items_of_the_test_set(self):
        self.open(self.page)
        items = json.loads((self.run_folder / "splits/split.json").read_text())["test"]
        accuracy = json.loads((self.run_folder / "results.json").read_text())["test"]["accuracy"]
        cells = self.marks("#confusion .cell")
        self.assertEqual(len(cells), 4)
        self.assertEqual(sum(int(cell["value"]) for cell in cells), len(items))
        right = sum(int(cell["value"]) for cell in cells if cell["row"] == cell["column"])
        self.assertAlmostEqual(100 * right / len(items), accuracy)
        text = self.mouse("#confusion .cell", 1)
        self.assertEqual(text, f"{cells[1]['row']}, {cells[1]['column']}: {cells[1]['value']}")

    def test_worst_items_are_answered_as_gsan_predict_answers_them(self):
        self.open(self.page)
        predictions = {row["name"]: row for row in csv.DictReader(io.StringIO(self.gsan("predict", self.run_folder).stdout))}
        labels = (self.data / "labels.csv").read_text().split()[1:]
        rows = self.script("""return [...document.querySelectorAll('#worst tbody tr')].map(row =>
            [...row.children].map(cell => cell.textContent))""")
        items = json.loads((self.run_folder / "splits/split.json").read_text())["test"]
        self.assertEqual(len(rows), min(10, len(items)))
        losses = [float(row[-1]) for row in rows]
        self.assertEqual(losses, sorted(losses, reverse=True))
        for name, truth, answer, confidence, loss in rows:
            self.assertIn(int(name), items)
            self.assertEqual(truth, labels[int(name)])
            self.assertEqual(answer, predictions[name]["predicted"])
            self.assertAlmostEqual(float(confidence.split()[0]), 100 * float(predictions[name][f"p_{answer}"]), delta=0.1)
            self.assertAlmostEqual(float(loss), -math.log(float(predictions[name][f"p_{truth}"])), delta=1e-3)

    def test_the_copy_button_copies(self):
        self.open(self.page)
        self.script("""Object.defineProperty(navigator, 'clipboard', {value: {
            writeText: async text => { window.copied = text; }}})""")
        button = self.browser.find_element(By.CSS_SELECTOR, "#repeat button")
        button.click()
        end = time.monotonic() + 1.5  # the button says it for two seconds
        while button.text == "Copy" and time.monotonic() < end:
            time.sleep(0.02)
        self.assertEqual(button.text, "Copied")
        command = self.script("return document.querySelector('#repeat pre').textContent")
        self.assertTrue(command.startswith("gsan train "), command)
        self.assertEqual(self.script("return window.copied"), command)

    def test_labels_with_markup_run_nothing(self):
        data = self.own_data("<img src=x onerror=alert(1)>")
        labels = data / "labels.csv"
        labels.write_text(labels.read_text().replace("left", "<script>document.title='x'</script>"))
        run = self.folder / "odd"
        self.gsan(*self.training(data, output=run))
        self.gsan("report", run, "--output", self.folder / "odd.html")
        self.open(self.folder / "odd.html")
        self.assertNotEqual(self.browser.title, "x")
        self.assertEqual(self.count("main script, main img"), 0)
        rows = {cell["row"] for cell in self.marks("#confusion .cell")}
        self.assertIn("<script>document.title='x'</script>", rows)

    def test_several_runs_in_one_page(self):
        other = self.folder / "other"
        self.gsan(*self.training(self.data, "--seed", "1", output=other))
        self.gsan("report", self.run_folder, other, "--output", self.folder / "two.html")
        for size, scheme in FORMS:
            self.open(self.folder / "two.html", size, scheme)
            self.assert_no_sideways_scrolling()
        self.assertEqual(self.count("#comparison thead th"), 3)
        points = self.count('#curves .curve[data-name="other, train"] .point')
        self.assertEqual(points, 4)


class Tables(BrowserCase):
    def test_the_tables_of_the_paper(self):
        page = self.folder / "tables.html"
        self.gsan("report", "experiments/results", "--output", page, folder=ROOT)
        for size, scheme in FORMS:
            with self.subTest(size=size, scheme=scheme):
                self.open(page, size, scheme)
                self.assert_no_sideways_scrolling()
        self.open(page)
        self.assertGreater(self.count("td[data-tip]"), 100)
        self.script("document.querySelector('#trajectory-published td[data-tip]').focus()")
        self.assertIn("printed", self.script(TIP))


if __name__ == "__main__":
    unittest.main()
