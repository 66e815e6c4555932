"""What comes in as a number or an array: numpy, torch or nested lists."""
from __future__ import annotations

import operator
from typing import Any

import numpy as np
import torch


def whole_number(value: Any, who: str, least: int | None = None) -> int:
    """An int from anything that stands for one, 1e9 included; else an error with the value."""
    try:
        number = int(value) if isinstance(value, float) and value.is_integer() else operator.index(value)
    except TypeError:
        raise TypeError(f"{who} must be a whole number, got {value!r}") from None
    if least is not None and number < least:
        raise ValueError(f"{who} must be at least {least}, got {number}")
    return number


def _array(values: Any, who: str) -> np.ndarray:
    if isinstance(values, torch.Tensor):
        values = values.detach().cpu().numpy()
    try:
        return np.asarray(values)
    except ValueError as error:
        raise ValueError(f"{who} must be an array with rows of one length: {error}") from None


def integer_array(values: Any, who: str) -> np.ndarray:
    """An integer array of numpy; other types are an error that names them."""
    array = _array(values, who)
    if array.size == 0:
        return array.astype(np.int64)
    if array.dtype.kind not in "iu":
        raise TypeError(f"{who} must hold integers, got {array.dtype} of shape {list(array.shape)}")
    if array.dtype == np.uint64 and array.max() > np.iinfo(np.int64).max:
        raise ValueError(f"{who} must fit into 64 bits with a sign, got {array.max()}")
    return array


def number_array(values: Any, who: str) -> np.ndarray:
    array = _array(values, who)
    if array.dtype.kind not in "iuf":
        raise TypeError(f"{who} must hold numbers, got {array.dtype} of shape {list(array.shape)}")
    return array


def signal_tensor(x: Any, who: str) -> torch.Tensor:
    """A tensor as it is, an array of numpy as a tensor on the same memory."""
    if isinstance(x, torch.Tensor):
        return x
    if isinstance(x, np.ndarray):
        return torch.from_numpy(x)
    raise TypeError(f"{who} must be a torch.Tensor or a numpy array, got {type(x).__name__}")


def is_array(value: Any) -> bool:
    return isinstance(value, (np.ndarray, torch.Tensor))
