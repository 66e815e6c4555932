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
                    self.assertLessEqual(law["measured"], law["bound"], law["name"])

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
