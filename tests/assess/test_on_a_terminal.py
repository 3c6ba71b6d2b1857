"""An assessment on a real terminal: one line of progress that goes, and Ctrl-C."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from typing import NamedTuple

import pytest

from mcp_assay.cli.ticker import CLEAR
from tests.assess.running import SERVERS
from tests.patience import LONGEST

fcntl = pytest.importorskip("fcntl", reason="the system has no pseudo-terminals")
pty = pytest.importorskip("pty", reason="the system has no pseudo-terminals")
termios = pytest.importorskip("termios", reason="the system has no pseudo-terminals")

COMMAND = (sys.executable, "-m", "mcp_assay")
CTRL_C = b"\x03"
HANGS = ("assess", "--no-input", "--timeout", "300", "--", sys.executable, str(SERVERS))


class Ended(NamedTuple):
    """What a command showed on its terminal, what it wrote elsewhere, and its exit code."""

    screen: str
    out: str
    code: int


def _own_terminal() -> None:
    """Make standard error the terminal that rules this process, as a shell would."""
    fcntl.ioctl(2, termios.TIOCSCTTY, 0)


def on_terminal(*arguments: str, press: Callable[[str], bytes] = lambda _: b"") -> Ended:
    """Run a command with standard error on a terminal; press keys when the screen says so."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [*COMMAND, *arguments],
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm"},
        start_new_session=True,
        preexec_fn=_own_terminal,  # noqa: PLW1509  no other thread runs here
    ) as process:
        os.close(theirs)
        screen = _watched(ours, press)
        out, _ = process.communicate(timeout=LONGEST)
    os.close(ours)
    return Ended(screen, out.decode(), process.returncode)


def _watched(terminal: int, press: Callable[[str], bytes]) -> str:
    screen = b""
    while chunk := _read(terminal):
        screen += chunk
        if keys := press(screen.decode(errors="replace")):
            os.write(terminal, keys)
            press = lambda _: b""  # noqa: E731  they are pressed once
    return screen.decode(errors="replace")


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 1 << 16)
    except OSError:  # how Linux says that the other end is closed
        return b""


def test_a_terminal_sees_the_tool_the_calls_and_the_time_and_nothing_stays() -> None:
    ended = on_terminal("demo")
    assert re.search(r"calling \w+  tool \d of 4  \d+ calls?  \d+\.\d s", ended.screen)
    assert ended.screen.endswith(CLEAR)
    assert ended.out.startswith("FAIL")
    assert ended.code == 0


@pytest.mark.parametrize("options", [("--quiet",), ()])
def test_nobody_else_sees_any_progress(options: tuple[str, ...]) -> None:
    if options:
        assert "calling" not in on_terminal("demo", *options).screen
    ended = subprocess.run(
        [*COMMAND, "demo", *options], capture_output=True, text=True, timeout=LONGEST, check=True
    )
    assert "calling" not in ended.stderr
    assert "\x1b" not in ended.stderr + ended.stdout


def test_ctrl_c_gives_the_report_on_what_was_found_before() -> None:
    def press(screen: str) -> bytes:
        return CTRL_C if re.search(r"calling .* [1-9]\d* calls?", screen) else b""

    ended = on_terminal(*HANGS, "one-input-never-returns", press=press)
    assert ended.code == 130
    assert ended.out.startswith("INCOMPLETE")
    assert "The run was interrupted; results so far are shown." in ended.out
    assert "1 of 1 tool called" in ended.out
    assert "interrupted" in ended.screen.rpartition(CLEAR)[2]
