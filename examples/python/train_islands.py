"""Trains GSAN to tell whether a walk turns around two islands the same way, with its harmonic term and without.

    python examples/python/train_islands.py
    python examples/python/train_islands.py --quick    few walks, two epochs
"""
import sys

import torch
from torch.nn.functional import cross_entropy
from torch.utils.data import DataLoader, random_split

import gsan

quick = "--quick" in sys.argv
torch.manual_seed(0)

data = gsan.datasets.islands(signals=80 if quick else 1000)
data.signals /= data.signals.std()
print(data)
train, validation, test = random_split(data, [0.6, 0.2, 0.2])


def accuracy(model, part):
    model.eval()
    with torch.no_grad():
        right = [model(data.complex, x).argmax(-1).flatten() == y for x, y in DataLoader(part, batch_size=100)]
    return torch.cat(right).float().mean().item()


for harmonic in ("exact", "none"):
    # Signals live on edges (order 1): one input feature there, none on vertices and triangles. The readout pools |x|,
    # which does not depend on how edges are oriented.
    model = gsan.nn.GSAN(in_channels=[0, 1, 0], hidden_channels=8, out_channels=data.classes, n_layers=2, length=2,
                         activation="tanh", harmonic=harmonic, readout="pooled",
                         readout_options={"absolute": True, "batch_norm": True})
    print(f"harmonic term: {harmonic}, {model.parameter_count} parameters")
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for epoch in range(2 if quick else 12):
        model.train()
        for x, y in DataLoader(train, batch_size=30, shuffle=True):  # x: [30, edges, 1], many signals on one complex
            loss = cross_entropy(model(data.complex, x).flatten(0, -2), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        # What evaluation normalises by, measured with the weights of now.
        model.measure_batch_norms(lambda: [model(data.complex, x) for x, _ in DataLoader(train, batch_size=100)])
        print(f"epoch {epoch}  loss {loss.item():.4f}  validation accuracy {accuracy(model, validation):.3f}")
    print(f"test accuracy {accuracy(model, test):.3f}")
