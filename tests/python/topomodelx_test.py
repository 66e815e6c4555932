"""Where TopoModelX has the same architecture: same weights, same input, its output to 1e-5. The table of docs/python.md
says what agrees and where a formula differs; `python topomodelx_test.py` prints the differences."""
import warnings

import pytest
import torch

import gsan
from conftest import random_complex, signals_on

warnings.filterwarnings("ignore")
simplicial = pytest.importorskip("topomodelx.nn.simplicial", reason="topomodelx is not installed")
from topomodelx.nn.simplicial.san_layer import SANLayer  # noqa: E402
from topomodelx.nn.simplicial.sccnn_layer import SCCNNLayer  # noqa: E402
from topomodelx.nn.simplicial.scconv_layer import SCConvLayer  # noqa: E402
from topomodelx.nn.simplicial.scn2_layer import SCN2Layer  # noqa: E402
from topomodelx.nn.simplicial.scnn_layer import SCNNLayer  # noqa: E402
from topomodelx.nn.simplicial.scone_layer import SCoNeLayer  # noqa: E402

WIDTH, OUT, POWERS = 3, 4, 2


def difference(ours, theirs):
    scale = max(1.0, float(theirs.abs().max()))
    return float((ours - theirs).abs().max()) / scale


def closed_surface():
    """Every edge has two cofaces: no empty upper neighbourhood."""
    return gsan.SimplicialComplex.example("torus")


@torch.no_grad()
def scnn():
    complex = random_complex(max_rank=2)
    x = signals_on(complex, WIDTH)[1]
    theirs = SCNNLayer(WIDTH, OUT, POWERS, POWERS, update_func="relu")
    ours = gsan.nn.SimplicialLayer.preset("scnn", WIDTH, OUT, length=POWERS, activation="relu")
    W = theirs.weight  # [in, out, 1 + down + up]
    ours.identity_1.copy_(W[:, :, 0].unsqueeze(1))
    ours.own_1_lower.copy_(W[:, :, 1:1 + POWERS].permute(0, 2, 1).unsqueeze(2))
    ours.own_1_upper.copy_(W[:, :, 1 + POWERS:].permute(0, 2, 1).unsqueeze(2))
    return difference(ours(complex, x), theirs(x, complex.down_laplacian_matrix(1), complex.up_laplacian_matrix(1)))


@torch.no_grad()
def sccnn():
    complex = random_complex(max_rank=2)
    x = signals_on(complex, WIDTH)
    theirs = SCCNNLayer((WIDTH,) * 3, (OUT,) * 3, POWERS, 2, update_func="sigmoid")
    ours = gsan.nn.SimplicialLayer.preset("sccnn", WIDTH, OUT, length=POWERS, activation="sigmoid")
    P = POWERS

    def taps(weight, first, count):
        return weight[:, :, first:first + count].permute(0, 2, 1).unsqueeze(2)

    W0, W1, W2 = theirs.weight_0, theirs.weight_1, theirs.weight_2
    ours.identity_0.copy_(W0[:, :, 0].unsqueeze(1))
    ours.own_0_upper.copy_(taps(W0, 1, P))
    ours.neighbor_0_upper.copy_(taps(W0, 1 + P, P + 1))
    ours.neighbor_1_lower.copy_(taps(W1, 0, P + 1))
    ours.identity_1.copy_(W1[:, :, P + 1].unsqueeze(1))
    ours.own_1_lower.copy_(taps(W1, P + 2, P))
    ours.own_1_upper.copy_(taps(W1, 2 * P + 2, P))
    ours.neighbor_1_upper.copy_(taps(W1, 3 * P + 2, P + 1))
    ours.identity_2.copy_(W2[:, :, 0].unsqueeze(1))
    ours.own_2_lower.copy_(taps(W2, 1, P))
    ours.neighbor_2_lower.copy_(taps(W2, 1 + P, P + 1))
    laplacians = (complex.hodge_laplacian_matrix(0), complex.down_laplacian_matrix(1), complex.up_laplacian_matrix(1),
                  complex.hodge_laplacian_matrix(2))
    y = theirs(tuple(x), laplacians, (complex.incidence_matrix(1), complex.incidence_matrix(2)))
    return max(difference(a, b) for a, b in zip(ours(complex, x), y))


@torch.no_grad()
def psnn():
    complex = random_complex(max_rank=2)
    x = signals_on(complex, WIDTH)[1]
    theirs = SCoNeLayer(WIDTH, OUT)
    theirs.reset_parameters()
    ours = gsan.nn.SimplicialLayer.preset("psnn", WIDTH, OUT)
    ours.own_1_lower.copy_(theirs.weight_0[:, None, None])
    ours.identity_1.copy_(theirs.weight_1[:, None])
    ours.own_1_upper.copy_(theirs.weight_2[:, None, None])
    return difference(ours(complex, x), theirs(x, complex.incidence_matrix(1), complex.incidence_matrix(2)))


@torch.no_grad()
def scn2():
    complex = random_complex(max_rank=2)
    x = signals_on(complex, WIDTH)
    theirs = SCN2Layer(WIDTH, WIDTH, WIDTH)
    ours = gsan.nn.SimplicialLayer(WIDTH, WIDTH, lower={"own": 1, "neighbor": 0}, upper={"own": 1, "neighbor": 0},
                                   sharing="lower=upper", lower_shift="normalized", upper_shift="normalized",
                                   harmonic="none", activation="relu")
    L = []
    for k, conv in enumerate((theirs.conv_0_to_0, theirs.conv_1_to_1, theirs.conv_2_to_2)):
        getattr(ours, f"own_{k}").copy_(conv.weight[:, None, None])
        matrix = complex.hodge_laplacian_matrix(k)
        L.append(matrix / torch.linalg.eigvalsh(matrix.to_dense()).max())
    return max(difference(a, b) for a, b in zip(ours(complex, x), theirs(*x, *L)))


def bunch_matrices(complex):
    """The matrices of Bunch et al. in symmetric form, from their definitions; theirs are arguments of the layer."""
    B = [None] + [complex.incidence_matrix(k, dtype=torch.float64).to_dense() for k in (1, 2)]

    def inverse(d):
        return torch.where(d > 0, 1 / d, torch.zeros_like(d))

    def degrees(k):  # D2_k
        count = B[k + 1].abs().sum(1) if k < 2 else torch.zeros(complex.count(2), dtype=torch.float64)
        return count.clamp(min=1)

    D2 = [degrees(k) for k in range(3)]
    D1 = [None] + [(k + 1) * (B[k].abs() @ D2[k]) for k in (1, 2)]  # (k+1) |B_k| D2_k
    D5 = B[2].abs().sum(1)
    S = [[None] * 2 for _ in range(3)]
    S[0][1] = D2[0].rsqrt().diag() @ B[1] @ B[1].T @ D2[0].rsqrt().diag()
    S[1][0] = D2[1].sqrt().diag() @ B[1].T @ inverse(D1[1]).diag() @ B[1] @ D2[1].sqrt().diag()
    S[1][1] = D2[1].rsqrt().diag() @ B[2] @ B[2].T @ D2[1].rsqrt().diag() / 3
    S[2][0] = B[2].T @ inverse(D5).diag() @ B[2]
    couplings = {(0, 1): inverse(D1[1]).diag() @ B[1], (1, 0): D2[1].diag() @ B[1].T @ inverse(D1[1]).diag(),
                 (1, 2): B[2] / 3, (2, 1): B[2].T @ inverse(D5).diag()}
    return S, couplings


@torch.no_grad()
def bunch():
    complex = random_complex(max_rank=2)
    x = signals_on(complex, WIDTH)
    theirs = SCConvLayer(WIDTH, WIDTH, WIDTH)
    ours = gsan.nn.SimplicialLayer.preset("bunch", WIDTH, WIDTH, activation="sigmoid")
    state = ours.state_dict()
    names = {"own_0": "0_to_0", "own_1": "1_to_1", "own_2": "2_to_2", "own_0_upper": "0_to_0", "own_2_lower": "2_to_2",
             "neighbor_0_upper": "1_to_0", "neighbor_1_lower": "0_to_1", "neighbor_1_upper": "2_to_1",
             "neighbor_2_lower": "1_to_2"}
    for name, value in state.items():
        value.copy_(getattr(theirs, "conv_" + names[name]).weight[:, None, None])
    S, C = bunch_matrices(complex)
    f = lambda m: m.float()  # noqa: E731
    y = theirs(*x, f(C[0, 1]).T, f(C[1, 0]).T, f(C[1, 2]).T, f(C[2, 1]).T, f(S[0][1]), f(S[1][1]), f(S[1][0]), f(S[2][0]))
    return max(difference(a, b) for a, b in zip(ours(complex, x), y))


@torch.no_grad()
def san(complex=None, attention=0.0, positive=False):
    """Powers of a row-stochastic operator and the harmonic term; a = `attention` times random numbers. `positive`: no score
    is negative, where ELU and LeakyReLU are the same."""
    complex = complex or closed_surface()
    x = signals_on(complex, WIDTH)[1]
    theirs = SANLayer(WIDTH, OUT, POWERS)
    if positive:
        x = x.abs()
        for parameter in theirs.parameters():
            parameter.abs_()
    ours = gsan.nn.SimplicialLayer.preset("san", WIDTH, OUT, length=POWERS, activation="identity", harmonic="projector",
                                          harmonic_steps=3)
    for conv, side in ((theirs.conv_down, "lower"), (theirs.conv_up, "upper")):
        a = attention * torch.randn_like(conv.att_weight)
        conv.att_weight.copy_(a.abs() if positive else a)
        getattr(ours, f"own_1_{side}").copy_(conv.weight.permute(1, 0, 2).unsqueeze(2))
        a = conv.att_weight.reshape(2, -1)  # theirs takes the source first, ours the receiver
        getattr(ours, f"attention_1_{side}_1").a.copy_(a.flip(0).reshape(1, -1))
    ours.harmonic.copy_(theirs.conv_harmonic.weight[:, None])
    L = complex.hodge_laplacian_matrix(1).to_dense()
    epsilon = 1 / float(complex.operators().lambda_bound(1)[0])
    P = torch.linalg.matrix_power(torch.eye(len(L)) - epsilon * L, 3)
    return difference(ours(complex, x), theirs(x, complex.up_laplacian_matrix(1).coalesce(),
                                               complex.down_laplacian_matrix(1).coalesce(), P))


agreeing = {"SCNN": scnn, "SCCNN": sccnn, "PSNN (SCoNe)": psnn, "SCN2": scn2, "Bunch (SCConv)": bunch,
            "SAN, convolutional part": san, "SAN, no score negative": lambda: san(attention=1.0, positive=True)}


@pytest.mark.parametrize("name", agreeing)
def test_same_weights_and_input_give_the_same_output(name):
    assert agreeing[name]() <= 1e-5


def test_san_differs_where_the_table_says_so():
    assert san(attention=1.0) > 1e-3  # ELU in the place of LeakyReLU, where a score is negative
    dangling = gsan.SimplicialComplex([[0, 1, 2], [2, 3]])
    assert san(dangling) > 1e-3  # an edge without coface


if __name__ == "__main__":
    for name, compare in agreeing.items():
        torch.manual_seed(0)
        print(f"{name}: {compare():.1e}")
    torch.manual_seed(0)
    print(f"SAN with attention: {san(attention=1.0):.1e}")
    print(f"SAN, an edge without coface: {san(gsan.SimplicialComplex([[0, 1, 2], [2, 3]])):.1e}")
