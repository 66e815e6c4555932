"""Trains GSAN to tell on which side a walk passes the holes of a triangulated square.

    python examples/python/train_flow.py
    python examples/python/train_flow.py --quick    a smaller square, a few epochs
"""
import sys

import torch
from torch.nn.functional import cross_entropy
from torch.utils.data import DataLoader, random_split

import gsan

quick = "--quick" in sys.argv
torch.manual_seed(0)

data = gsan.datasets.flow(points=100 if quick else 200, signals=80 if quick else 600)
print(data)
sizes = [int(0.7 * len(data)), int(0.15 * len(data))]
train, validation, test = random_split(data, [*sizes, len(data) - sum(sizes)])

# Signals live on edges (order 1): one input feature there, none on vertices and triangles. The readout pools |x|, which
# does not depend on how edges are oriented.
model = gsan.nn.GSAN(in_channels=[0, 1, 0], hidden_channels=32, out_channels=data.classes, n_layers=2, activation="tanh",
                     readout="pooled", readout_options={"absolute": True, "batch_norm": True})
print(model, f"{model.parameter_count} parameters", sep="\n")
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)


@torch.no_grad()
def accuracy(part):
    model.eval()
    right = 0
    for x, y in DataLoader(part, batch_size=256):
        right += int((model(data.complex, x).flatten(0, -2).argmax(-1) == y).sum())
    return right / len(part)


for epoch in range(2 if quick else 8):
    model.train()
    for x, y in DataLoader(train, batch_size=64, shuffle=True):  # x: [64, edges, 1], many signals on one complex
        loss = cross_entropy(model(data.complex, x).flatten(0, -2), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch}  loss {loss.item():.4f}  validation accuracy {accuracy(validation):.3f}")

print(f"test accuracy {accuracy(test):.3f}")
