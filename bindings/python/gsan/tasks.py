"""The tasks of the command: which items a phase sees, loss and metrics. A task is the only door to labels: what it hands
out for a phase holds none that the phase may not know."""
from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from typing import Any, Literal

import torch

from . import _core
from ._options import to_overrides
from .nn.model import Model

Phase = Literal["train", "validation", "test"]
kinds = tuple(_core.task_kinds())


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
    """One of ``gsan.tasks.kinds`` with its data, split by ``seed``: the task that ``gsan train KIND`` trains for. It starts
    from the same recipe; ``options`` are the keys of the command's config that differ from it, as nested dictionaries
    (``data={…}, split={…}, graph_classification={…}, model={…}, train={…}``).

    >>> import torch, gsan
    >>> task = gsan.tasks.Task("trajectory", data={"signals": 40}, seed=1)
    >>> model = task.model(hidden_channels=8)
    >>> for batch in task.batches("train"):
    ...     task.loss(model(batch), batch).backward()
    >>> assert 0 <= task.evaluate(model, "test")["accuracy"] <= 100
    """

    def __init__(self, kind: str, *, protocol: Literal["strict", "published"] = "strict", seed: int = 0,
                 device: Any = "cpu", **options: Any) -> None:
        names = {name.replace("-", "_"): name for name in kinds}
        options = {names.get(name, name): value for name, value in options.items()}
        if (data := options.get("data")) is not None and isinstance(data, (str, os.PathLike)):
            raise TypeError(f"Task: data must be a dictionary such as {{'path': {os.fspath(data)!r}}}, got a path")
        if torch.device(device).type == "cuda" and not torch.cuda.is_available():
            raise ValueError(f"Task: device '{device}' cannot be used: torch finds no GPU here (no driver, a driver that is "
                             "older than its CUDA, or CUDA_VISIBLE_DEVICES hides it); use device='cpu'")
        self._task = _core.Task(kind, protocol, to_overrides(options), seed, torch.device(device))
        self.kind = kind
        self.protocol = protocol
        self.seed = seed
        self.device = torch.device(device)

    def model(self, preset: type[Model] | str | None = None, *, seed: int | None = None, **options: Any) -> Model:
        """The model of the recipe, or another one of ``gsan.nn``, for this task; ``options`` are keys of the section
        ``model`` (``hidden_channels=8, readout={"pooling": "mean"}``). Its first weights are those of the command with
        the task's seed, or with ``seed``."""
        name = preset if preset is None or isinstance(preset, str) else preset.preset_name
        words = to_overrides({"model": options})
        if name is not None:
            words.insert(0, f'model.name="{name}"')
        if seed is not None:
            words.append(f"seed={seed}")
        made = (preset if isinstance(preset, type) else Model)._from_core(self._task.model(words))
        return made.to(self.device)

    @property
    def settings(self) -> str:
        """Every key with its value, as YAML: what ``config.yaml`` of a run holds."""
        return self._task.settings()

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
    def _filled_meter(self, model: Model, phase: Phase) -> _core.Meter:
        was_training = model.training
        model.eval()
        meter = self._task.meter(phase)
        for batch in self.batches(phase):
            meter.add(*_output(model(batch)), batch._batch)
        model.train(was_training)
        return meter

    def evaluate(self, model: Model, phase: Phase) -> dict[str, float]:
        """The metrics of a phase, with the model in eval mode."""
        return self._filled_meter(model, phase).value()

    def details(self, model: Model, phase: Phase) -> dict[str, Any]:
        """Everything that ``gsan eval`` prints: ``metrics`` by name; of tasks whose answers are classes also ``classes``
        (name, count, precision, recall and F1 of each) and ``confusion`` (a row per true class); of tasks on simplices
        their ``order``. Shares are in per cent; a number that is not defined is None."""
        details = json.loads(self._filled_meter(model, phase).details())
        return ({"order": self._task.item_order()} if self._task.item_order() >= 0 else {}) | details

    def rules(self, phase: Phase) -> dict[str, dict[str, float]]:
        """The metrics of the simple answers beside a model, by name."""
        return self._task.rules(phase)

    def predict(self, model: Model, *more: Model) -> tuple[list[str], list[list[str]], torch.Tensor]:
        """What the model answers for every item: names of the columns, rows of texts, and the numbers. Of several models
        the mean of their probabilities or values."""
        return self._task.predict([(one._core, one._tensors()) for one in (model, *more)])

    def confusion(self, model: Model, phase: Phase) -> torch.Tensor:
        """How many items of each class (rows) the model gives to each class (columns), ``[C, C]`` int64; items whose class
        is not known do not count."""
        return self._task.confusion(model._core, model._tensors(), phase)

    @property
    def class_names(self) -> list[str]:
        return self._task.class_names()

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


def train(task: Task, model: Model | None = None, *, output: str | os.PathLike | None = None,
          on_epoch: Callable[[dict[str, Any]], None] | None = None, **options: Any) -> dict[str, Any]:
    """Trains the model (default: ``task.model()``) with the trainer of the command, and returns its record; the model
    then holds the weights of the epoch that validation chose. ``gsan train`` with the same settings and seed gives the
    same bits.

    ``options`` are keys of the section ``train`` (``epochs=50, optimizer={"learning_rate": 1e-3}``); ``output`` is a run
    folder to make, which ``gsan eval``, ``predict`` and ``train --resume`` read; ``on_epoch`` gets the metrics of every
    epoch.

    >>> import gsan
    >>> task = gsan.tasks.Task("trajectory", data={"signals": 40})
    >>> record = gsan.train(task, task.model(hidden_channels=4), epochs=2)
    >>> assert record["epochs"] == 2
    """
    model = task.model() if model is None else model
    if not isinstance(model, Model):
        raise TypeError(f"train: the model must be one of gsan.nn, got {type(model).__name__}")
    was_training = model.training
    text = task._task.train(model._core, model._tensors(), to_overrides({"train": options}),
                            None if output is None else os.fspath(output), on_epoch)
    model.train(was_training)
    return json.loads(text)


__all__ = ["Phase", "Task", "TaskBatch", "kinds", "train"]
