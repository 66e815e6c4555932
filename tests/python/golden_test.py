"""The golden cases (tests/golden/README.md) through gsan.nn.SimplicialLayer: values and every gradient."""
import re

import numpy as np
import pytest
import torch

import gsan
from conftest import golden_files, read_json


def batch_of(golden):
    """The complexes of a case; vertices are numbered through."""
    first = np.concatenate([[0], np.cumsum(golden["vertices"])])
    parts = []
    for p, count in enumerate(golden["vertices"]):
        lists = [[v - int(first[p]) for v in simplex] for order in golden["simplices"] for simplex in order
                 if first[p] <= simplex[0] < first[p + 1]]
        parts.append(gsan.SimplicialComplex(lists, vertices=count))
    return gsan.data.Batch(parts, [])


def layer_of(golden):
    config, head = golden["config"], golden["params"][0]
    J, attention = config["J"], config["attention"]
    taps = {"own": J // 2, "neighbor": (J + 1) // 2, "first": 0}
    shift = {"none": "hodge", "hodge": "weighted"}.get(attention, "attention")
    options = dict(in_channels=config["in"], out_channels=config["out"], order=config["K"], lower=taps, upper=taps,
                   lower_shift=shift, upper_shift=shift, sharing=config["sharing"], harmonic=config["harmonic"],
                   harmonic_steps=config["harmonic_steps"], heads=config["heads"], head_mode=config["head_mode"],
                   activation=config["activation"], equivariant=config["signed"], negative_slope=config["leaky_slope"],
                   incidence=config.get("incidence", "signed"), gate=config.get("gate", "softmax"))
    if shift == "attention":
        options["mechanism"] = attention
    given = golden.get("harmonic_eps_given", config.get("harmonic_eps_given"))
    if given:
        options["harmonic_epsilon"] = golden.get("harmonic_eps", config.get("harmonic_eps"))[0][0]
    if "mlp" in head:
        for mlp in head["mlp"].values():
            options["metric_channels"] = len(mlp["b1"])
    for sides in head.get("a", {}).values():
        for uses in sides.values():
            for numbers in uses.values():
                if isinstance(numbers[0], list):  # a list of parameters, the first one [..., d]
                    options["attention_channels"] = len(numbers[0][0])
    return gsan.nn.SimplicialLayer(**options)


def parameters_of(heads, layer):
    """(name in the state dict, index, numbers) of every parameter of the file."""
    options = layer.options
    names = set(layer.state_dict())
    for h, head in enumerate(heads):
        groups = {"all": head["W"]} if options["sharing"] == "joint" else head["W"]
        for key, taps in groups.items():
            if options["sharing"] == "none":
                key = key[:-1] + ("_lower" if key[-1] == "d" else "_upper")
            for q, numbers in ((int(q), numbers) for q, numbers in taps.items()):
                name, tap = (f"own_{key}", q // 2 - 1) if q % 2 == 0 else (f"neighbor_{key}", (q - 1) // 2)
                yield name, (slice(None), tap, h), numbers
        if head.get("Wh") is not None:
            yield "harmonic", (slice(None), h), head["Wh"]
        for order, sides in head.get("a", {}).items():
            for side, uses in sides.items():
                for use, numbers in uses.items():
                    where = {"d": "lower", "u": "upper"}.get(side, "both")
                    prefix = f"attention_{order}_{where}_{use}."
                    # One parameter as it is, several as a list, in the order of the mechanism.
                    own = [name for name in layer.state_dict() if name.startswith(prefix)]
                    for name, part in zip(own, [numbers] if len(own) == 1 else numbers):
                        yield name, (h,), part
        for order, mlp in head.get("mlp", {}).items():
            prefix = f"metric_{order}."
            if prefix + "W1" not in names:  # a metric of vertices alone is not used
                continue
            yield prefix + "W1", (slice(None), h), mlp["W1"]
            yield prefix + "b1", (h,), mlp["b1"]
            yield prefix + "W2", (h,), mlp["W2"]
            yield prefix + "b2", (h,), mlp["b2"]


def check(path, dtype, tolerance, device="cpu"):
    golden = read_json(path)
    batch = batch_of(golden).to(device)
    layer = layer_of(golden).to(device, dtype)
    state = layer.state_dict(keep_vars=True)
    listed = 0
    with torch.no_grad():
        for name, index, numbers in parameters_of(golden["params"], layer):
            part = state[name][index]
            values = torch.tensor(numbers, dtype=torch.float64).reshape(part.shape)
            part.copy_(values)
            listed += values.numel()
    assert listed == layer.parameter_count

    def tensor(numbers, shape):
        return torch.tensor(numbers, dtype=torch.float64).reshape(shape).to(device)

    K, width = golden["config"]["K"], golden["config"]["in"]
    x = [tensor(golden["x"][k], (batch.operators.count(k), width)).to(dtype).requires_grad_() for k in range(K + 1)]
    y = layer(batch, x)
    loss = sum((y[k] * tensor(golden["cotangent"][k], y[k].shape).to(dtype)).sum() for k in range(K + 1))
    if loss.requires_grad:
        loss.backward()

    def compare(pairs):
        pairs = [(a.double(), b) for a, b in pairs]
        scale = max([1.0] + [float(b.abs().max()) for _, b in pairs if b.numel()])
        worst = max([0.0] + [float((a - b).abs().max()) for a, b in pairs if b.numel()])
        assert worst <= tolerance * scale

    compare([(y[k].detach(), tensor(golden["y"][k], y[k].shape)) for k in range(K + 1)])
    compare([(v.grad if v.grad is not None else torch.zeros_like(v), tensor(golden["grad_x"][k], v.shape))
             for k, v in enumerate(x)])
    gradients = []
    for name, index, numbers in parameters_of(golden["grad_params"], layer):
        whole = state[name].grad if state[name].grad is not None else torch.zeros_like(state[name])
        gradients.append((whole[index], tensor(numbers, whole[index].shape)))
    compare(gradients)


def loose(path):
    return 1e-3 if re.search("extreme|large_scores", path.name) else 1e-5


@pytest.mark.parametrize("path", golden_files(), ids=lambda path: path.stem)
def test_golden_case(path):
    check(path, torch.float64, 1e-9)
    check(path, torch.float32, loose(path))


@pytest.mark.skipif(not torch.cuda.is_available(), reason="torch has no CUDA device here")
@pytest.mark.parametrize("path", golden_files(), ids=lambda path: path.stem)
def test_golden_case_on_cuda(path):
    check(path, torch.float64, 1e-9, "cuda")
    check(path, torch.float32, loose(path), "cuda")
