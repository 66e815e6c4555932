"""Layers and models as torch.nn.Modules."""
from . import presets
from ._bound import AttentionWeights, BoundModule
from .layer import SimplicialLayer
from .model import Model, load, models
from .presets import *  # noqa: F403

__all__ = ["AttentionWeights", "BoundModule", "Model", "SimplicialLayer", "load", "models", *presets.__all__]
