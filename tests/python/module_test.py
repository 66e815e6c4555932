"""gsan.nn modules as nn.Modules: what they compute. Forms of input, modes, gradients, compilation, devices."""
import gc
import warnings
import weakref

import pytest
import torch

import gsan
from conftest import layer_options, random_complex, signals_on, step_output


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
    assert gsan.nn.GSAN(heads=2, concat=False).options["backbone"]["head_mode"] == "mean"
    assert gsan.nn.GSAN(heads=2, concat=True).options["backbone"]["head_mode"] == "concat"


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
    assert "backbone.layer" not in repr(gsan.nn.GSAN()) or "GSAN(" in repr(gsan.nn.GSAN())
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
