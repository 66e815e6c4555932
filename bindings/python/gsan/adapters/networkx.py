"""networkx graphs."""
from __future__ import annotations

from itertools import chain
from typing import Any

import numpy as np

from ..complex import SimplicialComplex


def number(labels: list) -> tuple[list, dict | None]:
    """Labels in increasing order where they have one, and their numbers; None where they are 0 … n - 1."""
    try:
        ordered = sorted(labels)
    except TypeError:
        ordered = labels
    if ordered == list(range(len(ordered))):
        return ordered, None
    return ordered, dict(zip(ordered, range(len(ordered))))


def numbers_of(values: Any, place: dict | None) -> np.ndarray:
    """Flat labels → vertices, by iterators that run in C."""
    return np.fromiter(values if place is None else map(place.__getitem__, values), dtype=np.int64)


def complex_from(graph: Any, max_rank: int = 2, **limits: Any) -> SimplicialComplex:
    if not hasattr(graph, "nodes"):
        raise TypeError(f"from_networkx: expected a networkx.Graph, got {type(graph).__name__}")
    labels, place = number(list(graph.nodes))
    ends = numbers_of(chain.from_iterable(graph.edges()), place)
    made = SimplicialComplex.from_edge_index(ends.reshape(-1, 2).T, len(labels), max_rank, **limits)
    made.labels = None if place is None else labels
    return made


def graph_of(complex: SimplicialComplex) -> Any:
    import networkx
    graph = networkx.Graph()
    labels = complex.labels
    if labels is None:
        graph.add_nodes_from(range(complex.count(0)))
        graph.add_edges_from(complex.simplices(1).tolist() if complex.order >= 1 else ())
        return graph
    graph.add_nodes_from(labels)
    if complex.order >= 1:
        name = np.array(labels, dtype=object)
        graph.add_edges_from(name[complex.simplices(1)].tolist())
    return graph
