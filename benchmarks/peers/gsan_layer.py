"""The GSAN layer as a skilled user writes it on PyG's softmax, index_add and torch's sparse products (K = 2, Dirac
sharing, any J and number of heads, the signal itself as harmonic term), and the graph classifier made of it.

Weights have the names and shapes of our export: own_J and neighbor_J [F_in, taps, H, F_out], harmonic [F_in, H, F_out],
attention_K_SIDE_USE.a [H, 2 taps F_out] with the half of the receiving simplex first."""
import torch
from torch import nn
from torch_geometric.utils import softmax

from exported import boundaries, neighbor_pairs


def csr(matrix):
    matrix = matrix.tocsr()
    return torch.sparse_csr_tensor(torch.tensor(matrix.indptr), torch.tensor(matrix.indices),
                                   torch.tensor(matrix.data, dtype=torch.float32), matrix.shape)


class SparseProduct(torch.autograd.Function):
    """A x; torch has no backward pass of its own for it that keeps CSR."""

    @staticmethod
    def forward(ctx, A, transposed, x):
        ctx.transposed = transposed
        return A @ x

    @staticmethod
    def backward(ctx, gradient):
        return None, None, ctx.transposed @ gradient.contiguous()


class Operators:
    """Neighbour pairs and boundary products of one complex, or of a batch of them, of order 2."""

    def __init__(self, tensors):
        B1, B2 = boundaries(tensors)
        self.counts = (*B1.shape, B2.shape[1])
        self.down = (None, csr(B1), csr(B2))
        self.up = (None, csr(B1.T), csr(B2.T))
        self.lower = (None, neighbor_pairs(B1.T @ B1), neighbor_pairs(B2.T @ B2))
        self.upper = (neighbor_pairs(B1 @ B1.T), neighbor_pairs(B2 @ B2.T), None)

    def to(self, device):
        for name in ("down", "up", "lower", "upper"):
            tensors = getattr(self, name)
            setattr(self, name, tuple(None if tensor is None else tensor.to(device) for tensor in tensors))
        return self


class Layer(nn.Module):
    def __init__(self, weights):
        super().__init__()
        self.names = {name: name.replace(".", "_") for name in weights}
        for name, tensor in weights.items():
            self.register_parameter(self.names[name], nn.Parameter(tensor.clone()))

    def weight(self, name):
        return getattr(self, self.names[name])

    def term(self, pairs, x, weight, a, first):
        """sum over p of A^(first + p) (X W_p) by Horner; A from GAT scores of all products of a head."""
        heads, taps, width = weight.shape[2], weight.shape[1], weight.shape[3]
        products = (x @ weight.flatten(1)).view(-1, taps, heads, width).unbind(1)
        if first + taps == 1:
            return products[0]
        halves = a.view(heads, 2, taps, width)
        receiver, source = (x @ torch.einsum("ithf,hctf->ich", weight, halves).flatten(1)).split(heads, -1)
        i, j = pairs
        alpha = softmax(nn.functional.leaky_relu(receiver[i] + source[j], 0.2), i, num_nodes=len(x)).unsqueeze(-1)

        def attend(y):
            return torch.zeros_like(y).index_add_(0, i, alpha * y[j])

        y = products[-1]
        for product in reversed(products[:-1]):
            y = product + attend(y)
        return attend(y) if first else y

    def forward(self, operators, Z):
        result = []
        for k in range(3):
            harmonic = self.weight("harmonic")
            sum_ = (Z[k] @ harmonic.flatten(1)).view(-1, *harmonic.shape[1:])
            for side, pairs in (("lower", operators.lower[k]), ("upper", operators.upper[k])):
                if pairs is None or operators.counts[k] == 0:
                    continue
                j = k if side == "lower" else k + 1
                from_other = (SparseProduct.apply(operators.up[k], operators.down[k], Z[k - 1]) if side == "lower" else
                              SparseProduct.apply(operators.down[k + 1], operators.up[k + 1], Z[k + 1]))
                for use, x, name, first in ((1, Z[k], "own", 1), (2, from_other, "neighbor", 0)):
                    a = f"attention_{k}_{side}_{use}.a"
                    sum_ = sum_ + self.term(pairs, x, self.weight(f"{name}_{j}"),
                                            self.weight(a) if a in self.names else None, first)
            result.append(torch.relu(sum_).flatten(1))
        return result


class Classifier(nn.Module):
    """out(sum over orders of relu(U_k (pools of all layers) + u_k)), pools being sums over the simplices of a complex."""

    def __init__(self, weights):
        super().__init__()
        by_layer = {}
        for name, tensor in weights.items():
            if name.startswith("backbone.layer_"):
                layer, rest = name[len("backbone.layer_"):].split(".", 1)
                by_layer.setdefault(int(layer), {})[rest] = tensor
        self.layers = nn.ModuleList(Layer(by_layer[l]) for l in sorted(by_layer))
        self.orders = nn.ModuleList(self.linear(weights, f"readout.order{k}") for k in range(3))
        self.output = self.linear(weights, "readout.output")

    @staticmethod
    def linear(weights, name):
        weight = weights[name + ".weight"]
        linear = nn.Linear(weight.shape[1], weight.shape[0])
        with torch.no_grad():
            linear.weight.copy_(weight)
            linear.bias.copy_(weights[name + ".bias"])
        return linear

    def forward(self, operators, Z, parts, complexes):
        pools = [[], [], []]
        for layer in self.layers:
            Z = layer(operators, Z)
            for k in range(3):
                pools[k].append(torch.zeros(complexes, Z[k].shape[1]).index_add_(0, parts[k], Z[k]))
        return self.output(sum(torch.relu(self.orders[k](torch.cat(pools[k], 1))) for k in range(3)))
