#!/usr/bin/env python3
"""Writes what is made from the rows of gsan/models/presets.def: the Python classes and the table of docs/models.md.

    PYTHONPATH=build/release/python .venv/bin/python3 scripts/preset_pages.py [--check]

It reads the rows from the built package; --check writes nothing and fails where a file is not what the rows make it.
"""
import pathlib
import sys
import textwrap

root = pathlib.Path(__file__).resolve().parents[1]
begin, end = "<!-- begin of the presets, by scripts/preset_pages.py -->", "<!-- end of the presets -->"


def python_classes(rows):
    text = '"""Published architectures, one class each: made by scripts/preset_pages.py from gsan/models/presets.def."""\n'
    text += "from .model import Model\n"
    for name, python_class, equation, citation in rows:
        cited = textwrap.fill(citation, 112, initial_indent="    ", subsequent_indent="    ")
        text += (f'\n\nclass {python_class}(Model):\n    """{equation}\n\n{cited}\n\n    Arguments: see gsan.nn.Model.\n    """\n\n'
                 f'    preset_name = "{name}"\n')
    names = ", ".join(f'"{row[1]}"' for row in rows)
    return text + "\n\n__all__ = [\n" + textwrap.fill(names, 112, initial_indent="    ", subsequent_indent="    ") + ",\n]\n"


def markdown_table(rows):
    lines = ["| name | Python | equation | publication |", "|---|---|---|---|"]
    above = None
    for name, python_class, equation, citation in rows:
        shown = "the same" if citation == above else citation
        lines.append(f"| `{name}` | `{python_class}` | `{equation.replace('|', chr(92) + '|')}` | {shown} |")
        above = citation
    return "\n".join(lines)


def pages(rows):
    """Path → text of everything that is made from the rows."""
    models = root / "docs" / "models.md"
    text = models.read_text()
    before, rest = text.split(begin)
    _, after = rest.split(end)
    return {root / "bindings" / "python" / "gsan" / "nn" / "presets.py": python_classes(rows),
            models: f"{before}{begin}\n{markdown_table(rows)}\n{end}{after}"}


def main():
    from gsan import _core
    stale = [(path, text) for path, text in pages(_core.models()).items() if path.read_text() != text]
    if "--check" in sys.argv[1:]:
        for path, _ in stale:
            print(f"{path.relative_to(root)} is not what gsan/models/presets.def makes it: run scripts/preset_pages.py")
        return 1 if stale else 0
    for path, text in stale:
        path.write_text(text)
        print("wrote", path.relative_to(root))
    return 0


if __name__ == "__main__":
    sys.exit(main())
