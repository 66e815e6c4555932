"""Training on bad input: one message with the values, the exit code of the page, and nothing lost."""
import fcntl
import os
import pathlib
import pickle
import shutil
import subprocess
import unittest

from command_case import ARGUMENT, BINARY, ENVIRONMENT, FORMAT, IO, NUMERIC, USAGE
from training_case import TrainingCase


class Settings(TrainingCase):
    def test_a_config_with_three_mistakes_says_all_three(self):
        config = self.write("run.yaml", "task: trajectory\nmodel:\n  nmae: gsan\n  heads: many\ntrain:\n  epochs: -3\n")
        self.refused(ARGUMENT, "train", config, "--output", "run",
                     says=["run.yaml", "model.nmae", "model.name", "model.heads", "many", "train.epochs", "-3"])

    def test_text_that_is_no_yaml(self):
        self.refused(FORMAT, "train", self.write("run.yaml", "task: trajectory\nmodel: {name: [gsan\n"), "--output",
                     "run", says=["run.yaml"])
        self.refused(FORMAT, "train", self.write("list.yaml", "- task\n- model\n"), "--output", "run",
                     says=["list.yaml"])
        self.refused(FORMAT, "train", self.write("noise.yaml", bytes(range(256))), "--output", "run",
                     says=["noise.yaml"])

    def test_an_absent_folder_of_data_is_called_one(self):
        self.refused(IO, "train", "imputation", "--data", "wlaks", "--output", "run", says=["no folder wlaks", "islands"])
        self.refused(ARGUMENT, "train", "trajectory", "--data", "ilands", "--output", "run", says=["islands"])

    def test_overrides_that_are_none(self):
        self.refused(ARGUMENT, "train", "trajectory", "model.hedas=2", "--output", "run", says=["model.heads"])
        run = self.gsan("train", "trajectory", "--modle", "gsan", code=USAGE)
        self.assertIn("--model", run.stderr)

    def test_unknown_names_are_answered_with_the_known_ones(self):
        self.refused(ARGUMENT, "train", "trajectroy", "--output", "run", says=["trajectory"])
        self.refused(ARGUMENT, "train", "trajectory", "--model", "gsam", "--output", "run", says=["gsam", "gsan"])
        self.refused(ARGUMENT, "train", "trajectory", "--protocol", "stric", "--output", "run", says=["strict"])

    def test_a_config_that_is_not_there(self):
        self.refused(IO, "train", "--config", "missing.yaml", "--output", "run", says=["missing.yaml"])


class PublicData(TrainingCase):
    """Datasets of the catalog, in a cache of this test's own."""

    def setUp(self):
        super().setUp()
        self.home = self.folder / "home"
        self.environment = {"GSAN_HOME": str(self.home), "GSAN_DATA": ""}

    def test_data_that_were_not_fetched_say_what_to_do(self):
        self.refused(IO, "train", "trajectory", "--data", "ocean", "--output", "run",
                     says=["gsan data fetch ocean", self.home / "data/ocean/dataBuoys.jld2"])
        self.refused(IO, "train", "imputation", "--output", "run", says=["gsan data fetch citation"])
        self.refused(IO, "train", "graph-classification", "--data", "nci1", "--output", "run",
                     says=["gsan data fetch nci1"])

    def test_cut_and_corrupted_files(self):
        place = self.home / "data/ocean/dataBuoys.jld2"
        place.parent.mkdir(parents=True)
        for content in (b"", b"\x89HDF\r\n\x1a\n" + bytes(1000), os.urandom(3000)):
            place.write_bytes(content)
            self.refused(FORMAT, "train", "trajectory", "--data", "ocean", "--output", "run", says=[place])

    def test_a_pickle_that_would_run_a_program(self):
        evil = self.folder / "evil"

        class Evil:
            def __reduce__(self):
                return os.system, (f"touch {evil}",)

        place = self.home / "data/citation"
        place.mkdir(parents=True)
        for name in ("boundaries", "cochains", "simplices"):
            (place / f"150250_{name}.npy").write_bytes(pickle.dumps([Evil()]))
        self.refused(FORMAT, "train", "imputation", "--output", "run", says=["150250_cochains.npy"])
        self.assertFalse(evil.exists())


class OwnData(TrainingCase):
    def refuses(self, code, data, *says):
        return self.refused(code, *self.training(data, output="run"), says=says)

    def test_files_that_are_missing_or_empty(self):
        data = self.own_data()
        (data / "paths.csv").write_text("")
        self.refuses(FORMAT, data)
        (data / "paths.csv").unlink()
        self.refuses(IO, data, "walks")
        self.refused(IO, *self.training(self.folder / "nowhere", output="run"), says=["nowhere"])

    def test_nan_in_signals(self):
        data = self.own_data()
        (data / "paths.csv").unlink()
        edges = len({(a, b) for t in (data / "complex.txt").read_text().splitlines()
                     for a in t.split() for b in t.split() if int(a) < int(b)})
        rows = [["1"] * edges for _ in range(40)]
        rows[17][3] = "nan"
        (data / "signals.csv").write_text("".join(",".join(row) + "\n" for row in rows))
        self.refuses(FORMAT, data, "signals.csv", "18", "nan")

    def test_a_signal_file_cut_in_the_middle(self):
        data = self.own_data()
        content = (data / "paths.csv").read_text()
        (data / "paths.csv").write_text(content[:len(content) // 2])
        self.refuses(FORMAT, data, "labels.csv", "40")
        (data / "paths.csv").write_bytes(os.urandom(500))
        self.refuses(FORMAT, data, "paths.csv")

    def test_a_path_that_leaves_the_complex(self):
        data = self.own_data()
        with open(data / "paths.csv", "a") as file:
            file.write("0,4\n")
        self.refuses(FORMAT, data, "paths.csv:41", "no edge")

    def test_labels_of_another_number(self):
        data = self.own_data()
        (data / "labels.csv").write_text("label\nleft\nright\n")
        self.refuses(FORMAT, data, "labels.csv", "2", "40")

    def test_one_class_only(self):
        data = self.own_data()
        (data / "labels.csv").write_text("label\n" + "left\n" * 40)
        self.refuses(ARGUMENT, data, "trajectory", "two classes", "all 40", "left")

    def test_a_name_with_two_labels(self):
        data = self.own_data()
        (data / "labels.csv").write_text("name,label\n" + "".join(f"w{i % 39},left\n" for i in range(40)))
        self.refuses(ARGUMENT, data, "two classes")  # paths have no names: row by row
        for name in ("a", "b"):
            (data / name).mkdir()
            (data / name / "complex.txt").write_text("0 1 2\n")
        (data / "labels.csv").write_text("name,label\na,left\nb,right\na,right\n")
        self.refused(FORMAT, "train", "graph-classification", "--data", data, "--output", "run",
                     says=["labels.csv:4", "'a'", "line 2"])

    def test_a_table_of_values_without_rows(self):
        data = self.folder / "values"
        data.mkdir()
        for content, says in (("", "empty"), ("v0,v1,value\n", "no row")):
            (data / "values_1.csv").write_text(content)
            self.refused(FORMAT, "train", "imputation", "--data", data, "--output", "run",
                         says=["values_1.csv:1", says])

    def test_a_split_with_items_out_of_range(self):
        data = self.own_data()
        split = self.write("split.json", '{"train": [0, 1, 2, 3], "validation": [4, 5], "test": [6, 40]}')
        self.refused(FORMAT, *self.training(data, f"split.file={split}", output="run"), says=["split.json", "40"])

    def test_a_tu_collection_whose_labels_are_out_of_range(self):
        data = self.folder / "T"
        data.mkdir()
        files = {"A": "1, 2\n2, 1\n3, 4\n4, 3\n", "graph_indicator": "1\n1\n2\n2\n", "graph_labels": "0\n1\n"}
        for name, content in files.items():
            (data / f"T_{name}.txt").write_text(content)
        (data / "T_A.txt").write_text("1, 2\n2, 1\n3, 9\n9, 3\n")
        self.refused(FORMAT, "train", "graph-classification", "--data", data, "--output", "run", says=["T_A.txt", "9"])
        (data / "T_A.txt").write_text(files["A"])
        (data / "T_graph_indicator.txt").write_text("1\n1\n2\n7\n")
        self.refused(FORMAT, "train", "graph-classification", "--data", data, "--output", "run", says=["7"])


class RunFolders(TrainingCase):
    def test_a_folder_that_holds_a_run(self):
        data = self.own_data()
        self.gsan(*self.training(data, output="run"))
        before = (self.folder / "run/metrics.jsonl").read_bytes()
        self.refused(ARGUMENT, *self.training(data, output="run"), says=["run", "--resume"])
        self.assertEqual((self.folder / "run/metrics.jsonl").read_bytes(), before)

    def test_a_folder_that_holds_none(self):
        (self.folder / "empty").mkdir()
        for command in (["train", "--resume"], ["eval"], ["predict"]):
            run = self.gsan(*command, "empty", code=None)
            self.assertIn(run.returncode, (ARGUMENT, FORMAT, IO), run.stderr)
            self.assertIn("empty", run.stderr)
            run = self.gsan(*command, "nowhere", code=None)
            self.assertIn(run.returncode, (ARGUMENT, FORMAT, IO), run.stderr)

    def test_a_folder_that_cannot_be_made(self):
        data = self.own_data()
        self.write("file", "")
        for output in ("file/run", "/proc/gsan_test/run"):
            self.refused(IO, *self.training(data, output=output), says=[output])

    def test_a_folder_in_use(self):
        data = self.own_data()
        run = self.folder / "run"
        self.gsan(*self.training(data, output=run))
        (run / "results.json").unlink()
        with open(run / ".lock") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self.refused(ARGUMENT, "train", "--resume", run, "--quiet", says=["another process", run])
        self.gsan("train", "--resume", run, "--quiet")

    def test_the_checkpoint_of_another_model(self):
        data = self.own_data()
        mine, other = self.folder / "mine", self.folder / "other"
        self.gsan(*self.training(data, output=mine))
        self.gsan(*self.training(data, "model.hidden_channels=6", output=other))
        kept = {}
        for name in ("last", "best"):
            for ending in ("", ".previous"):
                kept[name + ending] = shutil.copy(mine / f"checkpoints/{name}.safetensors", self.folder / (name + ending))
                shutil.copy(other / f"checkpoints/{name}.safetensors", mine / f"checkpoints/{name}.safetensors{ending}")
        (mine / "results.json").unlink()
        for command in (["train", "--quiet", "--resume", mine], ["eval", mine]):
            self.refused(ARGUMENT, *command, says=["backbone.hidden_channels is 6", "4 in"])
        self.refused(ARGUMENT, "predict", mine, says=["another model than the run", "hidden_channels", "6", "4"])
        # Nothing of the run was touched: with its own weights it goes on.
        for name in ("last", "best"):
            shutil.copy(kept[name], mine / f"checkpoints/{name}.safetensors")
        self.gsan("train", "--quiet", "--resume", mine)
        self.gsan("eval", mine)

    def test_checkpoints_that_are_damaged(self):
        data = self.own_data()
        run = self.folder / "run"
        self.gsan(*self.training(data, "train.checkpoint_seconds=0", output=run))
        (run / "results.json").unlink()
        whole = (run / "checkpoints/last.safetensors").read_bytes()
        (run / "checkpoints/last.safetensors").write_bytes(whole[:len(whole) // 2])
        self.gsan("train", "--resume", run, "--quiet", code=None)  # from the previous one
        self.assertTrue((run / "results.json").exists())
        for name in ("best.safetensors", "best.safetensors.previous"):
            (run / "checkpoints" / name).write_bytes(b"nothing")
        self.assertEqual(self.gsan("eval", run, code=FORMAT).stdout, "")

    def test_a_loss_that_is_not_finite(self):
        data = self.own_data()
        run = self.gsan(*self.training(data, "train.optimizer.learning_rate=1e30", "train.checkpoint_seconds=0",
                                       "model.activation=identity", output="run"), code=NUMERIC)
        self.assertTrue(run.stderr.splitlines()[-1] and "learning" in run.stderr, run.stderr)
        self.assertIn("epoch", run.stderr)
        self.assertFalse((self.folder / "run/results.json").exists())
        self.checkpoints(self.folder / "run")


def small_disk_works():
    """Can a tmpfs be mounted here, in a name space of its own?"""
    test = subprocess.run(["unshare", "-rm", "sh", "-c", "mount -t tmpfs -o size=64k none /mnt"], capture_output=True)
    return test.returncode == 0


class FullDisk(TrainingCase):
    @unittest.skipUnless(shutil.which("unshare") and small_disk_works(), "no tmpfs can be mounted here")
    def test_a_full_disk_stops_the_run_and_loses_nothing(self):
        data = self.own_data()
        disk = self.folder / "disk"
        disk.mkdir()
        settings = ("train.checkpoint_seconds=0", "trajectory.batch_size=32")
        arguments = self.training(data, *settings, epochs=200, output=disk / "run")
        script = (f'mount -t tmpfs -o size=128k none "{disk}" || exit 99; "$@"; code=$?; '
                  f'cp -r "{disk}/run" "{self.folder}/saved"; exit $code')
        done = subprocess.run(["unshare", "-rm", "sh", "-c", script, "sh", BINARY, *arguments], cwd=self.folder,
                              env=ENVIRONMENT, capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, IO, done.stderr)
        self.assertIn("No space left", done.stderr)
        saved = self.folder / "saved"
        found = self.checkpoints(saved)
        self.assertIn("last.safetensors", found)
        # With room again it goes on, and ends like a run that never met the wall.
        self.gsan("train", "--resume", saved, "--threads", 1, "--quiet")
        whole = self.folder / "whole"
        self.gsan(*self.training(data, *settings, epochs=200, output=whole))
        self.assert_same_run(whole, saved)


if __name__ == "__main__":
    unittest.main()
