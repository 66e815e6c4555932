"""The name of a dataset, task or backbone is a string in its own room, its row of a registry or catalog, recipes and
experiments, tests and docs: nothing else asks which one it works on (CONTRIBUTING.md)."""
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
    "mlp": re.compile("register_module|stream_from_torch"),  # a part of other modules
}

# Like experiments, benchmarks are run on named data and tasks.
FREE = ("apps/gsan/bench/", "bindings/python/gsan/nn/presets.py")  # the latter is made of the rows

# Files that still name datasets; this list only gets shorter.
NOT_YET = {"datasets.py"}

TASKS = ROOT / "gsan" / "tasks"
BACKBONES = ROOT / "gsan" / "models" / "backbones.def"


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


def tasks():
    """Task → its folder: every folder of gsan/tasks with a kind.cpp."""
    return {re.search(r'\.name = "([\w-]+)"', path.read_text())[1]: path.parent for path in sorted(TASKS.glob("*/kind.cpp"))}


def backbones():
    """Names of the models beside the simplicial layer, from the rows of their registry."""
    return re.findall(r"^GSAN_BACKBONE\((\w+),", BACKBONES.read_text(), re.MULTILINE)


def code_files():
    for folder in SCANNED:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in {".h", ".cpp", ".py", ".in"} and not path.relative_to(ROOT).as_posix().startswith(FREE):
                yield path


def literals_of(name, text):
    """Lines of `text`, without comments, in which the name is a whole string; upper or lower case is one name."""
    literal = re.compile(rf"""(["']){name}\1""", re.IGNORECASE)
    other = OTHER_MEANINGS.get(name)
    return [number for number, line in enumerate(text.splitlines(), 1)
            if literal.search(re.sub(r"(^|\s)(//|#|>>>|\.\.\. ).*", "", line)) and not (other and other.search(line))]


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

    def test_a_task_is_named_in_its_own_folder_only(self):
        self.assertIn("trajectory", tasks())
        faults = []
        for path in code_files():
            for name, folder in tasks().items():
                if path.parent != folder:
                    faults += [f"{path.relative_to(ROOT)}:{line}: {name}" for line in literals_of(name, path.read_text())]
        self.assertEqual(faults, [], "a task is named outside of its room")

    def test_every_task_has_its_line_its_recipe_and_its_page(self):
        registry, page = (TASKS / "tasks.def").read_text(), (ROOT / "docs/tasks.md").read_text()
        for name, folder in tasks().items():
            self.assertIn(f"\nGSAN_TASK({folder.name})\n", registry)
            self.assertTrue((ROOT / "recipes" / f"{name}.yaml").exists(), f"recipes/{name}.yaml is missing")
            self.assertIn(name, page)

    def test_a_backbone_is_named_in_its_row_only(self):
        self.assertIn("mpsn", backbones())
        faults = []
        for path in code_files():
            for name in backbones():
                if path.parent != BACKBONES.parent / "backbones":
                    faults += [f"{path.relative_to(ROOT)}:{line}: {name}" for line in literals_of(name, path.read_text())]
        self.assertEqual(faults, [], "a backbone is named outside of its row")

    def test_a_name_in_quotes_is_found(self):
        self.assertEqual(literals_of("flow", 'x\nif (name == "Flow")\n// "flow"\n"flow field"'), [2])
        self.assertEqual(literals_of("citation", '{"citation", entry.citation}\nopen("citation")'), [2])


if __name__ == "__main__":
    sys.exit(unittest.main())
