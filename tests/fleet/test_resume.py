"""A run of a fleet that was broken off goes on where it was, and nothing is recorded twice."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from mcp_assay.fleet import record
from mcp_assay.model.outcome import FOUND, INCOMPLETE, INTERRUPTED
from tests.fleet.runs import (
    CATALOGUE,
    MARK,
    engine_named,
    fleet_of,
    kinds,
    options,
    ran,
    recorded,
    require_nothing_left,
    server,
    stored,
)
from tests.patience import LONGEST

NAMES = ("handshake-only", "no-arguments", "null-cursor", "wordy-ping", "no-server-version")
GONE_SECONDS = 5.0


@pytest.fixture
def mark(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    monkeypatch.setenv(MARK, str(tmp_path))
    return str(tmp_path)


def fleet_file(folder: Path) -> str:
    """A file that names some servers, and one that is none."""
    tables = [
        f"[servers.{name}]\ncommand = {json.dumps([sys.executable, CATALOGUE, name])}\n"
        for name in NAMES
    ]
    path = folder / "fleet.toml"
    path.write_text("".join([*tables, "[servers.wrong]\ncommand = 7\n"]))
    return str(path)


@contextmanager
def begun(folder: Path, *words: str) -> Iterator[subprocess.Popen[str]]:
    """The command under way; what it says meanwhile can be read from its standard error."""
    store = f"--history=sqlite:///{folder}/history.db"
    quick = ("--no-sandbox", "--max-calls", "1", "--jobs", "2", "--format", "json")
    command = (sys.executable, "-m", "mcp_assay", "fleet", "run", fleet_file(folder), store)
    process = subprocess.Popen(
        [*command, *quick, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        text=True,
    )
    try:
        with process:
            yield process
    finally:
        process.kill()


def wait_for_end_of_one(process: subprocess.Popen[str]) -> str:
    """Wait until a server has been assessed that had not been before; its name."""
    assert process.stderr is not None
    for line in process.stderr:
        event: dict[str, Any] = json.loads(line)
        if event["event"] == "server_end" and not event["resumed"] and not event["kind"]:
            return str(event["server"])
    raise AssertionError("it ended before")


def ended(process: subprocess.Popen[str]) -> tuple[int, dict[str, Any]]:
    """The exit code and the report."""
    out, _ = process.communicate(timeout=LONGEST)
    return process.returncode, json.loads(out)


def test_what_is_done_is_not_done_again(mark: str, tmp_path: Path) -> None:
    with begun(tmp_path) as process:
        done = {wait_for_end_of_one(process)}
        process.send_signal(signal.SIGINT)
        code, report = ended(process)
    assert code == INTERRUPTED
    rows = {row["name"]: row for row in report["servers"]}
    assert done <= {name for name, row in rows.items() if row["verdict"] != "not_assessed"}
    assert {row["reason_kind"] for row in rows.values()} == {None, "interrupted", "wrong_entry"}
    require_nothing_left(mark)
    with begun(tmp_path, "--resume") as process:
        done.add(wait_for_end_of_one(process))
        process.kill()
    require_nothing_left(mark)
    with begun(tmp_path, "--resume") as process:
        code, report = ended(process)
    assert code == INCOMPLETE, "one entry is wrong"
    resumed = {row["name"] for row in report["timing"]["servers"] if row["resumed"]}
    assert done <= resumed < {*NAMES, "wrong"}
    with stored(tmp_path) as store:
        assert recorded(store) == dict.fromkeys(NAMES, 1)
    with begun(tmp_path, "--resume", "--exclude", "wrong") as process:
        code, report = ended(process)
    assert code == FOUND
    assert report["totals"]["verdicts"]["not_assessed"] == 0
    with stored(tmp_path) as store:
        assert recorded(store) == dict.fromkeys(NAMES, 1)


def test_a_store_that_is_gone_for_seconds_is_waited_for(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    lock = tmp_path / "history.db"
    with stored(tmp_path, "?timeout=0.1") as store, engine_named("local") as engine:
        fleet_record = record.FleetRecord.record

        def gone_at_first(self: record.FleetRecord, *given: Any) -> Any:
            monkeypatch.undo()
            lock_for(str(lock), GONE_SECONDS)
            return fleet_record(self, *given)

        monkeypatch.setattr(record.FleetRecord, "record", gone_at_first)
        found = ran(store, fleet_of(server("handshake-only")), options(), engine)
        assert kinds(found) == {"handshake-only": None}
        assert recorded(store) == {"handshake-only": 1}


def test_a_store_that_stays_away_ends_the_run_and_the_next_one_goes_on(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    fleet = fleet_of(server("handshake-only"), server("null-cursor"))
    monkeypatch.setattr(record, "PATIENCE_SECONDS", 0.2)
    with stored(tmp_path, "?timeout=0.1") as store, engine_named("local", 1) as engine:
        fleet_record = record.FleetRecord.record

        def gone(self: record.FleetRecord, *given: Any) -> Any:
            lock_for(str(tmp_path / "history.db"), 1.0)
            return fleet_record(self, *given)

        with monkeypatch.context() as patch:
            patch.setattr(record.FleetRecord, "record", gone)
            found = ran(store, fleet, options(), engine)
        assert kinds(found) == {"handshake-only": "not_recorded", "null-cursor": "interrupted"}
        again = ran(store, fleet, options(), engine, resume=True)
        assert kinds(again) == {"handshake-only": None, "null-cursor": None}
        assert recorded(store) == {"handshake-only": 1, "null-cursor": 1}


def lock_for(file: str, seconds: float) -> None:
    """Lock a store, and let it go after a while."""
    locked, is_over = threading.Event(), threading.Event()

    def hold() -> None:
        with closing(sqlite3.connect(file, isolation_level=None)) as connection:
            connection.execute("BEGIN EXCLUSIVE")
            locked.set()
            is_over.wait(seconds)

    threading.Thread(target=hold, daemon=True).start()
    assert locked.wait(LONGEST)
