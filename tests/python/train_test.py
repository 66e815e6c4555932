"""One truth from both doors: a task in Python is the command's, and gsan.train trains the command's bits."""
import json
import os
import shutil
import subprocess

import pytest
import torch

import gsan
from conftest import root

needs_command = pytest.mark.skipif(not os.environ.get("GSAN_BINARY"), reason="GSAN_BINARY does not name the command")
own = root / "examples" / "own-data" / "trajectory"



@pytest.mark.parametrize("folder", sorted(path for path in own.parent.iterdir() if path.is_dir()), ids=lambda path: path.name)
def test_every_task_takes_a_folder_of_own_data(folder):
    """As the command does: gsan train TASK --data FOLDER."""
    assert gsan.tasks.Task(folder.name, data={"path": str(folder)}).parts["train"]

def task(**options):
    return gsan.tasks.Task("trajectory", data={"path": str(own)}, **options)


def test_a_task_starts_from_the_recipe_of_the_command():
    settings = task().settings
    for line in ("batch_size: 30", "harmonic: \"exact\"", "absolute: true", "kind: \"cosine\"", "name: \"gsan\""):
        assert line in settings, line
    with pytest.raises(ValueError, match="points.*flow"):
        gsan.tasks.Task("trajectory", data={"path": str(own), "points": 3})


def test_a_task_takes_splits_of_ones_own(tmp_path):
    shutil.copytree(own, tmp_path / "walks")
    walks = (own / "labels.csv").read_text().split()[1:]
    dates = [f"2024-{number % 12 + 1:02d}-01" for number in range(len(walks))]
    (tmp_path / "walks" / "labels.csv").write_text("name,label,time\n" + "".join(map("{},{}\n".format, walks, dates)))
    divided = gsan.tasks.Task("trajectory", data={"path": str(tmp_path / "walks")},
                              split={"by": "time", "borders": ["2024-06-30", "2024-09-01"]})
    known = [number for number, walk in enumerate(walks) if not walk.endswith(",")]
    assert divided.parts == {"train": [number for number in known if number % 12 < 6],
                             "validation": [number for number in known if 6 <= number % 12 < 9],
                             "test": [number for number in known if 9 <= number % 12]}
    with pytest.raises(ValueError, match="column group in labels.csv"):
        gsan.tasks.Task("trajectory", data={"path": str(tmp_path / "walks")}, split={"by": "group"})


@needs_command
def test_python_and_the_command_train_the_same_bits(tmp_path):
    there = task(seed=3)
    model = there.model("san", hidden_channels=4)
    torch.manual_seed(5)
    before = torch.random.get_rng_state()
    epochs = []
    record = gsan.train(there, model, epochs=3, output=tmp_path / "python", on_epoch=epochs.append)
    assert torch.equal(torch.random.get_rng_state(), before)
    assert [line["epoch"] for line in epochs] == [1, 2, 3]
    subprocess.run([os.environ["GSAN_BINARY"], "train", "trajectory", "--data", own, "--model", "san", "--seed", "3", "--quiet",
                    "model.hidden_channels=4", "train.epochs=3", "--output", tmp_path / "command"], check=True,
                   stdout=subprocess.DEVNULL)
    for name in ("config.yaml", "metrics.jsonl", "checkpoints/best.safetensors", "checkpoints/last.safetensors", "splits/split.json"):
        assert (tmp_path / "python" / name).read_bytes() == (tmp_path / "command" / name).read_bytes(), name
    command = json.loads((tmp_path / "command" / "results.json").read_text())
    for key in ("test", "validation", "rules", "chosen_epoch", "parameters"):
        assert record[key] == command[key]
    stored = gsan.nn.load(tmp_path / "command" / "checkpoints" / "best.safetensors")
    for name, tensor in model.state_dict().items():
        assert torch.equal(tensor, stored.state_dict()[name]), name
    assert there.evaluate(model, "test")["accuracy"] == pytest.approx(command["test"]["accuracy"])


def test_an_exception_of_on_epoch_stops_the_training():
    calls = []

    def stop(line):
        calls.append(line)
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        gsan.train(task(), epochs=50, on_epoch=stop)
    assert len(calls) == 1


def test_several_models_answer_with_the_mean_of_their_probabilities():
    there = task()
    models = [there.model(hidden_channels=width) for width in (3, 4)]
    (columns, _, one), (_, _, two) = (there.predict(model) for model in models)
    names, rows, both = there.predict(*models)
    assert names == columns
    assert torch.equal(both, (one + two) / 2)
    assert [row[1] for row in rows] == [there.class_names[i] for i in both.argmax(1).tolist()]


def test_a_model_for_other_data_is_refused():
    with pytest.raises(ValueError, match="not trained for data like"):
        gsan.train(task(), gsan.nn.GSAN([0, 3, 0], 8, 2, readout="pooled"), epochs=1)


def test_training_needs_no_gradient_mode_of_the_caller_but_something_to_train():
    records = []
    for context in (torch.enable_grad(), torch.no_grad(), torch.inference_mode()):
        there = task()
        model = there.model()
        with context:
            records.append(gsan.train(there, model, epochs=1)["test"])
    assert records[0] == records[1] == records[2]
    with pytest.raises(ValueError, match="nothing to train"):
        gsan.train(task(), task().model().requires_grad_(False), epochs=1)
    with pytest.raises(TypeError, match="Linear"):
        gsan.train(task(), torch.nn.Linear(2, 2))


def test_a_model_made_by_hand_trains_and_another_readout_is_refused(tmp_path):
    gsan.train(task(), gsan.nn.GSAN([0, 1, 0], 8, 2, readout="pooled"), epochs=1)
    with pytest.raises(ValueError, match="readout = pooled, got none"):
        gsan.train(task(), gsan.nn.GSAN([0, 1, 0], 8, 2), epochs=1, output=tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_details_are_those_of_the_record():
    there = task()
    model = there.model(hidden_channels=4)
    record = gsan.train(there, model, epochs=2)
    details = there.details(model, "test")
    assert details["classes"] == record["test_details"]["classes"]
    assert details["confusion"] == there.confusion(model, "test").tolist()
    assert {"balanced_accuracy", "macro_f1", "auc", "average_precision"} < details["metrics"].keys()
    assert there.evaluate(model, "test").keys() == {"accuracy", "loss"}
    numbers = gsan.tasks.Task("simplex-regression", data={"path": str(own.parent / "simplex-regression")})
    details = numbers.details(numbers.model(hidden_channels=4), "validation")
    assert details["order"] == 0 and set(details["metrics"]) == {"mae", "rmse", "r2", "loss"}


@pytest.mark.skipif(torch.cuda.is_available(), reason="torch has a CUDA device here")
def test_a_gpu_that_is_not_there_is_refused():
    with pytest.raises(ValueError, match="'cuda:1' cannot be used: torch finds no GPU here"):
        gsan.tasks.Task("trajectory", device="cuda:1")
