"""Who may include whom (ARCHITECTURE.md): the includes of every source and the links of every
library must follow one table."""
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]

# folder → folders it may include (besides itself)
TABLE = {
    "core": set(),
    "topology": {"core"},
    "plot": {"core", "topology"},
    "ops": {"core"},
    "hodge": {"core", "topology", "ops"},
    "nn": {"core", "topology", "ops", "hodge"},
    "models": {"core", "topology", "ops", "hodge", "nn"},
    "laws": {"core", "topology", "hodge", "nn", "models"},
    "data/formats": {"core", "topology"},
    "data": {"core", "topology", "hodge", "data/formats", "data/fetch"},
    "data/fetch": {"core"},
    "tasks": {"core", "topology", "hodge", "nn", "models", "data"},
    "ranks": {"core"},
    "train": {"core", "ops", "nn", "models", "data", "ranks", "tasks"},
    "report": {"core", "tasks", "train"},
    "report/html": {"core", "topology", "plot", "hodge", "nn", "models", "data", "tasks", "train", "report"},
}
COMMAND_TABLE = {  # the same for apps/gsan
    "console": set(),
    "runner": {"console"},
    "bench": {"console", "runner"},
    "plots": {"console", "runner"},
    "commands": {"console", "runner", "bench", "plots"},
}
UMBRELLA = ROOT / "gsan/gsan.h"  # for consumers: no room's source includes it
TORCH_FREE = {"core", "topology", "plot", "data/formats", "data/fetch"}
TORCH_HEADER = re.compile(r"^(torch|ATen|c10|caffe2)/")
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)


def folder_of(path):
    """The longest folder of the table that holds `path` (relative to gsan/)."""
    parts = path.split("/")[:-1]
    for length in range(len(parts), 0, -1):
        name = "/".join(parts[:length])
        if name in TABLE:
            return name
    return None


def sources():
    found = (p for p in (ROOT / "gsan").rglob("*") if p.suffix in {".h", ".cpp", ".cu", ".cuh"})
    return sorted(p for p in found if p != UMBRELLA)


class IncludeTable(unittest.TestCase):
    def test_the_umbrella_shows_what_consumers_need_and_nothing_private(self):
        headers = INCLUDE.findall(UMBRELLA.read_text())
        for header in headers:
            self.assertTrue((ROOT / header).is_file(), header)
            self.assertNotIn("/detail/", header)
        rooms = {folder_of(header[len("gsan/"):]) for header in headers}
        self.assertLessEqual({"core", "topology", "data/formats", "hodge", "nn", "models", "laws", "tasks", "train"}, rooms)

    def test_private_headers_stay_in_their_room(self):
        faults = []
        for path in [*sources(), UMBRELLA]:
            relative = path.relative_to(ROOT / "gsan").as_posix()
            for header in INCLUDE.findall(path.read_text()):
                if header.startswith("gsan/") and "/detail/" in header:
                    public = path.suffix == ".h" and "/detail/" not in f"/{relative}"
                    if public or folder_of(header[len("gsan/"):]) != folder_of(relative):
                        faults.append(f"gsan/{relative} includes {header}, which is not installed")
        self.assertEqual(faults, [])

    def test_every_source_lies_in_a_folder_of_the_table(self):
        self.assertTrue(sources())
        for path in sources():
            relative = path.relative_to(ROOT / "gsan").as_posix()
            self.assertIsNotNone(folder_of(relative), f"{relative} is in no folder of the include table")

    def test_includes_follow_the_table(self):
        faults = []
        for path in sources():
            relative = path.relative_to(ROOT / "gsan").as_posix()
            folder = folder_of(relative)
            for header in INCLUDE.findall(path.read_text()):
                if header.startswith("gsan/"):
                    target = folder_of(header[len("gsan/"):])
                    if target != folder and target not in TABLE[folder]:
                        faults.append(f"gsan/{relative} includes {header}: {folder} may not include {target}")
                elif folder in TORCH_FREE and TORCH_HEADER.match(header):
                    faults.append(f"gsan/{relative} includes {header}: {folder} is free of torch")
        self.assertEqual(faults, [])

    def test_folders_of_the_command_follow_their_table(self):
        faults, seen = [], set()
        for folder, allowed in COMMAND_TABLE.items():
            for path in sorted((ROOT / "apps/gsan" / folder).iterdir()):
                for target in re.findall(r'#\s*include "apps/gsan/(\w+)/', path.read_text()):
                    seen.add(target)
                    if target != folder and target not in allowed:
                        faults.append(f"{folder}/{path.name} includes {target}")
        self.assertEqual(faults, [])
        self.assertEqual(seen, set(COMMAND_TABLE))

    def test_quoted_includes_start_at_the_root(self):
        for path in sources():
            for header in re.findall(r'^\s*#\s*include\s*"([^"]+)"', path.read_text(), re.MULTILINE):
                self.assertTrue(header.startswith("gsan/"), f"{path.name} includes {header}")

    def test_fmt_and_torch_never_meet_in_one_file(self):
        for path in sources():
            headers = INCLUDE.findall(path.read_text())
            if any(TORCH_HEADER.match(h) for h in headers):
                self.assertFalse([h for h in headers if h.startswith(("fmt/", "spdlog/"))], str(path))

    def test_links_follow_the_table(self):
        for folder, allowed in TABLE.items():
            text = (ROOT / "gsan" / folder / "CMakeLists.txt").read_text()
            links = set(re.findall(r"gsan::(\w+)", text))
            names = {name.split("/")[-1] for name in allowed}
            self.assertLessEqual(links, names, f"gsan/{folder}/CMakeLists.txt links more than it may include")

    def test_only_ops_chooses_by_device(self):
        asks = re.compile(r"is_cpu\(|is_cuda\(|is_meta\(|device\(\)\.(is_|type\()|device_type\(")
        faults = [f"{path.relative_to(ROOT)}: {line.strip()}" for path in sources()
                  if folder_of(path.relative_to(ROOT / "gsan").as_posix()) != "ops"
                  for line in path.read_text().splitlines() if asks.search(line)]
        self.assertEqual(faults, [], "above ops the dispatcher chooses: register the op for the device instead")

    def test_no_folder_is_called_utils(self):
        self.assertFalse([p for p in (ROOT / "gsan").rglob("util*")])


if __name__ == "__main__":
    sys.exit(unittest.main())
