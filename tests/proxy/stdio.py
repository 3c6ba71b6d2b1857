"""Running commands with and without the proxy between."""

from __future__ import annotations

import os
import select
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.patience import LONGEST

PROXY = (sys.executable, "-m", "mcp_assay", "proxy")
PEERS = Path(__file__).with_name("peers")


class Ended(NamedTuple):
    """How a command ended and what it said."""

    code: int
    out: bytes
    err: str


def peer(name: str, *arguments: object) -> list[str]:
    """The command of a small server of ours."""
    return [sys.executable, str(PEERS / f"{name}.py"), *map(str, arguments)]


def proxied(command: Sequence[str], *options: object) -> list[str]:
    """The same command behind the proxy."""
    return [*PROXY, *map(str, options), "--", *command]


def run(command: Sequence[str], said: bytes = b"") -> Ended:
    """Run a command to its end with these bytes on its standard input."""
    done = subprocess.run(command, input=said, capture_output=True, timeout=LONGEST, check=False)
    return Ended(done.returncode, done.stdout, done.stderr.decode())


def start(command: Sequence[str]) -> subprocess.Popen[bytes]:
    """Start a command; its standard streams are pipes without buffers."""
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0)


def finish(process: subprocess.Popen[bytes]) -> Ended:
    """Close its standard input and wait for its end."""
    out, err = process.communicate(timeout=LONGEST)
    return Ended(process.returncode, out, err.decode())


def read_line(process: subprocess.Popen[bytes]) -> bytes:
    """The next line of its standard output, waited for no longer than allowed."""
    assert process.stdout is not None
    line = b""
    while not line.endswith(b"\n"):
        ready, _, _ = select.select([process.stdout], [], [], LONGEST)
        assert ready, "nothing came in time"
        piece = os.read(process.stdout.fileno(), 1)
        if not piece:
            break
        line += piece
    return line


def say(process: subprocess.Popen[bytes], text: bytes) -> None:
    """Write all of the text to its standard input."""
    assert process.stdin is not None
    while text:
        text = text[os.write(process.stdin.fileno(), text) :]


def ends_in_time(pid: int) -> bool:
    """Whether a process, be it a stranger's child, ends before the limit."""
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([handle], [], [], LONGEST)[0])
    finally:
        os.close(handle)


def children(pid: int) -> dict[int, str]:
    """The children of a process and their command lines, where the system tells (Linux)."""
    listing = Path(f"/proc/{pid}/task/{pid}/children")
    if not listing.exists():
        pytest.skip("/proc tells which children a process has; here it does not")
    return {
        int(child): Path(f"/proc/{child}/cmdline").read_text()
        for child in listing.read_text().split()
    }
