"""Wrong options and calls of gsan.nn modules: exceptions with the values, never a crash."""
import pytest
import torch

import gsan

L = gsan.nn.SimplicialLayer


def run(layer, x, **options):
    return layer(gsan.SimplicialComplex([[0, 1, 2]]), x, **options)


good = [torch.zeros(3, 1), torch.zeros(3, 1), torch.zeros(1, 1)]


@pytest.mark.parametrize("call, error, words", [
    (lambda: L(head=3), ValueError, "heads"),
    (lambda: L(heads=0), ValueError, "heads.*0"),
    (lambda: L(heads="many"), ValueError, "many"),
    (lambda: L(activation="relux"), ValueError, "relux"),
    (lambda: L(lower={"own": -1}), ValueError, "-1"),
    (lambda: L.preset("gsam", 1, 1), ValueError, "gsan"),
    (lambda: gsan.nn.GSAN(in_channels=[1, 2], order=2), ValueError, "order"),
    (lambda: gsan.nn.GSAN(hidden_channels=7, heads=2), ValueError, "7"),
    (lambda: gsan.nn.GSAN(readout="pool"), ValueError, "pool"),
    (lambda: gsan.nn.GSAN(readout_options={"pooling": "sum"}), ValueError, "readout"),
    (lambda: gsan.nn.SAN(signal_order=1, in_channels=[1, 0, 0]), ValueError, r"\[1, 0, 0\]"),
    (lambda: gsan.nn.Model(), TypeError, "GSAN"),
    (lambda: run(L(), [torch.zeros(3, 1), torch.zeros(4, 1), None]), ValueError, "3.*4|4.*3"),
    (lambda: run(L(), [torch.zeros(3, 2), None, None]), ValueError, "2"),
    (lambda: run(L(), [good[0].double(), None, None]), ValueError, "[Dd]ouble|float64"),
    (lambda: run(L(), [good[0].int(), None, None]), ValueError, "[Ii]nt"),
    (lambda: run(L(), good + [torch.zeros(1, 1)]), ValueError, "a list of 4"),
    (lambda: run(L(), ["a", None, None]), TypeError, "str"),
    (lambda: run(L(), torch.zeros(3, 1)), TypeError, r"\[3, 1\]"),
    (lambda: run(L(), {9: good[0]}), ValueError, "9"),
    (lambda: run(L(), 3), TypeError, "int"),
    (lambda: L()([[0, 1]], good), TypeError, "list"),
    (lambda: L()(gsan.SimplicialComplex([[0, 1]])), TypeError, "signals"),
    (lambda: run(L(), [good[0].to("meta"), None, None]), (ValueError, RuntimeError), "meta"),
    (lambda: L()(gsan.SimplicialComplex([[0, 1, 2, 3]]), good), ValueError, "order|3"),
    (lambda: run(L(), [good[0] * float("nan"), None, None], check_finite=True), ArithmeticError, "nan|finite"),
    (lambda: run(L().half(), [v.half() for v in good]), ValueError, "float32 or float64.*Half"),
    (lambda: run(L(), good, dropout_seed=-1), ValueError, "dropout_seed.*-1"),
    (lambda: run(L(), good, dropout_seed=0.5), TypeError, "dropout_seed.*0.5"),
    (lambda: run(L(), good, signal_keys=torch.ones(1)), TypeError, "float32"),
    (lambda: gsan.nn.GSAN(seed=-1), ValueError, "seed.*-1"),
    (lambda: gsan.nn.GSAN(in_channels="12"), TypeError, "'12'"),
    (lambda: gsan.nn.GSAN(in_channels=[1.5, 1, 1]), TypeError, "1.5"),
    (lambda: gsan.nn.GSAN(order=-1), ValueError, "-1"),
    (lambda: L().cost(3), TypeError, "int"),
    (lambda: L().cost(gsan.SimplicialComplex([[0, 1]]), -1), ValueError, "-1"),
])
def test_wrong_use_is_an_exception_with_the_values(call, error, words):
    with pytest.raises(error, match=words):
        call()


def test_wrong_shapes_of_swapped_parameters():
    layer = L()
    with pytest.raises(ValueError, match="own_1"):
        torch.func.functional_call(layer, {"own_1": torch.zeros(7)}, (gsan.SimplicialComplex([[0, 1, 2]]), good))
