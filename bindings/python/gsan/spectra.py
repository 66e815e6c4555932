"""Results of decompositions and spectra."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch


@dataclass(frozen=True)
class HodgeDecomposition:
    """x = gradient + curl + harmonic, mutually orthogonal; gradient = B_kᵀ gradient_potential,
    curl = B_{k+1} curl_potential. Energies are squared norms per feature."""
    gradient: torch.Tensor
    curl: torch.Tensor
    harmonic: torch.Tensor
    gradient_potential: torch.Tensor
    curl_potential: torch.Tensor
    gradient_energy: torch.Tensor
    curl_energy: torch.Tensor
    harmonic_energy: torch.Tensor
    iterations: tuple[int, int]
    residual: float


@dataclass(frozen=True)
class HodgeSpectrum:
    """Eigenpairs of a Hodge Laplacian: values [n] increase, vectors [N_k, n] are orthonormal, parts [n] says
    "gradient", "curl" or "harmonic"."""
    values: torch.Tensor
    vectors: torch.Tensor
    parts: np.ndarray


@dataclass(frozen=True)
class DiracSpectrum:
    """Component j - 1 holds (σ [r], u [N_{j-1}, r], v [N_j, r]) of B_j: the Dirac operator has ±σ with [u; ±v]/√2.
    ``harmonic`` is a basis of its kernel per order (without columns for a partial spectrum)."""
    components: list[tuple[torch.Tensor, torch.Tensor, torch.Tensor]]
    harmonic: list[torch.Tensor]
