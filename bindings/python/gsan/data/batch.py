"""Many complexes with signals as one."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from .. import _core
from .._arrays import whole_number
from ..complex import MAX_MEMORY, SimplicialComplex
from .sample import Sample, attribute


class Batch:
    """Complexes side by side: one disjoint union with the signals of its parts one after the other.

    ``x_0, x_1, …``: signals; ``batch_0, batch_1, …``: the number of the complex of each row; ``incidence_1, …`` and the
    Laplacians: sparse matrices, made when asked for; ``y``: targets, of which part i has ``y_counts[i]`` rows (None: one
    entry each). ``tuples`` and ``signal_keys`` are passed on to the model. A model is called as ``model(batch)``.

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
                 keys: Sequence[int] = (), device: Any = "cpu", max_memory: int = MAX_MEMORY,
                 y_counts: Sequence[int] | None = None, tuples: torch.Tensor | None = None,
                 signal_keys: torch.Tensor | None = None) -> None:
        self.parts = list(parts)
        for part in self.parts:
            if not isinstance(part, SimplicialComplex):
                raise TypeError(f"Batch: parts must be gsan.SimplicialComplex, got {type(part).__name__}")
        self.keys = list(keys)
        self.x = list(x)
        self.y = y
        self.y_counts = None if y_counts is None else list(y_counts)
        self.tuples = tuples
        self.signal_keys = signal_keys
        self._max_memory = max_memory
        self._complex: SimplicialComplex | None = None
        self.operators = _core.Operators.joined([part.operators() for part in self.parts], torch.device(device),
                                                max_memory, self.keys)
        for k, value in enumerate(self.x):
            if value is None:
                continue
            if not isinstance(value, torch.Tensor):
                raise TypeError(f"Batch: x_{k} must be a torch.Tensor, got {type(value).__name__}")
            if value.dim() < 2 or value.shape[-2] != self.operators.count(k):
                raise ValueError(f"Batch: x_{k} must have {self.operators.count(k)} rows (the {k}-simplices of all parts), "
                                 f"got {list(value.shape)}")

    def __getattr__(self, name: str) -> Any:
        match = attribute.match(name)
        if not match or "operators" not in self.__dict__:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        kind, k = match[1], int(match[2])
        if kind == "x":
            return self.x[k] if k < len(self.x) else None
        if kind == "batch":
            return self.operators.part_of_rows(k)
        most = self.operators.order() + (kind == "incidence")
        if k > most:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}: {kind}_0 ... {kind}_{most}")
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
        i = whole_number(i, "Batch: the number of a part")
        if not -len(self) <= i < len(self):
            raise IndexError(f"Batch: part {i} of {len(self)}")
        i %= len(self)
        x = []
        for k, value in enumerate(self.x):
            offsets = self.operators.part_offsets(k)
            x.append(None if value is None else value[int(offsets[i]):int(offsets[i + 1])])
        y = self.y
        if self.y_counts is not None:
            first = sum(self.y_counts[:i])
            y = y[first:first + self.y_counts[i]]
        elif isinstance(y, (torch.Tensor, list)) and len(y) == len(self):
            y = y[i]
        return Sample(self.parts[i], x, y=y, key=self.keys[i] if self.keys else None)

    def to(self, device: Any = None, dtype: torch.dtype | None = None, non_blocking: bool = False) -> Batch:
        """Structure and tensors on another device; ``dtype`` is that of the signals."""
        if isinstance(device, torch.dtype):
            device, dtype = None, device
        device = self.device if device is None else torch.device(device)

        def there(value: Any, dtype: torch.dtype | None = None) -> Any:
            if not isinstance(value, torch.Tensor):
                return value
            return value.to(device=device, dtype=dtype, non_blocking=non_blocking)

        return Batch(self.parts, [there(value, dtype) for value in self.x], there(self.y), keys=self.keys, device=device,
                     max_memory=self._max_memory, y_counts=self.y_counts, tuples=there(self.tuples),
                     signal_keys=there(self.signal_keys))

    def pin_memory(self) -> Batch:
        self.x = [None if value is None else value.pin_memory() for value in self.x]
        if isinstance(self.y, torch.Tensor):
            self.y = self.y.pin_memory()
        return self

    def __reduce__(self) -> tuple:
        return _unpickle_batch, (self.parts, self.x, self.y,
                                 {"keys": self.keys, "device": str(self.device), "max_memory": self._max_memory,
                                  "y_counts": self.y_counts, "tuples": self.tuples, "signal_keys": self.signal_keys})

    def __repr__(self) -> str:
        signals = "".join(f", x_{k}={list(value.shape)}" for k, value in enumerate(self.x) if value is not None)
        target = "" if self.y is None else f", y={list(self.y.shape) if isinstance(self.y, torch.Tensor) else self.y}"
        shape = tuple(self.operators.count(k) for k in range(self.operators.order() + 1))
        return f"Batch(complexes={len(self)}, shape={shape}{signals}{target})"


def _unpickle_batch(parts: list, x: list, y: Any, more: dict[str, Any]) -> Batch:
    return Batch(parts, x, y, **more)
