#!/usr/bin/env python3
"""The same small budget of tuning for every model of the strict tables: eight trials, chosen by validation.

    experiments/tune.py [--gsan build/release/bin/gsan] [--tables trajectory ...] [--minutes 30] [--jobs 2] [--device cuda]
    experiments/tune.py --take searches/strict_TABLE.csv     trials of another machine
    experiments/tune.py --tables TABLE --list                a line for each column: its name, a tab, the rows that are tuned

For every model and column of a strict table: `gsan sweep` draws eight settings of one space and trains each once, on one fold or split of seed 100,
which only rows of 200 splits use (graphs of that fold are judged in folds of the tables, too). The trial with the best validation is the row's setting. No
number of a test part is read.

All trials are kept in searches/strict_TABLE.csv; what they choose is written from it into strict/tuned/TABLE.yaml, which the rows of the table use. The
same command goes on with the models that have no trials there: delete the lines of a model to tune it anew, as after a change of what its trials start
from. Then `gsan reproduce TABLE --protocol strict` measures the table's seeds.
"""
import argparse
import concurrent.futures
import csv
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import time

EXPERIMENTS = pathlib.Path(__file__).resolve().parent
SEED, TRIALS = 100, 8
SPACE = ["train.optimizer.learning_rate=3e-4..3e-2:log", "train.optimizer.weight_decay=1e-5..1e-2:log", "model.hidden_channels=8,16,32",
         "model.n_layers=1,2,3"]
KEYS = [axis.split("=")[0] for axis in SPACE]
# What the trials of a table start from, where that is not strict/TABLE.yaml.
BASES = {"graph-classification": "graph-classification_models"}
# What tells the columns of a table apart: a setting for each.
CONDITIONS = {"data.name": "data", "simplex-prediction.order": "order", "imputation.order": "order"}


def base_of(table):
    return BASES.get(table, table)


def tuned_rows(table):
    """(column, row, set, condition) of every row whose config is tuned."""
    plan = json.loads((EXPERIMENTS / "tables.json").read_text())["tables"][table]["strict"]
    for column in plan["columns"]:
        words = {name: str(value) for name, value in column.items() if isinstance(value, str)}
        for row in plan["rows"]:
            if row.get("config") != f"strict/tuned/{table}.yaml" or "rule" in row:
                continue
            set_ = [text.format(**words) for text in plan.get("set", []) + column.get("set", []) + row.get("set", [])]
            values = dict(text.split("=", 1) for text in set_)
            condition = {"model": values["model.name"], **{short: values[key] for key, short in CONDITIONS.items() if key in values}}
            yield column["name"], row["name"], set_, condition


def cells(table):
    """(set, condition) of every model and column. Of rows that share a condition, an ablation among them, the one that sets least."""
    found = {}
    for _, _, set_, condition in tuned_rows(table):
        key = tuple(condition.items())
        if key not in found or len(set_) < len(found[key]):
            found[key] = set_
    return [(set_, dict(key)) for key, set_ in found.items()]


def replace(file, text):
    """Whole or not at all: the command may be stopped at any time."""
    new = file.with_suffix(".new")
    new.write_text(text, encoding="utf-8")
    os.replace(new, file)


class Trials:
    """Those of a table, by condition, best first."""

    def __init__(self, table):
        self.table, self.file, self.cells = table, EXPERIMENTS / f"searches/strict_{table}.csv", cells(table)
        self.rows = self.read(self.file) if self.file.exists() else []

    @staticmethod
    def read(file):
        return list(csv.DictReader(io.StringIO(file.read_text(encoding="utf-8"))))

    def of(self, condition):
        return [row for row in self.rows if all(row[name] == value for name, value in condition.items())]

    def add(self, rows):
        if not rows:
            return
        self.rows += rows
        rows = [row for _, condition in self.cells for row in self.of(condition)]
        text = io.StringIO()
        writer = csv.DictWriter(text, sorted({name for row in rows for name in row}), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        replace(self.file, text.getvalue())
        replace(EXPERIMENTS / f"strict/tuned/{self.table}.yaml", self.yaml())

    def yaml(self):
        lines = [f"# Where experiments/tune.py writes what eight trials on validation choose for each model (seed {SEED}, which only rows of 200 splits use). A model",
                 "# without an entry has not been tuned: it runs with the settings that its trials start from.",
                 f"extends: ../{base_of(self.table)}.yaml", "when:"]
        for _, condition in self.cells:
            for best in self.of(condition)[:1]:
                lines.append("  - if: {" + ", ".join(f"{name}: {value}" for name, value in condition.items()) + "}")
                lines += [f"    {key}: {best[key]}" for key in KEYS]
        return "\n".join(lines) + "\n"

    def take(self, file):
        """Those of another machine; the same model tuned twice is an error that names it."""
        others = self.read(file)
        new = []
        for _, condition in self.cells:
            theirs = [row for row in others if all(row[name] == value for name, value in condition.items())]
            if theirs and self.of(condition):
                if [row[key] for row in theirs for key in KEYS] != [row[key] for row in self.of(condition) for key in KEYS]:
                    sys.exit(f"tune.py: {file} has other trials of {condition} than {self.file}: delete the lines of one of them")
                continue
            new += theirs
        self.add(new)
        print(f"{self.file.name}: {len(new)} trials")


def finished_trials(folder, condition):
    """Best first, without their test numbers. Of equal ones the smaller loss is better, as of the epochs of a run: forty walks or a hundred graphs give few
    values. None where a trial failed: then they are not the same eight."""
    rows = [row for row in csv.DictReader(io.StringIO((folder / "ranking.csv").read_text())) if row["rank"]]
    if len(rows) < TRIALS:
        print(f"tune.py: {TRIALS - len(rows)} trials failed, see {folder}/ranking.csv; {condition} stays untuned", file=sys.stderr)
        return []
    order = list(dict.fromkeys(row["validation_mean"] for row in rows))
    trials = []
    for row in rows:
        record = json.loads((folder / row["trial"] / f"seed-{SEED}/results.json").read_text())
        trials.append({**condition, **{key: row[key] for key in KEYS}, "validation_mean": row["validation_mean"],
                       "validation_loss": record["validation"]["loss"]})
    trials.sort(key=lambda trial: (order.index(trial["validation_mean"]), trial["validation_loss"]))
    return [{"rank": str(rank), **trial} for rank, trial in enumerate(trials, 1)]


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
    if done.returncode not in (0, 8):  # 8: some trial failed
        raise RuntimeError(f"the sweep of {condition} in {folder} ended with code {done.returncode}")
    return finished_trials(folder, condition)


def tune(table, words, until):
    trials = Trials(table)
    missing = [cell for cell in trials.cells if not trials.of(cell[1]) and re.search(words.only, " ".join(cell[1].values()))]
    at_once = -(-words.jobs // TRIALS)
    pool = concurrent.futures.ThreadPoolExecutor(at_once)
    sweeps = [pool.submit(sweep, table, set_, condition, words, -(-words.jobs // at_once), until) for set_, condition in missing]
    try:
        for done in concurrent.futures.as_completed(sweeps):
            trials.add(done.result())
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def list_tuned(table):
    trials = Trials(table)
    columns = {}
    for column, row, _, condition in tuned_rows(table):
        if trials.of(condition):
            columns.setdefault(column, []).append(row)
    for column, rows in columns.items():
        print(column, ";".join(rows), sep="\t")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--gsan", default="gsan", help="the command")
    parser.add_argument("--tables", nargs="+", default=["trajectory", "graph-classification", "simplex-prediction"])
    parser.add_argument("--minutes", type=float, default=1e6, help="start no sweep after so long")
    parser.add_argument("--jobs", type=int, default=2, help="trials at the same time; with more than eight of several models")
    parser.add_argument("--only", default="", help="regular expression of what is tuned: \"^(gin|sat) proteins\"")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--sweeps", type=pathlib.Path, default=pathlib.Path("sweeps/strict"), help="run folders of the trials")
    parser.add_argument("--set", action="append", default=[], help="key=value for every trial, to try the script")
    parser.add_argument("--take", nargs="+", type=pathlib.Path, metavar="CSV", help="trials of another machine")
    parser.add_argument("--list", action="store_true", help="the rows that are tuned")
    words = parser.parse_args()
    until = time.monotonic() + 60 * words.minutes
    for file in words.take or []:
        Trials(file.stem.removeprefix("strict_")).take(file)
    for table in words.tables if not words.take else []:
        list_tuned(table) if words.list else tune(table, words, until)


if __name__ == "__main__":
    try:
        main()
    except (RuntimeError, KeyboardInterrupt) as error:
        sys.exit(f"tune.py: {error or 'stopped'}; the same command goes on")
