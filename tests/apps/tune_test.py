"""experiments/tune.py and scripts/merge_records.py: trials of other sittings and machines are kept, and chosen from."""
import csv
import json
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
# In the place of `gsan sweep`: eight trials, two of them of equal accuracy, the test part being the best where validation is worst.
SWEEP = """#!{python}
import json, pathlib, sys
words = sys.argv[1:]
folder = pathlib.Path(words[words.index("--output") + 1])
keys = [axis.split("=")[0] for axis in words if axis.startswith(("train.optimizer", "model.hidden", "model.n_layers"))]
failed = "model.name=gat" in words
lines = ["rank,trial," + ",".join(keys) + ",validation_mean,validation_sd,validation_values,test_mean"]
for rank in range(1, 9):
    run = folder / f"trial-{{rank:04}}/seed-100"
    run.mkdir(parents=True, exist_ok=True)
    accuracy = 70.0 if rank < 3 else 60.0
    (run / "results.json").write_text(json.dumps({{"validation": {{"accuracy": accuracy, "loss": 1 / rank}}}}))
    shown = "" if failed and rank == 8 else rank
    lines.append(f"{{shown}},trial-{{rank:04}}," + ",".join([str(rank)] * len(keys)) + f",{{accuracy}},,{{accuracy}},{{rank}}")
(folder / "ranking.csv").write_text("\\n".join(lines) + "\\n")
sys.exit(8 if failed else 9 if "model.name=mpsn" in words else 0)
"""


class Tune(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="gsan-tune-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.sweep = self.folder / "sweep"
        self.sweep.write_text(SWEEP.format(python=sys.executable))
        self.sweep.chmod(0o755)
        self.here = self.copy("here")

    def copy(self, name):
        """A repository with the plan and nothing tuned."""
        root = self.folder / name
        for part in ("searches", "strict/tuned", "results"):
            (root / "experiments" / part).mkdir(parents=True)
        (root / "scripts").mkdir()
        for file in ("experiments/tune.py", "experiments/tables.json", "scripts/merge_records.py"):
            shutil.copy(ROOT / file, root / file)
        return root

    def tune(self, root, only, *more, code=0):
        done = subprocess.run([sys.executable, root / "experiments/tune.py", "--gsan", self.sweep, "--tables", "graph-classification", "--only", only,
                               "--sweeps", self.folder / "sweeps" / root.name, *map(str, more)], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stdout + done.stderr

    def tuned(self, root):
        return (root / "experiments/strict/tuned/graph-classification.yaml").read_text()

    def trials(self, root):
        with open(root / "experiments/searches/strict_graph-classification.csv", newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def test_of_equal_trials_the_smaller_loss_is_chosen_and_no_test_number_is_kept(self):
        self.tune(self.here, "^gin proteins")
        self.assertIn("{model: gin, data: proteins}\n    train.optimizer.learning_rate: 2\n", self.tuned(self.here))
        trials = self.trials(self.here)
        self.assertEqual([trial["model.n_layers"] for trial in trials], ["2", "1", "8", "7", "6", "5", "4", "3"])
        self.assertFalse([name for name in trials[0] if "test" in name])

    def test_models_are_tuned_once_and_listed(self):
        self.tune(self.here, "^gin", "--jobs", 16)
        self.assertEqual(self.tune(self.here, "^gin"), "")
        self.assertIn("'sat'", self.tune(self.here, "^(gin|sat) nci1"))
        self.assertEqual(self.tune(self.here, "", "--list"), "PROTEINS\tGIN\nNCI1\tGIN;SAT\n")

    def test_a_model_with_a_failed_trial_stays_untuned_and_a_failed_sweep_loses_nothing(self):
        self.assertIn("1 trials failed", self.tune(self.here, "^(gin|gat) proteins"))
        self.assertEqual({trial["model"] for trial in self.trials(self.here)}, {"gin"})
        self.assertIn("ended with code 9", self.tune(self.here, "^(mpsn|sat) proteins", code=1))
        self.assertEqual({trial["model"] for trial in self.trials(self.here)} - {"sat"}, {"gin"})

    def test_trials_of_another_machine_are_added_and_never_replace_others(self):
        there = self.copy("there")
        self.tune(there, "^sat proteins")
        self.tune(self.here, "^gin proteins")
        archive = self.folder / "records.tar.gz"
        record = {"config": "a.yaml", "protocol": "strict", "set": [], "seed": 0, "commit": "1"}
        (self.folder / "graph-classification.jsonl").write_text(json.dumps(record) + "\n")
        with tarfile.open(archive, "w:gz") as tar:
            tar.add(there / "experiments/searches/strict_graph-classification.csv", "trials/strict_graph-classification.csv")
            tar.add(self.folder / "graph-classification.jsonl", "gpu/graph-classification.jsonl")
        merge = [sys.executable, self.here / "scripts/merge_records.py", archive]
        for new in (8, 0):
            done = subprocess.run(merge, capture_output=True, text=True, check=True)
            self.assertIn(f"strict_graph-classification.csv: {new} trials", done.stdout)
        self.assertEqual([trial["model"] for trial in self.trials(self.here)], ["gin"] * 8 + ["sat"] * 8)
        self.assertIn("model: sat", self.tuned(self.here))
        self.assertEqual(json.loads((self.here / "experiments/results/graph-classification.jsonl").read_text()), record)
        file = there / "experiments/searches/strict_graph-classification.csv"
        file.write_text(file.read_text().replace("proteins,sat,2,2,1,2,2", "proteins,sat,4,2,1,2,2"))
        done = subprocess.run([sys.executable, self.here / "experiments/tune.py", "--take", file], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("other trials of {'model': 'sat', 'data': 'proteins'}", done.stderr)


if __name__ == "__main__":
    unittest.main()
