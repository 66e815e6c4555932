"""Every kind of `gsan plot` in a browser: it opens without complaint or request, and shows as many elements as it has data."""
import csv
import io
import re
import subprocess
import unittest
from xml.etree import ElementTree

from browser_case import DESKTOP, PHONE, BrowserCase
from command_case import BINARY

HELP = subprocess.run([BINARY, "plot", "--help"], capture_output=True, text=True)


def kinds():
    """The sub-commands of `gsan plot`; none where there is no such command."""
    if HELP.returncode != 0 or "Subcommands:" not in HELP.stdout:
        return []
    return re.findall(r"^  (\w+) {2,}", HELP.stdout[HELP.stdout.index("Subcommands:"):], re.MULTILINE)


def edges(case, *_):
    return case.report("inspect", "--example", "annulus")["orders"][1]["count"]


def metrics(case, run):
    """The numbers of metrics.csv, without the learning rate."""
    rows = list(csv.DictReader(io.StringIO((run / "metrics.csv").read_text())))
    return sum(1 for row in rows for name, value in row.items() if name not in ("epoch", "learning_rate") and value)


# A kind of picture is one line: its arguments ({run} is a trained run, {sweep} a sweep), the elements that show its data (a CSS
# selector), and how many there must be: a number, a function of the test, or None for at least one.
PICTURES = {
    "complex": ("--example annulus", ".edge", edges),
    "decomposition": ("--example annulus", ".edge", lambda case, *_: 4 * edges(case)),
    "eigenvectors": ("--example annulus --order 1 --count 2", ".edge", lambda case, *_: 2 * edges(case)),
    "spectrum": ("--example annulus --order 1", ".point", edges),
    "response": ("{run}", ".point", None),
    "attention": ("{run}", ".bin", None),
    "curves": ("{run}", ".point", metrics),
    "confusion": ("{run}", ".cell", 4),
    "sweep": ("{sweep}", ".point", None),
}


class Pictures(BrowserCase):
    def setUp(self):
        super().setUp()
        if not kinds():
            self.skipTest("this gsan has no command plot")
        self.names = {}

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

    def draw(self, kind):
        words = [self.place(word[1:-1]) if word.startswith("{") else word for word in PICTURES[kind][0].split()]
        picture = self.folder / f"{kind}.svg"
        self.gsan("plot", kind, *words, "--output", picture)
        return picture

    def test_every_kind_has_a_line_here(self):
        self.assertEqual([kind for kind in kinds() if kind not in PICTURES], [])

    def test_every_kind_opens_alone_in_light_and_dark(self):
        for kind in kinds():
            with self.subTest(kind):
                picture = self.draw(kind)
                document = ElementTree.parse(picture)
                self.assertLess(picture.stat().st_size, 5_000_000)
                for size, scheme in ((DESKTOP, "light"), (DESKTOP, "dark"), (PHONE, "light")):
                    self.open(picture, size, scheme)
                    self.assertEqual(self.script("return document.documentElement.nodeName"), "svg")
                _, selector, number = PICTURES[kind]
                drawn = self.count(selector)
                self.assertGreater(drawn, 0, selector)
                if number is not None:
                    self.assertEqual(drawn, number(self, self.names.get("run")) if callable(number) else number)
                # What the browser shows is what is in the file.
                total = sum(1 for _ in document.iter())
                self.assertEqual(self.script("return document.querySelectorAll('*').length"), total)

    def test_the_style_of_a_picture_follows_the_scheme(self):
        kind = kinds()[0]
        picture = self.draw(kind)
        papers = []
        for scheme in ("light", "dark"):
            self.open(picture, DESKTOP, scheme)
            papers.append(self.script("return getComputedStyle(document.querySelector('.paper')).fill"))
        self.assertNotEqual(*papers)


if __name__ == "__main__":
    unittest.main()
