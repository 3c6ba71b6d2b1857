"""What is kept of a proxy's traffic: the latest, in bounded space, and exported as a trace."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from mcp_assay.proxy.feed_news import (
    FoundLateNews,
    FoundNews,
    MissedNews,
    OpenedNews,
    OverNews,
    PassedNews,
)
from mcp_assay.validate import validate
from mcp_assay.validate.options import Options
from mcp_assay.web.traffic import live_traffic
from mcp_assay.web.traffic.export import TraceExport
from mcp_assay.web.traffic.filters import TrafficFilter
from mcp_assay.web.traffic.live_traffic import LiveTraffic
from mcp_assay.web.traffic.row_pages import ROWS
from tests.web.traffic.traces import calls, line

ALL = TrafficFilter()
MARKUP = "<b>\u202e</b>"


def passing(lines: Iterable[bytes], *, first: int = 1, forgotten: int = 0) -> LiveTraffic:
    """Traffic of which these lines have passed."""
    traffic = LiveTraffic(1)
    traffic.take(OpenedNews("crm", "crm-1", 1, 0.0, forgotten))
    for number, one in enumerate(lines, first):
        traffic.take(PassedNews(number, one, len(one)))
    return traffic


def exported(traffic: LiveTraffic, wanted: TrafficFilter) -> bytes:
    export = TraceExport()
    lines = traffic.lines(wanted)
    return b"".join(export.line(it.line, it.read.row.session, it.passed) for it in lines)


def found(number: int, severity: str = "error") -> FoundNews:
    assert severity in ("error", "warning")
    return FoundNews(number, "CALL-001", "no-content", "error", "server", MARKUP)


def test_the_latest_messages_are_shown_first_and_earlier_ones_on_demand() -> None:
    traffic = passing(calls(200))
    latest = traffic.page_before(1 << 53, ALL)
    assert [row.number for row in latest.rows] == list(range(301, 401))
    earlier = traffic.page_before(latest.before, ALL)
    assert [row.number for row in earlier.rows] == list(range(201, 301))
    assert earlier.after == 301
    here = traffic.page_from(5, ALL)
    assert (here.rows[0].number, here.before, here.after) == (5, 5, 5 + ROWS)
    assert traffic.page_from(400, ALL).after == 0


def test_what_is_kept_is_bounded_by_number_and_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_traffic, "MOST_KEPT", 10)
    traffic = passing(calls(10))
    assert [it.read.row.number for it in traffic.lines(ALL)] == list(range(11, 21))
    assert (traffic.forgotten, traffic.messages) == (10, 20)
    assert traffic.message(10) is None
    monkeypatch.setattr(live_traffic, "MOST_BYTES_KEPT", 2_000)
    traffic.take(PassedNews(21, line("c2s", "x" * 900)))
    assert [it.read.row.number for it in traffic.lines(ALL)][-1] == 21
    assert sum(len(it.line) + len(it.read.text) for it in traffic.lines(ALL)) <= 2_000


def test_only_so_many_sessions_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_traffic, "MOST_SESSIONS", 3)
    traffic = passing([one for n in range(5) for one in calls(1, f"s{n}")])
    assert {name: one.messages for name, one in traffic.sessions.items()} == {
        "s0": 2,
        "s1": 2,
        "s2": 2,
    }
    session = TrafficFilter(session=traffic.sessions["s1"].first)
    assert [row.number for row in traffic.page_from(1, session).rows] == [3, 4]
    assert traffic.page_from(1, TrafficFilter(session=99)).rows == ()


def test_a_late_finding_comes_beside_its_message() -> None:
    traffic = passing(calls(2))
    traffic.take(FoundLateNews((found(2), found(77))))
    rows = traffic.page_from(1, ALL).rows
    assert [len(row.found) for row in rows] == [0, 1, 0, 0]
    assert traffic.errors == 2
    assert traffic.late_since(1) == [found(77)]
    assert traffic.late_since(2) == []
    assert [row.number for row in traffic.page_from(1, TrafficFilter(found="error")).rows] == [2]


def test_a_long_message_is_shown_by_its_beginning() -> None:
    traffic = LiveTraffic(1)
    short = b'{"dir":"s2c","session":"s","unread":5000000}\n'
    traffic.take(PassedNews(1, short, 5_000_100, b'{"dir":"s2c","raw":"begins so'))
    (row,) = traffic.page_from(1, ALL).rows
    assert (row.kind, row.direction, row.size) == ("missing", "s2c", 5_000_000)
    assert "begins so" in row.shown
    message = traffic.message(1)
    assert message is not None
    assert message.is_cut
    assert exported(traffic, ALL) == short


def test_whoever_waits_is_woken_by_everything_that_comes() -> None:
    traffic = passing(calls(1))
    before = traffic.changes
    traffic.take(MissedNews(5))
    traffic.take(OverNews("server exit 0"))
    traffic.end("the proxy is gone")
    assert traffic.changes == before + 3
    assert (traffic.missed, traffic.how, traffic.is_over) == (5, "server exit 0", True)


def judged(path: Path, trace: bytes) -> dict[str, int]:
    """The findings that validate makes of a trace, by their rules."""
    path.write_bytes(trace)
    report = validate([str(path)], Options())
    assert report.subject.kind == "trace"
    rules = [one.rule for one in report.findings]
    return {rule: rules.count(rule) for rule in rules}


def test_an_export_is_the_trace_to_the_byte_where_all_is_there(tmp_path: Path) -> None:
    lines = calls(20)
    assert exported(passing(lines, first=500), ALL) == b"".join(lines)
    assert judged(tmp_path / "trace.jsonl", b"".join(lines)).keys() == {"LIFE-001"}


def test_an_export_says_what_is_missing_so_that_nobody_is_blamed(tmp_path: Path) -> None:
    lines = [*calls(20), *calls(5, "other"), *calls(20)]
    whole = judged(tmp_path / "whole.jsonl", b"".join(lines))
    requests = exported(passing(lines), TrafficFilter(direction="c2s"))
    assert requests.count(b"\n") == 45
    assert requests.count(b'"lost":') == 44
    assert judged(tmp_path / "part.jsonl", requests).keys() <= whole.keys()
    later = exported(passing(lines[30:], first=31, forgotten=30), ALL)
    assert later.startswith(b'{"dir":"c2s"')
    assert later.count(b'"lost":30') == 2
    assert judged(tmp_path / "later.jsonl", later).keys() <= whole.keys()


def test_a_bare_message_in_an_export_stays_as_it_is() -> None:
    export = TraceExport()
    assert export.line(b'{"method":"ping"}\n', "", 5) == b'{"method":"ping"}\n'
    assert export.line(b"no JSON", "", 9) == b"no JSON\n"
