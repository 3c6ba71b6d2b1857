"""Progress of a fleet: a table that is drawn anew on a terminal, lines of JSON elsewhere."""

from __future__ import annotations

import json
import os
import pty
import select
import subprocess
import sys
from pathlib import Path

import pytest
from jsonschema_rs import Draft202012Validator

import mcp_assay.report
from mcp_assay.fleet.job import Reason
from mcp_assay.fleet.progress import FleetEvents, FleetProgress, FleetSize
from mcp_assay.model.report import ToolVersion
from mcp_assay.text.lines import as_plain_text
from tests.fleet.fleets import small_fleet
from tests.patience import LONGEST
from tests.report.reports import NASTY
from tools.consoles import ROOT

SIZE = FleetSize(name="registry", servers=12, dashboard="http://127.0.0.1:8787/status")
DIED = Reason(kind="worker_lost", text="The worker died.", is_passing=True)
HALFWAY = """\
━━━━━━━━━━━━────────────  6 of 12 servers · 1 min 00 s · about 1 min 30 s left
  4 passed  2 failed  0 incomplete  0 not assessed  1 tried again
  dashboard  http://127.0.0.1:8787/status
  music           15 s  try 2
  gone-wrong       5 s
"""
DRIVER = """
from mcp_assay.cli.fleet_progress import fleet_progress
from mcp_assay.fleet.progress import FleetSize
from tests.fleet.fleets import small_fleet
import sys, time
size = FleetSize(name="registry", servers=12, dashboard="http://127.0.0.1:8787/status")
with fleet_progress(size, quiet="--quiet" in sys.argv) as progress:
    for one in small_fleet():
        progress.begin(one.name, 1)
        time.sleep(0.03)
        progress.end(one)
print("the report")
"""
"""A run in which nothing is done, as fast as it can be seen."""


class Clock:
    """Goes on when it is told to."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def halfway() -> FleetProgress:
    """A minute after the beginning: two servers were known before, four are done, two run."""
    clock = Clock()
    progress, outcomes = FleetProgress(SIZE, clock), small_fleet()
    done = [one for one in outcomes if one.report and one.name not in ("music", "gone-wrong")]
    known, worked = done[:1], done[1:]
    for one in (*known, outcomes[0]):
        progress.end(one)
    progress.begin("music", 1)
    for one in worked:
        progress.begin(one.name, 1)
    clock.now += 40
    for one in worked:
        progress.end(one)
    progress.retry("music", DIED)
    clock.now += 5
    progress.begin("music", 2)
    clock.now += 10
    progress.begin("gone-wrong", 1)
    clock.now += 5
    return progress


def test_the_table_has_what_is_done_and_what_runs_the_longest_first() -> None:
    assert as_plain_text(halfway().lines(24)) == HALFWAY


def test_a_low_terminal_says_how_many_more_run() -> None:
    assert as_plain_text(halfway().lines(4)).splitlines()[3] == "  and 2 more under way"
    assert len(halfway().lines(1)) == 1


@pytest.mark.parametrize("name", NASTY, ids=range(len(NASTY)))
def test_no_name_of_a_server_is_obeyed(name: str) -> None:
    progress = FleetProgress(SIZE, Clock())
    progress.begin(name, 1)
    text = as_plain_text(progress.lines(24))
    assert "\x1b" not in text
    assert len(text.splitlines()) == 4
    assert max(map(len, text.splitlines())) <= 120


def events() -> list[str]:
    lines: list[str] = []
    hearing = FleetEvents(SIZE, ToolVersion(name="mcp-assay", version="1"), lines.append, Clock())
    for one in small_fleet():
        hearing.begin(one.name, 1)
        if one.tries:
            hearing.retry(one.name, one.tries[0])
            hearing.begin(one.name, 2)
        hearing.end(one)
    hearing.close()
    return lines


def test_every_event_is_one_line_in_the_schema_that_ships() -> None:
    path = Path(next(iter(mcp_assay.report.__path__))) / "events.schema.json"
    schema = Draft202012Validator(json.loads(path.read_text("utf-8")))
    lines = events()
    read = [json.loads(line) for line in lines]
    assert all(line.count("\n") == 1 for line in lines)
    assert [error for event in read for error in schema.iter_errors(event)] == []
    assert [one["event"] for one in read[:6]] == [
        *("begin", "fleet_begin", "server_begin", "server_end", "server_begin", "server_retry"),
    ]
    assert read[-1]["verdicts"] == {"not_assessed": 5, "incomplete": 1, "fail": 2, "pass": 4}
    assert [one["done"] for one in read if one["event"] == "server_end"] == list(range(1, 13))


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """The driver where nobody watches."""
    return subprocess.run(
        [sys.executable, "-c", DRIVER, *arguments],
        capture_output=True, text=True, cwd=ROOT, timeout=LONGEST, check=True,
    )  # fmt: skip


def test_elsewhere_than_on_a_terminal_there_are_lines_of_json_beside_the_report() -> None:
    ended = run()
    assert ended.stdout == "the report\n"
    kinds = [json.loads(line)["event"] for line in ended.stderr.splitlines()]
    assert (kinds[0], kinds[1], kinds[-1]) == ("begin", "fleet_begin", "fleet_end")


def test_a_quiet_run_says_nothing() -> None:
    ended = run("--quiet")
    assert (ended.stdout, ended.stderr) == ("the report\n", "")


def on_terminal(**variables: str) -> str:
    """All that a terminal gets of the driver."""
    ours, theirs = pty.openpty()
    environment = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    with subprocess.Popen(
        [sys.executable, "-c", DRIVER], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=theirs, env={**environment, "TERM": "xterm", **variables}, cwd=ROOT,
    ) as process:  # fmt: skip
        os.close(theirs)
        shown = "".join(iter(lambda: _read(ours), ""))
        assert process.wait(LONGEST) == 0
    os.close(ours)
    return shown


def _read(terminal: int) -> str:
    assert select.select([terminal], [], [], LONGEST)[0], "silent for too long"
    try:
        return os.read(terminal, 1 << 16).decode(errors="replace")
    except OSError:  # how Linux says that the other end is closed
        return ""


def test_a_terminal_sees_the_table_and_nothing_is_left_of_it() -> None:
    shown = on_terminal()
    assert "of 12 servers" in shown
    assert "http://127.0.0.1:8787/status" in shown
    assert "\x1b[1;32m" in shown
    assert "\x1b[?25h" in shown.rpartition("of 12 servers")[2]
    assert shown.rpartition("of 12 servers")[2].count("\x1b[2K") >= 2
    assert '"event"' not in shown


def test_who_wants_no_colour_sees_none() -> None:
    shown = on_terminal(NO_COLOR="1")
    assert "of 12 servers" in shown
    assert "\x1b[1;32m" not in shown
    assert "\x1b[3" not in shown
