"""A command on a pseudo-terminal, and somebody who answers its questions."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from tests.patience import LONGEST

SCRIPT = """
from mcp_assay.client.sandbox import availability
availability.unsupported = lambda: "not_linux"
from mcp_assay.cli.main import main
raise SystemExit(main())
"""
WITHOUT_WORLDS = ("-c", SCRIPT)
"""How Python runs mcp-assay as if no disposable world could be made here."""


class RawClient(NamedTuple):
    """What a command said on a terminal, what went to standard output, and its exit code."""

    screen: str
    out: str
    code: int


def conversation(
    arguments: Sequence[str], answers: Mapping[str, str], folder: Path, *, worlds: bool = False
) -> RawClient:
    """Run mcp-assay on a terminal; when it shows a text, type the answer to it, once.

    Unless `worlds` says otherwise, no disposable world can be made.
    """
    ours, theirs = pty.openpty()
    out = folder / "standard-output"
    with (
        out.open("wb") as file,
        subprocess.Popen(
            [sys.executable, *(("-m", "mcp_assay") if worlds else WITHOUT_WORLDS), *arguments],
            stdin=theirs,
            stdout=file,
            stderr=theirs,
            env={**os.environ, "TERM": "xterm"},
            cwd=folder,
        ) as process,
    ):
        os.close(theirs)
        screen = _answered(ours, dict(answers))
        code = process.wait(LONGEST)
    os.close(ours)
    return RawClient(screen, out.read_text("utf-8"), code)


def _answered(terminal: int, answers: dict[str, str]) -> str:
    screen = ""
    while piece := _read(terminal):
        screen += piece
        for question in [one for one in answers if one in screen]:
            os.write(terminal, answers.pop(question).encode() + b"\n")
    assert not answers, f"never asked: {answers}"
    return screen


def _read(terminal: int) -> str:
    assert select.select([terminal], [], [], LONGEST)[0], "silent for too long"
    try:
        return os.read(terminal, 1 << 16).decode(errors="replace")
    except OSError:  # how Linux says that the other end is closed
        return ""
