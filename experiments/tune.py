#!/usr/bin/env python3
"""The same small budget of tuning for every model of the strict tables: eight trials, chosen by validation.

    experiments/tune.py [--gsan build/release/bin/gsan] [--tables trajectory ...] [--minutes 30] [--jobs 2] [--device cuda]

For every model and column of a strict table: `gsan sweep` draws eight settings of one space and trains each once, on one fold or split of seed 100,
which no row uses but those of 200 splits (the graphs of that fold are in others of the table). The trial with the best validation is the row's setting: it is written into strict/tuned/TASK.yaml, which the rows of the table
use, and all trials into searches/strict_TASK.csv. No number of a test part is read. The same command goes on where it stopped; then
`gsan reproduce TABLE --protocol strict` measures the table's seeds.
"""
import argparse
import concurrent.futures
import csv
import io
import json
import pathlib
import re
import subprocess
import sys
import time

EXPERIMENTS = pathlib.Path(__file__).resolve().parent
SEED, TRIALS = 100, 8
SPACE = ["train.optimizer.learning_rate=3e-4..3e-2:log", "train.optimizer.weight_decay=1e-5..1e-2:log", "model.hidden_channels=8,16,32",
         "model.n_layers=1,2,3"]
# What the trials of a table start from, where that is not strict/TABLE.yaml.
BASES = {"graph-classification": "graph-classification_models"}
KEYS = [axis.split("=")[0] for axis in SPACE]
# What tells the columns of a table apart: a setting for each.
CONDITIONS = {"data.name": "data", "simplex-prediction.order": "order", "imputation.order": "order"}


def cells(table, plan):
    """(set, condition) of every model and column whose config is tuned. Of rows that share a condition, an ablation among them, the one that sets least."""
    found = {}
    for column in plan["columns"]:
        for row in plan["rows"]:
            if row.get("config") != f"strict/tuned/{table}.yaml" or "rule" in row:
                continue
            words = {name: str(value) for name, value in column.items() if isinstance(value, str)}
            set_ = [text.format(**words) for text in plan.get("set", []) + column.get("set", []) + row.get("set", [])]
            values = dict(text.split("=", 1) for text in set_)
            condition = (("model", values["model.name"]), *((short, values[key]) for key, short in CONDITIONS.items() if key in values))
            if condition not in found or len(set_) < len(found[condition]):
                found[condition] = set_
    return [(set_, dict(condition)) for condition, set_ in found.items()]


def trials_of(folder, condition):
    """The trials of a finished sweep, best first, without their test numbers. Of equal ones the smaller loss is better, as of the epochs of a run: forty
    walks or a hundred graphs give few values."""
    rows = [row for row in csv.DictReader(io.StringIO((folder / "ranking.csv").read_text())) if row["rank"]]
    order = list(dict.fromkeys(row["validation_mean"] for row in rows))
    trials = []
    for row in rows:
        record = json.loads((folder / row["trial"] / f"seed-{SEED}/results.json").read_text())
        trials.append({**condition, **{key: row[key] for key in KEYS}, "validation": row["validation_mean"],
                       "validation_loss": record["validation"]["loss"]})
    trials.sort(key=lambda trial: (order.index(trial["validation"]), trial["validation_loss"]))
    return [{"rank": str(rank), **trial} for rank, trial in enumerate(trials, 1)]


def known_trials(file):
    return list(csv.DictReader(file.open(encoding="utf-8"))) if file.exists() else []


def write_trials(file, trials):
    with file.open("w", newline="", encoding="utf-8") as out:
        writer = csv.DictWriter(out, sorted({name for trial in trials for name in trial}), lineterminator="\n")
        writer.writeheader()
        writer.writerows(trials)


def base_of(table):
    return BASES.get(table, table)


def tuned_yaml(table, chosen):
    lines = [f"# Where experiments/tune.py writes what eight trials on validation choose for each model (seed {SEED}, of rows with 200 splits alone). A model without",
             "# an entry has not been tuned: it runs with the standard settings.",
             f"extends: ../{base_of(table)}.yaml"]
    if chosen:
        lines.append("when:")
    for condition, keys in chosen:
        lines.append("  - if: {" + ", ".join(f"{name}: {value}" for name, value in condition.items()) + "}")
        lines += [f"    {key}: {value}" for key, value in keys.items()]
    return "\n".join(lines) + "\n"


def sweep(table, set_, condition, words, jobs, until):
    """The trials of one model, trained now; none when it is too late to begin."""
    if time.monotonic() > until:
        return []
    folder = words.sweeps / "_".join([table, *condition.values()])
    command = [words.gsan, "sweep", EXPERIMENTS / f"strict/{base_of(table)}.yaml", *set_, *words.set, "--trials", str(TRIALS), "--seed", str(SEED),
               "--jobs", str(jobs), "--threads", "1", "--device", words.device, "--quiet", "--json", "--output", folder]
    for axis in SPACE:
        command += ["--random", axis]
    print(table, condition, flush=True)
    done = subprocess.run(list(map(str, command)), stdout=subprocess.DEVNULL, check=False)
    if done.returncode not in (0, 8):  # 8: some trial failed; it has no rank
        sys.exit(done.returncode)
    return trials_of(folder, condition)


def tune(table, words, until):
    plan = json.loads((EXPERIMENTS / "tables.json").read_text())["tables"][table]["strict"]
    file = EXPERIMENTS / f"searches/strict_{table}.csv"
    trials = known_trials(file)  # of other sittings and machines
    all_cells = cells(table, plan)

    def of(condition):
        return [trial for trial in trials if all(trial[name] == value for name, value in condition.items())]

    def write():
        chosen = [(condition, {key: of(condition)[0][key] for key in KEYS}) for _, condition in all_cells if of(condition)]
        write_trials(file, [trial for _, condition in all_cells for trial in of(condition)])
        (EXPERIMENTS / f"strict/tuned/{table}.yaml").write_text(tuned_yaml(table, chosen))

    at_once = max(1, words.jobs // TRIALS)
    with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
        sweeps = [pool.submit(sweep, table, set_, condition, words, -(-words.jobs // at_once), until) for set_, condition in all_cells
                  if not of(condition) and re.search(words.only, " ".join(condition.values()))]
        for done in concurrent.futures.as_completed(sweeps):
            trials += done.result()
            write()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--gsan", default="gsan", help="the command")
    parser.add_argument("--tables", nargs="+", default=["trajectory", "graph-classification", "simplex-prediction"])
    parser.add_argument("--minutes", type=float, default=1e6, help="start no sweep after so long")
    parser.add_argument("--jobs", type=int, default=2, help="trials at the same time; from twice eight on of several models")
    parser.add_argument("--only", default="", help="regular expression of what is tuned: \"^(gin|sat) proteins\"")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--sweeps", type=pathlib.Path, default=pathlib.Path("sweeps/strict"), help="run folders of the trials")
    parser.add_argument("--set", action="append", default=[], help="key=value for every trial, to try the script")
    words = parser.parse_args()
    until = time.monotonic() + 60 * words.minutes
    for table in words.tables:
        tune(table, words, until)


if __name__ == "__main__":
    main()
