#!/usr/bin/env python3
"""Writes requirements.lock, requirements-build.lock and requirements-test.lock: every package that the scripts install from PyPI, with those that
it needs, at the version of this environment and with the SHA-256 of each of its files for Linux there. pip then refuses
anything else (--require-hashes).

    .venv/bin/python3 scripts/lock_requirements.py

Run it after a change of requirements*.txt, in an environment into which they were installed.
"""
import importlib.metadata
import pathlib
import re
import sys
import urllib.request

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = pathlib.Path(__file__).resolve().parents[1]
LOCKS = {"requirements.lock": ["requirements.txt"], "requirements-build.lock": ["requirements-build.txt"],
         "requirements-test.lock": ["requirements-build.txt", "requirements-test.txt", "benchmarks/peers/requirements-no-deps.txt"]}


def named_in(file):
    """The requirements of a file, and whether what they need is left out."""
    for line in (ROOT / file).read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            yield Requirement(line), "no-deps" in file


def closure(files):
    """Name → version of all that pip would install for these files."""
    found = {}
    waiting = [wanted for file in files for wanted in named_in(file)]
    while waiting:
        requirement, alone = waiting.pop()
        name = canonicalize_name(requirement.name)
        extras = requirement.extras or {""}
        package = importlib.metadata.distribution(name)
        is_new = name not in found
        found[name] = package.version
        if alone or not (is_new or requirement.extras):
            continue
        for line in package.requires or []:
            needed = Requirement(line)
            if needed.marker is None or any(needed.marker.evaluate({"extra": extra}) for extra in extras):
                waiting.append((needed, False))
    return dict(sorted(found.items()))


def hashes(name, version):
    """SHA-256 of the files of one version on PyPI."""
    with urllib.request.urlopen(f"https://pypi.org/simple/{name}/") as page:
        text = page.read().decode()
    stem = re.escape(name).replace(r"\-", "[-_.]")
    platform = r"(?:none-any|manylinux[^\"#/]*(?:x86_64|aarch64))"
    python = r"(?:py3|py2\.py3|cp3(?:1[0-9])?)"
    ends = rf"(?:-{python}-[^\"#/]*{platform}\.whl|\.tar\.gz|\.zip)"
    pattern = re.compile(rf"/{stem}-{re.escape(version)}{ends}#sha256=([0-9a-f]{{64}})", re.IGNORECASE)
    found = sorted(set(pattern.findall(text)))
    if not found:
        sys.exit(f"PyPI lists no file of {name} {version}")
    return found


def main():
    known = {}
    with_torch = closure(["requirements.txt"])  # what comes with torch, of whatever origin, is not installed for tests
    for lock, files in LOCKS.items():
        lines = [f"# Made by scripts/lock_requirements.py from {', '.join(files)}, for Linux and Python "
                 f"{sys.version_info.major}.{sys.version_info.minor}."]
        for name, version in closure(files).items():
            if lock != "requirements.lock" and name in with_torch:
                continue
            if name not in known:
                known[name] = hashes(name, version)
            lines.append(f"{name}=={version} \\")
            lines += [f"    --hash=sha256:{value}" + (" \\" if value != known[name][-1] else "") for value in known[name]]
        (ROOT / lock).write_text("\n".join(lines) + "\n")
        print(f"{lock}: {sum('==' in line for line in lines)} packages")


if __name__ == "__main__":
    main()
