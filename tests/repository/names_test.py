"""The name of a dataset is a string in its own room, its entry of the catalog, recipes and experiments, tests and docs:
nothing else asks which dataset it works on (CONTRIBUTING.md, "Add a dataset")."""
import json
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = ROOT / "gsan" / "data" / "sources"
HELPERS = {"catalog_files", "registry"}  # of every source

# Folders whose files may not name a dataset, and the words that mean something else in a line.
SCANNED = ("gsan", "apps", "bindings")
OTHER_MEANINGS = {
    "citation": re.compile(r'\.citation\b|\["citation"\]|"equation"'),  # what to cite
}

# Files that still name datasets; this list only gets shorter.
NOT_YET = {
    "make_task.cpp", "trajectory.cpp", "imputation.cpp", "simplex_prediction.cpp", "starting_values.cpp",
    "bench_layer.cpp", "bench_memory.cpp", "bench_train.cpp", "paper_figures.cpp", "reproduce_flaw_measures.cpp",
    "datasets.py", "bind_tasks.cpp",
}


def rows():
    """The rows of the registry."""
    return re.findall(r"^  row\((\w+)\)", (SOURCES / "registry.cpp").read_text(), re.MULTILINE)


def catalog():
    return json.loads((ROOT / "gsan/data/fetch/catalog.json").read_text())["datasets"]


def rooms():
    """Dataset → the stem of its files in gsan/data/sources. `own` is every user's data, and a common word."""
    all_rooms = {name: name for name in rows() if name not in {"own", "tu"}}
    for dataset in catalog():
        all_rooms[dataset["name"]] = "tu" if dataset["folder"].startswith("tu/") else dataset["name"]
    return all_rooms


def code_files():
    for folder in SCANNED:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in {".h", ".cpp", ".py", ".in"}:
                yield path


def literals_of(name, text):
    """Lines of `text`, without comments, in which the name is a whole string; upper or lower case is one name."""
    literal = re.compile(rf"""(["']){name}\1""", re.IGNORECASE)
    other = OTHER_MEANINGS.get(name)
    return [number for number, line in enumerate(text.splitlines(), 1)
            if literal.search(re.sub(r"(^|\s)(//|#).*", "", line)) and not (other and other.search(line))]


class Names(unittest.TestCase):
    def test_every_file_of_a_source_has_its_row(self):
        files = {path.stem for path in SOURCES.glob("*.cpp")} - HELPERS
        self.assertEqual(sorted(files), sorted(rows()))

    def test_every_public_dataset_has_a_room(self):
        for dataset in catalog():
            self.assertIn(rooms()[dataset["name"]], rows(), f"{dataset['name']} of catalog.json has no source")

    def test_every_public_dataset_is_on_its_page(self):
        page = (ROOT / "docs/data.md").read_text()
        for dataset in catalog():
            self.assertIn(f"\n| `{dataset['name']}` | ", page.split("## ")[0], "a row of the table is missing")

    def test_a_name_is_a_string_in_its_own_room_only(self):
        found = {}
        for path in code_files():
            relative = path.relative_to(ROOT).as_posix()
            text = path.read_text()
            for name, room in rooms().items():
                if path.parent == SOURCES and path.stem == room:
                    continue
                for line in literals_of(name, text):
                    found.setdefault(path.name, []).append(f"{relative}:{line}: \"{name}\"")
        faults = [place for file, places in found.items() if file not in NOT_YET for place in places]
        self.assertEqual(faults, [], "a dataset is named outside of its room")
        self.assertEqual(sorted(NOT_YET - set(found)), [], "these name no dataset any more: take them off the list")

    def test_a_name_in_quotes_is_found(self):
        self.assertEqual(literals_of("flow", 'x\nif (name == "Flow")\n// "flow"\n"flow field"'), [2])
        self.assertEqual(literals_of("citation", '{"citation", entry.citation}\nopen("citation")'), [2])


if __name__ == "__main__":
    sys.exit(unittest.main())
