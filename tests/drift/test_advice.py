"""Whoever does what a finding advises has made nothing worse, and is told a change once."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from mcp_assay.drift.advice import ADVISED
from mcp_assay.drift.schemas import differences
from mcp_assay.rules.index import INDEX
from tests.drift.small_reports import compared, definition, finding, made, surface

OPEN = definition("find")
CLOSED = definition("find", inputSchema={"type": "object", "additionalProperties": False})
ADVICE = finding("TOOL-019", "find", "warning")
STRING, NULL = {"type": "string"}, {"type": "null"}


def test_a_schema_closed_as_advised_is_no_break() -> None:
    comparison = compared(made(ADVICE, surface=surface(OPEN)), made(surface=surface(CLOSED)))
    assert comparison.summary.outcome == "changed"
    (change,) = comparison.drift
    assert change.grade == "cosmetic"
    assert change.message.endswith("additionalProperties: unset → false, as TOOL-019 advises.")


@pytest.mark.parametrize("found", [[], [finding("TOOL-019", "other", "warning")]])
def test_a_schema_closed_unasked_is_a_break(found: list[Any]) -> None:
    comparison = compared(made(*found, surface=surface(OPEN)), made(surface=surface(CLOSED)))
    assert comparison.summary.outcome == "worse"


def test_advice_excuses_nothing_else_in_the_same_tool() -> None:
    stricter = {"type": "object", "properties": {"id": STRING}, "required": ["id"]}
    new = made(surface=surface(definition("find", inputSchema=stricter)))
    assert compared(made(ADVICE, surface=surface(OPEN)), new).summary.outcome == "worse"


def taking(**arguments: Any) -> dict[str, Any]:
    return definition("find", inputSchema={"type": "object", "properties": arguments})


@pytest.mark.parametrize(
    ("rule", "new", "is_break"),
    [
        ("LINT-107", taking(a=STRING, b=STRING), False),
        ("LINT-107", taking(a={}, b={"type": "integer"}), True),
        ("TOOL-007", taking(a=STRING, b=STRING), True),
        ("LINT-101", taking(a={"enum": ["x"]}, b=STRING), False),
        ("LINT-101", taking(a={}, b={"type": "string", "enum": ["x"]}), True),
    ],
)
def test_advice_excuses_no_change_of_another_argument(
    rule: str, new: dict[str, Any], is_break: bool
) -> None:
    place = "/tools/0/inputSchema" + ("" if rule == "TOOL-007" else "/properties/a")
    old = made(
        replace(finding(rule, "find", "warning"), pointer=place),
        surface=surface(taking(a={}, b=STRING)),
    )
    assert (compared(old, made(surface=surface(new))).summary.breaking > 0) is is_break


def test_a_tool_renamed_as_advised_is_no_break() -> None:
    old = made(finding("TOOL-003", "get note", "warning"), surface=surface(definition("get note")))
    assert compared(old, made(surface=surface(definition("get_note")))).summary.breaking == 0


def test_annotations_titles_and_descriptions_are_never_a_break() -> None:
    told = definition(
        "find", title="Find", description="Finds.", annotations={"readOnlyHint": True}
    )
    comparison = compared(made(surface=surface(OPEN)), made(surface=surface(told)))
    assert comparison.summary.outcome == "changed"


def test_every_rule_of_the_table_exists() -> None:
    assert ADVISED.keys() <= INDEX.keys()


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (STRING, {"anyOf": [STRING, NULL]}, "'it' changed from string to string or null"),
        ({"anyOf": [STRING, NULL]}, STRING, "'it' changed from string or null to string"),
        (STRING, {"type": ["string", "null"]}, "'it' changed from string to string or null"),
        ({"type": "array", "items": STRING}, {"anyOf": [{"type": "array", "items": STRING}, NULL]},
         "'it' changed from array to array or null"),
        ({"$ref": "#/$defs/a"}, {"anyOf": [{"$ref": "#/$defs/a"}, NULL]},
         "'it' now also accepts null"),
        ({"oneOf": [{"$ref": "#/$defs/a"}, NULL]}, {"$ref": "#/$defs/a"},
         "'it' no longer accepts null"),
    ],
)  # fmt: skip
def test_a_type_that_changes_is_told_once(old: Any, new: Any, words: str) -> None:
    found = differences({"properties": {"it": old}}, {"properties": {"it": new}})
    assert [one.words for one in found] == [words]


def test_equal_unions_in_other_forms_are_the_same() -> None:
    listed = {"anyOf": [STRING, {"type": "integer"}]}
    assert not list(differences(listed, {"type": ["integer", "string"]}))


RESULT = definition("find", outputSchema={"type": "object", "properties": {"mail": STRING}})
LOOSER = definition(
    "find", outputSchema={"type": "object", "properties": {"mail": {"anyOf": [STRING, NULL]}}}
)


@pytest.mark.parametrize(
    ("found", "outcome"),
    [
        (finding("CALL-003", "find", "error"), "changed"),
        (replace(finding("RESP-004", "find", "error"), reason="invalid_result"), "changed"),
        (replace(finding("RESP-004", "find", "error"), reason="valid_call_crashes"), "worse"),
    ],
)
def test_a_schema_that_the_results_now_fit_is_no_break(found: Any, outcome: str) -> None:
    comparison = compared(made(found, surface=surface(RESULT)), made(surface=surface(LOOSER)))
    assert comparison.summary.outcome == outcome
