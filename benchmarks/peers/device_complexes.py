"""Planar complexes on a device, and who is whose neighbour there."""
import pathlib
import sys

import torch

import gsan

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from delaunay_complex import delaunay_triangles  # noqa: E402


class EdgeGraph:
    """The edges of the Delaunay complex of random points; neighbours share a vertex, and each is its own neighbour.

    index [2, E] holds (source, receiver) as PyG has it; structure is {offsets, sources} of gsan's ops, mirror the number of
    the pair in the other direction."""

    def __init__(self, points, order, device):
        triangles = delaunay_triangles(points, order)
        self.complex = gsan.SimplicialComplex(triangles, vertices=points)
        self.count = self.complex.count(1)
        self.index, _ = self.complex.neighborhood(1, "lower", device)
        sources, receivers = self.index
        rows = torch.arange(self.count + 1, device=device)
        self.offsets = torch.searchsorted(receivers.contiguous(), rows)
        self.sources = sources.int()
        self.mirror = torch.argsort(sources * self.count + receivers).int()
        self.pairs = len(sources)

    @property
    def structure(self):
        return [self.offsets, self.sources]

    def facts(self):
        return {"simplices": list(self.complex.shape), "pairs": self.pairs}

    def sample_rows(self, count=64):
        """(row, its neighbours) of some rows, on the CPU."""
        offsets, sources = self.offsets.cpu(), self.sources.cpu().long()
        for row in torch.linspace(0, self.count - 1, count).long().tolist():
            yield row, sources[offsets[row]:offsets[row + 1]]


def reference_error(graph, output, scores, values):
    """Largest difference of `output` [N, F] to float64 sums over softmax weights in some rows, relative to their largest
    number. scores(row, neighbours) → [neighbours] in float64, values [N, F]."""
    values = values.detach().cpu().double()
    largest = difference = 0.0
    for row, neighbors in graph.sample_rows():
        exact = torch.softmax(scores(row, neighbors), 0) @ values[neighbors]
        largest = max(largest, exact.abs().max().item())
        difference = max(difference, (output[row].detach().cpu().double() - exact).abs().max().item())
    return difference / largest
