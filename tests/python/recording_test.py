"""torch.export, torch.jit.trace and torch.func cannot record the compiled core: they are refused in one sentence, and neither
model nor complex is any different afterwards."""
import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.proxy_tensor import make_fx

import gsan
from conftest import random_complex, signals_on


class Wrapper(torch.nn.Module):
    def __init__(self, model, complex):
        super().__init__()
        self.model = model
        self.complex = complex

    def forward(self, *x):
        return self.model(self.complex, list(x))[1]


def run_fake(wrapper, x):
    with FakeTensorMode(allow_non_fake_inputs=True):
        wrapper(*x)


recorders = {
    "torch.export": lambda wrapper, x: torch.export.export(wrapper, tuple(x), strict=False),
    "torch.export, strict": lambda wrapper, x: torch.export.export(wrapper, tuple(x), strict=True),
    "torch.jit.trace": lambda wrapper, x: torch.jit.trace(wrapper, tuple(x), check_trace=False),
    "FakeTensorMode": run_fake,
    "make_fx": lambda wrapper, x: make_fx(wrapper)(*x),
    "torch.func": lambda wrapper, x: torch.func.grad(lambda first: wrapper(first, *x[1:]).sum())(x[0]),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("used_before", [False, True])
@pytest.mark.parametrize("name", recorders)
def test_recording_is_refused_and_breaks_nothing(name, used_before):
    complex, untouched = random_complex(max_rank=2), random_complex(max_rank=2)
    x = signals_on(complex, 3)
    for module in (gsan.nn.GSAN(in_channels=3, hidden_channels=4), gsan.nn.SimplicialLayer(in_channels=3, out_channels=2)):
        expected = module(untouched, x)[1]
        if used_before:
            module(complex, x)
        with torch.no_grad() if name == "torch.jit.trace" else torch.enable_grad():
            with pytest.raises(RuntimeError, match=f"{type(module).__name__} is compiled code that .*{name.split(',')[0]}.*cannot record"):
                recorders[name](Wrapper(module, complex), x)
        found = module(complex, x)[1]
        assert type(found) is torch.Tensor and torch.equal(found, expected)
        found.sum().backward()
        other = gsan.nn.GSAN(in_channels=3, hidden_channels=4)
        sum(v.sum() for v in other(complex, x)).backward()
        assert other.backbone.layer_0.own_1.grad.abs().sum() > 0


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("record", [
    lambda function, x: torch.export.export(function, (x,), strict=False).module(),
    lambda function, x: torch.jit.trace(function, (x,), check_trace=False),
    lambda function, x: make_fx(function)(x),
], ids=["torch.export", "torch.jit.trace", "make_fx"])
def test_operators_of_a_complex_are_recorded_and_keep_numbers(record):
    complex = random_complex(max_rank=2)
    x = signals_on(complex, 2)[1]
    expected = random_complex(max_rank=2).laplacian(1, 2 * x)

    class Function(torch.nn.Module):
        def forward(self, x):
            return complex.laplacian(1, x)  # its first use: the tables are made while recording

    assert torch.equal(record(Function(), x)(2 * x), expected)
    assert torch.equal(complex.laplacian(1, 2 * x), expected)
    complex.laplacian(1, x.requires_grad_()).sum().backward()
    assert torch.equal(x.grad, complex.laplacian(1, torch.ones_like(x)))


def test_a_complex_first_used_with_fake_tensors_or_in_a_transform_keeps_numbers():
    complex = random_complex(max_rank=2)
    x = signals_on(complex, 2)[1]
    with FakeTensorMode(allow_non_fake_inputs=True) as mode:
        complex.laplacian(1, mode.from_tensor(x))
    assert torch.equal(complex.laplacian(1, x), random_complex(max_rank=2).laplacian(1, x))
    other = random_complex(max_rank=2)
    with pytest.raises(RuntimeError, match="functorch"):
        torch.func.grad(lambda x: other.laplacian(1, x).sum())(x)
    assert torch.equal(other.laplacian(1, x), complex.laplacian(1, x))


def test_modes_that_record_nothing_pass():
    from torch.utils.flop_counter import FlopCounterMode
    complex = random_complex(max_rank=2)
    x = signals_on(complex, 3)
    model = gsan.nn.GSAN(in_channels=3, hidden_channels=4)
    with FlopCounterMode(display=False):
        found = model(complex, x)[1]
    assert torch.equal(found, model(complex, x)[1])
