"""The first pass: what is found out about a file, and how long that holds."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from mcp_assay.archive import index_store, run
from mcp_assay.archive.batch import judge_batch
from mcp_assay.archive.file_index import IndexTask, index_file
from mcp_assay.engine import MOST_RUNS, TaskDone, TaskLost
from mcp_assay.model.entry import SessionKey
from mcp_assay.validate import sources
from mcp_assay.validate.lines import Unreadable
from mcp_assay.validate.selection import digest
from mcp_assay.validate.trace import http_session
from tests.archive.gateways import rotated
from tests.archive.judged import BackwardsEngine, in_batches

ID = {"Mcp-Session-Id": "id1"}
HTTP = http_session({"request_headers": ID})
assert HTTP is not None


@pytest.mark.parametrize(
    ("line", "keys"),
    [
        ('{"dir":"c2s","session":"a","conn":"c","message":{}}', [("session", "a")]),
        ('{"message":{},"session":"a","conn":"c","dir":"c2s"}', [("session", "a")]),
        ('{"dir":"c2s","message":{},"conn":7}', [("conn", "7")]),
        ('{"dir":"c2s","http":{"request_headers":{"Mcp-Session-Id":"id1"}}}', [HTTP]),
        (
            '{"dir":"s2c","conn":"c","http":{"response_headers":{"Mcp-Session-Id":"id1"}}}',
            [HTTP, ("conn", "c")],
        ),
        ('{"dir":"c2s","message":{}}', []),
        ('{"jsonrpc":"2.0","method":"x","params":{"session":"a"}}', []),
        ('{"dir":"up","session":"a","message":{}}', []),
        ("not json", []),
    ],
)
def test_the_sessions_of_a_line_are_found(
    tmp_path: Path, line: str, keys: Iterable[SessionKey]
) -> None:
    path = tmp_path / "trace.jsonl"
    path.write_text(f"{line}\n{line}\n")
    assert list(index_file(IndexTask(str(path))).keys()) == sorted(map(digest, keys))


def test_a_file_is_looked_through_again_only_when_it_has_changed(tmp_path: Path) -> None:
    files = rotated(tmp_path, files=3, sessions=9, calls=2)

    def tasks() -> int:
        engine = BackwardsEngine()
        in_batches(files, engine=engine)
        return engine.tasks

    assert [tasks(), tasks()] == [4, 1]
    os.utime(files[1], ns=(1, 1))
    assert [tasks(), tasks()] == [2, 1]


def test_a_file_that_could_not_be_read_is_looked_through_again_and_nothing_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = rotated(tmp_path, files=3, sessions=9, calls=9)
    opening = sources._open
    failed: list[str] = []

    def failing(name: str, seen: Any) -> Any:
        if name == files[1] and not failed:
            failed.append(name)
            raise Unreadable(f"{name} is not readable; check its permissions")
        return opening(name, seen)

    monkeypatch.setattr(sources, "_open", failing)
    (missed,) = [one for one in in_batches(files)["findings"] if one["rule"] == "ENV-002"]
    assert missed["where"]["file"] == files[1]
    assert missed["message"] == f"{files[1]} {run.READ_IN_PART}."
    whole = in_batches(files)
    assert whole["findings"] == []
    assert whole["summary"]["sessions"] == 9


def test_a_file_that_is_written_meanwhile_is_said_to_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = rotated(tmp_path, files=3, sessions=9, calls=2)

    def judge_while_more_comes(task: Any) -> Any:
        with Path(files[2]).open("a") as file:
            file.write('{"t":1900000000,"dir":"c2s","session":"new","message":{}}\n')
        return judge_batch(task)

    monkeypatch.setattr("mcp_assay.archive.run.judge_batch", judge_while_more_comes)
    found = in_batches(files)
    assert found["limits"] == [
        {"name": "changed-files", "value": 3, "count": 1, "effect": f"{files[2]} {run.CHANGED}"}
    ]
    assert found["summary"]["sessions"] == 9


def test_what_is_kept_names_no_session_and_is_for_the_user_alone(
    tmp_path: Path, cache: Path
) -> None:
    in_batches(rotated(tmp_path, files=2, sessions=3, calls=2))
    folder = cache / "mcp-assay" / "archives"
    kept = list(folder.iterdir())
    assert len(kept) == 2
    assert not any(b'"s1"' in path.read_bytes() for path in kept)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_what_cannot_be_kept_or_read_is_made_anew(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = rotated(tmp_path, files=2, sessions=3, calls=2)
    whole = in_batches(files)
    for path in (cache / "mcp-assay" / "archives").iterdir():
        path.write_bytes(b"\xc1 no index")
    assert in_batches(files) == whole
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "gateway.0.jsonl"))
    assert in_batches(files) == whole


def test_no_more_indexes_are_kept_than_there_may_be(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index_store, "MOST_KEPT", 2)
    in_batches(rotated(tmp_path, files=5, sessions=9, calls=2))
    assert len(list((cache / "mcp-assay" / "archives").iterdir())) == 2


class _Losing(BackwardsEngine):
    """Loses the first task of one kind."""

    def __init__(self, kind: str) -> None:
        super().__init__(2)
        self._kind = kind

    def run(self, work: Any, tasks: Any, runs: int = MOST_RUNS, ahead: int = 2) -> Any:
        """Do the work on each task but the first."""
        for outcome in super().run(work, tasks, runs, ahead):
            if outcome.index == 0 and work.__name__ == self._kind:
                yield TaskLost(0, "worker_lost", "a worker was killed, 3 times on the same task")
            else:
                assert isinstance(outcome, TaskDone)
                yield outcome


@pytest.mark.parametrize("kind", ["index_file", "judge_batch"])
def test_work_that_is_lost_is_said_and_the_rest_is_reported(
    tmp_path: Path, kind: str, cut_into: Any
) -> None:
    files = rotated(tmp_path, files=6, sessions=30, calls=4)
    whole = in_batches(files)
    (tmp_path / ".cache").rename(tmp_path / ".old")
    cut_into(2_000)
    found = in_batches(files, engine=_Losing(kind))
    (lost,) = [one for one in found["findings"] if one["rule"] == "ENV-003"]
    assert lost["where"] == {"file": files[0]}
    assert lost["message"].endswith(
        "missing from this report: a worker was killed, 3 times on the same task."
    )
    assert found["summary"]["outcome"] == "incomplete"
    assert 0 < found["summary"]["messages"] < whole["summary"]["messages"]


class _InterruptedEngine(BackwardsEngine):
    """Is interrupted in the middle of one kind of work."""

    def __init__(self, kind: str) -> None:
        super().__init__()
        self._kind = kind

    def run(self, work: Any, tasks: Any, runs: int = MOST_RUNS, ahead: int = 2) -> Any:
        """Do the work on one task."""
        outcomes = sorted(super().run(work, tasks, runs, ahead), key=lambda outcome: outcome.index)
        yield from outcomes[:1]
        if work.__name__ == self._kind:
            raise KeyboardInterrupt
        yield from outcomes[1:]


@pytest.mark.parametrize(("kind", "has_some"), [("index_file", False), ("judge_batch", True)])
def test_an_interrupted_run_reports_what_was_done(
    tmp_path: Path, kind: str, has_some: bool, cut_into: Any
) -> None:
    files = rotated(tmp_path, files=6, sessions=30, calls=4)
    cut_into(2_000)
    found = in_batches(files, engine=_InterruptedEngine(kind))
    assert found["summary"]["outcome"] == "incomplete"
    assert bool(found["summary"]["messages"]) == has_some
