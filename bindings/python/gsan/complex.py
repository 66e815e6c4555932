"""Simplicial complexes."""
from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import torch

from . import _core
from ._arrays import integer_array, is_array, number_array
from .spectra import DiracSpectrum, HodgeDecomposition, HodgeSpectrum

if TYPE_CHECKING:
    import gudhi
    import networkx
    import scipy.sparse
    import toponetx

MAX_SIMPLICES = 1_000_000_000
MAX_MEMORY = 8 << 30

Side = Literal["lower", "upper", "both"]


class SimplicialComplex:
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

    __slots__ = ("_complex", "_operators_on", "_max_memory", "labels", "points", "__weakref__")

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
        self._set(_core.Complex.from_simplices(lists, tables, int(vertices), max_simplices, max_memory), max_memory)

    def _set(self, core: _core.Complex, max_memory: int = MAX_MEMORY, labels: list | None = None,
             points: np.ndarray | None = None) -> None:
        self._complex = core
        self._operators_on: dict[str, _core.Operators] = {}
        self._max_memory = max_memory
        #: Names of the vertices in the source, or None where they are 0 … N_0 - 1.
        self.labels = labels
        #: Coordinates of the vertices, [N_0, dimension], or None.
        self.points = points

    @classmethod
    def _from_core(cls, core: _core.Complex, max_memory: int = MAX_MEMORY, labels: list | None = None,
                   points: np.ndarray | None = None) -> SimplicialComplex:
        made = cls.__new__(cls)
        made._set(core, max_memory, labels, points)
        return made

    # --- from other things

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
        if edges.size == 0:
            edges = np.zeros((2, 0), dtype=np.int64)
        if num_nodes is None:
            num_nodes = int(edges.max()) + 1 if edges.size else 0
        core = _core.clique_complex(edges, int(num_nodes), max_rank, skip_loops, max_simplices, max_memory)
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
        core = _core.Complex.from_simplices((), [corners] if corners.size else [], len(array), MAX_SIMPLICES, max_memory)
        return cls._from_core(core, max_memory, points=np.array(array, dtype=np.float64))

    @classmethod
    def read(cls, path: str | os.PathLike, format: str = "", *, skip_degenerate: bool = False,
             max_simplices: int = MAX_SIMPLICES, max_memory: int = MAX_MEMORY) -> SimplicialComplex:
        """From a file: simplices, edges, points, HIF, GUDHI text, OFF, OBJ or PLY (found out where ``format`` is empty).
        Names of the file's vertices are in ``labels``, coordinates of meshes and points in ``points``."""
        core, labels, points = _core.read_complex(os.fspath(path), format, skip_degenerate, max_simplices, max_memory)
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
        from .adapters import networkx as adapter
        return adapter.complex_from(graph, max_rank, **limits)

    @classmethod
    def from_toponetx(cls, complex: toponetx.SimplicialComplex) -> SimplicialComplex:
        """From a TopoNetX SimplicialComplex; rows stand in the same order as there."""
        from .adapters import toponetx as adapter
        return adapter.complex_from(complex)

    @classmethod
    def from_gudhi(cls, tree: gudhi.SimplexTree, max_rank: int | None = None) -> SimplicialComplex:
        """From a GUDHI SimplexTree (filtration values are left out)."""
        from .adapters import gudhi as adapter
        return adapter.complex_from(tree, max_rank)

    def to_networkx(self) -> networkx.Graph:
        """The graph of vertices and edges."""
        from .adapters import networkx as adapter
        return adapter.graph_of(self)

    def to_toponetx(self) -> toponetx.SimplicialComplex:
        from .adapters import toponetx as adapter
        return adapter.complex_of(self)

    def to_gudhi(self, filtration: Sequence[Any] | None = None) -> gudhi.SimplexTree:
        """A SimplexTree; ``filtration`` holds one array ``[N_k]`` per order, zeros when absent."""
        from .adapters import gudhi as adapter
        return adapter.tree_of(self, filtration)

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
        return self._complex.find(array)

    def __contains__(self, simplex: Any) -> bool:
        array = integer_array([list(simplex)], "a simplex")
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
        return _unpickle, (tables, self._max_memory, self.labels, self.points)

    # --- parts and other names

    def skeleton(self, rank: int) -> SimplicialComplex:
        """The simplices of order at most rank."""
        core, _, _ = self._complex.skeleton(rank)
        return self._from_core(core, self._max_memory, self.labels, self.points)

    def subcomplex(self, vertices: Any) -> tuple[SimplicialComplex, list[np.ndarray]]:
        """Every simplex whose vertices are all kept, renumbered in their order; and per order the rows it came from."""
        core, source, _ = self._complex.induced(integer_array(vertices, "vertices"))
        return self._from_core(core, self._max_memory), source

    def relabel(self, names: Any) -> tuple[SimplicialComplex, list[np.ndarray], list[np.ndarray]]:
        """Vertex v becomes names[v], a permutation: the new complex and, per order, source rows and signs:
        a signal moves as ``y = signs[:, None] * x[rows]``."""
        core, rows, signs = self._complex.relabeled(integer_array(names, "names"))
        return self._from_core(core, self._max_memory), rows, signs

    # --- matrices

    def _matrix(self, kind: str, rank: int, format: str, dtype: torch.dtype, device: Any) -> Any:
        if format == "scipy":
            import scipy.sparse
            rows, columns, start, column, value = _core.csr_matrix(self._complex, kind, rank, self._max_memory)
            numbers = value.astype(torch.empty((), dtype=dtype).numpy().dtype)
            return scipy.sparse.csr_matrix((numbers, column, start), shape=(rows, columns))
        if format not in ("torch", "torch_csr"):
            raise ValueError(f"format must be 'torch', 'torch_csr' or 'scipy', got {format!r}")
        matrix = _core.sparse_matrix(self._complex, kind, rank, format == "torch_csr", dtype, self._max_memory)
        return matrix if device is None else matrix.to(device)

    def incidence_matrix(self, rank: int, *, format: str = "torch", dtype: torch.dtype = torch.float32,
                         device: Any = None) -> torch.Tensor | scipy.sparse.csr_matrix:
        """B_rank ``[N_{rank-1}, N_rank]``; ``format``: "torch" (COO), "torch_csr" or "scipy" (CSR)."""
        return self._matrix("incidence", rank, format, dtype, device)

    def up_laplacian_matrix(self, rank: int, *, format: str = "torch", dtype: torch.dtype = torch.float32,
                            device: Any = None) -> torch.Tensor | scipy.sparse.csr_matrix:
        """B_{rank+1} B_{rank+1}ᵀ."""
        return self._matrix("up_laplacian", rank, format, dtype, device)

    def down_laplacian_matrix(self, rank: int, *, format: str = "torch", dtype: torch.dtype = torch.float32,
                              device: Any = None) -> torch.Tensor | scipy.sparse.csr_matrix:
        """B_rankᵀ B_rank."""
        return self._matrix("down_laplacian", rank, format, dtype, device)

    def hodge_laplacian_matrix(self, rank: int, *, format: str = "torch", dtype: torch.dtype = torch.float32,
                               device: Any = None) -> torch.Tensor | scipy.sparse.csr_matrix:
        """The sum of the two."""
        return self._matrix("hodge_laplacian", rank, format, dtype, device)

    def dirac_operator_matrix(self, *, format: str = "torch", dtype: torch.dtype = torch.float32,
                              device: Any = None) -> torch.Tensor | scipy.sparse.csr_matrix:
        """The Dirac operator on all orders, one after the other."""
        return self._matrix("dirac_operator", 0, format, dtype, device)

    # --- operators, applied and never formed

    def operators(self, device: Any = "cpu") -> _core.Operators:
        """What layers are given; made once per device and kept with the complex."""
        key = str(device)
        found = self._operators_on.get(key)
        if found is None:
            found = self._operators_on[key] = _core.Operators(self._complex, torch.device(device), self._max_memory)
        return found

    @property
    def max_memory(self) -> int:
        """Bytes that a structure derived from the complex, or one pass of attention over it, may take."""
        return self._max_memory

    @max_memory.setter
    def max_memory(self, limit: int) -> None:
        self._max_memory = int(limit)
        self._operators_on = {}

    def incidence_tables(self, rank: int, device: Any = "cpu") -> tuple[torch.Tensor, ...]:
        """(faces, offsets, cofaces, columns): what ``torch.ops.gsan.boundary`` and ``coboundary`` take; copies."""
        return tuple(self.operators(device).tables(rank))

    def neighborhood(self, rank: int, side: Side, device: Any = "cpu") -> tuple[torch.Tensor, torch.Tensor]:
        """Neighbour pairs as ``edge_index`` ``[2, E]`` (source, receiver), each simplex with itself included, and the
        sign int8 ``[E]`` of each pair in the Laplacian of the side."""
        receivers, sources, signs = self.operators(device).pairs(rank, side)
        return torch.stack([sources, receivers]).long(), signs

    def boundary(self, rank: int, x: torch.Tensor) -> torch.Tensor:
        """B_rank x, ``[..., N_rank, F]`` → ``[..., N_{rank-1}, F]``; differentiable."""
        return self.operators(x.device).boundary(rank, x)

    def coboundary(self, rank: int, x: torch.Tensor) -> torch.Tensor:
        """B_rankᵀ x, ``[..., N_{rank-1}, F]`` → ``[..., N_rank, F]``; differentiable."""
        return self.operators(x.device).coboundary(rank, x)

    def laplacian(self, rank: int, x: torch.Tensor, side: Side = "both") -> torch.Tensor:
        """L x of the lower ("lower"), upper ("upper") or whole ("both") Laplacian; differentiable."""
        return self.operators(x.device).laplacian(rank, x, side)

    def dirac(self, x: Sequence[torch.Tensor | None]) -> list[torch.Tensor | None]:
        """D x of one tensor per order (None counts as zero)."""
        device = next((entry.device for entry in x if entry is not None), "cpu")
        return self.operators(device).dirac(list(x))

    # --- homology and spectra

    def betti_numbers(self, field: int = 2147483647) -> list[int]:
        """β_0 … β_K by ranks over the prime field of this size.

        >>> import gsan
        >>> gsan.SimplicialComplex([[0, 1], [1, 2], [0, 2]]).betti_numbers()
        [1, 1]
        """
        return _core.betti_numbers(self._complex, field, self._max_memory)

    def euler_characteristic(self) -> int:
        return _core.euler_characteristic(self._complex)

    def decompose(self, rank: int, x: torch.Tensor, *, tolerance: float = 1e-8,
                  max_iterations: int = 20000) -> HodgeDecomposition:
        """The Hodge decomposition of a signal ``[..., N_rank, F]``; not differentiable.

        >>> import torch, gsan
        >>> ring = gsan.SimplicialComplex([[0, 1], [1, 2], [0, 2]])
        >>> parts = ring.decompose(1, torch.tensor([[1.0], [-1.0], [1.0]]))
        >>> parts.harmonic.flatten().tolist()
        [1.0, -1.0, 1.0]
        """
        return HodgeDecomposition(**_core.decompose(self.operators(x.device), rank, x, tolerance, max_iterations))

    def spectrum(self, rank: int, count: int | None = None, *, end: Literal["smallest", "largest"] = "smallest",
                 tolerance: float = 1e-8) -> HodgeSpectrum:
        """Eigenpairs of L_rank: all of them, or ``count`` non-zero ones from an end.

        >>> import gsan
        >>> path = gsan.SimplicialComplex([[0, 1], [1, 2]])
        >>> [round(abs(value), 6) for value in path.spectrum(0).values.tolist()]
        [0.0, 1.0, 3.0]
        """
        values, vectors, parts = _core.hodge_spectrum(self.operators(), rank, count, end, tolerance, 4 << 30)
        return HodgeSpectrum(values, vectors, np.array(["gradient", "curl", "harmonic"])[parts])

    def dirac_spectrum(self, count: int | None = None, *, end: Literal["smallest", "largest"] = "smallest",
                       tolerance: float = 1e-8) -> DiracSpectrum:
        """The spectrum of the Dirac operator from the singular triplets of each boundary operator."""
        components, harmonic = _core.dirac_spectrum(self.operators(), count, end, tolerance, 4 << 30)
        return DiracSpectrum(components, harmonic)


def _unpickle(tables: list[np.ndarray], max_memory: int, labels: list | None,
              points: np.ndarray | None) -> SimplicialComplex:
    return SimplicialComplex._from_core(_core.Complex.from_sorted_tables(tables), max_memory, labels, points)
