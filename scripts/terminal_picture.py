#!/usr/bin/env python3
"""Draws the text on standard input as a terminal window, a plain SVG.

    ./quickstart.sh 2>&1 | scripts/terminal_picture.py docs/images/quickstart.svg

Lines that begin with "== " (what the scripts of this repository are about to run) stand out. Of a line that was drawn over
itself (progress bars) the last state is kept; colours are left out.
"""
import argparse
import re
import sys
from xml.sax.saxutils import escape

LETTER, LINE, MARGIN, BAR = 7.83, 18, 16, 30  # of a 13 px monospaced font


def screen_lines(text, columns):
    lines = []
    for line in re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text).rstrip("\n").split("\n"):
        line = line.rstrip("\r").rsplit("\r", 1)[-1].expandtabs().rstrip()
        lines.append(line if len(line) <= columns else line[:columns - 3] + "...")
    return lines


def svg(lines, title):
    width = round(2 * MARGIN + LETTER * max([len(line) for line in lines] + [60]))
    height = BAR + 2 * MARGIN + LINE * len(lines)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
             f'role="img" aria-label="{escape(title)}">',
             f"<title>{escape(title)}</title>",
             f'<rect x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="8" fill="#fbfbfa" stroke="#c9c9c4"/>',
             f'<path d="M1 {BAR}h{width - 2}" stroke="#e3e3df"/>']
    parts += [f'<circle cx="{MARGIN + 4 + 18 * i}" cy="{BAR / 2}" r="5" fill="#d5d5d0"/>' for i in range(3)]
    parts.append('<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, \'DejaVu Sans Mono\', monospace" '
                 'font-size="13" fill="#24292f" xml:space="preserve">')
    for number, line in enumerate(lines):
        if not line:
            continue
        style = ' fill="#0b5cad" font-weight="600"' if line.startswith("== ") else ""
        shown = "$ " + line[3:] if line.startswith("== gsan ") else line
        parts.append(f'<text x="{MARGIN}" y="{BAR + MARGIN + LINE * number + 13}" textLength="{LETTER * len(shown):.1f}"{style}>'
                     f"{escape(shown)}</text>")
    return "\n".join(parts + ["</g>", "</svg>", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("output", help="the SVG file")
    parser.add_argument("--title", default="gsan in a terminal")
    parser.add_argument("--columns", type=int, default=118, help="longer lines are cut")
    arguments = parser.parse_args()
    with open(arguments.output, "w", encoding="utf-8") as file:
        file.write(svg(screen_lines(sys.stdin.read(), arguments.columns), arguments.title))


if __name__ == "__main__":
    main()
