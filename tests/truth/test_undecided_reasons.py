"""The reason of "undecided" says what was missing in this run, never what was there."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import pytest

from mcp_assay.findings.checks import ABSENT, NOT_HTTP, NOT_STDIO, NOTHING
from mcp_assay.model.report import Report
from mcp_assay.spec.catalogue import CATALOGUE
from mcp_assay.validate import Options, validate
from tests.truth.recorded import Line, asked, check, judged, opened, page, tool

LISTED: Final = [*opened(), *page(1, "tools", [tool()])]
PLAIN: Final = [*opened(), *asked(1, "ping")]


def over_stdio(lines: Sequence[Line]) -> list[Line]:
    return [{**line, "transport": "stdio"} for line in lines]


def exact(lines: Sequence[Line]) -> list[Line]:
    return [
        {"dir": line["dir"], "transport": "stdio", "raw": json.dumps(line["message"])}
        for line in lines
    ]


def over_http(lines: Sequence[Line], *, headers: bool = True) -> list[Line]:
    """Each request and its answer as one exchange of a session."""
    sent = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
    came = {"content-type": "application/json"}
    heads = {"request_headers": sent, "response_headers": came} if headers else {}
    told = []
    for number, line in enumerate(lines):
        is_accepted = "id" not in line["message"]
        http = {"method": "POST", "path": "/mcp", "status": 202 if is_accepted else 200, **heads}
        told.append({**line, "session": "s", "transport": "http", "exchange": number, "http": http})
    return told


RECORDED: Final[dict[str, list[Line]]] = {
    "a session": PLAIN,
    "a list": LISTED,
    "stdio": over_stdio(LISTED),
    "exact bytes": exact(LISTED),
    "HTTP": over_http(LISTED),
    "HTTP without headers": over_http(LISTED, headers=False),
    "HTTP without a list": over_http(PLAIN),
}
THERE: Final[dict[str, set[str]]] = {
    "a session": {"session"},
    "a list": {"session", "definitions"},
    "stdio": {"session", "definitions"},
    "exact bytes": {"session", "definitions", "exact bytes"},
    "HTTP": {"session", "definitions", "http", "headers"},
    "HTTP without headers": {"session", "definitions", "http"},
    "HTTP without a list": {"session", "http", "headers"},
}


@pytest.mark.parametrize(
    ("kind", "rule", "reason"),
    [
        ("stdio", "HTTP-002", NOT_HTTP),
        ("stdio", "AUTH-004", NOT_HTTP),
        ("exact bytes", "HTTP-023", NOT_HTTP),
        ("a session", "HTTP-002", ABSENT["http"]),
        ("HTTP without headers", "HTTP-029", None),
        ("HTTP without headers", "HTTP-027", ABSENT["headers"]),
        ("HTTP", "HTTP-014", NOTHING),
        ("HTTP", "STDIO-001", NOT_STDIO),
        ("stdio", "STDIO-001", ABSENT["exact bytes"]),
        ("a session", "TOOL-003", ABSENT["definitions"]),
        ("HTTP without a list", "TOOL-004", ABSENT["definitions"]),
        ("a list", "RES-002", NOTHING),
        ("a list", "PROMPT-001", NOTHING),
        ("a list", "CANC-001", NOTHING),
        ("a session", "DRIFT-010", NOTHING),
        ("a list", "JSONRPC-033", "needs a request that assess sends"),
    ],
)
def test_the_reason_names_what_was_missing(
    tmp_path: Path, kind: str, rule: str, reason: str | None
) -> None:
    report = judged(tmp_path, RECORDED[kind])
    if reason is None:
        assert not [row for row in report.checks if row.rule == rule]
    else:
        row = check(report, rule)
        assert (row.outcome, row.reason) == ("undecided", reason)


@pytest.mark.parametrize(
    ("kind", "rule"),
    [
        ("a session", "SCHEMA-002"),
        ("a session", "SCHEMA-004"),
        ("a list", "TOOL-001"),
        ("a list", "TOOL-004"),
        ("a list", "LINT-102"),
        ("exact bytes", "STDIO-001"),
        ("HTTP", "HTTP-004"),
    ],
)
def test_what_was_really_there_is_decided(tmp_path: Path, kind: str, rule: str) -> None:
    assert check(judged(tmp_path, RECORDED[kind]), rule).outcome == "passed"


def reasons(report: Report) -> set[str]:
    return {row.reason or "" for row in report.checks if row.outcome == "undecided"}


@pytest.mark.parametrize("kind", RECORDED)
def test_nothing_is_called_missing_that_was_there(tmp_path: Path, kind: str) -> None:
    given = reasons(judged(tmp_path, RECORDED[kind]))
    claimed = {name for name, reason in ABSENT.items() if reason in given}
    assert claimed.isdisjoint(THERE[kind])
    needed = [reason for reason in given if reason.startswith(("needs the ", "needs every "))]
    assert not [reason for reason in needed if "assess" not in reason]
    assert NOT_HTTP not in given or "http" not in THERE[kind]


@pytest.mark.parametrize("kind", ["a list", "exact bytes", "HTTP"])
def test_without_its_evidence_no_rule_passes(tmp_path: Path, kind: str) -> None:
    """What passes only because of something is open without it."""
    with_all = {
        row.rule for row in judged(tmp_path, RECORDED[kind]).checks if row.outcome == "passed"
    }
    messages = [line["message"] for line in LISTED]
    bare = [it for it in messages if "tools" not in it.get("result", {})]
    path = tmp_path / "messages.jsonl"
    path.write_text("".join(json.dumps(message) + "\n" for message in bare), "utf-8")
    report = validate([str(path)], Options())
    alone = {row.rule for row in report.checks if row.outcome == "passed"}
    for rule in with_all - alone:
        assert check(report, rule).outcome == "undecided"
        assert check(report, rule).reason
    needing = {"http", "stdio-bytes", "definitions"}
    assert not {rule for rule in alone if needing.issuperset(CATALOGUE[rule].observable)}


def test_messages_without_a_session_say_so(tmp_path: Path) -> None:
    message: dict[str, Any] = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    path = tmp_path / "one.json"
    path.write_text(json.dumps(message), "utf-8")
    report = validate([str(path)], Options())
    assert check(report, "JSONRPC-021").reason == ABSENT["session"]
    assert check(report, "TOOL-001").reason == ABSENT["definitions"]
    assert check(report, "SCHEMA-004").reason == "one message does not show who sent the message"
    report = validate([str(path)], Options(direction="c2s"))
    assert check(report, "SCHEMA-004").outcome == "passed"
