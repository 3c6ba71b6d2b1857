"""The real servers that the tests talk to, and how each is started."""

from __future__ import annotations

import shutil
import subprocess
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

HERE = Path(__file__).parent
NPM = HERE.parent / "npm"
LONGEST_INSTALL = 300


def python_server(library: str) -> list[str]:
    """The command of a small server on this library, which must be installed."""
    if find_spec(library) is None:
        pytest.skip(f"{library} is not installed")
    return [sys.executable, str(HERE / "notes_server.py"), library]


def npm_server(name: str, *arguments: str) -> list[str]:
    """The command of a server from npm, installed on the first call; skips where node is absent."""
    if problem := _npm_problem():
        pytest.skip(problem)
    script = NPM / "node_modules" / "@modelcontextprotocol" / name / "dist" / "index.js"
    return ["node", str(script), *arguments]


@cache
def _npm_problem() -> str | None:
    for command in ("node", "npm"):
        if shutil.which(command) is None:
            return f"{command} is not installed"
    if (NPM / "node_modules" / ".package-lock.json").exists():
        return None
    command_line = ["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts"]
    try:
        subprocess.run(
            command_line, cwd=NPM, capture_output=True, check=True, timeout=LONGEST_INSTALL
        )
    except (OSError, subprocess.SubprocessError):
        return "npm could not install the servers of tests/npm"
    return None
