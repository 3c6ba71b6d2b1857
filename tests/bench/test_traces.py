"""The traces of the benchmarks: whole sessions, interleaved, the same for the same seed."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path

from bench.traces import lines, open_sessions, write, written
from mcp_assay.validate import Options, validate


def test_the_same_seed_gives_the_same_lines() -> None:
    assert list(lines(500, seed=1)) == list(lines(500, seed=1))
    assert list(lines(500, seed=1)) != list(lines(500, seed=2))


def test_sessions_are_interleaved() -> None:
    assert len({line.session for line in lines(500, interleaved=100)}) > 50


def test_nothing_is_wrong_with_the_sessions(tmp_path: Path) -> None:
    file = write(lines(3_000, interleaved=10), tmp_path / "trace.jsonl")
    report = validate([str(file)], Options(partial=True))
    assert (report.summary.messages, report.summary.errors) == (3_000, 0)
    assert report.subject.kind == "trace"


def test_no_open_session_ends_and_each_counts_its_ids(tmp_path: Path) -> None:
    trace = list(open_sessions(1_000, sessions=100))
    assert {line.session for line in trace[-200:]} == set(range(100))
    file = write(iter(trace), tmp_path / "open.jsonl")
    assert validate([str(file)]).summary.errors == 0


def test_a_written_line_is_a_trace_line() -> None:
    (line,) = islice(written(lines(10)), 1)
    assert list(json.loads(line)) == ["t", "dir", "session", "message"]
