"""Generalized simplicial attention neural networks.

The same compiled core as the ``gsan`` command, inside PyTorch:

>>> import torch, gsan
>>> complex = gsan.SimplicialComplex([[0, 1, 2], [1, 2, 3], [3, 4]])
>>> complex.shape
(5, 6, 2)
>>> model = gsan.nn.GSAN(in_channels=1, hidden_channels=8, out_channels=2, n_layers=2)
>>> x = [torch.randn(n, 1) for n in complex.shape]
>>> [tuple(y.shape) for y in model(complex, x)]
[(5, 2), (6, 2), (2, 2)]

Importing gsan registers its operations as ``torch.ops.gsan.*``.
"""
from ._build_info import torch_version, version
from ._torch_check import check_torch

check_torch(torch_version)

from . import _core  # noqa: E402
from ._core import ArgumentError, FormatError, IoError, NumericError, ResourceError  # noqa: E402
from .complex import SimplicialComplex  # noqa: E402
from .spectra import DiracSpectrum, HodgeDecomposition, HodgeSpectrum, LayerResponse  # noqa: E402
from . import adapters, data, datasets, nn, plot, tasks  # noqa: E402
from .tasks import train  # noqa: E402

__version__ = version


def pool_memory():
    """Keep the memory of freed CPU tensors for the next ones, in this process and for good, as the command does.

    Large tensors cost a page fault per 4 KiB whenever malloc gives their memory back to the system. Call it at the beginning of a
    program. Freed memory that stays unused for long is returned; at most an eighth of the machine's memory is kept.
    """
    _core.pool_memory()


__all__ = [
    "ArgumentError", "DiracSpectrum", "FormatError", "HodgeDecomposition", "HodgeSpectrum", "IoError",
    "LayerResponse", "NumericError", "ResourceError", "SimplicialComplex", "adapters", "data", "datasets", "nn", "plot", "pool_memory", "tasks", "train",
    "__version__",
]
