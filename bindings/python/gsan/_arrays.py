"""What comes in as an array: numpy, torch or nested lists."""
from __future__ import annotations

from typing import Any

import numpy as np
import torch


def integer_array(values: Any, who: str) -> np.ndarray:
    """An integer array of numpy; other types are an error that names them."""
    if isinstance(values, torch.Tensor):
        values = values.detach().cpu().numpy()
    array = np.asarray(values)
    if array.size == 0:
        return array.astype(np.int64)
    if array.dtype.kind not in "iu":
        raise TypeError(f"{who} must hold integers, got {array.dtype} of shape {list(array.shape)}")
    return array


def number_array(values: Any, who: str) -> np.ndarray:
    if isinstance(values, torch.Tensor):
        values = values.detach().cpu().numpy()
    array = np.asarray(values)
    if array.dtype.kind not in "iuf":
        raise TypeError(f"{who} must hold numbers, got {array.dtype} of shape {list(array.shape)}")
    return array


def is_array(value: Any) -> bool:
    return isinstance(value, (np.ndarray, torch.Tensor))
