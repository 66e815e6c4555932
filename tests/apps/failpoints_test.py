"""Every point at which the system may say no (core/failpoint.h) says no once: the error is named, nothing is half
written, and what is started again ends with the same bits.

A few hits of every point are tried; with GSAN_FAULTS=all every one.
"""
import os
import shutil
import unittest

from command_case import RESOURCE, IO
from data_case import CONTENT, HAS_CURL, TEXTS, ServedCase
from training_case import TrainingCase

RUN_FAILED = 8
ALL = os.environ.get("GSAN_FAULTS") == "all"


class Failpoints:
    """Of a case with a command: which points it reaches, and the same command with one of them failing."""

    def points_of(self, *arguments):
        """The names of the points that the command and its processes reach, in order. It must succeed."""
        run = self.logged(arguments)
        self.assertEqual(run.returncode, 0, run.stderr)
        if not self.log.exists():
            self.skipTest("this gsan was built without failpoints (GSAN_TESTS=OFF)")
        return self.log.read_text().split()

    def logged(self, arguments, **variables):
        self.log = self.folder / "points.log"
        self.log.unlink(missing_ok=True)
        before = self.environment
        self.environment = {**before, "GSAN_FAILPOINT_LOG": str(self.log), **variables}
        try:
            return self.gsan(*arguments, code=None)
        finally:
            self.environment = before

    def chosen(self, points, most=14):
        """The numbers of the hits to fail: the first and the last of every point, and some between."""
        if ALL:
            return list(range(1, len(points) + 1))
        ends = {points.index(name) + 1 for name in points} | {len(points) - points[::-1].index(name) for name in points}
        step = max(1, len(points) // most)
        return sorted(ends | set(range(1, len(points) + 1, step)))

    def fail_at(self, number, point, *arguments):
        """The command, whose `number`-th point fails: an error with a reason, or a success despite it."""
        run = self.logged(arguments, GSAN_FAILPOINT=str(number))
        self.assertIn(run.returncode, (0, RESOURCE, IO, RUN_FAILED), f"hit {number}, {point}: {run.stderr}")
        if run.returncode != 0:
            # The runs of a sweep that failed are part of its result.
            told = run.stdout if run.returncode == RUN_FAILED else run.stderr
            self.assertTrue(run.returncode == RUN_FAILED or told.startswith("gsan: "), told)
            self.assertTrue("No space left" in told or "memory" in told, f"hit {number}, {point}: {told}")
        self.assertEqual([path for path in self.folder.rglob("*.tmp")], [], f"hit {number}, {point}")
        return run


class Training(Failpoints, TrainingCase):
    SETTINGS = ("train.checkpoint_seconds=0", "model.attention_dropout=0.2", "--seed", 3)

    def test_a_training_that_failed_anywhere_resumes_to_the_same_bits(self):
        data = self.own_data()
        whole = self.folder / "whole"
        words = lambda output: self.training(data, *self.SETTINGS, epochs=2, output=output)
        points = self.points_of(*words(whole))
        self.assertLessEqual({"atomic_file.open", "atomic_file.write", "atomic_file.sync", "atomic_file.rename", "make_folder",
                              "append_file.write", "checkpoint.rename", "run_folder.lock", "train.step"}, set(points))
        failed = 0
        for number in self.chosen(points):
            run = self.folder / f"run{number}"
            failed += self.fail_at(number, points[number - 1], *words(run)).returncode != 0
            if (run / "manifest.json").exists():
                again = self.gsan("train", "--resume", run, "--threads", 1, "--quiet", code=None)
            else:
                again = self.gsan(*words(run), code=None)
            self.assertEqual(again.returncode, 0, f"hit {number}, {points[number - 1]}: {again.stderr}")
            self.assert_same_run(whole, run)
            shutil.rmtree(run)
        self.assertGreater(failed, 8)
        print(f"training: {len(self.chosen(points))} of {len(points)} hits of {len(set(points))} points failed, {failed} of them ended it")

    def test_a_sweep_that_failed_anywhere_ends_the_same_when_started_again(self):
        data = self.own_data()
        words = lambda output: ["sweep", "trajectory", "--data", data, "--model", "san", "--output", output, "--quiet",
                                "model.hidden_channels=4", "model.n_layers=1", "trajectory.batch_size=16", "train.epochs=1",
                                "--grid", "model.heads=1,2", "--threads", 1, "--jobs", 1]
        whole = self.folder / "whole"
        points = self.points_of(*words(whole))
        numbers, tried = self.chosen(points, most=3), 0
        for number in numbers if ALL else numbers[::max(1, len(numbers) // 6)]:
            output = self.folder / f"sweep{number}"
            self.fail_at(number, points[number - 1], *words(output))
            self.gsan(*words(output))
            ranking = lambda folder: (folder / "ranking.csv").read_text().replace(str(folder), "")
            self.assertEqual(ranking(whole), ranking(output))
            for trial in ("trial-0000/seed-0", "trial-0001/seed-0"):
                self.assert_same_run(whole / trial, output / trial)
            shutil.rmtree(output)
            tried += 1
        print(f"sweep: {tried} of {len(points)} hits of {len(set(points))} points failed")


@unittest.skipUnless(HAS_CURL, "this gsan was built without libcurl")
class Download(Failpoints, ServedCase):
    def test_a_download_that_failed_anywhere_is_complete_when_started_again(self):
        words = self.arguments("big", "texts")
        points = self.points_of(*words)
        numbers = self.chosen(points, most=4)
        print(f"download: {len(numbers)} of {len(points)} hits of {len(set(points))} points fail")
        for number in numbers:
            home = self.folder / f"home{number}"
            self.environment["GSAN_HOME"] = str(home)
            self.fail_at(number, points[number - 1], *words)
            for path in home.rglob("*"):  # what has its name is whole
                if path.is_file() and path.name == "big.bin":
                    self.assertEqual(path.read_bytes(), CONTENT)
            self.gsan(*words)
            self.assertEqual((home / "data/big/big.bin").read_bytes(), CONTENT)
            for name, text in TEXTS.items():
                self.assertEqual((home / "data/tu/T" / name).read_bytes(), text)


if __name__ == "__main__":
    unittest.main()
