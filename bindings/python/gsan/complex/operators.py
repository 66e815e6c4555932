"""The operators of a complex, applied and never written out."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import torch

from .. import _core
from .._arrays import signal_tensor, whole_number
from .base import ComplexBase

Side = Literal["lower", "upper", "both"]


class Operators(ComplexBase):
    __slots__ = ()

    def operators(self, device: Any = "cpu") -> _core.Operators:
        """What layers are given; made once per device and kept with the complex."""
        key = str(device)
        found = self._operators_on.get(key)
        if found is None:
            found = self._operators_on[key] = _core.Operators(self._complex, torch.device(device), self._max_memory,
                                                              self._reorder)
        return found

    @property
    def max_memory(self) -> int:
        """Bytes that a structure derived from the complex, or one pass of attention over it, may take."""
        return self._max_memory

    @max_memory.setter
    def max_memory(self, limit: int) -> None:
        self._max_memory = whole_number(limit, "max_memory", 0)
        self._operators_on = {}

    @property
    def reorder(self) -> str:
        """In which order models compute on the complex: "automatic" (one that keeps neighbours close in memory, on large
        complexes where it pays), "none" (the given one), "bisection" or "cuthill-mckee" (always). Rows keep their numbers: signals,
        answers, attention weights and dropout masks are those of the given order, up to rounding."""
        return self._reorder

    @reorder.setter
    def reorder(self, order: str) -> None:
        _core.check_reorder(order)
        self._reorder = order
        self._operators_on = {}

    def incidence_tables(self, rank: int, device: Any = "cpu") -> tuple[torch.Tensor, ...]:
        """(faces, offsets, cofaces, columns): what ``torch.ops.gsan.boundary`` and ``coboundary`` take; copies."""
        return tuple(self.operators(device).tables(rank))

    def neighborhood(self, rank: int, side: Side, device: Any = "cpu") -> tuple[torch.Tensor, torch.Tensor]:
        """Neighbour pairs as ``edge_index`` ``[2, E]`` (source, receiver), each simplex with itself included, and the
        sign int8 ``[E]`` of each pair in the Laplacian of the side."""
        receivers, sources, signs = self.operators(device).pairs(rank, side)
        return torch.stack([sources, receivers]).long(), signs

    def boundary(self, rank: int, x: torch.Tensor | np.ndarray) -> torch.Tensor:
        """B_rank x, ``[..., N_rank, F]`` → ``[..., N_{rank-1}, F]``; differentiable."""
        x = signal_tensor(x, "boundary: x")
        return self.operators(x.device).boundary(rank, x)

    def coboundary(self, rank: int, x: torch.Tensor | np.ndarray) -> torch.Tensor:
        """B_rankᵀ x, ``[..., N_{rank-1}, F]`` → ``[..., N_rank, F]``; differentiable."""
        x = signal_tensor(x, "coboundary: x")
        return self.operators(x.device).coboundary(rank, x)

    def laplacian(self, rank: int, x: torch.Tensor | np.ndarray, side: Side = "both") -> torch.Tensor:
        """L x of the lower ("lower"), upper ("upper") or whole ("both") Laplacian; differentiable."""
        x = signal_tensor(x, "laplacian: x")
        return self.operators(x.device).laplacian(rank, x, side)

    def dirac(self, x: Sequence[torch.Tensor | np.ndarray | None]) -> list[torch.Tensor | None]:
        """D x of one tensor per order (None counts as zero)."""
        signals = [None if entry is None else signal_tensor(entry, f"dirac: x[{k}]") for k, entry in enumerate(x)]
        known = [entry for entry in signals if entry is not None]
        if len({entry.dtype for entry in known}) > 1:
            raise TypeError(f"dirac: the signals must have one type, got {[str(entry.dtype) for entry in known]}")
        return self.operators(known[0].device if known else "cpu").dirac(signals)
