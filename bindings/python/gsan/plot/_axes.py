"""Axes and colours that the pictures share."""
from __future__ import annotations

from typing import Any

#: Curves; the same as in the pictures of the command (gsan/plot/theme.cpp).
SERIES = ("#0072b2", "#d55e00", "#009e73", "#b8578f", "#c98500", "#3f9fd4", "#7b61c4", "#50575e")
NEGATIVE, ZERO, POSITIVE = "#2166ac", "#c3cad1", "#b2182b"
MESH, FILL, INK, SOFT_INK = "#c3cad1", "#eef1f4", "#1b1f24", "#57606a"
#: The parts of a Hodge decomposition, in every picture.
PART_COLORS = {"gradient": SERIES[0], "curl": SERIES[1], "harmonic": SERIES[2]}


def pyplot() -> Any:
    """matplotlib.pyplot, or an error that says how to get it."""
    try:
        import matplotlib.pyplot
    except ImportError as error:
        raise ImportError("gsan.plot draws with matplotlib, which is not installed: pip install matplotlib "
                          f"({error})") from error
    return matplotlib.pyplot


def axes_or_new(ax: Any, title: str | None) -> Any:
    if ax is None:
        _, ax = pyplot().subplots(layout="constrained")
    if title is not None:
        ax.set_title(plain(title))
    return ax


def panel_axes(ax: Any, count: int, who: str, columns: int = 4) -> list:
    """As many Axes as panels: those that were given, or a new grid."""
    if ax is None:
        columns = min(columns, count)
        rows = -(-count // columns)
        figure, grid = pyplot().subplots(rows, columns, figsize=(3.4 * columns, 3.4 * rows), squeeze=False,
                                         layout="constrained")
        for unused in grid.flat[count:]:
            unused.remove()
        return list(grid.flat[:count])
    given = list(ax.flat) if hasattr(ax, "flat") else list(ax) if isinstance(ax, (list, tuple)) else [ax]
    if len(given) < count:
        raise ValueError(f"{who}: needs {count} Axes, one per panel, got {len(given)}; leave ax out for a new figure")
    return given[:count]


def signed_map() -> Any:
    """Colours of values from negative over zero to positive."""
    from matplotlib.colors import LinearSegmentedColormap
    return LinearSegmentedColormap.from_list("gsan", [NEGATIVE, ZERO, POSITIVE])


def plain(text: str) -> str:
    """A text that matplotlib does not read as a formula."""
    return str(text).replace("$", r"\$")
