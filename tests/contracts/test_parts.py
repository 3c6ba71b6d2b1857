"""The parts that checks are made of."""

from __future__ import annotations

from enum import Enum
from typing import Any

import pytest

from mcp_assay.client.target import Command, Endpoint
from mcp_assay.contracts.calls import edge_cases
from mcp_assay.contracts.check import field_slug, slug, unique, value_slug
from mcp_assay.contracts.conventions import NOTHING, data_of, fields, outcome
from mcp_assay.contracts.listed_values import (
    governed,
    name_of,
    named_in_refusal,
    strangers,
    value_at,
)
from mcp_assay.contracts.mutations import (
    answer_mutations,
    definition_mutations,
    flag_mutations,
)
from mcp_assay.contracts.requested import target_of
from mcp_assay.contracts.settings import values_of
from mcp_assay.model.call import Call, CallResult, Raised
from mcp_assay.model.scenario import Scenario
from mcp_assay.model.verdict import ScenarioVerdict


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("get_note", "get_note"),
        ("a::b", "a-b"),
        ("x[1]", "x-1"),
        ("\x1b[31m\n", "31m"),
        ("::", "nameless"),
        ("ä/ö", "ä/ö"),
        ("n" * 99, "n" * 60),
    ],
)
def test_a_name_holds_nothing_that_means_something_in_an_id(text: str, name: str) -> None:
    assert slug(text) == name


def test_fields_and_values_have_names() -> None:
    assert field_slug("/filter/kind") == "filter.kind"
    assert [value_slug(it) for it in ("", " ", "a b", True, 1, None)] == [
        *("empty", "empty", "a-b", "true", "1", "null")
    ]
    assert unique(["a", "b", "a", "a"]) == ["a", "b", "a-2", "a-3"]


@pytest.mark.parametrize(
    "source", [Colour, ["red", "blue"], (Colour.RED, "blue"), "tests.contracts.colours:COLOURS"]
)
def test_lists_of_the_code_come_in_several_forms(source: object) -> None:
    assert values_of(source, "colour") == ("red", "blue")


@pytest.mark.parametrize("source", [5, {"red": 1}, "tests.contracts.nowhere:X", "enum:Nothing"])
def test_what_is_no_list_is_refused(source: object) -> None:
    with pytest.raises(ValueError, match=r"enums\.colour|cannot be imported"):
        values_of(source, "colour")


def test_a_server_is_named_by_url_or_command() -> None:
    assert target_of("https://shop.example/mcp", ".") == Endpoint(url="https://shop.example/mcp")
    command = target_of("python -m 'my shop'", ".")
    assert isinstance(command, Command)
    assert command.command == ("python", "-m", "my shop")
    with pytest.raises(ValueError, match="empty"):
        target_of(" ", ".")


@pytest.mark.parametrize(
    ("result", "data"),
    [
        ({"structuredContent": {"a": 1}, "content": []}, {"a": 1}),
        ({"content": [{"type": "text", "text": "words"}, {"type": "text", "text": "[1]"}]}, [1]),
        ({"content": [{"type": "text", "text": "5"}]}, NOTHING),
        ("nonsense", NOTHING),
        (None, NOTHING),
    ],
)
def test_data_is_found_wherever_it_is(result: Any, data: Any) -> None:
    assert data_of(result) == data


def test_fields_are_found_at_every_depth() -> None:
    value = {"kind": "a", "items": [{"kind": "b"}, {"deep": {"kind": ["c", "d"]}}]}
    assert [it for name, it in fields(value) if name == "kind"] == ["a", "b", "c", "d"]


def test_fields_of_a_very_deep_value_come_to_an_end() -> None:
    value: Any = {"kind": "a"}
    for _ in range(900):
        value = {"in": value}
    assert list(fields(value)) == []


def test_null_and_listed_values_are_no_strangers() -> None:
    answer = CallResult(
        result={"structuredContent": {"kind": None, "on": [{"kind": "a"}, {"on": 1}]}}
    )
    assert strangers([answer], {"kind": ("a",), "on": (True,)}) == {"on": [1]}


def test_a_field_that_the_output_schema_restricts_is_its_own_business() -> None:
    schema = {
        "properties": {
            "kind": {"enum": ["x"]},
            "tags": {"type": "array", "items": {"$ref": "#/$defs/Tag"}},
            "free": {"type": "string"},
            "deep": {"type": "object", "properties": {"level": {"const": 1}}},
        }
    }
    assert governed(schema) == {"kind", "tags", "level"}


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("Invalid sort 'x'. Must be one of: name, date", ["name", "date"]),
        ("sort must be one of: trial-and-error, a or b", ["trial-and-error", "a", "b"]),
        ("Must be one of: red, blue", []),
        ("sort is wrong", []),
    ],
)
def test_allowed_values_are_read_where_a_refusal_is_about_the_argument(
    words: str, named: list[str]
) -> None:
    assert named_in_refusal(words, "/sort", "assay-not-listed", ["name"]) == named


@pytest.mark.parametrize(
    ("pointer", "name"),
    [("/a~1b/0/c~0d", "c~d"), ("/tags/0", "tags"), ("/0", "0"), ("/²", "²"), ("/a/²", "²")],
)
def test_a_pointer_names_a_field(pointer: str, name: str) -> None:
    assert name_of(pointer) == name


@pytest.mark.parametrize(
    ("arguments", "pointer"),
    [({"²": "a"}, "/²"), ({"0": "a"}, "/0"), ({"x": [{"²": "a"}]}, "/x/0/²")],
)
def test_names_that_look_like_numbers_are_names(arguments: Any, pointer: str) -> None:
    assert value_at(arguments, pointer) == "a"


DEFINITION: dict[str, Any] = {
    "name": "find",
    "inputSchema": {
        "type": "object",
        "properties": {
            "sort": {"type": "string", "enum": ["name", "date"]},
            "n": {"type": "integer"},
        },
        "required": ["n"],
    },
}


def test_each_change_of_a_definition_changes_it_and_leaves_the_original() -> None:
    before = repr(DEFINITION)
    made = list(definition_mutations("find", DEFINITION))
    changed = [one.definition(DEFINITION) for one in made if one.definition]
    assert len({one.words for one in made}) == len(made) == 8
    assert all(one != DEFINITION for one in changed)
    assert repr(DEFINITION) == before


def test_each_change_of_an_answer_changes_it_and_leaves_the_original() -> None:
    answer = {"items": [{"sort": "name", "size": 1}], "total": 1}
    before = repr(answer)
    made = list(answer_mutations("find", [answer], {"sort": ("name",)}))
    changed = [one.answer(answer) for one in made if one.answer]
    assert {"items": [{"sort": "assay-strange", "size": 1}], "total": 1} in changed
    assert {"items": [{"sort": "name", "size": 1}]} in changed
    assert all(one != answer for one in changed)
    assert repr(answer) == before


def test_flags_are_turned_round_where_there_are_such_answers() -> None:
    assert not list(flag_mutations("find", has_success=False, has_error=False))
    assert len(list(flag_mutations("find", has_success=True, has_error=True))) == 2


def test_edge_cases_are_valid_calls_and_empty_values_come_first() -> None:
    def scenario(values: list[int], *, valid: bool = True, category: Any = "edge_case") -> Scenario:
        arguments = {"values": values}
        return Scenario(tool="mean", name="x", category=category, arguments=arguments, valid=valid)

    empty, long = scenario([]), scenario([1, 2, 3])
    others = [scenario([1], valid=False), scenario([1], category="happy_path")]
    assert edge_cases([*others, long, empty]) == [empty, long]


def test_a_crash_is_called_one_with_the_exception_behind_it() -> None:
    result = {"content": [{"type": "text", "text": "Error executing tool mean"}], "isError": True}
    answer = CallResult(result=result, raised=Raised("ZeroDivisionError: x", "a.py:3 in mean"))
    scenario = Scenario(tool="mean", name="x", category="edge_case", arguments={}, valid=True)
    verdict = ScenarioVerdict("failed", "crashed", False)
    call = Call(number=1, scenario=scenario, answer=answer, result=None, verdict=verdict)
    assert (outcome(call).what, outcome(call).how) == (
        "broke",
        "crashed: Error executing tool mean (ZeroDivisionError: x (a.py:3 in mean))",
    )
