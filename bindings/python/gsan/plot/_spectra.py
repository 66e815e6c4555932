"""Spectra, and what layers do to them."""
from __future__ import annotations

from typing import Any

import numpy as np

from ..spectra import PARTS, DiracSpectrum, HodgeSpectrum, LayerResponse
from ._axes import PART_COLORS, SERIES, axes_or_new


def spectrum(spectrum: HodgeSpectrum | DiracSpectrum, *, title: str | None = None, ax: Any = None) -> Any:
    """The eigenvalues in increasing order: of L_k in the colour of the part they belong to, of the Dirac operator ±σ per
    component. Returns the Axes."""
    if isinstance(spectrum, DiracSpectrum):
        return _dirac(spectrum, title, ax)
    if not isinstance(spectrum, HodgeSpectrum):
        raise TypeError("gsan.plot.spectrum: expected what complex.spectrum() or complex.dirac_spectrum() returns, got "
                        f"{type(spectrum).__name__}")
    values = spectrum.values.cpu().numpy()
    if values.size == 0:
        raise ValueError("gsan.plot.spectrum: the spectrum is empty: there is nothing to draw")
    ax = axes_or_new(ax, title)
    for part in PARTS:
        at = np.flatnonzero(spectrum.parts == part)
        if at.size:
            ax.plot(at, values[at], "o", color=PART_COLORS[part], markersize=4, label=part)
    ax.set(xlabel="number", ylabel="eigenvalue λ")
    ax.legend(frameon=False)
    return ax


def _dirac(spectrum: DiracSpectrum, title: str | None, ax: Any) -> Any:
    kernel = sum(basis.shape[1] for basis in spectrum.harmonic)
    rows = [(sign * value, j) for j, (sigma, _, _) in enumerate(spectrum.components) for value in sigma.tolist()
            for sign in (-1, 1)] + [(0.0, -1)] * kernel
    if not rows:
        raise ValueError("gsan.plot.spectrum: the spectrum is empty: there is nothing to draw")
    ax = axes_or_new(ax, title)
    values = np.array([value for value, _ in sorted(rows)])
    component = np.array([j for _, j in sorted(rows)])
    for j in range(-1, len(spectrum.components)):
        at = np.flatnonzero(component == j)
        if at.size:
            ax.plot(at, values[at], "o", markersize=4, color=PART_COLORS["harmonic"] if j < 0 else SERIES[[0, 1, 3, 4, 5, 6, 7][j % 7]],
                    label="harmonic" if j < 0 else f"component {j + 1}")
    ax.set(xlabel="number", ylabel="eigenvalue ±σ")
    ax.legend(frameon=False)
    return ax


def response(response: LayerResponse, term: str | None = None, *, title: str | None = None, ax: Any = None) -> Any:
    """The gain of a layer over the eigenvalues of L_k, a curve per part of the signal: of all terms of the order's own
    signal together, or of one ``term`` of ``response.terms``. Returns the Axes."""
    if not isinstance(response, LayerResponse):
        raise TypeError(f"gsan.plot.response: expected what layer.response() returns, got {type(response).__name__}")
    if term is not None and term not in response.terms:
        raise ValueError(f"gsan.plot.response: the terms are {', '.join(response.terms)}; got {term!r}")
    gain = (response.total if term is None else response.terms[term]).cpu().numpy()
    frequencies = response.frequencies.cpu().numpy()
    ax = axes_or_new(ax, ("all terms of the own signal" if term is None else term) if title is None else title)
    for part in PARTS:
        at = np.flatnonzero((response.parts == part) & np.isfinite(gain))
        if at.size:
            ax.plot(frequencies[at], gain[at], "o-" if response.exact else "o", color=PART_COLORS[part], markersize=3,
                    linewidth=1.5, label=part)
    ax.set(xlabel=f"eigenvalue λ of L_{response.rank}", ylabel="gain")
    if ax.has_data():
        ax.legend(frameon=False)
    return ax
