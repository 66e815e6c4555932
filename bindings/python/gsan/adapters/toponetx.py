"""TopoNetX simplicial complexes."""
from __future__ import annotations

from itertools import chain
from typing import Any

import numpy as np

from ..complex import SimplicialComplex
from .networkx import number, numbers_of


def complex_from(complex: Any) -> SimplicialComplex:
    import toponetx
    if not isinstance(complex, toponetx.SimplicialComplex):
        raise TypeError(f"from_toponetx: expected a toponetx.SimplicialComplex, got {type(complex).__name__}")
    labels, place = number(list(chain.from_iterable(complex.skeleton(0))))
    tables = [numbers_of(chain.from_iterable(complex.skeleton(k)), place).reshape(-1, k + 1)
              for k in range(1, complex.dim + 1)]
    made = SimplicialComplex(tables, vertices=len(labels)) if tables else SimplicialComplex(vertices=len(labels))
    made.labels = None if place is None else labels
    return made


def maximal(complex: SimplicialComplex) -> list[np.ndarray]:
    """Per order, the simplices without cofaces."""
    return [np.asarray(complex.simplices(k)[np.diff(complex.cofaces(k)[0]) == 0]) for k in range(complex.order + 1)]


def complex_of(complex: SimplicialComplex) -> Any:
    import toponetx
    name = None if complex.labels is None else np.array(complex.labels, dtype=object)
    rows = chain.from_iterable((table if name is None else name[table]).tolist() for table in maximal(complex))
    return toponetx.SimplicialComplex(list(rows))
