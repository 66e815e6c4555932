"""gsan bench at sizes of a second: complete reports, honest gaps, refusals."""
import array
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import unittest

from command_case import ARGUMENT, HAS_DELAUNAY, IO, USAGE, CommandCase
from experiments_test import place_of_data

QUICK = ("--repeats", 2, "--seconds", 0)
CASE = {"name", "threads", "milliseconds", "min_milliseconds", "spread_percent", "runs", "bytes", "flops",
        "bytes_per_second", "bound_milliseconds", "bound_by", "percent_of_bound"}
SQUARE = "0 1 2\n0 2 3\n"


class Bench(CommandCase):
    def setUp(self):
        super().setUp()
        self.environment = {"GSAN_HOME": str(self.folder / "home"), "GSAN_DATA": ""}

    def bench(self, *arguments):
        """The report, which must be complete."""
        report = self.report("bench", *arguments, *QUICK)
        self.assertEqual((report["command"], report["subject"]), ("bench", arguments[0]))
        for key in ("processor", "cores", "cache_bytes", "memory_bytes", "kernels", "torch", "compiler", "allocator"):
            self.assertIn(key, report["machine"])
        self.assertIn(report["threads"], [bound["threads"] for bound in report["roofline"]])
        for bound in report["roofline"]:
            self.assertGreater(bound["copy_bytes_per_second"], 1e8)
            self.assertGreater(bound["flops_per_second"], 1e8)
        for case in report["cases"]:
            self.assertLessEqual(CASE, set(case))
            self.assertGreater(case["milliseconds"], 0)
            self.assertLessEqual(case["min_milliseconds"], case["milliseconds"])
            self.assertGreater(case["bytes"], 0)
            self.assertGreater(case["flops"], 0)
            self.assertEqual(case["runs"], 2)
        names = [case["name"] for case in report["cases"]]
        self.assertEqual(len(names), len(set(names)))
        return report

    @unittest.skipUnless(HAS_DELAUNAY, "built without Qhull")
    def test_attention_counts_what_the_formulas_say(self):
        report = self.bench("attention", "--points", 200, "--hub", 50, "--features", "4,8", "--order", "hilbert")
        cases = {case["name"]: case for case in report["cases"]}
        for F in (4, 8):
            case = cases[f"delaunay-200/F{F}/forward"]
            N, E = case["simplices"][1], case["pairs"]
            # Signals in and out, W and a, offsets and sources.
            self.assertEqual(case["bytes"], 4 * (2 * N * F + F * F + 2 * F + E) + 8 * (N + 1))
            self.assertIn(f"delaunay-200/F{F}/forward+backward", cases)
        self.assertTrue([name for name in cases if name.startswith("hub-50/")])

    @unittest.skipUnless(HAS_DELAUNAY, "built without Qhull")
    def test_layers_and_threads(self):
        report = self.bench("layer", "--points", 200, "--thread-points", 200, "--width", 4)
        names = [case["name"] for case in report["cases"]]
        self.assertIn("delaunay-200/gsan/F4/forward+backward", names)
        self.assertIn("threads/delaunay-200/gsan/F4/2 threads", names)
        self.assertEqual([entry["name"] for entry in report["skipped"]], ["citation"])
        self.assertIn("gsan data fetch citation", report["skipped"][0]["reason"])
        self.assertGreater(report["results"]["threads/delaunay-200/gsan/F4, gain of 2 threads"], 0)

    @unittest.skipUnless(HAS_DELAUNAY, "built without Qhull")
    def test_scale_fits_an_exponent(self):
        report = self.bench("scale", "--edges", "300,600", "--features", 4)
        (small, large), exponent = report["cases"], report["results"]["exponent of time over edges"]
        self.assertEqual(small["vertex_order"], "hilbert")
        self.assertAlmostEqual(small["simplices"][1] ** exponent / small["milliseconds"],
                               large["simplices"][1] ** exponent / large["milliseconds"], delta=1e-6 * 300 ** exponent)

    def test_memory_of_a_step(self):
        report = self.bench("memory", "--edges", 1000)
        (step,) = report["other"]
        self.assertAlmostEqual(step["simplices"][1], 1000, delta=200)
        self.assertGreaterEqual(step["peak_bytes"], step["complex_and_signals_bytes"])
        self.assertEqual([entry["name"] for entry in report["skipped"]], ["allocations/proteins, batch of 36"])

    @unittest.skipUnless(place_of_data(), "the published files are not here")
    def test_a_training_step_allocates_the_same_every_time(self):
        self.environment["GSAN_DATA"] = place_of_data()
        (step,) = self.bench("memory", "--filter", "allocations")["other"]
        self.assertTrue(step["constant"], step)
        self.assertGreater(step["objects"], 0)
        self.assertGreater(step["tensors"], 0)
        self.assertEqual(step["fresh_blocks"], 0)  # of 4 KiB and more, asked from the system

    @unittest.skipUnless(HAS_DELAUNAY, "built without Qhull")
    def test_text_names_every_case_and_exports_are_complete(self):
        run = self.gsan("bench", "attention", "--points", 100, "--features", 4, "--filter", "F4/forward", "--export", "out",
                        *QUICK)
        for word in ("GB/s", "GFLOP/s", "% of bound", "delaunay-100/F4/forward", "wrote out/"):
            self.assertIn(word, run.stdout)
        content = (self.folder / "out/attention_delaunay-100_F4.safetensors").read_bytes()
        header = json.loads(content[8:8 + int.from_bytes(content[:8], "little")])
        self.assertLessEqual({"faces.1", "input.1", "output.1", "output_gradient.1", "input_gradient.1",
                              "weight.own_1_lower", "weight.attention_1_lower_1.a"}, set(header))
        self.assertNotIn("hub", run.stdout)

    def test_attention_on_a_file_has_every_mechanism_and_the_ratio_of_passes(self):
        self.write("square.simplices", SQUARE)
        report = self.bench("attention", "--complex", "square.simplices", "--features", 4)
        names = {case["name"] for case in report["cases"]}
        for what in ("", "gatv2 ", "dot ", "op ", "sigmoid op ", "gatv2 op ", "dot op "):
            self.assertLessEqual({f"square/F4/{what}forward", f"square/F4/{what}forward+backward"}, names)
        for what in ("op", "gatv2 op", "dot op"):
            self.assertIn(f"square/F4/{what}, backward over forward", report["results"])
        self.assertEqual({case["vertex_order"] for case in report["cases"]}, {"given"})
        self.assertEqual(report["device"], "cpu")

    @unittest.skipUnless(importlib.util.find_spec("scipy"), "scipy is not installed")
    def test_complexes_of_the_script_keep_the_numbers_of_their_vertices(self):
        script = pathlib.Path(__file__).resolve().parents[2] / "benchmarks/delaunay_complex.py"
        for order in ("random", "morton"):
            subprocess.run([sys.executable, script, "60", self.folder / "planar.simplices", "--order", order], check=True)
            lines = (self.folder / "planar.simplices").read_text().splitlines()
            case = self.bench("attention", "--complex", "planar.simplices", "--features", 4, "--filter", "F4/forward")["cases"][0]
            self.assertEqual(case["simplices"][0::2], [60, len(lines)])
            self.assertEqual(case["simplices"][0] - case["simplices"][1] + case["simplices"][2], 1)

    def test_layers_on_a_file_in_another_order_and_precision(self):
        self.write("square.simplices", SQUARE)
        report = self.bench("layer", "--complex", "square.simplices", "--width", 4, "--order", "random", "--precision",
                            "float64", "--filter", "/gsan/")
        single = self.bench("layer", "--complex", "square.simplices", "--width", 4, "--filter", "/gsan/")
        for case, usual in zip(report["cases"], single["cases"]):
            self.assertEqual((case["precision"], case["vertex_order"]), ("float64", "random"))
            self.assertEqual((case["simplices"], usual["vertex_order"]), ([4, 5, 2], "given"))
            self.assertGreater(case["bytes"], usual["bytes"])
        self.refused(ARGUMENT, "bench", "layer", "--complex", "square.simplices", "--order", "hilbert", says=["--order", "given"])

    def test_the_order_of_models_can_be_timed(self):
        # A path in no order: in its own the ends of every edge are neighbours.
        names = [7, 2, 9, 0, 5, 3, 8, 1, 6, 4]
        self.write("path.simplices", "".join(f"{a} {b}\n" for a, b in zip(names, names[1:])))
        for order, farthest in (("given", 9), ("cuthill-mckee", 1)):
            case = self.bench("attention", "--complex", "path.simplices", "--features", 4, "--order", order, "--export",
                              self.folder / order, "--filter", "/forward")["cases"][0]
            self.assertEqual((case["vertex_order"], case["simplices"][:2]), (order, [10, 9]))
            (file,) = (self.folder / order).glob("*.safetensors")
            content = file.read_bytes()
            start = 8 + int.from_bytes(content[:8], "little")
            first, last = json.loads(content[8:start])["faces.1"]["data_offsets"]
            faces = array.array("i", content[start + first:start + last])
            self.assertEqual(max(abs(a - b) for a, b in zip(faces[0::2], faces[1::2])), farthest)

    def test_what_has_no_kernel_for_bf16_is_skipped_with_the_reason(self):
        self.write("square.simplices", SQUARE)
        report = self.bench("attention", "--complex", "square.simplices", "--features", 4, "--precision", "bf16", "--filter", "op")
        self.assertTrue(report["cases"] or all("BFloat16" in entry["reason"] for entry in report["skipped"]))

    @unittest.skipUnless(place_of_data(), "the published files are not here")
    def test_a_step_of_the_published_imputation(self):
        report = self.bench("train", "--filter", "imputation", "--look-in", place_of_data())
        (case,) = report["cases"]
        self.assertEqual(case["steps"], 1)
        self.assertGreater(case["simplices"][4], 1000)

    def test_the_allocator_can_be_left_to_the_environment(self):
        ours = self.bench("memory", "--edges", 200, "--filter", "step")["machine"]["allocator"]
        self.assertTrue(ours.startswith("retained"), ours)
        self.environment["MALLOC_TOP_PAD_"] = "1048576"
        theirs = self.bench("memory", "--edges", 200, "--filter", "step", "--allocator", "default")
        self.assertIn("MALLOC_TOP_PAD_=1048576", theirs["machine"]["allocator"])

    def test_a_report_in_a_file(self):
        run = self.gsan("bench", "memory", "--edges", 200, "--filter", "step", "--json", "--output", "report.json")
        self.assertEqual(run.stdout, "")
        self.assertEqual(json.loads((self.folder / "report.json").read_text())["subject"], "memory")

    def test_refusals(self):
        for arguments in ([], ["speed"], ["attention", "--points", 2], ["attention", "--repeats", 0],
                          ["attention", "--order", "best"], ["scale", "--edges", "many"], ["memory", "--export", "x"],
                          ["train", "--allocator", "mine"], ["layer", "--threads", 0], ["attention", "--seconds", -1],
                          ["layer", "--precision", "half"], ["train", "--precision", "bf16"]):
            self.refused(USAGE, "bench", *arguments, says=["--help"])
        self.refused(ARGUMENT, "bench", "memory", "--device", "abacus", says=["--device", "abacus", "cuda:N"])
        self.write("file", "")
        if HAS_DELAUNAY:
            self.refused(IO, "bench", "attention", "--points", 100, "--features", 4, "--filter", "F4/forward", "--export",
                         os.path.join("file", "x"), *QUICK, says=["--export"])


if __name__ == "__main__":
    unittest.main()
