"""Batches of TopoBench: an object or dictionary with x_0, x_1, …, incidence_1, …, batch_0, …"""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch

from ..complex import SimplicialComplex
from ..data import Batch


def _get(batch: Any, name: str) -> Any:
    if isinstance(batch, Mapping):
        return batch.get(name)
    return getattr(batch, name, None)


def _dense_columns(matrix: torch.Tensor, rank: int) -> np.ndarray:
    """Rows of the rank + 1 entries of each column of an incidence matrix, [columns, rank + 1]."""
    coo = (matrix if matrix.layout == torch.sparse_coo else matrix.to_sparse_coo()).coalesce()
    rows, columns = coo.indices().cpu().numpy()
    kept = coo.values().cpu().numpy() != 0
    rows, columns = rows[kept], columns[kept]
    counts = np.bincount(columns, minlength=matrix.shape[1])
    if not np.all(counts == rank + 1):
        wrong = int(np.argmax(counts != rank + 1))
        raise ValueError(f"from_topobench: column {wrong} of incidence_{rank} must have {rank + 1} entries (the faces of a "
                         f"{rank}-simplex), got {int(counts[wrong])}")
    return rows[np.argsort(columns, kind="stable")].reshape(-1, rank + 1)


def _vertex_tables(batch: Any) -> list[np.ndarray]:
    """Per order k ≥ 1 the vertices of each simplex, in the rows of the batch: a simplex has those of its faces."""
    tables: list[np.ndarray] = []
    rank = 1
    while (matrix := _get(batch, f"incidence_{rank}")) is not None and matrix.shape[1] > 0:
        faces = _dense_columns(matrix, rank)
        if rank == 1:
            tables.append(np.sort(faces, axis=1))
        else:
            ends = np.sort(tables[-1][faces].reshape(len(faces), -1), axis=1)  # each vertex `rank` times
            vertices = ends[:, ::rank]
            if not np.array_equal(np.repeat(vertices, rank, axis=1), ends):
                raise ValueError(f"from_topobench: a column of incidence_{rank} is not the boundary of a {rank}-simplex")
            tables.append(vertices)
        rank += 1
    return tables


def _counts(batch: Any) -> int:
    if (x := _get(batch, "x_0")) is not None:
        return int(x.shape[0])
    if (matrix := _get(batch, "incidence_1")) is not None:
        return int(matrix.shape[0])
    raise ValueError("from_topobench: the batch has neither x_0 nor incidence_1")


class RowOrder:
    """Rows of the batch ↔ rows of the complex, per order: x_gsan = sign · x_batch[rows]."""

    def __init__(self, batch: Any, complex: SimplicialComplex, tables: list[np.ndarray]) -> None:
        self.to_complex: list[torch.Tensor | None] = [None]
        self.to_batch: list[torch.Tensor | None] = [None]
        self.signs: list[torch.Tensor | None] = [None]
        for k, table in enumerate(tables, start=1):
            rows = complex.find(table)
            back = np.empty_like(rows)
            back[rows] = np.arange(len(rows))
            self.to_batch.append(torch.from_numpy(rows))
            self.to_complex.append(torch.from_numpy(back))
            self.signs.append(self._relative_signs(batch, complex, k))

    def _relative_signs(self, batch: Any, complex: SimplicialComplex, k: int) -> torch.Tensor | None:
        """±1 per row of the batch where its incidence is signed and the orientation differs from ours; None: none does."""
        coo = _get(batch, f"incidence_{k}")
        coo = (coo if coo.layout == torch.sparse_coo else coo.to_sparse_coo()).coalesce().cpu()
        values = coo.values()
        if bool((values >= 0).all()):
            return None  # unsigned
        face_rows, columns = coo.indices()
        below = self.to_batch[k - 1]
        ours_face = face_rows if below is None else below[face_rows]
        rows = self.to_batch[k]
        assert rows is not None
        ours_column = rows[columns]
        faces = torch.from_numpy(np.array(complex.faces(k), dtype=np.int64))[ours_column]
        place = (faces == ours_face[:, None]).int().argmax(dim=1)
        ours = (1 - 2 * (place % 2)).to(values.dtype)
        signs_below = self.signs[k - 1]
        theirs = values if signs_below is None else values * signs_below[face_rows]
        ratio = theirs.sign() * ours
        sign = torch.zeros(coo.shape[1], dtype=values.dtype).index_add_(0, columns, ratio)
        if not bool((sign.abs() == k + 1).all()):
            raise ValueError(f"from_topobench: incidence_{k} is signed, but not as the boundary operator of an orientation")
        sign = sign.sign()
        return None if bool((sign == 1).all()) else sign

    def arranged(self, k: int, x: torch.Tensor) -> torch.Tensor:
        """Rows of the batch → rows of the complex."""
        rows = self.to_complex[k] if k < len(self.to_complex) else None
        if rows is None:
            return x
        sign = self.signs[k]
        signed = x if sign is None else x * sign.to(x.device, x.dtype).unsqueeze(-1)
        return signed[rows.to(x.device)]

    def restored(self, k: int, x: torch.Tensor) -> torch.Tensor:
        """Rows of the complex → rows of the batch."""
        rows = self.to_batch[k] if k < len(self.to_batch) else None
        if rows is None:
            return x
        sign = self.signs[k]
        moved = x[rows.to(x.device)]
        return moved if sign is None else moved * sign.to(x.device, x.dtype).unsqueeze(-1)


def _split(complex: SimplicialComplex, parts: torch.Tensor | None) -> list[SimplicialComplex]:
    """The complexes of the batch; vertices of one must stand side by side."""
    if parts is None:
        return [complex]
    numbers = parts.cpu().numpy()
    if len(numbers) != complex.count(0):
        raise ValueError(f"from_topobench: batch_0 must have one entry for each of the {complex.count(0)} vertices, "
                         f"got {len(numbers)}")
    if np.any(np.diff(numbers) < 0):
        raise ValueError("from_topobench: batch_0 must increase: the vertices of a complex stand side by side")
    count = int(numbers.max()) + 1 if len(numbers) else 1
    first = np.searchsorted(numbers, np.arange(count + 1))
    tables = [np.array(complex.simplices(k), dtype=np.int64) for k in range(complex.order + 1)]
    # Rows stand in lexicographic order, hence those of a complex side by side.
    begin = [np.searchsorted(numbers[table[:, 0]], np.arange(count + 1)) for table in tables]
    made = []
    for p in range(count):
        of_part = [table[start[p]:start[p + 1]] - first[p] for table, start in zip(tables, begin)]
        while of_part and len(of_part[-1]) == 0:
            of_part.pop()
        made.append(SimplicialComplex.from_sorted_tables(of_part))
    return made


def from_topobench(batch: Any) -> Batch:
    """A gsan Batch with the signals of a TopoBench batch in the rows of gsan; ``batch.row_order`` leads back."""
    tables = _vertex_tables(batch)
    complex = SimplicialComplex(tables, vertices=_counts(batch)) if tables else SimplicialComplex(vertices=_counts(batch))
    for k, table in enumerate(tables, start=1):
        below = _get(batch, f"incidence_{k}").shape[0]
        if below != complex.count(k - 1):
            raise ValueError(f"from_topobench: incidence_{k} must have {complex.count(k - 1)} rows (the {k - 1}-simplices), "
                             f"got {below}")
        if len(table) != complex.count(k):
            raise ValueError(f"from_topobench: incidence_{k} has {len(table)} columns, but only {complex.count(k)} of its "
                             f"{k}-simplices differ")
    order = RowOrder(batch, complex, tables)
    x: list[torch.Tensor | None] = []
    for k in range(complex.order + 1):
        value = _get(batch, f"x_{k}")
        if value is not None and value.shape[0] != complex.count(k):
            raise ValueError(f"from_topobench: x_{k} must have {complex.count(k)} rows (the {k}-simplices), "
                             f"got {list(value.shape)}")
        x.append(None if value is None else order.arranged(k, value))
    device = next((value.device for value in x if value is not None), torch.device("cpu"))
    made = Batch(_split(complex, _get(batch, "batch_0")), x, _get(batch, "y"), device=device)
    made.row_order = order  # type: ignore[attr-defined]
    return made


def to_topobench(batch: Batch) -> dict[str, torch.Tensor]:
    """x_k, batch_k, incidence_k, the Laplacians, and y, as a dictionary."""
    made: dict[str, Any] = {}
    for k in range(batch.operators.order() + 1):
        if batch.operators.count(k) == 0:
            continue
        made[f"x_{k}"] = getattr(batch, f"x_{k}")
        made[f"batch_{k}"] = getattr(batch, f"batch_{k}")
        if k > 0:
            made[f"incidence_{k}"] = getattr(batch, f"incidence_{k}")
            made[f"down_laplacian_{k}"] = getattr(batch, f"down_laplacian_{k}")
        made[f"up_laplacian_{k}"] = getattr(batch, f"up_laplacian_{k}")
        made[f"hodge_laplacian_{k}"] = getattr(batch, f"hodge_laplacian_{k}")
    made["y"] = batch.y
    return made


class TopoBenchBackbone(torch.nn.Module):
    """A gsan module as the backbone of a TopoBench model: ``forward(batch)`` gives the dictionary {"x_0": …, "labels": …,
    "batch_0": …} that TopoBench's wrappers and readouts take, with rows in the order of the batch.

    >>> import torch, gsan
    >>> backbone = gsan.adapters.TopoBenchBackbone(gsan.nn.GSAN(in_channels=2, hidden_channels=4))
    >>> ring = gsan.SimplicialComplex([[0, 1, 2]])
    >>> batch = {"x_0": torch.ones(3, 2), "x_1": torch.ones(3, 2), "x_2": torch.ones(1, 2),
    ...          "incidence_1": ring.incidence_matrix(1), "incidence_2": ring.incidence_matrix(2),
    ...          "batch_0": torch.zeros(3, dtype=torch.long), "y": torch.tensor([1])}
    >>> backbone(batch)["x_1"].shape
    torch.Size([3, 4])
    """

    def __init__(self, module: torch.nn.Module) -> None:
        super().__init__()
        self.module = module

    def forward(self, batch: Any) -> dict[str, Any]:
        made = from_topobench(batch)
        order: Any = self.module.order
        signals = [made.x[k] if k < len(made.x) else None for k in range(order + 1)]
        output = self.module(made, signals)
        result: dict[str, Any] = {"labels": made.y, "batch_0": _get(batch, "batch_0")}
        if isinstance(output, torch.Tensor):
            result["logits"] = output
            return result
        for k, value in enumerate(output):
            if value is not None:
                result[f"x_{k}"] = made.row_order.restored(k, value)  # type: ignore[attr-defined]
                if (numbers := _get(batch, f"batch_{k}")) is not None:
                    result[f"batch_{k}"] = numbers
        return result
