"""A claim is held only where the run really showed it."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from mcp_assay.model.finding import Where
from mcp_assay.model.report import Check, Report
from mcp_assay.model.surface import ListedDefinitions, SurfaceSize
from mcp_assay.model.tool import CallRow
from mcp_assay.report.declared_behaviour import Claim, claims
from tests.report.reports import finding, report

READS = {"annotations": {"readOnlyHint": True}}
OUTPUT = {"outputSchema": {"type": "object", "properties": {"total": {"type": "integer"}}}}
WILD = {"outputSchema": {"$ref": "https://x.invalid/schema"}}
PASSED = CallRow(
    number=1, tool="t", scenario="happy path", arguments={}, valid=True, outcome="passed"
)
FAULTY = replace(PASSED, outcome="failed", trouble="faulty_answer")


def surface_of(tools: list[Any]) -> SurfaceSize:
    return SurfaceSize(definitions=ListedDefinitions(tools=tools))


def reported(
    definition: dict[str, Any],
    *,
    hints: dict[str, str] | None = None,
    calls: tuple[CallRow, ...] = (),
    broken: str | None = None,
    check: str = "passed",
) -> list[Claim]:
    small = report("t")
    found = [replace(finding("x", tool="t"), rule=broken)] if broken else []
    changed: Report = replace(
        small,
        findings=found,
        checks=[Check(rule="CALL-003", outcome=check)],  # type: ignore[arg-type]
        tools=[replace(small.tools[0], name="t", hints=hints or {})],
        calls=list(calls),
        surface=surface_of([{"name": "t", **definition}]),
    )
    return claims(changed)


@pytest.mark.parametrize(
    ("hints", "proof"),
    [
        ({}, "unproven"),
        ({"readOnlyHint": "held"}, "held"),
        ({"readOnlyHint": "contradicted"}, "broken"),
        ({"idempotentHint": "held"}, "unproven"),
        ({"readOnlyHint": "of some later version"}, "unproven"),
    ],
)
def test_a_hint_is_held_or_broken_only_where_a_reader_said_so(
    hints: dict[str, str], proof: str
) -> None:
    assert reported(READS, hints=hints) == [Claim("t", "readOnlyHint", proof)]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "annotations",
    [
        {"readOnlyHint": False, "destructiveHint": True, "openWorldHint": True},
        {"readOnlyHint": "true"},
        {"readOnlyHint": 1},
        [],
        None,
    ],
)
def test_what_promises_nothing_is_no_claim(annotations: object) -> None:
    assert reported({"annotations": annotations, "outputSchema": None}) == []


def test_what_reading_only_says_already_is_no_further_claim() -> None:
    hints = {"readOnlyHint": True, "idempotentHint": True, "destructiveHint": False}
    assert [claim.kind for claim in reported({"annotations": hints})] == ["readOnlyHint"]


def test_every_promise_of_a_tool_is_a_claim() -> None:
    hints = {"idempotentHint": True, "destructiveHint": False, "openWorldHint": False}
    kinds = [claim.kind for claim in reported({"annotations": hints, **OUTPUT})]
    assert kinds == ["idempotentHint", "destructiveHint", "openWorldHint", "outputSchema"]


@pytest.mark.parametrize(
    ("case", "proof"),
    [
        ({"calls": (PASSED,)}, "held"),
        ({"calls": ()}, "unproven"),
        ({"calls": (replace(PASSED, valid=False),)}, "unproven"),
        ({"calls": (PASSED, FAULTY)}, "unproven"),
        ({"calls": (PASSED,), "check": "undecided"}, "unproven"),
        ({"calls": (PASSED,), "broken": "CALL-003"}, "broken"),
        ({"calls": (), "broken": "CALL-002"}, "broken"),
    ],
)
def test_an_output_schema_is_kept_only_where_valid_calls_were_judged_by_it(
    case: dict[str, Any], proof: str
) -> None:
    assert [claim.proof for claim in reported(OUTPUT, **case)] == [proof]


def test_a_schema_that_could_not_be_followed_is_not_said_to_be_kept() -> None:
    assert [claim.proof for claim in reported(WILD, calls=(PASSED,))] == ["unproven"]


def test_a_finding_reported_once_for_several_tools_counts_for_each_of_them() -> None:
    small = reported(OUTPUT, calls=(PASSED,))
    assert small[0].proof == "held"
    folded = replace(finding("x", tool="other"), rule="CALL-003", examples=[Where(tool="t")])
    base = report("t", [folded])
    tools = [{"name": "t", **OUTPUT}]
    changed = replace(base, calls=[PASSED], surface=surface_of(tools))
    assert [claim.proof for claim in claims(changed)] == ["broken"]


@pytest.mark.parametrize("surface", [None, SurfaceSize(), surface_of([1, {"name": 5}, {}])])
def test_odd_definitions_make_no_claims(surface: SurfaceSize | None) -> None:
    assert claims(replace(report("t"), surface=surface)) == []
