"""Attention weights."""
from __future__ import annotations

from typing import Any

import numpy as np

from .._arrays import whole_number
from ..complex import SimplicialComplex
from ..nn._bound import AttentionWeights
from ._axes import SERIES, axes_or_new
from ._complexes import complex as draw_complex, positions


def attention(weights: AttentionWeights, complex: SimplicialComplex | None = None, simplex: Any = None, *,
              head: int | None = None, bins: int = 40, points: Any = None, title: str | None = None, ax: Any = None) -> Any:
    """The weights of one operator, of one head or their mean: without a simplex a histogram over all pairs; with one (its
    number, or its vertices) the simplices around it, coloured by the weight with which it attends to them. Returns the
    Axes."""
    who = "gsan.plot.attention"
    if not isinstance(weights, AttentionWeights):
        raise TypeError(f"{who}: expected an AttentionWeights of return_attention_weights=True, got {type(weights).__name__}")
    alpha = _of_head(weights, head, who)
    where = f"{weights.side}, {weights.use} signal, order {weights.order}"
    if simplex is None:
        known = alpha[np.isfinite(alpha)]
        if known.size == 0:
            raise ValueError(f"{who}: no weight is finite: there is nothing to draw")
        ax = axes_or_new(ax, where if title is None else title)
        ax.hist(known, bins=whole_number(bins, f"{who}: bins", 1), color=SERIES[0])
        ax.set(xlabel="attention weight", ylabel="pairs")
        return ax
    if complex is None:
        raise TypeError(f"{who}: a simplex needs the complex that it belongs to: attention(weights, complex, simplex)")
    row = _row(complex, weights.order, simplex, who)
    if weights.order > 2:
        raise ValueError(f"{who}: neighbourhoods of orders 0, 1 and 2 can be drawn, got order {weights.order}")
    mine = weights.receivers.cpu().numpy() == row
    sources, alpha = weights.sources.cpu().numpy()[mine], alpha[mine]
    around, rows = complex.subcomplex(np.unique(complex.simplices(weights.order)[sources]))
    place = positions(around, positions(complex, points, who)[rows[0]], who)
    values = np.full(complex.count(weights.order), np.nan)
    values[sources] = alpha
    names = complex.simplices(weights.order)[row].tolist()
    ax = axes_or_new(ax, f"who {names} attends to ({where})" if title is None else title)
    draw_complex(around, values[rows[weights.order]], rank=weights.order, points=place, labels=True, oriented=False, ax=ax)
    return ax


def _of_head(weights: AttentionWeights, head: int | None, who: str) -> np.ndarray:
    alpha = weights.weights.detach().cpu().double().numpy()
    if alpha.ndim != 2:
        raise ValueError(f"{who}: the weights of one signal are drawn, [pairs, heads], got {list(alpha.shape)}; choose an item")
    if head is None:
        return alpha.mean(-1)
    head = whole_number(head, f"{who}: head", 0)
    if head >= alpha.shape[1]:
        raise ValueError(f"{who}: there are {alpha.shape[1]} heads, got head = {head}")
    return alpha[:, head]


def _row(complex: SimplicialComplex, order: int, simplex: Any, who: str) -> int:
    if isinstance(simplex, (list, tuple, np.ndarray)):
        found = int(complex.find([sorted(simplex)])[0]) if len(simplex) == order + 1 else -1
    else:
        found = whole_number(simplex, f"{who}: simplex")
    if not 0 <= found < complex.count(order):
        raise ValueError(f"{who}: {simplex} is not a simplex of order {order}; there are {complex.count(order)}, numbered from 0")
    return found
