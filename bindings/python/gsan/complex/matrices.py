"""The operators of a complex, written out as sparse matrices."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from .. import _core
from .base import ComplexBase

if TYPE_CHECKING:
    import scipy.sparse


class Matrices(ComplexBase):
    __slots__ = ()

    def _matrix(self, kind: str, rank: int, format: str, dtype: torch.dtype, device: Any) -> Any:
        if format not in ("torch", "torch_csr", "scipy"):
            raise ValueError(f"format must be 'torch', 'torch_csr' or 'scipy', got {format!r}")
        if not isinstance(dtype, torch.dtype) or not dtype.is_signed:
            raise TypeError(f"dtype must be a torch.dtype with a sign (the entries are ±1 and more), got {dtype!r}")
        if format == "scipy":
            if dtype in (torch.bfloat16, torch.float16):
                raise TypeError(f"scipy has no sparse matrices of {dtype}; take torch.float32")
            import scipy.sparse
            rows, columns, start, column, value = _core.csr_matrix(self._complex, kind, rank, self._max_memory)
            numbers = value.astype(torch.empty((), dtype=dtype).numpy().dtype)
            return scipy.sparse.csr_matrix((numbers, column, start), shape=(rows, columns))
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
