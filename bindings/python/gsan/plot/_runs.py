"""Runs of ``gsan train`` and ``gsan.train``."""
from __future__ import annotations

import os
import pathlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .. import _core
from .._arrays import number_array
from ._axes import SERIES, axes_or_new, plain


def curves(*runs: Any, metrics: Sequence[str] | str | None = None, title: str | None = None, ax: Any = None) -> Any:
    """Metrics over the epochs of one or many runs: run folders, or dictionaries {metric: values by epoch}. ``metrics``: which
    (default: every loss); those of validation are dashed. Epochs without a finite value are gaps. Returns the Axes."""
    who = "gsan.plot.curves"
    if not runs:
        raise TypeError(f"{who}: give at least one run folder or dictionary of curves")
    wanted = [metrics] if isinstance(metrics, str) else metrics
    ax_title, drawn, known = title, [], {}
    for number, run in enumerate(runs):
        name, lines = _curves_of(run, number, who)
        for metric, epochs, values in lines:
            known[metric] = None
            if metric in wanted if wanted is not None else metric.endswith("loss"):
                drawn.append((number, name, metric, epochs, values))
    if not drawn:
        raise ValueError(f"{who}: none of the runs has {'a loss' if wanted is None else ', '.join(wanted)}; they have "
                         f"{', '.join(known)}")
    ax = axes_or_new(ax, ax_title)
    for line, (number, name, metric, epochs, values) in enumerate(drawn):
        ax.plot(epochs, values, color=SERIES[(number if len(runs) > 1 else line) % len(SERIES)],
                linestyle="--" if metric.startswith("validation") else "-", marker="o" if len(epochs) == 1 else None,
                label=plain(metric if len(runs) == 1 else f"{name}: {metric}"))
    ax.set(xlabel="epoch", ylabel=", ".join(dict.fromkeys(plain(metric) for _, _, metric, _, _ in drawn)))
    ax.legend(frameon=False)
    return ax


def _curves_of(run: Any, number: int, who: str) -> tuple[str, list]:
    if isinstance(run, Mapping):
        lines = []
        for metric, values in run.items():
            array = np.asarray(number_array(values, f"{who}: {metric}"), dtype=float)
            lines.append((metric, np.arange(1, array.size + 1), np.where(np.isfinite(array), array, np.nan)))
        return f"run {number + 1}", lines
    if not isinstance(run, (str, os.PathLike)):
        raise TypeError(f"{who}: a run is a folder or a dictionary of curves, got {type(run).__name__}")
    return pathlib.Path(run).name, _core.run_curves(os.fspath(run))


def confusion(matrix: Any, class_names: Sequence[str] | None = None, *, title: str | None = None, ax: Any = None) -> Any:
    """Counts ``[C, C]``, rows the true classes and columns the answers (``task.confusion(model, phase)``). Returns the
    Axes."""
    who = "gsan.plot.confusion"
    counts = np.asarray(number_array(matrix, f"{who}: the matrix"), dtype=float)
    if counts.ndim != 2 or counts.shape[0] != counts.shape[1] or counts.size == 0:
        raise ValueError(f"{who}: the matrix must have the shape [classes, classes], got {list(counts.shape)}")
    names = [plain(name) for name in (range(len(counts)) if class_names is None else class_names)]
    if len(names) != len(counts):
        raise ValueError(f"{who}: there are {len(counts)} classes but {len(names)} names")
    ax = axes_or_new(ax, title)
    image = ax.imshow(np.ma.masked_invalid(counts), cmap="viridis", vmin=min(0.0, np.nanmin(counts, initial=0.0)))
    ax.set_xticks(range(len(names)), names, rotation=45 if max(map(len, names)) > 4 else 0, ha="right" if max(map(len, names)) > 4 else "center")
    ax.set_yticks(range(len(names)), names)
    if len(names) <= 20:
        half = image.norm.vmin + 0.6 * (image.norm.vmax - image.norm.vmin)
        for (i, j), count in np.ndenumerate(counts):
            ax.text(j, i, f"{count:g}", ha="center", va="center", color="black" if count > half else "white")
    ax.set(xlabel="answer", ylabel="true class")
    return ax
