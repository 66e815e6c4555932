"""gsan.nn modules as nn.Modules: what they hold. State dicts and files, copies, conversions, swapped parameters."""
import copy
import io
import pickle

import pytest
import torch

import gsan
from conftest import layer_options, random_complex, signals_on, step_output


def test_state_dict_has_the_names_of_the_files(tmp_path):
    model = gsan.nn.GSAN(in_channels=[1, 2, 3], hidden_channels=8, out_channels=2, readout="pooled",
                         readout_options={"batch_norm": True})
    model.save(tmp_path / "model.safetensors")
    stored = dict(gsan._core.read_tensors(str(tmp_path / "model.safetensors")))
    assert set(stored) == set(model.state_dict())
    assert "backbone.layer_0.own_1" in stored and any("running_mean" in name for name in stored)
    again = gsan.nn.load(tmp_path / "model.safetensors").eval()
    complex = random_complex(max_rank=2)
    x = [torch.randn(complex.count(k), k + 1) for k in range(3)]
    assert torch.equal(again(complex, x), model.eval()(complex, x))
    safetensors = pytest.importorskip("safetensors.torch", reason="safetensors is not installed")
    assert torch.equal(safetensors.load_file(tmp_path / "model.safetensors")["backbone.layer_0.own_1"],
                       model.backbone.layer_0.own_1)


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
    assert not torch.equal(a["backbone.layer_0.own_1"], c["backbone.layer_0.own_1"])


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
    assert gsan.nn.GSAN().backbone.layer_0.own_1.device.type == "cpu"


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


def test_a_flipped_bit_in_a_weights_file_raises_unless_nobody_looks(tmp_path):
    layer = gsan.nn.SimplicialLayer(2, 3)
    for saved in (gsan.nn.GSAN(2, 4, 2, seed=1), layer):
        file = tmp_path / "weights.safetensors"
        saved.save(file)
        content = bytearray(file.read_bytes())
        content[-3] ^= 4
        file.write_bytes(content)
        with pytest.raises(gsan.FormatError, match="damaged"):
            gsan.nn.load(file)
        gsan.nn.load(file, verify=False)


def test_evaluation_normalises_by_what_was_measured():
    data = gsan.datasets.islands(signals=30)
    model = gsan.nn.GSAN([0, 1, 0], 4, n_layers=1, readout="pooled",
                         readout_options={"absolute": True, "batch_norm": True})
    trained = model(data.complex, data.signals).detach()  # normalised by this batch
    before = {name: parameter.clone() for name, parameter in model.named_parameters()}
    far = (model.eval()(data.complex, data.signals) - trained).abs().max()
    assert model.measure_batch_norms(lambda: [model(data.complex, x) for x in data.signals.split(8)]) is model
    assert not model.training
    near = (model(data.complex, data.signals) - trained).abs().max()
    assert near < 0.1 < far  # n - 1 and n
    assert all(torch.equal(before[name], parameter) for name, parameter in model.named_parameters())
    with pytest.raises(ZeroDivisionError):
        model.train().measure_batch_norms(lambda: 1 // 0)
    assert model.training
