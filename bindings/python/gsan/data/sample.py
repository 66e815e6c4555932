"""A complex with signals and a target."""
from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from .._arrays import whole_number
from ..complex import SimplicialComplex

attribute = re.compile(r"(x|batch|incidence|up_laplacian|down_laplacian|hodge_laplacian)_(\d+)$")


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
            match = attribute.match(name)
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
        if key is not None and (key := whole_number(key, "Sample: key", 0)) >= 2**31:
            raise ValueError(f"Sample: key must lie in 0 ... {2**31 - 1}, got {key}")
        self.key = key

    def __getattr__(self, name: str) -> Any:
        match = attribute.match(name)
        if match and match[1] == "x":
            k = int(match[2])
            return self.x[k] if k < len(self.x) else None
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __repr__(self) -> str:
        signals = "".join(f", x_{k}={list(value.shape)}" for k, value in enumerate(self.x) if value is not None)
        target = "" if self.y is None else f", y={list(self.y.shape) if isinstance(self.y, torch.Tensor) else self.y}"
        return f"Sample(shape={self.complex.shape}{signals}{target})"


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
