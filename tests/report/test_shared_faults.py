"""A fault that several tools share is one finding for people."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from mcp_assay.model.finding import Finding
from mcp_assay.report.shared_faults import folded
from mcp_assay.rules.behaviour.causes import FRAMEWORKS, with_causes
from mcp_assay.rules.behaviour.rule import called, judge_tool_run, tool_run_of
from mcp_assay.rules.definition.linter import Linter
from mcp_assay.rules.definition.surface import Surface
from mcp_assay.spec.revisions import DEFAULT_REVISION

DONE = {"content": [{"type": "text", "text": "done"}]}
WRONG_TYPE = called({"id": "1"}, name="wrong type", valid=False, pointer="/id", trouble="accepted",
                    result=DONE)  # fmt: skip


def findings(tool: str, *calls: dict[str, Any]) -> list[Finding]:
    tool_run = tool_run_of({"tool": {"name": tool}, "calls": list(calls)})
    found = judge_tool_run(tool_run, DEFAULT_REVISION)
    return [one for one in found if one.rule == "DRIFT-003"]


def test_a_fault_of_one_tool_stays_as_it_is() -> None:
    found = findings("find", WRONG_TYPE)
    assert list(folded(found)) == found


def test_the_habit_of_a_framework_is_said_once() -> None:
    found = [one for name in "ab" for one in findings(name, WRONG_TYPE)]
    (shown,) = folded(list(with_causes(found, FRAMEWORKS[0])))
    assert shown.message.count("FastMCP converts") == 1
    assert shown.fix == "Create the server with FastMCP(name, strict_input_validation=True)."


def test_the_same_fault_of_several_tools_is_one_finding() -> None:
    names = [f"tool{number}" for number in range(7)]
    (reported,) = folded([one for name in names for one in findings(name, WRONG_TYPE)])
    assert reported.message.startswith("7 tools accept values of the wrong type:")
    assert reported.message.endswith('"tool4" and 2 more.')
    assert reported.details is not None
    assert (reported.details["tools"], reported.count, reported.where.tool) == (names, 7, None)
    assert [where.tool for where in reported.examples] == names[:3]


def test_what_repeats_a_fault_of_each_tool_is_kept_with_it() -> None:
    known = {"repeat": "mcp-assay …", "smallest": {"id": "1"}, "raw": "{}"}
    first, second, third = (findings(name, WRONG_TYPE)[0] for name in "abc")
    same = [replace(first, details=known), second, replace(third, details={"repeat": "again"})]
    (reported,) = folded(same)
    assert reported.details is not None
    assert reported.details["repeats"] == [
        {"tool": "a", "smallest": {"id": "1"}, "repeat": "mcp-assay …"},
        {"tool": "c", "repeat": "again"},
    ]


def test_null_as_the_default_of_many_arguments_is_one_finding_and_other_defaults_are_not() -> None:
    def taking(name: str, *defaults: Any) -> dict[str, Any]:
        members = {
            f"a{number}": {"type": "string", "default": default, "description": "A text"}
            for number, default in enumerate(defaults)
        }
        schema = {"type": "object", "properties": members}
        return {"name": name, "description": name, "inputSchema": schema}

    def reported(*tools: dict[str, Any]) -> list[Finding]:
        found = Linter().findings(Surface(tools=list(tools)))
        return list(folded([one for one in found if one.rule == "TOOL-015"]))

    nulls, other = reported(taking("list_books", None, None), taking("list_loans", None, 7))
    assert nulls.message.startswith("2 tools have arguments that default to null but do not")
    assert (nulls.count, nulls.pointer) == (3, "")
    assert nulls.details is not None
    assert nulls.details["tools"] == ["list_books", "list_loans"]
    assert (other.where.tool, other.count) == ("list_loans", 1)
    assert len(reported(taking("list_books", None, None))) == 2


def test_what_the_definitions_of_several_tools_lack_is_one_finding() -> None:
    tools = [{"name": name, "description": name, "inputSchema": {"type": "object"}}
             for name in ("list_books", "list_loans")]  # fmt: skip
    found = [one for one in Linter().findings(Surface(tools=tools)) if one.rule == "TOOL-019"]
    (reported,) = folded(found)
    assert reported.message.startswith("2 tools take no arguments but do not set")
    assert (len(found), reported.count, reported.pointer, reported.cause) == (2, 2, "", "TOOL-019")


def test_the_fingerprint_does_not_depend_on_which_tools_show_a_fault() -> None:
    (few,) = folded([*findings("a", WRONG_TYPE), *findings("b", WRONG_TYPE)])
    (more,) = folded([f for n in "xyz" for f in findings(n, WRONG_TYPE)])
    (alone,) = findings("a", WRONG_TYPE)
    assert few.fingerprint == more.fingerprint != alone.fingerprint
