"""gsan sweep: which trials there are, that they are ordinary runs, their ranking, and how it goes on."""
import csv
import json
import signal
import statistics
import time
import unittest

from command_case import ARGUMENT, FORMAT, IO
from training_case import INTERRUPTED, TrainingCase

RUN_FAILED = 8


class Sweep(TrainingCase):
    def setUp(self):
        super().setUp()
        self.data = self.own_data()
        self.output = self.folder / "sweep"

    def arguments(self, *more, epochs=2):
        return ["sweep", "trajectory", "--data", self.data, "--model", "san", "--output", self.output, "--quiet",
                "model.hidden_channels=4", "model.n_layers=1", "trajectory.batch_size=16", f"train.epochs={epochs}",
                *more]

    def sweep(self, *more, code=0, epochs=2):
        return self.report(*self.arguments(*more, epochs=epochs), code=code)

    def plan(self):
        return (self.output / "sweep.yaml").read_text()

    def test_a_grid_over_seeds(self):
        report = self.sweep("--grid", "train.optimizer.learning_rate=0.001,0.05", "--grid", "model.heads=1,2", "--seeds",
                            2, "--seed", 5)
        trials = report["trials"]
        self.assertEqual(len(trials), 4)
        self.assertEqual({tuple(t["keys"].values()) for t in trials},
                         {("0.001", "1"), ("0.001", "2"), ("0.05", "1"), ("0.05", "2")})
        better = 1 if report["more_is_better"] else -1
        means = [better * t["validation"]["mean"] for t in trials]
        self.assertEqual(means, sorted(means, reverse=True))
        for trial in trials:
            values = []
            for run in trial["runs"]:
                folder = self.output / trial["trial"] / f"seed-{run['seed']}"
                self.assertEqual(run["folder"], str(folder))
                record = json.loads((folder / "results.json").read_text())
                self.assertEqual(record["seed"], run["seed"])
                values.append(record["validation"][report["validation_metric"]])
            self.assertEqual([run["seed"] for run in trial["runs"]], [5, 6])
            self.assertEqual(trial["validation"]["values"], values)
            self.assertAlmostEqual(trial["validation"]["mean"], statistics.mean(values))
            self.assertAlmostEqual(trial["validation"]["sd"], statistics.stdev(values))
        self.assertEqual([t["rank"] for t in trials], [1, 2, 3, 4])
        with open(self.output / "ranking.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([row["trial"] for row in rows], [t["trial"] for t in trials])
        self.assertEqual([row["model.heads"] for row in rows], [t["keys"]["model.heads"] for t in trials])
        # A run of a sweep is a run like any other.
        self.gsan("eval", trials[0]["runs"][0]["folder"])

    def test_a_trial_is_the_run_that_train_makes(self):
        self.sweep("--grid", "model.heads=2", "--seed", 3, "--threads", 1)
        alone = self.folder / "alone"
        self.gsan("train", "trajectory", "--data", self.data, "--model", "san", "--seed", 3, "--threads", 1, "--quiet",
                  "model.hidden_channels=4", "model.n_layers=1", "trajectory.batch_size=16", "train.epochs=2",
                  "model.heads=2", "--output", alone)
        self.assert_same_run(self.output / "trial-0000/seed-3", alone)

    def test_without_keys_it_repeats_over_seeds(self):
        report = self.sweep("--seeds", 3, "--jobs", 2)
        (trial,) = report["trials"]
        self.assertEqual(trial["keys"], {})
        self.assertEqual(len(trial["test"]["values"]), 3)
        text = self.gsan(*self.arguments("--seeds", 3)).stdout
        self.assertIn("trial-0000", text)
        self.assertIn("+-", text)
        self.assertIn("the test part takes no part in the ranking", text)

    def test_draws_lie_in_their_ranges_and_more_of_them_keep_the_first(self):
        space = ["--random", "train.optimizer.learning_rate=1e-3..1e-1:log", "--random", "trajectory.batch_size=7..9",
                 "--random", "model.activation=tanh,relu", "--random", "model.attention_dropout=0..0.5"]
        first = self.sweep(*space, "--trials", 2)
        kept = {t["trial"]: t["keys"] for t in first["trials"]}
        stamp = (self.output / "trial-0000/seed-0/results.json").stat().st_mtime_ns
        more = self.sweep(*space, "--trials", 4)
        self.assertEqual(len(more["trials"]), 4)
        for trial in more["trials"]:
            keys = trial["keys"]
            self.assertTrue(1e-3 <= float(keys["train.optimizer.learning_rate"]) <= 1e-1)
            self.assertIn(keys["trajectory.batch_size"], ("7", "8", "9"))
            self.assertIn(keys["model.activation"], ("tanh", "relu"))
            self.assertTrue(0 <= float(keys["model.attention_dropout"]) <= 0.5)
            if trial["trial"] in kept:
                self.assertEqual(keys, kept[trial["trial"]])
        self.assertEqual((self.output / "trial-0000/seed-0/results.json").stat().st_mtime_ns, stamp)

    def test_lists_are_values(self):
        report = self.sweep("--grid", "model.widths=[4],[4,2]")
        self.assertEqual({t["keys"]["model.widths"] for t in report["trials"]}, {"[4]", "[4,2]"})

    def test_a_config_file_is_kept_with_the_sweep(self):
        config = self.write("base.yaml", "task: trajectory\nmodel:\n  name: san\n  hidden_channels: 4\n  n_layers: 1\n"
                                         "train:\n  epochs: 1\n")
        command = ["sweep", config, "--data", self.data, "--output", self.output, "--quiet", "--seeds"]
        self.gsan(*command, 1)
        self.write("base.yaml", "task: trajectory\n")
        self.assertIn("other content", self.gsan(*command, 1, code=ARGUMENT).stderr)
        report = self.report("sweep", "--output", self.output, "--resume", "--seeds", 2, "--quiet")
        self.assertEqual(len(report["trials"][0]["test"]["values"]), 2)
        self.assertIn("hidden_channels: 4", (self.output / "trial-0000/seed-1/config.yaml").read_text())

    def test_only_what_is_missing_is_run(self):
        whole = self.sweep("--grid", "model.heads=1,2", "--seeds", 2)
        stamps = {path: path.stat().st_mtime_ns for path in self.output.rglob("results.json")}
        (self.output / "trial-0001/seed-1/results.json").unlink()
        again = self.report("sweep", "--output", self.output, "--resume", "--quiet")
        for path, stamp in stamps.items():
            if "trial-0001/seed-1" not in str(path):
                self.assertEqual(path.stat().st_mtime_ns, stamp)
        for trial, before in zip(again["trials"], whole["trials"]):
            self.assertEqual(trial["validation"], before["validation"])
            self.assertEqual(trial["test"], before["test"])

    def test_the_seed_of_the_words_or_of_the_config_is_the_first(self):
        report = self.sweep("seed=5", "--seeds", 2)
        self.assertEqual([run["seed"] for run in report["trials"][0]["runs"]], [5, 6])
        config = self.write("base.yaml", "task: trajectory\nseed: 7\nmodel: {name: san, hidden_channels: 4, n_layers: 1}\n"
                                         "train: {epochs: 1}\n")
        command = ["sweep", config, "--data", self.data, "--quiet", "--output"]
        self.assertEqual(self.report(*command, "seven")["trials"][0]["runs"][0]["seed"], 7)
        self.assertEqual(self.report(*command, "eight", "--seed", 8)["trials"][0]["runs"][0]["seed"], 8)
        self.refused(ARGUMENT, *command, "none", "seed=x", says=["seed"])

    def test_a_damaged_record_is_a_failure_of_its_run(self):
        whole = self.sweep("--grid", "model.heads=1,2")
        damaged = self.output / "trial-0001/seed-0/results.json"
        damaged.write_text("{")
        report = self.sweep("--grid", "model.heads=1,2", code=RUN_FAILED)
        self.assertEqual([(t["trial"], t["rank"]) for t in report["trials"]], [("trial-0000", 1), ("trial-0001", None)])
        self.assertIn(str(damaged), report["trials"][1]["errors"][0])
        self.assertIn("remove this file", report["trials"][1]["errors"][0])
        damaged.unlink()
        again = self.sweep("--grid", "model.heads=1,2")
        self.assertEqual([t["test"] for t in again["trials"]], [t["test"] for t in whole["trials"]])

    def test_another_space_in_the_same_folder(self):
        self.sweep("--grid", "model.heads=1")
        before = self.plan()
        self.refused(ARGUMENT, *self.arguments("--grid", "model.heads=1,2"), says=["another sweep", "grid", "model.heads=1,2"])
        self.refused(ARGUMENT, *self.arguments("--grid", "model.heads=1", epochs=3), says=["train.epochs=3"])
        self.refused(ARGUMENT, *self.arguments("--grid", "model.heads=1", "--seed", 9), says=["seed"])
        self.assertEqual(self.plan(), before)

    def test_a_failing_trial_does_not_stop_the_others(self):
        report = self.sweep("--grid", "train.optimizer.learning_rate=0.01,1e30", "model.activation=identity",
                            code=RUN_FAILED)
        good, bad = report["trials"]
        self.assertEqual((good["rank"], good["keys"]["train.optimizer.learning_rate"]), (1, "0.01"))
        self.assertIsNone(bad["rank"])
        self.assertIn("exit code 7", bad["errors"][0])
        text = self.gsan("sweep", "--output", self.output, "--resume", "--quiet", code=RUN_FAILED).stdout
        self.assertIn(f"{bad['trial']}, seed 0: ", text)

    def test_mistakes_are_found_before_anything_runs(self):
        for more, says in ((["--grid", "model.hedas=1,2"], "model.heads"), (["--grid", "model.heads"], "key=values"),
                           (["--grid", "model.heads=1,x"], "model.heads"),
                           (["--random", "model.heads=1..3"], "--trials"), (["--trials", 3], "--random"),
                           (["--random", "model.heads=3..1", "--trials", 2], "smaller"),
                           (["--random", "model.dropout=0..1:log", "--trials", 2], "more than 0"),
                           (["--grid", "seed=1,2"], "--seeds"),
                           (["--grid", "model.heads=1,1"], "twice"),
                           (["--grid", "model.heads=1", "--grid", "model.heads=2"], "twice")):
            self.refused(ARGUMENT, *self.arguments(*more), says=[says])
        self.refused(ARGUMENT, "sweep", "--output", self.output, "--resume", says=["no sweep"])
        self.refused(ARGUMENT, "sweep", "--seeds", 3, "--output", self.output, says=["task"])
        self.write("file", "")
        self.refused(IO, "sweep", "trajectory", "--output", "file/sweep", says=["file/sweep"])

    def test_a_damaged_plan(self):
        self.output.mkdir()
        (self.output / "sweep.yaml").write_text("base: [trajectory\n")
        self.refused(FORMAT, "sweep", "--output", self.output, "--resume", says=["sweep.yaml"])
        (self.output / "sweep.yaml").write_text("bass: [trajectory]\n")
        self.refused(FORMAT, "sweep", "--output", self.output, "--resume", says=["sweep.yaml", "base"])

    def test_ctrl_c_saves_the_runs_and_the_sweep_goes_on(self):
        arguments = self.arguments("--grid", "model.heads=1,2", "--jobs", 2, "train.checkpoint_seconds=1000", epochs=300)
        process = self.start(*arguments)
        runs = [self.output / f"trial-000{i}/seed-0" for i in range(2)]
        for run in runs:
            self.wait_for(run / "metrics.jsonl", process)
        time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate()
        self.assertEqual(process.returncode, INTERRUPTED, errors)
        self.assertIn(f"resume with: gsan sweep --output {self.output} --resume", errors)
        stopped = [run for run in runs if not (run / "results.json").exists()]
        self.assertTrue(stopped)
        for run in stopped:
            self.assertEqual(json.loads((run / "manifest.json").read_text())["status"], "interrupted")
        report = self.report("sweep", "--output", self.output, "--resume", "--quiet")
        self.assertEqual([len(t["test"]["values"]) for t in report["trials"]], [1, 1])
        whole = self.folder / "whole"
        self.gsan(*[whole if word == self.output else word for word in arguments])
        for run in runs:
            self.assert_same_run(run, whole / run.relative_to(self.output))

    def test_another_sweep_in_the_folder(self):
        import fcntl
        self.sweep("--seeds", 1)
        with open(self.output / ".lock") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self.assertIn("another process", self.gsan(*self.arguments("--seeds", 2), code=ARGUMENT).stderr)


if __name__ == "__main__":
    unittest.main()
