"""Help that runs as written, versions, and mistakes in the command line."""
import pathlib
import re
import shlex
import subprocess
import unittest

from command_case import BINARY, USAGE, CommandCase

ROWS = pathlib.Path(__file__).resolve().parents[2] / "apps/gsan/commands/commands.def"
COMMANDS = re.findall(r"^COMMAND\((\w+)\)$", ROWS.read_text(), re.MULTILINE)
TRAINING = {"train", "eval", "predict", "report", "sweep", "worker", "reproduce"}  # their examples take a training: tests of their own
KINDS = ["clique", "rips", "delaunay", "mesh", "hex"]


class Usage(CommandCase):
    def examples(self, *command):
        text = self.gsan(*command, "--help").stdout
        found = re.findall(r"^Example:\n  gsan (.*)$", text, re.MULTILINE)
        self.assertTrue(found, text)
        return [shlex.split(line) for line in found]

    def test_the_example_of_every_help_runs_as_written(self):
        self.write("edges.txt", "0 1\n1 2\n2 0\n")
        self.write("points.csv", "x,y\n0,0\n1,0\n0,1\n1,1.5\n")
        self.write("mesh.off", "OFF\n3 1 3\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n")
        version = self.gsan("--version").stdout
        pages = [()] + [(command,) for command in COMMANDS if command not in TRAINING] + [("lift", kind) for kind in KINDS]
        for page in pages:
            if "delaunay" in page and "Delaunay lift yes" not in version:
                continue
            for example in self.examples(*page):
                with self.subTest(" ".join(example)):
                    self.gsan(*example)

    def test_every_file_of_a_command_is_a_row_of_the_table(self):
        self.assertEqual(sorted(path.stem for path in ROWS.parent.glob("*.cpp")), sorted(COMMANDS))

    def test_every_command_has_a_section_of_its_page(self):
        page = (ROWS.parents[3] / "docs/command.md").read_text()
        for command in COMMANDS:
            self.assertIn(f"\n## {command}\n", page)

    def test_help_lists_the_commands_in_the_order_of_the_table(self):
        text = self.gsan("--help").stdout
        listed = re.findall(r"^  (\w+) ", text[text.index("Subcommands:"):], re.MULTILINE)
        self.assertEqual([name for name in listed if name in COMMANDS], COMMANDS)
        for command in COMMANDS:
            self.assertIn(f"gsan {command}", self.gsan(command, "--help").stdout)

    def test_help_names_every_exit_code(self):
        text = self.gsan("--help").stdout
        for word in ["--version"] + [f"{code} " for code in (0, 1, 2, 3, 4, 5, 6, 7, 70)]:
            self.assertIn(word, text)

    def test_version(self):
        lines = self.gsan("--version").stdout.splitlines()
        self.assertRegex(lines[0], r"^gsan \d+\.\d+\.\d+$")
        self.assertRegex(lines[1], r"^torch \d+\.\d+")
        self.assertRegex(lines[2], r"^compiler \w+ \d+")

    def test_misspelt_words_name_the_nearest(self):
        for arguments, word in ((["inpsect"], "inspect"), (["decompse", "--example", "torus"], "decompose"),
                                (["inspect", "--exmaple", "torus"], "--example"),
                                (["lift", "hex", "--row", "3"], "--rows"), (["lift", "rpis", "x.csv"], "rips")):
            self.refused(USAGE, *arguments, says=[f"did you mean '{word}'?"])

    def test_wrong_usage(self):
        for arguments in (["inspect"], ["inspect", "a.txt", "--example", "torus"], ["lift"], ["lift", "rips", "p.csv"],
                          ["inspect", "--example", "torus", "--threads", "0"],
                          ["inspect", "--example", "torus", "--max-memory", "many"],
                          ["decompose", "--example", "torus", "--tolerance", "0"]):
            self.refused(USAGE, *arguments, says=["--help"])
        self.assertIn("Usage", subprocess.run([BINARY], capture_output=True, text=True).stderr)
        self.assertEqual(subprocess.run([BINARY], capture_output=True).returncode, USAGE)

    def test_one_openmp_runtime(self):
        linked = subprocess.run(["ldd", BINARY], capture_output=True, text=True).stdout
        runtimes = set(re.findall(r"=> (\S*lib[gi]?omp\S*)", linked))
        self.assertEqual(len(runtimes), 1, linked)


if __name__ == "__main__":
    unittest.main()
