"""PyG graphs: lifted to complexes, and complexes as Data with x_0, x_1, …"""
from __future__ import annotations

from typing import Any, Literal

import numpy as np
import torch

from ..complex import SimplicialComplex
from ..data import Batch, Sample, collate, mean_of_faces


def _mean_to_edges(complex: SimplicialComplex, edge_index: torch.Tensor, edge_attr: torch.Tensor) -> torch.Tensor:
    """Features of directed edges → one row per 1-simplex: the mean over the rows that name it."""
    ends = edge_index.cpu().numpy().T
    is_edge = ends[:, 0] != ends[:, 1]
    kept = torch.from_numpy(is_edge).to(edge_attr.device)
    rows = torch.from_numpy(complex.find(ends[is_edge])).to(edge_attr.device)
    values = edge_attr[kept].to(torch.get_default_dtype() if not edge_attr.is_floating_point() else edge_attr.dtype)
    values = values.unsqueeze(-1) if values.dim() == 1 else values
    sums = values.new_zeros(complex.count(1), values.shape[1]).index_add_(0, rows, values)
    return sums / torch.bincount(rows, minlength=complex.count(1)).clamp(min=1).unsqueeze(-1)


def from_pyg(data: Any, max_rank: int = 2, *, fill: Literal["none", "mean"] = "none", key: int | None = None) -> Sample:
    """The clique complex of a ``torch_geometric.data.Data``: x_0 = x, x_1 = edge_attr (the mean over both directions),
    higher orders none; y = y. ``fill="mean"``: orders without features get the mean over their faces, as in the command's
    TU collections. Self loops are left out. A Data that to_pyg made becomes what it was."""
    if fill not in ("none", "mean"):
        raise ValueError(f"from_pyg: fill must be 'none' or 'mean', got {fill!r}")
    if not hasattr(data, "edge_index"):
        raise TypeError(f"from_pyg: expected a torch_geometric.data.Data with edge_index, got {type(data).__name__}")
    names = list(data.keys()) if callable(data.keys) else list(data.keys)
    if "gsan_simplices_0" in names:
        complex = SimplicialComplex.from_sorted_tables(
            [data[f"gsan_simplices_{k}"] for k in range(sum(n.startswith("gsan_simplices_") for n in names))])
        stored = [data[f"x_{k}"] if f"x_{k}" in names else None for k in range(complex.order + 1)]
        return Sample(complex, stored, y=data["y"] if "y" in names else None, key=key)
    complex = SimplicialComplex.from_edge_index(data.edge_index, data.num_nodes, max_rank, skip_loops=True)
    x: list[torch.Tensor | None] = [data.x if "x" in names else None]
    if "edge_attr" in names and data.edge_attr is not None and complex.order >= 1:
        x.append(_mean_to_edges(complex, data.edge_index, data.edge_attr))
    for k in range(len(x), max_rank + 1 if fill == "mean" else 0):
        x.append(mean_of_faces(complex, k, x[k - 1]))
    return Sample(complex, x, y=data.y if "y" in names else None, key=key)


def from_pyg_batch(batch: Any, max_rank: int = 2, *, fill: Literal["none", "mean"] = "none") -> Batch:
    """A ``torch_geometric.data.Batch``, graph by graph."""
    if not hasattr(batch, "to_data_list"):
        raise TypeError(f"from_pyg_batch: expected a torch_geometric.data.Batch, got {type(batch).__name__}")
    return collate([from_pyg(data, max_rank, fill=fill, key=number) for number, data in enumerate(batch.to_data_list())])


def to_pyg(sample: Sample) -> Any:
    """A Data with x = x_0, the edges in both directions, and x_1, x_2, … beside; from_pyg gives the sample back."""
    from torch_geometric.data import Data
    complex = sample.complex
    edges = torch.from_numpy(np.array(complex.simplices(1), dtype=np.int64)).reshape(-1, 2).T
    data = Data(x=sample.x_0, edge_index=torch.cat([edges, edges.flip(0)], dim=1), num_nodes=complex.count(0))
    for k, value in enumerate(sample.x):
        if value is not None:
            data[f"x_{k}"] = value
    if sample.x_1 is not None:
        data.edge_attr = torch.cat([sample.x_1, sample.x_1])
    for k in range(complex.order + 1):
        data[f"gsan_simplices_{k}"] = torch.from_numpy(np.array(complex.simplices(k), dtype=np.int64))
    if sample.y is not None:
        data.y = sample.y if isinstance(sample.y, torch.Tensor) else torch.tensor([sample.y])
    return data


def to_pyg_batch(batch: Batch) -> Any:
    """A ``torch_geometric.data.Batch`` of its parts."""
    from torch_geometric.data import Batch as PygBatch
    return PygBatch.from_data_list([to_pyg(batch[i]) for i in range(len(batch))])
