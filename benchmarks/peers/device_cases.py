"""The cases of the comparison on a device: gsan and the peers on the same complex, numbers and weights. Each case gives its
sides by name; a side has forward(), without a graph, and both(), which leaves gradients in its inputs; both return the
output. Aggregations also give what reference_error needs: scores of a row, and the values that are summed."""
import torch
from torch.nn.functional import leaky_relu
from torch_geometric.nn import GATConv
from torch_geometric.utils import softmax

import gsan

SLOPE = 0.2
ops = torch.ops.gsan


class Side:
    """Forward passes without a graph, and passes there and back for a given gradient of the output."""

    def __init__(self, call, inputs, gradients, parameters=()):
        self.call, self.inputs, self.gradients, self.parameters = call, inputs, gradients, list(parameters)

    def forward(self):
        with torch.no_grad():
            return self.call(*self.inputs)

    def both(self):
        for tensor in (*self.inputs, *self.parameters):
            tensor.grad = None
        output = self.call(*self.inputs)
        outputs = output if isinstance(output, (list, tuple)) else [output]
        torch.autograd.backward(outputs, [g.to(y.dtype) for g, y in zip(self.gradients, outputs)])
        return output


def drawn(*shape, device, dtype=torch.float32, grad=True):
    return torch.randn(*shape, device=device).to(dtype).requires_grad_(grad)


def gat_layer(graph, width, device):
    """One power of attention with its matrix product, and PyG's GATConv with the same W and a."""
    layer = gsan.nn.SimplicialLayer(
        width, width, order=2, orders=[1], lower={"own": 1, "neighbor": 0, "first": 0},
        upper={"own": 0, "neighbor": 0, "first": 0}, sharing="none", harmonic="none", activation="identity").to(device)
    conv = GATConv(width, width, heads=1, add_self_loops=False, bias=False, negative_slope=SLOPE).to(device)
    weights = layer.state_dict()
    a = weights["attention_1_lower_1.a"].view(2, 1, 1, width)  # the receiving half first
    with torch.no_grad():
        conv.lin.weight.copy_(weights["own_1_lower"].view(width, width).T)
        conv.att_dst.copy_(a[0])
        conv.att_src.copy_(a[1])
    x, gradient = drawn(graph.count, width, device=device), drawn(graph.count, width, device=device, grad=False)
    theirs = x.detach().clone().requires_grad_()
    return {"gsan": Side(lambda z: layer(graph.complex, {1: z})[1], [x], [gradient], layer.parameters()),
            "PyG GATConv": Side(lambda z: conv(z, graph.index), [theirs], [gradient], conv.parameters())}


class BareAttention:
    """torch.ops.gsan.attention_powers and its backward op, called directly."""

    def __init__(self, graph, taps, receiver, source, gradient):
        self.operands = (taps, receiver, source, graph.structure, None, None, 1, SLOPE, False)
        self.gradient, self.inputs, self.parameters = gradient.to(taps.dtype), [taps, receiver, source], []

    def forward(self):
        with torch.no_grad():
            return ops.attention_powers(*self.operands, True)[0]

    def both(self):
        with torch.no_grad():
            kept = ops.attention_powers(*self.operands, True)
            gradients = ops.attention_powers_backward(self.gradient, *self.operands, kept)
            for tensor, gradient in zip(self.inputs, gradients):
                tensor.grad = gradient.view_as(tensor)
            return kept[0]

    def bytes(self, backward):
        """As `gsan bench` counts: inputs, tables and what is written, once a pass."""
        with torch.no_grad():
            kept = ops.attention_powers(*self.operands, True)
        inputs = sum(tensor.nbytes for tensor in self.inputs)
        forward = inputs + sum(table.nbytes for table in self.operands[3]) + sum(tensor.nbytes for tensor in kept)
        return 2 * forward + self.gradient.nbytes + inputs if backward else forward


def gat_aggregation(graph, width, device, dtype):
    """Scores s_i + t_j, softmax, sum; no products. bf16: of x and the gradients, scores are float32."""
    x = drawn(graph.count, width, device=device, dtype=dtype)
    s, t = drawn(graph.count, device=device), drawn(graph.count, device=device)
    gradient = drawn(graph.count, width, device=device, grad=False)
    source, receiver = graph.index

    def pyg(x, s, t):
        alpha = softmax(leaky_relu(s[receiver] + t[source], SLOPE), receiver, num_nodes=graph.count)
        return torch.zeros_like(x).index_add_(0, receiver, alpha.to(x.dtype).unsqueeze(-1) * x[source])

    exact_s, exact_t = s.detach().cpu().double(), t.detach().cpu().double()
    ours = BareAttention(graph, x.detach().unsqueeze(1), s.detach().unsqueeze(1), t.detach().unsqueeze(1), gradient)
    peer = Side(pyg, [tensor.detach().clone().requires_grad_() for tensor in (x, s, t)], [gradient])
    return {"gsan": ours, "PyG's softmax and index_add": peer}, (
        lambda row, neighbors: leaky_relu(exact_s[row] + exact_t[neighbors], SLOPE), x)


def gatv2_aggregation(graph, width, device, turbo_gnn):
    """Scores v · LReLU(x_i + y_j), softmax, sum of y; no products."""
    x, y, v = (drawn(*shape, device=device) for shape in ((graph.count, width), (graph.count, width), (width,)))
    gradient = drawn(graph.count, width, device=device, grad=False)
    source, receiver = graph.index

    def ours(x, y, v):
        x, y = x.unsqueeze(1), y.unsqueeze(1)
        scores = ops.gatv2_scores(x, y, v.unsqueeze(0), graph.offsets, graph.sources, graph.mirror, SLOPE)
        weights = ops.segment_softmax(scores, graph.offsets)
        return ops.weighted_gather(weights, y, graph.offsets, graph.sources, graph.mirror).squeeze(1)

    def pyg(x, y, v):
        alpha = softmax(leaky_relu(x[receiver] + y[source], SLOPE) @ v, receiver, num_nodes=graph.count)
        return torch.zeros_like(y).index_add_(0, receiver, alpha.unsqueeze(-1) * y[source])

    calls = {"gsan": ours, "PyG's softmax and index_add": pyg}
    if turbo_gnn:
        calls |= turbo_gnn.calls(graph, SLOPE)
    sides = {name: Side(call, [tensor.detach().clone().requires_grad_() for tensor in (x, y, v)], [gradient])
             for name, call in calls.items()}
    exact_x, exact_y, exact_v = (tensor.detach().cpu().double() for tensor in (x, y, v))
    return sides, (lambda row, neighbors: leaky_relu(exact_x[row] + exact_y[neighbors], SLOPE) @ exact_v, y)


def gsan_layer(complex, width, device):
    """The layer of all orders, K = 2, J = 4, and the same on PyG's softmax (gsan_layer.py) with our weights."""
    from gsan_layer import Layer, Operators
    layer = gsan.nn.SimplicialLayer.preset("gsan", width, width, order=2, length=4, harmonic="skip",
                                           activation="relu").to(device)
    x = [drawn(count, width, device=device) for count in complex.shape]
    gradients = [drawn(count, width, device=device, grad=False) for count in complex.shape]
    faces = {f"faces.{k}": torch.tensor(complex.faces(k)) for k in (1, 2)}
    operators = Operators({**faces, "input.0": x[0]}).to(device)
    peer = Layer({name: tensor.detach() for name, tensor in layer.state_dict().items()}).to(device)
    theirs = [tensor.detach().clone().requires_grad_() for tensor in x]
    return {"gsan": Side(lambda *z: layer(complex, list(z)), x, gradients, layer.parameters()),
            "layer on PyG's softmax and index_add": Side(lambda *z: peer(operators, z), theirs, gradients,
                                                         peer.parameters())}
