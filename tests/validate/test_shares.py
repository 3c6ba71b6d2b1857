"""A run shared by several processes reports what one process would have reported."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from mcp_assay.report.as_json import to_json
from mcp_assay.validate import Options, Run, shares, validate, workers
from mcp_assay.validate.sessions import Sessions
from mcp_assay.validate.shares import Share, number_of_shares
from mcp_assay.validate.workers import WorkerPool, absorb, part_of
from tests.validate.traces import write


def reported(run: Run) -> dict[str, Any]:
    """The report but for the time that it took."""
    document: dict[str, Any] = json.loads(to_json(run.report()))
    del document["timing"]
    return document


def judged(files: list[str], options: Options, share: Share) -> Run:
    run = Run(options, share=share)
    run.judge_all(files)
    run.close()
    return run


def shared(files: list[str], options: Options, of: int) -> dict[str, Any]:
    first, *others = (judged(files, options, Share(index, of)) for index in range(of))
    for other in others:
        absorb(first, part_of(other))
    return reported(first)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(
    "options",
    [
        Options(),
        Options(max_findings=7, duplicates=False),
        Options(partial=True, select=("JSONRPC", "LIFE")),
        Options(map={"session": "/conn"}),
    ],
    ids=["default", "few", "partial", "mapped"],
)
def test_shares_together_report_the_same(tmp_path: Path, seed: int, options: Options) -> None:
    files = [*write(tmp_path, seed), "missing.jsonl"]
    whole = reported(judged(files, options, Share()))
    assert whole["summary"]["sessions"] > 5
    for of in (2, 5):
        assert shared(files, options, of) == whole


def test_sessions_let_go_are_the_same_in_all_shares(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Sessions, "most", 4)
    files = write(tmp_path, 1)
    whole = reported(judged(files, Options(), Share()))
    assert [limit["name"] for limit in whole["limits"]] == ["live-sessions"]
    assert shared(files, Options(), 3) == whole


def test_a_cut_file_is_the_same_in_all_shares(tmp_path: Path) -> None:
    (name,) = write(tmp_path, 2, files=1)
    cut = Path(f"{name}.gz")
    cut.write_bytes(gzip.compress(Path(name).read_bytes())[:-200])
    whole = reported(judged([str(cut), name], Options(), Share()))
    (breaks,) = [one for one in whole["findings"] if one["rule"] == "ENV-002"]
    assert (
        "is incomplete: its compressed data is truncated; everything before that was checked"
        in (breaks["message"])
    )
    assert shared([str(cut), name], Options(), 2) == whole


def test_a_cut_file_of_one_session_is_the_same_in_all_shares(tmp_path: Path) -> None:
    cut = tmp_path / "cut"
    cut.write_bytes(gzip.compress(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n' * 9)[:-3])
    whole = reported(judged([str(cut)], Options(), Share()))
    assert [shared([str(cut)], Options(), of) for of in (2, 3)] == [whole, whole]


def test_a_file_cut_before_its_first_line_ends_is_unreadable(tmp_path: Path) -> None:
    cut = tmp_path / "cut"
    cut.write_bytes(gzip.compress(b'{"jsonrpc":"2.0","id":1,"method":"ping"}')[:-3])
    run = judged([str(cut)], Options(), Share())
    assert list(run.unreadable) == [str(cut)]
    assert run.report().findings[0].where.line is None


def test_findings_are_in_the_order_of_the_files(tmp_path: Path) -> None:
    files = write(tmp_path, 3)
    places = [(f.where.file, f.where.line) for f in validate(files).findings]
    assert places == sorted(places, key=lambda place: (files.index(str(place[0])), place[1] or 0))


def test_processes_report_what_one_process_does(tmp_path: Path) -> None:
    files = write(tmp_path, 4)
    command = [sys.executable, "-m", "mcp_assay", "validate", "--format", "json", *files]
    reports = []
    for jobs in ("1", "3"):
        ended = subprocess.run([*command, "--jobs", jobs], capture_output=True, check=False)
        document = json.loads(ended.stdout)
        del document["timing"]
        reports.append((ended.returncode, ended.stderr, document))
    assert reports[0] == reports[1]
    assert reports[0][:2] == (1, b"")


def test_a_process_that_dies_is_reported_and_the_rest_is_reported(tmp_path: Path) -> None:
    files = write(tmp_path, 5)
    run = Run(Options(), share=Share(0, 2))
    with WorkerPool(Options(), files, 2) as others:
        os.kill(others._members[0].pid, signal.SIGKILL)
        run.judge_all(files)
        run.close()
        others.join(run)
    (lost,) = [one for one in run.report().findings if one.rule == "ENV-003"]
    assert lost.message.startswith("A worker process was killed by signal 9; its sessions")
    assert (run.own_faults, run.report().summary.outcome) == (1, "incomplete")
    assert run.messages > 0


def test_processes_that_are_reported_to_stop_report_what_they_have(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    run = Run(Options(), share=Share(0, 2))
    with WorkerPool(Options(), [str(pipe)], 2) as others, pipe.open("wb") as never_ending:
        never_ending.write(b'{"jsonrpc":"2.0"')
        never_ending.flush()
        others.interrupt()
        others.join(run)
    assert run.interrupted


@pytest.mark.parametrize(
    ("sizes", "jobs", "expected"),
    [([10], None, 1), ([10], 3, 3), ([60, 60], None, 7), ([60, None], 3, 1), ([0, 200], None, 7)],
)
def test_work_is_shared_where_that_pays(
    monkeypatch: pytest.MonkeyPatch, sizes: list[int | None], jobs: int | None, expected: int
) -> None:
    monkeypatch.setattr(shares, "WORTH_SHARING", 100)
    monkeypatch.setattr(shares, "_cores", lambda: 7)
    monkeypatch.setattr(shares, "size_of", lambda source: sizes[int(source)])
    assert number_of_shares([str(index) for index in range(len(sizes))], jobs) == expected


def test_a_process_that_cannot_start_is_reported(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(workers, "COMMAND", (sys.executable, "-c", "raise SystemExit(7)"))
    run = Run(Options(), share=Share(0, 2))
    with WorkerPool(Options(), [], 2) as others:
        others.join(run)
    (lost,) = run.report().findings
    assert "exited with code 7" in lost.message
