"""Words of crashes that stand in sentences about something else."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.model.verdict import ErrorKind, ValidationContext
from mcp_assay.responses import ResponseValidator


def kind_of(text: str, arguments: dict[str, Any] | None = None) -> ErrorKind:
    tool = {"name": "look", "inputSchema": {"properties": {name: {} for name in arguments or {}}}}
    response = {"content": [{"type": "text", "text": text}], "isError": True}
    context = ValidationContext(tool, arguments or {}, response, "happy_path")
    return ResponseValidator().explain_error(context).kind


@pytest.mark.parametrize(
    "text",
    [
        "TypeError: Cannot read properties of undefined (reading 'length')",
        "Cannot read property 'roles' of null",
        "Cannot set property 'x' of undefined",
        "could not take the first item of undefined",
        "undefined is not an object (evaluating 'data.offers')",
        "TypeError: Iterator result 5 is not an object",
        "attendu une liste, reçu None",
        "attendu un objet, mais None",
        "No implementation found for method 'draw'",
        "missing translation key: menu.open",
    ],
)
def test_a_crash_is_one_by_what_engines_say(text: str) -> None:
    assert kind_of(text) == "failure"


@pytest.mark.parametrize(
    "text",
    [
        "The price of undefined goods is not known.",
        'Type "Seat" is not an object type with fields',
        "`day` : attendu une date, un entier ou None",
        "`Tag` erwartet ein Datum oder None",
        "No implementation guide found. Write one first.",
        '{"found": false, "error": "Translation key not found"}',
        "[object Object] is what the page shows.",
    ],
)
def test_the_same_words_in_another_sentence_are_no_crash(text: str) -> None:
    assert kind_of(text, {"day": "x"}) != "failure"
