"""Installed packages by registry, name and version: each is there as a whole, or not at all."""

from __future__ import annotations

import os
import re
import shutil
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from time import time
from typing import Final

import msgspec
from msgspec import Struct

from mcp_assay.client.private_folder import PRIVATE, is_private
from mcp_assay.fleet.entry import Package
from mcp_assay.fleet.package_names import bare_name
from mcp_assay.fleet.packages.python_environment import PYTHON

OWN: Final = "mcp-assay"
FOLDER: Final = "packages"
BEGUN: Final = "begun"
"""Where packages are made, before they are moved to their place."""
STAMP: Final = "installed.json"
FILES: Final = "files"
OLD_SECONDS: Final = 86_400.0
"""What was begun so long ago belongs to a job that was killed."""


class NoCache(Exception):
    """There is no folder for packages; the text says why and what to do."""


class Installed(Struct, frozen=True, kw_only=True):
    """A package in the cache."""

    registry: str
    name: str
    version: str
    programs: dict[str, str]
    """Each program, and its file below the folder."""
    folder: str = ""
    """Where its files are; set by who finds it."""


class PackageCache:
    """A folder of installed packages that several workers may use at once."""

    def __init__(self, base: str | None = None) -> None:
        """Use a folder, that of the user where none is named; raises NoCache."""
        self._folder: Final = os.path.join(os.path.abspath(base or _users_cache()), FOLDER)
        try:
            os.makedirs(self._folder, PRIVATE, exist_ok=True)
            os.makedirs(os.path.join(self._folder, BEGUN), PRIVATE, exist_ok=True)
        except OSError as fault:
            raise NoCache(f"no package can be kept in {self._folder}: {fault.strerror}") from None
        if not is_private(self._folder):
            raise NoCache(
                f"{self._folder} is not a folder that only this user may open; remove it, or name "
                "another one"
            )

    def find(self, package: Package, version: str) -> Installed | None:
        """A package that is there; what is there and broken is taken away."""
        place = self._place(package, version)
        if not os.path.isdir(place):
            return None
        try:
            with open(os.path.join(place, STAMP), "rb") as file:
                found = msgspec.json.decode(file.read(), type=Installed)
        except (OSError, msgspec.MsgspecError):
            found = None
        if found is not None and _is_whole(os.path.join(place, FILES), found):
            return msgspec.structs.replace(found, folder=os.path.join(place, FILES))
        self._remove(place)
        return None

    def versions(self, package: Package) -> list[str]:
        """The versions of a package that are there, the newest of them first."""
        home, tag = os.path.dirname(self._place(package, "0")), _tag(package)
        with suppress(OSError):
            found = [entry for entry in os.scandir(home) if entry.name.endswith(f"~{tag}")]
            found.sort(key=lambda entry: entry.stat().st_mtime, reverse=True)
            return [entry.name.removesuffix(f"~{tag}") for entry in found][:50]
        return []

    @contextmanager
    def begun(self) -> Iterator[str]:
        """A folder to make a package in; whatever is left of it at the end is removed."""
        home = os.path.join(self._folder, BEGUN)
        _remove_old(home)
        folder = tempfile.mkdtemp(dir=home)
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def keep(self, package: Package, version: str, made: Installed, begun: str) -> Installed:
        """Move a package to its place; who comes second takes what the first one made."""
        stamp, place = os.path.join(begun, STAMP), self._place(package, version)
        with open(stamp, "wb") as file:
            file.write(msgspec.json.encode(made))
            file.flush()
            os.fsync(file.fileno())
        os.makedirs(os.path.dirname(place), PRIVATE, exist_ok=True)
        with suppress(OSError):
            os.rename(begun, place)
        found = self.find(package, version)
        if found is None:
            raise NoCache(f"{made.name} {made.version} was made, but cannot be kept in {place}")
        return found

    def _place(self, package: Package, version: str) -> str:
        """The folder of a package: no name that could lead elsewhere gets here."""
        extras = re.sub(r"[^A-Za-z0-9]+", "+", package.name.partition("[")[2]).rstrip("+")
        name = bare_name(package).replace("/", "+") + (f"+{extras}" if extras else "")
        return os.path.join(self._folder, package.registry, name, f"{version}~{_tag(package)}")

    def _remove(self, place: str) -> None:
        """Take a folder out of sight at once, and then away."""
        with suppress(OSError), self.begun() as folder:
            os.rename(place, os.path.join(folder, "broken"))


def _is_whole(folder: str, found: Installed) -> bool:
    files = list(found.programs.values())
    if found.registry == "pypi":
        files.append(PYTHON)
    return all(os.path.isfile(os.path.join(folder, file)) for file in files)


def _tag(package: Package) -> str:
    """What a package is installed for: this system, and this Python for one from PyPI."""
    python = f"-{sys.implementation.cache_tag}" if package.registry == "pypi" else ""
    return f"{sysconfig.get_platform()}{python}"


def _remove_old(home: str) -> None:
    with suppress(OSError):
        for entry in list(os.scandir(home)):
            with suppress(OSError):
                if entry.stat(follow_symlinks=False).st_mtime < time() - OLD_SECONDS:
                    shutil.rmtree(entry.path, ignore_errors=True)


def _users_cache() -> str:
    """The folder of the user's cache that is ours, by the rules of XDG."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):
        base = os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(base, OWN)
