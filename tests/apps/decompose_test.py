"""gsan decompose: the three parts of a signal, in the order and orientation of the user."""
import csv
import struct
import unittest

from command_case import ARGUMENT, CommandCase

# A filled triangle (0 1 2) and a hollow one (1 2 3).
COMPLEX = "0 1\n1 2\n0 2\n2 3\n1 3\n0 1 2\n"


def npy(values):
    """A column of float64 as NumPy writes it."""
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({len(values)},), }}".encode()
    header += b" " * (64 - (10 + len(header) + 1) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + struct.pack(f"<{len(values)}d", *values)


class Decompose(CommandCase):
    def energies(self, *arguments):
        return self.report("decompose", *arguments)["orders"][0]["energies"][0]

    def rows(self, name):
        with open(self.folder / name, newline="") as file:
            return list(csv.DictReader(file))

    def test_a_difference_of_potentials_is_a_gradient(self):
        potential = {0: 1.0, 1: -2.0, 2: 0.5, 3: 4.0}
        edges = [(0, 1), (1, 2), (0, 2), (2, 3), (1, 3)]
        path = self.write("c.txt", COMPLEX)
        flow = self.write("flow.csv", "".join(f"{potential[b] - potential[a]}\n" for a, b in edges))
        energy = self.energies(path, "--signal", flow)
        total = sum((potential[b] - potential[a]) ** 2 for a, b in edges)
        self.assertAlmostEqual(energy["gradient"], total, places=10)
        self.assertAlmostEqual(energy["energy"], total, places=10)
        self.assertLess(energy["curl"] + energy["harmonic"], 1e-12 * total)

    def test_flow_around_a_hole_is_harmonic_and_around_a_triangle_is_curl(self):
        hollow = self.write("hollow.txt", "0 1\n1 2\n0 2\n")
        filled = self.write("filled.txt", "0 1\n1 2\n0 2\n0 1 2\n")
        flow = self.write("flow.csv", "1\n1\n-1\n")
        self.assertAlmostEqual(self.energies(hollow, "--signal", flow)["harmonic"], 3)
        self.assertAlmostEqual(self.energies(filled, "--signal", flow)["curl"], 3)

    def test_reversed_and_shuffled_edges_give_the_same_flow(self):
        one = self.write("one.txt", COMPLEX)
        first = self.write("first.csv", "1\n2\n3\n4\n5\n")
        # The same flow: edges in another order, some of them reversed with the sign of their value.
        other = self.write("other.txt", "3 1\n2 0\n0 1\n3 2\n2 1\n2 1 0\n")
        second = self.write("second.csv", "-5\n-3\n1\n-4\n-2\n")
        a, b = self.energies(one, "--signal", first), self.energies(other, "--signal", second)
        for part in ("gradient", "curl", "harmonic"):
            self.assertAlmostEqual(a[part], b[part], places=12)
        self.gsan("decompose", one, "--signal", first, "--output", "a")
        self.gsan("decompose", other, "--signal", second, "--output", "b")
        mine = {(row["v0"], row["v1"]): row for row in self.rows("a/parts_1.csv")}
        theirs = self.rows("b/parts_1.csv")
        self.assertEqual([(row["v0"], row["v1"]) for row in theirs],
                         [("3", "1"), ("2", "0"), ("0", "1"), ("3", "2"), ("2", "1")])
        self.assertEqual([float(row["signal"]) for row in theirs], [-5, -3, 1, -4, -2])
        for row in theirs:
            key = (row["v0"], row["v1"])
            sign = 1 if key in mine else -1
            for part in ("gradient", "curl", "harmonic"):
                self.assertAlmostEqual(float(row[part]), sign * float(mine[tuple(sorted(key))][part]), places=10)

    def test_unoriented_values_belong_to_sorted_vertices(self):
        path = self.write("hollow.txt", "1 0\n1 2\n0 2\n")
        flow = self.write("flow.csv", "1\n1\n-1\n")
        self.assertAlmostEqual(self.energies(path, "--signal", flow, "--unoriented")["harmonic"], 3)
        self.assertLess(self.energies(path, "--signal", flow)["harmonic"], 1)

    def test_columns_and_npy(self):
        path = self.write("c.txt", COMPLEX)
        table = self.write("flow.csv", "speed,heat\n1,0\n2,1\n3,0\n4,0\n5,0\n")
        report = self.report("decompose", path, "--signal", table, "--output", "out")
        self.assertEqual([e["column"] for e in report["orders"][0]["energies"]], ["speed", "heat"])
        self.assertIn("harmonic_heat", self.rows("out/parts_1.csv")[0])
        same = self.write("flow.npy", npy([1, 2, 3, 4, 5]))
        self.assertEqual(self.energies(path, "--signal", same), dict(report["orders"][0]["energies"][0], column="0"))
        self.gsan("decompose", path, "--signal", same, "--output", "npy", "--output-format", "npy")
        self.assertEqual(sorted(p.name for p in (self.folder / "npy").iterdir()),
                         ["curl_1.npy", "gradient_1.npy", "harmonic_1.npy", "signal_1.npy", "simplices_1.txt"])
        signal = (self.folder / "npy/signal_1.npy").read_bytes()
        self.assertEqual(struct.unpack("<5d", signal[-40:]), (1, 2, 3, 4, 5))
        self.assertEqual((self.folder / "npy/simplices_1.txt").read_text(), "0 1\n1 2\n0 2\n2 3\n1 3\n")

    def test_parts_add_up_and_feed_back(self):
        self.gsan("decompose", "--example", "annulus", "--output", "parts")
        for row in self.rows("parts/parts_1.csv"):
            self.assertAlmostEqual(float(row["signal"]),
                                   sum(float(row[part]) for part in ("gradient", "curl", "harmonic")), places=12)
        # The harmonic column, as a signal of its own, is harmonic.
        rows = self.rows("parts/parts_1.csv")
        text = "v0,v1,harmonic\n" + "".join(f"{r['v0']},{r['v1']},{r['harmonic']}\n" for r in rows)
        energy = self.energies("--example", "annulus", "--signal", self.write("h.csv", text))
        self.assertGreater(energy["harmonic"], 0.999999 * energy["energy"])

    def test_random_flow_of_an_example_is_said_and_fixed_by_the_seed(self):
        report = self.report("decompose", "--example", "annulus")
        self.assertIn("random", report["orders"][0]["signal"])
        self.assertEqual(report, self.report("decompose", "--example", "annulus"))
        self.assertNotEqual(report["orders"][0]["energies"],
                            self.report("decompose", "--example", "annulus", "--seed", 1)["orders"][0]["energies"])
        energy = report["orders"][0]["energies"][0]
        self.assertGreater(energy["harmonic"], 1e-3)
        self.assertLessEqual(report["orders"][0]["residual"], 1e-8)

    def test_dirac_pairs_the_parts_of_neighbouring_orders(self):
        report = self.report("decompose", "--example", "annulus", "--dirac", "--output", "parts")
        self.assertEqual(sorted(p.name for p in (self.folder / "parts").iterdir()),
                         ["parts_0.csv", "parts_1.csv", "parts_2.csv"])
        parts = [order["energies"][0] for order in report["orders"]]
        for component in report["components"]:
            j = component["component"]
            self.assertAlmostEqual(component["energy"], parts[j - 1]["curl"] + parts[j]["gradient"], places=6)
        total = sum(c["energy"] for c in report["components"]) + report["harmonic_energy"]
        self.assertAlmostEqual(total, sum(p["energy"] for p in parts), places=6)

    def test_dirac_takes_one_file_per_order(self):
        path = self.write("c.txt", "0\n1\n2\n3\n" + COMPLEX)
        nodes = self.write("nodes.csv", "1\n1\n1\n1\n")
        report = self.report("decompose", path, "--dirac", "--signal", f"0={nodes}")
        self.assertEqual([order["order"] for order in report["orders"]], [0])
        self.assertAlmostEqual(report["harmonic_energy"], 4)
        self.refused(ARGUMENT, "decompose", path, "--dirac", "--signal", nodes, says=["ORDER=FILE"])
        self.refused(ARGUMENT, "decompose", path, "--dirac", "--signal", f"0={nodes}", "--signal", f"0={nodes}",
                     says=["twice"])

    def test_weights_of_an_edge_list_are_a_flow(self):
        path = self.write("w.edges", "a b 1\nb c 1\nc a 1\n")
        report = self.report("decompose", path)
        self.assertAlmostEqual(report["orders"][0]["energies"][0]["harmonic"], 3)

    def test_a_face_that_was_not_listed_has_no_value(self):
        path = self.write("t.txt", "0 1\n1 2\n0 1 2\n")
        flow = self.write("flow.csv", "1\n1\n")
        self.refused(ARGUMENT, "decompose", path, "--signal", flow, says=["1 of 3", "(0 2)", "--missing"])
        self.assertAlmostEqual(self.energies(path, "--signal", flow, "--missing", 0)["energy"], 2)
        named = self.write("named.csv", "v0,v1,value\n2,0,-1\n0,1,1\n1,2,1\n")
        self.assertAlmostEqual(self.energies(path, "--signal", named)["energy"], 3)

    def test_a_signal_is_needed_for_a_file(self):
        self.refused(ARGUMENT, "decompose", self.write("c.txt", COMPLEX), says=["no signal", "--signal"])


if __name__ == "__main__":
    unittest.main()
