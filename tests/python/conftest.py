"""Fixtures of the Python tests. Run by CTest with PYTHONPATH=BUILD/python; packages that are not installed skip the tests
that need them, and say so."""
import json
import os
import pathlib

import pytest
import torch

root = pathlib.Path(__file__).resolve().parents[2]


def golden_files():
    folder = pathlib.Path(os.environ.get("GSAN_GOLDEN", root / "tests" / "golden"))
    return sorted(folder.glob("*.json"))


def read_json(path):
    return json.loads(path.read_text())


@pytest.fixture(autouse=True)
def fixed_seed():
    torch.manual_seed(0)


@pytest.fixture
def square():
    """Two triangles and a dangling edge."""
    import gsan
    return gsan.SimplicialComplex([[0, 1, 2], [1, 2, 3], [3, 4]])


@pytest.fixture
def command():
    """The compiled command, for the tests that compare with it."""
    path = os.environ.get("GSAN_BINARY")
    if not path:
        pytest.skip("GSAN_BINARY is not set: there is no command to compare with")
    return path


def random_complex(seed=0, vertices=30, edges=90, max_rank=3):
    import gsan
    generator = torch.Generator().manual_seed(seed)
    edge_index = torch.randint(0, vertices, (2, edges), generator=generator)
    return gsan.SimplicialComplex.from_edge_index(edge_index, vertices, max_rank, skip_loops=True)


def signals_on(complex, width, seed=0, dtype=torch.float32, order=None):
    generator = torch.Generator().manual_seed(seed)
    top = complex.order if order is None else order
    return [torch.randn(complex.count(k), width, generator=generator, dtype=dtype) for k in range(top + 1)]


layer_options = dict(in_channels=3, out_channels=4, heads=2, harmonic_steps=3)


def step_output(module, complex, x):
    return module(complex, x)[1].detach().clone()
