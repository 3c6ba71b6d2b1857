"""A live run: entries come one by one, findings are given back at once and counted."""

from __future__ import annotations

import json
from typing import Any

from msgspec.structs import replace

from mcp_assay.model.entry import Direction, Entry
from mcp_assay.model.finding import Finding, Where
from mcp_assay.validate import Options, Run
from mcp_assay.validate.trace import http_session

NULL_ID = {"jsonrpc": "2.0", "id": None, "method": "ping"}
ASKED = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
INITIALIZE = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {}}


def entry(message: Any, direction: Direction = "c2s", **members: Any) -> Entry:
    text = json.dumps(message).encode()
    return Entry(text=text, direction=direction, member=b"message", **members)


def rules(findings: list[Finding]) -> set[str]:
    return {finding.rule for finding in findings}


def hear(run: Run, line: int, one: Entry) -> list[Finding]:
    return run.reader.judge_live(replace(one, where=Where(file="wire", line=line)))


def test_findings_are_given_back_at_once_and_counted() -> None:
    run = Run(Options(select=("JSONRPC-005",)))
    assert hear(run, 1, entry(ASKED)) == []
    (found,) = hear(run, 2, entry(NULL_ID, session=("conn", "3")))
    assert (found.rule, found.where.file, found.where.line) == ("JSONRPC-005", "wire", 2)
    assert run.report().findings == [found]
    assert run.report().subject.kind == "trace"


def test_every_finding_has_its_place_also_when_there_are_too_many_to_keep() -> None:
    run = Run(Options(select=("JSONRPC-005",), max_findings=1))
    lines = [hear(run, line, entry(NULL_ID))[0].where.line for line in (1, 2, 3)]
    assert lines == [1, 2, 3]
    assert len(run.report().findings) == 1


def test_the_end_says_what_was_never_answered() -> None:
    run = Run(Options())
    hear(run, 7, entry(ASKED, session=("conn", "3")))
    (found,) = [one for one in run.close() if one.rule == "JSONRPC-026"]
    assert (found.where.line, found.where.session) == (7, "3")
    assert found in run.report().findings
    assert run.close() == []


def test_an_opening_over_http_is_judged_with_the_answer_that_names_its_session() -> None:
    run = Run(Options())
    headers = {"response_headers": {"mcp-session-id": "x"}}
    assert hear(run, 1, entry(INITIALIZE, exchange=1)) == []
    answer = entry(
        {"jsonrpc": "2.0", "id": 0, "result": {}},
        "s2c",
        exchange=1,
        session=http_session(headers),
        http=headers,
    )
    found = hear(run, 2, answer)
    assert {one.where.line for one in found} == {1, 2}
    assert [session.messages for session in run.report().sessions] == [2]


def test_lines_without_a_message_are_received() -> None:
    run = Run(Options())
    closing = Entry(direction="s2c", session=("conn", "1"), end=True, transport="stdio")
    assert rules(hear(run, 1, closing)) == set()
    assert run.messages == 0
