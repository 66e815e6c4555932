"""gsan.nn modules as nn.Modules: state dicts, copies, conversions, swapped parameters, compilation, errors."""
import copy
import gc
import io
import pickle
import warnings
import weakref

import pytest
import torch

import gsan
from conftest import random_complex, signals_on

layer_options = dict(in_channels=3, out_channels=4, heads=2, harmonic_steps=3)


def test_every_preset_has_a_class_and_runs_forward_and_back():
    complex = random_complex(max_rank=2)
    classes = {getattr(gsan.nn, name).preset_name: getattr(gsan.nn, name) for name in gsan.nn.presets.__all__}
    assert set(classes) == set(gsan.nn.models())
    for name, cls in classes.items():
        model = cls(in_channels=3, hidden_channels=4, n_layers=2, heads=2 if "gsan" in name else None)
        x = [v if model.in_channels[k] else None for k, v in enumerate(signals_on(complex, 3))
             if k < len(model.in_channels)]
        y = model(complex, x)
        sum(v.pow(2).sum() for v in y if v is not None).backward()
        assert any(p.grad is not None and p.grad.abs().sum() > 0 for p in model.parameters()), name
        assert gsan.nn.models()[name][1] in cls.__doc__


def test_state_dict_has_the_names_of_the_files(tmp_path):
    model = gsan.nn.GSAN(in_channels=[1, 2, 3], hidden_channels=8, out_channels=2, readout="pooled",
                         readout_options={"batch_norm": True})
    model.save(tmp_path / "model.safetensors")
    stored = dict(gsan._core.read_tensors(str(tmp_path / "model.safetensors")))
    assert set(stored) == set(model.state_dict())
    assert "network.layer_0.own_1" in stored and any("running_mean" in name for name in stored)
    again = gsan.nn.load(tmp_path / "model.safetensors").eval()
    complex = random_complex(max_rank=2)
    x = [torch.randn(complex.count(k), k + 1) for k in range(3)]
    assert torch.equal(again(complex, x), model.eval()(complex, x))
    safetensors = pytest.importorskip("safetensors.torch", reason="safetensors is not installed")
    assert torch.equal(safetensors.load_file(tmp_path / "model.safetensors")["network.layer_0.own_1"],
                       model.network.layer_0.own_1)


def test_layer_files(tmp_path):
    layer = gsan.nn.SimplicialLayer(**layer_options).double()
    layer.save(tmp_path / "layer.safetensors")
    again = gsan.nn.load(tmp_path / "layer.safetensors")
    complex, x = random_complex(max_rank=2), signals_on(random_complex(max_rank=2), 3, dtype=torch.float64)
    assert all(torch.equal(a, b) for a, b in zip(layer(complex, x), again(complex, x)))
    with pytest.raises(ValueError, match="model"):
        gsan.nn.GSAN().save(tmp_path / "m.safetensors")
        gsan.nn.SimplicialLayer.load(tmp_path / "m.safetensors")


@pytest.mark.parametrize("copier", [copy.deepcopy, lambda m: pickle.loads(pickle.dumps(m)),
                                    lambda m: torch.load(saved(m), weights_only=False)],
                         ids=["deepcopy", "pickle", "torch.save"])
def test_copies_compute_the_same_and_share_nothing(copier):
    complex = random_complex(max_rank=2)
    x = signals_on(complex, 3)
    for module in (gsan.nn.SimplicialLayer(**layer_options).eval(),
                   gsan.nn.SAN(in_channels=3, hidden_channels=4, signal_order=1)):
        other = copier(module)
        assert other.training == module.training and repr(other) == repr(module)
        assert all(torch.equal(a, b) for a, b in zip(flat(module(complex, x)), flat(other(complex, x))))
        before = flat(module(complex, x))
        with torch.no_grad():
            for parameter in other.parameters():
                parameter.mul_(2)
        assert all(torch.equal(a, b) for a, b in zip(before, flat(module(complex, x))))
        assert not torch.equal(before[0], flat(other(complex, x))[0])


def saved(module):
    file = io.BytesIO()
    torch.save(module, file)
    file.seek(0)
    return file


def flat(values):
    return [v.detach() for v in values if v is not None]


def test_copying_leaves_the_random_numbers_of_torch_alone():
    module = gsan.nn.GSAN(in_channels=2)
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    copy.deepcopy(module)
    assert torch.equal(torch.rand(3), expected)


def test_seeds_govern_first_values():
    torch.manual_seed(3)
    a = gsan.nn.GSAN().state_dict()
    torch.manual_seed(3)
    b = gsan.nn.GSAN().state_dict()
    c, d = gsan.nn.GSAN(seed=7).state_dict(), gsan.nn.GSAN(seed=7).state_dict()
    assert all(torch.equal(a[k], b[k]) and torch.equal(c[k], d[k]) for k in a)
    assert not torch.equal(a["network.layer_0.own_1"], c["network.layer_0.own_1"])


def test_dtype_conversion_changes_the_very_tensors():
    complex = random_complex(max_rank=2)
    layer = gsan.nn.SimplicialLayer(**layer_options)
    single = layer(complex, signals_on(complex, 3))
    layer.double()
    x = [v.double() for v in signals_on(complex, 3)]
    double = layer(complex, x)
    assert double[1].dtype == torch.float64 and torch.allclose(double[1].float(), single[1], atol=1e-5)
    double[1].sum().backward()
    assert layer.own_1.grad.dtype == torch.float64


def step_output(module, complex, x):
    return module(complex, x)[1].detach().clone()


def test_training_through_an_optimizer_reaches_the_core():
    complex = random_complex(max_rank=2)
    layer = gsan.nn.SimplicialLayer(**layer_options)
    x = signals_on(complex, 3)
    before = step_output(layer, complex, x)
    optimizer = torch.optim.Adam(layer.parameters(), lr=0.1)
    layer(complex, x)[1].sum().backward()
    optimizer.step()
    after = step_output(layer, complex, x)
    other = gsan.nn.SimplicialLayer(**layer_options)
    other.load_state_dict(layer.state_dict())
    assert not torch.equal(before, after) and torch.equal(after, step_output(other, complex, x))


def test_assigned_parameters_are_used_and_trained():
    complex = random_complex(max_rank=2)
    x = signals_on(complex, 3)
    source = gsan.nn.SimplicialLayer(**layer_options)
    layer = gsan.nn.SimplicialLayer(**layer_options)
    state = {name: value.detach().clone() for name, value in source.state_dict().items()}
    layer.load_state_dict(state, assign=True)
    assert torch.equal(step_output(layer, complex, x), step_output(source, complex, x))
    optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
    for _ in range(2):  # the second time through what was bound before
        for module in (layer, source):
            module.zero_grad()
            module(complex, x)[1].sum().backward()
        assert torch.equal(layer.own_1.grad, source.own_1.grad)
    optimizer.step()
    assert not torch.equal(step_output(layer, complex, x), step_output(source, complex, x))
    layer.own_1 = torch.nn.Parameter(source.own_1.detach().clone())
    layer.double()
    assert layer(complex, [v.double() for v in x])[1].dtype == torch.float64


def test_functional_call_differentiates_computed_parameters_twice():
    complex = random_complex(vertices=8, edges=14, max_rank=2)
    x = signals_on(complex, 2, dtype=torch.float64)
    layer = gsan.nn.SimplicialLayer(in_channels=2, out_channels=2, harmonic="none").double()
    scale = torch.tensor(1.5, dtype=torch.float64, requires_grad=True)

    def loss(s):
        parameters = {name: value.detach() * s for name, value in layer.named_parameters()}
        return torch.func.functional_call(layer, parameters, (complex, x))[1].pow(2).sum()

    assert torch.autograd.gradcheck(loss, scale)
    assert torch.autograd.gradgradcheck(loss, scale)
    plain = layer(complex, x)[1]
    torch.func.functional_call(layer, {"own_1": torch.zeros_like(layer.own_1)}, (complex, x))
    assert torch.equal(layer(complex, x)[1], plain)


def test_second_derivatives_survive_a_rebinding():
    complex = random_complex(vertices=8, edges=14, max_rank=2)
    x = [v.requires_grad_() for v in signals_on(complex, 2, dtype=torch.float64)]
    layer = gsan.nn.SimplicialLayer(in_channels=2, out_channels=2, harmonic="none").double()

    def second(rebind):
        y = layer(complex, x)[1].pow(2).sum()
        first = torch.autograd.grad(y, x[1], create_graph=True)[0]
        if rebind:
            torch.func.functional_call(layer, {n: p * 3 for n, p in layer.named_parameters()}, (complex, x))
        return torch.autograd.grad(first.pow(2).sum(), layer.own_1)[0]

    assert torch.equal(second(False), second(True))


def test_parametrizations_and_frozen_parameters():
    complex = random_complex(max_rank=2)
    x = signals_on(complex, 3)
    layer = gsan.nn.SimplicialLayer(**layer_options)

    class Double(torch.nn.Module):
        def forward(self, w):
            return 2 * w

    plain = copy.deepcopy(layer)
    with torch.no_grad():
        plain.own_1.mul_(2)
    torch.nn.utils.parametrize.register_parametrization(layer, "own_1", Double())
    assert torch.equal(step_output(layer, complex, x), step_output(plain, complex, x))
    plain.requires_grad_(False)
    assert not plain(complex, x)[1].requires_grad


def test_leading_dimensions_are_many_signals():
    complex = random_complex(max_rank=2)
    layer = gsan.nn.SimplicialLayer(**layer_options)
    x = [torch.stack([v, -2 * v]) for v in signals_on(complex, 3)]
    y = layer(complex, x)
    for i in range(2):
        one = layer(complex, [v[i] for v in x])
        assert all(torch.allclose(a[i], b, atol=1e-5) for a, b in zip(y, one))


def test_forms_of_input_and_output():
    complex = random_complex(max_rank=2)
    x = signals_on(complex, 3)
    san = gsan.nn.SimplicialLayer.preset("san", 3, 2)
    y = san(complex, x[1])
    assert y.shape == (complex.count(1), 2)
    assert torch.equal(san(complex, {1: x[1]})[1], y) and san(complex, [None, x[1], None])[0] is None
    gsan_layer = gsan.nn.SimplicialLayer(**layer_options)
    none = gsan_layer(complex, [None, x[1], None])
    zeros = gsan_layer(complex, [torch.zeros_like(x[0]), x[1], torch.zeros_like(x[2])])
    assert all(torch.equal(a, b) for a, b in zip(none, zeros))


def test_attention_weights_sum_to_one():
    complex = random_complex(max_rank=2)
    model = gsan.nn.GSAN(in_channels=3, hidden_channels=4, heads=2)
    out, attention = model(complex, signals_on(complex, 3), return_attention_weights=True)
    assert len(attention) == 2 and len(out) == 3
    for entry in attention[0]:
        sums = torch.zeros(complex.count(entry.order), 2).index_add_(0, entry.edge_index[1], entry.weights.detach())
        assert torch.allclose(sums, torch.ones_like(sums), atol=1e-5)


def test_dropout_follows_the_mode_and_the_seed():
    complex = random_complex(max_rank=2)
    x = signals_on(complex, 3)
    layer = gsan.nn.SimplicialLayer(**layer_options, attention_dropout=0.5)
    a, b = step_output(layer, complex, x), step_output(layer, complex, x)
    assert not torch.equal(a, b)
    seeded = [layer(complex, x, dropout_seed=4)[1] for _ in range(2)]
    assert torch.equal(*seeded)
    torch.manual_seed(1)
    c = step_output(layer, complex, x)
    torch.manual_seed(1)
    assert torch.equal(c, step_output(layer, complex, x))
    layer.eval()
    assert torch.equal(step_output(layer, complex, x), step_output(layer, complex, x))


def test_batch_norm_buffers_move_with_training():
    complex = random_complex(max_rank=2)
    model = gsan.nn.MPSN(in_channels=2, hidden_channels=4)
    buffers = {name: value.clone() for name, value in model.named_buffers()}
    model(complex, signals_on(complex, 2))
    assert any(not torch.equal(value, buffers[name]) for name, value in model.named_buffers())
    model.eval()
    buffers = {name: value.clone() for name, value in model.named_buffers()}
    model(complex, signals_on(complex, 2))
    assert all(torch.equal(value, buffers[name]) for name, value in model.named_buffers())


def test_recomputation_gives_the_same_gradients():
    complex = random_complex(max_rank=2)
    model = gsan.nn.GSAN(in_channels=3, hidden_channels=4)
    x = signals_on(complex, 3)
    gradients = []
    for recompute in (False, True):
        model.zero_grad()
        model(complex, x, recompute=recompute)[1].sum().backward()
        gradients.append([torch.zeros_like(p) if p.grad is None else p.grad.clone() for p in model.parameters()])
    assert all(torch.allclose(a, b, atol=1e-6) for a, b in zip(*gradients))


def test_modules_are_freed():
    layer = gsan.nn.SimplicialLayer(**layer_options)
    parameter = weakref.ref(layer.own_1)
    whole = weakref.ref(layer)
    complex = random_complex(max_rank=2)
    y = layer(complex, signals_on(complex, 3))[1].sum()
    del layer
    gc.collect()
    y.backward()  # the graph still has what it needs
    del y
    gc.collect()
    assert whole() is None and parameter() is None


def test_gradcheck_through_the_module():
    complex = gsan.SimplicialComplex([[0, 1, 2], [1, 2, 3]])
    layer = gsan.nn.SimplicialLayer(in_channels=2, out_channels=2, harmonic_steps=2).double()
    x = [v.requires_grad_() for v in signals_on(complex, 2, dtype=torch.float64)]
    assert torch.autograd.gradcheck(lambda *v: tuple(layer(complex, list(v))), x)


def test_torch_compile_gives_the_same_numbers():
    complex = random_complex(max_rank=2)
    x = signals_on(complex, 3)

    class Outer(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = gsan.nn.SimplicialLayer(**layer_options)

        def forward(self, complex, x):
            y = self.layer(complex, [torch.tanh(v) for v in x])
            return torch.relu(y[1]).sum()

    outer = Outer()
    plain = outer(complex, x)
    plain.backward()
    expected = outer.layer.own_1.grad.clone()
    outer.zero_grad()
    compiled = torch.compile(outer, backend="aot_eager")
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message="Dynamo does not know")
        value = compiled(complex, x)
    value.backward()
    assert torch.allclose(value, plain) and torch.allclose(outer.layer.own_1.grad, expected)


def test_threads_may_share_a_module():
    from concurrent.futures import ThreadPoolExecutor
    complex = random_complex(max_rank=2)
    layer = gsan.nn.SimplicialLayer(**layer_options)
    x = signals_on(complex, 3)
    expected = step_output(layer, complex, x)
    with ThreadPoolExecutor(4) as pool:
        for result in pool.map(lambda _: step_output(layer, complex, x), range(20)):
            assert torch.equal(result, expected)


def test_repr_and_cost():
    layer = gsan.nn.SimplicialLayer(in_channels=3, out_channels=4, heads=2)
    assert repr(layer) == "SimplicialLayer(heads=2, in_channels=3, out_channels=4)"
    assert "network.layer" not in repr(gsan.nn.GSAN()) or "GSAN(" in repr(gsan.nn.GSAN())
    assert layer.cost(random_complex(max_rank=2))["parameters"] == layer.parameter_count


@pytest.mark.skipif(not torch.cuda.is_available(), reason="torch has no CUDA device here")
def test_moving_to_a_device_and_back():
    complex = random_complex(max_rank=2)
    x = signals_on(complex, 3)
    layer = gsan.nn.SimplicialLayer(**layer_options)
    plain = step_output(layer, complex, x)
    layer.cuda()
    there = layer(complex, [v.cuda() for v in x])
    assert there[1].is_cuda and torch.allclose(there[1].cpu(), plain, atol=1e-5)
    with pytest.raises(ValueError, match="cuda.*cpu|cpu.*cuda"):
        layer(complex, x)
    assert torch.equal(step_output(layer.cpu(), complex, x), plain)
