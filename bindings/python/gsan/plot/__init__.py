"""Pictures with matplotlib: what ``gsan plot`` draws as SVG, in the same colours. matplotlib is imported when a function is
called; every function takes ``ax`` (default: a new figure) and returns what it drew on.

>>> import gsan
>>> torus = gsan.SimplicialComplex.example("torus")
>>> axes = gsan.plot.spectrum(torus.spectrum(1))         # doctest: +SKIP
>>> axes.figure.savefig("spectrum.svg")                  # doctest: +SKIP
"""
from ._complexes import complex, decomposition, eigenvectors
from ._runs import confusion, curves
from ._spectra import response, spectrum
from ._weights import attention

__all__ = ["attention", "complex", "confusion", "curves", "decomposition", "eigenvectors", "response", "spectrum"]
