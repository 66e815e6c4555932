"""Trainings of a second: a ring with a hole, walks that pass it on one side or the other."""
import json
import pathlib
import random
import struct
import subprocess
import time

from command_case import BINARY, ENVIRONMENT, CommandCase

INTERRUPTED = 130
RINGS = 8  # vertices of the inner and of the outer ring


def ring_triangles():
    """An annulus: vertex i of the inner ring is i, of the outer one RINGS + i."""
    triangles = []
    for i in range(RINGS):
        j = (i + 1) % RINGS
        triangles += [(i, j, RINGS + i), (j, RINGS + i, RINGS + j)]
    return triangles


def walk(generator, clockwise):
    """From vertex 0 half around the hole, changing between the rings now and then."""
    path, inner = [0], True
    for step in range(1, RINGS // 2 + 1):
        i = -step % RINGS if clockwise else step
        path.append(i if inner else RINGS + i)
        if generator.random() < 0.3:
            inner = not inner
            path.append(i if inner else RINGS + i)
    return path


def tensors_of(path):
    """Names, shapes and bytes of a safetensors file; an exception where the file is not whole."""
    content = pathlib.Path(path).read_bytes()
    (length,) = struct.unpack("<Q", content[:8])
    header = json.loads(content[8:8 + length].decode())
    data = content[8 + length:]
    header.pop("__metadata__", None)
    spans = sorted(entry["data_offsets"] for entry in header.values())
    assert [0] + [end for _, end in spans] == [begin for begin, _ in spans] + [len(data)], f"{path} has gaps"
    return {name: (entry["dtype"], entry["shape"], data[slice(*entry["data_offsets"])])
            for name, entry in header.items()}


class TrainingCase(CommandCase):
    def own_data(self, name="walks", signals=40, seed=1):
        """A folder of own data: paths on the annulus, labelled by their side."""
        folder = self.folder / name
        folder.mkdir()
        generator = random.Random(seed)
        sides = [i % 2 == 1 for i in range(signals)]
        (folder / "complex.txt").write_text("".join(" ".join(map(str, t)) + "\n" for t in ring_triangles()))
        (folder / "paths.csv").write_text("".join(",".join(map(str, walk(generator, side))) + "\n" for side in sides))
        (folder / "labels.csv").write_text("label\n" + "".join(("left\n" if side else "right\n") for side in sides))
        return folder

    def training(self, data, *more, epochs=4, output=None, model="san"):
        """Arguments of a small training on a folder of own data."""
        arguments = ["train", "trajectory", "--data", str(data), "--model", model, "--threads", "1", "--quiet",
                     "model.hidden_channels=4", "model.n_layers=1", "trajectory.batch_size=8",
                     "train.optimizer.learning_rate=0.01", f"train.epochs={epochs}", *map(str, more)]
        return arguments + (["--output", str(output)] if output else [])

    def start(self, *arguments):
        process = subprocess.Popen([BINARY, *map(str, arguments)], cwd=self.folder,
                                   env={**ENVIRONMENT, **self.environment}, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def wait_for(self, path, process, seconds=60):
        """Until the file exists or the process has ended."""
        end = time.monotonic() + seconds
        while not pathlib.Path(path).exists() and process.poll() is None and time.monotonic() < end:
            time.sleep(0.002)

    def checkpoints(self, run):
        """Every checkpoint of the run, which no process is writing to, is whole."""
        return {path.name: tensors_of(path) for path in sorted((run / "checkpoints").glob("*.safetensors*"))
                if not path.name.endswith(".tmp")}

    def results(self, run):
        """results.json without what a clock measured."""
        record = json.loads((run / "results.json").read_text())
        return {name: value for name, value in record.items() if name not in ("seconds", "epoch_seconds")}

    SAME_FILES = ("config.yaml", "metrics.jsonl", "metrics.csv", "checkpoints/best.safetensors",
                  "checkpoints/last.safetensors")

    def assert_same_run(self, one, other):
        for name in self.SAME_FILES:
            self.assertEqual((one / name).read_bytes(), (other / name).read_bytes(), name)
        splits = sorted(path.name for path in (one / "splits").iterdir())
        self.assertTrue(splits)
        for name in splits:
            self.assertEqual((one / "splits" / name).read_bytes(), (other / "splits" / name).read_bytes(), name)
        self.assertEqual(self.results(one), self.results(other))
