"""gsan's Python package beside what a user would pick instead on a GPU, in one process: the same complexes in random and
Morton order, the same numbers and weights. Called by  compare.py --device cuda .

Outputs and gradients of inputs must agree, and rows of the aggregations with float64. Ratios are theirs over ours."""
import gc
import platform

import torch
import torch_geometric

import gsan
from device_cases import gat_aggregation, gat_layer, gatv2_aggregation, gsan_layer
from device_complexes import EdgeGraph, reference_error
from device_timing import DeviceClock
from exported import relative_error, row_error
from turbo import TurboGnn

LARGEST_ERROR = {torch.float32: 1e-4, torch.bfloat16: 2e-2}
PASSES = {"forward": "forward", "forward+backward": "both"}


def gradients_of(side):
    return [tensor.grad for tensor in side.inputs if tensor.grad is not None]


def tensors_of(output):
    return list(output) if isinstance(output, (list, tuple)) else [output]


def drop_gradients(sides):
    for side in sides.values():
        for tensor in (*side.inputs, *side.parameters):
            tensor.grad = None


def errors_between(ours, output, theirs):
    """Differences of outputs and of gradients of inputs; ours has made its pass there and back."""
    pairs = {"output": (relative_error, tensors_of(output), tensors_of(theirs.both()))}
    pairs["input gradient"] = row_error, gradients_of(ours), gradients_of(theirs)
    return {what: max(error(a.detach().float().reshape(b.shape), b.detach().float()) for a, b in zip(*both))
            for what, (error, *both) in pairs.items()}


class DeviceReport:
    def __init__(self, device, clock):
        self.clock, self.device = clock, torch.device(device)
        on_gpu = self.device.type == "cuda"
        properties = torch.cuda.get_device_properties(self.device) if on_gpu else None
        machine = {"device": str(device), "name": properties.name if on_gpu else platform.processor(),
                   "cuda": torch.version.cuda}
        if on_gpu:
            machine |= {"compute_capability": f"{properties.major}.{properties.minor}",
                        "memory_bytes": properties.total_memory, "multiprocessors": properties.multi_processor_count}
        self.report = {"machine": machine,
                       "versions": {"gsan": gsan.__version__, "torch": torch.__version__,
                                    "torch_geometric": torch_geometric.__version__},
                       "copy_bytes_per_second": clock.copy_rate(), "repeats": clock.repeats, "seconds": clock.seconds,
                       "rows": {}, "skipped": []}

    def skip(self, name, reason):
        self.report["skipped"].append({"name": name, "reason": reason})
        print(f"   skipped {name}: {reason}", flush=True)

    def add(self, name, facts, sides, exact=None, dtype=torch.float32):
        """A row for each pass: times, memory, errors. `exact`: scores and values for reference_error."""
        ours = sides["gsan"]
        output = ours.both()  # and gradients in its inputs, for the comparison
        checks = {}
        if exact:
            checks["gsan, rows in float64"] = reference_error(facts["graph"], tensors_of(output)[0], *exact)
        for peer, side in list(sides.items()):
            if peer == "gsan":
                continue
            try:
                errors = errors_between(ours, output, side)
                if dtype == torch.float32:  # peers that sum in bf16 are the less exact ones
                    checks |= {f"{what} and {peer}": error for what, error in errors.items()}
            except Exception as error:  # whatever another package raises: the others are measured
                self.skip(f"{name}, {peer}", f"{type(error).__name__}: {error}".split("\n")[0])
                del sides[peer]
        del output
        told = {key: value for key, value in facts.items() if key != "graph"}
        for what, method in PASSES.items():
            times = {}
            for who, side in sides.items():
                drop_gradients(sides)
                times[who] = self.clock.measure(getattr(side, method))
            own = times.pop("gsan")
            if hasattr(ours, "bytes"):
                own["bytes"] = ours.bytes(what != "forward")
                own["bytes_per_second"] = own["bytes"] / (own["milliseconds"] / 1e3)
                own["percent_of_copy"] = 100 * own["bytes_per_second"] / self.report["copy_bytes_per_second"]
            for peer in times.values():
                peer["ratio"] = peer["milliseconds"] / own["milliseconds"]
            self.report["rows"][f"{name}/{what}"] = {
                **told, "type": str(dtype).split(".")[1], "ours": own, "peers": times, "errors": checks,
                "largest_error": LARGEST_ERROR[dtype]}
            print(f"   {name}/{what}: gsan {own['milliseconds']:.4g} ms" + "".join(
                f", {peer} {found['milliseconds']:.4g} ms" for peer, found in times.items()), flush=True)


def compare_on_device(arguments):
    """Yields the report after each complex: what a long run has measured is not lost with it."""
    device = torch.device(arguments.device)
    if device.type == "cuda":
        device = torch.device("cuda", device.index or 0)  # one name: a complex keeps its tables by the name of the device
        torch.cuda.set_device(device)
    clock = DeviceClock(device, arguments.repeats, arguments.seconds)
    report = DeviceReport(device, clock)
    torch.manual_seed(0)
    turbo = None
    if arguments.turbo_gnn is None:
        report.skip("turbo-gnn", "no checkout of it was given: --turbo-gnn FOLDER")
    else:
        try:
            turbo = TurboGnn(arguments.turbo_gnn)
        except ImportError as error:
            report.skip("turbo-gnn", f"it cannot be imported from {arguments.turbo_gnn}: {error}")
    types = [torch.float32] + [torch.bfloat16] * (device.type == "cuda")
    for points in ((1000,) if arguments.small else (33_000, 333_000)):
        for order in ("random", "morton"):
            graph = EdgeGraph(points, order, device)
            for width in ((8,) if arguments.small else (32, 64)):
                name = f"delaunay-{points}/{order}/F{width}"
                facts = {**graph.facts(), "features": width, "vertex_order": order, "graph": graph}
                report.add(f"{name}/layer", facts, gat_layer(graph, width, device))
                for dtype in types:
                    suffix = ", bf16" if dtype == torch.bfloat16 else ""
                    try:
                        sides, exact = gat_aggregation(graph, width, device, dtype)
                        report.add(f"{name}/aggregation{suffix}", facts, sides, exact, dtype)
                    except RuntimeError as error:  # a build without kernels for it
                        report.skip(f"{name}/aggregation{suffix}", str(error).split("\n")[0])
                sides, exact = gatv2_aggregation(graph, width, device, turbo)
                report.add(f"{name}/gatv2 aggregation", facts, sides, exact)
                del sides
                gc.collect()
            yield report.report
    points = 1000 if arguments.small else 100_000
    for order in ("random", "morton"):
        graph = EdgeGraph(points, order, device)
        width = 8 if arguments.small else 32
        facts = {"simplices": list(graph.complex.shape), "features": width, "vertex_order": order}
        report.add(f"delaunay-{points}/{order}/F{width}/gsan", facts, gsan_layer(graph.complex, width, device))
        yield report.report


def wrong_rows(report):
    return [f"{name}: {what} differs by {error:.1e}" for name, row in report["rows"].items()
            for what, error in row["errors"].items() if not error <= row["largest_error"]]


def device_markdown(report):
    lines = [f"{report['machine']['name']}, torch {report['versions']['torch']}, PyG "
             f"{report['versions']['torch_geometric']}, copy {report['copy_bytes_per_second'] / 1e9:.0f} GB/s. Milliseconds, "
             "medians by CUDA events; peak: MiB that torch's allocator held at most in a pass, above what it held before.", "",
             "| case | gsan, ms | peak | % of copy | peer | ms | peak | ratio | error |",
             "|---|---|---|---|---|---|---|---|---|"]

    def peak(found):
        return f"{(found['peak_bytes'] - found['before_bytes']) / 2 ** 20:.0f}" if "peak_bytes" in found else ""

    for name, row in report["rows"].items():
        own = row["ours"]
        share = f"{own['percent_of_copy']:.0f}" if "percent_of_copy" in own else ""
        worst = max(row["errors"].values(), default=0)
        for peer, found in row["peers"].items() or [("", None)]:
            theirs = (f"{found['milliseconds']:.4g} | {peak(found)} | {found['ratio']:.3g}" if found else " | | ")
            lines.append(f"| {name} | {own['milliseconds']:.4g} | {peak(own)} | {share} | {peer} | {theirs} | {worst:.1e} |")
    lines += ["", *(f"Skipped {entry['name']}: {entry['reason']}." for entry in report["skipped"])]
    return "\n".join(lines).rstrip() + "\n"
