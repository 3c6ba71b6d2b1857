"""Carriage returns on stdio: white space to everybody who reads JSON, and so a warning at most."""

from __future__ import annotations

import pytest

from mcp_assay.client.observer import Observations
from mcp_assay.model.entry import Delivery, Direction, Entry
from mcp_assay.rules.engine.checker import SessionChecker
from mcp_assay.text.redaction import Redactor

PIPE = Delivery(transport="stdio", exact=True)
PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
LINES: list[tuple[bytes, dict[str, str]]] = [
    (PING + b"\r", {"STDIO-002": "warning"}),
    (PING + b" \r", {"STDIO-002": "warning"}),
    (PING + b"\r\r", {"STDIO-002": "warning"}),
    (b"\r" + PING, {"STDIO-002": "warning"}),
    (PING.replace(b",", b",\r", 1), {"STDIO-002": "warning"}),
    (PING + b"\r\n", {"STDIO-002": "warning"}),
    (PING, {}),
    (PING + b"\n", {}),
    (PING.replace(b"ping", b"ping\\r"), {}),
    (PING + PING, {"STDIO-002": "error"}),
    (PING.replace(b",", b",\n", 1), {"STDIO-002": "error"}),
    (PING.replace(b",", b",\r\n", 1), {"STDIO-002": "error"}),
    (b"\r", {"STDIO-001": "error"}),
    (b"ready\r", {"STDIO-001": "error"}),
]


def of_pipe(line: bytes, direction: Direction) -> dict[str, str]:
    """The rules about pipes that a line breaks, each with its severity."""
    checker = SessionChecker(sessions=True)
    found = checker.check(line, direction, 1, PIPE)
    return {one.rule: one.severity for one in found if one.rule.startswith("STDIO-")}


@pytest.mark.parametrize(("line", "expected"), LINES)
def test_a_line_of_a_server(line: bytes, expected: dict[str, str]) -> None:
    assert of_pipe(line, "s2c") == expected


@pytest.mark.parametrize(("line", "expected"), LINES[:12])
def test_a_line_of_a_client(line: bytes, expected: dict[str, str]) -> None:
    assert of_pipe(line, "c2s") == expected


def test_both_faults_of_a_line_are_told_with_their_own_severity() -> None:
    found = SessionChecker(sessions=True).check(PING + PING + b"\r", "s2c", 1, PIPE)
    severities = sorted(one.severity for one in found if one.rule == "STDIO-002")
    assert severities == ["error", "warning"]


def test_a_live_server_with_such_lines_is_only_warned() -> None:
    observations = Observations(Redactor(), most=100, largest=1 << 20)
    session = observations.begin("x")
    for line in (PING + b"\r", PING.replace(b"1", b"2") + b"\r"):
        session.hear(Entry(direction="s2c", at=0.0, transport="stdio", exact=True, text=line))
    assert {one.severity for one in observations.findings() if one.rule == "STDIO-002"} == {
        "warning"
    }
