"""Every kind of `gsan plot` in a browser: it opens without complaint or request, and shows as many elements as it has data."""
import collections
import csv
import io
import json
import pathlib
import re
import subprocess
import unittest
from xml.etree import ElementTree

from browser_case import DESKTOP, PHONE, BrowserCase
from command_case import BINARY

# A filled triangle and a hollow one, with a flow; the edge 2 0 is listed against its order.
COMPLEX = "0 1\n1 2\n2 0\n2 3\n1 3\n0 1 2\n"
FLOW = "flow\n1\n-2\n3\n0.25\n5\n"


def kinds():
    """The sub-commands of `gsan plot`."""
    words = subprocess.run([BINARY, "plot", "--help"], capture_output=True, text=True, check=True).stdout
    return re.findall(r"^  (\w+) {2,}", words[words.index("Subcommands:"):], re.MULTILINE)


def edges(case, _):
    return case.report("inspect", "--example", "annulus")["orders"][1]["count"]


def metrics(run):
    """The numbers of metrics.csv without the learning rate: (metric, epoch from 1, value)."""
    rows = list(csv.DictReader(io.StringIO((run / "metrics.csv").read_text())))
    return sorted((name, int(row["epoch"]), float(value)) for row in rows for name, value in row.items()
                  if name not in ("epoch", "learning_rate") and value)


# A kind of picture is one line: its arguments ({run} is a trained run, {sweep} a sweep, {complex} a file), the elements that
# show its data (a CSS selector), and how many there must be: a function of the test and of what the command reports.
PICTURES = {
    "complex": ("--example annulus", ".edge", edges),
    "decomposition": ("--example annulus", ".edge", lambda case, _: 4 * edges(case, _)),
    "eigenvectors": ("--example annulus --order 1 --count 2", ".edge", lambda case, _: 2 * edges(case, _)),
    "spectrum": ("{complex} --order 1", ".point", lambda *_: 5),
    "response": ("{run}", ".point",
                 lambda _, report: sum(gain is not None for term in report["terms"] for gain in term["gain"])),
    "attention": ("{run} --bins 7", ".bin", lambda _, report: 7 * len(report["operators"])),
    "curves": ("{run}", ".point", lambda case, _: len(metrics(case.names["run"]))),
    "confusion": ("{run}", ".cell", lambda *_: 4),
    # A dot for each run, and one for the mean of each trial.
    "sweep": ("{sweep}", ".point", lambda _, report: sum(len(trial["results"]) + 1 for trial in report["trials"])),
}


class Pictures(BrowserCase):
    def setUp(self):
        super().setUp()
        self.names = {"complex": pathlib.Path(self.write("complex.txt", COMPLEX))}

    def place(self, name):
        """A run or a sweep, made when a picture asks for it."""
        if name not in self.names:
            data = self.folder / "walks"
            if not data.exists():
                self.own_data()
            arguments = self.training(data, epochs=3, output=self.folder / name)
            if name == "sweep":
                arguments = ["sweep", *arguments[1:], "--grid", "model.hidden_channels=2,4", "--jobs", "1"]
            self.gsan(*arguments)
            self.names[name] = self.folder / name
        return str(self.names[name])

    def draw(self, kind, *more):
        """The picture and what the command reports about it."""
        words = [self.place(word[1:-1]) if word.startswith("{") else word for word in PICTURES[kind][0].split()]
        picture = self.folder / f"{kind}.svg"
        return picture, self.report("plot", kind, *words, *more, "--output", picture)

    def titles(self, selector):
        """The tooltips of every element of the selector."""
        return self.script("""return [...document.querySelectorAll(arguments[0])].map(
            mark => mark.querySelector('title').textContent)""", selector)

    def assert_titles_end_with_values(self, selector, values):
        """Tooltips have five digits."""
        for title, value in zip(self.titles(selector), values, strict=True):
            self.assertAlmostEqual(float(re.split("[:,] ", title)[-1]), value, delta=1e-4 * abs(value))

    def test_every_kind_has_a_line_here(self):
        self.assertEqual(set(kinds()), set(PICTURES))

    def test_edges_have_the_values_of_the_signal_in_the_orientation_of_sorted_vertices(self):
        picture = self.folder / "flow.svg"
        self.gsan("plot", "complex", self.names["complex"], "--signal", self.write("flow.csv", FLOW), "--output", picture)
        self.open(picture)
        marks = self.marks(".edge[data-value]")
        values = {mark["simplex"]: float(mark["value"]) for mark in marks}
        self.assertEqual(values, {"0 1": 1, "1 2": -2, "0 2": -3, "2 3": 0.25, "1 3": 5})
        self.assertEqual(self.titles(".edge[data-value]"), [f"{mark['simplex']}: {mark['value']}" for mark in marks])

    def test_points_of_curves_are_the_numbers_of_the_metrics_file(self):
        picture, _ = self.draw("curves")
        self.open(picture)
        points = self.script("""return [...document.querySelectorAll('.point')].map(
            point => [point.closest('.curve').dataset.name, +point.dataset.x, +point.dataset.y])""")
        self.assertEqual(sorted(map(tuple, points)), metrics(self.names["run"]))
        self.assert_titles_end_with_values(".point", [y for *_, y in points])

    def test_cells_count_what_gsan_predict_answers(self):
        picture, _ = self.draw("confusion")
        run = self.names["run"]
        items = json.loads((run / "splits/split.json").read_text())["test"]
        labels = (self.folder / "walks/labels.csv").read_text().split()[1:]
        answers = {row["name"]: row["predicted"] for row in csv.DictReader(io.StringIO(self.gsan("predict", run).stdout))}
        expected = collections.Counter((labels[item], answers[str(item)]) for item in items)
        self.open(picture)
        cells = self.marks(".cell")
        self.assertEqual({(cell["row"], cell["column"]) for cell in cells}, {(a, b) for a in set(labels) for b in set(labels)})
        for cell, title in zip(cells, self.titles(".cell"), strict=True):
            count = expected[cell["row"], cell["column"]]
            self.assertEqual(float(cell["value"]), count)
            self.assertEqual(title, f"{cell['row']}, {cell['column']}: {count}")

    def test_every_kind_opens_alone_in_light_and_dark(self):
        for kind in kinds():
            with self.subTest(kind):
                picture, report = self.draw(kind)
                document = ElementTree.parse(picture)
                self.assertLess(picture.stat().st_size, 5_000_000)
                for size, scheme in ((DESKTOP, "light"), (DESKTOP, "dark"), (PHONE, "light")):
                    self.open(picture, size, scheme)
                    self.assertEqual(self.script("return document.documentElement.nodeName"), "svg")
                _, selector, number = PICTURES[kind]
                expected = number(self, report)
                self.assertGreater(expected, 0)
                self.assertEqual(self.count(selector), expected)
                # What the browser shows is what is in the file.
                total = sum(1 for _ in document.iter())
                self.assertEqual(self.script("return document.querySelectorAll('*').length"), total)

    def test_the_style_of_a_picture_follows_the_scheme(self):
        picture, _ = self.draw("complex")
        papers = []
        for scheme in ("light", "dark"):
            self.open(picture, DESKTOP, scheme)
            papers.append(self.script("return getComputedStyle(document.querySelector('.paper')).fill"))
        self.assertNotEqual(*papers)


if __name__ == "__main__":
    unittest.main()
