"""Which program of a package is its server, and the words that start it."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

from mcp_assay.fleet.entry import Package
from mcp_assay.fleet.job import Reason
from mcp_assay.fleet.package_names import bare_name
from mcp_assay.fleet.packages.package_cache import Installed
from mcp_assay.fleet.packages.python_environment import PYTHON

FIRST_LINE = 256
SCRIPTS = (".js", ".mjs", ".cjs")
MOST_SHOWN = 10


def program_of(installed: Installed, package: Package) -> tuple[str, ...] | Reason:
    """The words that start a server, without its arguments; a reason where it is not clear."""
    name = package.program or _usual(installed.programs, package)
    if name in installed.programs:
        return _words(installed, installed.programs[name])
    found = sorted(installed.programs)[:MOST_SHOWN]
    if not found:
        text = f"{package.name} {installed.version} has no program that could be a server"
    elif package.program:
        text = f"{package.name} has no program {package.program}; it has {', '.join(found)}"
    else:
        text = f"{package.name} has several programs; name one as program: {', '.join(found)}"
    return Reason(kind="not_prepared", text=text)


def _usual(programs: Mapping[str, str], package: Package) -> str:
    """The program that is named as the package is, or the only one."""
    wanted = _bare(bare_name(package).rpartition("/")[2])
    named = next((name for name in programs if _bare(name) == wanted), None)
    files = set(programs.values())
    return named or (next(iter(programs)) if len(files) == 1 else "")


def _bare(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _words(installed: Installed, file: str) -> tuple[str, ...]:
    """A script is given to its interpreter: its own first line may name one that is elsewhere."""
    path = os.path.join(installed.folder, file)
    with open(path, "rb") as opened:
        first = opened.read(FIRST_LINE)
    if installed.registry == "pypi":
        is_script = first.startswith(b"#!") and b"python" in first
        return (os.path.join(installed.folder, PYTHON), path) if is_script else (path,)
    is_script = (first.startswith(b"#!") and b"node" in first.partition(b"\n")[0]) or (
        not first.startswith(b"#!") and path.endswith(SCRIPTS)
    )
    return ("node", path) if is_script else (path,)
