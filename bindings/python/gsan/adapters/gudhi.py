"""GUDHI simplex trees."""
from __future__ import annotations

from itertools import chain
from operator import itemgetter
from typing import Any

import numpy as np

from ..complex import SimplicialComplex


def complex_from(tree: Any, max_rank: int | None = None) -> SimplicialComplex:
    """Vertices keep their numbers where these are 0 … n - 1; else they are numbered in increasing order, with the old
    numbers in ``labels``."""
    if not hasattr(tree, "get_skeleton"):
        raise TypeError(f"from_gudhi: expected a gudhi.SimplexTree, got {type(tree).__name__}")
    order = tree.dimension() if max_rank is None else min(max_rank, tree.dimension())
    simplices = list(map(itemgetter(0), tree.get_skeleton(order)))
    if not simplices:
        return SimplicialComplex()
    lengths = np.fromiter(map(len, simplices), dtype=np.int64, count=len(simplices))
    flat = np.fromiter(chain.from_iterable(simplices), dtype=np.int64, count=int(lengths.sum()))
    labels, numbers = np.unique(flat, return_inverse=True)
    starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
    tables = [numbers[starts[lengths == width][:, None] + np.arange(width)] for width in range(1, order + 2)]
    made = SimplicialComplex([table for table in tables if len(table)], vertices=len(labels))
    made.labels = None if np.array_equal(labels, np.arange(len(labels))) else labels.tolist()
    return made


def tree_of(complex: SimplicialComplex, filtration: Any = None) -> Any:
    import gudhi
    tree = gudhi.SimplexTree()
    names = None if complex.labels is None else np.asarray(complex.labels)
    if names is not None and names.dtype.kind not in "iu":
        raise TypeError(f"to_gudhi: vertices of a SimplexTree are integers, got labels of type {names.dtype}")
    if filtration is not None and len(filtration) != complex.order + 1:
        raise ValueError(f"to_gudhi: filtration must have one array per order 0 ... {complex.order}, got {len(filtration)}")
    for k in range(complex.order + 1):
        values = np.zeros(complex.count(k)) if filtration is None else np.asarray(filtration[k], dtype=np.float64)
        if values.shape != (complex.count(k),):
            raise ValueError(f"to_gudhi: filtration[{k}] must have the shape [{complex.count(k)}], got {list(values.shape)}")
        table = np.asarray(complex.simplices(k))
        tree.insert_batch((table if names is None else names[table]).T.astype(np.int32), values)
    return tree
