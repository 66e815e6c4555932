"""Models that compute in an order of their own, and return everything in that of the complex."""
import pickle

import numpy as np
import pytest
import torch

import gsan
from conftest import random_complex, signals_on


def twins():
    """The same complex, in the given order and reordered inside."""
    given = random_complex(max_rank=2)
    reordered = pickle.loads(pickle.dumps(given))
    given.reorder, reordered.reorder = "none", "cuthill-mckee"
    assert reordered.operators().is_reordered() and not given.operators().is_reordered()
    return given, reordered


@pytest.mark.parametrize("preset", [gsan.nn.GSAN, gsan.nn.GSANHodge, gsan.nn.GSCCN, gsan.nn.SCCNN, gsan.nn.MPSN])
def test_answers_are_those_of_the_given_order(preset):
    given, reordered = twins()
    model = preset(3, 8, seed=0).double().eval()
    x = [signal.double().requires_grad_() for signal in signals_on(given, 3)]
    weights = [torch.randn(len(signal), 8, dtype=torch.float64) for signal in x]
    answers = []
    for complex in (given, reordered):
        y = model(complex, x)
        gradients = torch.autograd.grad(sum((a * b).sum() for a, b in zip(y, weights)), [*x, *model.parameters()],
                                        allow_unused=True)
        answers.append([*y, *(g for g in gradients if g is not None)])
    for a, b in zip(*answers):
        torch.testing.assert_close(a, b, rtol=1e-10, atol=1e-10)


def test_attention_weights_and_masks_are_those_of_the_given_order():
    given, reordered = twins()
    model = gsan.nn.GSAN(3, 8, 2, dropout=0.2, attention_dropout=0.3, seed=0).double()
    x = [signal.double() for signal in signals_on(given, 3)]
    for a, b in zip(model(given, x, dropout_seed=4), model(reordered, x, dropout_seed=4)):
        torch.testing.assert_close(a, b, rtol=1e-11, atol=1e-11)
    model.eval()
    of_given, of_reordered = (model(complex, x, return_attention_weights=True)[1] for complex in (given, reordered))
    assert len(of_given) == 2 and len(of_given[0]) > 2
    for a, b in zip(sum(of_given, []), sum(of_reordered, [])):
        assert torch.equal(a.edge_index, b.edge_index)
        torch.testing.assert_close(a.weights, b.weights, rtol=1e-11, atol=1e-11)


def test_tuples_name_the_rows_of_the_given_order():
    given, reordered = twins()
    model = gsan.nn.GSAN(3, 8, readout="tuple", readout_options={"order": 1, "tuple_size": 2}, seed=0).double().eval()
    x = [signal.double() for signal in signals_on(given, 3)]
    tuples = torch.tensor([[0, 3], [4, 1], [2, 2]])
    torch.testing.assert_close(model(given, x, tuples=tuples), model(reordered, x, tuples=tuples), rtol=1e-11, atol=1e-11)


def test_parts_of_a_batch_keep_their_own_choice():
    given, reordered = twins()
    model = gsan.nn.GSAN(3, 8, 2, readout="pooled", seed=0).double().eval()
    x = [signal.double() for signal in signals_on(given, 3)]
    samples = [gsan.data.Sample(complex, x_0=x[0], x_1=x[1], x_2=x[2], y=0) for complex in (given, reordered, given)]
    batch = gsan.data.collate(samples)
    assert batch.operators.is_reordered()
    y = model(batch)
    torch.testing.assert_close(y[0], y[1], rtol=1e-11, atol=1e-11)
    torch.testing.assert_close(y[1:2], model(reordered, x), rtol=1e-11, atol=1e-11)


def test_only_large_complexes_are_reordered_by_themselves():
    names = np.random.default_rng(0).permutation(20_000)
    strip = np.stack([names[:-2], names[1:-1], names[2:]], axis=1)
    complex = gsan.SimplicialComplex(strip)
    assert complex.reorder == "automatic" and complex.operators().is_reordered()
    complex.reorder = "none"
    assert not complex.operators().is_reordered()
    assert not gsan.SimplicialComplex(np.sort(strip, axis=1)[:1000]).operators().is_reordered()
    assert not random_complex().operators().is_reordered()


def test_pickles_keep_the_choice_and_unknown_orders_are_refused():
    complex = random_complex()
    complex.reorder = "none"
    assert pickle.loads(pickle.dumps(complex)).reorder == "none"
    with pytest.raises(ValueError, match="automatic, none, bisection, cuthill-mckee.*sorted"):
        complex.reorder = "sorted"
    assert complex.reorder == "none"
