"""How grave it is that wrong arguments are accepted, and what else the calls of a tool show."""

from __future__ import annotations

from typing import Any, Final

import pytest
from msgspec.structs import replace

from mcp_assay.assess.tool_calls import unchecked_results
from mcp_assay.judge.coverage import coverage_of
from mcp_assay.model.finding import Finding
from mcp_assay.model.scenario import GapKind
from mcp_assay.rules.behaviour.rule import DONE, called, judge_tool_run, tool_run_of
from mcp_assay.rules.definition.linter import Linter
from mcp_assay.rules.definition.surface import Surface
from mcp_assay.scenario.known_values import Values
from mcp_assay.scenario.plan import plan
from mcp_assay.schema.checker import Schemas
from mcp_assay.spec.revisions import DEFAULT_REVISION
from tests.truth.running import report_on

PLACES: Final = [
    {"pointer": "/id", "types": ["integer"], "required": True},
    {"pointer": "/sort", "types": ["string"], "listed": ["name"]},
    {"pointer": "/deep", "types": ["boolean"]},
    {"pointer": "/tags", "types": ["array"]},
]
MISSING: Final = "required, but missing"
OUTSIDE: Final = "outside the listed values"


def found_in(*calls: dict[str, Any], **more: Any) -> list[Finding]:
    value = {"tool": {"name": "find"}, "calls": list(calls), "places": PLACES, **more}
    return list(judge_tool_run(tool_run_of(value), DEFAULT_REVISION))


def taken(name: str, pointer: str, arguments: dict[str, Any], **more: Any) -> dict[str, Any]:
    ending = {"trouble": "accepted", "result": DONE, **more}
    return called(arguments, name=name, valid=False, pointer=pointer, **ending)


GRADES: Final[list[tuple[str, str, dict[str, Any], str]]] = [
    (MISSING, "/id", {}, "error"),
    (OUTSIDE, "/sort", {"id": 5, "sort": "assay-not-listed"}, "error"),
    ("wrong type", "/id", {"id": {"assay": "object"}}, "error"),
    ("wrong type", "/id", {"id": "assay-wrong-type"}, "error"),
    ("wrong type", "/deep", {"id": 5, "deep": ["assay"]}, "error"),
    ("wrong type", "/sort", {"id": 5, "sort": {"assay": "object"}}, "error"),
    ("wrong type: a number as text", "/id", {"id": "5"}, "warning"),
    ("wrong type: a truth value as text", "/deep", {"id": 5, "deep": "true"}, "warning"),
    ("wrong type: null", "/id", {"id": None}, "warning"),
    ("wrong type", "/tags", {"id": 5, "tags": "tea"}, "warning"),
    ("limit: maximum, just outside", "/id", {"id": 101}, "warning"),
    ("limit: minLength, just outside", "/sort", {"id": 5, "sort": ""}, "warning"),
    ("limit: maxItems, just outside", "/tags", {"id": 5, "tags": ["a", "b"]}, "warning"),
    ("against the pattern", "/sort", {"id": 5, "sort": "~"}, "warning"),
    ("unknown argument", "", {"id": 5, "assay_unknown_argument": "assay"}, "warning"),
]


@pytest.mark.parametrize(("name", "pointer", "arguments", "severity"), GRADES)
def test_each_sort_of_wrong_arguments_has_its_severity(
    name: str, pointer: str, arguments: dict[str, Any], severity: str
) -> None:
    found = found_in(taken(name, pointer, arguments))
    assert [it.severity for it in found if it.rule == "CALL-007"] == [severity]


@pytest.mark.parametrize(("name", "pointer", "arguments", "severity"), GRADES)
def test_a_refusal_is_no_fault(
    name: str, pointer: str, arguments: dict[str, Any], severity: str
) -> None:
    del severity
    refused = called(arguments, name=name, valid=False, pointer=pointer)
    words = {"content": [{"type": "text", "text": "The id is required"}]}
    read_as_one = taken(name, pointer, arguments, result=words)
    assert not [it for it in found_in(refused) if it.rule == "CALL-007"]
    assert not [it for it in found_in(read_as_one) if it.rule == "CALL-007"]


def test_the_gravest_sort_is_told() -> None:
    calls = [taken(name, pointer, given) for name, pointer, given, _ in reversed(GRADES)]
    (finding,) = (it for it in found_in(*calls) if it.rule == "CALL-007")
    assert finding.severity == "error"
    assert "without required arguments" in finding.message


HINTS: Final = [
    ({"readOnlyHint": True, "idempotentHint": False}, ["warning"]),
    ({"readOnlyHint": True, "idempotentHint": True}, ["info"]),
    ({"readOnlyHint": True, "destructiveHint": True}, ["warning"]),
    ({"readOnlyHint": True, "destructiveHint": True, "idempotentHint": False}, ["warning"] * 2),
    ({"readOnlyHint": True, "destructiveHint": True, "idempotentHint": True}, ["warning", "info"]),
    ({"readOnlyHint": True, "destructiveHint": True, "openWorldHint": False}, ["warning"]),
    ({"readOnlyHint": True, "destructiveHint": False}, []),
    ({"readOnlyHint": True, "openWorldHint": True}, []),
    ({"readOnlyHint": True, "idempotentHint": "yes"}, []),
    ({"readOnlyHint": False, "idempotentHint": True}, []),
    ({"readOnlyHint": False, "idempotentHint": False}, []),
    ({"idempotentHint": True}, []),
]


@pytest.mark.parametrize(("hints", "severities"), HINTS)
def test_hints_beside_read_only(hints: dict[str, Any], severities: list[str]) -> None:
    tool = {"name": "find", "description": "Find a book.", "inputSchema": {"type": "object"}}
    found = Linter().findings(Surface(tools=[{**tool, "annotations": hints}]))
    assert [it.severity for it in found if it.rule == "TOOL-018"] == severities


@pytest.mark.parametrize(
    ("seconds", "is_slow"),
    [
        ([4.0] * 3, True),
        ([4.0] * 20, True),
        ([0.1, 4.0, 4.0, 4.0], True),
        ([3.5, 9.0, 3.1], True),
        ([8.0] * 5 + [0.1], True),
        ([3.1] * 4, True),
        ([4.0] * 2, False),
        ([0.1] * 20, False),
        ([2.9] * 5, False),
        ([9.0, 0.1, 0.1], False),
        ([], False),
        ([9.0], False),
    ],
)
def test_a_tool_that_always_takes_long_gets_a_note(seconds: list[float], is_slow: bool) -> None:
    calls = [called({"id": at}, result=DONE, seconds=one) for at, one in enumerate(seconds)]
    found = [it.severity for it in found_in(*calls) if it.rule == "RESP-014"]
    assert found == (["info"] if is_slow else [])


@pytest.mark.parametrize(
    ("name", "maximum", "is_tried"),
    [
        ("number", 5_000, True),
        ("amount", 5_000, True),
        ("length", 5_000, True),
        ("total", 1_000, True),
        ("width", 4_096, True),
        ("limit", 1_000, True),
        ("price", 1_000_000, True),
        ("seconds", 5_000, False),
        ("retries", 1_000, False),
        ("delay_ms", 60_000, False),
        ("depth", 500, False),
        ("limit", 1_000_000, False),
        ("workers", 5_000, False),
    ],
)
def test_the_maximum_is_tried_where_it_is_reasonable(
    name: str, maximum: int, is_tried: bool
) -> None:
    field = {"type": "integer", "minimum": 1, "maximum": maximum}
    schema = {"type": "object", "properties": {name: field}, "required": [name]}
    tool = {"name": "find", "inputSchema": schema}
    made = plan(tool, seed=0, budget=40, values=Values(), schemas=Schemas())
    sent = [one.arguments.get(name) for one in made.scenarios if one.valid]
    assert (maximum in sent) == is_tried
    assert any("overload" in gap.text for gap in made.gaps) != is_tried


@pytest.mark.parametrize(
    ("server", "tried", "rules"),
    [
        ("allows-more", ["size"], {"DRIFT-006", "CALL-007", "DRIFT-002"}),
        ("names-more", ["size"], {"DRIFT-006"}),
        ("names-the-same", [], set[str]()),
    ],
)
def test_values_that_a_refusal_allows_beyond_the_list_are_tried(
    server: str, tried: list[str], rules: set[str]
) -> None:
    report = report_on(server, max_calls=10)
    named = [call for call in report.calls if call.scenario.endswith("allowed by a refusal")]
    assert [call.arguments["sort"] for call in named] == tried
    relevant = {"DRIFT-006", "CALL-007", "DRIFT-002"}
    assert {it.rule for it in report.findings} & relevant == rules
    assert sum(call.scenario != "the same call again" for call in report.calls) <= 10


@pytest.mark.parametrize(
    ("schema", "is_unchecked"),
    [
        ({"type": "object", "properties": {"n": {"type": "nonsense"}}}, True),
        ({"type": "object", "properties": {"n": {"$ref": "#/$defs/none"}}}, True),
        ({"type": "object", "required": "n"}, True),
        ({"type": "object"}, False),
        ({"type": "object", "properties": {"n": {"type": "integer"}}}, False),
        ({"type": "object", "properties": {"n": {"enum": [1, 2]}}, "required": ["n"]}, False),
    ],
)
def test_results_that_no_schema_can_check_are_said_to_be_unchecked(
    schema: dict[str, Any], is_unchecked: bool
) -> None:
    gaps = list(unchecked_results({"name": "find", "outputSchema": schema}))
    assert [gap.kind for gap in gaps] == ([GapKind.UNCHECKED] if is_unchecked else [])
    gaps += unchecked_results({"name": "find"})
    tried = [called({"id": 1}, result=DONE)]
    value = {"tool": {"name": "find"}, "calls": tried}
    run = replace(tool_run_of(value), gaps=tuple(gaps))
    assert coverage_of(run).not_reached == [gap.text for gap in gaps]
    assert not [it for it in judge_tool_run(run, DEFAULT_REVISION) if it.rule == "SCEN-002"]


@pytest.mark.parametrize(
    ("pointer", "name"),
    [("/a~1b", "a/b"), ("/~01", "~1"), ("/0", "0"), ("/²", "²"), ("/a/b", "a/b"), ("/a b", "a b")],
)
def test_an_argument_is_named_as_it_is_written(pointer: str, name: str) -> None:
    found = found_in(taken("wrong type", pointer, {name: 5}))
    (told,) = (one.message for one in found if one.rule == "DRIFT-003")
    assert f'for "{name}"' in told
