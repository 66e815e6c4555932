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


@dataclass(frozen=True)
class LayerResponse:
    """What a layer does to each eigenvector u of L_rank. ``terms`` maps the name of a term ("lower", "upper", "harmonic",
    "from order 0", …) to its gain [n]: the root of the energy that the term adds to the order when one input feature
    carries u and the others nothing, summed over output features and averaged over the input feature. ``total`` is the
    gain of all terms of the order's own signal together. ``exact``: gains are functions of λ; else (attention, a learned
    metric) they are measured with the operator that the given signal made."""
    rank: int
    frequencies: torch.Tensor
    parts: np.ndarray
    terms: dict[str, torch.Tensor]
    total: torch.Tensor
    exact: bool


#: Numbers of the parts, as the core has them.
PARTS = ("gradient", "curl", "harmonic")


def response_of(rank: int, spectrum: HodgeSpectrum, found: tuple) -> LayerResponse:
    terms, total, exact, _ = found
    return LayerResponse(rank, spectrum.values, spectrum.parts, {name: gain for name, gain, _ in terms}, total, exact)


def part_numbers(spectrum: HodgeSpectrum) -> list[int]:
    return [PARTS.index(part) for part in spectrum.parts.tolist()]
