"""A report goes into the store whole, and what is asked often goes into rows."""

from __future__ import annotations

from collections.abc import Callable
from secrets import token_hex
from typing import Any

import pytest
from msgspec.structs import replace
from sqlalchemy import func, select

from mcp_assay.history.answers import HistoryFindings
from mcp_assay.history.identity import identity_of, named
from mcp_assay.history.questions import (
    all_servers,
    findings_since,
    server_history,
    tool_history,
)
from mcp_assay.history.recorder import record
from mcp_assay.history.store import Store
from mcp_assay.history.tables import METADATA, TOOL_RUN
from mcp_assay.model.report import ReportSubject, TimedMessage
from mcp_assay.report.as_json import to_json
from tests.drift.small_reports import finding
from tests.history.runs import NOTES, a_report, a_run, at_day, remember, stored_reports
from tests.report.reports import NASTY, report

CRASH, TYPO = finding(key=1), finding("CALL-003", severity="warning", key=2)


def found(store: Store, since_day: float = 0) -> HistoryFindings:
    with store.reading() as connection:
        return findings_since(connection, at_day(since_day))


def test_a_report_comes_back_as_it_was(store: Store) -> None:
    its = a_report(CRASH, TYPO)
    record(store, a_run(its))
    (again,) = stored_reports(store)
    assert to_json(again) == to_json(its)


@pytest.mark.parametrize("text", NASTY, ids=range(len(NASTY)))
def test_whatever_a_server_says_can_be_stored(text: str, store: Store) -> None:
    its = report(text)
    run = record(store, a_run(its, named(text or "empty")))
    (again,) = stored_reports(store)
    assert to_json(again) == to_json(its)
    with store.reading() as connection:
        shown = server_history(connection, run.server_id)
    assert shown.server.runs == 1
    assert len(shown.findings) == len({it.fingerprint for it in its.findings})


def test_a_list_has_the_latest_verdict_and_the_trend(store: Store) -> None:
    remember(store, CRASH, day=1)
    remember(store, day=2)
    remember(store, CRASH, TYPO, day=3, identity=named("weather"))
    with store.reading() as connection:
        notes, weather = all_servers(connection).servers
    assert (notes.name, notes.runs, notes.last and notes.last.errors) == ("notes", 2, 0)
    assert notes.trend.errors == [1, 0]
    assert weather.last is not None
    assert (weather.last.run, weather.last.at, weather.last.warnings) == (3, at_day(3), 1)
    assert weather.last.tools == {"fully_working": 1}


def test_a_run_is_stored_once_however_often_it_is_written(store: Store) -> None:
    run = a_run(a_report(CRASH))
    first, second = record(store, run), record(store, run)
    assert (first.run_id, first.is_new, second.is_new) == (second.run_id, True, False)
    assert len(stored_reports(store)) == 1


def test_equal_reports_of_two_runs_are_two_runs(store: Store) -> None:
    its = a_report(CRASH)
    assert record(store, a_run(its)).run_id != record(store, a_run(its)).run_id


def test_a_clock_that_was_set_back_does_not_change_the_order(store: Store) -> None:
    remember(store, CRASH, day=5)
    remember(store, TYPO, day=1)
    with store.reading() as connection:
        shown = server_history(connection, 1)
    assert [run.run for run in shown.runs] == [2, 1]
    assert shown.server.last is not None
    assert shown.server.last.run == 2


def test_a_finding_is_new_then_fixed_then_back(store: Store) -> None:
    remember(store, CRASH, TYPO, day=0)
    remember(store, TYPO, day=1)
    remember(store, CRASH, TYPO, day=2)
    its = found(store)
    crash = next(it for it in its.new if it.rule == CRASH.rule)
    assert (crash.first_at, crash.since_at, crash.runs, crash.comings) == (
        at_day(0), at_day(2), 2, 2,
    )  # fmt: skip
    assert [it.rule for it in its.flaky] == [CRASH.rule]
    assert [it.rule for it in its.oldest] == [CRASH.rule, TYPO.rule]
    assert its.fixed == []


def test_what_is_fixed_is_told_with_the_run_that_showed_it(store: Store) -> None:
    remember(store, CRASH, TYPO, day=0)
    remember(store, TYPO, day=1)
    (fixed,) = found(store, 1).fixed
    assert (fixed.rule, fixed.fixed_at, fixed.fixed_run) == (CRASH.rule, at_day(1), 2)
    assert found(store, 2).fixed == []
    assert [it.rule for it in found(store).new] == [TYPO.rule]


@pytest.mark.parametrize(
    "more",
    [
        {"outcomes": {CRASH.rule: "undecided"}},
        {"outcomes": {CRASH.rule: "skipped"}},
        {"tools": {"find": "not_called"}},
        {"options": {"seed": 7}},
        {"tools": {"other": "fully_working"}},
    ],
    ids=["undecided", "left out", "not called", "other calls", "not listed"],
)
def test_what_a_run_did_not_look_for_is_not_fixed(more: dict[str, Any], store: Store) -> None:
    remember(store, CRASH, day=0)
    remember(store, day=1, **more)
    its = found(store)
    assert its.fixed == []
    assert [it.rule for it in its.oldest] == [CRASH.rule]


def test_an_incomplete_run_fixes_nothing(store: Store) -> None:
    remember(store, CRASH, day=0)
    cut = a_report(day=1)
    record(store, a_run(replace(cut, summary=replace(cut.summary, outcome="incomplete"))))
    assert found(store).fixed == []


def test_repeats_of_a_finding_are_one_with_the_gravest_severity(store: Store) -> None:
    mild = replace(CRASH, severity="warning", count=4)
    remember(store, mild, CRASH)
    (its,) = found(store).new
    assert its.severity == "error"


def test_more_findings_than_fit_one_query_are_stored(store: Store) -> None:
    many = [finding(key=number) for number in range(1200)]
    remember(store, *many, day=0)
    remember(store, *many[:700], day=1)
    with store.reading() as connection:
        its = findings_since(connection, at_day(0), most=5000)
    assert (len(its.new), len(its.fixed)) == (700, 500)


def test_a_tool_is_followed_over_its_runs(store: Store) -> None:
    remember(store, day=0, tools={"find": "fully_working"})
    broken = a_report(day=1, tools={"find": "broken"})
    info = {"name": "notes", "version": "2.0"}
    times = [
        TimedMessage(at=n, direction="s2c", what="answer to tools/call find", id=n, bytes=1,
                     milliseconds=float(n))
        for n in range(1, 101)
    ]  # fmt: skip
    broken = replace(
        broken,
        subject=replace(broken.subject, server_info=info),
        timing=replace(broken.timing, messages=times),
    )
    record(store, a_run(broken))
    with store.reading() as connection:
        its = tool_history(connection, 1, "find")
        assert tool_history(connection, 1, "nonsense") is None
    assert its is not None
    (change,) = its.changes
    assert (change.before, change.now, change.run) == ("fully_working", "broken", 2)
    assert change.also == ["version plain words → 2.0"] or "2.0" in change.also[0]
    assert (its.runs[0].median_ms, its.runs[0].p95_ms) == (50.5, 95.0)


def test_a_run_that_calls_nothing_changes_no_verdict(store: Store) -> None:
    for day, (seed, status) in enumerate(((0, "broken"), (None, "not_called"), (0, "broken"))):
        its = a_report(day=day, tools={"find": status})
        record(store, a_run(replace(its, seed=seed)))
    with store.reading() as connection:
        known = tool_history(connection, 1, "find")
    assert known is not None
    assert (len(known.runs), known.changes) == (3, [])


def test_tools_are_stored_once_for_each_run(store: Store) -> None:
    for day in range(3):
        remember(store, day=day, tools={"a": "fully_working", "b": "broken"})
    with store.reading() as connection:
        assert connection.execute(select(func.count()).select_from(TOOL_RUN)).scalar() == 6
        shown = server_history(connection, 1)
    assert {tool.name: tool.statuses for tool in shown.tools} == {
        "a": ["fully_working"] * 3,
        "b": ["broken"] * 3,
    }


def test_a_run_that_cannot_be_stored_whole_is_not_stored_at_all(
    opened: Callable[..., Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    store = opened()
    run = a_run(a_report(CRASH))
    monkeypatch.setattr("mcp_assay.history.recorder.take_findings", _fail)
    with pytest.raises(RuntimeError):
        record(store, run)
    with store.reading() as connection:
        for table in METADATA.sorted_tables:
            if table.name != "assay_store":
                assert connection.execute(select(func.count()).select_from(table)).scalar() == 0


def _fail(*_: object) -> None:
    raise RuntimeError


def test_the_identity_of_a_server_is_what_its_runs_share(store: Store) -> None:
    assert remember(store).server_id == remember(store).server_id
    assert remember(store, identity=named("other")).server_id != remember(store).server_id
    assert NOTES.key == "name:notes"


def test_a_server_may_be_called_by_a_very_long_command(store: Store) -> None:
    words = ["python", "-c", token_hex(20_000)]
    its = identity_of(ReportSubject(kind="server", command=words))
    other = identity_of(ReportSubject(kind="server", command=[*words, "x"]))
    assert remember(store, identity=its).server_id == remember(store, identity=its).server_id
    assert remember(store, identity=other).server_id == 2
