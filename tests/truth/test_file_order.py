"""Files of one session: read in the order of their times, else of their names; merged by time."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping, Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from mcp_assay.model.report import Report
from mcp_assay.validate import Options, validate
from mcp_assay.validate import merged_files as module
from mcp_assay.validate.file_order import natural_key
from tests.truth.traces import INITIALIZE, INITIALIZED, READY, Line, ask, c2s, s2c, tell

EMPTY: dict[str, Any] = {"tools": []}
SESSION = [
    c2s(INITIALIZE),
    s2c(INITIALIZED),
    c2s(READY),
    c2s(ask(1, "tools/list")),
    s2c(tell(1, {"tools": [], "nextCursor": "p2"})),
    c2s(ask(2, "tools/list", {"cursor": "p2"})),
    s2c(tell(2, EMPTY)),
    c2s(ask(3, "tools/list")),
    s2c(tell(3, EMPTY)),
]


def timed(lines: Sequence[Line], start: float = 0.0, step: float = 1.0) -> list[Line]:
    """The lines of a session, with their times."""
    return [
        {"session": "s", "t": start + step * number, **line} for number, line in enumerate(lines)
    ]


def judge(folder: Path, files: Mapping[str, Sequence[Line]], order: Sequence[str] = ()) -> Report:
    """The report on files that are given in some order."""
    for name, lines in files.items():
        text = "".join(f"{json.dumps(line)}\n" for line in lines).encode()
        (folder / name).write_bytes(gzip.compress(text) if name.endswith("gz") else text)
    return validate([str(folder / name) for name in order or files], Options())


def told(report: Report) -> list[tuple[str, int | None, str]]:
    """Where each finding is: the file, the line, and the rule."""
    return [(Path(one.where.file or "").name, one.where.line, one.rule) for one in report.findings]


def outcome(report: Report, rule: str) -> str:
    """What became of a rule."""
    return next(one.outcome for one in report.checks if one.rule == rule)


def is_partial(report: Report) -> bool:
    """Whether the one session was judged as a part."""
    assert report.sessions is not None
    assert len(report.sessions) == 1
    return bool(report.sessions[0].partial)


@pytest.mark.parametrize(
    "order", list(permutations(["b.jsonl", "a.jsonl", "c.jsonl"])), ids="-".join
)
def test_files_are_ordered_by_their_first_times(tmp_path: Path, order: tuple[str, ...]) -> None:
    lines = timed(SESSION)
    files = {"c.jsonl": lines[:3], "a.jsonl": lines[3:6], "b.jsonl": lines[6:]}
    report = judge(tmp_path, files, order)
    assert told(report) == []
    assert not is_partial(report)


@pytest.mark.parametrize("order", list(permutations(["log.2", "log.10", "log.1"])), ids="-".join)
def test_files_without_times_are_ordered_by_their_names(
    tmp_path: Path, order: tuple[str, ...]
) -> None:
    lines = [{"session": "s", **line} for line in SESSION]
    files = {"log.1": lines[:3], "log.2": lines[3:6], "log.10": lines[6:]}
    report = judge(tmp_path, files, order)
    assert told(report) == []


def test_names_are_in_natural_order() -> None:
    names = ["a/10/x", "a/9/x", "a/09/b", "b", "a2b10", "a2b9", "a", ""]
    ordered = ["", "a", "a2b9", "a2b10", "a/09/b", "a/9/x", "a/10/x", "b"]
    assert sorted(names, key=natural_key) == ordered


def split(lines: Sequence[Line], late: float = 0.0) -> dict[str, list[Line]]:
    """What the client sent and what the server sent, by recorders whose clocks differ."""
    server = [{**line, "t": line["t"] + late} for line in lines if line["dir"] == "s2c"]
    return {"client.jsonl": [one for one in lines if one["dir"] == "c2s"], "server.jsonl": server}


@pytest.mark.parametrize("packed", ["", ".gz"])
@pytest.mark.parametrize("order", [1, -1], ids=["given", "reversed"])
def test_files_that_overlap_are_merged_line_by_line(
    tmp_path: Path, order: int, packed: str
) -> None:
    files = {f"{name}{packed}": lines for name, lines in split(timed(SESSION)).items()}
    report = judge(tmp_path, files, list(files)[::order])
    assert told(report) == []
    assert not is_partial(report)
    assert outcome(report, "PAGE-003") == "passed"


@pytest.mark.parametrize("late", [-0.5, -1, -1.5, -3, -3.5])
def test_a_slow_clock_is_corrected(tmp_path: Path, late: float) -> None:
    assert told(judge(tmp_path, split(timed(SESSION), late))) == []


def test_what_is_wrong_is_found_at_its_own_line(tmp_path: Path) -> None:
    again = [*SESSION, c2s(ask(3, "tools/list")), s2c(tell(3, EMPTY)), s2c(tell(9, EMPTY))]
    report = judge(tmp_path, split(timed(again)))
    assert told(report) == [("client.jsonl", 6, "JSONRPC-021"), ("server.jsonl", 6, "JSONRPC-023")]


def test_a_missing_answer_is_still_missed(tmp_path: Path) -> None:
    report = judge(tmp_path, split(timed([*SESSION, c2s(ask(4, "tools/list"))])))
    assert told(report) == [("client.jsonl", 6, "JSONRPC-026")]


def test_other_sessions_at_the_same_time_are_judged_as_ever(tmp_path: Path) -> None:
    files = {
        f"{name}.jsonl": [{**line, "session": name} for line in timed(SESSION, start)]
        for name, start in (("a", 0), ("b", 0.5), ("c", 4))
    }
    report = judge(tmp_path, files)
    assert told(report) == []
    assert [one.partial for one in report.sessions or ()] == [False, False, False]


def test_lines_of_one_moment_leave_their_order_open(tmp_path: Path) -> None:
    lines = timed([*SESSION[:3], *SESSION[7:]], step=0.0)
    lines += timed([c2s(ask(8, "tools/list")), s2c(tell(8, EMPTY))], 1.0)
    report = judge(tmp_path, split(lines))
    assert [one for one in report.findings if one.severity == "error"] == []
    assert is_partial(report)


def test_more_files_than_are_read_at_once(tmp_path: Path) -> None:
    many = module.MOST_OPEN + 3
    files = {
        f"{number}.jsonl": [{**line, "session": str(number)} for line in timed(SESSION, number / 9)]
        for number in range(many)
    }
    report = judge(tmp_path, files)
    assert told(report) == []
    assert report.summary.sessions == many


def test_files_are_read_ahead_only_so_far(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "WINDOW_LINES", 2)
    report = judge(tmp_path, split(timed(SESSION), -3.5))
    assert [one for one in report.findings if one.severity == "error"] == []


def test_a_file_that_breaks_off_among_others_is_told(tmp_path: Path) -> None:
    files = {f"{name}.gz": lines for name, lines in split(timed(SESSION * 1)).items()}
    judge(tmp_path, files)
    broken = tmp_path / "server.jsonl.gz"
    broken.write_bytes(broken.read_bytes()[:-8])
    report = validate([str(tmp_path / name) for name in files], Options())
    assert [rule for _, _, rule in told(report)] == ["ENV-002"]


def test_messages_stay_where_they_are(tmp_path: Path) -> None:
    lines = timed(SESSION)
    (tmp_path / "ping.json").write_text(json.dumps(ask(None, "ping")))
    judge(tmp_path, {"b.jsonl": lines[:3], "a.jsonl": lines[3:]})
    order = ["a.jsonl", "ping.json", "b.jsonl"]
    report = validate([str(tmp_path / name) for name in order], Options())
    assert told(report) == [("ping.json", 1, "JSONRPC-005")]
