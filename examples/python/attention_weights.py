"""Which neighbours does a trained model listen to? The largest attention weights of a layer, and how even each row is.

    python examples/python/attention_weights.py
"""
import sys

import torch
from torch.nn.functional import cross_entropy

import gsan

quick = "--quick" in sys.argv
torch.manual_seed(0)
data = gsan.datasets.flow(points=100 if quick else 150, signals=60 if quick else 200)
model = gsan.nn.GSAN(in_channels=[0, 1, 0], hidden_channels=16, out_channels=2, heads=2, readout="pooled",
                     readout_options={"absolute": True, "batch_norm": True})
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for _ in range(2 if quick else 20):
    loss = cross_entropy(model(data.complex, data.signals).flatten(0, -2), data.labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(f"loss {loss.item():.3f}")

model.eval()
with torch.no_grad():
    _, attention = model(data.complex, data.signals[0], return_attention_weights=True)
edges = data.complex.simplices(1)
for layer, operators in enumerate(attention):
    for entry in operators:
        if entry.order != 1 or entry.use != "own":
            continue
        weights = entry.weights.mean(-1)  # over the heads, [pairs]
        source, receiver = entry.edge_index
        # The entropy of each row over that of equal weights: 1 = listens to all alike.
        entropy = torch.zeros(len(edges)).index_add_(0, receiver, -weights * weights.clamp(min=1e-12).log())
        most = torch.bincount(receiver, minlength=len(edges)).float().log().clamp(min=1e-6)
        print(f"layer {layer}, {entry.side} neighbours of edges: {len(weights)} pairs, "
              f"mean evenness {float((entropy / most).clamp(max=1).mean()):.3f}")
        others = torch.where(source == receiver, torch.zeros_like(weights), weights)
        for e in others.topk(3).indices.tolist():
            print(f"    edge {edges[receiver[e]].tolist()} listens to {edges[source[e]].tolist()}: {weights[e]:.3f}")
