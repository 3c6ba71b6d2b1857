"""Folders nested so deep that Python itself could not remove them again."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def nested(folder: Path, depth: int, beside: int = 0) -> Iterator[None]:
    """So many folders one in the other, while inside, each with some others beside it."""
    here = os.getcwd()
    os.chdir(folder)
    for _ in range(depth):
        for number in range(beside):
            os.mkdir(f"b{number}")
        os.mkdir("n")
        os.chdir("n")
    os.chdir(here)
    try:
        yield
    finally:
        subprocess.run(["rm", "-rf", str(folder / "n")], check=True)
