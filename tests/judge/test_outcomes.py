"""Outcomes of tools that are answers, although they read like failures."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mcp_assay.model.verdict import ValidationContext
from mcp_assay.responses import ResponseValidator


def sign_of(
    name: str, description: str, value: Any, arguments: dict[str, Any] | None = None
) -> str | None:
    """What an answer without isError is said to be."""
    tool = {"name": name, "description": description}
    text = value if isinstance(value, str) else json.dumps(value)
    response = {"content": [{"type": "text", "text": text}]}
    return (
        ResponseValidator()
        .validate_response(ValidationContext(tool, arguments or {"id": "k7"}, response))
        .sign_kind
    )


ENDS = 'Picks a seat. Returns status "picked" or "no_seat_left", with a reason.'
NO_SEAT = {"status": "no_seat_left", "reason": "Row k7 was not found."}


def test_a_state_that_the_description_lists_is_an_answer() -> None:
    assert sign_of("pick_seat", ENDS, NO_SEAT) is None
    assert sign_of("pick_seat", "Picks a seat.", NO_SEAT) == "unflagged_error"
    failed = {"status": "error", "reason": "Row k7 was not found."}
    assert (
        sign_of("pick_seat", 'Picks a seat. Returns "error" or "picked".', failed)
        == "unflagged_error"
    )


@pytest.mark.parametrize("member", [{"found": False}, {"totalKeys": 0}, {"match_count": 0}])
def test_that_nothing_was_counted_is_an_answer(member: dict[str, Any]) -> None:
    said = {"message": "No keys found below k7", **member}
    assert sign_of("explore_tree", "Explores the tree.", said) is None


def test_without_a_count_the_same_words_are_a_failure() -> None:
    said = {"message": "No keys found below k7"}
    assert sign_of("explore_tree", "Explores the tree.", said) == "unflagged_error"


def test_what_a_check_finds_is_its_answer() -> None:
    found = {"ok": False, "errors": ["k7 has no title"]}
    assert sign_of("page_validate", "Looks at a page.", found) is None
    assert sign_of("page_publish", "Publishes a page.", found) == "unflagged_error"
    broken = {"ok": False, "error": "k7 cannot be read"}
    assert sign_of("page_validate", "Looks at a page.", broken) == "unflagged_error"


UNSET = {"ok": False, "error": "PAGE_HOME is not set. It takes the id of a page."}


def test_a_setting_may_be_wanting_where_the_description_says_what_then() -> None:
    told = "Gives the first page.\nWithout PAGE_HOME: a hint what to set."
    assert sign_of("get_home", told, UNSET) is None
    assert sign_of("get_home", "Gives the first page (PAGE_HOME).", UNSET) == "unflagged_error"
    failing = "Gives the first page.\nIf PAGE_HOME is not set, it raises an error."
    assert sign_of("get_home", failing, UNSET) == "unflagged_error"


def test_a_value_that_is_missing_may_be_told_in_a_result() -> None:
    assert sign_of("add", "Adds numbers.", "The sum of undefined and 5 is NaN", {"b": 5}) is None
