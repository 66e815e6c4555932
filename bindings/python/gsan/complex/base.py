"""What every part of SimplicialComplex stands on: the compiled complex and the limits of what may be derived from it."""
from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .. import _core

if TYPE_CHECKING:
    from . import SimplicialComplex

MAX_SIMPLICES = 1_000_000_000
MAX_MEMORY = 8 << 30


class ComplexBase:
    __slots__ = ("_complex", "_operators_on", "_max_memory", "_reorder", "labels", "points", "__weakref__")

    def _set(self, core: _core.Complex, max_memory: int = MAX_MEMORY, labels: list | None = None,
             points: np.ndarray | None = None) -> None:
        self._complex = core
        self._operators_on: dict[str, _core.Operators] = {}
        self._max_memory = max_memory
        self._reorder = "automatic"
        #: Names of the vertices in the source, or None where they are 0 … N_0 - 1.
        self.labels = labels
        #: Coordinates of the vertices, [N_0, dimension], or None.
        self.points = points

    @classmethod
    def _from_core(cls, core: _core.Complex, max_memory: int = MAX_MEMORY, labels: list | None = None,
                   points: np.ndarray | None = None) -> SimplicialComplex:
        made = cls.__new__(cls)
        made._set(core, max_memory, labels, points)
        return made  # type: ignore[return-value]
