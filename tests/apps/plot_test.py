"""gsan plot: what a picture shows is the data, and odd input gives a picture or a named error."""
import base64
import json
import math
import os
import pathlib
import struct
import subprocess
import unittest
import xml.etree.ElementTree as ElementTree

from command_case import ARGUMENT, BINARY, ENVIRONMENT, FORMAT, IO, CommandCase

KINDS = pathlib.Path(__file__).resolve().parents[2] / "apps/gsan/plots/plots.def"
# A filled triangle (0 1 2) and a hollow one (1 2 3); the edge 2 0 is listed against its order.
COMPLEX = "0 1\n1 2\n2 0\n2 3\n1 3\n0 1 2\n"
POINTS = "v0,x,y\n0,0,0\n1,1,0\n2,0.5,1\n3,1.5,1\n"
FLOW = "flow,other\n1,10\n-2,20\n3,30\n0.25,40\n5,50\n"


class Plot(CommandCase):
    def setUp(self):
        super().setUp()
        self.complex = self.write("c.txt", COMPLEX)
        self.points = self.write("p.csv", POINTS)
        self.flow = self.write("flow.csv", FLOW)

    def picture(self, *arguments, name="out.svg"):
        """The root of the picture that the command writes, and the report."""
        path = self.folder / name
        report = self.report("plot", *arguments, "--output", path)
        self.assertEqual(report["files"], [str(path)])
        return ElementTree.parse(path).getroot(), report

    @staticmethod
    def of_class(root, word):
        return [element for element in root.iter() if word in element.get("class", "").split()]

    def values(self, root, word):
        return {element.get("data-simplex"): float(element.get("data-value")) for element in self.of_class(root, word)}

    def test_a_complex_shows_every_simplex_once(self):
        root, report = self.picture("complex", self.complex, "--points", self.points)
        self.assertEqual([len(self.of_class(root, word)) for word in ("vertex", "edge", "triangle")], [4, 5, 1])
        self.assertEqual(report["counts"], [4, 5, 1])
        self.assertEqual(report["coordinates"], 2)
        self.assertEqual({e.get("data-simplex") for e in self.of_class(root, "edge")}, {"0 1", "1 2", "0 2", "2 3", "1 3"})

    def test_values_are_those_of_the_file_in_the_orientation_of_sorted_vertices(self):
        root, _ = self.picture("complex", self.complex, "--points", self.points, "--signal", self.flow)
        self.assertEqual(self.values(root, "edge"), {"0 1": 1, "1 2": -2, "0 2": -3, "2 3": 0.25, "1 3": 5})
        titles = [e[0].text for e in self.of_class(root, "edge")]
        self.assertIn("0 2: -3", titles)
        root, _ = self.picture("complex", self.complex, "--signal", self.flow, "--column", "other", "--unoriented")
        self.assertEqual(self.values(root, "edge")["0 2"], 30)

    def test_signals_of_several_orders(self):
        area = self.write("area.csv", "7\n")
        # Vertices are not listed in the file: a signal on them names them.
        heat = self.write("heat.csv", "v0,heat\n0,1\n1,2\n2,3\n3,4\n")
        root, _ = self.picture("complex", self.complex, "--signal", f"0={heat}", "--signal", f"2={area}")
        self.assertEqual(self.values(root, "vertex"), {"0": 1, "1": 2, "2": 3, "3": 4})
        self.assertEqual(self.values(root, "triangle"), {"0 1 2": 7})
        self.assertEqual(len(self.of_class(root, "color-bar")), 2)

    def test_the_parts_of_a_decomposition_sum_to_the_signal(self):
        root, report = self.picture("decomposition", self.complex, "--points", self.points, "--signal", self.flow)
        panels = [child for child in root if child.tag.endswith("svg")]
        self.assertEqual(len(panels), 4)
        whole, *parts = [self.values(panel, "edge") for panel in panels]
        for simplex, value in whole.items():
            self.assertAlmostEqual(sum(part[simplex] for part in parts), value, places=9)
        energies = self.report("decompose", self.complex, "--signal", self.flow)["orders"][0]["energies"][0]
        for name in ("energy", "gradient", "curl", "harmonic"):
            self.assertAlmostEqual(report["energies"][name], energies[name], places=9)
        self.assertAlmostEqual(sum(v * v for v in parts[2].values()), energies["harmonic"], places=9)

    def test_eigenvectors_of_eigenvalue_zero_are_as_many_as_holes(self):
        root, report = self.picture("eigenvectors", self.complex, "--order", 1, "--count", 3)
        parts = [e["part"] for e in report["eigenvalues"]]
        self.assertEqual(parts.count("harmonic"), 1)
        panels = [child for child in root if child.tag.endswith("svg")]
        self.assertEqual(len(panels), 3)
        for panel in panels:
            self.assertAlmostEqual(sum(v * v for v in self.values(panel, "edge").values()), 1, places=6)
        harmonic = self.values(panels[0], "edge")  # flows around (1 2 3) without a source
        self.assertAlmostEqual(harmonic["1 3"], -harmonic["2 3"], places=6)
        self.assertEqual(sum("harmonic generator" in "".join(panel.itertext()) for panel in panels), 1)

    def test_a_spectrum_shows_the_eigenvalues_that_gsan_spectrum_prints(self):
        for words, same in ((["--order", 1], ["--order", 1]), (["--operator", "dirac"], ["--dirac"])):
            root, report = self.picture("spectrum", self.complex, *words)
            drawn = sorted(float(p.get("data-y")) for p in self.of_class(root, "point"))
            printed = self.report("spectrum", self.complex, "--all", *same)
            expected = [e["value"] for e in printed["eigenvalues"]] + [0] * sum(printed.get("harmonic", []))
            self.assertEqual(len(drawn), len(expected))
            for a, b in zip(drawn, sorted(expected)):
                self.assertAlmostEqual(a, b, places=9)
            self.assertTrue(report["complete"])
            self.assertEqual(sum(int(b.get("data-count")) for b in self.of_class(root, "bin")), len(expected))

    def test_the_same_command_writes_the_same_bytes(self):
        words = ["complex", "--example", "projective-plane", "--layout", "spring"]
        self.picture(*words, name="a.svg")
        self.picture(*words, name="b.svg")
        self.assertEqual((self.folder / "a.svg").read_bytes(), (self.folder / "b.svg").read_bytes())
        root, report = self.picture(*words[:3], "--layout", "spectral")
        self.assertEqual(report["coordinates"], "spectral")
        self.assertEqual(len(self.of_class(root, "vertex")), 6)

    def test_points_in_space_are_projected(self):
        for view in ("principal", "xz", "30,20"):
            root, _ = self.picture("complex", "--example", "sphere", "--view", view)
            self.assertEqual(len(self.of_class(root, "triangle")), 8)
        self.refused(ARGUMENT, "plot", "complex", "--example", "sphere", "--view", "up", "--output", "x.svg", says=["AZIMUTH,ELEVATION"])

    def test_labels_are_text(self):
        labels = b"<script>alert(1)</script> \"q\"\"q\"\n\"q\"\"q\" 'x'&y\n\xc3\xbc a\n"
        root, _ = self.picture("complex", self.write("odd.txt", labels))
        self.assertEqual([e for e in root.iter() if "script" in e.tag], [])
        named = {e.get("data-simplex") for e in self.of_class(root, "vertex")}
        self.assertTrue({"<script>alert(1)</script>", 'q"q', "'x'&y", "ü"} <= named, named)

    def test_missing_values_and_coordinates_are_said(self):
        holes = self.write("holes.csv", "1\nnan\n3\n4\n5\n")
        root, _ = self.picture("complex", self.complex, "--signal", holes)
        self.assertEqual(len(self.of_class(root, "missing")), 1)
        self.refused(FORMAT, "plot", "decomposition", self.complex, "--signal", holes, "--output", "x.svg", says=["holes.csv"])
        points = self.write("nan.csv", POINTS.replace("3,1.5,1", "3,nan,1"))
        root, report = self.picture("complex", self.complex, "--points", points)
        self.assertEqual(len(self.of_class(root, "vertex")), 3)
        self.assertIn("1 of 4 vertices have no finite coordinates", report["remarks"][0])

    def test_small_and_equal_input(self):
        one = self.write("one.txt", "a\n")
        root, _ = self.picture("complex", one)
        self.assertEqual(len(self.of_class(root, "vertex")), 1)
        equal = self.write("equal.csv", "3\n" * 5)
        root, _ = self.picture("complex", self.complex, "--signal", equal)
        self.assertEqual(len(self.of_class(root, "edge")), 5)
        empty = self.write("empty.txt", "")
        for kind in ("complex", "decomposition", "eigenvectors", "spectrum"):
            self.refused(ARGUMENT, "plot", kind, empty, "--format", "simplices", "--output", "x.svg", says=["empty"])

    def test_wrong_words_are_named(self):
        short = self.write("short.csv", "x,y\n0,0\n1,1\n")
        self.refused(ARGUMENT, "plot", "complex", self.complex, "--points", short, "--output", "x.svg", says=["--points", "short.csv", "2 rows"])
        self.refused(ARGUMENT, "plot", "complex", self.complex, "--output", "x.pdf", says=["x.pdf", ".svg, .png or .vtu"])
        self.refused(ARGUMENT, "plot", "spectrum", self.complex, "--output", "x.vtu", says=[".vtu is for pictures of a complex"])
        self.refused(ARGUMENT, "plot", "complex", self.complex, "--signal", self.flow, "--column", "speed", "--output", "x.svg",
                     says=["'speed'", "flow, other"])
        self.refused(ARGUMENT, "plot", "eigenvectors", self.complex, "--order", 4, "--output", "x.svg", says=["order"])

    def test_png_needs_a_converter(self):
        words = [BINARY, "plot", "complex", self.complex, "--output", str(self.folder / "x.png")]
        run = subprocess.run(words, env={**ENVIRONMENT, "PATH": str(self.folder)}, capture_output=True, text=True)
        self.assertEqual(run.returncode, IO)
        self.assertIn("apt install librsvg2-bin", run.stderr)
        broken = self.folder / "rsvg-convert"
        broken.write_text("#!/bin/sh\necho no luck >&2\nexit 3\n")
        broken.chmod(0o755)
        run = subprocess.run(words, env={**ENVIRONMENT, "PATH": f"{self.folder}:/usr/bin:/bin"}, capture_output=True, text=True)
        self.assertEqual(run.returncode, IO)
        self.assertIn("no luck", run.stderr)
        self.assertFalse((self.folder / "x.png").exists())

    def test_png_is_a_picture_of_twice_the_size(self):
        finder = os.environ.get("PATH", "").split(":")
        if not any(os.access(os.path.join(folder, "rsvg-convert"), os.X_OK) for folder in finder):
            self.skipTest("rsvg-convert is not installed")
        self.gsan("plot", "complex", self.complex, "--signal", self.flow, "--width", 300, "--output", "x.png")
        data = (self.folder / "x.png").read_bytes()
        self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual(struct.unpack(">I", data[16:20])[0], 600)

    def array(self, root, name):
        found = [a for a in root.iter("DataArray") if a.get("Name") == name][-1]
        data = base64.b64decode(found.text)
        form, size = {"Float64": ("d", 8), "Int64": ("q", 8), "UInt8": ("B", 1)}[found.get("type")]
        self.assertEqual(struct.unpack("<Q", data[:8])[0], len(data) - 8)
        return list(struct.unpack(f"<{(len(data) - 8) // size}{form}", data[8:]))

    def test_vtu_holds_cells_points_and_signals(self):
        root, _ = self.picture("decomposition", self.complex, "--points", self.points, "--signal", self.flow, name="x.vtu")
        piece = root.find("UnstructuredGrid/Piece")
        self.assertEqual((piece.get("NumberOfPoints"), piece.get("NumberOfCells")), ("4", "10"))
        self.assertEqual(self.array(root, "types"), [1] * 4 + [3] * 5 + [5])
        self.assertEqual(self.array(root, "offsets")[-1], len(self.array(root, "connectivity")))
        self.assertEqual(self.array(root, "connectivity")[-3:], [0, 1, 2])
        self.assertEqual(self.array(root, "points")[6:9], [0.5, 1, 0])
        signal = self.array(root, "signal")
        self.assertEqual([math.isnan(v) for v in signal], [True] * 4 + [False] * 5 + [True])
        parts = [self.array(root, name) for name in ("gradient", "curl", "harmonic")]
        for i in range(4, 9):
            self.assertAlmostEqual(sum(part[i] for part in parts), signal[i], places=9)

    def test_vtu_is_read_by_other_programs(self):
        try:
            import meshio
        except ImportError:
            self.skipTest("meshio is not installed")
        self.gsan("plot", "complex", self.complex, "--points", self.points, "--signal", self.flow, "--output", "x.vtu")
        mesh = meshio.read(self.folder / "x.vtu")
        self.assertEqual([block.type for block in mesh.cells], ["vertex", "line", "triangle"])
        self.assertEqual(list(mesh.cell_data["flow"][1]), [1, -3, -2, 5, 0.25])

    def test_every_kind_has_help_with_an_example_that_runs(self):
        kinds = [line[5:-1] for line in KINDS.read_text().splitlines() if line.startswith("PLOT(")]
        page = (KINDS.parents[3] / "docs/plot.md").read_text()
        for kind in kinds:
            text = self.gsan("plot", kind, "--help").stdout
            self.assertIn(f"  gsan plot {kind} ", text)
            self.assertIn(f"| `{kind}` |", page)
            example = text[text.index(f"  gsan plot {kind} "):].splitlines()[0].split()[1:]
            if "--example" in example:
                with self.subTest(kind):
                    self.gsan(*example)

    def test_sampled_pictures_say_so(self):
        self.gsan("lift", "hex", "--rows", 50, "--columns", 60, "--output", "grid.txt", "--points", "grid.csv")
        root, report = self.picture("decomposition", "grid.txt", "--points", "grid.csv", "--signal", self.large_flow("grid.txt"))
        self.assertTrue(any(text.startswith("shows 5000 of 8781 edges") for text in report["remarks"]), report["remarks"])
        self.assertIn("shows 5000 of 8781 edges", "".join(root.itertext()))
        self.assertLess((self.folder / "out.svg").stat().st_size, 10_000_000)

    def large_flow(self, grid):
        edges = [line for line in (self.folder / grid).read_text().splitlines() if len(line.split()) == 2]
        return self.write("large.csv", "".join(f"{math.sin(i)}\n" for i in range(len(edges))))

    def test_the_report_is_json(self):
        run = self.gsan("plot", "complex", self.complex, "--output", "x.svg", "--json")
        self.assertEqual(json.loads(run.stdout)["kind"], "complex")


if __name__ == "__main__":
    unittest.main()
