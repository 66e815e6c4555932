"""gsan inspect: the numbers of known spaces."""
import gzip
import json
import unittest

from command_case import ARGUMENT, RESOURCE, USAGE, CommandCase

KNOWN = {  # Betti numbers over the rationals
    "annulus": [1, 2, 0],
    "sphere": [1, 0, 1],
    "torus": [1, 2, 1],
    "klein-bottle": [1, 1, 0],
    "wedge-of-circles": None,
    "tetrahedron": [1, 0, 0, 0],
}


class Inspect(CommandCase):
    def test_known_spaces(self):
        for name, betti in KNOWN.items():
            with self.subTest(name):
                report = self.report("inspect", "--example", name)
                counts = [order["count"] for order in report["orders"]]
                euler = sum((-1) ** k * n for k, n in enumerate(counts))
                self.assertEqual(report["euler_characteristic"], euler)
                self.assertEqual(sum((-1) ** k * b for k, b in enumerate(report["betti"])), euler)
                self.assertEqual(report["components"], 1)
                if betti is not None:
                    self.assertEqual(report["betti"], betti)

    def test_the_field_matters_for_the_klein_bottle(self):
        self.assertEqual(self.report("inspect", "--example", "klein-bottle", "--field", 2)["betti"], [1, 2, 1])
        self.refused(3, "inspect", "--example", "torus", "--field", 4, says=["4"])

    def test_every_number_of_two_triangles_that_share_an_edge(self):
        report = self.report("inspect", self.write("two.txt", "0 1 2\n1 2 3\n7\n"))
        self.assertEqual(report["betti"], [2, 0, 0])
        self.assertEqual(report["components"], 2)
        self.assertEqual([order["count"] for order in report["orders"]], [5, 5, 2])
        self.assertEqual([order["faces"] for order in report["orders"]], [0, 2, 3])
        self.assertEqual(report["orders"][0]["cofaces"], {"min": 0, "mean": 2.0, "max": 3})
        self.assertEqual(report["orders"][1]["cofaces"], {"min": 1, "mean": 1.2, "max": 2})
        self.assertEqual(report["orders"][2]["cofaces"], {"min": 0, "mean": 0.0, "max": 0})
        # L_2 = [[3, -1], [-1, 3]]: largest eigenvalue 4, row sum of absolute values 4.
        self.assertAlmostEqual(report["orders"][2]["lambda_max"], 4, places=4)
        self.assertEqual(report["orders"][2]["lambda_bound"], 4)
        for order in report["orders"]:
            self.assertLessEqual(order["lambda_max"], order["lambda_bound"] * (1 + 1e-9))
        self.assertGreater(report["memory_bytes"], 0)

    def test_bensons_files_up_to_an_order(self):
        sizes = [25, 2, 3]
        self.write("talks-nverts.txt.gz", gzip.compress("".join(f"{n}\n" for n in sizes).encode()))
        self.write("talks-simplices.txt", "".join(f"{v}\n" for n in sizes for v in range(n)))
        refusal = self.refused(RESOURCE, "inspect", "talks-nverts.txt.gz", "--max-simplices", 10**7, says=["25 vertices"])
        self.assertIn("--max-order", refusal)
        for name in ("talks-nverts.txt.gz", "talks-simplices.txt", "."):
            report = self.report("inspect", name, "--max-order", 2, "--quick")
            self.assertEqual([order["count"] for order in report["orders"]], [25, 300, 2300])
        self.assertEqual(len(self.report("inspect", "--example", "tetrahedron", "--max-order", 1)["orders"]), 2)
        self.refused(USAGE, "inspect", "--example", "torus", "--max-order", -1, says=["--max-order"])

    def test_quick_leaves_the_slow_numbers_out(self):
        report = self.report("inspect", "--example", "torus", "--quick")
        self.assertNotIn("betti", report)
        self.assertNotIn("lambda_max", report["orders"][0])

    def test_output_is_the_report_in_a_file(self):
        printed = self.gsan("inspect", "--example", "torus", "--json").stdout
        self.assertEqual(self.gsan("inspect", "--example", "torus", "--json", "--output", "r.json").stdout, "")
        self.assertEqual((self.folder / "r.json").read_text(), printed)
        self.assertEqual(self.files(), ["r.json"])

    def test_threads_change_no_number(self):
        one = json.loads(self.gsan("inspect", "--example", "annulus", "--threads", 1, "--json").stdout)
        two = json.loads(self.gsan("inspect", "--example", "annulus", "--threads", 2, "--json").stdout)
        self.assertEqual(one["betti"], two["betti"])
        for a, b in zip(one["orders"], two["orders"]):
            self.assertAlmostEqual(a["lambda_max"], b["lambda_max"], places=4)

    def test_memory_of_models(self):
        widths = ["--in", 4, "--out", 6, "--heads", 2]
        report = self.report("inspect", "--example", "torus", "--quick", "--model", "gsan", "--model", "gsccn", *widths)
        attention, convolution = report["models"]
        self.assertEqual((attention["name"], convolution["name"]), ("gsan", "gsccn"))
        # Attention stores neighbour pairs; Laplacians act through the tables that are there.
        self.assertGreater(attention["cost"]["bytes"]["structure"], 0)
        self.assertEqual(convolution["cost"]["bytes"]["structure"], 0)
        same = self.report("models", "gsan", "--example", "torus", *widths)["models"][0]
        self.assertEqual(attention["cost"], same["cost"])
        everything = self.report("inspect", "--example", "torus", "--quick", "--model", "all", "--signals", 3)["models"]
        self.assertGreater(len(everything), 20)
        self.assertTrue(all(model["cost"]["bytes"]["activations"] > 0 for model in everything))
        self.assertIn("activations", self.gsan("inspect", "--example", "torus", "--model", "gsan").stdout)
        self.assertNotIn("models", self.report("inspect", "--example", "torus", "--quick"))

    def test_models_that_cannot_be_inspected(self):
        torus = ["inspect", "--example", "torus", "--quick"]
        self.refused(ARGUMENT, *torus, "--model", "gasn", says=["gasn", "did you mean 'gsan'?"])
        self.refused(ARGUMENT, *torus, "--model", "mlp", says=["mlp"])
        self.refused(ARGUMENT, *torus, "--model", "gsan", "--set", "sharring=none", says=["did you mean 'sharing'?"])
        self.refused(USAGE, *torus, "--model", "gsan", "--in", 0, says=["--in"])
        vertices = self.write("vertices.txt", "0\n1\n")
        self.refused(ARGUMENT, "inspect", vertices, "--model", "psnn", says=["psnn", "order 0"])
        # All that suit a complex without edges, and why the others do not.
        models = self.report("inspect", vertices, "--model", "all")["models"]
        self.assertTrue(any("fault" in model for model in models) and any("cost" in model for model in models))

    def test_text_is_for_people(self):
        text = self.gsan("inspect", "--example", "annulus").stdout
        self.assertIn("Euler characteristic  -1", text)
        self.assertNotIn("\x1b", text)


if __name__ == "__main__":
    unittest.main()
