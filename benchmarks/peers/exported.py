"""What `gsan bench … --export` writes: the complex, its signals, the weights and our results."""
import numpy as np
import scipy.sparse as sp
import torch
from safetensors import safe_open


class Exported:
    def __init__(self, path):
        with safe_open(path, framework="pt") as file:
            self.case = file.metadata()["case"]
            self.tensors = {name: file.get_tensor(name) for name in file.keys()}

    def __getitem__(self, name):
        return self.tensors[name]

    def get(self, name):
        return self.tensors.get(name)

    def group(self, prefix):
        """Everything below PREFIX, by the rest of its name."""
        return {name[len(prefix):]: tensor for name, tensor in self.tensors.items() if name.startswith(prefix)}


def boundaries(tensors):
    """B_1, B_2, … as scipy matrices, from faces.K [N_K, K + 1]: face j has the sign (-1)^j. The number of rows is that of
    the faces of the order below, and of input.0 for the vertices where it is there."""
    matrices, k = [], 1
    while f"faces.{k}" in tensors:
        faces = tensors[f"faces.{k}"].numpy()
        if k > 1:
            rows = tensors[f"faces.{k - 1}"].shape[0]
        else:
            rows = tensors["input.0"].shape[0] if "input.0" in tensors else int(faces.max()) + 1
        columns = np.repeat(np.arange(len(faces)), k + 1)
        signs = np.tile((-1.0) ** np.arange(k + 1), len(faces))
        matrices.append(sp.csr_matrix((signs, (faces.ravel(), columns)), (rows, len(faces))))
        k += 1
    return matrices


def neighbor_pairs(laplacian):
    """int64 [2, E]: the pairs (i, j) of neighbours, each simplex with itself included, by rows."""
    pattern = (abs(laplacian) + sp.eye(laplacian.shape[0])).tocsr().tocoo()
    return torch.tensor(np.stack([pattern.row, pattern.col]), dtype=torch.long)


def relative_error(ours, theirs):
    scale = theirs.abs().max().item() if theirs.numel() else 0
    return (ours - theirs).abs().max().item() / scale if scale > 0 else 0.0


def row_error(ours, theirs):
    """The relative difference that all but one row in a thousand stay below. Of millions of scores and sums a few lie within
    rounding of a kink (LeakyReLU, ReLU), on one side here and on the other there: their rows differ by its two slopes."""
    scale = theirs.abs().max().item() if theirs.numel() else 0
    rows = (ours - theirs).abs().reshape(-1, ours.shape[-1] if ours.dim() > 1 else 1).amax(-1)
    return rows.kthvalue(len(rows) - len(rows) // 1000).values.item() / scale if scale > 0 else 0.0
