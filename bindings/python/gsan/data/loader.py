"""From samples to a batch, and the loader that does it."""
from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch
import torch.utils.data

from .batch import Batch
from .sample import Sample


def _join_targets(targets: list) -> tuple[torch.Tensor | None, list[int] | None]:
    """All targets in one tensor, and how many rows each has (None where they are single numbers)."""
    if any(target is None for target in targets):
        if not all(target is None for target in targets):
            raise ValueError("collate: some samples have a target y and some have none")
        return None, None
    try:
        tensors = [torch.as_tensor(target) for target in targets]
    except (TypeError, ValueError, RuntimeError) as error:
        raise TypeError(f"collate: y must be numbers or tensors: {error}") from None
    shapes = {tuple(tensor.shape[1:]) if tensor.dim() else None for tensor in tensors}
    if len(shapes) > 1:
        raise ValueError("collate: all y must be numbers, or tensors that differ in their first size alone, got the shapes "
                         f"{[list(tensor.shape) for tensor in tensors]}")
    if None in shapes:
        return torch.stack(tensors), None
    return torch.cat(tensors), [len(tensor) for tensor in tensors]


def collate(samples: Iterable[Sample], device: Any = "cpu") -> Batch:
    """A Batch of samples: the collate_fn of a DataLoader. Parts may have different orders; a signal that one sample has
    and another lacks is an error (an order without simplices needs none). Targets that are numbers make a vector; tensors
    and lists are joined along their first dimension, as in PyG."""
    samples = list(samples)
    for sample in samples:
        if not isinstance(sample, Sample):
            raise TypeError(f"collate: expected gsan.data.Sample, got {type(sample).__name__}")
    x: list[torch.Tensor | None] = []
    for k in range(max((len(sample.x) for sample in samples), default=0)):
        values = [sample.x[k] if k < len(sample.x) else None for sample in samples]
        known = [value for value in values if value is not None]
        if not known:
            x.append(None)
            continue
        for number, (sample, value) in enumerate(zip(samples, values)):
            if value is None and sample.complex.count(k) > 0:
                raise ValueError(f"collate: sample {number} has no x_{k} for its {sample.complex.count(k)} simplices, "
                                 "but others have one")
            if value is not None and value.shape[1] != known[0].shape[1]:
                raise ValueError(f"collate: x_{k} has {known[0].shape[1]} features in one sample and {value.shape[1]} in "
                                 f"sample {number}")
        x.append(torch.cat(known).to(device))
    y, y_counts = _join_targets([sample.y for sample in samples]) if samples else (None, None)
    keys = [sample.key for sample in samples if sample.key is not None]
    return Batch([sample.complex for sample in samples], x, None if y is None else y.to(device),
                 keys=keys if len(keys) == len(samples) else (), device=device, y_counts=y_counts)


def _collate_by_default(samples: list[Sample], *, collate_fn_map: Any = None) -> Batch:
    return collate(samples)


# torch's own DataLoader finds it without a collate_fn.
torch.utils.data._utils.collate.default_collate_fn_map[Sample] = _collate_by_default


class DataLoader(torch.utils.data.DataLoader):
    """torch's DataLoader with ``collate``.

    >>> import torch, gsan
    >>> edge = gsan.SimplicialComplex([[0, 1]])
    >>> samples = [gsan.data.Sample(edge, x_1=torch.randn(1, 3), y=i % 2) for i in range(5)]
    >>> [len(batch) for batch in gsan.data.DataLoader(samples, batch_size=2)]
    [2, 2, 1]
    """

    def __init__(self, dataset: Any, batch_size: int = 1, shuffle: bool = False, **arguments: Any) -> None:
        arguments.setdefault("collate_fn", collate)
        super().__init__(dataset, batch_size=batch_size, shuffle=shuffle, **arguments)
