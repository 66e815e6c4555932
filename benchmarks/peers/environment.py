"""The peers' own virtual environment, build/peers-venv, around the torch that the repository uses: torch itself is not
installed a second time."""
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
VENV = ROOT / "build" / "peers-venv"
FIND_TORCH = "import importlib.util as u; s = u.find_spec('torch'); print(s.origin if s else '')"


def site_packages_of_torch():
    """As scripts/setup.sh looks for it: GSAN_TORCH, the active Python, the repository's .venv."""
    if os.environ.get("GSAN_TORCH"):
        return pathlib.Path(os.environ["GSAN_TORCH"]).resolve().parent
    for python in ("python3", ROOT / ".venv" / "bin" / "python3"):
        try:
            run = subprocess.run([str(python), "-c", FIND_TORCH], capture_output=True, text=True, check=True)
        except (OSError, subprocess.CalledProcessError):
            continue
        if run.stdout.strip():
            return pathlib.Path(run.stdout.strip()).parents[1]
    sys.exit("error: no torch found; run quickstart.sh first, or set GSAN_TORCH")


def python_with_peers():
    """The interpreter of the environment, which is made, or brought up to date, where that is needed."""
    python = VENV / "bin" / "python"
    wanted = "".join((HERE / name).read_text() for name in ("requirements.txt", "requirements-no-deps.txt"))
    wanted += f"# torch in {site_packages_of_torch()}\n"
    stamp = VENV / "installed.txt"
    if stamp.exists() and stamp.read_text() == wanted:
        return python
    print(f"== Installing the peers from PyPI into {VENV.relative_to(ROOT)}; torch is reused", flush=True)
    subprocess.run([sys.executable, "-m", "venv", str(VENV)], check=True)
    folder = subprocess.run([str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
                            capture_output=True, text=True, check=True).stdout.strip()
    (pathlib.Path(folder) / "torch_of_the_repository.pth").write_text(f"{site_packages_of_torch()}\n")
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "-r", str(HERE / "requirements.txt")], check=True)
    subprocess.run([*pip, "--no-deps", "-r", str(HERE / "requirements-no-deps.txt")], check=True)
    stamp.write_text(wanted)
    return python


if __name__ == "__main__":
    print(python_with_peers())
