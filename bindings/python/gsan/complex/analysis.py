"""Homology, decompositions and spectra of a complex."""
from __future__ import annotations

from typing import Literal

import numpy as np
import torch

from .. import _core
from .._arrays import signal_tensor
from ..spectra import PARTS, DiracSpectrum, HodgeDecomposition, HodgeSpectrum
from .operators import Operators


class Analysis(Operators):
    __slots__ = ()

    def betti_numbers(self, field: int = 2147483647) -> list[int]:
        """β_0 … β_K by ranks over the prime field of this size.

        >>> import gsan
        >>> gsan.SimplicialComplex([[0, 1], [1, 2], [0, 2]]).betti_numbers()
        [1, 1]
        """
        return _core.betti_numbers(self._complex, field, self._max_memory)

    def euler_characteristic(self) -> int:
        return _core.euler_characteristic(self._complex)

    def decompose(self, rank: int, x: torch.Tensor | np.ndarray, *, tolerance: float = 1e-8,
                  max_iterations: int = 20000) -> HodgeDecomposition:
        """The Hodge decomposition of a signal ``[..., N_rank, F]``; not differentiable.

        >>> import torch, gsan
        >>> ring = gsan.SimplicialComplex([[0, 1], [1, 2], [0, 2]])
        >>> parts = ring.decompose(1, torch.tensor([[1.0], [-1.0], [1.0]]))
        >>> parts.harmonic.flatten().tolist()
        [1.0, -1.0, 1.0]
        """
        x = signal_tensor(x, "decompose: x")
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
        return HodgeSpectrum(values, vectors, np.array(PARTS)[parts])

    def dirac_spectrum(self, count: int | None = None, *, end: Literal["smallest", "largest"] = "smallest",
                       tolerance: float = 1e-8) -> DiracSpectrum:
        """The spectrum of the Dirac operator from the singular triplets of each boundary operator."""
        components, harmonic = _core.dirac_spectrum(self.operators(), count, end, tolerance, 4 << 30)
        return DiracSpectrum(components, harmonic)
