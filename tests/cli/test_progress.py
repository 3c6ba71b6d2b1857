"""Progress is for people who wait at a terminal, and for nobody else."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from mcp_assay.cli import validate as module
from mcp_assay.cli.validate import progress
from mcp_assay.validate import Options, Run

PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n'


class Terminal(io.StringIO):
    """Standard error that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(module, "WORTH_SHOWING", 1_000)
    monkeypatch.setenv("TERM", "xterm")
    path = tmp_path / "pings.jsonl"
    path.write_bytes(PING * 1_000)
    return str(path)


def shown(file: str, stream: io.StringIO, monkeypatch: pytest.MonkeyPatch, quiet: bool) -> str:
    monkeypatch.setattr(sys, "stderr", stream)
    run = Run(Options())
    with progress(run, [file], quiet=quiet):
        run.judge(file)
    return stream.getvalue()


def test_a_terminal_sees_bytes_and_messages(file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = shown(file, Terminal(), monkeypatch, quiet=False)
    assert "41.0/41.0 kB" in screen
    assert "messages" in screen


@pytest.mark.parametrize(("stream", "quiet"), [(io.StringIO(), False), (Terminal(), True)])
def test_nobody_else_sees_anything(
    file: str, stream: io.StringIO, quiet: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert shown(file, stream, monkeypatch, quiet) == ""


def test_a_short_run_shows_nothing(file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "WORTH_SHOWING", 1_000_000)
    assert shown(file, Terminal(), monkeypatch, quiet=False) == ""
