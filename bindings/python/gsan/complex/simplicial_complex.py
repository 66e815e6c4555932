"""SimplicialComplex: construction, what it is, parts of it; its other methods stand beside, by what they are about."""
from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from .. import _core
from .._arrays import integer_array, is_array, whole_number
from .analysis import Analysis
from .base import MAX_MEMORY, MAX_SIMPLICES
from .conversions import Conversions
from .matrices import Matrices


class SimplicialComplex(Conversions, Matrices, Analysis):
    """A simplicial complex, closed under faces, built once and then frozen.

    ``simplices`` may be a list of vertex lists of any lengths, an integer array ``[n, k + 1]`` (numpy or torch), or a
    list of such arrays. Vertices and simplices may come in any order and repeat; every face is added. Inside, vertices
    are 0 … N_0 - 1 (an id that was skipped is an isolated vertex), a simplex is its increasing vertex list, and those of
    one order stand in lexicographic order: row i of a signal belongs to row i of ``simplices(rank)``.

    >>> import gsan
    >>> complex = gsan.SimplicialComplex([[2, 1, 0], [3, 2], [0, 1]])
    >>> complex
    SimplicialComplex(shape=(4, 4, 1))
    >>> complex.simplices(1).tolist()
    [[0, 1], [0, 2], [1, 2], [2, 3]]
    >>> complex.betti_numbers()
    [1, 0, 0]
    >>> complex.incidence_matrix(1, format="scipy").toarray().astype(int).tolist()
    [[-1, -1, 0, 0], [1, 0, -1, 0], [0, 1, 1, -1], [0, 0, 0, 1]]
    """

    __slots__ = ()

    def __init__(self, simplices: Any = (), *, vertices: int = 0, max_simplices: int = MAX_SIMPLICES,
                 max_memory: int = MAX_MEMORY) -> None:
        lists: Iterable = ()
        tables: list[np.ndarray] = []
        if is_array(simplices):
            tables = [integer_array(simplices, "simplices")]
        else:
            try:
                lists = simplices if isinstance(simplices, (list, tuple)) else list(simplices)
            except TypeError:
                raise TypeError("simplices must be vertex lists or an integer array [n, k + 1], "
                                f"got {type(simplices).__name__}") from None
            if lists and all(is_array(entry) and entry.ndim == 2 for entry in lists):
                tables = [integer_array(entry, "simplices") for entry in lists]
                lists = ()
        max_memory = whole_number(max_memory, "max_memory", 0)
        self._set(_core.Complex.from_simplices(lists, tables, whole_number(vertices, "vertices"),
                                               whole_number(max_simplices, "max_simplices"), max_memory), max_memory)

    # --- what it is

    @property
    def order(self) -> int:
        """The largest k with a k-simplex; -1 when empty."""
        return self._complex.order()

    dim = order

    @property
    def shape(self) -> tuple[int, ...]:
        """How many simplices each order 0 … K has."""
        return tuple(self._complex.count(k) for k in range(self.order + 1))

    def count(self, rank: int) -> int:
        """N_rank; 0 for orders that do not exist."""
        return self._complex.count(rank)

    def simplices(self, rank: int) -> np.ndarray:
        """``[N_rank, rank + 1]`` int32, read only, no copy: increasing vertices, rows in lexicographic order."""
        return self._complex.vertices(rank)

    def faces(self, rank: int) -> np.ndarray:
        """``[N_rank, rank + 1]`` int32, read only: face j omits vertex j and has the sign (-1)^j."""
        return self._complex.faces(rank)

    def cofaces(self, rank: int) -> tuple[np.ndarray, np.ndarray]:
        """offsets ``[N_rank + 1]`` and rows of order rank + 1: cofaces of i are ``rows[offsets[i]:offsets[i + 1]]``."""
        return self._complex.cofaces(rank)

    def find(self, simplices: Any) -> np.ndarray:
        """Rows of simplices ``[n, rank + 1]``, vertices in any order; -1 for what is not in the complex.

        >>> import gsan
        >>> gsan.SimplicialComplex([[0, 1, 2]]).find([[2, 1], [0, 3]]).tolist()
        [2, -1]
        """
        array = integer_array(simplices, "simplices")
        return np.zeros(0, dtype=np.int64) if array.shape == (0,) else self._complex.find(array)

    def __contains__(self, simplex: Any) -> bool:
        """Of a list of vertices in any order, or of one vertex."""
        vertices = list(simplex) if np.iterable(simplex) else [simplex]
        array = integer_array([vertices], "a simplex")
        return array.size > 0 and int(self._complex.find(array)[0]) >= 0

    @property
    def memory(self) -> int:
        """Bytes of the tables built so far."""
        return self._complex.memory()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SimplicialComplex) and self._complex.equals(other._complex)

    def __hash__(self) -> int:
        return hash(self.shape)

    def __repr__(self) -> str:
        return f"SimplicialComplex(shape={self.shape})"

    def __copy__(self) -> SimplicialComplex:
        return self  # frozen

    def __deepcopy__(self, memo: dict) -> SimplicialComplex:
        return self

    def __reduce__(self) -> tuple:
        tables = [np.array(self.simplices(k)) for k in range(self.order + 1)]
        return _unpickle, (tables, self._max_memory, self.labels, self.points, self._reorder)

    # --- parts and other names

    def skeleton(self, rank: int) -> SimplicialComplex:
        """The simplices of order at most rank."""
        core, rows, _ = self._complex.skeleton(rank)
        return self._renamed(core, rows)

    def subcomplex(self, vertices: Any) -> tuple[SimplicialComplex, list[np.ndarray]]:
        """Every simplex whose vertices are all kept, renumbered in their order; and per order the rows it came from."""
        core, source, _ = self._complex.induced(integer_array(vertices, "vertices"))
        return self._renamed(core, source), source

    def relabel(self, names: Any) -> tuple[SimplicialComplex, list[np.ndarray], list[np.ndarray]]:
        """Vertex v becomes names[v], a permutation: the new complex and, per order, source rows and signs:
        a signal moves as ``y = signs[:, None] * x[rows]``."""
        core, rows, signs = self._complex.relabeled(integer_array(names, "names"))
        return self._renamed(core, rows), rows, signs

    def _renamed(self, core: _core.Complex, rows: list[np.ndarray]) -> SimplicialComplex:
        """A complex whose vertices come from these rows: labels and points go with them."""
        kept = rows[0] if rows else np.zeros(0, dtype=np.int64)
        labels = None if self.labels is None else list(map(self.labels.__getitem__, kept.tolist()))
        return self._from_core(core, self._max_memory, labels, None if self.points is None else self.points[kept])


def _unpickle(tables: list[np.ndarray], max_memory: int, labels: list | None, points: np.ndarray | None,
              reorder: str = "automatic") -> SimplicialComplex:
    made = SimplicialComplex._from_core(_core.Complex.from_sorted_tables(tables), max_memory, labels, points)
    made._reorder = reorder
    return made
