"""gsan models: every published model with its parameters, terms and cost."""
import math
import unittest

from command_case import ARGUMENT, IO, USAGE, CommandCase

BESIDE = {"mpsn", "gin", "mlp", "facets"}


class Models(CommandCase):
    def model(self, *arguments):
        return self.report("models", *arguments)["models"][0]

    def test_the_list_names_every_model_with_equation_and_citation(self):
        report = self.report("models")
        names = [model["name"] for model in report["models"]]
        self.assertEqual(len(names), len(set(names)))
        self.assertLessEqual({"gat", "gcn", "snn", "psnn", "hodgenet", "scnn", "bunch", "sccnn", "sat", "san", "gsccn",
                              "gsan", "gsan-joint", "gsan-hodge", "gf", "scf", "cf-sc", "mpsn-flow"} | BESIDE,
                             set(names))
        text = self.gsan("models").stdout
        for model in report["models"]:
            self.assertRegex(model["citation"], r"^\w.*: .*[.?] .*, \d{4}\.$")
            self.assertTrue(model["equation"])
            self.assertGreaterEqual(model["parameters"]["total"], 0)
            self.assertNotIn("cost", model)
            self.assertIn(model["citation"], text)
        self.assertTrue(text.isascii())

    def test_parameters_are_2j_plus_1_matrices_and_the_attention_vectors(self):
        for J in range(1, 6):
            F, G, H = (32, 32, 1) if J % 2 else (3, 8, 2)
            report = self.report("models", "--in", F, "--out", G, "--heads", H, "--length", J)
            models = {model["name"]: model["parameters"] for model in report["models"] if "fault" not in model}
            own, neighbor = J // 2, math.ceil(J / 2)
            vectors = 8 * G * H * (own + (neighbor if neighbor > 1 else 0))
            self.assertEqual(models["gsccn"]["total"], (2 * J + 1) * F * G * H)
            self.assertEqual(models["gsan"]["attention"], vectors)
            self.assertEqual(models["gsan"]["total"], (2 * J + 1) * F * G * H + vectors)

    def test_the_kinds_add_up_and_the_terms_name_their_weights(self):
        for model in self.report("models", "--example", "torus", "--heads", 2)["models"]:
            if model["name"] in BESIDE:
                continue
            with self.subTest(model["name"]):
                for numbers in (model["parameters"], model["cost"]["flops"], model["cost"]["bytes"]):
                    self.assertEqual(numbers["total"], sum(n for kind, n in numbers.items() if kind != "total"))
                self.assertEqual(model["cost"]["bytes"]["parameters"], 4 * model["parameters"]["total"])
                self.assertTrue(all(term["weight"] for term in model["terms"]))

    def test_the_cost_of_one_graph_convolution_by_hand(self):
        # Y = s(S Z W) on 3 vertices and 2 edges: Z W is 2·3·F·F' flops, S passes the 4 incidences twice.
        path = self.write("path.txt", "0 1\n1 2\n")
        flops = self.model("gcn", "--complex", path, "--in", 5, "--out", 7)["cost"]["flops"]
        self.assertEqual((flops["products"], flops["shifts"]), (2 * 3 * 5 * 7, 2 * 4 * 7))

    def test_signals_multiply_the_work_and_not_the_structure(self):
        one = self.model("gsan", "--example", "torus")["cost"]
        ten = self.model("gsan", "--example", "torus", "--signals", 10)["cost"]
        self.assertEqual(ten["flops"]["total"], 10 * one["flops"]["total"])
        self.assertEqual(ten["bytes"]["activations"], 10 * one["bytes"]["activations"])
        self.assertEqual(ten["bytes"]["structure"], one["bytes"]["structure"])

    def test_settings_change_any_option(self):
        plain, dot = self.model("gsan"), self.model("gsan", "--set", "mechanism=dot", "--set", "lower.own=1")
        self.assertEqual(plain["options"]["mechanism"], "gat")
        self.assertEqual((dot["options"]["mechanism"], dot["options"]["lower.own"]), ("dot", "1"))
        self.assertGreater(dot["parameters"]["attention"], plain["parameters"]["attention"])
        self.assertEqual(self.model("mlp", "--set", "n_layers=2")["options"]["n_layers"], "2")
        # Options of the layer are none of the baselines: these are left out of the list.
        names = {model["name"] for model in self.report("models", "--set", "heads=2")["models"]}
        self.assertFalse(names & BESIDE)

    def test_the_order_is_that_of_the_complex(self):
        self.assertEqual(self.report("models", "gsan", "--example", "tetrahedron")["order"], 3)
        self.assertEqual(self.report("models", "gsan", "--example", "tetrahedron", "--order", 1)["order"], 1)
        self.assertEqual(self.report("models", "gsan")["order"], 2)

    def test_a_model_that_does_not_suit_says_why(self):
        report = self.report("models", "--order", 0)
        faults = {model["name"]: model["fault"] for model in report["models"] if "fault" in model}
        self.assertIn("psnn", faults)
        self.assertIn("no term", faults["gat"])
        self.assertNotIn("gsan", faults)
        self.assertIn("order = 0, got 1", faults["psnn"])
        self.refused(ARGUMENT, "models", "psnn", "--order", 0, says=["psnn", "order 0", "got 1"])
        self.refused(ARGUMENT, "models", "scnn", "--signal-order", 3, says=["scnn", "got 3"])

    def test_detail_for_people(self):
        text = self.gsan("models", "gsan", "--example", "annulus").stdout
        for word in ("Battiloro", "parameters  10240", "attention_1_lower_2", "negative_slope      0.2", "memory"):
            self.assertIn(word, text)

    def test_names_take_either_dash(self):
        self.assertEqual(self.model("gsan_joint")["name"], "gsan-joint")

    def test_bad_input(self):
        self.refused(ARGUMENT, "models", "gsam", says=["gsam", "did you mean 'gsan'?"])
        self.refused(ARGUMENT, "models", "mlpp", says=["did you mean 'mlp'?"])
        self.refused(ARGUMENT, "models", "--set", "head=2", says=["head", "did you mean 'heads'?"])
        self.refused(ARGUMENT, "models", "gsan", "--set", "mechanism=bahdanau", says=["bahdanau", "gat, gatv2, dot"])
        self.refused(ARGUMENT, "models", "gsan", "--set", "heads", says=["NAME=VALUE", "heads"])
        self.refused(ARGUMENT, "models", "gsan", "--set", "heads=1", "--set", "heads=2", says=["twice"])
        self.refused(ARGUMENT, "models", "gsan", "--set", "in_channels=0", says=["in_channels", "got 0"])
        self.refused(ARGUMENT, "models", "--set", "out_channels=0", says=["no model suits", "out_channels", "got 0"])
        self.refused(ARGUMENT, "models", "gsan", "--set", "out_channels=2000000000", says=["65536"])
        self.refused(ARGUMENT, "models", "gsan", "--set", "order=3", says=["--order"])
        self.refused(ARGUMENT, "models", "harmonic-mean", says=["unknown model"])  # a rule
        for option in ("--in", "--out", "--heads"):
            self.refused(USAGE, "models", option, 0, says=[option, "0"])
        self.refused(USAGE, "models", "--example", "torus", "--complex", "x.txt")
        self.refused(IO, "models", "--complex", "missing.txt", says=["missing.txt"])


if __name__ == "__main__":
    unittest.main()
