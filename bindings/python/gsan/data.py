"""Many complexes with signals as one batch."""
from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import torch
import torch.utils.data

from . import _core
from .complex import MAX_MEMORY, SimplicialComplex

_attribute = re.compile(r"(x|batch|incidence|up_laplacian|down_laplacian|hodge_laplacian)_(\d+)$")


class Sample:
    """A complex with signals ``x_0, x_1, …`` (``[N_k, F_k]``, or None) and a target ``y``.

    ``key`` tells samples apart in dropout masks, e.g. the number in a dataset: a complex then draws the same mask in any
    batch.

    >>> import torch, gsan
    >>> triangle = gsan.SimplicialComplex([[0, 1, 2]])
    >>> sample = gsan.data.Sample(triangle, x_0=torch.ones(3, 2), y=1)
    >>> sample
    Sample(shape=(3, 3, 1), x_0=[3, 2], y=1)
    """

    def __init__(self, complex: SimplicialComplex, x: Sequence[torch.Tensor | None] | None = None, *, y: Any = None,
                 key: int | None = None, **signals: torch.Tensor) -> None:
        if not isinstance(complex, SimplicialComplex):
            raise TypeError(f"Sample: complex must be a gsan.SimplicialComplex, got {type(complex).__name__}")
        self.complex = complex
        self.x: list[torch.Tensor | None] = list(x) if x is not None else []
        for name, signal in signals.items():
            match = _attribute.match(name)
            if not match or match[1] != "x":
                raise TypeError(f"Sample: signals are called x_0, x_1, ..., got {name!r}")
            k = int(match[2])
            self.x += [None] * (k + 1 - len(self.x))
            self.x[k] = signal
        for k, value in enumerate(self.x):
            if value is None:
                continue
            if not isinstance(value, torch.Tensor):
                raise TypeError(f"Sample: x_{k} must be a torch.Tensor, got {type(value).__name__}")
            if value.dim() != 2 or value.shape[0] != complex.count(k):
                raise ValueError(f"Sample: x_{k} must have the shape [{complex.count(k)}, features] (the {k}-simplices), "
                                 f"got {list(value.shape)}")
        self.y = y
        self.key = key

    def __getattr__(self, name: str) -> Any:
        match = _attribute.match(name)
        if match and match[1] == "x":
            k = int(match[2])
            return self.x[k] if k < len(self.x) else None
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __repr__(self) -> str:
        signals = "".join(f", x_{k}={list(value.shape)}" for k, value in enumerate(self.x) if value is not None)
        target = "" if self.y is None else f", y={list(self.y.shape) if isinstance(self.y, torch.Tensor) else self.y}"
        return f"Sample(shape={self.complex.shape}{signals}{target})"


class Batch:
    """Complexes side by side: one disjoint union with the signals of its parts one after the other.

    ``x_0, x_1, …``: signals; ``batch_0, batch_1, …``: the number of the complex of each row; ``incidence_1, …`` and the
    Laplacians: sparse matrices, made when asked for; ``y``: targets. A model is called as ``model(batch)``.

    >>> import torch, gsan
    >>> triangle, edge = gsan.SimplicialComplex([[0, 1, 2]]), gsan.SimplicialComplex([[0, 1]])
    >>> batch = gsan.data.collate([gsan.data.Sample(triangle, x_0=torch.ones(3, 2), y=0),
    ...                            gsan.data.Sample(edge, x_0=torch.ones(2, 2), y=1)])
    >>> batch
    Batch(complexes=2, shape=(5, 4, 1), x_0=[5, 2], y=[2])
    >>> batch.batch_0.tolist(), batch.y.tolist()
    ([0, 0, 0, 1, 1], [0, 1])
    >>> gsan.nn.GSAN(in_channels=[2, 0, 0], out_channels=2, readout="pooled")(batch).shape
    torch.Size([2, 2])
    """

    def __init__(self, parts: Sequence[SimplicialComplex], x: Sequence[torch.Tensor | None], y: Any = None, *,
                 keys: Sequence[int] = (), device: Any = "cpu", max_memory: int = MAX_MEMORY) -> None:
        self.parts = list(parts)
        self.keys = list(keys)
        self.x = list(x)
        self.y = y
        self.tuples: torch.Tensor | None = None
        self.signal_keys: torch.Tensor | None = None
        self._max_memory = max_memory
        self._complex: SimplicialComplex | None = None
        self.operators = _core.Operators.joined([part.operators() for part in self.parts], torch.device(device),
                                                max_memory, self.keys)
        for k, value in enumerate(self.x):
            if value is not None and value.shape[-2] != self.operators.count(k):
                raise ValueError(f"Batch: x_{k} must have {self.operators.count(k)} rows (the {k}-simplices of all parts), "
                                 f"got {list(value.shape)}")

    def __getattr__(self, name: str) -> Any:
        match = _attribute.match(name)
        if not match or "operators" not in self.__dict__:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        kind, k = match[1], int(match[2])
        if kind == "x":
            return self.x[k] if k < len(self.x) else None
        if kind == "batch":
            return self.operators.part_of_rows(k)
        return getattr(self.complex, f"{kind}_matrix")(k, device=self.device)

    @property
    def complex(self) -> SimplicialComplex:
        """The disjoint union."""
        if self._complex is None:
            self._complex = SimplicialComplex._from_core(self.operators.complex(), self._max_memory)
        return self._complex

    @property
    def device(self) -> torch.device:
        return self.operators.device()

    @property
    def num_complexes(self) -> int:
        return len(self.parts)

    num_graphs = num_complexes

    def __len__(self) -> int:
        return len(self.parts)

    def __getitem__(self, i: int) -> Sample:
        """Part i again."""
        if not -len(self) <= i < len(self):
            raise IndexError(f"Batch: part {i} of {len(self)}")
        i %= len(self)
        x = []
        for k, value in enumerate(self.x):
            offsets = self.operators.part_offsets(k)
            x.append(None if value is None else value[int(offsets[i]):int(offsets[i + 1])])
        y = self.y[i] if isinstance(self.y, (torch.Tensor, list)) and len(self.y) == len(self) else self.y
        return Sample(self.parts[i], x, y=y, key=self.keys[i] if self.keys else None)

    def to(self, device: Any = None, dtype: torch.dtype | None = None, non_blocking: bool = False) -> Batch:
        """Structure and tensors on another device; ``dtype`` is that of the signals."""
        if isinstance(device, torch.dtype):
            device, dtype = None, device
        device = self.device if device is None else torch.device(device)
        x = [None if value is None else value.to(device=device, dtype=dtype, non_blocking=non_blocking)
             for value in self.x]
        y = self.y.to(device, non_blocking=non_blocking) if isinstance(self.y, torch.Tensor) else self.y
        return Batch(self.parts, x, y, keys=self.keys, device=device, max_memory=self._max_memory)

    def pin_memory(self) -> Batch:
        self.x = [None if value is None else value.pin_memory() for value in self.x]
        if isinstance(self.y, torch.Tensor):
            self.y = self.y.pin_memory()
        return self

    def __reduce__(self) -> tuple:
        return _unpickle_batch, (self.parts, [None if v is None else v.cpu() for v in self.x],
                                 self.y, self.keys, self._max_memory)

    def __repr__(self) -> str:
        signals = "".join(f", x_{k}={list(value.shape)}" for k, value in enumerate(self.x) if value is not None)
        target = "" if self.y is None else f", y={list(self.y.shape) if isinstance(self.y, torch.Tensor) else self.y}"
        shape = tuple(self.operators.count(k) for k in range(self.operators.order() + 1))
        return f"Batch(complexes={len(self)}, shape={shape}{signals}{target})"


def _unpickle_batch(parts: list, x: list, y: Any, keys: list, max_memory: int) -> Batch:
    return Batch(parts, x, y, keys=keys, max_memory=max_memory)


def _join_targets(targets: list) -> Any:
    if any(target is None for target in targets):
        if not all(target is None for target in targets):
            raise ValueError("collate: some samples have a target y and some have none")
        return None
    if isinstance(targets[0], torch.Tensor):
        return torch.stack(targets) if targets[0].dim() == 0 else torch.cat(targets)
    return torch.tensor(targets)


def collate(samples: Iterable[Sample], device: Any = "cpu") -> Batch:
    """A Batch of samples: the collate_fn of a DataLoader. Parts may have different orders; a signal that one sample has
    and another lacks is an error (an order without simplices needs none)."""
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
    y = _join_targets([sample.y for sample in samples]) if samples else None
    keys = [sample.key for sample in samples if sample.key is not None]
    return Batch([sample.complex for sample in samples], x, y.to(device) if isinstance(y, torch.Tensor) else y,
                 keys=keys if len(keys) == len(samples) else (), device=device)


def mean_of_faces(complex: SimplicialComplex, rank: int, below: torch.Tensor | None) -> torch.Tensor | None:
    """What simplices of an order carry where the data give nothing: the mean over their faces of ``below``
    ``[N_{rank-1}, F]``; None of None.

    >>> import torch, gsan
    >>> gsan.data.mean_of_faces(gsan.SimplicialComplex([[0, 1], [1, 2]]), 1, torch.tensor([[1.0], [3.0], [4.0]])).tolist()
    [[2.0], [3.5]]
    """
    if below is None:
        return None
    if complex.count(rank) == 0:
        return below.new_zeros(0, below.shape[1])
    faces = torch.from_numpy(np.array(complex.faces(rank), dtype=np.int64)).to(below.device)
    return below[faces].mean(1)


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


__all__ = ["Batch", "DataLoader", "Sample", "collate", "mean_of_faces"]
