"""Types and presence of single fields."""

from __future__ import annotations

from typing import Any, Final

import pytest

from mcp_assay.protocol import validate_field_type, validate_required_fields

VALUES: Final[dict[str, tuple[Any, ...]]] = {
    "string": ("", "a"),
    "integer": (0, -1, 10**30),
    "number": (1.5, -0.5),
    "boolean": (True, False),
    "object": ({}, {"a": 1}),
    "array": ([], [1], (1, 2)),
    "null": (None,),
}
"""JSON values by their exact type."""
ACCEPTED: Final = {
    "binary": ("string",),
    "string": ("string",),
    "integer": ("integer",),
    "number": ("integer", "number"),
    "boolean": ("boolean",),
    "map": ("object",),
    "object": ("object",),
    "array": ("array",),
    "any": tuple(VALUES),
}


@pytest.mark.parametrize("type", ACCEPTED)
@pytest.mark.parametrize("actual", VALUES)
def test_a_type_accepts_its_values_and_no_others(type: str, actual: str) -> None:
    for value in VALUES[actual]:
        outcome = validate_field_type("count", value, type)
        assert outcome.ok is (actual in ACCEPTED[type])
        if not outcome.ok:
            assert outcome.reason == "type_mismatch"
            assert outcome.details == {"field": "count", "expected": [type], "actual": actual}


@pytest.mark.parametrize("value", [1, "a"])
def test_a_list_means_any_of_the_types(value: Any) -> None:
    assert validate_field_type("id", value, ["binary", "integer"]).ok
    assert not validate_field_type("id", value, ["map", "array"]).ok
    assert validate_field_type("id", value, ("string", "number")).ok


def test_true_is_not_an_integer() -> None:
    assert validate_field_type("id", True, "integer").reason == "type_mismatch"
    assert (
        validate_field_type("id", True, ["integer", "number", "string"]).reason == "type_mismatch"
    )


MESSAGE: Final = {"jsonrpc": "2.0", "method": "ping", "id": 1}


@pytest.mark.parametrize(
    ("fields", "missing"),
    [
        (["jsonrpc", "method"], []),
        ([], []),
        (["jsonrpc", "method", "params"], ["params"]),
        (["result", "error"], ["result", "error"]),
        ("params", ["params"]),
        ("id", []),
    ],
)
def test_the_fields_that_are_missing_are_named(fields: Any, missing: list[str]) -> None:
    for message in (MESSAGE, '{"jsonrpc":"2.0","method":"ping","id":1}'):
        outcome = validate_required_fields(message, fields)
        assert outcome.ok is (not missing)
        assert outcome.details == ({"missing": missing} if missing else {})
        assert outcome.reason == ("missing_required_fields" if missing else None)


def test_a_field_that_is_null_is_not_missing() -> None:
    assert validate_required_fields({"id": None}, ["id"]).ok


@pytest.mark.parametrize("message", [None, 7, [], "[]", b"7", '"id"'])
def test_only_an_object_has_fields(message: Any) -> None:
    assert validate_required_fields(message, ["id"]).reason == "not_map"


@pytest.mark.parametrize("message", ["{", b"\xff", ""])
def test_a_text_that_is_no_json_has_no_fields(message: Any) -> None:
    assert validate_required_fields(message, ["id"]).reason == "parse_error"
