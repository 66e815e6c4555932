"""Samples and batches of them."""
from .batch import Batch
from .loader import DataLoader, collate
from .sample import Sample, mean_of_faces

__all__ = ["Batch", "DataLoader", "Sample", "collate", "mean_of_faces"]
