"""The datasets of the tasks, through the loaders of the command.

Public data are looked for in the cache (``GSAN_HOME``, else ``$XDG_CACHE_HOME/gsan``, else ``~/.cache/gsan``), where
`gsan data fetch NAME` puts them; nothing is downloaded here. A folder of your own is read with ``path=``.
"""
from __future__ import annotations

import os
from typing import Any

import torch
import torch.utils.data

from . import _core
from ._options import to_map
from .complex import SimplicialComplex
from .data import Sample


class SignalDataset(torch.utils.data.Dataset):
    """Many signals on one complex, each with a class: item i is (signal ``[N_order, F]``, label)."""

    def __init__(self, opened: dict[str, Any], dtype: torch.dtype = torch.float32) -> None:
        self.name: str = opened["name"]
        places = None if opened["points"] is None else opened["points"].numpy()
        self.complex = SimplicialComplex._from_core(opened["complex"], points=places)
        self.order: int = opened["order"]
        self.signals: torch.Tensor = opened["signals"].to(dtype)
        self.labels: torch.Tensor = opened["labels"]
        self.classes: int = opened["classes"]
        self.class_names: list[str] = opened["class_names"]
        self.item_names: list[str] = opened["item_names"]
        self.hashes: dict[str, str] = opened["hashes"]

    def __len__(self) -> int:
        return len(self.labels)

    def __getitem__(self, i: int) -> tuple[torch.Tensor, torch.Tensor]:
        return self.signals[i], self.labels[i]

    def __repr__(self) -> str:
        return (f"SignalDataset({self.name!r}, {len(self)} signals on order {self.order} of {self.complex}, "
                f"classes={self.classes})")


class ComplexDataset(torch.utils.data.Dataset):
    """Many complexes with features, each with a class: item i is a gsan.data.Sample."""

    def __init__(self, opened: dict[str, Any], dtype: torch.dtype = torch.float32) -> None:
        self.name: str = opened["name"]
        self.widths: list[int] = opened["widths"]
        self.labels: torch.Tensor = opened["labels"]
        self.classes: int = opened["classes"]
        self.class_names: list[str] = opened["class_names"]
        self.item_names: list[str] = opened["item_names"]
        self.hashes: dict[str, str] = opened["hashes"]
        self.samples = [
            Sample(SimplicialComplex._from_core(complex), [None if x is None else x.to(dtype) for x in features],
                   y=label, key=key)
            for key, (complex, features, label) in enumerate(zip(opened["complexes"], opened["features"], self.labels))]

    def __len__(self) -> int:
        return len(self.samples)

    def __getitem__(self, i: int) -> Sample:
        return self.samples[i]

    def __repr__(self) -> str:
        return f"ComplexDataset({self.name!r}, {len(self)} complexes, widths={self.widths}, classes={self.classes})"


class ValueDataset:
    """One complex with a value (or the number of a class) on its simplices: ``values[k]`` float64 ``[N_k]``, NaN where it
    is unknown, None for an order without values."""

    def __init__(self, opened: dict[str, Any]) -> None:
        self.name: str = opened["name"]
        labels = opened["vertex_names"] or None
        self.complex = SimplicialComplex._from_core(opened["complex"], labels=labels)
        self.values: list[torch.Tensor | None] = opened["values"]
        self.features: list[torch.Tensor | None] = opened["features"]
        self.class_names: list[str] = opened["class_names"]
        self.hashes: dict[str, str] = opened["hashes"]

    def __repr__(self) -> str:
        return f"ValueDataset({self.name!r}, {self.complex})"


def islands(rows: int = 12, columns: int = 20, holes: int = 2, signals: int = 1000, noise: float = 0.2,
            seed: int = 0) -> SignalDataset:
    """Drifters on a hexagonal grid with islands: each turns around two of them, the same way (0) or opposite ways (1),
    in noise without a harmonic part. ``complex.points`` are the places of the vertices; needs no file.

    >>> import gsan
    >>> data = gsan.datasets.islands(signals=4)
    >>> assert data.complex.betti_numbers()[1] == 2 and data.class_names == ["same", "opposite"]
    """
    return SignalDataset(_core.open_signals(to_map({"name": "islands", "rows": rows, "columns": columns, "holes": holes,
                                                    "signals": signals, "noise": noise, "seed": seed}), signals))


def flow(points: int = 400, signals: int = 1200, seed: int = 0) -> SignalDataset:
    """Walks in a triangulated square with two holes; needs no file. Raises where gsan was built without Qhull.

    >>> import gsan
    >>> if gsan._core.has_delaunay:
    ...     data = gsan.datasets.flow(points=100, signals=4)
    ...     assert data.complex.betti_numbers()[1] == 2 and len(data) == 4
    """
    return SignalDataset(_core.open_signals(to_map({"name": "flow", "points": points, "seed": seed}), signals))


def flow_plane(points: int = 400, seed: int = 0) -> SimplicialComplex:
    """The complex of ``flow``, with the coordinates of its vertices."""
    core, places = _core.flow_plane(points, seed)
    return SimplicialComplex._from_core(core, points=places.numpy())


def ocean() -> SignalDataset:
    """Ocean drifters around Madagascar: 200 paths as flows on 320 edges."""
    return SignalDataset(_core.open_signals({"name": "ocean"}, 0))


def own_signals(path: str | os.PathLike) -> SignalDataset:
    """A folder of labelled signals on one complex (docs/own-data.md)."""
    return SignalDataset(_core.open_signals({"path": os.fspath(path)}, 0))


def citation(max_order: int = 6, *, by_position: bool = False) -> ValueDataset:
    """Co-authors with the citations of their common papers. ``by_position``: values in the order of the published file,
    which is not that of the simplices (docs/tasks.md)."""
    return ValueDataset(_core.open_values(to_map({"name": "citation", "max_order": max_order}), by_position, 0))


def own_values(path: str | os.PathLike, *, classes: bool = False) -> ValueDataset:
    """A folder with values (or classes) on the simplices of one complex (docs/own-data.md)."""
    options = {"path": os.fspath(path)}
    return ValueDataset(_core.open_classes(options) if classes else _core.open_values(options, False, 0))


def complexes(name: str = "proteins", *, path: str | os.PathLike | None = None,
              max_order: int | None = None) -> ComplexDataset:
    """Labelled complexes: a TU collection by its name ("proteins", "nci1"), or a folder of TU files or of your own.
    Cliques of graphs become simplices up to ``max_order`` (2); folders of your own complexes have no such option."""
    options: dict[str, Any] = {"name": name, "path": os.fspath(path) if path is not None else ""}
    if max_order is not None:
        options["max_order"] = max_order
    return ComplexDataset(_core.open_complexes(to_map(options)))


def proteins(max_order: int = 2) -> ComplexDataset:
    """PROTEINS, lifted to cliques."""
    return complexes("proteins", max_order=max_order)


def nci1(max_order: int = 2) -> ComplexDataset:
    """NCI1, lifted to cliques."""
    return complexes("nci1", max_order=max_order)


__all__ = ["ComplexDataset", "SignalDataset", "ValueDataset", "citation", "complexes", "flow", "flow_plane",
           "islands", "nci1", "ocean", "own_signals", "own_values", "proteins"]
