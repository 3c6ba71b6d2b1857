"""`ui --config`: commands are shown and confirmed on the terminal, and end with the pages."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.cli.asked_on_terminal import conversation
from tests.patience import LONGEST
from tests.web.live import GATED, Gate, configuration, events, start
from tests.web.served import Served

UI = (sys.executable, "-m", "mcp_assay", "ui")
QUESTION = "May they be started from the pages?"


@pytest.fixture
def config(gate: Gate, tmp_path: Path) -> Path:
    return configuration(tmp_path, gate)


@contextmanager
def running(*options: str, **more: Any) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen([*UI, *options], stdout=subprocess.PIPE, text=True, **more) as process:
        try:
            yield process
        finally:
            process.terminate()
            process.wait(LONGEST)


def link_of(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def test_without_a_terminal_nothing_is_confirmed(config: Path, history_url: str) -> None:
    options = ("--config", str(config), "--history", history_url)
    with running(*options, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        out, complaint = process.communicate(timeout=LONGEST)
    assert (process.returncode, out) == (2, "")
    assert "cannot be shown and confirmed without a terminal; --yes confirms them" in complaint


def test_whoever_says_no_starts_nothing(config: Path, history_url: str, tmp_path: Path) -> None:
    options = ["ui", "--config", str(config), "--history", history_url]
    ended = conversation(options, {QUESTION: "n"}, tmp_path)
    assert ended.code == 2
    assert f"{config} contains these commands:" in ended.screen
    assert "demo: " in ended.screen
    assert "-m mcp_assay.demo_server" in ended.screen
    assert "without --config the pages start nothing" in " ".join(ended.screen.split())
    assert ended.out == ""


def test_whoever_says_yes_gets_a_link(config: Path, history_url: str) -> None:
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm"}
    options = ("--config", str(config), "--history", history_url)
    with running(*options, stdin=theirs, stderr=theirs, env=environment) as process:
        os.close(theirs)
        os.write(ours, b"y\n")
        assert link_of(process).startswith("http://127.0.0.1:")
    os.close(ours)
    assert process.returncode == 0


def test_when_the_pages_are_killed_no_server_is_left(
    config: Path, gate: Gate, history_url: str
) -> None:
    options = ("--yes", "--timeout", "100", "--config", str(config), "--history", history_url)
    with running(*options, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        served = Served(link_of(process), None, [])  # type: ignore[arg-type]
        cookie = served.cookie()
        start(served, GATED, cookie)
        notes = (note for _, note in events(served, "/live/1", cookie))
        assert any(note.get("word") == "working" for note in notes)
        process.send_signal(signal.SIGKILL)
        assert gate.has_ended()


def test_a_server_that_cannot_be_started_says_why_on_its_page(
    history_url: str, tmp_path: Path
) -> None:
    file = tmp_path / "hole.json"
    file.write_text('{"mcpServers":{"x":{"command":"y","env":{"A":"${input:a}"}}}}', "utf-8")
    with running("--yes", "--config", str(file), "--history", history_url) as process:
        served = Served(link_of(process), None, [])  # type: ignore[arg-type]
        cookie = served.cookie()
        assert "&#39;x&#39; has placeholders" in served.get("/live", cookie).text
        refused = start(served, 1, cookie)
        assert refused.status == 400
        assert "Assess it on the command line." in refused.text
