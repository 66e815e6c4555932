#!/usr/bin/env python3
"""Ours and what a user would pick instead, side by side: the same complexes, signals and weights, the same number of
threads, and each way to set malloc up for both.

    python3 benchmarks/peers/compare.py                 # everything
    python3 benchmarks/peers/compare.py --small         # tiny sizes: does it run, do the results agree?
    python3 benchmarks/peers/compare.py --subjects gat gsan --look-in FOLDER_OF_DATASETS
    python3 benchmarks/peers/compare.py --device cuda --turbo-gnn FOLDER    # on a GPU, in this process (device_compare.py)

Both are timed on the same complexes in random order, as data arrive, and along a Hilbert curve (--order). Results are compared where the mathematics is the same: PyG's GATConv and the layer on PyG's softmax with our weights must
give our outputs and gradients. Ratios are theirs over ours. Writes compare.json and compare.md into build/peers.

With --device the Python that runs this script must import gsan (PYTHONPATH=build/…/python), torch_geometric and scipy."""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys

from environment import ROOT, python_with_peers

HERE = pathlib.Path(__file__).resolve().parent

# glibc keeps freed memory: without this every large tensor costs a page fault per 4 KiB.
RETAINED = {"MALLOC_MMAP_THRESHOLD_": "4294967296", "MALLOC_TRIM_THRESHOLD_": "17179869184",
            "MALLOC_TOP_PAD_": "268435456", "THP_MEM_ALLOC_ENABLE": "1"}
SETTINGS = {"default": {}, "retained": RETAINED}

# Largest error relative to the largest number, both sides being float32.
LARGEST_ERROR = 1e-4

# Subject → arguments of `gsan bench`; GATConv with 64 features on 10^6 edges would need more than 20 GiB.
WORK = {
    "gat": ["attention", "--filter", "/forward", "--points", "33000", "--features", "32,64"],
    "gat-million": ["attention", "--filter", "/forward", "--points", "333000", "--features", "32"],
    "san": ["layer", "--filter", "/san/", "--orders", "1,2", "--features", "32"],
    "san-4": ["layer", "--filter", "/san/", "--orders", "4", "--features", "32"],
    "san-4-wide": ["layer", "--filter", "/san/", "--orders", "4", "--features", "256"],
    "gsan": ["layer", "--filter", "/gsan/F32/forward"],
    "proteins": ["train", "--filter", "proteins/batches made beforehand"],
}
SMALL = {
    "gat": ["attention", "--filter", "/forward", "--points", "1000", "--features", "16"],
    "san": ["layer", "--filter", "/san/", "--orders", "1", "--features", "8"],
    "gsan": ["layer", "--filter", "/gsan/F8/forward", "--points", "1000", "--width", "8"],
    "proteins": WORK["proteins"],
}

# Complexes that are drawn, in any order of their vertices; the others are as their files have them.
DRAWN = ("gat", "gat-million", "gsan")


def without_malloc_variables():
    return {name: value for name, value in os.environ.items() if not name.startswith(("MALLOC_", "THP_"))}


def run_ours(arguments, work, order, environment, folder, exports):
    """Our cases by name. `--allocator default` leaves malloc to the environment, as it is for the others."""
    command = [arguments.gsan, "bench", *work, "--threads", str(arguments.threads), "--repeats",
               str(arguments.repeats), "--seconds", str(arguments.seconds), "--allocator", "default", "--json"]
    if exports:
        command += ["--export", str(folder)]
    if work[0] != "train":
        command += ["--order", order]
    if work[0] != "attention":
        for place in arguments.look_in:
            command += ["--look-in", place]
    run = subprocess.run(command, env=environment, capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"error: {' '.join(command)}\n{run.stderr}")
    return json.loads(run.stdout)


def run_theirs(arguments, python, environment, folder):
    output = folder / "peers.json"
    subprocess.run([str(python), str(HERE / "peers.py"), str(folder), "--threads", str(arguments.threads), "--repeats",
                    str(arguments.repeats), "--seconds", str(arguments.seconds), "--output", str(output)],
                   env=environment, check=True)
    return json.loads(output.read_text())


def compare(arguments, python):
    """Yields the report after each subject: what a long run has measured is not lost with it."""
    report = {"machine": {}, "threads": arguments.threads, "orders": arguments.order, "versions": {}, "malloc": SETTINGS,
              "roofline": {}, "rows": {}, "skipped": []}
    base = dict(without_malloc_variables(), OMP_NUM_THREADS=str(arguments.threads))
    folder = arguments.output / "export"
    chosen = SMALL if arguments.small else WORK
    work = [(subject, order) for subject in arguments.subjects or chosen if subject in chosen
            for order in (arguments.order if subject in DRAWN else arguments.order[:1])]
    for subject, order in work:
        shutil.rmtree(folder, ignore_errors=True)
        for setting, variables in SETTINGS.items():
            print(f"== gsan bench {' '.join(chosen[subject])}, {order} order, malloc {setting}", flush=True)
            environment = {**base, **variables}
            ours = run_ours(arguments, chosen[subject], order, environment, folder, exports=setting == "default")
            if setting == "default":
                report["skipped"] += ours["skipped"]
            if not folder.is_dir():
                break
            theirs = run_theirs(arguments, python, environment, folder)
            report["machine"] = {name: value for name, value in ours["machine"].items() if name != "allocator"}
            report["versions"] = {key: theirs[key] for key in ("torch", "torch_geometric")}
            report["roofline"].setdefault(setting, []).append(ours["roofline"])
            add_rows(report["rows"], setting, order if subject in DRAWN else None, ours["cases"], theirs["cases"])
        yield report
    shutil.rmtree(folder, ignore_errors=True)


def add_rows(rows, setting, order, ours, theirs):
    for case in ours:
        other = theirs.get(case["name"])
        if other is None:
            continue
        name = case["name"] if order is None else f"{case['name']}, {order}"
        row = rows.setdefault(name, {"peer": other["peer"], "errors": other["errors"], "remark": other["remark"]})
        row[setting] = {"ours": case, "theirs": other, "ratio": other["milliseconds"] / case["milliseconds"],
                        "ratio_of_least": other["min_milliseconds"] / case["min_milliseconds"]}


def agreement(row):
    if not row["errors"]:
        return "other formula"
    return f"{max(row['errors'].values()):.1e}"


def markdown(report):
    machine = report["machine"]
    lines = []
    if machine:
        lines += [f"{machine['processor']}, {report['threads']} threads, kernels {machine['kernels']}, torch "
                  f"{report['versions']['torch']}, PyG {report['versions']['torch_geometric']}; the order "
                  "of the vertices is that of the row. Milliseconds, ours / theirs, and theirs over ours, medians (least times in "
                  "brackets); error: largest difference of outputs and gradients, relative to the largest number.", ""]
    lines += ["| case | peer | malloc's default | ratio | retained memory | ratio | error |",
              "|---|---|---|---|---|---|---|"]
    for name, row in report["rows"].items():
        cells = []
        for setting in SETTINGS:
            both = row[setting]
            cells += [f"{both['ours']['milliseconds']:.4g} / {both['theirs']['milliseconds']:.4g}",
                      f"{both['ratio']:.3g} ({both['ratio_of_least']:.3g})"]
        lines.append(f"| {name} | {row['peer']} | {' | '.join(cells)} | {agreement(row)} |")
    lines += ["", *sorted({f"{row['peer']}: {row['remark']}." for row in report["rows"].values() if row["remark"]})]
    lines += [f"Skipped {entry['name']}: {entry['reason']}." for entry in report["skipped"]]
    return "\n".join(lines).rstrip() + "\n"


def write_report(arguments, report, text):
    (arguments.output / "compare.json").write_text(json.dumps(report, indent=2) + "\n")
    (arguments.output / "compare.md").write_text(text)


def main_on_device(arguments):
    try:
        from device_compare import compare_on_device, device_markdown, wrong_rows
        import torch
    except ImportError as error:
        sys.exit(f"error: --device needs gsan (PYTHONPATH=build/…/python), torch_geometric and scipy: {error}")
    if arguments.device.startswith("cuda") and not torch.cuda.is_available():
        sys.exit(f"error: --device {arguments.device}: torch finds no GPU here; --device cpu --small tries the script out")
    for report in compare_on_device(arguments):
        write_report(arguments, report, device_markdown(report))
    print(device_markdown(report))
    return wrong_rows(report)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gsan", default=str(ROOT / "build" / "release" / "bin" / "gsan"), help="the command")
    parser.add_argument("--subjects", nargs="+", choices=WORK, help="(default: all)")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--order", nargs="+", choices=("random", "hilbert", "bisection", "cuthill-mckee"), default=["random", "hilbert"],
                        help="of the vertices, for ours and theirs (default: both random and hilbert)")
    parser.add_argument("--look-in", action="append", default=[], help="a folder of datasets, only read")
    parser.add_argument("--small", action="store_true", help="tiny sizes, one repeat")
    parser.add_argument("--python", help="an interpreter that has the peers (default: build/peers-venv, made with pip)")
    parser.add_argument("--device", help="compare the Python package on this device: cuda, cuda:N, or cpu to try it out")
    parser.add_argument("--turbo-gnn", type=pathlib.Path, help="with --device: a checkout of turbo-gnn, built")
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "build" / "peers")
    arguments = parser.parse_args()
    if arguments.small:
        arguments.repeats, arguments.seconds = 1, 0.0
    arguments.output.mkdir(parents=True, exist_ok=True)
    if arguments.device:
        return finish(main_on_device(arguments))
    if not pathlib.Path(arguments.gsan).is_file():
        sys.exit(f"error: {arguments.gsan} is not there; build the command first, or name it with --gsan")
    python = arguments.python or python_with_peers()
    for report in compare(arguments, python):
        write_report(arguments, report, markdown(report))
    print(markdown(report))
    wrong = [f"{name}: {what} differs by {error:.1e}" for name, row in report["rows"].items()
             for what, error in row["errors"].items() if not error <= LARGEST_ERROR]
    finish(wrong)


def finish(wrong):
    if wrong:
        sys.exit("error: results disagree\n" + "\n".join(wrong))


if __name__ == "__main__":
    main()
