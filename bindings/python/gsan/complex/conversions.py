"""Complexes from and to everything else."""
from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from .. import _core
from .._arrays import integer_array, number_array, whole_number
from .base import MAX_MEMORY, MAX_SIMPLICES, ComplexBase

if TYPE_CHECKING:
    import gudhi
    import networkx
    import toponetx

    from . import SimplicialComplex


class Conversions(ComplexBase):
    __slots__ = ()

    @classmethod
    def from_sorted_tables(cls, tables: Sequence[Any]) -> SimplicialComplex:
        """From ``tables[k]`` ``[N_k, k + 1]`` that are already what ``simplices(k)`` gives; anything else is an error."""
        arrays = [integer_array(table, "a table") for table in tables]
        shaped = [array if array.size else array.reshape(0, k + 1) for k, array in enumerate(arrays)]
        return cls._from_core(_core.Complex.from_sorted_tables(shaped))

    @classmethod
    def from_edge_index(cls, edge_index: Any, num_nodes: int | None = None, max_rank: int = 2, *,
                        skip_loops: bool = False, max_simplices: int = MAX_SIMPLICES,
                        max_memory: int = MAX_MEMORY) -> SimplicialComplex:
        """The clique complex of a graph given as ``edge_index`` ``[2, E]``, in any order and direction.

        >>> import torch, gsan
        >>> gsan.SimplicialComplex.from_edge_index(torch.tensor([[0, 1, 2, 2], [1, 2, 0, 3]])).shape
        (4, 4, 1)
        """
        edges = integer_array(edge_index, "edge_index")
        if edges.shape == (0,):
            edges = edges.reshape(2, 0)
        if num_nodes is None:
            num_nodes = int(edges.max()) + 1 if edges.size else 0
        max_memory = whole_number(max_memory, "max_memory", 0)
        core = _core.clique_complex(edges, whole_number(num_nodes, "num_nodes"), max_rank, skip_loops,
                                    whole_number(max_simplices, "max_simplices"), max_memory)
        return cls._from_core(core, max_memory)

    @classmethod
    def from_points(cls, points: Any, method: Literal["delaunay", "rips"] = "delaunay", *, radius: float | None = None,
                    max_rank: int = 2, max_simplices: int = MAX_SIMPLICES,
                    max_memory: int = MAX_MEMORY) -> SimplicialComplex:
        """The Delaunay complex of points in the plane or in space, or the Vietoris-Rips complex of points that are
        pairwise within ``radius``.

        >>> import gsan
        >>> square = [[0, 0], [1, 0], [0, 1], [1, 1]]
        >>> gsan.SimplicialComplex.from_points(square, "rips", radius=1.0).betti_numbers()
        [1, 1]
        """
        array = number_array(points, "points")
        max_simplices = whole_number(max_simplices, "max_simplices")
        max_memory = whole_number(max_memory, "max_memory", 0)
        if method == "rips":
            if radius is None:
                raise TypeError("from_points: method='rips' needs radius")
            core = _core.rips_complex(array, float(radius), max_rank, max_simplices, max_memory)
        elif method == "delaunay":
            core = _core.delaunay(array, max_simplices, max_memory)
        else:
            raise ValueError(f"from_points: method must be 'delaunay' or 'rips', got {method!r}")
        return cls._from_core(core, max_memory, points=np.array(array, dtype=np.float64))

    @classmethod
    def from_mesh(cls, points: Any, faces: Any, *, max_memory: int = MAX_MEMORY) -> SimplicialComplex:
        """From coordinates ``[N, dimension]`` and faces ``[F, corners]`` (triangles, or tetrahedra).

        >>> import gsan
        >>> tetrahedron = gsan.SimplicialComplex.from_mesh(
        ...     [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])
        >>> tetrahedron.betti_numbers()
        [1, 0, 1]
        """
        array = number_array(points, "points")
        corners = integer_array(faces, "faces")
        if array.ndim != 2:
            raise ValueError(f"from_mesh: points must have the shape [points, dimension], got {list(array.shape)}")
        if corners.size and int(corners.max()) >= len(array):
            raise ValueError(f"from_mesh: a face names the point {int(corners.max())}, but there are {len(array)} points")
        max_memory = whole_number(max_memory, "max_memory", 0)
        core = _core.Complex.from_simplices((), [corners] if corners.size else [], len(array), MAX_SIMPLICES, max_memory)
        return cls._from_core(core, max_memory, points=np.array(array, dtype=np.float64))

    @classmethod
    def read(cls, path: str | os.PathLike, format: str = "", *, max_rank: int | None = None, skip_degenerate: bool = False,
             max_simplices: int = MAX_SIMPLICES, max_memory: int = MAX_MEMORY) -> SimplicialComplex:
        """From a file: simplices, edges, hyperedges, points, HIF, GUDHI text, OFF, OBJ, PLY or Benson's three files (found
        out where ``format`` is empty), gzipped or not. Simplices above ``max_rank`` contribute their faces of that rank.
        Names of the file's vertices are in ``labels``, coordinates of meshes and points in ``points``."""
        max_memory = whole_number(max_memory, "max_memory", 0)
        core, labels, points = _core.read_complex(os.fspath(path), format, skip_degenerate,
                                                  -1 if max_rank is None else whole_number(max_rank, "max_rank", 0),
                                                  whole_number(max_simplices, "max_simplices"), max_memory)
        return cls._from_core(core, max_memory, None if labels == list(range(len(labels))) else labels, points)

    @classmethod
    def example(cls, name: str) -> SimplicialComplex:
        """A complex that everybody knows; ``examples()`` lists the names.

        >>> import gsan
        >>> gsan.SimplicialComplex.example("torus").betti_numbers()
        [1, 2, 1]
        """
        core, points = _core.example(name)
        return cls._from_core(core, points=points)

    @staticmethod
    def examples() -> list[str]:
        return [name for name, _, _ in _core.examples()]

    @classmethod
    def from_networkx(cls, graph: networkx.Graph, max_rank: int = 2, **limits: int) -> SimplicialComplex:
        """The clique complex of a networkx graph; ``labels`` are its nodes, in increasing order where they have one."""
        from ..adapters import networkx as adapter
        return adapter.complex_from(graph, max_rank, **limits)

    @classmethod
    def from_toponetx(cls, complex: toponetx.SimplicialComplex) -> SimplicialComplex:
        """From a TopoNetX SimplicialComplex; rows stand in the same order as there."""
        from ..adapters import toponetx as adapter
        return adapter.complex_from(complex)

    @classmethod
    def from_gudhi(cls, tree: gudhi.SimplexTree, max_rank: int | None = None) -> SimplicialComplex:
        """From a GUDHI SimplexTree (filtration values are left out)."""
        from ..adapters import gudhi as adapter
        return adapter.complex_from(tree, max_rank)

    def to_networkx(self) -> networkx.Graph:
        """The graph of vertices and edges."""
        from ..adapters import networkx as adapter
        return adapter.graph_of(self)  # type: ignore[arg-type]

    def to_toponetx(self) -> toponetx.SimplicialComplex:
        from ..adapters import toponetx as adapter
        return adapter.complex_of(self)  # type: ignore[arg-type]

    def to_gudhi(self, filtration: Sequence[Any] | None = None) -> gudhi.SimplexTree:
        """A SimplexTree; ``filtration`` holds one array ``[N_k]`` per order, zeros when absent."""
        from ..adapters import gudhi as adapter
        return adapter.tree_of(self, filtration)  # type: ignore[arg-type]
