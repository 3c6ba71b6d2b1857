"""Responses that are built: their text, their data, and what JSON has no form for."""

from __future__ import annotations

from collections import OrderedDict, deque
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from enum import IntEnum, StrEnum
from typing import Any, NamedTuple

import msgspec
import pytest
from pydantic import BaseModel, Field

from mcp_assay.envelope import create_error_response, create_success_response
from mcp_assay.envelope.build import LONGEST_CODE, LONGEST_MESSAGE
from mcp_assay.envelope.values import DEEPEST
from tests.envelope.odd_values import Stubborn


@dataclass
class Point:
    x: int
    seen: date


class Pair(NamedTuple):
    left: int
    right: str


class Note(BaseModel):
    id: int
    note_text: str = Field(alias="noteText")


class Row(msgspec.Struct, rename="camel"):
    row_number: int


class Level(IntEnum):
    HIGH = 3


class Colour(StrEnum):
    RED = "red"


def text_of(response: dict[str, Any]) -> str:
    [item] = response["content"]
    assert item["type"] == "text"
    return str(item["text"])


def nested(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("data", "text", "expected"),
    [
        ({"a": 1}, "One thing", "One thing"),
        ({"textContent": "One thing", "a": 1}, None, "One thing"),
        ({"textContent": 1}, None, '{\n  "textContent": 1\n}'),
        ({"ä": [1]}, None, '{\n  "ä": [\n    1\n  ]\n}'),
        ("as it is", None, "as it is"),
        (None, None, "Operation completed successfully"),
        (0, None, "0"),
        ([], "", ""),
    ],
)
def test_the_text_is_the_most_readable_that_there_is(data: Any, text: Any, expected: str) -> None:
    assert text_of(create_success_response(data, text)) == expected


def test_objects_are_structured_content_too() -> None:
    assert create_success_response({"a": 1})["structuredContent"] == {"a": 1}
    assert "structuredContent" not in create_success_response([1])


def test_the_timestamp_is_now_in_utc() -> None:
    before = datetime.now(UTC)
    written = create_success_response(1)["timestamp"]
    assert written.endswith("Z")
    assert abs((datetime.fromisoformat(written) - before).total_seconds()) < 60


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ((1, 2), [1, 2]),
        ({3, 1, 2}, [1, 2, 3]),
        (frozenset({"b", "a"}), ["a", "b"]),
        (deque([1]), [1]),
        (OrderedDict(a=1), {"a": 1}),
        ({2026: "tea"}, {"2026": "tea"}),
        (date(2026, 3, 1), "2026-03-01"),
        (datetime(2026, 3, 1, 9, 30, tzinfo=UTC), "2026-03-01T09:30:00Z"),
        (Decimal("1.50"), "1.50"),
        (Point(1, date(2026, 3, 1)), {"x": 1, "seen": "2026-03-01"}),
        (Pair(1, "b"), [1, "b"]),
        (Note(id=7, noteText="tea"), {"id": 7, "noteText": "tea"}),
        (Row(row_number=2), {"rowNumber": 2}),
        ([Level.HIGH, Colour.RED], [3, "red"]),
        ({"rows": [Row(row_number=2)]}, {"rows": [{"rowNumber": 2}]}),
        (nested(DEEPEST), nested(DEEPEST)),
    ],
)
def test_what_stands_for_json_becomes_json(value: Any, expected: Any) -> None:
    assert create_success_response(value)["data"] == expected


CYCLE: list[Any] = []
CYCLE.append({"again": CYCLE})


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (b"bytes", "JSON has no form for bytes"),
        ({"picture": memoryview(b"x")}, "/picture: JSON has no form for memoryview"),
        ((number for number in range(3)), "JSON has no form for generator"),
        (CYCLE, "the value contains itself"),
        (float("nan"), "nan is not a JSON number"),
        ([10**400], "/0: the number is beyond the range of a double"),
        ("\ud800", "the string holds half of a surrogate pair"),
        (object(), "JSON has no form for object"),
        ({True: 1}, "a member name of type bool, and JSON names are strings"),
        ({1: "a", "1": "b"}, "two members have the same name as text"),
        (nested(DEEPEST + 1), "the value is nested more than 100 levels deep"),
    ],
)
def test_what_json_has_no_form_for_is_a_failure_that_says_so(value: Any, words: str) -> None:
    response = create_success_response(value)
    assert response["error"]["code"] == "RESULT_NOT_SERIALIZABLE"
    assert text_of(response) == f"Error: The result cannot be sent: {words}"
    assert response["isError"] is True


def test_a_value_whose_own_code_fails_is_a_failure() -> None:
    class Broken(BaseModel):
        def model_dump(self, **_: Any) -> dict[str, Any]:
            raise RuntimeError("secret")

    message = create_success_response(Broken())["error"]["message"]
    assert message == "The result cannot be sent: it failed to turn into JSON: RuntimeError"


def test_data_is_a_copy_that_later_changes_do_not_reach() -> None:
    data = {"notes": [1]}
    response = create_success_response(data)
    data["notes"].append(2)
    assert response["data"] == {"notes": [1]}


def test_a_failure_reports_code_and_message_to_people_programs_and_mcp_clients() -> None:
    response = create_error_response("Note 7 not found", "NOTE_NOT_FOUND", {"id": 7})
    error = {"code": "NOTE_NOT_FOUND", "message": "Note 7 not found", "details": {"id": 7}}
    assert response["error"] == error
    assert response["structuredContent"] == {"error": error}
    assert text_of(response) == "Error: Note 7 not found"
    assert (response["success"], response["isError"]) == (False, True)


@pytest.mark.parametrize("details", [0, "", False, [], {}])
def test_details_are_kept_whatever_they_are(details: Any) -> None:
    assert create_error_response("no", "NO", details)["error"]["details"] == details


def test_details_that_cannot_be_sent_say_why() -> None:
    error = create_error_response("no", "NO", b"x")["error"]
    assert error["details"] == "left out: JSON has no form for bytes"


@pytest.mark.parametrize("nothing", ["", None, Stubborn()])
def test_a_failure_without_words_is_unknown(nothing: Any) -> None:
    error = create_error_response(nothing, nothing)["error"]
    assert error == {"code": "UNKNOWN_ERROR", "message": "Unknown error"}


def test_long_messages_and_codes_are_cut() -> None:
    error = create_error_response("m" * 10**6, "c" * 10**6)["error"]
    assert len(error["message"]) == LONGEST_MESSAGE
    assert len(error["code"]) == LONGEST_CODE
