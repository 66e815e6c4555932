"""Samples, batches, loaders, datasets and tasks."""
import copy
import os
import pickle

import pytest
import torch

import gsan
from conftest import random_complex, root, signals_on

Sample, collate = gsan.data.Sample, gsan.data.collate
needs_qhull = pytest.mark.skipif(not gsan._core.has_delaunay, reason="this gsan was built without Qhull")


def samples(count=5, width=2):
    made = []
    for i in range(count):
        complex = random_complex(i, vertices=6 + i, edges=8 + 2 * i, max_rank=2)
        made.append(Sample(complex, signals_on(complex, width, seed=i), y=i % 2, key=i))
    return made


def test_an_output_does_not_depend_on_the_rest_of_the_batch():
    parts = samples()
    batch = collate(parts)
    model = gsan.nn.GSAN(in_channels=2, hidden_channels=4)
    together = model(batch)
    for i, part in enumerate(parts):
        alone = model(part.complex, part.x + [None] * (3 - len(part.x)))
        for k in range(part.complex.order + 1):
            rows = getattr(batch, f"batch_{k}") == i
            assert torch.allclose(together[k][rows], alone[k], atol=1e-5)


def test_attributes_of_a_batch():
    batch = collate(samples())
    assert batch.x_0.shape[0] == batch.batch_0.shape[0] == batch.operators.count(0)
    assert batch.y.tolist() == [0, 1, 0, 1, 0] and batch.num_graphs == len(batch) == 5
    dense = batch.incidence_1.to_dense()
    assert dense.shape == (batch.operators.count(0), batch.operators.count(1)) and (dense.sum(0) == 0).all()
    assert torch.equal(batch.hodge_laplacian_0.to_dense(), dense @ dense.T)
    assert batch.x_7 is None
    with pytest.raises(AttributeError, match="z_1"):
        batch.z_1
    again = batch[3]
    assert again.complex == samples()[3].complex and torch.equal(again.x_1, samples()[3].x_1) and int(again.y) == 1
    assert batch[-1].complex == batch[4].complex
    with pytest.raises(IndexError):
        batch[5]


def test_pickled_batches_and_worker_processes():
    batch = pickle.loads(pickle.dumps(collate(samples())))
    assert batch.x_0.shape[0] == batch.operators.count(0)
    loader = gsan.data.DataLoader(samples(), batch_size=2, num_workers=1, shuffle=True)
    assert sum(len(part) for part in loader) == 5


def test_batches_of_workers_give_the_same_bits():
    model = gsan.nn.GSAN(in_channels=2, out_channels=2, readout="pooled", attention_dropout=0.5)
    here, there = (list(gsan.data.DataLoader(samples(), batch_size=2, num_workers=n)) for n in (0, 2))
    for a, b in zip(here, there):
        assert a.keys == b.keys and torch.equal(a.y, b.y)
        assert torch.equal(model(a, dropout_seed=1), model(b, dropout_seed=1))


def test_the_loader_of_torch_needs_no_collate_fn():
    batches = list(torch.utils.data.DataLoader(samples(), batch_size=2))
    assert [len(batch) for batch in batches] == [2, 2, 1] and torch.equal(batches[0].x_1, collate(samples()[:2]).x_1)
    assert [batch.y.tolist() for batch in batches] == [[0, 1], [0, 1], [0]]


def test_keys_and_not_places_in_the_batch_choose_the_dropout():
    model = gsan.nn.GSAN(in_channels=2, hidden_channels=4, out_channels=2, readout="pooled", attention_dropout=0.5)
    one, other = collate(samples()[:4]), collate([samples()[3], samples()[1]])
    a, b = model(one, dropout_seed=2), model(other, dropout_seed=2)
    assert torch.allclose(a[[3, 1]], b, atol=1e-5) and not torch.allclose(a, model(one, dropout_seed=3), atol=1e-3)


def test_targets_of_any_number_of_rows_come_back():
    parts = samples(3)
    for sample in parts:
        sample.y = torch.randn(sample.complex.count(1), 2)
    for batch in (collate(parts), pickle.loads(pickle.dumps(collate(parts))), collate(parts).to(torch.float64)):
        assert batch.y.shape == (batch.operators.count(1), 2)
        assert all(torch.equal(batch[i].y, sample.y) for i, sample in enumerate(parts))
    lists = [Sample(sample.complex, sample.x, y=[i, i + 1]) for i, sample in enumerate(parts)]
    assert collate(lists).y.tolist() == [0, 1, 1, 2, 2, 3] and collate(lists)[2].y.tolist() == [2, 3]


def test_tuples_and_signal_keys_survive_copies():
    batch = collate(samples())
    batch.tuples, batch.signal_keys = torch.tensor([[0, 1]]), torch.tensor([4])
    for other in (pickle.loads(pickle.dumps(batch)), batch.to(torch.float64), copy.deepcopy(batch)):
        assert torch.equal(other.tuples, batch.tuples) and torch.equal(other.signal_keys, batch.signal_keys)
        assert other.keys == batch.keys == [0, 1, 2, 3, 4]


def test_attributes_beyond_the_order_are_missing():
    batch = collate(samples())
    assert not hasattr(batch, "incidence_9") and not hasattr(batch, "up_laplacian_3")
    assert getattr(batch, "hodge_laplacian_7", None) is None


def test_rows_of_a_batch_are_those_of_its_parts():
    parts = samples()
    batch = collate(parts)
    for k in range(3):
        offsets = torch.tensor([0] + [part.complex.count(k) for part in parts]).cumsum(0)
        assert torch.equal(getattr(batch, f"batch_{k}"), torch.repeat_interleave(torch.arange(5), offsets.diff()))
        assert torch.equal(batch.operators.part_offsets(k).cpu().long(), offsets)
    blocks = [part.complex.incidence_matrix(1).to_dense() for part in parts]
    assert torch.equal(batch.incidence_1.to_dense(), torch.block_diag(*blocks))


def test_parts_of_different_orders_and_empty_batches():
    edge, point = gsan.SimplicialComplex([[0, 1]]), gsan.SimplicialComplex(vertices=1)
    batch = collate([Sample(edge, x_0=torch.ones(2, 1), x_1=torch.ones(1, 1)), Sample(point, x_0=torch.ones(1, 1))])
    assert batch.x_1.shape == (1, 1) and batch.y is None and torch.equal(batch.x_0, torch.ones(3, 1))
    model = gsan.nn.GSAN(in_channels=1, out_channels=2, readout="pooled")
    assert model(batch).shape == (2, 2)
    assert len(collate([])) == 0


def test_batch_to_another_type():
    batch = collate(samples()).to(torch.float64)
    assert batch.x_1.dtype == torch.float64 and batch.y.dtype == torch.int64
    gsan.nn.GSAN(in_channels=2).double()(batch)


@pytest.mark.parametrize("call, error, words", [
    (lambda: Sample([[0, 1]]), TypeError, "list"),
    (lambda: Sample(gsan.SimplicialComplex([[0, 1]]), x_0=torch.ones(3, 1)), ValueError, r"\[2, features\].*\[3, 1\]"),
    (lambda: Sample(gsan.SimplicialComplex([[0, 1]]), x_0=[1]), TypeError, "list"),
    (lambda: Sample(gsan.SimplicialComplex([[0, 1]]), z=torch.ones(2, 1)), TypeError, "z"),
    (lambda: collate([1]), TypeError, "int"),
    (lambda: collate([samples()[0], samples(2, width=3)[1]]), ValueError, "2.*3"),
    (lambda: collate([samples()[0], Sample(samples()[1].complex, y=0)]), ValueError, "x_0"),
    (lambda: collate([samples()[0], Sample(samples()[1].complex, samples()[1].x)]), ValueError, "target"),
    (lambda: gsan.data.Batch([samples()[0].complex], [torch.ones(99, 1)]), ValueError, "99"),
    (lambda: gsan.data.Batch([samples()[0].complex], [torch.ones(6)]), ValueError, r"\[6\]"),
    (lambda: gsan.data.Batch([samples()[0].complex], ["a"]), TypeError, "str"),
    (lambda: gsan.data.Batch([3], []), TypeError, "int"),
    (lambda: Sample(samples()[0].complex, key=2**40), ValueError, str(2**40)),
    (lambda: Sample(samples()[0].complex, key=-1), ValueError, "-1"),
    (lambda: Sample(samples()[0].complex, key="a"), TypeError, "'a'"),
    (lambda: collate([Sample(samples()[0].complex, y="a")]), TypeError, "numbers or tensors"),
    (lambda: collate([Sample(samples()[0].complex, y=torch.tensor(1)), Sample(samples()[0].complex, y=torch.ones(1))]),
     ValueError, r"\[\].*\[1\]"),
    (lambda: collate(samples())["a"], TypeError, "'a'"),
    (lambda: gsan.datasets.complexes("enzymes"), ValueError, "enzymes"),
    (lambda: gsan.tasks.Task("flying"), ValueError, "flying"),
    (lambda: gsan.tasks.Task("trajectory", data={"singals": 3}), ValueError, "signals"),
    (lambda: gsan.datasets.own_values("/nowhere"), (OSError, ValueError), "nowhere"),
])
def test_wrong_use_is_an_exception_with_the_values(call, error, words):
    with pytest.raises(error, match=words):
        call()


def test_batches_and_modules_leave_memory_flat():
    def resident():
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * 4096

    parts = samples()

    def churn(count):
        for _ in range(count):
            model = gsan.nn.GSAN(in_channels=2, hidden_channels=4, out_channels=2, n_layers=1, readout="pooled")
            model(collate(parts)).sum().backward()

    churn(100)
    before = resident()
    churn(300)
    assert resident() - before < 16 << 20


@needs_qhull
def test_the_flow_has_two_holes_and_signals_with_a_boundary():
    data = gsan.datasets.flow(points=120, signals=10)
    assert data.complex.betti_numbers() == [1, 2, 0] and len(data) == 10
    x, label = data[3]
    ends = data.complex.boundary(1, x)
    assert ends.abs().sum() == 2 and int(label) == 1
    assert gsan.datasets.flow_plane(points=120) == data.complex


@needs_qhull
def test_a_task_trains_through_python():
    task = gsan.tasks.Task("trajectory", data={"name": "flow", "points": 100, "signals": 60},
                           trajectory={"batch_size": 20}, seed=1)
    model = task.model(gsan.nn.GSAN, hidden_channels=8, seed=0)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    losses = []
    for epoch in range(6):
        for batch in task.batches("train", epoch):
            optimizer.zero_grad()
            loss = task.loss(model(batch), batch)
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
    assert losses[-1] < losses[0]
    metrics = task.evaluate(model, "test")
    assert task.choosing_metric in metrics and model.training
    with pytest.raises(TypeError, match="NoneType"):
        task.loss(None, batch)
    for step in (-1, 99):
        with pytest.raises(ValueError, match=str(step)):
            task._task.batch("train", 0, step)
    parts = task.parts
    assert not set(parts["train"]) & set(parts["test"])


@needs_qhull
def test_evaluation_has_no_dropout_and_leaves_the_mode():
    task = gsan.tasks.Task("trajectory", data={"name": "flow", "points": 100, "signals": 60},
                           trajectory={"batch_size": 20}, seed=1)
    model = task.model(gsan.nn.GSAN, hidden_channels=8, seed=0, attention_dropout=0.5)
    assert task.evaluate(model, "test") == task.evaluate(model, "test") and model.training
    task.evaluate(model.eval(), "test")
    assert not model.training
    first, second = (torch.cat([batch.y for batch in task.batches("train", epoch)]) for epoch in (0, 1))
    assert sorted(first.tolist()) == sorted(second.tolist()) and not torch.equal(first, second)
    assert gsan.tasks.Task("trajectory", data={"name": "flow", "points": 100, "signals": 60}, seed=2).parts != task.parts


def published(folder):
    """The cache that has public data, or a skip."""
    for base in (os.environ.get("GSAN_HOME"), os.environ.get("GSAN_DATA"), root.parent / "shared" / "data"):
        if base and (os.path.isdir(os.path.join(base, folder))):
            return base
    pytest.skip(f"the public data {folder} are not here (gsan data fetch)")


def test_public_complexes():
    base = published("tu/PROTEINS")
    data = gsan.datasets.complexes("proteins", path=os.path.join(base, "tu/PROTEINS"))
    assert len(data) == 1113 and data.classes == 2
    loader = gsan.data.DataLoader(data, batch_size=36)
    batch = next(iter(loader))
    model = gsan.nn.GSAN(in_channels=data.widths, hidden_channels=8, out_channels=2, readout="pooled")
    loss = torch.nn.functional.cross_entropy(model(batch), batch.y)
    loss.backward()
    assert torch.isfinite(loss)


@pytest.mark.skipif(not torch.cuda.is_available(), reason="torch has no CUDA device here")
def test_batches_on_a_device():
    batch = collate(samples()).to("cuda")
    model = gsan.nn.GSAN(in_channels=2, out_channels=2, readout="pooled").cuda()
    assert model(batch).is_cuda and batch.batch_0.is_cuda
