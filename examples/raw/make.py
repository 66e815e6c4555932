#!/usr/bin/env python3
"""Makes the raw files of this folder: who met whom, and when, in the format of timestamped simplices (nverts, simplices, times).

    make.py FOLDER

Sixty people in six teams meet in twos and threes, mostly within a team; three who often meet in twos tend to meet together later."""
import itertools
import pathlib
import random
import sys


def meetings(rng):
    teams = [list(range(10 * t + 1, 10 * t + 11)) for t in range(6)]
    met = {}
    for time in range(1200):
        team = rng.choice(teams)
        if rng.random() < 0.15:  # across teams
            yield time, sorted(rng.sample(range(1, 61), 2))
            continue
        three = sorted(rng.sample(team[:7] if rng.random() < 0.7 else team, 3))
        strength = min(met.get(pair, 0) for pair in itertools.combinations(three, 2))
        people = three if rng.random() < 0.3 * strength else sorted(rng.sample(three, 2))
        for pair in itertools.combinations(people, 2):
            met[pair] = met.get(pair, 0) + 1
        yield time, people


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    rows = list(meetings(random.Random(5)))
    (folder / "meetings-nverts.txt").write_text("".join(f"{len(people)}\n" for _, people in rows))
    (folder / "meetings-simplices.txt").write_text("".join(f"{one}\n" for _, people in rows for one in people))
    (folder / "meetings-times.txt").write_text("".join(f"{time}\n" for time, _ in rows))


if __name__ == "__main__":
    main()
