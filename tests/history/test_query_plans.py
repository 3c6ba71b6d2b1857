"""No question reads the whole store: every table that grows with runs is reached by an index."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import Connection, event, text

from mcp_assay.history import questions
from mcp_assay.history.corrections import approve
from mcp_assay.history.identity import named
from mcp_assay.history.location import located
from mcp_assay.history.names import run_named, server_named
from mcp_assay.history.recorder import record
from mcp_assay.history.server_list import ORDERS, ServerFilter, listed_servers
from mcp_assay.history.store import Store
from mcp_assay.history.timelines import TimelineView, server_timeline, tool_timeline
from tests.drift.small_reports import finding
from tests.history.conftest import DATABASES
from tests.history.runs import a_report, a_run, at_day

SERVERS = 10
RUNS = 100
GROWING = ("assay_run", "assay_report", "assay_tool_run", "assay_finding", "assay_finding_run")
SCANNED = re.compile(r"(?:SCAN|Seq Scan on) (assay_\w+)(.*)")


@pytest.fixture(scope="module", params=DATABASES)  # it takes long, and the tests mostly read
def filled(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Store]:
    """Ten servers with a hundred runs each: a hundredth of what the bench looks at."""
    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path_factory.mktemp('filled') / 'history.db'}"
    else:
        url = request.getfixturevalue("postgres").new_database()
    store = Store(located(url))
    _fill(store)
    yield store
    store.close()


def _fill(store: Store) -> None:
    for server in range(SERVERS):
        for run in range(RUNS):
            found = [finding(key=key) for key in range(run % 3, 6)]
            tools = {"a": "fully_working", "b": "broken"}
            its = a_report(*found, day=run, tools=tools)
            record(store, a_run(its, named(f"server {server}")))
    with store.writing() as connection:
        connection.execute(text("ANALYZE"))


@contextmanager
def statements(connection: Connection) -> Iterator[list[tuple[str, Any]]]:
    """All that is executed meanwhile."""
    seen: list[tuple[str, Any]] = []

    def note(_: Any, __: Any, statement: str, given: Any, *___: Any) -> None:
        seen.append((statement, given))

    event.listen(connection, "before_cursor_execute", note)
    yield seen
    event.remove(connection, "before_cursor_execute", note)


def scans(connection: Connection, statement: str, given: Any) -> list[str]:
    """The growing tables that a statement reads from end to end."""
    is_sqlite = connection.dialect.name == "sqlite"
    if not is_sqlite:  # small tables are read whole, because that is quicker; large ones are not
        connection.execute(text("SET LOCAL enable_seqscan = off"))
    begun = "EXPLAIN QUERY PLAN" if is_sqlite else "EXPLAIN"
    plan = connection.exec_driver_sql(f"{begun} {statement}", given).all()
    lines = [str(row[-1]) for row in plan]
    found = [match for line in lines if (match := SCANNED.search(line))]
    return [one[0] for one in found if one[1] in GROWING and not _is_bounded(one[2], statement)]


def _is_bounded(rest: str, statement: str) -> bool:
    """Whether an index is walked in its order, and left after the first rows."""
    return "USING" in rest and "INDEX" in rest and "LIMIT" in statement


QUESTIONS: dict[str, Callable[[Connection], object]] = {
    "list": questions.all_servers,
    "show": lambda c: questions.server_history(c, 5),
    "tool": lambda c: questions.tool_history(c, 5, "b"),
    "findings": lambda c: questions.findings_since(c, at_day(90)),
    "findings of one": lambda c: questions.findings_since(c, at_day(90), 5),
    "run by number": lambda c: run_named(c, "77"),
    "run by date": lambda c: run_named(c, "server 3@2026-02-01"),
    "server": lambda c: server_named(c, "server 3"),
    "page of servers": lambda c: listed_servers(c, ServerFilter(outcome="fail")),
    "approval": lambda c: questions.current_approval(c, 5),
    "server over time": lambda c: server_timeline(c, 5, TimelineView()),
    "server over time, earlier": lambda c: server_timeline(c, 5, TimelineView(until=430)),
    "tool over time": lambda c: tool_timeline(c, 5, TimelineView()),
}


def test_no_question_scans_what_grows(filled: Store) -> None:
    found: dict[str, list[str]] = {}
    for name, ask in QUESTIONS.items():
        with filled.reading() as connection:
            with statements(connection) as seen:
                ask(connection)
            assert seen, name
            asked = [(statement, given) for statement, given in seen if "assay_" in statement]
            found[name] = [scan for one in asked for scan in scans(connection, *one)]
    assert {name: scanned for name, scanned in found.items() if scanned} == {}


@pytest.mark.parametrize("order", ORDERS)
def test_a_page_of_servers_is_read_in_the_order_of_an_index(filled: Store, order: Any) -> None:
    with filled.reading() as connection:
        with statements(connection) as seen:
            listed_servers(connection, ServerFilter(order=order))
        statement, given = seen[-1]
        if connection.dialect.name != "sqlite":
            connection.execute(text("SET LOCAL enable_seqscan = off"))
            connection.execute(text("SET LOCAL enable_sort = off"))
        begun = "EXPLAIN QUERY PLAN" if connection.dialect.name == "sqlite" else "EXPLAIN"
        plan = connection.exec_driver_sql(f"{begun} {statement}", given).all()
        shown = " ".join(str(row[-1]) for row in plan)
        assert "INDEX" in shown.upper()
        assert "B-TREE" not in shown
        assert "Sort" not in shown


def test_recording_scans_nothing_that_grows(filled: Store) -> None:
    run = a_run(a_report(finding(key=1), day=200), named("server 4"))
    with filled.writing() as connection, statements(connection) as seen:
        approve(connection, 4, run_id=None, who="a", why="b", now=at_day(1))
    record(filled, run)
    with filled.reading() as connection:
        selects = [one for one in seen if one[0].startswith("SELECT")]
        assert [scan for one in selects for scan in scans(connection, *one)] == []


def test_a_scan_would_be_noticed(filled: Store) -> None:
    with filled.reading() as connection:
        assert scans(connection, "SELECT * FROM assay_run WHERE outcome = 'fail'", ())
