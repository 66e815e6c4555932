"""Sources that are compiled as one (cmake/unity_groups.py) cannot take each other's private names for their own."""
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "cmake"))

import unity_groups  # noqa: E402


class Groups(unittest.TestCase):
    def groups(self, *codes, size=12):
        with tempfile.TemporaryDirectory() as folder:
            paths = [pathlib.Path(folder) / f"{i}.cpp" for i in range(len(codes))]
            for path, code in zip(paths, codes):
                path.write_text(code)
            return unity_groups.groups(paths, size)

    def apart(self, *codes):
        self.assertEqual(self.groups(*codes), [0, 1])
        self.assertEqual(self.groups(*reversed(codes)), [0, 1])

    def together(self, *codes):
        self.assertEqual(self.groups(*codes), [0, 0])

    def test_one_private_name_in_two_sources(self):
        for inside in ("int sum(int a) { return a; }", "struct Row { int a; };", "constexpr int limit = 3;", "using Row = int;",
                       "int sum(const std::vector<int>& a = {}) { return 0; }"):
            with self.subTest(inside):
                self.apart(f"namespace {{\n{inside}\n}}", f"namespace {{\n{inside}\n}}")

    def test_a_private_function_is_no_overload_for_calls_of_others(self):
        private = "namespace {\ndouble sum(double a) { return a; }\n}"
        self.apart(private, "int f() { return sum(1); }")
        self.together(private, "int f(List list) { return list.sum(1) + other::sum(2) + list->sum(3); }")

    def test_nor_for_calls_in_headers_of_others(self):
        header = "gsan/hodge/spectral/lambda.h"  # declares lambda_max
        private = "namespace {\ndouble lambda_max(double a) { return a; }\n}"
        self.apart(private, f'#include "{header}"\n')

    def test_a_private_type_hides_no_public_one(self):
        self.apart("namespace {\nstruct Use { int a; };\n}", "int f(Use use) { return 0; }")

    def test_functions_over_private_types_of_their_own_stay_together(self):
        self.together("namespace {\nstruct TrainWords { int a; };\nint run(const TrainWords& words) { return 0; }\n}",
                      "namespace {\nstruct EvalWords { int a; };\nint run(const EvalWords& words) { return 0; }\n}")

    def test_tests_names_brought_in_and_comments_are_no_private_names(self):
        self.together("namespace {\nusing torch::Tensor;\nTEST(A, One) { }\ntemplate <class T> int f(T t) { return 0; }\n}",
                      "namespace {\nusing torch::Tensor;\nTEST(A, Two) { }\n// int f(int)\ntemplate <class T> int g(T t) { return 0; }\n}")

    def test_a_group_has_no_more_than_its_size(self):
        self.assertEqual(self.groups("int a;", "int b;", "int c;", size=2), [0, 0, 1])


if __name__ == "__main__":
    unittest.main()
