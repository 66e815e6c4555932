"""What a training step costs through the Python module, as a ratio to the same step of the C++ command.

    python benchmarks/python/step_cost.py --gsan build/release/bin/gsan [--data FOLDER] [--points 333000]

Command and Python take turns on the same work, both with freed memory kept by the process (the command by mallopt, Python
by the MALLOC_ variables of docs/python.md):

  proteins   an epoch of PROTEINS in batches of 36 that were made beforehand: GSAN, 3 layers, 32 features, 2 heads, Adam
  edges      forward and backward of a GSAN layer with 32 features on a Delaunay complex of 10^6 edges

On a busy machine --cpu-time compares the processor time of one thread instead; that of the command is the difference of
two runs with few and many repeats.
"""
import argparse
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import time

retained = {"MALLOC_MMAP_MAX_": "0", "MALLOC_TRIM_THRESHOLD_": "17179869184", "MALLOC_TOP_PAD_": "268435456",
            "THP_MEM_ALLOC_ENABLE": "1"}


def time_of(step, arguments, least=3):
    step()
    if arguments.cpu_time:  # the same repeats as of_command() tells apart: those after the first
        step()
        begin = time.process_time()
        for _ in range(arguments.repeats):
            step()
        return (time.process_time() - begin) / arguments.repeats
    times, start = [], time.perf_counter()
    while len(times) < least or time.perf_counter() - start < arguments.seconds:
        begin = time.perf_counter()
        step()
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


def python_proteins(arguments):
    import torch
    import gsan
    data = gsan.datasets.complexes("proteins", path=str(pathlib.Path(arguments.data) / "tu/PROTEINS"))
    batches = list(gsan.data.DataLoader(data, batch_size=36, shuffle=True))
    model = gsan.nn.GSAN(in_channels=data.widths, hidden_channels=32, out_channels=2, n_layers=3, heads=2, length=4,
                         harmonic="skip", activation="relu", readout="pooled")
    optimizer = torch.optim.Adam(model.parameters(), fused=True)

    def epoch():
        for batch in batches:
            optimizer.zero_grad()
            torch.nn.functional.cross_entropy(model(batch), batch.y).backward()
            optimizer.step()

    return time_of(epoch, arguments)


def python_edges(arguments):
    import torch
    import gsan
    torch.manual_seed(0)
    complex = gsan.SimplicialComplex.from_points(torch.rand(arguments.points, 2, dtype=torch.float64))
    complex.max_memory = 1 << 40
    layer = gsan.nn.SimplicialLayer.preset("gsan", 32, 32, length=4, harmonic="skip", activation="relu")
    x = [(2 * torch.rand(n, 32) - 1).requires_grad_() for n in complex.shape]
    gradients = [2 * torch.rand(n, 32) - 1 for n in complex.shape]

    def step():
        layer.zero_grad()
        for v in x:
            v.grad = None
        torch.autograd.backward(layer(complex, x), gradients)

    return time_of(step, arguments)


def of_command(arguments, case):
    if case == "proteins":
        words = ["train", "--filter", "proteins/batches made beforehand", "--look-in", arguments.data]
    else:
        threads = "1 thread" if arguments.threads == 1 else f"{arguments.threads} threads"
        words = ["layer", "--thread-points", str(arguments.points), "--filter",
                 f"threads/delaunay-{arguments.points}/gsan/F32/{threads}"]

    def run(repeats, seconds):
        out = subprocess.run([arguments.gsan, "bench", *words, "--threads", str(arguments.threads), "--repeats",
                              str(repeats), "--seconds", str(seconds), "--json"], capture_output=True, text=True, check=True)
        [found] = json.loads(out.stdout)["cases"]
        return found["milliseconds"] / 1000  # the median

    if not arguments.cpu_time:
        return run(3, arguments.seconds)

    def processor_time(repeats):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        run(repeats, 0)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    few, many = 1, 1 + arguments.repeats  # the command starts no repeat after 60 s: choose so few that all run
    return (processor_time(many) - processor_time(few)) / (many - few)


def of_python(arguments, case):
    words = [sys.executable, __file__, "--only", case, *sys.argv[1:]]
    environment = {**os.environ, **retained, "OMP_NUM_THREADS": str(arguments.threads)}
    return float(subprocess.run(words, capture_output=True, text=True, check=True, env=environment).stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gsan", default="build/release/bin/gsan")
    parser.add_argument("--data", default=os.environ.get("GSAN_HOME", ""), help="folder with tu/PROTEINS")
    parser.add_argument("--points", type=int, default=333_000)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--cpu-time", action="store_true", help="processor time of one thread, for busy machines")
    parser.add_argument("--repeats", type=int, default=10, help="with --cpu-time: repeats that tell the time of a step")
    parser.add_argument("--turns", type=int, default=2)
    parser.add_argument("--cases", nargs="+", default=["proteins", "edges"])
    parser.add_argument("--only", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.cpu_time:
        arguments.threads = 1
    if arguments.only:
        print({"proteins": python_proteins, "edges": python_edges}[arguments.only](arguments))
        return
    for case in arguments.cases:
        command, package = [], []
        for _ in range(arguments.turns):
            command.append(of_command(arguments, case))
            package.append(of_python(arguments, case))
        print(f"{case}: command {1000 * min(command):.1f} ms, Python {1000 * min(package):.1f} ms, "
              f"ratio {min(package) / min(command):.3f}", flush=True)


if __name__ == "__main__":
    main()
