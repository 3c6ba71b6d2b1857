"""What was installed from PyPI: its version, and the programs that it brings."""

from __future__ import annotations

import os
import re
from glob import glob
from importlib.metadata import Distribution, distributions
from typing import Any

from mcp_assay.fleet.entry import Package
from mcp_assay.fleet.package_names import bare_name


def described(folder: str, name: str) -> dict[str, Any]:
    """The version of a package in an environment, and its programs by their names."""
    found = _distribution(folder, name)
    return {"version": found.version, "programs": _programs(folder, found)}


def _distribution(folder: str, name: str) -> Distribution:
    wanted = _bare(name)
    places = glob(os.path.join(glob_safe(folder), "lib", "python*", "site-packages"))
    for one in distributions(path=places):
        if _bare(one.metadata["Name"] or "") == wanted:
            return one
    raise LookupError(f"{name} was not installed")


def _programs(folder: str, found: Distribution) -> dict[str, str]:
    """Every file of a distribution that lies among the programs of the environment."""
    home = os.path.realpath(os.path.join(folder, "bin"))
    programs = {}
    for file in found.files or ():
        path = os.path.realpath(str(file.locate()))
        if os.path.dirname(path) == home and re.fullmatch(r"[\w.-]+", file.name):
            programs[file.name] = f"bin/{file.name}"
    return programs


def _bare(name: str) -> str:
    return bare_name(Package(registry="pypi", name=name))


def glob_safe(path: str) -> str:
    """A path in which no character means a pattern."""
    return re.sub(r"([*?[])", r"[\1]", path)
