"""Whole models: which order a readout reads, which signals a call needs, what the last layer is without a readout."""
import pytest
import torch

import gsan
from conftest import random_complex, signals_on


@pytest.mark.parametrize("make, order", [
    (lambda: gsan.nn.GAT([3, 0, 0], 8, 4, readout="simplex"), 0),
    (lambda: gsan.nn.GIN([3, 0, 0], 8, 4, readout="simplex"), 0),
    (lambda: gsan.nn.SAN([0, 0, 3], 8, 4, signal_order=2, readout="simplex"), 2),
    (lambda: gsan.nn.GSAN(3, 8, 4, readout="simplex"), 1),
    (lambda: gsan.nn.GSAN(3, 8, 4, readout="simplex", readout_options={"order": 2}), 2),
])
def test_a_readout_reads_the_only_order_of_the_model(make, order):
    complex = random_complex(max_rank=2)
    model = make()
    y = model(complex, signals_on(complex, 3))
    assert y.shape == (complex.count(order), 4) and model.options["shape"]["order"] in (order, -1)
    y.pow(2).sum().backward()
    assert y.abs().sum() > 0
    backbone = [p.grad for name, p in model.named_parameters() if not name.startswith("readout")]
    assert any(g is not None and g.abs().sum() > 0 for g in backbone)


@pytest.mark.parametrize("preset, options", [
    (gsan.nn.GAT, dict(readout="simplex", readout_options={"order": 1})),
    (gsan.nn.GAT, dict(readout="tuple", readout_options={"order": 2})),
    (gsan.nn.GAT, dict(readout="pooled", readout_options={"orders": [0, 1]})),
    (gsan.nn.GAT, dict(readout="flattened", readout_options={"order": 1, "simplices": 5})),
    (gsan.nn.GIN, dict(readout="simplex", readout_options={"order": 1})),
])
def test_a_readout_of_an_order_that_the_model_lacks_is_refused(preset, options):
    with pytest.raises(ValueError, match=rf"the readout reads order [12].*orders \[0\]"):
        preset([3, 0, 0], 8, 4, **options)


def test_lists_of_the_wrong_length_are_refused():
    complex = random_complex(max_rank=2)
    x = signals_on(complex, 3)
    for module in (gsan.nn.GSAN(3, 8, 2), gsan.nn.SimplicialLayer(3, 2), gsan.nn.MPSN(3, 8), gsan.nn.MLP(3, 8)):
        for wrong in (x[:2], x + [None], x + [torch.randn(7, 3)]):
            with pytest.raises(ValueError, match=rf"{type(module).__name__}: expected a list of 3 .*got a list of {len(wrong)}"):
                module(complex, wrong)
    graph = complex.skeleton(1)  # one signal per order of the complex is enough
    model = gsan.nn.GSAN(3, 8, 2)
    assert torch.equal(model(graph, x[:2])[1], model(graph, x[:2] + [None])[1])
    assert gsan.nn.GIN([3, 0, 0], 8)(complex, x)[0].shape == (complex.count(0), 8)


@pytest.mark.parametrize("preset", [gsan.nn.GSAN, gsan.nn.MPSN, gsan.nn.MLP, gsan.nn.Bunch])
def test_a_missing_signal_is_refused(preset):
    complex = random_complex(max_rank=2)
    x = signals_on(complex, 3)
    model = preset(3, 8)
    asks = rf"{preset.__name__}: in_channels = \[3, 3, 3\] asks for a signal \[\.\.\., {complex.count(0)}, 3\] of order 0"
    for wrong in ([None, x[1], x[2]], {1: x[1], 2: x[2]}):
        with pytest.raises(ValueError, match=asks):
            model(complex, wrong)
    with pytest.raises(ValueError, match=asks):
        model(gsan.data.Batch([complex], [None, x[1], x[2]]))
    without = preset([0, 3, 0], 8)
    y = without(complex, [None, x[1], None])
    assert torch.equal(without(complex, x[1])[1], y[1]) and torch.equal(without(complex, {1: x[1]})[1], y[1])


def test_without_a_readout_the_last_layer_is_linear():
    complex = random_complex(max_rank=2)
    x = [100 * v for v in signals_on(complex, 3)]
    for preset in (gsan.nn.GSAN, gsan.nn.GCN, gsan.nn.SAN):
        model = preset(3, 8, 4, seed=1)
        activated = preset(3, 8, 4, seed=1, activate_last=True)
        sigma = {"tanh": torch.tanh, "relu": torch.relu}[model.options["backbone"]["activation"]]
        for plain, squashed in zip(model(complex, x), activated(complex, x)):
            assert plain is None or torch.allclose(sigma(plain), squashed, atol=1e-6)
        assert min(v.min() for v in model(complex, x) if v is not None) < 0


def test_without_a_readout_the_last_layer_averages_its_heads():
    complex = random_complex(max_rank=2)
    x = signals_on(complex, 3)
    model = gsan.nn.GSAN(3, 8, 3, heads=4)  # 3 is no multiple of 4
    assert [v.shape[1] for v in model(complex, x)] == [3, 3, 3]
    _, layers = model(complex, x, return_layers=True)
    assert layers[0][0].shape[1] == 8
    other = gsan.nn.GSAN(3, 8, 12, heads=4, mean_last_heads=False)
    other.load_state_dict(model.state_dict())
    for mean, heads in zip(model(complex, x), other(complex, x)):
        assert torch.allclose(mean, heads.view(-1, 4, 3).mean(1), atol=1e-6)
    with pytest.raises(ValueError, match="multiple of heads = 4.*3"):
        gsan.nn.GSAN(3, 8, 3, heads=4, mean_last_heads=False)
    assert gsan.nn.GSAN(3, 8, heads=4)(complex, x)[0].shape[1] == 8


def test_with_a_readout_the_last_layer_is_like_the_others():
    network = gsan.nn.GSAN(3, 8, 2, heads=2, readout="pooled").options["backbone"]
    assert network["activate_last"] is True and network["mean_last_heads"] is False and network["hidden_channels"] == 8


def test_models_without_an_output_layer_refuse_its_options():
    for preset in (gsan.nn.MPSN, gsan.nn.GIN, gsan.nn.MLP):
        with pytest.raises(ValueError, match="features of the last layer, 8.*readout"):
            preset(3, 8, 2)
        with pytest.raises(ValueError, match="activate_last"):
            preset(3, 8, activate_last=True)
        assert preset(3, 8, 8).options["readout"] == "none"
