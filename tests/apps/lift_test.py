"""gsan lift: graphs, points, meshes and grids become complexes that the other commands read."""
import unittest

from command_case import ARGUMENT, HAS_DELAUNAY, RESOURCE, CommandCase

K5 = "".join(f"{a} {b}\n" for a in range(5) for b in range(a))
SQUARE = "x,y\n0,0\n1,0\n1,1\n0,1\n"


class Lift(CommandCase):
    def test_cliques_to_any_order(self):
        path = self.write("k5.txt", K5)
        for order, counts in ((1, [5, 10]), (2, [5, 10, 10]), (4, [5, 10, 10, 5, 1]), (9, [5, 10, 10, 5, 1])):
            report = self.report("lift", "clique", path, "--max-order", order)
            self.assertEqual(report["counts"], counts)
            self.assertEqual(report["files"], [])

    def test_labels_survive_and_the_result_reads_back(self):
        path = self.write("graph.txt", "ann bob\nbob cy\ncy ann\ncy 12\n")
        self.gsan("lift", "clique", path, "--output", "complex.txt")
        lines = (self.folder / "complex.txt").read_text().splitlines()
        self.assertEqual(lines[:4], ["12", "ann", "bob", "cy"])
        self.assertIn("ann bob cy", lines)
        self.assertEqual(self.report("inspect", "complex.txt")["betti"], [1, 0, 0])
        self.assertEqual(self.files(), ["complex.txt", "graph.txt"])

    def test_rips_of_a_square(self):
        path = self.write("points.csv", SQUARE)
        self.assertEqual(self.report("lift", "rips", path, "--threshold", 0.5)["counts"], [4])
        self.assertEqual(self.report("lift", "rips", path, "--threshold", 1)["counts"], [4, 4])
        self.assertEqual(self.report("lift", "rips", path, "--threshold", 1.5, "--max-order", 3)["counts"],
                         [4, 6, 4, 1])

    @unittest.skipUnless(HAS_DELAUNAY, "built without Qhull")
    def test_delaunay_of_a_square_with_its_centre(self):
        path = self.write("points.csv", SQUARE + "0.5,0.5\n")
        report = self.report("lift", "delaunay", path, "--output", "d.txt", "--points", "d.csv")
        self.assertEqual(report["counts"], [5, 8, 4])
        self.assertEqual(report["files"], ["d.txt", "d.csv"])
        self.assertEqual((self.folder / "d.csv").read_text().splitlines()[-1], "4,0.5,0.5")

    @unittest.skipUnless(HAS_DELAUNAY, "built without Qhull")
    def test_points_on_a_line_have_no_triangulation(self):
        path = self.write("points.csv", "x,y\n0,0\n1,1\n2,2\n")
        self.refused(ARGUMENT, "lift", "delaunay", path, "--output", "d.txt")

    def test_mesh_with_its_faces_and_points(self):
        path = self.write("t.off", "OFF\n4 4 6\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 1 2\n3 0 1 3\n3 0 2 3\n3 1 2 3\n")
        report = self.report("lift", "mesh", path, "--output", "t.txt", "--points", "t.csv")
        self.assertEqual(report["counts"], [4, 6, 4])
        self.assertEqual(report["euler_characteristic"], 2)
        self.assertEqual((self.folder / "t.csv").read_text().splitlines()[:2], ["v0,x,y,z", "0,0,0,0"])

    def test_hex_grid_with_a_hole(self):
        self.gsan("lift", "hex", "--rows", 9, "--columns", 9, "--hole", "4,3.5,1.2", "--output", "g.txt")
        self.assertEqual(self.report("inspect", "g.txt")["betti"], [1, 1, 0])
        self.refused(ARGUMENT, "lift", "hex", "--hole", "4;3;1", says=["X,Y,RADIUS", "4;3;1"])

    def test_output_in_other_formats(self):
        path = self.write("k5.txt", K5)
        for name in ("c.json", "c.gudhi"):
            self.gsan("lift", "clique", path, "--output", name)
            self.assertEqual(self.report("inspect", name)["betti"], [1, 0, 4])

    def test_coordinates_do_not_become_weights(self):
        for name in ("g.json", "g.gudhi", "g.simplices"):
            self.gsan("lift", "hex", "--rows", 9, "--columns", 9, "--hole", "4,3.5,1.2", "--output", name)
            self.assertEqual(self.report("inspect", name)["betti"], [1, 1, 0])

    def test_limits_stop_before_anything_is_written(self):
        path = self.write("k5.txt", K5)
        says = ["30", "max_simplices"]
        self.refused(RESOURCE, "lift", "clique", path, "--max-order", 4, "--max-simplices", 30, "--output", "c.txt",
                     says=says)
        self.refused(RESOURCE, "lift", "hex", "--rows", 40000, "--columns", 40000, "--max-memory", "10M",
                     "--output", "g.txt")
        self.report("lift", "clique", path, "--max-order", 4, "--max-simplices", 31)

    def test_a_graph_has_no_points(self):
        path = self.write("k5.txt", K5)
        self.refused(ARGUMENT, "lift", "clique", path, "--output", "c.txt", "--points", "p.csv", says=["coordinates"])


if __name__ == "__main__":
    unittest.main()
