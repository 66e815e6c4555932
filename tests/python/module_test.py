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


def test_a_parametrised_layer_is_copied_and_saved_with_its_values(tmp_path):
    complex = random_complex(max_rank=2)
    x = signals_on(complex, 3)
    layer = gsan.nn.SimplicialLayer(**layer_options)
    torch.nn.utils.parametrizations.weight_norm(layer, "own_1")
    other = copy.deepcopy(layer)
    assert torch.equal(step_output(other, complex, x), step_output(layer, complex, x))
    other(complex, x)[1].sum().backward()
    assert layer.parametrizations.own_1.original0.grad is None
    assert other.parametrizations.own_1.original0.grad is not None
    layer.save(tmp_path / "layer.safetensors")
    assert torch.equal(step_output(gsan.nn.load(tmp_path / "layer.safetensors"), complex, x), step_output(layer, complex, x))


def test_autocast_leaves_the_type_of_the_weights():
    complex = random_complex(max_rank=2)
    layer = gsan.nn.SimplicialLayer(**layer_options)
    before, x = torch.nn.Linear(3, 3), signals_on(complex, 3)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        narrow = [before(v) for v in x]
        y = layer(complex, narrow)
    y[1].sum().backward()
    assert narrow[0].dtype == torch.bfloat16 and y[1].dtype == torch.float32 and before.weight.grad is not None
    assert torch.equal(y[1], layer(complex, [v.detach().float() for v in narrow])[1])


def test_modules_are_made_on_the_default_device():
    with torch.device("meta"):
        model = gsan.nn.MPSN(in_channels=2)
    assert {p.device.type for p in [*model.parameters(), *model.buffers()]} == {"meta"}
    assert gsan.nn.GSAN().network.layer_0.own_1.device.type == "cpu"


def test_buffers_are_in_copies_and_files(tmp_path):
    complex = random_complex(max_rank=2)
    x = signals_on(complex, 2)
    model = gsan.nn.MPSN(in_channels=2, hidden_channels=4)
    for _ in range(3):
        model(complex, x)
    model.eval().save(tmp_path / "model.safetensors")
    for other in (copy.deepcopy(model), pickle.loads(pickle.dumps(model)), gsan.nn.load(tmp_path / "model.safetensors").eval()):
        assert all(torch.equal(a, b) for a, b in zip(flat(model(complex, x)), flat(other(complex, x))))
        assert {n: v.dtype for n, v in other.state_dict().items()} == {n: v.dtype for n, v in model.state_dict().items()}


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
    by_key = gsan_layer(complex, {2: x[2], 0: x[0]})
    assert all(torch.equal(a, b) for a, b in zip(by_key, gsan_layer(complex, [x[0], None, x[2]])))
    none = gsan_layer(complex, [None, x[1], None])
    zeros = gsan_layer(complex, [torch.zeros_like(x[0]), x[1], torch.zeros_like(x[2])])
    assert all(torch.equal(a, b) for a, b in zip(none, zeros))


def test_widths_of_models_and_heads():
    complex = random_complex(max_rank=2)
    x = signals_on(complex, 3)
    model = gsan.nn.GSAN(in_channels=3, hidden_channels=8, out_channels=5, n_layers=3)
    output, layers = model(complex, x, return_layers=True)
    assert [v.shape[1] for v in output] == [5, 5, 5] and [of_layer[1].shape[1] for of_layer in layers] == [8, 8, 5]
    assert torch.equal(layers[-1][1], output[1])
    for concat, width in ((True, 12), (False, 4)):
        layer = gsan.nn.SimplicialLayer(in_channels=3, out_channels=4, heads=3, concat=concat)
        assert layer(complex, x)[1].shape[1] == width
    assert gsan.nn.GSAN(heads=2, concat=False).options["network"]["layer"]["head_mode"] == "mean"
    assert gsan.nn.GSAN(heads=2, concat=True).options["network"]["layer"]["head_mode"] == "concat"


def test_a_batch_says_which_tuples_and_which_masks():
    complex = random_complex(max_rank=2)
    x = signals_on(complex, 2)
    batch = gsan.data.collate([gsan.data.Sample(complex, x)])
    model = gsan.nn.GSAN(in_channels=2, out_channels=2, readout="tuple", readout_options={"order": 1, "tuple_size": 2})
    batch.tuples = torch.tensor([[0, 1], [3, 2], [5, 5]])
    assert torch.equal(model(batch), model(complex, x, tuples=batch.tuples)) and model(batch).shape == (3, 2)
    batch = gsan.data.Batch([complex], [torch.stack([v, v]) for v in x])
    for module in (gsan.nn.GSAN(in_channels=2, hidden_channels=4, attention_dropout=0.5),
                   gsan.nn.SimplicialLayer(in_channels=2, out_channels=4, attention_dropout=0.5)):
        for keys, same in ((7, 7), True), ((7, 8), False):  # the same signal under the same key: the same mask
            batch.signal_keys = torch.tensor(keys)
            y = module(batch, dropout_seed=1)[1]
            assert torch.equal(y[0], y[1]) == same


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
