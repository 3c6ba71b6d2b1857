"""An initialize over HTTP is judged in the session that its answer names."""

from __future__ import annotations

import json
from typing import Any

import pytest
from msgspec.structs import replace

from mcp_assay.model.entry import Entry
from mcp_assay.model.finding import Where
from mcp_assay.validate import exchanges as module
from mcp_assay.validate.exchanges import ExchangeRouter
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


def ready(exchanges: ExchangeRouter, *lines: Entry) -> list[tuple[int, str | None]]:
    """The numbers of the lines in the order in which they may be judged, and their sessions."""
    judged = [one for line in lines for one in exchanges.ready(line)]
    return [(one.number, one.session[0] if one.session else None) for one in judged]


def test_the_opening_waits_for_the_answer_that_names_the_session() -> None:
    lines = entry(1, "c2s", INITIALIZE), entry(2, "s2c", http=NAMED)
    assert ready(ExchangeRouter(), *lines) == [(1, "http"), (2, "http")]


def test_later_lines_of_the_exchange_belong_to_the_session_too() -> None:
    lines = entry(1, "c2s", INITIALIZE), entry(2, "s2c", http=NAMED), entry(3, "s2c")
    assert ready(ExchangeRouter(), *lines)[-1] == (3, "http")


def test_an_answer_that_names_no_session_ends_the_waiting() -> None:
    lines = entry(1, "c2s", INITIALIZE, conn=4), entry(2, "s2c", conn=4)
    assert ready(ExchangeRouter(), *lines) == [(1, "conn"), (2, "conn")]


def test_nothing_else_waits() -> None:
    exchanges = ExchangeRouter()
    assert ready(exchanges, entry(1, "c2s", {"method": "ping"})) == [(1, None)]
    assert ready(exchanges, entry(2, "c2s", INITIALIZE, session="s")) == [(2, "session")]
    assert ready(exchanges, entry(3, "c2s", INITIALIZE, exchange=None)) == [(3, None)]


def test_what_never_gets_an_answer_is_judged_at_the_end() -> None:
    exchanges = ExchangeRouter()
    assert ready(exchanges, entry(1, "c2s", INITIALIZE)) == []
    assert [one.number for one in exchanges.rest()] == [1]
    assert exchanges.rest() == []


def test_only_so_many_exchanges_and_lines_wait() -> None:
    exchanges = ExchangeRouter()
    many = [entry(n, "c2s", INITIALIZE, exchange=n) for n in range(module.MOST_WAITING + 1)]
    assert ready(exchanges, *many) == [(0, None)]
    assert len(exchanges.rest()) == module.MOST_WAITING
    long = [entry(n, "c2s", INITIALIZE, exchange="x") for n in range(module.MOST_LINES)]
    assert (1, None) in ready(exchanges, *long)


def test_only_so_many_bytes_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_BYTES", 250)
    exchanges = ExchangeRouter()
    for number in range(3):
        line = entry(number, "c2s", INITIALIZE, exchange=number)
        ready = exchanges.ready(replace(line, source=b"x" * 100))
    assert [one.number for one in ready] == [0]
    assert [one.number for one in exchanges.rest()] == [1, 2]
