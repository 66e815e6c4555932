"""Data without orientation, gates, standardised inputs and normalisation between layers, from Python."""
import numpy as np
import pytest
import torch

import gsan

TRIANGLES = [[0, 1, 2], [1, 2, 3], [2, 3, 4], [0, 2, 4], [4, 5], [0, 5]]


def renamed(names):
    """The complex with other vertex numbers, and per order the rows of the first one in the order of the second."""
    first = gsan.SimplicialComplex(TRIANGLES)
    second = gsan.SimplicialComplex([[names[v] for v in simplex] for simplex in TRIANGLES])
    rows = []
    for k in range(first.order + 1):
        where = {tuple(sorted(names[v] for v in simplex)): i for i, simplex in enumerate(first.simplices(k).tolist())}
        rows.append(torch.tensor([where[tuple(simplex)] for simplex in second.simplices(k).tolist()]))
    return first, second, rows


@pytest.mark.parametrize("model", ["GSAN", "GSCCN", "GSANJoint", "GSANHodge"])
def test_renumbering_vertices_moves_unsigned_answers_by_rounding_only(model):
    first, second, rows = renamed([3, 0, 5, 1, 4, 2])
    x = [torch.from_numpy(np.random.default_rng(k).normal(size=(first.count(k), 3))) for k in range(3)]
    moved = [x[k][rows[k]] for k in range(3)]

    def distance(**options):
        net = getattr(gsan.nn, model)(3, 8, 4, seed=1, **options).double()
        there, here = net(second, moved), net(first, x)
        return max(float((there[k] - here[k][rows[k]]).detach().abs().max()) for k in range(3))

    assert distance(incidence="unsigned", harmonic="skip") < 1e-12
    assert distance(incidence="signed", harmonic="skip") > 1e-3


def test_unsigned_operators_have_no_harmonic_part():
    with pytest.raises(ValueError, match="incidence=unsigned has no harmonic part"):
        gsan.nn.GSAN(3, 8, incidence="unsigned")


@pytest.mark.parametrize("mechanism", ["gat", "gatv2", "dot"])
def test_sigmoid_gates_let_each_neighbour_in_by_itself(mechanism):
    complex = gsan.SimplicialComplex(TRIANGLES)
    layer = gsan.nn.SimplicialLayer(in_channels=2, out_channels=2, order=2, mechanism=mechanism, gate="sigmoid", harmonic="none")
    x = [torch.randn(complex.count(k), 2) for k in range(3)]
    _, attention = layer(complex, x, return_attention_weights=True)
    for of in attention:
        assert float(of.weights.min()) > 0 and float(of.weights.max()) < 1
        sums = torch.zeros(complex.count(of.order), of.weights.size(-1)).index_add_(0, of.receivers.long(), of.weights.detach())
        assert float((sums - 1).abs().max()) > 1e-3


def test_standardised_inputs_are_measured_once_and_saved(tmp_path):
    complex = gsan.SimplicialComplex(TRIANGLES)
    x = [1000 + 50 * torch.randn(complex.count(k), 3) for k in range(3)]
    model = gsan.nn.GSAN(3, 8, 2, readout="pooled", standardize="standard", norm="layer", residual=True, seed=1)
    before = model(complex, x)
    assert model.fit_inputs([x]) is model
    after = model(complex, x)
    assert not torch.allclose(before, after)
    assert torch.allclose(model.state_dict()["inputs.mean_0"], x[0].mean(0), rtol=1e-5)
    model.save(tmp_path / "model.safetensors")
    back = gsan.nn.load(tmp_path / "model.safetensors")
    assert torch.equal(back(complex, x), after)
    assert back.options["standardize"] == "standard"
    with pytest.raises(ValueError, match="standardize"):
        gsan.nn.GSAN(3, 8, standardize="nearly")
