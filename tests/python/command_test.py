"""The same bits as the command, for the same weights and input."""
import json
import subprocess

import numpy as np
import pytest
import torch

import gsan


def run(command, *arguments, threads=None):
    result = subprocess.run([command, *map(str, arguments)], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    return result.stdout


def complex_of(tensors):
    """From the face tables faces.1, faces.2 of an export."""
    edges = tensors["faces.1"].numpy()[:, ::-1]  # face j omits vertex j
    corners = np.sort(edges[tensors["faces.2"].numpy()].reshape(len(tensors["faces.2"]), -1), axis=1)[:, ::2]
    vertices = np.arange(len(tensors["input.0"]))[:, None]
    return gsan.SimplicialComplex.from_sorted_tables([vertices, edges, corners])


@pytest.mark.skipif(not gsan._core.has_delaunay, reason="this gsan was built without Qhull")
@pytest.mark.parametrize("harmonic", ["skip", "projector"])
def test_a_layer_of_the_command_bit_for_bit(command, tmp_path, harmonic):
    run(command, "bench", "layer", "--points", 300, "--width", 8, "--filter", "delaunay-300", "--repeats", 1,
        "--seconds", 0, "--threads", torch.get_num_threads(), "--export", tmp_path)
    name = "gsan" if harmonic == "skip" else "gsan with projector"
    files = [path for path in tmp_path.rglob("*.safetensors") if f"_{name.replace(' ', '_')}_F8" in path.name.replace(" ", "_")]
    assert len(files) == 1, name
    tensors = dict(gsan._core.read_tensors(str(files[0])))
    complex = complex_of(tensors)
    layer = gsan.nn.SimplicialLayer.preset("gsan", 8, 8, length=4, harmonic=harmonic, activation="relu")
    layer.load_state_dict({key.removeprefix("weight."): value for key, value in tensors.items()
                           if key.startswith("weight.")})
    x = [tensors[f"input.{k}"].requires_grad_() for k in range(3)]
    y = layer(complex, x)
    torch.autograd.backward(y, [tensors[f"output_gradient.{k}"] for k in range(3)])
    for k in range(3):
        assert torch.equal(y[k], tensors[f"output.{k}"])
        assert torch.equal(x[k].grad, tensors[f"input_gradient.{k}"])


@pytest.mark.skipif(not gsan._core.has_delaunay, reason="this gsan was built without Qhull")
def test_a_run_of_the_command_continues_in_python_and_back(command, tmp_path):
    settings = ["data.points=120", "data.signals=60", "train.epochs=2", "model.hidden_channels=8", "trajectory.batch_size=25"]
    threads = ["--threads", torch.get_num_threads()]
    run(command, "train", "trajectory", "--data", "flow", "--output", tmp_path / "run", *threads, *settings)
    run(command, "predict", tmp_path / "run", "--output", tmp_path / "predictions.npy", *threads)
    expected = torch.from_numpy(np.load(tmp_path / "predictions.npy"))
    file = tmp_path / "run" / "checkpoints" / "best.safetensors"
    model = gsan.nn.load(file).eval()
    data = gsan.datasets.flow(points=120, signals=60)
    with torch.no_grad():  # batch by batch, as the command: a matrix product of another size may round in another way
        logits = [model(data.complex, part).reshape(-1, 2) for part in data.signals.split(25)]
    assert torch.equal(torch.cat(logits).double().softmax(-1), expected)
    model.save(tmp_path / "again.safetensors")
    a, b = (dict(gsan._core.read_tensors(str(path))) for path in (file, tmp_path / "again.safetensors"))
    assert all(torch.equal(a[name], b[name]) for name in b)
    assert gsan._core.read_options(str(tmp_path / "again.safetensors"))[0] == "model"


def test_presets_are_those_of_the_command(command):
    listed = run(command, "models")
    assert all(name in listed for name in gsan.nn.models())


def test_gsan_eval_reads_what_save_writes(command, tmp_path):
    """The numbers of a model that Python trained and saved, on the task whose settings Python printed."""
    task = gsan.tasks.Task("trajectory", data={"name": "islands", "signals": 40}, seed=3)
    model = task.model(hidden_channels=8)
    optimizer = torch.optim.Adam(model.parameters(), 0.01)
    for batch in task.batches("train"):
        optimizer.zero_grad()
        task.loss(model(batch), batch).backward()
        optimizer.step()
    model.save(tmp_path / "mine.safetensors")
    (tmp_path / "task.yaml").write_text(task.settings)
    words = ["eval", tmp_path / "mine.safetensors", "--config", tmp_path / "task.yaml", "--json", "--threads",
             torch.get_num_threads()]
    report = json.loads(run(command, *words))
    assert report["metrics"] == pytest.approx(task.evaluate(model, "test"), abs=1e-6)
    assert report["epoch"] is None
    refused = subprocess.run([command, "eval", tmp_path / "mine.safetensors"], capture_output=True, text=True)
    assert refused.returncode == 3 and "--config" in refused.stderr
