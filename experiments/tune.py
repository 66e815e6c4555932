#!/usr/bin/env python3
"""The same small budget of tuning for every model of the strict tables: eight trials, chosen by validation.

    experiments/tune.py [--gsan build/release/bin/gsan] [--tables trajectory ...] [--minutes 30] [--jobs 2]

For every model and column of a strict table: `gsan sweep` draws eight settings of one space and trains each once, on one fold, mask or split of seed 100,
which no row uses but those of 200 splits. The trial with the best validation is the row's setting: it is written into strict/tuned/TASK.yaml, which the rows of the table
use, and all trials into searches/strict_TASK.csv. No number of a test part is read. The same command goes on where it stopped; then
`gsan reproduce TABLE --protocol strict` measures the table's seeds.
"""
import argparse
import csv
import io
import json
import pathlib
import subprocess
import sys
import time

EXPERIMENTS = pathlib.Path(__file__).resolve().parent
SEED, TRIALS = 100, 8
SPACE = ["train.optimizer.learning_rate=3e-4..3e-2:log", "train.optimizer.weight_decay=1e-5..1e-2:log", "model.hidden_channels=8,16,32",
         "model.n_layers=1,2,3"]
# What tells the columns of a table apart: a setting for each.
CONDITIONS = {"data.name": "data", "simplex-prediction.order": "order", "imputation.order": "order"}


def cells(table, plan):
    """(model, set, conditions) of every row whose config is tuned, once."""
    seen = []
    for column in plan["columns"]:
        for row in plan["rows"]:
            if row.get("config") != f"strict/tuned/{table}.yaml" or "rule" in row:
                continue
            words = {name: str(value) for name, value in column.items() if isinstance(value, str)}
            set_ = [text.format(**words) for text in plan.get("set", []) + column.get("set", []) + row.get("set", [])]
            values = dict(text.split("=", 1) for text in set_)
            condition = {"model": values["model.name"], **{short: values[key] for key, short in CONDITIONS.items() if key in values}}
            if condition not in [other for _, other in seen]:
                seen.append((set_, condition))
    return seen


def best_of(folder):
    """Keys and values of the best trial, and the lines of all, without their test numbers."""
    rows = list(csv.DictReader(io.StringIO((folder / "ranking.csv").read_text())))
    keys = [text.split("=")[0] for text in SPACE]
    kept = [{"rank": row["rank"], **{key: row[key] for key in keys}, **{name: row[name] for name in row if name.startswith("validation")}}
            for row in rows]
    return {key: rows[0][key] for key in keys}, kept


def tuned_yaml(table, chosen):
    lines = [f"# Where experiments/tune.py writes what eight trials on validation choose for each model (seed {SEED}, of rows with 200 splits alone). A model without",
             "# an entry has not been tuned: it runs with the standard settings.",
             f"extends: ../{table}.yaml"]
    if chosen:
        lines.append("when:")
    for condition, keys in chosen:
        lines.append("  - if: {" + ", ".join(f"{name}: {value}" for name, value in condition.items()) + "}")
        lines += [f"    {key}: {value}" for key, value in keys.items()]
    return "\n".join(lines) + "\n"


def tune(table, words, until):
    plan = json.loads((EXPERIMENTS / "tables.json").read_text())["tables"][table]["strict"]
    chosen, trials = [], []
    for set_, condition in cells(table, plan):
        folder = words.sweeps / ("_".join([table, *condition.values()]))
        finished = folder / "finished"
        if not finished.exists():
            if time.monotonic() > until:
                continue
            command = [words.gsan, "sweep", EXPERIMENTS / f"strict/{table}.yaml", *set_, *words.set, "--trials", str(TRIALS), "--seed", str(SEED),
                       "--jobs", str(words.jobs), "--threads", "1", "--quiet", "--json", "--output", folder]
            for axis in SPACE:
                command += ["--random", axis]
            print(table, condition, flush=True)
            done = subprocess.run(list(map(str, command)), stdout=subprocess.DEVNULL, check=False)
            if done.returncode not in (0, 8):  # 8: some trial failed; it has no rank
                sys.exit(done.returncode)
            finished.touch()
        keys, all_trials = best_of(folder)
        chosen.append((condition, keys))
        trials += [{**condition, **trial} for trial in all_trials]
    target = EXPERIMENTS / f"strict/tuned/{table}.yaml"
    target.write_text(tuned_yaml(table, chosen))
    if trials:
        with open(EXPERIMENTS / f"searches/strict_{table}.csv", "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, sorted({name for trial in trials for name in trial}), lineterminator="\n")
            writer.writeheader()
            writer.writerows(trials)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--gsan", default="gsan", help="the command")
    parser.add_argument("--tables", nargs="+", default=["trajectory", "simplex-prediction"])
    parser.add_argument("--minutes", type=float, default=1e6, help="start no sweep after so long")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--sweeps", type=pathlib.Path, default=pathlib.Path("sweeps/strict"), help="run folders of the trials")
    parser.add_argument("--set", action="append", default=[], help="key=value for every trial, to try the script")
    words = parser.parse_args()
    until = time.monotonic() + 60 * words.minutes
    for table in words.tables:
        tune(table, words, until)


if __name__ == "__main__":
    main()
