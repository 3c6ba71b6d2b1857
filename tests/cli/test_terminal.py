"""On a terminal: colour where it is wanted, and not one escape that is not ours."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pty = pytest.importorskip("pty", reason="the system has no pseudo-terminals")

INPUTS = Path(__file__).parent / "inputs"
OURS = re.compile(rb"\x1b\[[0-9;]*m")


def on_terminal(*arguments: str, **environment: str) -> bytes:
    """What the command writes to a terminal."""
    ours, theirs = pty.openpty()
    variables = {k: v for k, v in os.environ.items() if k != "NO_COLOR"} | {"TERM": "xterm"}
    with subprocess.Popen(
        [sys.executable, "-m", "mcp_assay", *arguments],
        cwd=INPUTS,
        stdout=theirs,
        env=variables | environment,
    ):
        os.close(theirs)
        with os.fdopen(ours, "rb", buffering=0) as terminal:
            return b"".join(iter(lambda: _read(terminal.fileno()), b""))


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 1 << 16)
    except OSError:  # how Linux says that the other end is closed
        return b""


def test_a_terminal_gets_colour_and_words() -> None:
    screen = on_terminal("validate", "repeats.jsonl")
    assert OURS.search(screen)
    assert b"FAIL" in screen
    assert b"error" in screen


@pytest.mark.parametrize(
    ("arguments", "environment"),
    [(["--no-color"], {}), ([], {"NO_COLOR": "1"}), ([], {"TERM": "dumb"})],
)
def test_colour_can_be_refused(arguments: list[str], environment: dict[str, str]) -> None:
    assert b"\x1b" not in on_terminal("validate", "repeats.jsonl", *arguments, **environment)


@pytest.mark.parametrize("options", [[], ["--verbose"], ["--quiet"], ["--format", "json"]])
def test_a_hostile_message_cannot_reach_the_terminal(options: list[str]) -> None:
    screen = on_terminal("validate", *options, "hostile.jsonl")
    assert b"JSONRPC-005" in screen
    rest = OURS.sub(b"", screen).decode()
    hidden = {c for c in rest if not c.isprintable()} - {"\r", "\n"}
    assert hidden == set()
