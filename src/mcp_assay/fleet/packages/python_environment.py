"""An environment for a package from PyPI: the folders and the interpreter, and nothing beside."""

from __future__ import annotations

import os
from types import SimpleNamespace
from typing import Final
from venv import EnvBuilder

PYTHON: Final = os.path.join("bin", "python")
OURS: Final = ("pyvenv.cfg", "lib64", "bin/python")
"""What is ours in an environment; a package that brings it is not listened to."""


class _Bare(EnvBuilder):
    """Without scripts to activate it: they would name the folder that it was made in."""

    def setup_scripts(self, context: SimpleNamespace) -> None:
        """Write none."""


def make_environment(folder: str) -> None:
    """Make an environment without any package."""
    _Bare(symlinks=True).create(folder)


def is_ours(path: str) -> bool:
    """Whether a path of an environment is not for packages to write."""
    return path.split("/", maxsplit=1)[0] in OURS[:2] or path.startswith(OURS[2])
