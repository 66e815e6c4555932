"""The simplicial layer."""
from __future__ import annotations

import os
from typing import Any

import torch

from .. import _core
from .._arrays import whole_number
from .._options import describe, to_map, to_values
from ..complex import SimplicialComplex
from ..spectra import HodgeSpectrum, LayerResponse, part_numbers, response_of
from ._bound import (BoundModule, Signals, attention_list, check_length, find_operators, outside_graphs,
                     signal_list)


def _option_lines() -> str:
    return "\n".join(f"    {name} = {text}{': ' + help if help else ''}" for name, text, help in _core.layer_options())


class SimplicialLayer(BoundModule):
    """One layer of the whole family: polynomials of a shift per order and side, and a harmonic term,

        Y_k = σ( Σ_sides Σ_p S^p Z_k W + Σ_sides Σ_p S^p Y_other W' + Q̂_k Z_k W_h (+ Z_k W_0 + b_k) ).

    Every option of the command is a keyword; nested ones are dictionaries. ``SimplicialLayer.preset("san", …)`` starts
    from a published architecture. ``out_channels`` counts one head; with ``head_mode="concat"`` (or ``concat=True``) the
    output has ``heads * out_channels`` features.

    >>> import torch, gsan
    >>> complex = gsan.SimplicialComplex([[0, 1, 2], [1, 2, 3]])
    >>> layer = gsan.nn.SimplicialLayer(in_channels=3, out_channels=4, heads=2, lower={"own": 1, "neighbor": 1})
    >>> y = layer(complex, [torch.randn(n, 3) for n in complex.shape])
    >>> [tuple(part.shape) for part in y]
    [(4, 8), (5, 8), (2, 8)]

    Options and their defaults:

"""

    def __init__(self, in_channels: int = 1, out_channels: int = 1, *, concat: bool | None = None, **options: Any) -> None:
        if concat is not None:
            options["head_mode"] = "concat" if concat else "mean"
        super().__init__(_core.Layer(to_map({"in_channels": in_channels, "out_channels": out_channels, **options})))
        self._read_options()

    def _read_options(self) -> None:
        #: The options of this layer, nested.
        self.options: dict[str, Any] = to_values(self._core_options)
        self.order: int = self.options["order"]
        self.active_orders: list[int] = self.options["orders"] or list(range(self.order + 1))

    def _make_core(self) -> Any:
        return _core.Layer(self._core_options)

    @classmethod
    def preset(cls, name: str, in_channels: int, out_channels: int, *, order: int = 2, signal_order: int = -1,
               length: int = 0, heads: int = 1, **options: Any) -> SimplicialLayer:
        """The layer of a published architecture; ``options`` replace what it sets.

        >>> import gsan
        >>> gsan.nn.SimplicialLayer.preset("scnn", 2, 2, length=2).active_orders
        [1]
        """
        texts = _core.preset_layer(name, in_channels, out_channels, order, signal_order, length, heads)
        return cls._from_texts({**texts, **to_map(options)})

    @classmethod
    def _from_texts(cls, texts: dict[str, str]) -> SimplicialLayer:
        made = cls.__new__(cls)
        BoundModule.__init__(made, _core.Layer(texts))
        made._read_options()
        return made

    @outside_graphs
    def forward(self, complex: Any, x: Signals | None = None, *, return_attention_weights: bool = False,
                dropout_seed: int | None = None, signal_keys: torch.Tensor | None = None,
                check_finite: bool = False) -> Any:
        """``complex``: a SimplicialComplex, or a Batch (whose signals and signal_keys are read where they are absent).

        ``x``: one tensor ``[..., N_k, in_channels]`` or None (zeros) per order; a dictionary {order: tensor}; or one tensor, for
        a layer of one order. Leading dimensions are many signals on one complex. The result has one tensor or None per
        order 0 … K (one tensor where one was given). With ``return_attention_weights`` it is (result, list of
        AttentionWeights)."""
        tensors = self._tensors()
        single = self.active_orders[0] if len(self.active_orders) == 1 else None
        is_of_batch = x is None
        if x is None:
            x = complex.x if hasattr(complex, "x") else None
            if x is None:
                raise TypeError("SimplicialLayer: signals are missing: call layer(complex, x)")
        if signal_keys is None:
            signal_keys = getattr(complex, "signal_keys", None)
        signals = signal_list(x, self.order, single, "SimplicialLayer")
        device = tensors[0].device if tensors else next((s.device for s in signals if s is not None), "cpu")
        operators = find_operators(complex, device)
        if not is_of_batch:
            check_length(x, self.order, operators, "SimplicialLayer")
        call = self._call_options(dropout_seed, signal_keys, return_attention_weights, False, check_finite)
        result, attention, _ = self._core.forward(tensors, operators, signals, call)
        output = result[single] if isinstance(x, torch.Tensor) else result
        return (output, attention_list(attention)) if return_attention_weights else output

    @torch.no_grad()
    def response(self, complex: SimplicialComplex, x: Signals, rank: int = 1,
                 spectrum: HodgeSpectrum | None = None) -> LayerResponse:
        """What the layer does to each frequency of L_rank (``gsan.LayerResponse``). ``x`` are the signals of one forward
        pass, without leading dimensions: attention is the one that they make. ``spectrum``: all eigenpairs by default;
        pass ``complex.spectrum(rank, count)`` for a large complex."""
        tensors = self._tensors()
        single = self.active_orders[0] if len(self.active_orders) == 1 else None
        signals = signal_list(x, self.order, single, "SimplicialLayer.response")
        found = spectrum if spectrum is not None else complex.spectrum(rank)
        operators = find_operators(complex, tensors[0].device if tensors else "cpu")
        return response_of(rank, found, self._core.response(tensors, operators, signals, rank, found.values, found.vectors,
                                                            part_numbers(found)))

    def cost(self, complex: SimplicialComplex, signals: int = 1) -> dict[str, float]:
        """Parameters, and of one forward pass on this complex: operations, bytes of structure and of activations."""
        if not isinstance(complex, SimplicialComplex):
            raise TypeError(f"cost: expected a gsan.SimplicialComplex, got {type(complex).__name__}")
        return _core.layer_cost(self._core_options, complex._complex, whole_number(signals, "cost: signals", 1))

    def save(self, path: str | os.PathLike) -> None:
        """Weights and options as one safetensors file."""
        tensors = self._named_tensors()
        _core.save_tensors(os.fspath(path), list(tensors), list(tensors.values()), _core.layer_kind, self._core_options)

    @classmethod
    def load(cls, path: str | os.PathLike, verify: bool = True) -> SimplicialLayer:
        """What save() wrote; verify=False skips the checksum, which takes a moment for huge files."""
        kind, options = _core.read_options(os.fspath(path))
        if kind != _core.layer_kind:
            raise ValueError(f"{os.fspath(path)}: expected the weights of a {_core.layer_kind}, got those of a {kind}; "
                             "gsan.nn.load reads both")
        layer = cls._from_texts(options)
        tensors = dict(_core.read_weights(os.fspath(path), verify))
        layer.to(next(iter(tensors.values())).dtype if tensors else torch.float32)
        layer.load_state_dict(tensors)
        return layer

    def extra_repr(self) -> str:
        defaults = {name: text for name, text, _ in _core.layer_options()}
        return describe(self._core_options, {**defaults, "in_channels": "", "out_channels": ""})


SimplicialLayer.__doc__ = (SimplicialLayer.__doc__ or "") + _option_lines()

