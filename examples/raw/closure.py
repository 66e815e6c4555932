#!/usr/bin/env python3
"""A folder for `gsan train simplex-prediction` from timestamped simplices: which open triangles close later?

    closure.py PREFIX FOLDER --until T --before U

Reads PREFIX-nverts.txt, PREFIX-simplices.txt and PREFIX-times.txt (or .gz). The complex is what has happened up to the time T; candidates are
its open triangles, three vertices with all their edges but not together so far, with label 1 if they come together by the time U. T and U
are shares of the events: 0.6 is the time at which six tenths of them have happened."""
import argparse
import collections
import gzip
import itertools
import math
import pathlib


def numbers(prefix, kind):
    plain = pathlib.Path(f"{prefix}-{kind}.txt")
    text = plain.read_text() if plain.exists() else gzip.open(f"{plain}.gz", "rt").read()
    return [int(line) for line in text.split()]


def events(prefix):
    vertices = iter(numbers(prefix, "simplices"))
    for size, time in zip(numbers(prefix, "nverts"), numbers(prefix, "times")):
        yield time, tuple(sorted({next(vertices) for _ in range(size)}))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("prefix")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--until", type=float, required=True)
    parser.add_argument("--before", type=float, required=True)
    arguments = parser.parse_args()
    rows = list(events(arguments.prefix))
    times = sorted(time for time, _ in rows)
    until, before = (times[min(len(times) - 1, int(share * len(times)))] for share in (arguments.until, arguments.before))
    counts = collections.Counter(edge for time, people in rows if time <= until for edge in itertools.combinations(people, 2))
    closed = {three for time, people in rows if time <= until for three in itertools.combinations(people, 3)}
    later = {three for time, people in rows if until < time <= before for three in itertools.combinations(people, 3)}
    neighbors = collections.defaultdict(set)
    for a, b in counts:
        neighbors[a].add(b)
        neighbors[b].add(a)
    open_triangles = {tuple(sorted((a, b, c))) for a, b in counts for c in neighbors[a] & neighbors[b]} - closed
    arguments.folder.mkdir(parents=True, exist_ok=True)
    with open(arguments.folder / "complex.txt", "w") as file:
        for simplex in [*sorted(counts), *sorted(closed)]:
            print(*simplex, file=file)
    with open(arguments.folder / "features_1.csv", "w") as file:
        print("v0,v1,meetings", file=file)
        for (a, b), count in sorted(counts.items()):
            print(f"{a},{b},{math.log1p(count):.6g}", file=file)
    with open(arguments.folder / "candidates.csv", "w") as file:
        print("v0,v1,v2,label", file=file)
        for three in sorted(open_triangles):
            print(*three, int(three in later), sep=",", file=file)
    print(f"{arguments.folder}: {len(counts)} edges, {len(closed)} triangles, {len(open_triangles)} candidates, "
          f"{len(open_triangles & later)} of them close")


if __name__ == "__main__":
    main()
