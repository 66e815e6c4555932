"""Runs the suite; 77 (skipped) where pytest is not installed."""
import importlib.util
import sys

if __name__ == "__main__":  # processes that a test starts import this file again
    if importlib.util.find_spec("pytest") is None:
        print(f"skipped: pytest is not installed for {sys.executable} (./test.sh installs it into .venv)")
        sys.exit(77)
    import pytest

    sys.exit(pytest.main(["-rs", *sys.argv[1:]]))
