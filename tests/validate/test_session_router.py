"""Each line of a trace goes to its session, also where only other lines name it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from msgspec.structs import replace

from mcp_assay.model.entry import Entry
from mcp_assay.model.finding import Where
from mcp_assay.validate import session_router as module
from mcp_assay.validate.session_router import SessionRouter
from mcp_assay.validate.trace import read_trace_line

INITIALIZE = {"jsonrpc": "2.0", "id": 0, "method": "initialize"}
ANSWER = {"jsonrpc": "2.0", "id": 0, "result": {}}
NAMED = {"response_headers": {"Mcp-Session-Id": "s"}}


def entry(number: int, dir: str, message: Any = ANSWER, **members: Any) -> Entry:
    line = {"dir": dir, "exchange": 1, "message": message, **members}
    text = json.dumps(line).encode()
    read = read_trace_line(text, number, Where(file="f", line=number))
    assert read is not None
    return replace(read, source=b"")


def ready(exchanges: SessionRouter, *lines: Entry) -> list[tuple[int, str | None]]:
    """The numbers of the lines in the order in which they may be judged, and their sessions."""
    judged = [one for line in lines for one in exchanges.ready(line)]
    return [(one.number, one.session[0] if one.session else None) for one in judged]


def test_the_opening_waits_for_the_answer_that_names_the_session() -> None:
    lines = entry(1, "c2s", INITIALIZE), entry(2, "s2c", http=NAMED)
    assert ready(SessionRouter(), *lines) == [(1, "http"), (2, "http")]


def test_later_lines_of_the_exchange_belong_to_the_session_too() -> None:
    lines = entry(1, "c2s", INITIALIZE), entry(2, "s2c", http=NAMED), entry(3, "s2c")
    assert ready(SessionRouter(), *lines)[-1] == (3, "http")


def test_an_answer_that_names_no_session_ends_the_waiting() -> None:
    lines = entry(1, "c2s", INITIALIZE, conn=4), entry(2, "s2c", conn=4)
    assert ready(SessionRouter(), *lines) == [(1, "conn"), (2, "conn")]


def test_nothing_else_waits() -> None:
    router = SessionRouter()
    assert ready(router, entry(1, "c2s", {"method": "ping"})) == [(1, "file")]
    assert ready(router, entry(2, "c2s", INITIALIZE, session="s")) == [(2, "session")]
    assert ready(router, entry(3, "c2s", INITIALIZE, exchange=None)) == [(3, "file")]


def test_without_exchanges_the_answer_is_known_by_its_id() -> None:
    lines = (
        entry(1, "c2s", INITIALIZE, exchange=None, http={"method": "POST"}),
        entry(2, "s2c", http=NAMED, exchange=None),
    )
    assert ready(SessionRouter(), *lines) == [(1, "http"), (2, "http")]


def test_nothing_without_a_session_overtakes_an_initialize() -> None:
    lines = (
        entry(1, "c2s", INITIALIZE),
        entry(2, "c2s", {"id": 5, "method": "ping"}, exchange=2),
        entry(3, "s2c", http=NAMED),
    )
    assert ready(SessionRouter(), *lines) == [(1, "http"), (3, "http"), (2, "http")]


def test_what_never_gets_an_answer_is_judged_at_the_end() -> None:
    router = SessionRouter()
    assert ready(router, entry(1, "c2s", INITIALIZE)) == []
    assert [one.number for one in router.rest()] == [1]
    assert router.rest() == []


def test_only_so_many_lines_wait() -> None:
    router = SessionRouter()
    many = [entry(n, "c2s", INITIALIZE, exchange=n) for n in range(module.MOST_HELD + 1)]
    assert len(ready(router, *many)) == len(many)
    assert router.rest() == []


def test_only_so_many_bytes_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_BYTES", 250)
    router = SessionRouter()
    for number in range(3):
        line = entry(number, "c2s", INITIALIZE, exchange=number)
        released = router.ready(replace(line, source=b"x" * 100))
    assert [one.number for one in released] == [0, 1, 2]
    assert router.rest() == []


def test_only_so_much_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    for limit in ("MOST_WAITING", "MOST_EXCHANGES", "MOST_KEYS"):
        monkeypatch.setattr(module, limit, 2)
    router = SessionRouter()
    for number in range(5):
        asked = {"id": number, "method": "ping"}
        named = {"request_headers": {"Mcp-Session-Id": f"s{number}"}}
        ready(router, entry(number, "c2s", asked, exchange=number, http=named))
    untold = entry(9, "s2c", {"id": 0, "result": {}}, exchange=None)
    assert ready(router, untold) == [(9, "exchanges")]
