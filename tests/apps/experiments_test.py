"""The configs of experiments/, through the command: data opened, model built, nothing trained."""
import os
import pathlib
import unittest

from command_case import CommandCase

ROOT = pathlib.Path(__file__).resolve().parents[2]
BESIDE = ROOT.parent / "shared/data"  # published files, where this machine has them


def place_of_data():
    """$GSAN_HOME/data, else shared/data beside the repository; None where neither is."""
    home = pathlib.Path(os.environ["GSAN_HOME"]) / "data" if "GSAN_HOME" in os.environ else None
    return next((str(place) for place in (home, BESIDE) if place and place.is_dir()), None)


class Experiments(CommandCase):
    def setUp(self):
        super().setUp()
        self.environment = {"GSAN_HOME": str(self.folder / "home"), "GSAN_DATA": place_of_data() or ""}

    def check(self, config, *overrides):
        report = self.report("train", ROOT / "experiments" / config, "--check", *overrides)
        self.assertGreater(report["parameters"], 0)
        return report

    def test_generated_flows(self):
        for config in ("trajectory/flow_san.yaml", "trajectory/flow_gsan.yaml", "trajectory/flow_mpsn.yaml"):
            with self.subTest(config):
                published = self.check(config, "data.points=150")
                self.assertTrue(published["remarks"])
                strict = self.check(config, "data.points=150", "--protocol", "strict")
                self.assertEqual(strict["remarks"], [])
        self.assertEqual(self.files(), [path for path in self.files() if path.startswith("home")])

    @unittest.skipUnless(place_of_data(), "the published files are neither in $GSAN_HOME/data nor in ../shared/data")
    def test_published_files(self):
        for config, overrides in (("trajectory/ocean_sat.yaml", []), ("imputation/san.yaml", ["imputation.order=3"]),
                                  ("imputation/snn.yaml", ["imputation.order=0"]),
                                  ("imputation/gsan.yaml", ["imputation.order=5"]),
                                  ("graph-classification/proteins_gsan.yaml", ["split.fold=9"]),
                                  ("graph-classification/proteins_gin.yaml", []),
                                  ("simplex-prediction/2-simplex_gf.yaml", []),
                                  ("simplex-prediction/2-simplex_mlp.yaml", []),
                                  ("simplex-prediction/3-simplex_gsan-joint.yaml", [])):
            with self.subTest(config):
                self.assertTrue(self.check(config, *overrides)["remarks"])
                self.assertEqual(self.check(config, *overrides, "--protocol", "strict")["remarks"], [])


if __name__ == "__main__":
    unittest.main()
