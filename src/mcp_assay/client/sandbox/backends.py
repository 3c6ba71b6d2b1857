"""The ways to make a world: by this process, by bwrap, or by root through sudo."""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from typing import Final, Literal, TypeAlias

from mcp_assay.client.sandbox.refusal import NoSandbox

Backend: TypeAlias = Literal["namespaces", "bwrap", "sudo"]
ENTRY: Final = os.path.join(os.path.dirname(__file__), "entry.py")
SUDO_PLACES: Final = ("/usr/bin/sudo", "/run/wrappers/bin/sudo", "/usr/local/bin/sudo")
PYTHON_PLACES: Final = ("/usr/bin/python3", "/usr/local/bin/python3")
OLDEST_PYTHON: Final = (3, 10)
OLDEST_BWRAP: Final = (0, 11)
ASK_SECONDS: Final = 10
ASK: Final = "import sys; print(*sys.version_info[:2]); print(*sys.path, sep='\\n')"


def launcher_command(backend: Backend, control: int, spec: int) -> tuple[str, ...]:
    """The command that makes a world; raises NoSandbox where a backend is not here."""
    own = (sys.executable, "-I", "-S", ENTRY)
    numbers = (str(control), str(spec))
    if backend == "sudo":
        return (*own, "elevate", sudo(), python_for_root(), *numbers)
    return (*own, "plain", *numbers)


@cache
def sudo() -> str:
    """The sudo of this system that asks nothing; raises NoSandbox."""
    found = next(filter(os.path.isfile, SUDO_PLACES), None)
    if found is None:
        raise NoSandbox("no_sudo")
    if _run(found, "-n", "true") is None:
        raise NoSandbox("sudo_password")
    return found


@cache
def python_for_root() -> str:
    """A Python that nobody but root can change, nor anything that it imports; raises NoSandbox."""
    for place in (*PYTHON_PLACES, sys.executable):
        if os.path.isfile(place) and _is_for_root(os.path.realpath(place)):
            return os.path.realpath(place)
    raise NoSandbox("sudo_python")


def _is_for_root(python: str) -> bool:
    if not only_root_writes(python):
        return False
    version, *places = (_run(python, "-I", "-S", "-c", ASK) or "0").splitlines()
    if tuple(map(int, version.split())) < OLDEST_PYTHON:
        return False
    return all(only_root_writes(place) for place in places if os.path.exists(place))


def only_root_writes(path: str) -> bool:
    """Whether a path and all folders above it belong to root, and nobody else may write there."""
    return all(_is_roots(place) for place in _upwards(os.path.realpath(path)))


def _is_roots(path: str) -> bool:
    about = os.stat(path)
    return about.st_uid == 0 and not about.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _upwards(path: str) -> Iterator[str]:
    while path != "/":
        yield path
        path = os.path.dirname(path)
    yield path


@cache
def bwrap() -> str:
    """The bwrap of this system, where it has overlays; raises NoSandbox."""
    found = shutil.which("bwrap")
    if found is None:
        raise NoSandbox("no_bwrap")
    version = _run(found, "--version") or ""
    numbers = tuple(map(int, re.findall(r"\d+", version)[:2]))
    if numbers < OLDEST_BWRAP:
        raise NoSandbox("old_bwrap", version.strip())
    return found


def _run(*command: str) -> str | None:
    """What a command says; None where it fails."""
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=ASK_SECONDS,
            check=True,
            text=True,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout
