"""Complexes with signals on them."""
from __future__ import annotations

from typing import Any

import numpy as np

from .. import _core
from .._arrays import number_array, whole_number
from ..complex import SimplicialComplex
from ..spectra import HodgeSpectrum
from ._axes import FILL, INK, MESH, SOFT_INK, axes_or_new, panel_axes, plain, pyplot, signed_map


def positions(complex: SimplicialComplex, points: Any, who: str) -> np.ndarray:
    """Where the vertices are drawn, [N_0, 2]: given, those of the complex, or a layout that is the same every time."""
    found = complex.points if points is None else number_array(points, f"{who}: points")
    if found is None:
        return np.asarray(_core.layout(complex._complex, "spring"))
    if found.ndim != 2 or found.shape[0] != complex.count(0) or found.shape[1] < 2:
        raise ValueError(f"{who}: points must have the shape [{complex.count(0)}, 2 or more], got {list(found.shape)}")
    return np.asarray(found[:, :2], dtype=float)


def values_on(complex: SimplicialComplex, rank: int, signal: Any, who: str) -> np.ndarray:
    """[N_rank] from that, or from one column."""
    array = np.asarray(number_array(signal, f"{who}: the signal"), dtype=float)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.shape != (complex.count(rank),):
        raise ValueError(f"{who}: a signal of rank {rank} has the shape [{complex.count(rank)}], got {list(array.shape)}"
                         + ("; choose one column" if array.ndim == 2 and array.shape[0] == complex.count(rank) else ""))
    return array


def _refuse_huge(complex: SimplicialComplex, limit: int, who: str) -> None:
    drawn = sum(complex.count(k) for k in range(3))
    if drawn > limit:
        raise ValueError(f"{who}: the complex has {drawn} vertices, edges and triangles, more than limit = {limit}; draw a part "
                         "(complex.subcomplex), or raise the limit")


def color_scale(values: np.ndarray | None, full_strength: float | None = None) -> tuple[Any, Any]:
    """Norm and colours: blue to red around 0 where a value is negative or full_strength is given, otherwise sequential."""
    from matplotlib import colormaps
    from matplotlib.colors import Normalize
    known = values[np.isfinite(values)] if values is not None else np.zeros(0)
    if full_strength is None and known.size and known.min() >= 0:
        low, high = known.min(), known.max()
        norm, colors = Normalize(low, high if high > low else low + 1), colormaps["viridis"]
    else:
        largest = full_strength or np.abs(known).max(initial=0.0) or 1.0
        norm, colors = Normalize(-largest, largest), signed_map()
    return norm, colors.with_extremes(bad="none")


def _draw_unknown(ax: Any, place: np.ndarray, edges: np.ndarray) -> None:
    for a, b in edges:
        ax.plot(*place[[a, b]].T, color=SOFT_INK, linestyle=":", linewidth=1.2, zorder=2)


def _draw_lines(ax: Any, place: np.ndarray, edges: np.ndarray, values: np.ndarray, largest: float, norm: Any,
                colors: Any) -> None:
    """Each edge as a line; width and colour are its value."""
    from matplotlib.collections import LineCollection
    known = np.isfinite(values)
    lines = LineCollection(place[edges[known]], cmap=colors, norm=norm, zorder=3,
                           linewidths=1 + 3 * np.abs(values[known]) / largest)
    lines.set_array(values[known])
    ax.add_collection(lines)
    _draw_unknown(ax, place, edges[~known])


def _draw_arrows(ax: Any, place: np.ndarray, edges: np.ndarray, values: np.ndarray, largest: float, norm: Any,
                 colors: Any) -> None:
    """Each edge as an arrow in the direction of its sign; width and colour are its value. Less than a millionth of
    the largest is not drawn; no value: a dotted line."""
    known = np.isfinite(values)
    tail = np.where(values < 0, edges[:, 1], edges[:, 0])
    head = np.where(values < 0, edges[:, 0], edges[:, 1])
    moves = known & (np.abs(values) > 1e-6 * largest)
    start, way = place[tail[moves]], (place[head] - place[tail])[moves]
    if moves.any():
        share = np.abs(values[moves]) / largest
        span = np.ptp(place, axis=0).max() or 1.0
        arrows = ax.quiver(start[:, 0] + 0.1 * way[:, 0], start[:, 1] + 0.1 * way[:, 1], 0.8 * way[:, 0], 0.8 * way[:, 1],
                           values[moves], angles="xy", scale_units="xy", scale=1, units="xy", width=0.009 * span,
                           linewidths=2.0 * share, cmap=colors, norm=norm, zorder=3)
        arrows.set_edgecolor(arrows.cmap(norm(values[moves])))
    _draw_unknown(ax, place, edges[~known])


def complex(complex: SimplicialComplex, signal: Any = None, *, rank: int = 1, points: Any = None, labels: bool = False,
            oriented: bool = True, colorbar: bool = True, full_strength: float | None = None, limit: int = 20000,
            title: str | None = None, ax: Any = None) -> Any:
    """The complex in the plane, with a signal ``[N_rank]`` on its vertices (0), edges (1: arrows in the direction of the
    sign, lines where ``oriented=False``) or triangles (2). Without coordinates the vertices get a layout. NaN is drawn as "no value".
    ``full_strength``: the |value| of the strongest colour, for pictures to compare (the largest one). Returns the Axes."""
    who = "gsan.plot.complex"
    pyplot()
    from matplotlib.collections import LineCollection, PolyCollection
    rank = whole_number(rank, f"{who}: rank", 0)
    if rank > 2:
        raise ValueError(f"{who}: signals on vertices (0), edges (1) and triangles (2) can be drawn, got rank {rank}")
    _refuse_huge(complex, limit, who)
    values = None if signal is None else values_on(complex, rank, signal, who)
    place = positions(complex, points, who)
    ax = axes_or_new(ax, title)
    norm, colors = color_scale(values, full_strength)
    if complex.order >= 2:
        faces = PolyCollection(place[complex.simplices(2)], facecolors=FILL, edgecolors="none", zorder=0)
        if values is not None and rank == 2:
            faces.set(array=np.ma.masked_invalid(values), cmap=colors, norm=norm, facecolor=None)
        ax.add_collection(faces)
    if complex.order >= 1:
        edges = complex.simplices(1)
        ax.add_collection(LineCollection(place[edges], colors=MESH, linewidths=0.8, zorder=1))
        if values is not None and rank == 1:
            largest = full_strength or max(np.abs(values[np.isfinite(values)]).max(initial=0.0), 1e-300)
            (_draw_arrows if oriented else _draw_lines)(ax, place, edges, values, largest, norm, colors)
    if values is not None and rank == 0:
        known = np.isfinite(values)
        ax.scatter(*place[known].T, c=values[known], cmap=colors, norm=norm, s=36, edgecolors="white", linewidths=0.8, zorder=4)
        ax.scatter(*place[~known].T, facecolors="none", edgecolors=SOFT_INK, s=36, zorder=4)
    else:
        ax.scatter(*place.T, color=SOFT_INK, s=6, zorder=4)
    if labels:
        names = complex.labels or range(complex.count(0))
        for (x, y), name in zip(place, names):
            ax.annotate(plain(name), (x, y), xytext=(3, 3), textcoords="offset points", color=INK, fontsize=8)
    if values is not None and colorbar:
        from matplotlib.cm import ScalarMappable
        ax.figure.colorbar(ScalarMappable(norm, colors), ax=ax, shrink=0.8)
    ax.set_aspect("equal")
    ax.set_axis_off()
    ax.autoscale_view()
    return ax


def decomposition(complex: SimplicialComplex, signal: Any, *, rank: int = 1, points: Any = None, ax: Any = None) -> Any:
    """A signal beside its gradient, curl and harmonic part, in the colours of one scale, with the share of each in the energy.
    ``ax``: four Axes. Returns the Figure."""
    import torch
    who = "gsan.plot.decomposition"
    panels = panel_axes(ax, 4, who)
    values = values_on(complex, rank, signal, who)
    if not np.isfinite(values).all():
        raise ValueError(f"{who}: a signal with NaN or infinite values has no decomposition; "
                         f"{int((~np.isfinite(values)).sum())} of {values.size} are not finite")
    parts = complex.decompose(rank, torch.from_numpy(values)[:, None])
    whole = float((values ** 2).sum()) or 1.0
    largest = float(np.abs(values).max(initial=0.0)) or None
    draw(complex, values, rank, points, "signal", panels[0], largest)
    for axes, name in zip(panels[1:], ("gradient", "curl", "harmonic")):
        part = getattr(parts, name)[:, 0].numpy()
        share = 100 * float((part ** 2).sum()) / whole
        draw(complex, part, rank, points, f"{name}, {share:.1f} %", axes, largest)
    return panels[0].figure


def eigenvectors(complex: SimplicialComplex, rank: int = 1, count: int = 4, *, spectrum: HodgeSpectrum | None = None,
                 points: Any = None, ax: Any = None) -> Any:
    """The first ``count`` eigenvectors of L_rank, or of a given spectrum: harmonic ones come first. Returns the Figure."""
    who = "gsan.plot.eigenvectors"
    count = whole_number(count, f"{who}: count", 1)
    found = complex.spectrum(rank) if spectrum is None else spectrum
    count = min(count, len(found.values))
    if count == 0:
        raise ValueError(f"{who}: the spectrum of rank {rank} is empty: there is no eigenvector to draw")
    panels = panel_axes(ax, count, who)
    for i, axes in enumerate(panels):
        draw(complex, found.vectors[:, i].numpy(), rank, points, f"λ = {abs(float(found.values[i])):.4g}, {found.parts[i]}",
             axes)
    return panels[0].figure


def draw(of: SimplicialComplex, values: np.ndarray, rank: int, points: Any, title: str, ax: Any,
         full_strength: float | None = None) -> None:
    complex(of, values, rank=rank, points=points, title=title, ax=ax, colorbar=False, full_strength=full_strength)
