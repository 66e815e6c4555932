"""gsan check: the laws hold, and a law that does not hold is seen."""
import random
import unittest

from command_case import LAW_BROKEN, CommandCase


class Check(CommandCase):
    def test_every_law_on_known_spaces(self):
        for name in ("annulus", "torus", "projective-plane", "tetrahedron"):
            with self.subTest(name):
                report = self.report("check", "--example", name)
                self.assertTrue(report["passed"])
                self.assertGreaterEqual(len(report["laws"]), 12)
                for law in report["laws"]:
                    if "skipped" not in law:
                        self.assertLessEqual(law["measured"], law["bound"], law["name"])
                        self.assertTrue(law["passed"])

    def test_layers_are_measured(self):
        laws = {law["name"]: law for law in self.report("check", "--example", "torus")["laws"]}
        for name in ("orientation, gsccn", "orientation, gsan equivariant", "renumbering, gsan unsigned", "batch = parts, gsan", "signals one by one, gsan",
                     "gradient, gsccn", "gradient, gsan", "L_W^d L_W^u = 0", "rows of attention",
                     "constant scores average", "space = spectrum"):
            found = [law for key, law in laws.items() if key.startswith(name)]
            self.assertTrue(found, name)
            self.assertNotIn("skipped", found[0])

    def test_what_is_too_large_is_skipped_and_not_passed(self):
        # A star with 6000 rays: 36 million pairs of edges share its centre.
        path = self.write("star.txt", "".join(f"0 {i}\n" for i in range(1, 6001)))
        report = self.report("check", path)
        self.assertTrue(report["passed"])
        skipped = {law["name"]: law for law in report["laws"] if "skipped" in law}
        self.assertTrue(any(name.startswith("rows of attention") for name in skipped))
        self.assertTrue(all("gsccn" not in name or "spectrum" in name for name in skipped))
        for law in skipped.values():
            self.assertIsNone(law["passed"])
            self.assertIsNone(law["measured"])
        text = self.gsan("check", path).stdout
        self.assertIn("skip  rows of attention", text)
        self.assertIn("neighbour pairs", text)
        self.assertIn(f"every law holds that was measured; {len(skipped)} skipped", text)

    def test_max_memory_is_respected(self):
        report = self.report("check", "--example", "torus", "--max-memory", "20K")
        reasons = [law["skipped"] for law in report["laws"] if "skipped" in law]
        self.assertTrue(any("max_memory allows 20 KiB" in reason for reason in reasons), reasons)

    def test_small_complexes(self):
        for content in ("", "0\n", "0\n1\n", "0 1\n", "0 1\n2\n", "0 1 2\n"):
            with self.subTest(repr(content)):
                report = self.report("check", self.write("c.txt", content))
                self.assertTrue(report["passed"])
                self.assertEqual(any("skipped" in law for law in report["laws"]), content == "")

    def test_a_random_complex_of_the_user(self):
        draw = random.Random(5)
        lines = [" ".join(map(str, draw.sample(range(14), draw.randint(1, 4)))) for _ in range(40)]
        path = self.write("random.txt", "\n".join(lines) + "\n")
        for seed in range(2):
            self.gsan("check", path, "--seed", seed)

    def test_a_broken_law_is_an_exit_code_and_a_line(self):
        # Over F_2 the projective plane has Betti numbers 1, 1, 1; its Laplacians have kernels 1, 0, 0.
        report = self.report("check", "--example", "projective-plane", "--field", 2, code=LAW_BROKEN)
        self.assertEqual([law["name"] for law in report["laws"] if not law["passed"]],
                         ["harmonic dimension is the Betti number"])
        text = self.gsan("check", "--example", "projective-plane", "--field", 2, code=LAW_BROKEN).stdout
        self.assertIn("FAIL  harmonic dimension is the Betti number", text)
        self.assertIn("1 of ", text)
        self.assertNotIn("\x1b", text)


if __name__ == "__main__":
    unittest.main()
