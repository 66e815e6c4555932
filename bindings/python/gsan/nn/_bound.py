"""nn.Modules whose tensors are those of a compiled module: one call of the core per forward pass."""
from __future__ import annotations

import copy
import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Union

import torch

from .. import _core
from .._arrays import whole_number
from .._recording import is_exporting, refuse_recording
from ..complex import SimplicialComplex

Signals = Union[torch.Tensor, Sequence[Union[torch.Tensor, None]], Mapping[int, torch.Tensor]]


def outside_graphs(forward: Callable) -> Callable:
    """torch.compile breaks its graph at a call of the core; whatever else would record the call is refused. The decorator
    is torch's own lazy one: unlike torch.compiler.disable it does not load the compiler for those who never compile."""
    eager = torch._disable_dynamo(forward)

    @functools.wraps(forward)
    def call(self: Any, *arguments: Any, **options: Any) -> Any:
        if torch.compiler.is_compiling() and not is_exporting():
            return eager(self, *arguments, **options)
        refuse_recording(type(self).__name__)
        return forward(self, *arguments, **options)

    return call


class TensorGroup(torch.nn.Module):
    """Holds tensors under a dotted name, e.g. ``backbone.layer_0``; has no computation of its own."""


@dataclass(frozen=True)
class AttentionWeights:
    """α of one operator: pair e goes from ``sources[e]`` to ``receivers[e]`` with ``weights[..., e, head]``; over the
    pairs of one receiver they sum to 1. ``use`` is "own" (the order's own signal) or "neighbor" (what the neighbouring
    order sends)."""
    order: int
    side: str
    use: str
    receivers: torch.Tensor
    sources: torch.Tensor
    weights: torch.Tensor

    @property
    def edge_index(self) -> torch.Tensor:
        """``[2, E]`` int64, (source, receiver)."""
        return torch.stack([self.sources, self.receivers]).long()


def attention_list(entries: list[tuple]) -> list[AttentionWeights]:
    return [AttentionWeights(*entry) for entry in entries]


def find_operators(where: Any, device: torch.device | str) -> _core.Operators:
    if isinstance(where, SimplicialComplex):
        return where.operators(device)
    if isinstance(where, _core.Operators):
        return where
    operators = getattr(where, "operators", None)  # of a Batch
    if isinstance(operators, _core.Operators):
        return operators
    raise TypeError("the first argument must be a gsan.SimplicialComplex or a gsan.data.Batch, "
                    f"got {type(where).__name__}")


def signal_list(x: Any, order: int, single: int | None, who: str) -> list[torch.Tensor | None]:
    """One entry per order 0 … K from a list, a dictionary {order: tensor}, or a tensor for the only order."""
    if isinstance(x, torch.Tensor):
        if single is None:
            raise TypeError(f"{who} reads several orders: pass one tensor (or None) per order 0 ... {order}, "
                            f"got one tensor of shape {list(x.shape)}")
        signals: list[torch.Tensor | None] = [None] * (order + 1)
        signals[single] = x
        return signals
    if isinstance(x, Mapping):
        signals = [None] * (order + 1)
        for k, value in x.items():
            if not isinstance(k, int) or not 0 <= k <= order:
                raise ValueError(f"{who}: signals belong to the orders 0 ... {order}, got the key {k!r}")
            signals[k] = value
    elif isinstance(x, Sequence):
        signals = list(x)
    else:
        raise TypeError(f"{who}: signals must be a list of tensors, a dictionary or a tensor, got {type(x).__name__}")
    for k, value in enumerate(signals):
        if value is not None and not isinstance(value, torch.Tensor):
            raise TypeError(f"{who}: the signal of order {k} must be a torch.Tensor or None, got {type(value).__name__}")
    return signals


def check_length(x: Any, order: int, operators: _core.Operators, who: str) -> None:
    """A list has one entry per order of the module or of the complex."""
    if not isinstance(x, Sequence) or len(x) in (order + 1, operators.order() + 1):
        return
    raise ValueError(f"{who}: expected a list of {order + 1} signals (or None), one per order 0 ... {order}, "
                     f"got a list of {len(x)}; the complex has order {operators.order()}")


def check_presence(signals: Sequence[torch.Tensor | None], widths: Sequence[int], operators: _core.Operators,
                   who: str) -> None:
    """An order with simplices for which the module was told to expect features must have a signal."""
    for k, width in enumerate(widths):
        count = operators.count(k)
        if width > 0 and count > 0 and (k >= len(signals) or signals[k] is None):
            raise ValueError(f"{who}: in_channels = {list(widths)} asks for a signal [..., {count}, {width}] of order {k}, "
                             f"got none; pass one, or make the model with 0 channels for order {k}")


class BoundModule(torch.nn.Module):
    """Parameters and buffers stand under the names of the command's safetensors files."""

    _core: Any

    def __init__(self, core: Any) -> None:
        super().__init__()
        self._core_options: dict[str, str] = core.options()
        tensors = core.tensors()
        names = core.parameter_names()
        for name, tensor in zip(names, tensors):
            tensor.__class__ = torch.nn.Parameter  # the very tensor of the core
            group, leaf = self._group(name)
            group.register_parameter(leaf, tensor)
        for name, tensor in zip(core.buffer_names(), tensors[len(names):]):
            group, leaf = self._group(name)
            group.register_buffer(leaf, tensor)
        self._bind(core)
        if (device := torch.get_default_device()).type != "cpu":  # set_default_device(), with torch.device(…)
            self.to(device)

    def _group(self, name: str) -> tuple[torch.nn.Module, str]:
        *path, leaf = name.split(".")
        group: torch.nn.Module = self
        for part in path:
            if part not in group._modules:
                group.add_module(part, TensorGroup())
            group = group._modules[part]  # type: ignore[assignment]
        return group, leaf

    def _bind(self, core: Any) -> None:
        self._core = core
        # By the name of the dictionary: torch.export puts others in its place for a while.
        self._places: list[tuple[str, torch.nn.Module, str]] = [
            ("_parameters", group, leaf) for group, leaf in map(self._group, core.parameter_names())]
        self._places += [("_buffers", group, leaf) for group, leaf in map(self._group, core.buffer_names())]

    def _make_core(self) -> Any:
        raise NotImplementedError

    def _tensors(self) -> list[torch.Tensor]:
        try:
            return [group.__dict__[kind][leaf] for kind, group, leaf in self._places]
        except KeyError:  # a parametrisation computes it
            return [getattr(group, leaf) for _, group, leaf in self._places]

    def _named_tensors(self) -> dict[str, torch.Tensor]:
        """Under the names of the files, also where a parametrisation computes some."""
        return dict(zip(self._core.parameter_names() + self._core.buffer_names(), self._tensors()))

    def __deepcopy__(self, memo: dict) -> Any:
        made = self.__new__(type(self))
        memo[id(self)] = made
        made.__setstate__(copy.deepcopy(BoundModule.__getstate__(self), memo))
        return made

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        del state["_core"], state["_places"]
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        with torch.random.fork_rng(devices=[]):  # first values that are never used
            core = self._make_core()
        self._bind(core)

    def _replicate_for_data_parallel(self) -> Any:
        replica = super()._replicate_for_data_parallel()
        raise TypeError(f"{type(replica).__name__} does not run under DataParallel; use DistributedDataParallel, "
                        "one process per device")

    @property
    def parameter_count(self) -> int:
        return sum(parameter.numel() for parameter in self.parameters())

    def _call_options(self, dropout_seed: int | None, signal_keys: torch.Tensor | None, return_attention_weights: bool,
                      recompute: bool, check_finite: bool) -> _core.CallOptions:
        if dropout_seed is not None:
            dropout_seed = whole_number(dropout_seed, "dropout_seed", 0)
        if signal_keys is not None and (not isinstance(signal_keys, torch.Tensor) or signal_keys.is_floating_point()):
            raise TypeError("signal_keys must be a tensor of integers, one per signal, got "
                            f"{getattr(signal_keys, 'dtype', type(signal_keys).__name__)}")
        return _core.CallOptions(self.training, dropout_seed, signal_keys, return_attention_weights, recompute,
                                 check_finite)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.extra_repr()})"
