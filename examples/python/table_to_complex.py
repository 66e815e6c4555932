"""Own data from a pandas table: surveyed roads with their climb → a complex, a signal on its edges, missing values.

    python examples/python/table_to_complex.py
"""
import sys

import numpy as np
import pandas
import torch

import gsan

torch.manual_seed(0)
rng = np.random.default_rng(0)
# One row per survey: from where to where, and how many metres up. Made up here: a hilly square, and whoever lives close to
# each other has a road, surveyed once or twice, in either direction, with an error of a few metres.
places = rng.random((80, 2))
height = 200 * np.sin(5 * places[:, 0]) * np.cos(4 * places[:, 1])
near = np.argwhere(np.linalg.norm(places[:, None] - places[None], axis=-1) < 0.2)
roads = near[near[:, 0] != near[:, 1]]
roads = roads[rng.random(len(roads)) < 0.7]
table = pandas.DataFrame({"from": roads[:, 0], "to": roads[:, 1],
                          "climb": height[roads[:, 1]] - height[roads[:, 0]] + rng.normal(0, 3, len(roads))})
print(table.head(3))

# Roads are edges; three that close a circuit make a triangle.
ends = table[["from", "to"]].to_numpy()
complex = gsan.SimplicialComplex.from_edge_index(ends.T, num_nodes=len(places))
print(complex, "Betti numbers", complex.betti_numbers())

# An edge leads from its smaller to its larger vertex: the climb of a survey in the other direction has the other sign.
row = complex.find(ends)
climb = table["climb"].to_numpy() * np.where(ends[:, 0] < ends[:, 1], 1, -1)
x = torch.tensor(np.bincount(row, climb) / np.bincount(row), dtype=torch.float32).unsqueeze(1) / 100
hidden = torch.rand(len(x)) < 0.2  # a fifth of the roads shall not be known

# Every step hides some of the known values as well, and asks for them. Signs matter, so attention
# has those of the Laplacians, and the activation is odd.
model = gsan.nn.GSAN(in_channels=[0, 1, 0], hidden_channels=16, out_channels=1, n_layers=2, equivariant=True,
                     activation="tanh")
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for step in range(5 if "--quick" in sys.argv else 300):
    asked = ~hidden & (torch.rand(len(x)) < 0.2)
    guess = model(complex, x * ~(hidden | asked)[:, None])
    loss = (guess[1] - x)[asked].abs().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
with torch.no_grad():
    guess = model(complex, x * ~hidden[:, None])
print(f"mean error on hidden roads: {100 * (guess[1] - x)[hidden].abs().mean():.1f} m, "
      f"of guessing 0: {100 * x[hidden].abs().mean():.1f} m")
