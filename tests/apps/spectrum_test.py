"""gsan spectrum: eigenvalues that are known in closed form."""
import csv
import math
import unittest

from command_case import RESOURCE, USAGE, CommandCase


class Spectrum(CommandCase):
    def values(self, *arguments):
        report = self.report("spectrum", *arguments)
        return [e["value"] for e in report["eigenvalues"]], [e.get("part") for e in report["eigenvalues"]]

    def assert_close(self, values, expected):
        self.assertEqual(len(values), len(expected))
        for value, wanted in zip(values, expected):
            self.assertAlmostEqual(value, wanted, places=8)

    def test_hollow_and_filled_triangle(self):
        values, parts = self.values(self.write("h.txt", "0 1\n1 2\n0 2\n"), "--all")
        self.assert_close(values, [0, 3, 3])
        self.assertEqual(parts, ["harmonic", "gradient", "gradient"])
        values, parts = self.values(self.write("f.txt", "0 1 2\n"), "--all")
        self.assert_close(values, [3, 3, 3])
        self.assertEqual(sorted(parts), ["curl", "gradient", "gradient"])

    def test_path_and_cycle_graphs(self):
        n = 12
        path = self.write("path.txt", "".join(f"{i} {i + 1}\n" for i in range(n - 1)))
        values, _ = self.values(path, "--order", 0, "--all")
        self.assert_close(values, sorted(2 - 2 * math.cos(math.pi * i / n) for i in range(n)))
        cycle = self.write("cycle.txt", "".join(f"{i} {(i + 1) % n}\n" for i in range(n)))
        exact = sorted(2 - 2 * math.cos(2 * math.pi * i / n) for i in range(n))
        self.assert_close(self.values(cycle, "--order", 0, "--count", 5)[0], exact[:5])
        values, parts = self.values(cycle, "--order", 1, "--count", 4)
        self.assert_close(values, exact[:4])
        self.assertEqual(parts, ["harmonic", "gradient", "gradient", "gradient"])
        self.assert_close(self.values(cycle, "--order", 1, "--count", 3, "--largest")[0], exact[-3:])

    def test_a_part_is_the_end_of_the_whole(self):
        whole, parts = self.values("--example", "annulus", "--all")
        few, few_parts = self.values("--example", "annulus", "--count", 6)
        self.assertEqual(few_parts, parts[:6])
        for a, b in zip(few, whole):
            self.assertAlmostEqual(a, b, places=6)
        top, top_parts = self.values("--example", "annulus", "--count", 4, "--largest")
        self.assertEqual(top_parts, parts[-4:])
        for a, b in zip(top, whole[-4:]):
            self.assertAlmostEqual(a, b, places=6)

    def test_nonzero_leaves_out_the_harmonic_ones(self):
        whole, parts = self.values("--example", "annulus", "--all")
        values, nonzero_parts = self.values("--example", "annulus", "--count", 6, "--nonzero")
        self.assertEqual(nonzero_parts, [part for part in parts if part != "harmonic"][:6])
        for a, b in zip(values, whole[parts.count("harmonic"):]):
            self.assertAlmostEqual(a, b, places=6)
        for other in ("--all", "--largest", "--dirac"):
            self.refused(USAGE, "spectrum", "--example", "torus", "--nonzero", other)

    def test_dirac_comes_in_pairs_whose_squares_are_the_laplacians(self):
        report = self.report("spectrum", "--example", "torus", "--dirac", "--all")
        self.assertEqual(report["harmonic"], [1, 2, 1])
        values = [e["value"] for e in report["eigenvalues"]]
        self.assert_close(sorted(values), sorted(-v for v in values))
        squares = sorted(v * v for v in values)
        laplacian = sorted(v for k in range(3) for v in self.values("--example", "torus", "--order", k, "--all")[0]
                           if v > 1e-9)
        self.assert_close(squares, laplacian)
        for e in report["eigenvalues"]:
            self.assertEqual(e["aligned"], e["value"] > 0)

    def test_vectors_are_eigenvectors_in_the_users_order(self):
        edges = [(2, 0), (0, 1), (2, 1)]
        path = self.write("h.txt", "".join(f"{a} {b}\n" for a, b in edges))
        report = self.report("spectrum", path, "--count", 1, "--output", "out")
        self.assertEqual(report["files"], ["out/vectors_1.csv"])
        with open(self.folder / "out/vectors_1.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([(int(r["v0"]), int(r["v1"])) for r in rows], edges)
        # The harmonic flow runs around: 2 -> 0 -> 1 and against 2 -> 1.
        x = [float(r["vectors"]) for r in rows]
        self.assertAlmostEqual(x[0], x[1])
        self.assertAlmostEqual(x[0], -x[2])
        self.assertAlmostEqual(abs(x[0]), 1 / math.sqrt(3))

    def test_dirac_vectors_of_both_orders(self):
        report = self.report("spectrum", "--example", "torus", "--dirac", "--count", 2, "--output", "out",
                             "--output-format", "npy")
        self.assertIn("out/component_2_1.npy", report["files"])
        self.assertEqual(len(set(report["files"])), len(report["files"]))

    def test_too_large_for_all(self):
        self.refused(RESOURCE, "spectrum", "--example", "annulus", "--all", "--max-memory", "1M", says=["max_memory"])

    def test_options_that_contradict(self):
        self.refused(USAGE, "spectrum", "--example", "torus", "--all", "--count", 3)
        self.refused(USAGE, "spectrum", "--example", "torus", "--dirac", "--order", 1)
        self.refused(USAGE, "spectrum", "--example", "torus", "--count", 0)


if __name__ == "__main__":
    unittest.main()
