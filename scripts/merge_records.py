#!/usr/bin/env python3
"""Adds records that were measured elsewhere to experiments/results: merge_records.py FOLDER|ARCHIVE...

An archive (scripts/campaign.sh) holds folders of TABLE.jsonl, and in `trials` those of experiments/tune.py, which takes them. A record takes the place of one with the same key, as `gsan reproduce` does; a record of
a changed tree is refused. Prints what was added."""

import json
import pathlib
import subprocess
import sys
import tarfile
import tempfile

EXPERIMENTS = pathlib.Path(__file__).resolve().parent.parent / "experiments"
RESULTS = EXPERIMENTS / "results"


def key(line):
    record = json.loads(line)
    if record.get("changed_tree") or not record.get("commit"):
        return None
    kind = "rules" if "rules" in record else "model"
    return json.dumps([kind, record["config"], record["protocol"], record["set"], record.get("by_hand", []), record["seed"]])


def merge(folder, results=RESULTS):
    for file in sorted(folder.rglob("*.jsonl")):
        target = results / file.name
        there = target.read_text().splitlines() if target.exists() else []
        by_key = {key(line): line for line in there}
        new = {k: line for line in file.read_text().splitlines() if (k := key(line)) and by_key.get(k) != line}
        by_key.update(new)
        by_key.pop(None, None)
        target.write_text("".join(line + "\n" for line in by_key.values()))
        print(f"{file.parent.name}/{file.name}: {len(new)} records")
    trials = sorted(folder.glob("trials/*.csv"))
    if trials:
        subprocess.run([sys.executable, EXPERIMENTS / "tune.py", "--take", *trials], check=True)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    for name in map(pathlib.Path, sys.argv[1:]):
        if name.is_dir():
            merge(name)
            continue
        with tempfile.TemporaryDirectory() as folder, tarfile.open(name) as archive:
            archive.extractall(folder, filter="data")
            merge(pathlib.Path(folder))


main()
