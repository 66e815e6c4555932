"""Whole models: input maps, layers and a readout."""
from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import torch

from .. import _core
from .._arrays import whole_number
from .._options import to_map, to_values
from ..complex import SimplicialComplex
from ..spectra import HodgeSpectrum, LayerResponse, part_numbers, response_of
from ._bound import (BoundModule, Signals, attention_list, check_length, check_presence, find_operators,
                     outside_graphs, signal_list)

#: Options of a readout that say what the model must fit, and how many numbers it gives by default.
_shape_options = ("order", "tuple_size", "simplices")
_usual_outputs = {"pooled": 2, "flattened": 2, "simplex": 1, "tuple": 1}


class Model(BoundModule):
    """A model of the family with everything that it takes to use it: per-order input maps where widths differ, layers,
    and a readout. The subclasses (GSAN, SAN, SCCNN, …) are published architectures; all take these arguments:

    in_channels: features of the input, one number for every order or a list with one per order 0 … K (0: none)
    hidden_channels, n_layers: of the layers, all heads together
    out_channels: of the readout; without readout, of the last layer, which then is the output: linear, with the mean over
        its heads (activate_last=True and mean_last_heads=False make it a layer like the others)
    order: K, the largest order of the complexes (2; the length of the list where in_channels is one)
    signal_order: the order that a model of one order works on; -1: that of the publication
    length: of the filter (J of the Dirac models, else the highest power); 0: that of the publication
    readout: "none" (signals per order), "pooled" (a vector per complex), "simplex" (a vector per simplex of one order),
        "tuple" (per tuple of simplices), "flattened" (per signal on one complex of fixed size)
    readout_options: of the readout, e.g. {"pooling": "mean"} or {"order": 1}; the order is by default the model's only one,
        else 1
    standardize: "none", "scale" (inputs divided by their root mean square) or "standard" (mean 0, spread 1), with the
        numbers that fit_inputs() measures
    seed: of the first values; None: torch.manual_seed governs
    options: every option of gsan.nn.SimplicialLayer, and activate_last, mean_last_heads, norm, residual,
        embedding_channels, widths
    """

    preset_name: str = ""

    def __init__(self, in_channels: int | Sequence[int] = 1, hidden_channels: int = 32, out_channels: int | None = None,
                 n_layers: int = 2, *, order: int | None = None, signal_order: int = -1, length: int = 0,
                 heads: int | None = None, concat: bool | None = None, widths: Sequence[int] = (), readout: str = "none",
                 readout_options: Mapping[str, Any] | None = None, standardize: str = "none", seed: int | None = None,
                 **options: Any) -> None:
        if not self.preset_name:
            raise TypeError("gsan.nn.Model is the base of the presets: use gsan.nn.GSAN and the like, or gsan.nn.load")
        who = type(self).__name__
        if seed is not None:
            seed = whole_number(seed, f"{who}: seed", 0)
        if not isinstance(in_channels, Sequence) or isinstance(in_channels, str):
            width = whole_number(in_channels, f"{who}: in_channels")
            channels = [width] * ((2 if order is None else whole_number(order, f"{who}: order", 0)) + 1)
        else:
            channels = [whole_number(width, f"{who}: in_channels") for width in in_channels]
            if order is not None and order != len(channels) - 1:
                raise ValueError(f"{who}: in_channels has {len(channels)} widths, which makes order {len(channels) - 1}, "
                                 f"but order = {order}")
        if heads is not None:
            options["heads"] = heads
        if concat is not None:
            options["head_mode"] = "concat" if concat else "mean"
        options = {"hidden_channels": hidden_channels, "n_layers": n_layers, "standardize": standardize, **options}
        if widths:
            options["widths"] = list(widths)
        if readout == "none" and _core.has_layers(self.preset_name):  # the last layer is the output
            options = {"activate_last": False, "mean_last_heads": True, **options}
        given = dict(readout_options or {})
        if readout == "none" and given:
            raise ValueError(f"{who}: readout_options without a readout: {given}")
        shape: dict[str, Any] = {name: given.pop(name) for name in _shape_options if name in given}
        shape["in_channels"] = channels
        shape["out_channels"] = _usual_outputs.get(readout, 0) if out_channels is None else out_channels
        texts = _core.describe_model(self.preset_name, readout, length, signal_order, to_map(options), to_map(given),
                                     to_map(shape))
        super().__init__(_core.Model(texts, seed))
        self._read_options()

    @classmethod
    def _from_core(cls, core: Any) -> Model:
        made = cls.__new__(cls)
        BoundModule.__init__(made, core)
        made._read_options()
        return made

    def _read_options(self) -> None:
        #: The options of the model, nested, as the command stores them: model, readout, backbone, readout_options, shape.
        self.options: dict[str, Any] = to_values(self._core_options)
        self.readout_kind: str = self.options["readout"]
        self.hidden_orders: list[int] = self._core.orders()
        widths = self.options["shape"]["in_channels"]
        self.order: int = len(widths) - 1
        #: Features that are read, per order; 0 where the model does not work on the order.
        self.in_channels: list[int] = [width if k in self.hidden_orders else 0 for k, width in enumerate(widths)]

    def _make_core(self) -> Any:
        return _core.Model(self._core_options, 0)

    @outside_graphs
    def forward(self, complex: Any, x: Signals | None = None, *, tuples: torch.Tensor | None = None,
                return_attention_weights: bool = False, return_layers: bool = False, dropout_seed: int | None = None,
                signal_keys: torch.Tensor | None = None, recompute: bool = False, check_finite: bool = False) -> Any:
        """``complex`` and ``x`` as in SimplicialLayer.forward, but every order with in_channels must have a signal; of a
        Batch also tuples and signal_keys are read.

        The result is the readout's tensor, or without readout one tensor or None per order (one tensor where one was
        given). ``return_layers`` appends the signals after every layer, ``return_attention_weights`` the list of
        AttentionWeights of every layer. ``recompute`` keeps the input of each layer alone for the backward pass."""
        tensors = self._tensors()
        inputs = [k for k, width in enumerate(self.in_channels) if width > 0]
        single = inputs[0] if len(inputs) == 1 else None
        who = type(self).__name__
        is_of_batch = x is None
        if x is None:
            x = getattr(complex, "x", None)
            if x is None:
                raise TypeError(f"{who}: signals are missing: call model(complex, x)")
        if tuples is None:
            tuples = getattr(complex, "tuples", None)
        if signal_keys is None:
            signal_keys = getattr(complex, "signal_keys", None)
        signals = signal_list(x, self.order, single, who)
        device = tensors[0].device if tensors else next((s.device for s in signals if s is not None), "cpu")
        operators = find_operators(complex, device)
        if not is_of_batch:
            check_length(x, self.order, operators, who)
        check_presence(signals, self.in_channels, operators, who)
        call = self._call_options(dropout_seed, signal_keys, return_attention_weights, recompute, check_finite)
        values, layers, attention = self._core.forward(tensors, operators, signals, tuples, return_layers, call)
        output = values
        if values is None:
            output = layers[-1]
            if isinstance(x, torch.Tensor) and len(self.hidden_orders) == 1:
                output = output[self.hidden_orders[0]]
        more: list[Any] = []
        if return_layers:
            more.append(layers)
        if return_attention_weights:
            more.append([attention_list(of_layer) for of_layer in attention])
        return (output, *more) if more else output

    @torch.no_grad()
    def response(self, complex: SimplicialComplex, x: Signals, rank: int = 1, *, layer: int = 1,
                 spectrum: HodgeSpectrum | None = None, tuples: torch.Tensor | None = None) -> LayerResponse:
        """What layer 1, 2, … of the model does to each frequency of L_rank when the model is given ``x``, signals without
        leading dimensions: see SimplicialLayer.response."""
        tensors = self._tensors()
        inputs = [k for k, width in enumerate(self.in_channels) if width > 0]
        who = f"{type(self).__name__}.response"
        signals = signal_list(x, self.order, inputs[0] if len(inputs) == 1 else None, who)
        operators = find_operators(complex, tensors[0].device if tensors else "cpu")
        found = spectrum if spectrum is not None else complex.spectrum(rank)
        return response_of(rank, found, self._core.response(
            tensors, operators, signals, tuples, whole_number(layer, f"{who}: layer"), rank, found.values, found.vectors,
            part_numbers(found)))

    def fit_inputs(self, batches: Iterable[Signals]) -> Model:
        """Measures mean and spread of the inputs of each order and feature, for a model made with standardize="scale" or
        "standard"; without it nothing happens. ``batches``: the signals of the training set, each as forward takes them.
        The numbers are buffers: state_dict, save and load keep them. gsan.train measures by itself."""
        inputs = [k for k, width in enumerate(self.in_channels) if width > 0]
        single = inputs[0] if len(inputs) == 1 else None
        who = type(self).__name__
        self._core.fit_inputs(self._tensors(), [signal_list(x, self.order, single, who) for x in batches])
        return self

    def measure_batch_norms(self, passes: Callable[[], object]) -> Model:
        """Replaces the running statistics of batch normalisations, by which evaluation normalises, by those of all that
        ``passes()`` sends through the model: call it on the training set before evaluating. Running statistics lag
        behind the weights, too far where sums over a complex are normalised. gsan.train does this by itself.

        >>> import gsan, torch
        >>> data = gsan.datasets.islands(signals=8)
        >>> model = gsan.nn.GSAN([0, 1, 0], 4, readout="pooled", readout_options={"batch_norm": True}, seed=0)
        >>> _ = model.measure_batch_norms(lambda: model(data.complex, data.signals))
        """
        was_training = self.training
        self.eval()
        try:
            with torch.no_grad():
                self._core.measure_batch_norms(self._tensors(), passes)
        finally:
            self.train(was_training)
        return self

    def save(self, path: str | os.PathLike) -> None:
        """One safetensors file with weights, options and a checksum, which gsan.nn.load reads."""
        tensors = self._named_tensors()
        _core.save_tensors(os.fspath(path), list(tensors), list(tensors.values()), _core.model_kind, self._core_options)

    @classmethod
    def load(cls, path: str | os.PathLike, verify: bool = True) -> Model:
        """A model that `gsan train` or save() wrote, with its weights.

        A damaged file raises an error; verify=False skips the checksum, which takes a moment for huge files. A file does not say by which preset its options came about: the result is a Model."""
        return Model._from_core(_core.load_model(os.fspath(path), verify))

    def extra_repr(self) -> str:
        start = _core.describe_model(self.options["model"], self.readout_kind, 0, -1, {}, {}, {})
        shown = {name.split(".", 1)[-1]: text for name, text in self._core_options.items() if start.get(name) != text}
        return ", ".join(f"{name}={text}" for name, text in shown.items())


def load(path: str | os.PathLike, verify: bool = True) -> BoundModule:
    """The layer or model of a safetensors file; verify=False skips its checksum."""
    from .layer import SimplicialLayer
    kind, _ = _core.read_options(os.fspath(path))
    return SimplicialLayer.load(path, verify) if kind == _core.layer_kind else Model.load(path, verify)


def models() -> dict[str, tuple[str, str]]:
    """Name → (equation, citation) of every architecture."""
    return {name: (equation, citation) for name, _, equation, citation in _core.models()}
