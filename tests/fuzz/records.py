#!/usr/bin/env python3
"""What fuzzing gave and keeps: record.json (executions of all campaigns), corpus/TARGET.tar.xz (minimal corpora), and
the table of docs/reliability.md.

    records.py add RECORD.json …   adds campaigns that ran elsewhere to record.json
    records.py keep FOLDER         packs minimised corpora (a folder per target) as corpus/TARGET.tar.xz
    records.py take FOLDER         packed corpora that came from elsewhere, in the place of those here
    records.py unpack FOLDER       the other way
    records.py page [--check]      writes the table into the page; --check fails where the page says something else"""
import io
import json
import pathlib
import shutil
import sys
import tarfile
import time

HERE = pathlib.Path(__file__).resolve().parent
RECORD, CORPUS = HERE / "record.json", HERE / "corpus"
PAGE = HERE.parents[1] / "docs/reliability.md"
BEGIN, END = "<!-- measured: tests/fuzz/records.py page -->", "<!-- end of measured -->"


def read(path):
    if path is None or not path.exists():
        return {"targets": {}, "campaigns": []}
    return json.loads(path.read_text())


def write(path, record):
    path.write_text(json.dumps(record, indent=1, sort_keys=True) + "\n")


def made(targets, revision, seconds, jobs):
    """The record of one campaign."""
    date = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    return {"targets": targets, "campaigns": [{"date": date, "revision": revision, "seconds": seconds, "cores": jobs,
                                               "executions": sum(one["executions"] for one in targets.values())}]}


def summed(all_records):
    total = read(None)
    for record in all_records:
        total["campaigns"] += record["campaigns"]
        for name, one in record["targets"].items():
            sums = total["targets"].setdefault(name, dict.fromkeys(one, 0))
            for key, value in one.items():
                sums[key] = max(sums[key], value) if key == "edges" else sums[key] + value
    return total


def print_table(record):
    print(f"{'target':14} {'executions':>12} {'seconds':>8} {'edges':>8} {'findings':>9}")
    for name, one in sorted(record["targets"].items()):
        print(f"{name:14} {one['executions']:12} {one['seconds']:8} {one['edges']:8} {one['findings']:9}")


def pack(corpora, packed):
    """The same inputs give the same bytes."""
    packed.mkdir(parents=True, exist_ok=True)
    for folder in sorted(path for path in corpora.iterdir() if path.is_dir()):
        with tarfile.open(packed / f"{folder.name}.tar.xz", "w:xz", preset=9) as archive:
            for path in sorted(path for path in folder.iterdir() if path.is_file()):
                content = path.read_bytes()
                entry = tarfile.TarInfo(path.name)
                entry.size = len(content)
                archive.addfile(entry, io.BytesIO(content))


def unpack(packed, corpora):
    for path in sorted(packed.glob("*.tar.xz")):
        folder = corpora / path.name.removesuffix(".tar.xz")
        folder.mkdir(parents=True, exist_ok=True)
        with tarfile.open(path) as archive:
            for entry in archive:
                (folder / pathlib.PurePath(entry.name).name).write_bytes(archive.extractfile(entry).read())


def number(value):
    return f"{value:,}".replace(",", " ")


def table(record):
    seconds = sum(one["seconds"] for one in record["targets"].values())
    dates = sorted(one["date"][:10] for one in record["campaigns"])
    executions = sum(one["executions"] for one in record["targets"].values())
    lines = [f"{len(dates)} campaign{'s' * (len(dates) > 1)}, {dates[0]} to {dates[-1]}, {number(executions)} executions in "
             f"{seconds / 3600:.1f} hours of single processes.", "",
             "| target | executions | seconds | edges covered | findings |", "|---|---|---|---|---|"]
    for name, one in sorted(record["targets"].items()):
        lines.append(f"| {name} | {number(one['executions'])} | {number(one['seconds'])} | {one['edges']} | {one['findings']} |")
    return "\n".join(lines)


def page(check):
    text = PAGE.read_text()
    begin, end = text.index(BEGIN) + len(BEGIN), text.index(END)
    new = text[:begin] + "\n" + table(read(RECORD)) + "\n" + text[end:]
    if check and new != text:
        sys.exit(f"{PAGE} does not say what {RECORD} says: run tests/fuzz/records.py page")
    if new != text:
        PAGE.write_text(new)


def main():
    verb, *words = sys.argv[1:] or ["help"]
    folders = [pathlib.Path(word) for word in words if not word.startswith("-")]
    if verb == "add":
        write(RECORD, summed([read(RECORD), *map(read, folders)]))
    elif verb == "keep":
        pack(folders[0], CORPUS)
    elif verb == "take":
        shutil.copytree(folders[0], CORPUS, dirs_exist_ok=True)
    elif verb == "unpack":
        unpack(CORPUS, folders[0])
    elif verb == "page":
        page("--check" in words)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
