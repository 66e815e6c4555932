"""Bad input gets a message with the values, its exit code, and leaves nothing behind."""
import os
import struct
import unittest

from command_case import ARGUMENT, FORMAT, IO, NUMERIC, RESOURCE, USAGE, CommandCase
from decompose_test import npy

TRIANGLE = "0 1\n1 2\n0 2\n"


class BadInput(CommandCase):
    def test_repeated_vertices_in_a_simplex(self):
        path = self.write("c.txt", "0 1 2\n3 4 3\n")
        self.refused(FORMAT, "inspect", path, says=["c.txt", "2", "(3 4 3)"])

    def test_a_signal_of_another_length_says_both_numbers(self):
        path = self.write("c.txt", TRIANGLE)
        self.refused(ARGUMENT, "decompose", path, "--signal", self.write("x.csv", "1\n2\n3\n4\n"), "--output", "out",
                     says=["4 rows", "3 simplices"])

    def test_nan_names_row_and_column(self):
        path = self.write("c.txt", TRIANGLE)
        self.refused(FORMAT, "decompose", path, "--signal", self.write("x.csv", "a,b\n1,2\n3,nan\n5,6\n"),
                     "--output", "out", says=["row 1", "column 1", "b"])
        self.refused(FORMAT, "decompose", path, "--signal", self.write("x.npy", npy([1, float("nan"), 3])),
                     "--output", "out", says=["row 1", "column 0"])
        self.refused(FORMAT, "decompose", path, "--signal", self.write("y.csv", "1\ninf\n3\n"), says=["row 1"])

    def test_nan_is_missing_where_a_value_is_given_for_it(self):
        path = self.write("c.txt", TRIANGLE)
        report = self.report("decompose", path, "--signal", self.write("x.csv", "a,b\n1,2\n3,\n5,nan\n"),
                             "--missing", 0)
        self.assertAlmostEqual(report["orders"][0]["energies"][1]["energy"], 4)

    def test_files_cut_in_the_middle(self):
        path = self.write("c.txt", TRIANGLE)
        whole = npy([1.0, 2.0, 3.0])
        for length in (3, 8, 40, len(whole) - 1):
            self.refused(FORMAT, "decompose", path, "--signal", self.write("cut.npy", whole[:length]), says=["cut.npy"])
        off = "OFF\n4 4 6\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 1 2\n3 0 1 3\n"
        self.refused(FORMAT, "inspect", self.write("cut.off", off), says=["cut.off"])
        hif = '{"network-type": "asc", "incidences": [{"node": 1, "edge'
        self.refused(FORMAT, "inspect", self.write("cut.json", hif), says=["cut.json"])
        ply = (b"ply\nformat binary_little_endian 1.0\nelement vertex 2\nproperty float x\nproperty float y\n"
               b"property float z\nend_header\n" + struct.pack("<4f", 1, 2, 3, 4))
        self.refused(FORMAT, "inspect", self.write("cut.ply", ply), says=["cut.ply"])

    def test_wrong_magic_number(self):
        path = self.write("c.txt", TRIANGLE)
        self.refused(FORMAT, "decompose", path, "--signal", self.write("x.npy", b"\x93NUMPX\x01\x00" + bytes(100)),
                     says=["x.npy"])
        self.refused(FORMAT, "inspect", self.write("m.off", "NOFFX\n1 0 0\n0 0 0\n"), says=["m.off"])
        self.refused(FORMAT, "inspect", self.write("m.ply", "plx\nformat ascii 1.0\nend_header\n"), says=["m.ply"])

    def test_an_order_that_does_not_exist(self):
        path = self.write("c.txt", TRIANGLE)
        flow = self.write("x.csv", "1\n2\n3\n")
        for command in (["spectrum", path, "--order", 2], ["decompose", path, "--order", 5, "--signal", flow],
                        ["decompose", path, "--dirac", "--signal", f"7={flow}"]):
            self.refused(ARGUMENT, *command, says=[command[-1] if "spectrum" in command else "order"])

    def test_an_empty_complex_is_fine(self):
        for name, content in (("empty.txt", ""), ("comment.txt", "# nothing\n\n")):
            path = self.write(name, content)
            report = self.report("inspect", path)
            self.assertEqual((report["order"], report["betti"], report["euler_characteristic"]), (-1, [], 0))
            self.assertTrue(self.report("check", path)["passed"])
            self.assertEqual(self.report("spectrum", path, "--dirac", "--all")["eigenvalues"], [])
            self.assertEqual(self.report("decompose", path, "--dirac")["orders"], [])
            self.assertEqual(self.report("lift", "clique", path, "--output", "out.txt")["counts"], [])
            self.assertEqual((self.folder / "out.txt").read_text(), "")

    def test_an_output_folder_that_cannot_be_written(self):
        self.write("file", "")
        points = self.write("points.csv", "0,0\n1,0\n0,1\n")
        for target in ("file/out", "/proc/gsan_test/out"):
            says = [target]
            self.refused(IO, "decompose", "--example", "torus", "--output", target, says=says)
            self.refused(IO, "spectrum", "--example", "torus", "--output", target, says=says)
            self.refused(IO, "inspect", "--example", "torus", "--output", target, says=says)
            self.refused(IO, "check", "--example", "torus", "--output", target, says=says)
            self.refused(IO, "lift", "rips", points, "--threshold", 1, "--output", target, says=says)
            self.refused(IO, "lift", "rips", points, "--threshold", 1, "--output", "c.txt", "--points", target,
                         says=says)
        self.refused(IO, "decompose", "--example", "torus", "--output", "file")

    def test_a_failure_keeps_what_was_there(self):
        path = self.write("c.txt", TRIANGLE)
        flow = self.write("x.csv", "1\n2\n3\n")
        self.gsan("decompose", path, "--signal", flow, "--output", "out")
        before = (self.folder / "out/parts_1.csv").read_text()
        self.refused(ARGUMENT, "decompose", path, "--signal", self.write("bad.csv", "1\n2\n"), "--output", "out")
        self.assertEqual((self.folder / "out/parts_1.csv").read_text(), before)

    def test_files_that_cannot_be_read(self):
        self.refused(IO, "inspect", "missing.txt", says=["missing.txt", "No such file"])
        self.refused(IO, "inspect", self.folder)
        self.refused(IO, "decompose", "--example", "torus", "--signal", "missing.csv", says=["missing.csv"])

    def test_a_label_that_is_not_there(self):
        path = self.write("c.txt", TRIANGLE)
        self.refused(ARGUMENT, "decompose", path, "--signal", self.write("x.csv", "v0,v1,a\n0,9,1\n"), says=["9"])

    def test_a_device_that_does_not_exist(self):
        self.refused(ARGUMENT, "inspect", "--example", "torus", "--device", "abacus", says=["abacus"])
        self.refused(ARGUMENT, "inspect", "--example", "torus", "--device", "meta", says=["meta"])
        if not os.path.exists("/dev/nvidia0"):
            self.refused(ARGUMENT, "inspect", "--example", "torus", "--device", "cuda:1", says=["'cuda:1'", "use --device cpu"])

    def test_an_unknown_example_lists_the_known_ones(self):
        self.refused(ARGUMENT, "inspect", "--example", "annulos", says=["annulos", "annulus", "torus"])

    def test_a_solver_that_does_not_converge(self):
        self.refused(NUMERIC, "decompose", "--example", "annulus", "--max-iterations", 1, "--tolerance", 1e-12,
                     "--output", "out", says=["1e-12"])

    def test_noise_never_crashes(self):
        noise = bytes(range(256)) * 4
        for name in ("a.txt", "a.csv", "a.off", "a.obj", "a.ply", "a.json", "a.gudhi", "a.edges", "a.points", "a"):
            run = self.gsan("inspect", self.write(name, noise), code=None)
            self.assertIn(run.returncode, (ARGUMENT, FORMAT), f"{name}: {run.stderr}")


    def test_squares_that_overflow_are_an_error_and_not_a_table_of_nan(self):
        path = self.write("c.txt", TRIANGLE)
        self.refused(NUMERIC, "decompose", path, "--signal", self.write("x.csv", "f\n1\n1e200\n3\n"),
                     says=["'f'", "beyond float64", "divide"])

    def test_text_that_is_not_utf8_or_has_lone_carriage_returns(self):
        self.refused(FORMAT, "inspect", self.write("c.txt", b"Z\xfcrich x\n"), says=["c.txt", "byte 1", "UTF-8"])
        self.refused(FORMAT, "inspect", self.write("r.txt", b"1 2\r2 3\r"), says=["r.txt", "carriage return"])

    def test_a_line_of_24_vertices_is_refused_at_once(self):
        path = self.write("c.txt", " ".join(map(str, range(24))) + "\n")
        self.refused(RESOURCE, "inspect", path, says=["c.txt:1", "24 vertices", "--max-order 23"])

    def test_bounds_are_told_in_words(self):
        points = self.write("p.csv", "x,y\n0,0\n1,1\n")
        told = self.gsan("lift", "rips", points, "--threshold", "-1", code=USAGE).stderr
        self.assertIn("at least 0, got -1", told)
        self.assertLess(len(told), 200)

    def test_escape_sequences_of_input_reach_no_terminal(self):
        config = self.write("c.yaml", '"task\\e[31m": 3\n')
        self.assertNotIn("\x1b", self.gsan("train", config, code=None).stderr)
        self.assertNotIn("\x1b", self.gsan("inspect", "--form\x1b[2Jat", "x", "c.txt", code=USAGE).stderr)


if __name__ == "__main__":
    unittest.main()
