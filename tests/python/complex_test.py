"""gsan.SimplicialComplex: construction, tables, operators, homology, errors."""
import copy
import gc
import pickle

import numpy as np
import pytest
import torch

import gsan
from conftest import random_complex, signals_on

SC = gsan.SimplicialComplex


def test_unsorted_and_repeated_simplices_are_put_in_order():
    a = SC([[2, 0, 1], [3, 1, 2], [1, 2], [2, 1], [3, 1, 2]])
    assert a == SC(np.array([[0, 1, 2], [1, 2, 3]]))
    assert a.simplices(1).tolist() == [[0, 1], [0, 2], [1, 2], [1, 3], [2, 3]]


@pytest.mark.parametrize("simplices", [
    [[0, 1, 2], [2, 3]], [(0, 1, 2), (2, 3)], [frozenset({0, 1, 2}), frozenset({2, 3})], iter([[0, 1, 2], [2, 3]]),
    [np.array([[2, 1, 0]]), np.array([[2, 3]], dtype=np.uint8)], [torch.tensor([[0, 1, 2]]), torch.tensor([[3, 2]])]])
def test_every_kind_of_list_gives_the_same_complex(simplices):
    assert SC(simplices).shape == (4, 4, 1)


def test_isolated_and_skipped_vertices_belong_to_the_complex():
    assert SC([[0, 3]]).shape == (4, 1)
    assert SC([[0, 1]], vertices=5).shape == (5, 1)
    assert SC().shape == () and SC().order == -1 and SC().betti_numbers() == []


def test_faces_and_cofaces_are_each_others_inverse():
    complex = random_complex()
    for k in range(1, complex.order + 1):
        faces = complex.faces(k)
        offsets, cofaces = complex.cofaces(k - 1)
        pairs = {(int(f), i) for i, row in enumerate(faces) for f in row}
        assert pairs == {(f, int(c)) for f in range(len(offsets) - 1) for c in cofaces[offsets[f]:offsets[f + 1]]}


def test_matrices_are_the_definitions():
    complex = random_complex()
    B = {k: complex.incidence_matrix(k, format="scipy", dtype=torch.float64) for k in range(complex.order + 2)}
    for k in range(1, complex.order + 1):
        assert abs(B[k] @ B[k + 1]).sum() == 0
        for i, row in enumerate(complex.faces(k)[:20]):
            assert [B[k][f, i] for f in row] == [(-1) ** j for j in range(k + 1)]
    for k in range(complex.order + 1):
        down, up = B[k].T @ B[k], B[k + 1] @ B[k + 1].T
        assert abs(complex.down_laplacian_matrix(k, format="scipy") - down).sum() == 0
        assert abs(complex.up_laplacian_matrix(k, format="scipy") - up).sum() == 0
        assert abs(complex.hodge_laplacian_matrix(k, format="scipy") - down - up).sum() == 0
    D = complex.dirac_operator_matrix(format="scipy")
    L = (D @ D)[:complex.count(0), :complex.count(0)]
    assert abs(L - complex.hodge_laplacian_matrix(0, format="scipy")).sum() == 0
    for dtype, name in ((torch.float64, "float64"), (torch.int32, "int32")):
        assert complex.incidence_matrix(1, format="scipy", dtype=dtype).dtype == name
        assert complex.incidence_matrix(1, dtype=dtype).dtype == dtype
    for format in ("torch", "torch_csr"):
        assert torch.equal(complex.incidence_matrix(1, format=format).to_dense(),
                           torch.tensor(B[1].toarray(), dtype=torch.float32))


def test_operators_apply_what_the_matrices_say_and_are_differentiable():
    complex = random_complex()
    x = signals_on(complex, 2, dtype=torch.float64)
    for k in range(1, complex.order + 1):
        B = complex.incidence_matrix(k, dtype=torch.float64).to_dense()
        assert torch.allclose(complex.boundary(k, x[k]), B @ x[k])
        assert torch.allclose(complex.coboundary(k, x[k - 1]), B.T @ x[k - 1])
        assert torch.autograd.gradcheck(lambda v: complex.boundary(k, v), x[k].requires_grad_())
    L = complex.hodge_laplacian_matrix(1, dtype=torch.float64).to_dense()
    assert torch.allclose(complex.laplacian(1, x[1]), L @ x[1])
    D = complex.dirac_operator_matrix(dtype=torch.float64).to_dense()
    assert torch.allclose(torch.cat(complex.dirac([v.detach() for v in x])), D @ torch.cat(x))


def test_betti_numbers_of_the_examples():
    assert SC.example("torus").betti_numbers() == [1, 2, 1]
    assert "torus" in SC.examples()
    assert SC.example("torus").euler_characteristic() == 0


def test_decomposition_is_orthogonal_and_sums_to_the_signal():
    complex = random_complex(max_rank=2)
    x = torch.randn(complex.count(1), 3, dtype=torch.float64)
    parts = complex.decompose(1, x)
    assert torch.allclose(parts.gradient + parts.curl + parts.harmonic, x)
    for a, b in ((parts.gradient, parts.curl), (parts.gradient, parts.harmonic), (parts.curl, parts.harmonic)):
        assert (a * b).sum(0).abs().max() < 1e-6
    assert complex.laplacian(1, parts.harmonic).abs().max() < 1e-5
    assert torch.allclose(complex.coboundary(1, parts.gradient_potential), parts.gradient)


def test_spectrum_is_that_of_the_laplacian():
    complex = random_complex(max_rank=2)
    found = complex.spectrum(1)
    L = complex.hodge_laplacian_matrix(1, dtype=torch.float64).to_dense()
    assert torch.allclose(found.values.double(), torch.linalg.eigvalsh(L), atol=1e-4)
    assert (found.parts == "harmonic").sum() == complex.betti_numbers()[1]
    vectors = {part: found.vectors[:, torch.from_numpy(found.parts == part)] for part in ("gradient", "curl", "harmonic")}
    assert all(v.shape[1] > 0 for v in vectors.values())
    for part in ("gradient", "harmonic"):
        assert complex.coboundary(2, vectors[part]).abs().max() < 1e-4
    for part in ("curl", "harmonic"):
        assert complex.boundary(1, vectors[part]).abs().max() < 1e-4
    few = complex.spectrum(1, 3, end="largest")
    assert torch.allclose(few.values.double(), torch.linalg.eigvalsh(L)[-3:], atol=1e-4)
    sigma, u, v = complex.dirac_spectrum().components[0]
    assert torch.allclose(complex.boundary(1, v), u * sigma, atol=1e-4)


def test_find_skeleton_subcomplex_and_relabel():
    complex = SC([[0, 1, 2], [1, 2, 3]])
    assert complex.find([[3, 1], [0, 3]]).tolist() == [3, -1]
    assert [2, 1] in complex and [0, 3] not in complex and [] not in complex
    assert complex.skeleton(1).shape == (4, 5)
    part, rows = complex.subcomplex([1, 2, 3])
    assert part.shape == (3, 3, 1) and rows[2].tolist() == [1]
    assert complex.find([]).shape == (0,) and complex.find(np.zeros((0, 2), int)).shape == (0,)
    assert 3 in complex and 4 not in complex
    other, rows, signs = complex.relabel([3, 2, 1, 0])
    x = torch.randn(5, 1)
    moved = torch.tensor(signs[1]).unsqueeze(1) * x[torch.tensor(rows[1]).long()]
    below = torch.tensor(signs[0]).unsqueeze(1) * complex.boundary(1, x)[torch.tensor(rows[0]).long()]
    assert torch.allclose(other.boundary(1, moved), below)


def test_labels_and_points_go_with_their_vertices():
    complex = SC.from_points([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]], "rips", radius=2)
    complex.labels = ["a", "b", "c"]
    part, _ = complex.subcomplex([2, 0])
    assert part.labels == ["a", "c"] and part.points.tolist() == [[0, 0], [0, 1]]
    other, rows, _ = complex.relabel([2, 0, 1])  # vertex 0 becomes 2
    assert other.labels == ["b", "c", "a"] and other.points[2].tolist() == [0, 0]
    assert complex.skeleton(0).labels == ["a", "b", "c"] and complex.skeleton(0).shape == (3,)
    again = pickle.loads(pickle.dumps(complex))
    assert again.labels == complex.labels and np.array_equal(again.points, complex.points)


def test_signals_may_be_numpy_arrays():
    complex = SC([[0, 1, 2]])
    x = np.arange(6.0).reshape(3, 2)
    assert torch.equal(complex.boundary(1, x), complex.boundary(1, torch.from_numpy(x)))
    assert torch.equal(complex.laplacian(1, x), complex.laplacian(1, torch.from_numpy(x)))
    assert complex.decompose(1, x).gradient.dtype == torch.float64
    assert torch.equal(complex.dirac([x, None, None])[1], complex.coboundary(1, x))


def test_sides_of_the_laplacian_and_signs_of_the_neighbours():
    complex = random_complex(max_rank=2)
    x = torch.randn(complex.count(1), 2, dtype=torch.float64)
    for side, matrix in (("lower", complex.down_laplacian_matrix), ("upper", complex.up_laplacian_matrix)):
        L = matrix(1, dtype=torch.float64).to_dense()
        assert torch.allclose(complex.laplacian(1, x, side), L @ x)
        (source, receiver), signs = complex.neighborhood(1, side)
        assert (receiver.diff() >= 0).all()  # the pairs of a receiver stand side by side
        off = source != receiver
        listed = torch.zeros_like(L)
        listed[receiver[off], source[off]] = signs[off].double()
        assert torch.equal(listed, (L - torch.diag(L.diagonal())).sign())


def test_a_smaller_max_memory_holds_for_what_was_derived_before():
    complex = random_complex(max_rank=2)
    layer = gsan.nn.SimplicialLayer()
    layer(complex, signals_on(complex, 1))
    complex.max_memory = 100
    with pytest.raises(MemoryError, match="100"):
        layer(complex, signals_on(complex, 1))


def test_copies_pickles_and_equality():
    complex = random_complex()
    assert copy.deepcopy(complex) is complex
    again = pickle.loads(pickle.dumps(complex))
    assert again == complex and hash(again) == hash(complex) and again != SC([[0, 1]])


def test_reading_a_mesh_and_labels(tmp_path):
    (tmp_path / "a.off").write_text("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n")
    mesh = SC.read(tmp_path / "a.off")
    assert mesh.shape == (3, 3, 1) and mesh.points.tolist()[1] == [1, 0, 0] and mesh.labels is None
    (tmp_path / "b.txt").write_text("a b\nb c\n")
    assert SC.read(tmp_path / "b.txt", "simplices").labels == ["a", "b", "c"]
    with pytest.raises(OSError, match="missing.off"):
        SC.read(tmp_path / "missing.off")


def test_points():
    points = np.random.default_rng(0).random((50, 2))
    rips = SC.from_points(points, "rips", radius=0.3)
    distance = np.linalg.norm(points[:, None] - points[None], axis=-1)
    assert rips.count(1) == (np.triu(distance <= 0.3, 1)).sum()
    if not gsan._core.has_delaunay:
        pytest.skip("this gsan was built without Qhull")
    assert SC.from_points(points).betti_numbers() == [1, 0, 0]


@pytest.mark.parametrize("call, error, words", [
    (lambda: SC([[0, 0]]), ValueError, "0"),
    (lambda: SC([[0, -1]]), ValueError, "-1"),
    (lambda: SC([[0, 2**40]]), ValueError, str(2**40)),
    (lambda: SC([[0, 2**80]]), ValueError, str(2**80)),
    (lambda: SC([["a", "b"]]), TypeError, "str"),
    (lambda: SC(np.zeros((2, 2))), TypeError, "float64"),
    (lambda: SC(np.zeros((2, 2, 2), dtype=int)), ValueError, r"\[2, 2, 2\]"),
    (lambda: SC(7), TypeError, "int"),
    (lambda: SC([[0.5, 1]]), TypeError, "0.5.*float"),
    (lambda: SC([0, 1, 2]), TypeError, "list of vertices, got 0 of the type int"),
    (lambda: SC(np.array([[2**63 + 5, 1]], dtype=np.uint64)), ValueError, str(2**63 + 5)),
    (lambda: SC([[0, 1]], vertices=2.5), TypeError, "2.5"),
    (lambda: SC([[0, 1]], max_memory=-1), ValueError, "-1"),
    (lambda: SC([[0, 1]], max_memory="much"), TypeError, "much"),
    (lambda: setattr(SC([[0, 1]]), "max_memory", -3), ValueError, "-3"),
    (lambda: SC.from_edge_index(torch.zeros(3, 0, dtype=torch.long)), ValueError, r"\[3, 0\]"),
    (lambda: SC.from_edge_index(np.array([[2**64 - 1], [1]], dtype=np.uint64)), ValueError, str(2**64 - 1)),
    (lambda: SC.from_points([[0, 1], [2]], "rips", radius=1), ValueError, "points.*rows of one length"),
    (lambda: SC([[0, 1]]).subcomplex([[0, 1]]), ValueError, r"\[1, 2\]"),
    (lambda: SC([[0, 1]]).incidence_matrix(1, dtype=torch.bool), TypeError, "torch.bool"),
    (lambda: SC([[0, 1]]).incidence_matrix(1, dtype=np.float32), TypeError, "float32"),
    (lambda: SC([[0, 1]]).incidence_matrix(1, dtype=torch.bfloat16, format="scipy"), TypeError, "bfloat16"),
    (lambda: SC([[0, 1]]).boundary(1, [[1.0]]), TypeError, "list"),
    (lambda: SC([[0, 1]]).dirac([torch.ones(2, 1), torch.ones(1, 1).double()]), TypeError, "float32.*float64"),
    (lambda: SC([[0, 1]]).dirac("ab"), TypeError, "str"),
    (lambda: SC.from_edge_index(np.zeros((3, 4), dtype=int)), ValueError, r"\[3, 4\]"),
    (lambda: SC.from_edge_index([[0, 1], [1, 1]]), ValueError, "1"),
    (lambda: SC.from_edge_index([[0], [9]], num_nodes=3), ValueError, "9"),
    (lambda: SC.from_points([[0.0, float("nan")]] * 4, "rips", radius=1), ValueError, "finite|nan"),
    (lambda: SC.from_points([[0.0, 1.0]], "rips"), TypeError, "radius"),
    (lambda: SC.from_points([[0.0, 1.0]], "alpha"), ValueError, "alpha"),
    (lambda: SC.from_mesh([[0.0, 0.0]], [[0, 1, 2]]), ValueError, "2.*1 points"),
    (lambda: SC.from_sorted_tables([[[0], [1]], [[1, 0]]]), ValueError, "order 1|row"),
    (lambda: SC.from_sorted_tables([[[0], [1]], [[0, 1, 2]]]), ValueError, "columns"),
    (lambda: SC.from_sorted_tables([[[0]], [[0, 1]]]), ValueError, "1"),
    (lambda: SC.example("tours"), ValueError, "torus"),
    (lambda: SC([[0, 1]]).incidence_matrix(5), ValueError, "5"),
    (lambda: SC([[0, 1]]).incidence_matrix(1, format="dense"), ValueError, "dense"),
    (lambda: SC([[0, 1]]).boundary(1, torch.zeros(3, 1)), (ValueError, RuntimeError), "3"),
    (lambda: SC([[0, 1]]).boundary(1, torch.zeros(1, 1, dtype=torch.int)), (ValueError, RuntimeError), "Int"),
    (lambda: SC([[0, 1]]).boundary(7, torch.zeros(1, 1)), ValueError, "7"),
    (lambda: SC([[0, 1]]).laplacian(0, torch.zeros(2, 1), "left"), ValueError, "left"),
    (lambda: SC([[0, 1]]).betti_numbers(field=6), ValueError, "6"),
    (lambda: SC([list(range(40))]), MemoryError, "simplices|bytes"),
    (lambda: SC([[0, 1]]).simplices(-1), ValueError, "-1"),
    (lambda: SC([[0, 1]]).decompose(1, torch.full((1, 1), float("nan"))), (ValueError, ArithmeticError), "nan|finite"),
])
def test_wrong_input_is_an_exception_with_the_values(call, error, words):
    with pytest.raises(error, match=words):
        call()


def test_tables_are_read_only_and_outlive_the_complex():
    complex = random_complex()
    expected = [complex.simplices(k).copy() for k in range(complex.order + 1)]
    views = [complex.simplices(k) for k in range(complex.order + 1)]
    tables = complex.incidence_tables(1)
    y = complex.boundary(1, torch.ones(complex.count(1), 1, requires_grad=True))
    del complex
    gc.collect()
    filler = [random_complex(seed) for seed in range(5)]
    for view, values in zip(views, expected):
        assert np.array_equal(view, values)
        with pytest.raises(ValueError):
            view[0, 0] = 7
    y.sum().backward()  # through the freed complex's tables
    assert tables[0].shape[1] == 2 and len(filler) == 5


def test_a_hundred_thousand_complexes_leave_memory_flat():
    def resident():
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * 4096

    rows = np.array([[0, 1, 2], [1, 2, 3], [2, 3, 4]])
    x = torch.ones(7, 1)

    def churn(count):
        for _ in range(count):
            complex = SC(rows)
            complex.boundary(1, x)

    churn(5_000)
    gc.collect()
    before = resident()
    churn(100_000)
    gc.collect()
    assert resident() - before < 8 << 20
