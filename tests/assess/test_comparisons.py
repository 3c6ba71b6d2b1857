"""What the stages of an assessment say together: each thing once, and as the user expects it."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from mcp_assay.assess import Assessment, AssessOptions
from mcp_assay.client.target import Command, allowed
from mcp_assay.model.report import Report
from mcp_assay.model.tool import Reached
from tests.assess.running import SERVERS


def assessed(name: str, **options: Any) -> Report:
    command = (sys.executable, str(SERVERS), name)
    target = Command(command=command, environment=allowed(os.environ, {}))
    run = Assessment(target, AssessOptions(max_calls=12, **options))
    asyncio.run(run.run())
    return run.report()


def rules(report: Report) -> set[str]:
    return {finding.rule for finding in report.findings}


def outcomes(report: Report) -> dict[str, str]:
    return {check.rule: check.outcome for check in report.checks}


def test_what_a_rule_says_of_a_definition_is_not_said_again_of_the_message() -> None:
    assert {"TOOL-017", "SCHEMA-002"} & rules(assessed("hint-not-boolean")) == {"TOOL-017"}
    selected = assessed("hint-not-boolean", select=("SCHEMA",))
    assert rules(selected) == {"SCHEMA-002"}


@pytest.mark.parametrize(("title", "found"), [("", set()), ("Emma", {"SCEN-003"})])
def test_what_the_user_wants_refused_is_judged_by_that(title: str, found: set[str]) -> None:
    examples = {"find_book": {"invalid": [{"title": title}]}}
    report = assessed("both-eras", examples=examples)
    assert rules(report) & {"SCEN-003"} == found
    (call,) = [call for call in report.calls if call.scenario == "refused example 1"]
    assert call.outcome == ("failed" if found else "passed")


def test_a_rule_is_passed_only_where_calls_could_have_broken_it() -> None:
    reported = outcomes(assessed("both-eras"))
    assert (reported["DRIFT-004"], reported["RESP-008"]) == ("passed", "passed")
    assert not {reported[rule] for rule in ("DRIFT-006", "DRIFT-008", "SCEN-003")} & {"passed"}


def test_a_hint_that_nothing_could_contradict_is_no_pass() -> None:
    report = assessed("five-pages")
    (check,) = [check for check in report.checks if check.rule == "DRIFT-008"]
    assert check.outcome == "undecided"
    assert check.reason == (
        "not shown for 10 of 10 tools with readOnlyHint: "
        "10 had no tool on the same subject that is known to react to any call"
    )
    assert not any(tool.hints for tool in report.tools)


def test_calls_that_were_made_to_compare_are_in_the_report() -> None:
    report = assessed("read-only-tool-changes")
    compared = [call for call in report.calls if call.scenario == "compared with another tool"]
    assert {call.tool for call in compared} == {"list_loans", "find_loan"}
    (finding,) = [finding for finding in report.findings if finding.rule == "DRIFT-008"]
    assert finding.where.tool == "find_loan"


def test_the_coverage_of_a_tool_is_in_the_report() -> None:
    (tool,) = assessed("enum-value-rejected").tools
    genres = tool.coverage.listed_values["/genre"]
    assert genres == Reached(reached=2, of=3, missed=["drama"])
    (nothing,) = assessed("refuses-everything").tools
    assert nothing.coverage.not_reached[0] == "No call succeeded."


NAMELESS_VERSION = '''
from mcp.server import MCPServer
from mcp.types import ToolAnnotations

server = MCPServer("books")
for name in ("find_book", "find_author"):
    @server.tool(name=name, annotations=ToolAnnotations(readOnlyHint=True))
    def find(title: str) -> str:
        """Find it."""
        return f"found {title}"
server.run()
'''


def test_what_every_response_says_of_the_server_is_one_finding_about_no_tool(
    tmp_path: Path,
) -> None:
    file = tmp_path / "server.py"
    file.write_text(NAMELESS_VERSION)
    target = Command(command=(sys.executable, str(file)), environment=allowed(os.environ, {}))
    run = Assessment(target, AssessOptions(max_calls=4))
    asyncio.run(run.run())
    (found,) = [one for one in run.report().findings if one.rule == "LIFE-016"]
    assert found.where.tool is None
    assert found.count > 2
