"""What a training step costs through the Python module, as a ratio to the same step of the C++ command.

    python benchmarks/python/step_cost.py --gsan build/release/bin/gsan --data FOLDER [--turns 8]

Two cases:

  proteins   an epoch of PROTEINS in batches that were made beforehand: GSAN, 3 layers, 32 features, 2 heads, Adam. Python
             trains on the very batches of the command, from its weights; the outputs are compared before
  edges      forward and backward of a GSAN layer with 32 features on a Delaunay complex of 10^6 edges

Command and Python take turns; every turn gives one ratio of the two medians, and what is printed is the median of these
ratios with the least and the largest. A program that runs beside disturbs single turns, hence the median; it also takes
processor time from neither of the two, hence the same ratios of processor time (of all threads) beside those of the clock.
Both keep freed memory (the command by mallopt, Python by the MALLOC_ variables of docs/python.md).
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

retained = {"MALLOC_MMAP_MAX_": "0", "MALLOC_TRIM_THRESHOLD_": "17179869184", "MALLOC_TOP_PAD_": "268435456",
            "THP_MEM_ALLOC_ENABLE": "1"}


least_runs = 5


def run_command(arguments, case, seconds, repeats=least_runs, *more):
    if case == "proteins":
        words = ["train", "--filter", "proteins/batches made beforehand", "--look-in", arguments.data]
    else:
        threads = "1 thread" if arguments.threads == 1 else f"{arguments.threads} threads"
        words = ["layer", "--thread-points", str(arguments.points), "--filter",
                 f"threads/delaunay-{arguments.points}/gsan/F32/{threads}"]
    out = subprocess.run([arguments.gsan, "bench", *words, "--threads", str(arguments.threads), "--repeats", str(repeats),
                          "--seconds", str(seconds), "--json", *more], capture_output=True, text=True)
    if out.returncode != 0:
        sys.exit(f"gsan bench: {out.stderr}")
    cases = json.loads(out.stdout)["cases"]
    if len(cases) != 1:
        sys.exit(f"gsan bench: expected one case for {case}, got {[entry['name'] for entry in cases]}: {out.stderr}")
    return cases[0]


def command_times(arguments, case):
    found = run_command(arguments, case, arguments.seconds)
    return {"median": found["milliseconds"], "least": found["min_milliseconds"], "cpu": found["processor_milliseconds"]}


def parts_of(tensors, prefix):
    """The complexes of an exported batch, from its face tables and the offsets of its parts."""
    import numpy
    import gsan
    offsets = [tensors[f"{prefix}parts.{k}"].numpy() for k in range(3)]
    tables = [numpy.arange(offsets[0][-1])[:, None]]
    for k in (1, 2):  # face 0 omits the first vertex, face k the last one
        faces = tensors[f"{prefix}faces.{k}"].numpy() if f"{prefix}faces.{k}" in tensors else numpy.zeros((0, k + 1), int)
        tables.append(numpy.concatenate([tables[k - 1][faces[:, k], :1], tables[k - 1][faces[:, 0]]], axis=1))
    made = []
    for p in range(len(offsets[0]) - 1):
        of_part = [table[first[p]:first[p + 1]] - offsets[0][p] for table, first in zip(tables, offsets)]
        while of_part and len(of_part[-1]) == 0:
            of_part.pop()
        made.append(gsan.SimplicialComplex.from_sorted_tables(of_part))
    return made


def proteins_step(arguments):
    import torch
    import gsan
    with tempfile.TemporaryDirectory() as folder:
        found = run_command(arguments, "proteins", 0, 1, "--export", folder)
        [file] = [os.path.join(place, name) for place, _, names in os.walk(folder) for name in names
                  if name.endswith(".safetensors")]
        tensors = dict(gsan._core.read_tensors(file))
    batches = []
    for b in range(found["steps"]):
        x = [tensors[f"batch.{b}.input.{k}"] for k in range(3)]
        batches.append(gsan.data.Batch(parts_of(tensors, f"batch.{b}."), x, tensors[f"batch.{b}.labels"]))
    model = gsan.nn.GSAN(in_channels=[x.shape[1] for x in batches[0].x], hidden_channels=32, out_channels=2, n_layers=3,
                         heads=2, length=4, harmonic="skip", activation="relu", readout="pooled")
    model.load_state_dict({name.removeprefix("weight."): value for name, value in tensors.items()
                           if name.startswith("weight.")})
    with torch.no_grad():
        same = sum(torch.equal(model(batch), tensors[f"batch.{b}.output"]) for b, batch in enumerate(batches))
    print(f"proteins: {same} of {len(batches)} batches have the output of the command, bit for bit", file=sys.stderr)
    optimizer = torch.optim.Adam(model.parameters(), fused=True)

    def epoch():
        for batch in batches:
            optimizer.zero_grad()
            torch.nn.functional.cross_entropy(model(batch), batch.y).backward()
            optimizer.step()

    return epoch


def edges_step(arguments):
    import torch
    import gsan
    torch.manual_seed(0)
    complex = gsan.SimplicialComplex.from_points(torch.rand(arguments.points, 2, dtype=torch.float64))
    complex.max_memory = 1 << 40
    layer = gsan.nn.SimplicialLayer.preset("gsan", 32, 32, length=4, harmonic="skip", activation="relu")
    x = [(2 * torch.rand(n, 32) - 1).requires_grad_() for n in complex.shape]
    gradients = [2 * torch.rand(n, 32) - 1 for n in complex.shape]

    last = []

    def step():
        layer.zero_grad()
        for v in x:
            v.grad = None
        last[:] = layer(complex, x)  # kept until the next ones are there, as in the command
        torch.autograd.backward(last, gradients)

    return step


def measure(step, seconds):
    """Milliseconds: once to warm up, then as the command does."""
    step()
    times, start = [], time.process_time()
    while len(times) < least_runs or sum(times) < seconds:
        begin = time.perf_counter()
        step()
        times.append(time.perf_counter() - begin)
    cpu = (time.process_time() - start) / len(times)
    return {"median": 1e3 * statistics.median(times), "least": 1e3 * min(times), "cpu": 1e3 * cpu}


def serve(arguments):
    """The Python side: made once, measures whenever a line comes."""
    step = {"proteins": proteins_step, "edges": edges_step}[arguments.only](arguments)
    measure(step, 0)
    print("ready", flush=True)
    for _ in sys.stdin:
        print(json.dumps(measure(step, arguments.seconds)), flush=True)


class PythonSide:
    def __init__(self, arguments, case):
        environment = {**os.environ, **retained, "OMP_NUM_THREADS": str(arguments.threads)}
        self.process = subprocess.Popen([sys.executable, __file__, *sys.argv[1:], "--only", case], env=environment,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if self.process.stdout.readline() != "ready\n":
            sys.exit(f"the Python side of {case} did not start")

    def times(self):
        self.process.stdin.write("go\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def compare(arguments, case):
    python = PythonSide(arguments, case)
    turns = []
    for turn in range(arguments.turns):
        sides = {"command": lambda: command_times(arguments, case), "python": python.times}
        order = list(sides) if turn % 2 == 0 else list(sides)[::-1]
        turns.append({name: sides[name]() for name in order})
        print(f"  {case} turn {turn}: " + ", ".join(
            f"{key} {turns[-1]['command'][key]:.1f} / {turns[-1]['python'][key]:.1f} ms" for key in ("median", "cpu")),
              file=sys.stderr, flush=True)
    python.close()
    result = {"case": case, "threads": arguments.threads, "turns": len(turns)}
    for key, name in (("median", "wall"), ("cpu", "processor")):
        ratios = [turn["python"][key] / turn["command"][key] for turn in turns]
        result[name] = {"command_ms": statistics.median(turn["command"][key] for turn in turns),
                        "python_ms": statistics.median(turn["python"][key] for turn in turns),
                        "ratio": statistics.median(ratios), "least": min(ratios), "largest": max(ratios)}
    best = {side: min(turn[side]["least"] for turn in turns) for side in ("command", "python")}
    result["ratio_of_least"] = best["python"] / best["command"]
    for name in ("wall", "processor"):
        found = result[name]
        print(f"{case}, {name} time: command {found['command_ms']:.1f} ms, Python {found['python_ms']:.1f} ms, "
              f"ratio {found['ratio']:.3f} ({found['least']:.3f} … {found['largest']:.3f} in {len(turns)} turns)")
    print(f"{case}, fastest run of each: ratio {result['ratio_of_least']:.3f}", flush=True)
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gsan", default="build/release/bin/gsan")
    parser.add_argument("--data", default=os.environ.get("GSAN_HOME", ""), help="folder with tu/PROTEINS")
    parser.add_argument("--points", type=int, default=333_000, help="of the Delaunay complex; edges are three times as many")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--seconds", type=float, default=1.0, help="of each side in each turn, at the least")
    parser.add_argument("--turns", type=int, default=8)
    parser.add_argument("--cases", nargs="+", default=["proteins", "edges"], choices=["proteins", "edges"])
    parser.add_argument("--json", help="file for the numbers")
    parser.add_argument("--only", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.only:
        serve(arguments)
        return
    results = [compare(arguments, case) for case in arguments.cases]
    if arguments.json:
        with open(arguments.json, "w") as file:
            json.dump(results, file, indent=1)


if __name__ == "__main__":
    main()
