"""Cache hints: pages of one list, and results for several users."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.model.entry import Delivery
from mcp_assay.rules.engine.rule import Step
from mcp_assay.rules.engine.samples import c2s, modern_request, modern_result, s2c
from tests.rules.session.playing import JUNK, decided, left_open, reported

SESSION = "CACHE-003 CACHE-005"


def page(id: int, scope: Any, cursor: Any = None, gives: Any = None) -> list[Step]:
    asked = {} if cursor is None else {"cursor": cursor}
    given = {"tools": [], "ttlMs": 9000, "cacheScope": scope}
    given |= {} if gives is None else {"nextCursor": gives}
    return [
        c2s(modern_request("tools/list", asked, id=id)),
        s2c(modern_result(given, id=id)),
    ]


def read(id: int, who: Any, text: str, at: float | None = None, **more: Any) -> list[Step]:
    """A user reads a note over an exchange of its own; `more` changes the result's hints."""
    delivery = Delivery(exchange=id, at=at, http={"request_headers": {"authorization": who}})
    note = {"contents": [{"uri": "note:///1", "text": text}], "ttlMs": 9000, "cacheScope": "public"}
    return [
        c2s(modern_request("resources/read", {"uri": "note:///1"}, id=id), delivery),
        s2c(modern_result({**note, **more}, id=id), Delivery(exchange=id, at=at)),
    ]


def test_the_scope_is_compared_along_the_cursors() -> None:
    steps = (page(1, "public", None, "b"), page(2, "public", "b", "c"), page(3, "private", "c"))
    assert reported(*steps, rules=SESSION) == [(5, "CACHE-003")]


def test_a_list_that_is_asked_for_anew_may_have_another_scope() -> None:
    steps = (page(1, "public", None, "b"), page(2, "private", None, "b"), page(3, "private", "b"))
    assert reported(*steps, rules=SESSION) == []


def test_a_page_whose_predecessor_was_not_seen_is_left_open() -> None:
    assert reported(page(1, "public", "b"), rules=SESSION, partial=True) == []
    assert "CACHE-003" in left_open(page(1, "public", "b"), partial=True)


def test_one_user_may_get_different_results() -> None:
    assert reported(read(1, "ann", "old"), read(2, "ann", "new"), rules=SESSION) == []
    assert "CACHE-005" not in decided(read(1, "ann", "old"), read(2, "ann", "new"))


def test_users_may_get_different_results_of_different_requests() -> None:
    other = read(2, "bob", "two")
    asked = c2s(modern_request("resources/read", {"uri": "note:///2"}, id=2), other[0].delivery)
    assert reported(read(1, "ann", "one"), asked, other[1], rules=SESSION) == []


@pytest.mark.parametrize(("seconds", "rules"), [(8.0, ["CACHE-005"]), (10.0, [])])
def test_a_result_may_change_when_its_time_is_over(seconds: float, rules: list[str]) -> None:
    found = reported(read(1, "ann", "a", 0.0), read(2, "bob", "b", seconds), rules=SESSION)
    assert [rule for _, rule in found] == rules


def test_a_result_that_is_not_to_be_kept_may_change_at_once() -> None:
    assert reported(read(1, "ann", "a", ttlMs=0), read(2, "bob", "b", ttlMs=0), rules=SESSION) == []


def test_the_order_of_members_makes_no_difference() -> None:
    contents = [{"text": "Hello.", "uri": "note:///1"}]
    steps = (read(1, "ann", "Hello."), read(2, "bob", "", contents=contents))
    assert reported(*steps, rules=SESSION) == []
    assert "CACHE-005" in decided(*steps)


@pytest.mark.parametrize("who", ["[redacted]", "Bearer [redacted]", None, 7, []])
def test_unreadable_credentials_leave_the_rule_open(who: Any) -> None:
    steps = (read(1, who, "a"), read(2, "bob", "b"))
    assert reported(*steps, rules=SESSION) == []
    assert "CACHE-005" in left_open(*steps)


@pytest.mark.parametrize("junk", JUNK)
def test_members_of_any_type_are_borne(junk: Any) -> None:
    strange = (
        page(1, junk, junk, junk),
        page(2, "public", junk, junk),
        read(3, "ann", "a", ttlMs=junk),
        read(4, "bob", "b", cacheScope=junk),
        [c2s(modern_request("tools/list", id=5)), s2c({**modern_result({}, id=5), "result": junk})],
    )
    assert reported(*strange, rules=SESSION) == []
