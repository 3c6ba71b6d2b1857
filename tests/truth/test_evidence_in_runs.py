"""What an assessment says passed was looked at, and what shows only at times is seen."""

from __future__ import annotations

import asyncio
import os
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from mcp_assay.assess import Assessment, AssessOptions
from mcp_assay.client.target import Command, allowed
from mcp_assay.model.report import Report

SERVERS = Path(__file__).parent / "odd_servers.py"


@cache
def assessed(name: str, **options: Any) -> Report:
    """The report on one of these servers."""
    command = (sys.executable, str(SERVERS), name)
    target = Command(command=command, environment=allowed(os.environ, {}))
    run = Assessment(target, AssessOptions(max_calls=12, max_time=300.0, **options))
    asyncio.run(run.run())
    return run.report()


def outcome(report: Report, rule: str) -> str:
    (check,) = [check for check in report.checks if check.rule == rule]
    return check.outcome


@pytest.mark.parametrize(
    ("server", "revision", "rule", "expected"),
    [
        ("in-turns", "2026-07-28", "TOOL-031", "failed"),
        ("in-turns", "2025-11-25", "DRIFT-010", "warned"),
        ("steady", "2026-07-28", "TOOL-031", "passed"),
        ("steady", "2025-11-25", "DRIFT-010", "passed"),
        ("connected", "2026-07-28", "VER-014", "failed"),
        ("steady", "2026-07-28", "VER-014", "passed"),
        ("validating", "2025-11-25", "TVAL-003", "warned"),
        ("validating", "2025-11-25", "TVAL-002", "passed"),
        ("steady", "2025-11-25", "DRIFT-008", "undecided"),
        ("steady", "2025-11-25", "DRIFT-009", "not_declared"),
    ],
)
def test_a_rule_comes_to_what_was_seen(
    server: str, revision: str, rule: str, expected: str
) -> None:
    assert outcome(assessed(server, revision=revision), rule) == expected


def test_hints_are_confirmed_where_something_reacts() -> None:
    report = assessed("notes", revision="2025-11-25", allow=("add_note",))
    confirmed = {"readOnlyHint": "held"}
    assert {tool.name: tool.hints for tool in report.tools} == {
        "list_notes": confirmed,
        "count_notes": confirmed,
        "find_note": confirmed,
        "add_note": {},
    }
    assert outcome(report, "DRIFT-008") == "passed"
    alone = assessed("notes", revision="2025-11-25")
    assert not any(tool.hints for tool in alone.tools)
    assert outcome(alone, "DRIFT-008") == "undecided"


def test_a_tool_that_fails_at_times_is_seen_to() -> None:
    (tool,) = assessed("flaky", revision="2025-11-25").tools
    assert tool.status == "partially_working"
    assert tool.failed
    assert tool.confidence is not None
    assert tool.confidence < 100


def test_the_tool_that_validates_is_asked_about_tools_that_exist() -> None:
    tools = {tool.name: tool for tool in assessed("validating", revision="2025-11-25").tools}
    assert tools["validate"].succeeded
    assert tools["validate"].status != "unproven"
