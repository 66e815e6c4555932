"""An extension runs with the torch that it was compiled for, and with no other: checked before it is loaded."""
from __future__ import annotations


def check_torch(built_with: str, found: str | None = None) -> None:
    """ImportError unless the torch that is there (or ``found``) is the one of the build; it names both."""
    how = ("rebuild it with  pip install --no-build-isolation --no-deps --force-reinstall .  in its source folder, "
           f"or install torch=={built_with.split('+')[0]}")
    if found is None:
        try:
            import torch
        except ModuleNotFoundError as error:
            raise ImportError(f"gsan was built with torch {built_with}, but no torch is installed here; {how}") from error
        found = str(torch.__version__)
    if found != built_with:
        raise ImportError(f"gsan was built with torch {built_with}, but torch {found} is installed here; {how}")
