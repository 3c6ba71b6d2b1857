"""The real servers that the tests talk to, and how each is started."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tools.servers import Missing, npm_command, pypi_command

HERE = Path(__file__).parent


def python_server(library: str) -> list[str]:
    """The command of a small server on this library, which must be installed."""
    if find_spec(library) is None:
        pytest.skip(f"{library} is not installed")
    return [sys.executable, str(HERE / "notes_server.py"), library]


def npm_server(name: str, *arguments: str) -> list[str]:
    """The command of a server from npm; skips where it is not installed."""
    try:
        return npm_command(name.removeprefix("server-"), *arguments)
    except Missing as reason:
        pytest.skip(str(reason))


def pypi_server(name: str, *arguments: str) -> list[str]:
    """The command of a server from PyPI; skips where it is not installed."""
    try:
        return pypi_command(name, *arguments)
    except Missing as reason:
        pytest.skip(str(reason))
