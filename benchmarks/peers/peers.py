"""Runs the packages that a user would pick instead on what `gsan bench … --export` wrote: times them, and compares their
results with ours where the mathematics is the same. Started by compare.py in the peers' environment.

    peers.py FOLDER --threads 2 --output peers.json"""
import argparse
import json
import pathlib
import warnings

warnings.filterwarnings("ignore")

import numpy as np  # noqa: E402
import scipy.sparse as sp  # noqa: E402
import torch  # noqa: E402
import torch_geometric  # noqa: E402
from torch_geometric.nn import GATConv  # noqa: E402

from exported import Exported, boundaries, relative_error, row_error  # noqa: E402
from gsan_layer import Classifier, Layer, Operators  # noqa: E402
from timing import milliseconds  # noqa: E402


def gat_conv(data, measure):
    """PyG's GATConv over edges that share a vertex, with our W and a."""
    B1 = boundaries(data.tensors)[0]
    pairs = (B1.T @ B1).tocoo()  # the diagonal is there: an edge is its own neighbour
    index = torch.tensor(np.stack([pairs.col, pairs.row]), dtype=torch.long)  # from, to
    weights = data.group("weight.")
    width = data["input.1"].shape[1]
    conv = GATConv(width, width, heads=1, add_self_loops=False, bias=False)
    a = weights["attention_1_lower_1.a"].view(2, 1, 1, width)  # the receiving half first
    with torch.no_grad():
        conv.lin.weight.copy_(weights["own_1_lower"].view(width, width).T)
        conv.att_dst.copy_(a[0])
        conv.att_src.copy_(a[1])
    x, gradient = data["input.1"].requires_grad_(), data["output_gradient.1"]

    def forward():
        with torch.no_grad():
            return conv(x, index)

    def both():
        x.grad = None
        conv.zero_grad()
        conv(x, index).backward(gradient)

    times = measure({"forward": forward, "forward+backward": both})
    return {"peer": "PyG GATConv", "cases": times,
            "errors": {"output": relative_error(data["output.1"], forward()),
                       "input gradient": row_error(data["input_gradient.1"], x.grad)}}


def san_layer(data, measure):
    """TopoModelX's SANLayer, two powers on both sides. Its scores are ELU(a·[h_j, h_i]) where ours are
    LeakyReLU(a·[h_i, h_j]), and a simplex without cofaces has no upper neighbour there, itself as one here: the work is
    the same, the numbers are not."""
    from topomodelx.nn.simplicial.san_layer import SANLayer
    k = int(data.case.split("citation-")[1].split("/")[0])
    matrices = boundaries(data.tensors)
    down, up = matrices[k - 1], matrices[k]

    def coo(matrix):
        matrix = matrix.tocoo()
        return torch.sparse_coo_tensor(np.stack([matrix.row, matrix.col]),
                                       torch.tensor(matrix.data, dtype=torch.float32), matrix.shape).coalesce()

    lower, upper, identity = coo(down.T @ down), coo(up @ up.T), coo(sp.eye(down.shape[1]))
    x, gradient = data[f"input.{k}"].requires_grad_(), data[f"output_gradient.{k}"]
    layer = SANLayer(x.shape[1], x.shape[1], 2)

    def forward():
        with torch.no_grad():
            return layer(x, upper, lower, identity)

    def both():
        x.grad = None
        layer.zero_grad()
        layer(x, upper, lower, identity).backward(gradient)

    return {"peer": "TopoModelX SANLayer", "cases": measure({"forward": forward, "forward+backward": both}),
            "errors": {}, "remark": "other scores (ELU, halves swapped): no agreement expected"}


def gsan_layer(data, measure):
    layer, operators = Layer(data.group("weight.")), Operators(data.tensors)
    Z = [data[f"input.{k}"].requires_grad_() for k in range(3)]
    gradients = [data[f"output_gradient.{k}"] for k in range(3)]

    def forward():
        with torch.no_grad():
            return layer(operators, Z)

    def both():
        layer.zero_grad()
        for z in Z:
            z.grad = None
        torch.autograd.backward(layer(operators, Z), gradients)

    times = measure({"forward": forward, "forward+backward": both})
    errors = {f"output of order {k}": relative_error(data[f"output.{k}"], y) for k, y in enumerate(forward())}
    errors |= {f"input gradient of order {k}": row_error(data[f"input_gradient.{k}"], z.grad)
               for k, z in enumerate(Z)}
    return {"peer": "layer on PyG's softmax and index_add", "cases": times, "errors": errors}


def protein_epoch(data, measure):
    model = Classifier(data.group("weight."))
    optimizer = torch.optim.Adam(model.parameters(), 1e-3)
    batches, expected = [], []
    while f"batch.{len(batches)}.labels" in data.tensors:
        tensors = data.group(f"batch.{len(batches)}.")
        parts = []
        for k in range(3):
            offsets = tensors[f"parts.{k}"]
            parts.append(torch.repeat_interleave(torch.arange(len(offsets) - 1), offsets.diff()))
        Z = [tensors[f"input.{k}"] for k in range(3)]
        batches.append((Operators(tensors), Z, parts, len(tensors["labels"]), tensors["labels"]))
        expected.append(tensors["output"])
    with torch.no_grad():
        errors = {"output": max(relative_error(ours, model(*batch[:4])) for ours, batch in zip(expected, batches))}

    def epoch():
        for *given, labels in batches:
            optimizer.zero_grad()
            torch.nn.functional.cross_entropy(model(*given), labels).backward()
            optimizer.step()

    return {"peer": "layer on PyG's softmax and index_add",
            "cases": measure({"batches made beforehand": epoch}), "errors": errors}


def peer_of(case):
    if case.startswith("attention/"):
        return gat_conv
    if case.startswith("train/proteins"):
        return protein_epoch
    return san_layer if "/san/" in case else gsan_layer


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--output", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)

    def measure(runs):
        return {name: milliseconds(run, arguments.repeats, arguments.seconds) for name, run in runs.items()}

    report = {"torch": torch.__version__, "torch_geometric": torch_geometric.__version__, "threads": arguments.threads,
              "cases": {}}
    for path in sorted(arguments.folder.glob("*.safetensors")):
        data = Exported(path)
        result = peer_of(data.case)(data, measure)
        case = data.case.split("/", 1)[1]
        for name, times in result["cases"].items():
            report["cases"][f"{case}/{name}"] = {**times, "peer": result["peer"], "errors": result["errors"],
                                                 "remark": result.get("remark", "")}
        print(f"   {result['peer']}, {case}: "
              + ", ".join(f"{name} {times['milliseconds']:.4g} ms" for name, times in result["cases"].items()), flush=True)
    arguments.output.write_text(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()
