#!/usr/bin/env python3
"""How much faster a training is with several processes, and how much of a step they spend on telling each other gradients.

    .venv/bin/python3 benchmarks/ranks.py --binary build/release/bin/gsan --output ranks.json

Epochs of graph-classification on PROTEINS (GSAN_DATA or --data says where it is) by `gsan train --processes N --threads 1`, as results.json
has them: without the first epoch of a run, with validation. Runs of all numbers of processes take turns, so that a machine that grows slower
is slow for all; the medians count. N processes have N cores. The exchange is torch's all-gather of the bytes that a step of so many parameters sends, between as many
processes on this machine, and the sum over the micro-batches: what gsan does after the backward pass. Run it on a quiet machine with at least as many cores as
processes, and torch for this Python."""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

MICRO_BATCHES = 4


def take_cores(count):
    """As many cores as processes: beside its one thread a process prepares batches, which must not take another's core."""
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:count])


def epoch_seconds(binary, processes, epochs, words, folder):
    """Seconds of an epoch, and the whole record of the run."""
    subprocess.run([binary, "train", "graph-classification", "--processes", str(processes), "--threads", "1", "--quiet",
                    f"train.epochs={epochs}", f"train.micro_batches={MICRO_BATCHES}", "--output", str(folder), *words],
                   check=True, stdout=subprocess.DEVNULL, preexec_fn=lambda: take_cores(processes))
    record = json.loads((folder / "results.json").read_text())
    return record["epoch_seconds"], record


def exchange(parameters, repeats):
    """One of the processes of --exchange, started by torchrun: medians of its rounds, from rank 0."""
    import time

    import torch
    import torch.distributed as dist

    torch.set_num_threads(1)
    dist.init_process_group("gloo")
    slots = -(-MICRO_BATCHES // dist.get_world_size())
    own = torch.randn(slots * parameters)
    all_ = [torch.empty_like(own) for _ in range(dist.get_world_size())]
    seconds = []
    for _ in range(repeats):
        dist.barrier()
        began = time.perf_counter()
        dist.all_gather(all_, own)
        total = all_[0][:parameters].clone()
        for i in range(1, MICRO_BATCHES):
            rank, slot = divmod(i, slots)
            total.add_(all_[rank][slot * parameters:(slot + 1) * parameters])
        seconds.append(time.perf_counter() - began)
    if dist.get_rank() == 0:
        print(json.dumps(statistics.median(seconds)))
    dist.destroy_process_group()


def exchange_seconds(processes, parameters, repeats):
    words = [sys.executable, "-m", "torch.distributed.run", "--standalone", f"--nproc-per-node={processes}", __file__,
             "--exchange", str(parameters), "--repeats", str(repeats)]
    run = subprocess.run(words, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                         env={**os.environ, "OMP_NUM_THREADS": "1"})
    return json.loads(run.stdout.strip().splitlines()[-1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default="build/release/bin/gsan")
    parser.add_argument("--processes", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--epochs", type=int, default=20, help="of a run; the first is not counted, and some after it are slow")
    parser.add_argument("--repeats", type=int, default=3, help="runs of each number of processes")
    parser.add_argument("--parameters", type=int, default=40000, help="of the model whose exchange is timed")
    parser.add_argument("--output", help="JSON file of what was measured")
    parser.add_argument("--exchange", type=int, help=argparse.SUPPRESS)
    options, words = parser.parse_known_args()
    if options.exchange:
        return exchange(options.exchange, options.repeats)

    found = {n: [] for n in options.processes}
    with tempfile.TemporaryDirectory() as scratch:
        for repeat in range(options.repeats):
            for n in options.processes:
                seconds, record = epoch_seconds(options.binary, n, options.epochs, words, pathlib.Path(scratch) / f"{n}-{repeat}")
                found[n].append(seconds)
                print(f"{n} processes, run {repeat + 1} of {options.repeats}: {seconds:.3f} s an epoch", file=sys.stderr)
        # Steps of an epoch: the training items in batches.
        checked = subprocess.run([options.binary, "train", "graph-classification", "--check", "--json", "--threads", "1", *words],
                                 check=True, stdout=subprocess.PIPE, text=True)
        steps = json.loads(checked.stdout)["steps_per_epoch"]
    first = statistics.median(found[options.processes[0]])
    report = {"parameters_of_the_model": record["parameters"], "steps_per_epoch": steps, "processes": {}}
    for n, seconds in found.items():
        median = statistics.median(seconds)
        row = {"epoch_seconds": seconds, "median": median, "times_faster": first / median}
        if n > 1:
            row["exchange_seconds"] = exchange_seconds(n, options.parameters, 300)
            row["exchange_parameters"] = options.parameters
            row["share_of_step"] = row["exchange_seconds"] / (median / steps)
        report["processes"][n] = row
        share = f", {options.parameters} parameters exchanged in {1e3 * row['exchange_seconds']:.2f} ms: {100 * row['share_of_step']:.1f} % of a step" if n > 1 else ""
        print(f"{n} x 1 thread: {median:.3f} s an epoch, {first / median:.2f} times as fast{share}")
    if options.output:
        pathlib.Path(options.output).write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
