"""The tasks of the command: which items a phase sees, loss and metrics. A task is the only door to labels: what it hands
out for a phase holds none that the phase may not know."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import torch

from . import _core
from ._options import to_map
from .nn.model import Model

Phase = Literal["train", "validation", "test"]
kinds = ("trajectory", "imputation", "simplex-classification", "graph-classification", "simplex-prediction")


class TaskBatch:
    """What a model is given in one step: call ``model(batch)``."""

    def __init__(self, core: _core.TaskBatch) -> None:
        self._batch = core
        self.operators = core.operators
        self.x: list[torch.Tensor | None] = core.signals
        self.y: torch.Tensor | None = core.targets
        self.rows: torch.Tensor | None = core.rows
        self.tuples: torch.Tensor | None = core.tuples
        self.signal_keys: torch.Tensor | None = core.signal_keys


class Task:
    """One of ``gsan.tasks.kinds`` with its data, split by ``seed``. ``options`` are the keys of the command's config, as
    nested dictionaries (``data={…}, split={…}, graph_classification={…}``).

    >>> import torch, gsan
    >>> if gsan._core.has_delaunay:
    ...     task = gsan.tasks.Task("trajectory", data={"points": 100, "signals": 40}, seed=1)
    ...     model = task.model(gsan.nn.GSAN, hidden_channels=8)
    ...     for batch in task.batches("train"):
    ...         task.loss(model(batch), batch).backward()
    ...     assert 0 <= task.evaluate(model, "test")["accuracy"] <= 100
    """

    def __init__(self, kind: str, *, protocol: Literal["strict", "published"] = "strict", seed: int = 0,
                 device: Any = "cpu", **options: Any) -> None:
        options = {name.replace("_", "-"): value for name, value in options.items()}
        self._task = _core.Task(kind, protocol, to_map(options), seed, torch.device(device))
        self.kind = kind
        self.protocol = protocol
        self.device = torch.device(device)

    def model(self, preset: type[Model] | str = "gsan", hidden_channels: int = 32, n_layers: int = 2, *,
              length: int = 0, signal_order: int = -1, readout: str | None = None, seed: int | None = None,
              **options: Any) -> Model:
        """A model with the widths, orders and readout that the task needs."""
        name = preset if isinstance(preset, str) else preset.preset_name
        usual = {"imputation": "simplex" if self.protocol == "strict" else "none", "simplex-classification": "simplex",
                 "simplex-prediction": "tuple"}
        texts = _core.preset_model(name, [1, 1, 1], hidden_channels, n_layers, [], length, signal_order,
                                   readout or usual.get(self.kind, "pooled"), to_map(options))
        made = (Model if isinstance(preset, str) else preset)._from_core(_core.Model(self._task.complete(texts), seed))
        return made.to(self.device)

    def batch_count(self, phase: Phase, epoch: int = 0) -> int:
        return self._task.batch_count(phase, epoch)

    def batches(self, phase: Phase, epoch: int = 0) -> Iterator[TaskBatch]:
        """Training batches depend on the epoch, the others do not."""
        for step in range(self.batch_count(phase, epoch)):
            yield TaskBatch(self._task.batch(phase, epoch, step))

    def loss(self, output: Any, batch: TaskBatch) -> torch.Tensor:
        """Of what the model gave for the batch."""
        return self._task.loss(*_output(output), batch._batch)

    @torch.no_grad()
    def evaluate(self, model: Model, phase: Phase) -> dict[str, float]:
        """The metrics of a phase, with the model in eval mode."""
        was_training = model.training
        model.eval()
        meter = self._task.meter(phase)
        for batch in self.batches(phase):
            meter.add(*_output(model(batch)), batch._batch)
        model.train(was_training)
        return meter.value()

    @property
    def choosing_metric(self) -> str:
        """By which validation chooses; ``more_is_better`` says which way."""
        return self._task.choosing_metric()

    @property
    def more_is_better(self) -> bool:
        return self._task.more_is_better()

    @property
    def parts(self) -> dict[str, list[int]]:
        """Which items are in which part."""
        return dict(self._task.parts())

    @property
    def remarks(self) -> list[str]:
        """What the published protocol does that a clean one would not."""
        return self._task.remarks()


def _output(output: Any) -> tuple[torch.Tensor | None, list]:
    if isinstance(output, torch.Tensor):
        return output, []
    if not isinstance(output, (list, tuple)):
        raise TypeError("a task takes what model(batch) gave, a tensor or one tensor (or None) per order, "
                        f"got {type(output).__name__}")
    return None, [list(output)]


__all__ = ["Phase", "Task", "TaskBatch", "kinds"]
