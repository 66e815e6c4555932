"""To and from networkx, TopoNetX, GUDHI, PyG and batches of TopoBench, with the real packages."""
import numpy as np
import pytest
import torch

import gsan
from conftest import random_complex, signals_on

SC = gsan.SimplicialComplex


def test_networkx_there_and_back():
    networkx = pytest.importorskip("networkx", reason="networkx is not installed")
    graph = networkx.karate_club_graph()
    complex = SC.from_networkx(graph, max_rank=3)
    cliques = [len(c) for c in networkx.enumerate_all_cliques(graph)]
    assert complex.shape == tuple(cliques.count(k + 1) for k in range(4))
    assert networkx.utils.graphs_equal(networkx.Graph(list(graph.edges)), networkx.Graph(list(complex.to_networkx().edges)))
    assert set(SC([[0, 1]], vertices=4).to_networkx().nodes) == {0, 1, 2, 3}
    named = networkx.Graph([("b", "a"), ("b", "c")])
    named.add_node("d")
    complex = SC.from_networkx(named)
    assert complex.labels == ["a", "b", "c", "d"] and complex.simplices(1).tolist() == [[0, 1], [1, 2]]
    back = complex.to_networkx()
    assert set(back.nodes) == set(named.nodes) and {frozenset(e) for e in back.edges} == {frozenset("ab"), frozenset("bc")}
    mixed = networkx.Graph([("a", 1)])
    assert SC.from_networkx(mixed).labels == ["a", 1]
    assert SC.from_networkx(networkx.MultiDiGraph([(1, 0), (0, 1), (1, 2)])).simplices(1).tolist() == [[0, 1], [1, 2]]
    with pytest.raises(TypeError, match="list"):
        SC.from_networkx([1])


def test_toponetx_there_and_back_with_the_same_matrices():
    toponetx = pytest.importorskip("toponetx", reason="toponetx is not installed")
    complex = random_complex(vertices=12, edges=30, max_rank=3)
    theirs = complex.to_toponetx()
    assert tuple(theirs.shape) == complex.shape
    assert SC.from_toponetx(theirs) == complex
    for k in range(1, complex.order + 1):
        assert abs(theirs.incidence_matrix(k) - complex.incidence_matrix(k, format="scipy")).sum() == 0
    for k in range(complex.order + 1):
        assert abs(theirs.hodge_laplacian_matrix(k) - complex.hodge_laplacian_matrix(k, format="scipy")).sum() == 0
    named = toponetx.SimplicialComplex([["x", "y", "z"], ["z", "w"]])
    ours = SC.from_toponetx(named)
    assert ours.labels == ["w", "x", "y", "z"] and ours.shape == (4, 4, 1)
    assert abs(named.incidence_matrix(2) - ours.incidence_matrix(2, format="scipy")).sum() == 0
    assert SC.from_toponetx(ours.to_toponetx()) == ours
    with pytest.raises(TypeError, match="int"):
        SC.from_toponetx(3)


def test_gudhi_there_and_back():
    gudhi = pytest.importorskip("gudhi", reason="gudhi is not installed")
    complex = random_complex(vertices=12, edges=30, max_rank=3)
    tree = complex.to_gudhi()
    assert tree.num_simplices() == sum(complex.shape) and SC.from_gudhi(tree) == complex
    tree.set_dimension(complex.order)
    tree.compute_persistence(homology_coeff_field=11, persistence_dim_max=True)
    betti = tree.betti_numbers()
    assert betti + [0] * (complex.order + 1 - len(betti)) == complex.betti_numbers()
    rips = gudhi.RipsComplex(points=np.random.default_rng(0).random((20, 2)), max_edge_length=0.4)
    tree = rips.create_simplex_tree(max_dimension=2)
    ours = SC.from_gudhi(tree)
    assert sum(ours.shape) == tree.num_simplices() and SC.from_gudhi(tree, max_rank=1).order == 1
    far = gudhi.SimplexTree()
    far.insert([10, 20, 30])
    assert SC.from_gudhi(far).labels == [10, 20, 30] and SC.from_gudhi(far).to_gudhi().find([10, 30])
    values = [np.arange(n, dtype=float) for n in complex.shape]
    tree = complex.to_gudhi([100 * k + v for k, v in enumerate(values)])
    assert tree.filtration(complex.simplices(1)[3].tolist()) == 103
    with pytest.raises(ValueError, match=r"\[12\].*\[1\]"):
        complex.to_gudhi([np.zeros(1), *values[1:]])
    with pytest.raises(ValueError, match=f"0 ... {complex.order}, got 1"):
        complex.to_gudhi(values[:1])
    assert SC.from_gudhi(gudhi.SimplexTree()).shape == ()
    with pytest.raises(TypeError, match="str"):
        SC.from_gudhi("tree")


def test_pyg_there_and_back():
    pytest.importorskip("torch_geometric", reason="torch_geometric is not installed")
    from torch_geometric.data import Batch, Data
    edge_index = torch.tensor([[0, 1, 1, 2, 2, 0, 3, 3], [1, 0, 2, 1, 0, 2, 3, 2]])
    data = Data(x=torch.randn(4, 3), edge_index=edge_index, edge_attr=torch.arange(8.0).reshape(8, 1), y=torch.tensor([1]))
    sample = gsan.adapters.from_pyg(data)
    assert sample.complex.shape == (4, 4, 1) and torch.equal(sample.x_0, data.x)
    assert sample.x_1.flatten().tolist() == [0.5, 4.5, 2.5, 7.0]  # both directions' mean; the loop left out
    back = gsan.adapters.to_pyg(sample)
    again = gsan.adapters.from_pyg(back)
    assert again.complex == sample.complex and torch.equal(again.x_1, sample.x_1) and again.y.tolist() == [1]
    assert back.edge_index.shape == (2, 8) and back.num_nodes == 4 and back.is_undirected()
    assert torch.equal(back.edge_attr, torch.cat([sample.x_1, sample.x_1])) and torch.equal(back.x_1, sample.x_1)
    batch = gsan.adapters.from_pyg_batch(Batch.from_data_list([data, data]))
    assert len(batch) == 2 and batch.y.tolist() == [1, 1]
    returned = gsan.adapters.to_pyg_batch(batch)
    assert returned.num_graphs == 2 and torch.equal(returned.x, torch.cat([data.x, data.x]))
    again = gsan.adapters.from_pyg_batch(returned)
    assert [part.shape for part in again.parts] == [part.shape for part in batch.parts] and torch.equal(again.y, batch.y)
    assert all(torch.equal(a, b) for a, b in zip(again.x, batch.x) if a is not None)
    with pytest.raises(TypeError, match="int"):
        gsan.adapters.from_pyg(3)
    with pytest.raises(TypeError, match="Data"):
        gsan.adapters.from_pyg_batch(data)
    filled = gsan.adapters.from_pyg(Data(x=data.x, edge_index=edge_index), fill="mean")
    assert torch.allclose(filled.x_2, data.x[:3].mean(0, keepdim=True), atol=1e-6)
    several = gsan.adapters.from_pyg_batch(Batch.from_data_list([Data(x=data.x, edge_index=edge_index)] * 2), fill="mean")
    assert torch.equal(several.x_2, torch.cat([filled.x_2, filled.x_2])) and several.keys == [0, 1]
    with pytest.raises(ValueError, match="median"):
        gsan.adapters.from_pyg(data, fill="median")
    model = gsan.nn.GSAN(in_channels=[3, 1, 0], out_channels=2, readout="pooled")
    assert model(batch).shape == (2, 2)


class TopoBenchLike:
    """An object of the shape of TopoBench's batches."""

    def __init__(self, **fields):
        self.__dict__.update(fields)


def shuffled(complex, x, generator):
    """A batch whose rows of orders ≥ 1 stand in another order and orientation, as a TopoBench lifting may make it."""
    fields, below, sign_below = {}, None, None
    for k in range(complex.order + 1):
        order = torch.randperm(complex.count(k), generator=generator) if k else torch.arange(complex.count(0))
        sign = torch.randint(0, 2, (complex.count(k),), generator=generator).float() * 2 - 1 if k else torch.ones(len(order))
        fields[f"x_{k}"] = (sign[:, None] * x[k])[order]
        if k:
            B = complex.incidence_matrix(k).to_dense() * sign
            B = (B * sign_below[:, None])[below][:, order]
            fields[f"incidence_{k}"] = B.to_sparse()
        fields[f"order_{k}"], below, sign_below = order, order, sign
        fields[f"sign_{k}"] = sign
    return fields


def test_topobench_batches_in_any_row_order_and_orientation():
    complex = random_complex(vertices=12, edges=30, max_rank=2)
    x = signals_on(complex, 2)
    fields = shuffled(complex, x, torch.Generator().manual_seed(3))
    batch = TopoBenchLike(**fields, batch_0=torch.zeros(12, dtype=torch.long), y=torch.tensor([1]))
    ours = gsan.adapters.from_topobench(batch)
    assert ours.complex == complex
    # One common factor per complex is left to choose where an orientation is only known up to sign.
    layer = gsan.nn.SimplicialLayer(in_channels=2, out_channels=3, lower_shift="hodge", upper_shift="hodge")
    plain = layer(complex, x)
    there = gsan.adapters.TopoBenchBackbone(layer)(batch)
    for k in range(3):
        expected = (fields[f"sign_{k}"][:, None] * plain[k])[fields[f"order_{k}"]]
        assert torch.allclose(there[f"x_{k}"], expected, atol=1e-5)
    assert there["labels"].tolist() == [1]


def test_topobench_batches_of_several_complexes_and_unsigned_incidence():
    parts = [random_complex(i, vertices=6, edges=9, max_rank=2) for i in range(3)]
    batch = gsan.data.collate([gsan.data.Sample(c, signals_on(c, 2, order=2)[:c.order + 1], y=0) for c in parts])
    fields = gsan.adapters.to_topobench(batch)
    assert torch.equal(fields["batch_1"], batch.batch_1)
    again = gsan.adapters.from_topobench(fields)
    assert [p.shape for p in again.parts] == [p.shape for p in parts]
    assert all(torch.equal(a, b) for a, b in zip(again.x, batch.x))
    unsigned = {**fields, "incidence_1": fields["incidence_1"].abs(), "incidence_2": fields["incidence_2"].abs()}
    assert [p.shape for p in gsan.adapters.from_topobench(unsigned).parts] == [p.shape for p in parts]


@pytest.mark.parametrize("fields, words", [
    ({}, "x_0"),
    ({"x_0": torch.ones(2, 1), "incidence_1": torch.ones(2, 1).to_sparse().coalesce() * 0}, "column 0.*0"),
    ({"x_0": torch.ones(3, 1), "incidence_1": torch.ones(3, 1).to_sparse()}, "column 0.*3"),
    ({"x_0": torch.ones(4, 1), "incidence_1": torch.tensor([[1., 0, 0], [1, 1, 0], [0, 1, 1], [0, 0, 1]]).to_sparse(),
      "incidence_2": torch.ones(3, 1).to_sparse()}, "not the boundary"),
    ({"x_0": torch.ones(2, 1), "incidence_1": torch.ones(2, 2).to_sparse()}, "2 columns.*only 1"),
    ({"x_0": torch.ones(3, 1), "incidence_1": torch.tensor([[1.], [1.]]).to_sparse()}, "incidence_1.*3 rows.*got 2"),
    ({"x_0": torch.ones(2, 1), "x_1": torch.ones(5, 1), "incidence_1": torch.ones(2, 1).to_sparse()}, r"x_1.*1 rows.*\[5, 1\]"),
    ({"x_0": torch.ones(2, 1), "incidence_1": torch.ones(2, 1).to_sparse(), "batch_0": torch.zeros(1, dtype=torch.long)},
     "batch_0.*2 vertices.*1"),
])
def test_what_is_no_complex_is_an_exception(fields, words):
    with pytest.raises(ValueError, match=words):
        gsan.adapters.from_topobench(fields)
