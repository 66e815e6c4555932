"""What takes longer than two seconds says so, on a terminal only."""
import os
import pty
import subprocess
import threading
import time
import unittest

from command_case import BINARY, CommandCase


class Progress(CommandCase):
    def slow_read(self, stderr):
        """`gsan inspect` on a pipe that takes its time."""
        pipe = self.folder / "slow.simplices"
        os.mkfifo(pipe)
        process = subprocess.Popen([BINARY, "inspect", str(pipe), "--format", "simplices"], cwd=self.folder, stdout=subprocess.PIPE,
                                   stderr=stderr, text=True, env={**os.environ, "TERM": "xterm", "COLUMNS": "80"})
        self.addCleanup(process.kill)
        with open(pipe, "w") as writer:
            time.sleep(2.6)
            writer.write("a b c\n")
        output = process.communicate(timeout=60)[0]
        self.assertEqual(process.returncode, 0)
        self.assertIn("Euler", output)

    def test_a_terminal_shows_what_takes_long_and_is_clean_afterwards(self):
        ours, theirs = pty.openpty()
        shown = []

        def listen():
            try:
                while data := os.read(ours, 4096):
                    shown.append(data.decode())
            except OSError:  # the other end is closed
                pass

        listener = threading.Thread(target=listen)
        listener.start()
        self.slow_read(theirs)
        os.close(theirs)
        listener.join()
        text = "".join(shown)
        self.assertRegex(text, r"reading .*slow\.simplices  0:0[23]")
        self.assertTrue(text.endswith("\r\x1b[K"), repr(text))

    def test_nothing_is_shown_without_a_terminal(self):
        path = self.folder / "stderr.txt"
        with open(path, "w") as file:
            self.slow_read(file)
        self.assertEqual(path.read_text(), "")


if __name__ == "__main__":
    unittest.main()
