"""Simplicial complexes."""
from .base import MAX_MEMORY, MAX_SIMPLICES
from .simplicial_complex import SimplicialComplex

__all__ = ["MAX_MEMORY", "MAX_SIMPLICES", "SimplicialComplex"]
