"""Own data from a pandas table: papers with their authors and citations → a complex, a signal, a guess of missing values.

    python examples/python/table_to_complex.py
"""
import sys
from itertools import combinations

import numpy as np
import pandas
import torch

import gsan

torch.manual_seed(0)
rng = np.random.default_rng(0)
# One row per paper: who wrote it, and how often it was cited.
names = [f"author {i}" for i in range(40)]
table = pandas.DataFrame({
    "authors": [sorted(rng.choice(40, size=rng.integers(1, 4), replace=False)) for _ in range(120)],
    "citations": rng.poisson(20, size=120)})

complex = gsan.SimplicialComplex(table["authors"].tolist(), vertices=len(names))  # faces are added
print(complex, "Betti numbers", complex.betti_numbers())

# The value of a simplex: citations of the papers that all its authors wrote together. Every paper counts for its own
# simplex and for all faces of it; each group of a size is looked up at once.
values = [np.zeros(n) for n in complex.shape]
for size, papers in table.groupby(table["authors"].map(len)):
    simplices = np.array(papers["authors"].tolist())
    citations = papers["citations"].to_numpy()
    for k in range(size):  # faces with k + 1 of the vertices
        for columns in combinations(range(size), k + 1):
            np.add.at(values[k], complex.find(simplices[:, columns]), citations)

x = [torch.tensor(np.log1p(v), dtype=torch.float32).unsqueeze(1) for v in values]
hidden = torch.rand(complex.count(1)) < 0.2  # hide a fifth of the edges' values
shown = [x[0], torch.where(hidden[:, None], x[1][~hidden].mean(), x[1]), x[2]]

model = gsan.nn.GSAN(in_channels=1, hidden_channels=16, out_channels=1, n_layers=2, activate_last=False)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for step in range(5 if "--quick" in sys.argv else 150):
    guess = model(complex, shown)[1]
    loss = (guess - x[1])[~hidden].abs().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
with torch.no_grad():
    error = (model(complex, shown)[1] - x[1])[hidden].abs().mean()
print(f"mean error of log(1 + citations) on hidden edges: {error:.3f}")

best = int(values[1].argmax())
print("most cited pair:", " and ".join(names[v] for v in complex.simplices(1)[best]), int(values[1][best]))
