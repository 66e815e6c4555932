"""torch.ops.gsan.*: schemas, Meta kernels, gradients and refusals, by torch's own checker."""
import re

import pytest
import torch

import gsan
from conftest import random_complex

ops = torch.ops.gsan
sizes = dict(vertices=9, edges=16, max_rank=2)


def tables(k=1):
    return random_complex(**sizes).incidence_tables(k)


def pairs(k=1, side="lower"):
    complex = random_complex(**sizes)
    index, signs = complex.neighborhood(k, side)
    sources, receivers = index
    count = complex.count(k)
    offsets = torch.searchsorted(receivers, torch.arange(count + 1))
    place = {(int(r), int(s)): e for e, (r, s) in enumerate(zip(receivers, sources))}
    mirror = torch.tensor([place[int(s), int(r)] for r, s in zip(receivers, sources)], dtype=torch.int32)
    return count, offsets, sources.int(), mirror, signs


def numbers(*shape):
    return torch.randn(*shape, dtype=torch.float64, requires_grad=True)


def calls():
    faces, offsets, cofaces, columns = tables()
    edges, vertices = len(faces), len(offsets) - 1
    count, starts, sources, mirror, signs = pairs()
    E, T = len(sources), [faces, offsets, cofaces, columns]
    term = numbers(count, 3), numbers(3, 2, 2, 2), numbers(2, 8)  # x, weight, a
    own = torch.arange(count, dtype=torch.int32)
    keys = [sources, torch.full_like(sources, -1), own, torch.zeros_like(own), torch.zeros(1, dtype=torch.int64)]
    return {
        "boundary": (numbers(edges, 3), *T),
        "coboundary": (numbers(vertices, 3), *T),
        "laplacian_step": (numbers(edges, 2), numbers(edges, 2), T, [], 0.5, -0.25),
        "scaled_incidence": (numbers(edges, 4), numbers(edges, 2), numbers(vertices, 2), T, True),
        "attention": (*term, [starts, sources], [], 0, 0.0, None, 1, 0.2),
        "attention (signed, dropout)": (*term, [starts, sources, mirror], keys, 7, 0.3, signs, 1, 0.2),
        "pair_sum": (numbers(count, 2), numbers(count, 2), starts, sources, mirror),
        "pair_dot": (numbers(count, 2, 3), numbers(count, 2, 3), starts, sources, mirror),
        "gatv2_scores": (numbers(count, 2, 3), numbers(count, 2, 3), numbers(2, 3), starts, sources, mirror, 0.2),
        "weighted_gather": (numbers(E, 2), numbers(count, 2, 3), starts, sources, mirror),
        "segment_softmax": (numbers(E, 2), starts),
        "segment_sum": (numbers(E, 2), starts),
        "segment_mean": (numbers(E, 2), starts),
        "segment_max": (numbers(E, 2), starts),
        "sum_activation": ([numbers(5, 3), numbers(5, 3)], numbers(3), "tanh"),
        "sum_activation (identity)": ([numbers(5, 3), numbers(5, 3)], numbers(3), "identity"),
        "sum_activation (gelu)": ([numbers(5, 3), numbers(5, 3)], numbers(3), "gelu"),
        "column_sums": (numbers(2, 5, 3),),
    }


@pytest.mark.parametrize("name", sorted(calls()))
def test_opcheck(name):
    torch.manual_seed(1)
    arguments = calls()[name]
    torch.library.opcheck(getattr(ops, name.split()[0]).default, arguments)


def test_every_op_has_a_meta_kernel():
    names = [name for name in torch._C._dispatch_get_all_op_names() if name.startswith("gsan::")]
    assert len(names) >= 15
    for name in names:
        has = [torch._C._dispatch_has_kernel_for_dispatch_key(name, key)
               for key in ("Meta", "CompositeExplicitAutograd", "CompositeImplicitAutograd")]
        assert any(has), name


def test_ops_compile_without_a_graph_break():
    T = tables()
    x = torch.randn(len(T[0]), 3)

    def f(x):
        return torch.relu(ops.boundary(x, *T)).sum()

    compiled = torch.compile(f, backend="aot_eager", fullgraph=True)
    a, b = x.clone().requires_grad_(), x.clone().requires_grad_()
    f(a).backward()
    compiled(b).backward()
    assert torch.equal(a.grad, b.grad)


@pytest.mark.parametrize("change, words", [
    (lambda T: [T[0] + 1000, *T[1:]], "1[0-9]{3}|row|face"),
    (lambda T: [T[0].long(), *T[1:]], "Long|int"),
    (lambda T: [T[0][:-1], *T[1:]], "entries|entry|hold"),
    (lambda T: [T[0], T[1].flip(0), *T[2:]], "offsets"),
    (lambda T: [T[0], T[1], -T[2] - 1, T[3]], "-|coface"),
    (lambda T: [T[0].flatten(), *T[1:]], "dimension"),
    (lambda T: [T[0], T[1], T[2], T[3] + 2], "columns.*0 ... 1, got 3"),
])
@pytest.mark.parametrize("op", ["boundary", "coboundary"])
def test_a_raw_face_table_that_is_none_is_an_exception(op, change, words):
    T = list(tables())
    rows = len(T[0]) if op == "boundary" else len(T[1]) - 1
    x = torch.ones(rows, 1)
    changed = change(T)
    try:
        getattr(ops, op)(x, *changed)
    except RuntimeError as error:
        assert re.search(words, str(error)), error
    else:  # the op does not read the changed table
        assert torch.equal(getattr(ops, op)(x, *changed), getattr(ops, op)(x, *T))


def test_wrong_types_name_both():
    T = tables()
    with pytest.raises(RuntimeError, match="(?i)half"):
        ops.boundary(torch.ones(len(T[0]), 1).half(), *T)
    with pytest.raises(RuntimeError, match=f"{len(T[0])}.*3"):
        ops.boundary(torch.ones(3, 1), *T)
    with pytest.raises(RuntimeError, match="meta"):
        ops.boundary(torch.ones(len(T[0]), 1), *[t.to("meta") for t in T])
    assert gsan.__version__
