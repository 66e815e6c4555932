#!/usr/bin/env python3
"""A dataset in Benson's format (NAME-nverts.txt, NAME-simplices.txt, gzip too) as a file of simplices that `gsan` reads.

    python3 benchmarks/benson_complex.py FOLDER threads-math-sx --order 2 > threads-math-sx.simplices

A simplex with more than ORDER + 1 vertices contributes its faces of that order; faces of what is listed are implied."""
import argparse
import gzip
import itertools
import pathlib
import sys


def numbers(folder, name):
    for path in (folder / f"{name}.txt", folder / f"{name}.txt.gz"):
        if path.exists():
            with (gzip.open if path.suffix == ".gz" else open)(path, "rt") as file:
                return [int(line) for line in file]
    sys.exit(f"error: {folder} has no {name}.txt or {name}.txt.gz")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("name")
    parser.add_argument("--order", type=int, default=2, help="highest order of the complex")
    arguments = parser.parse_args()
    vertices = iter(numbers(arguments.folder, f"{arguments.name}-simplices"))
    found = set()
    for count in numbers(arguments.folder, f"{arguments.name}-nverts"):
        simplex = sorted(set(itertools.islice(vertices, count)))
        found.update(itertools.combinations(simplex, min(len(simplex), arguments.order + 1)))
    sys.stdout.writelines(" ".join(map(str, simplex)) + "\n" for simplex in sorted(found))


if __name__ == "__main__":
    main()
