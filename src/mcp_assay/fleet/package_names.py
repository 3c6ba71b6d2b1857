"""How packages and their versions are called; nothing else becomes part of a path or a command."""

from __future__ import annotations

import re
from typing import Final

from mcp_assay.fleet.entry import Package, Registry

LONGEST: Final = 200
NAMES: Final[dict[Registry, str]] = {
    "pypi": r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?(?:\[[A-Za-z0-9._,-]+\])?",
    "npm": r"(?:@[a-z0-9~-][a-z0-9._~-]*/)?[A-Za-z0-9~-][A-Za-z0-9._~-]*",
    "oci": r"[A-Za-z0-9][A-Za-z0-9._:/@-]*",
    "other": r"[^\s\x00-\x1f\x7f-\x9f]+",
}
VERSION: Final = r"[A-Za-z0-9][A-Za-z0-9.!+_-]*"
NEWEST: Final = ("", "latest", "*")


def why_wrong(package: Package) -> str | None:
    """Why no package can be called that, where none can."""
    name, version = package.name, package.version
    if len(name) > LONGEST or not re.fullmatch(NAMES[package.registry], name) or ".." in name:
        return f"{name[:LONGEST]!r} is not the name of a package ({package.registry})"
    if name.startswith("-"):
        return f"{name!r} would be read as an option"
    if version and (len(version) > LONGEST or not re.fullmatch(VERSION, version)):
        return f"{version[:LONGEST]!r} is not one version; write such as 1.2.0, or leave it out"
    return None


def bare_name(package: Package) -> str:
    """The name as its registry compares it, without extras."""
    name = package.name.partition("[")[0]
    return re.sub(r"[-_.]+", "-", name).lower() if package.registry == "pypi" else name
