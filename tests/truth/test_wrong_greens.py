"""A tool that never worked is not called working, and one that did is."""

from __future__ import annotations

import json
from typing import Any

import pytest
from msgspec.structs import replace

from mcp_assay.judge.information import carries_information
from mcp_assay.judge.status import judge_call, judge_tool
from mcp_assay.model.call import Call, CallResult, ToolRun
from mcp_assay.model.effect import Effects, FileChange, ProgramRun
from mcp_assay.model.scenario import REAL, Scenario
from mcp_assay.model.verdict import (
    Category,
    Evidence,
    JudgedCall,
    ScenarioVerdict,
    ToolVerdict,
    ValidationContext,
)
from mcp_assay.responses import ResponseValidator

DELETE = "Deletes a note."


def tool(name: str, description: str) -> dict[str, Any]:
    schema = {
        "type": "object",
        "properties": {"item": {"type": "string"}},
        "required": ["item"],
    }
    return {"name": name, "description": description, "inputSchema": schema}


def verdict_on(
    definition: dict[str, Any], answers: list[Any], effects: Effects | None = None
) -> ToolVerdict:
    """The verdict on a tool that gave these answers to as many different questions."""
    calls, judged = [], []
    for number, answer in enumerate(answers, 1):
        text = answer if isinstance(answer, str) else json.dumps(answer)
        response = {"content": [{"type": "text", "text": text}]}
        sent = {"item": f"item-{number}"}
        result = ResponseValidator.validate_response(ValidationContext(definition, sent, response))
        judged.append(JudgedCall(valid_arguments=True, result=result))
        scenario = Scenario(
            tool=definition["name"], name="x", category="happy_path", arguments=sent, valid=True
        )
        answered = CallResult(result=response)
        verdict = judge_call(judged[-1])
        calls.append(
            Call(
                number=number,
                scenario=scenario,
                answer=answered,
                result=result,
                verdict=verdict,
                effects=effects,
            )
        )
    informs = carries_information(ToolRun(tool=definition, calls=tuple(calls)))
    return judge_tool(judged, evidence=Evidence(has_information=informs))


NEVER = [
    ("get_report", "Gets a report.", ["Report item-1 does not exist."]),
    ("get_report", "Gets a report.", [{"report": None, "error": "No report is loaded"}]),
    ("get_report", "Gets a report.", [{"results": [], "error": "index is missing"}]),
    ("get_report", "Gets a report.", [{"status": "error", "content": "No such report: item-1"}]),
    ("make_pdf", "Makes a PDF.", ["Failed to convert item-1: 'libreoffice' not found"]),
    ("make_index", "Makes an index.", ["Error creating index item-1: Connection refused"]),
    ("shell", "Runs a program.", ["starting\nProgram ended, exit code 3"]),
    ("shell", "Runs a program.", [{"stdout": "", "stderr": "no such program", "exitCode": 127}]),
    ("open_note", "Opens a note.", ["# Note Not Found\n\nNo note item-1."]),
    ("drop_table", "Drops a table.", ["Safety confirmation required"]),
    ("get_price", "Gets a price.", ["Not supported yet: prices"]),
    ("get_price", "Gets a price.", ["The price is 4"] * 4),
    ("get_price", "Gets a price.", [{"price": 7, "currency": "EUR"}] * 3),
    ("get_price", "Gets a price.", ["ok", "ok", "ok"]),
]
WORKS = [
    ("get_report", "Gets a report.", ["Report one: errors fell by 3 %.", "Report two: all well."]),
    ("get_price", "Gets a price.", ["4 EUR", "7 EUR", "9 EUR"]),
    ("get_price", "Gets a price.", ["4 EUR"]),
    ("get_price", "Gets a price.", ["4 EUR", "4 EUR", "5 EUR"]),
    ("delete_note", DELETE, ["Deleted.", "Deleted.", "Deleted."]),
    ("validate_name", "Validates a name.", [{"valid": True}] * 4),
    ("find_note", "Finds notes.", ["No notes found.", "1. Tea with error bars", "2. Coffee"]),
    ("shell", "Runs a program.", [{"stdout": "a", "exitCode": 0}, {"stdout": "b", "exitCode": 0}]),
    ("read_log", "Reads a log.", ["Error: disk full", "Error: no route", "Error: no paper"]),
]


@pytest.mark.parametrize(("name", "description", "answers"), NEVER)
def test_a_tool_that_never_worked_is_unproven(
    name: str, description: str, answers: list[Any]
) -> None:
    found = verdict_on(tool(name, description), answers)
    assert found.status in ("unproven", "connectivity_only", "broken")


@pytest.mark.parametrize(("name", "description", "answers"), WORKS)
def test_a_tool_that_works_is_working(name: str, description: str, answers: list[Any]) -> None:
    assert verdict_on(tool(name, description), answers).status == "fully_working"


def test_few_calls_make_no_one_sure() -> None:
    definition = tool("get_price", "Gets a price.")
    sureness = [
        verdict_on(definition, [f"{price} EUR" for price in range(1, number + 1)]).confidence
        for number in (1, 3, 8)
    ]
    assert sureness == [70.0, 90.0, 100.0]


def wrote(path: str, *, bookkeeping: bool = False, temporary: bool = False) -> Effects:
    change = FileChange(path=path, what="created", bookkeeping=bookkeeping, temporary=temporary)
    return Effects(files=[change])


@pytest.mark.parametrize(
    ("name", "effects", "status"),
    [
        ("save_note", wrote("notes/a.txt"), "fully_working"),
        ("remove_note", Effects(files=[FileChange(path="a", what="deleted")]), "fully_working"),
        ("set_mode", Effects(files=[FileChange(path="a", what="permissions")]), "fully_working"),
        ("save_note", wrote(".cache/index", bookkeeping=True), "unproven"),
        ("save_note", wrote("/tmp/{random}", temporary=True), "unproven"),
        ("save_note", Effects(programs=[ProgramRun(argv=["true"])]), "unproven"),
        ("save_note", Effects(), "unproven"),
        ("save_note", None, "unproven"),
        ("get_note", wrote("notes/a.txt"), "unproven"),
    ],
)
def test_what_a_tool_did_confirms_an_answer_that_says_nothing(
    name: str, effects: Effects | None, status: str
) -> None:
    found = verdict_on(tool(name, "Does it."), ["ok", "ok", "ok"], effects)
    assert found.status == status


def test_what_only_odd_calls_get_proves_nothing() -> None:
    definition = tool("run_report", "Runs a report.")
    made: list[tuple[Category, str, bool]] = [
        ("happy_path", "Error: connection refused", False),
        ("edge_case", "Only plain names are taken here", True),
        ("edge_case", "Such names are not for us", True),
    ]
    calls = [
        Call(
            number=number,
            scenario=Scenario(
                tool="run_report", name="x", category=category, arguments={}, valid=True
            ),
            answer=CallResult(result={"content": [{"type": "text", "text": text}]}),
            result=None,
            verdict=ScenarioVerdict("passed" if succeeded else "failed", succeeded=succeeded),
        )
        for number, (category, text, succeeded) in enumerate(made)
    ]
    assert not carries_information(ToolRun(tool=definition, calls=tuple(calls)))
    assert carries_information(ToolRun(tool=definition, calls=tuple(calls[1:])))
    shown = replace(calls[1].scenario, name=f"{REAL} 1")
    real = [calls[0], replace(calls[1], scenario=shown), calls[2]]
    assert carries_information(ToolRun(tool=definition, calls=tuple(real))), "it was asked for"
