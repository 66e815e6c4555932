"""What a first call in torch.inference_mode() makes and keeps serves training afterwards."""
import pytest
import torch

import gsan
from conftest import random_complex, signals_on

presets = [getattr(gsan.nn, name) for name in gsan.nn.presets.__all__]


def gradients(model, complex, x):
    model.zero_grad()
    sum(v.pow(2).sum() for v in model(complex, x) if v is not None).backward()
    return [None if p.grad is None else p.grad.clone() for p in model.parameters()]


@pytest.mark.parametrize("preset", presets, ids=lambda preset: preset.preset_name)
def test_a_complex_first_used_in_inference_mode_can_be_trained_on(preset):
    model = preset(in_channels=3, hidden_channels=4)
    complex, again = random_complex(max_rank=2), random_complex(max_rank=2)
    x = signals_on(complex, 3, order=model.order)
    expected = gradients(model.eval(), again, x)
    with torch.inference_mode():
        model(complex, x)
    found = gradients(model, complex, x)
    assert any(g is not None for g in found)
    assert all(a is b or torch.equal(a, b) for a, b in zip(found, expected))


def test_a_batch_made_in_inference_mode_can_be_trained_on():
    complex = random_complex(max_rank=2)
    x = signals_on(complex, 3)
    with torch.inference_mode():
        batch = gsan.data.Batch([complex, complex], [])
        gsan.nn.GSAN(in_channels=3)(batch, [torch.cat([v, v]) for v in x])
    model = gsan.nn.GSAN(in_channels=3, out_channels=2, readout="pooled")
    model(batch, [torch.cat([v, v]) for v in x]).sum().backward()
    assert model.backbone.layer_0.own_1.grad.abs().sum() > 0


def test_operators_made_in_inference_mode_are_differentiable():
    complex = random_complex(max_rank=2)
    x = signals_on(complex, 2)[1].requires_grad_()
    with torch.inference_mode():
        complex.laplacian(1, x)
    complex.laplacian(1, x).sum().backward()
    assert torch.equal(x.grad, complex.laplacian(1, torch.ones_like(x)))


def test_parameters_bound_in_inference_mode_are_trained():
    complex = random_complex(max_rank=2)
    x = signals_on(complex, 3)
    model = gsan.nn.GSAN(in_channels=3, hidden_channels=4)
    model.load_state_dict({name: value.clone() for name, value in model.state_dict().items()}, assign=True)
    with torch.inference_mode():
        model(complex, x)
    model(complex, x)[1].sum().backward()
    assert model.backbone.layer_0.own_1.grad.abs().sum() > 0
