"""A dataset of PyG, lifted to clique complexes and classified. Without arguments the graphs are made here; with a name, a
TU dataset is downloaded by PyG:

    python examples/python/graphs_from_pyg.py
    python examples/python/graphs_from_pyg.py PROTEINS
"""
import sys

import torch
from torch.nn.functional import cross_entropy
from torch_geometric.data import Data

import gsan

torch.manual_seed(0)
quick = "--quick" in sys.argv
arguments = [a for a in sys.argv[1:] if not a.startswith("-")]


def made_graph(triangles: bool) -> Data:
    """A ring with chords; those of one class close triangles."""
    n = int(torch.randint(12, 20, ()))
    ring = torch.stack([torch.arange(n), (torch.arange(n) + 1) % n])
    start = torch.randperm(n)[:n // 2]
    chords = torch.stack([start, (start + (2 if triangles else 4)) % n])
    edges = torch.cat([ring, chords], dim=1)
    return Data(x=torch.ones(n, 1), edge_index=torch.cat([edges, edges.flip(0)], dim=1), y=torch.tensor([int(triangles)]))


if arguments:
    from torch_geometric.datasets import TUDataset
    graphs = list(TUDataset("data", arguments[0], use_node_attr=True))
else:
    graphs = [made_graph(i % 2 == 0) for i in range(40 if quick else 200)]

# Edges and triangles get the mean of the features of their faces.
samples = [gsan.adapters.from_pyg(graph, max_rank=2, fill="mean", key=i) for i, graph in enumerate(graphs)]
print(samples[0])
classes = int(max(sample.y.item() for sample in samples)) + 1
order = torch.randperm(len(samples)).tolist()
cut = int(0.8 * len(samples))
train = gsan.data.DataLoader([samples[i] for i in order[:cut]], batch_size=20, shuffle=True)
test = gsan.data.DataLoader([samples[i] for i in order[cut:]], batch_size=100)

model = gsan.nn.GSAN(in_channels=samples[0].x_0.shape[1], hidden_channels=16, out_channels=classes,
                     readout="pooled", readout_options={"pooling": "sum"}, activation="relu")
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(10 if quick else 20):
    model.train()
    for batch in train:
        loss = cross_entropy(model(batch), batch.y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
model.eval()
with torch.no_grad():
    right = sum(int((model(batch).argmax(-1) == batch.y).sum()) for batch in test)
largest = torch.bincount(torch.cat([batch.y for batch in test])).max().item()  # always guessing the most frequent class
print(f"test accuracy {right / (len(samples) - cut):.3f}, of the most frequent class {largest / (len(samples) - cut):.3f}")
