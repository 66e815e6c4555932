#!/usr/bin/env python3
"""The Delaunay complex of random points in the unit square as a file of simplices that `gsan` reads, for machines where
gsan was built without Qhull.

    python3 benchmarks/delaunay_complex.py 333000 delaunay-333000.simplices --order morton
    gsan bench attention --complex delaunay-333000.simplices --device cuda

The file lists the triangles, a line each; edges and vertices are implied, and vertices keep their numbers. Vertices are in
the order in which points are drawn, or along a Morton curve through them. Needs numpy and scipy."""
import argparse
import os
import sys

import numpy as np
from scipy.spatial import Delaunay


def random_points(count, seed=0):
    """float64 [count, 2] in the unit square."""
    return np.random.RandomState(seed).rand(count, 2)


def morton_order(points):
    """The points along a Morton curve of 2^16 × 2^16 cells: the bits of both coordinates take turns."""
    cells = (points * 65535).astype(np.uint64)
    keys = np.zeros(len(points), np.uint64)
    for bit in map(np.uint64, range(16)):
        for axis in (0, 1):
            keys |= ((cells[:, axis] >> bit) & np.uint64(1)) << (np.uint64(2) * bit + np.uint64(axis))
    return np.argsort(keys, kind="stable")


def delaunay_triangles(count, order="random", seed=0):
    """int32 [triangles, 3], vertices increasing in each row, rows in lexicographic order."""
    points = random_points(count, seed)
    if order == "morton":
        points = points[morton_order(points)]
    triangles = np.sort(Delaunay(points).simplices, axis=1)
    return triangles[np.lexsort(triangles.T[::-1])]


def write_simplices(path, simplices):
    """Complete, or not at all."""
    temporary = f"{path}.new"
    with open(temporary, "w", encoding="ascii") as file:
        width = simplices.shape[1]
        for first in range(0, len(simplices), 100_000):
            part = simplices[first:first + 100_000]
            file.write((" ".join(["%d"] * width) + "\n") * len(part) % tuple(part.ravel().tolist()))
    os.replace(temporary, path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("points", type=int)
    parser.add_argument("file")
    parser.add_argument("--order", choices=("random", "morton"), default="random", help="of the vertices")
    parser.add_argument("--seed", type=int, default=0, help="of the points")
    arguments = parser.parse_args()
    if arguments.points < 3:
        sys.exit(f"error: a triangle needs 3 points, got {arguments.points}")
    write_simplices(arguments.file, delaunay_triangles(arguments.points, arguments.order, arguments.seed))


if __name__ == "__main__":
    main()
