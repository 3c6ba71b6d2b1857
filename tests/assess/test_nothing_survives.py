"""Whichever way an assessment ends, no process of the server is left, and the report is there."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

from mcp_assay.model.report import Report
from tests.client.living import MARK, alive, eventually
from tests.patience import LONGEST

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="/proc tells who is alive")

ROOT = Path(__file__).parents[2]
FAMILY = ("-m", "tests.assess.family")
MOMENTS = ("connecting", "listing", "calling", "closing")
MEMBERS = 1 + 1 + 4
"""mcp-assay, the guardian, the server and its three."""
LIVES = 3
"""The one that is judged, the one that is probed, and one in reserve."""


class Run(NamedTuple):
    """An assessment in a process of its own, and how to see what becomes of it."""

    process: subprocess.Popen[str]
    mark: str
    come: Path

    def wait_for(self, file: Path) -> None:
        """Wait until the server says that it is so far."""
        assert eventually(file.exists)

    def ended(self) -> tuple[int, str, str]:
        """Wait for the end: the exit code, and what was said on both streams."""
        out, err = self.process.communicate(timeout=LONGEST)
        return self.process.returncode, out, err


@contextmanager
def assessing(moment: str, tmp_path: Path, *options: str) -> Iterator[Run]:
    """Assess a server whose moment will come."""
    mark, come = f"{moment}-{os.getpid()}-{tmp_path.name}", tmp_path / "come"
    command = (sys.executable, "-m", "mcp_assay", "assess", "--no-input", "--format", "json")
    server = ("--env", MARK, "--", sys.executable, *FAMILY, moment, str(come))
    with subprocess.Popen(
        (*command, *options, *server),
        cwd=ROOT,
        env={**os.environ, MARK: mark},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            yield Run(process, mark, come)
        finally:
            process.kill()


def partial(code: int, out: str, err: str) -> Report:
    """The report of a run that a signal ended properly."""
    report = msgspec.json.decode(out, type=Report)
    assert (code, report.summary.outcome) == (130, "incomplete")
    assert err == "mcp-assay: interrupted; the report contains the results so far.\n"
    return report


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_signal_ends_all_and_gives_the_partial_report(
    name: str, moment: str, tmp_path: Path
) -> None:
    with assessing(moment, tmp_path) as run:
        run.wait_for(run.come)
        assert len(alive(run.mark)) >= MEMBERS
        os.killpg(run.process.pid, getattr(signal, name))
        report = partial(*run.ended())
        assert eventually(lambda: alive(run.mark) == [])
    assert (report.revision is None) == (moment == "connecting")
    assert bool(report.tools) == (moment in ("calling", "closing"))


@pytest.mark.parametrize("moment", MOMENTS)
def test_nothing_survives_the_sudden_death_of_mcp_assay(moment: str, tmp_path: Path) -> None:
    with assessing(moment, tmp_path) as run:
        run.wait_for(run.come)
        run.process.kill()
        assert run.ended()[0] == -signal.SIGKILL
        assert eventually(lambda: alive(run.mark) == [])


@pytest.mark.parametrize("name", ["SIGTERM", "SIGKILL"])
def test_a_life_that_was_started_ahead_does_not_survive_either(name: str, tmp_path: Path) -> None:
    with assessing("probing", tmp_path) as run:
        run.wait_for(run.come)
        assert eventually(lambda: len(alive(run.mark)) >= 1 + LIVES * (MEMBERS - 1))
        os.kill(run.process.pid, getattr(signal, name))
        run.ended()
        assert eventually(lambda: alive(run.mark) == [])


@pytest.mark.parametrize("signals", [2, 3])
def test_whoever_cannot_wait_leaves_nothing_behind_either(signals: int, tmp_path: Path) -> None:
    with assessing("calling", tmp_path) as run:
        run.wait_for(run.come)
        run.process.send_signal(signal.SIGINT)
        run.wait_for(run.come.with_suffix(".closing"))
        for _ in range(signals - 1):
            run.process.send_signal(signal.SIGINT)
        partial(*run.ended())
        assert eventually(lambda: alive(run.mark) == [])


def test_nothing_survives_a_normal_end(tmp_path: Path) -> None:
    with assessing("none", tmp_path) as run:
        code, out, _ = run.ended()
        assert eventually(lambda: alive(run.mark) == [])
    assert (code, msgspec.json.decode(out, type=Report).summary.outcome) == (0, "pass")


def test_an_interrupted_run_has_a_report_in_words_too(tmp_path: Path) -> None:
    with assessing("calling", tmp_path, "--format", "text") as run:
        run.wait_for(run.come)
        run.process.send_signal(signal.SIGINT)
        code, out, err = run.ended()
    assert code == 130
    assert out.startswith("INCOMPLETE")
    assert "find_book" in out
    assert err.startswith("mcp-assay: interrupted")


def test_a_run_that_was_started_to_ignore_a_hangup_goes_on(tmp_path: Path) -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with assessing("closing", tmp_path) as run:
            run.wait_for(run.come)
            run.process.send_signal(signal.SIGHUP)
            code, _, err = run.ended()
            assert (code, err) == (0, "")
            assert eventually(lambda: alive(run.mark) == [])
    finally:
        signal.signal(signal.SIGHUP, before)
