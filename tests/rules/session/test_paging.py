"""Cursors: whose they are, where they are known, and what an empty one means."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.model.entry import Delivery
from mcp_assay.rules.engine.rule import END, Step
from mcp_assay.rules.engine.samples import (
    c2s,
    modern_request,
    modern_result,
    opening,
    request,
    result,
    s2c,
)
from mcp_assay.rules.session.pagination import LONGEST_KEPT, MOST_KEPT
from tests.rules.session.playing import JUNK, decided, left_open, reported

OPENED = opening(server={"tools": {}})


def page(id: int, cursor: Any = None, gives: Any = None) -> list[Step]:
    asked = {} if cursor is None else {"cursor": cursor}
    given = {"tools": [], **({} if gives is None else {"nextCursor": gives})}
    return [c2s(request("tools/list", asked, id=id)), s2c(result(given, id=id))]


def modern_page(
    id: int, cursor: Any = None, gives: Any = None, exchange: int | None = None
) -> list[Step]:
    delivery, asked = Delivery(exchange=exchange), {} if cursor is None else {"cursor": cursor}
    given = {"tools": [], "ttlMs": 0, "cacheScope": "private"}
    given |= {} if gives is None else {"nextCursor": gives}
    return [
        c2s(modern_request("tools/list", asked, id=id), delivery),
        s2c(modern_result(given, id=id), delivery),
    ]


def test_a_cursor_may_be_sent_more_than_once() -> None:
    steps = (OPENED, page(1, gives="a"), page(2, "a", gives="b"), page(3, "a"), page(4, "b"))
    assert reported(*steps, rules="PAGE-003") == []


def test_a_cursor_of_an_earlier_session_is_unknown() -> None:
    assert reported(OPENED, page(1, "a"), rules="PAGE-003") == [(3, "PAGE-003")]


def test_an_empty_cursor_is_unknown_where_none_was_given() -> None:
    assert reported(OPENED, page(1, gives="a"), page(2, ""), rules="PAGE-003") == [(5, "PAGE-003")]


def test_stateless_pages_may_have_come_over_another_connection() -> None:
    assert reported(modern_page(1, "a"), rules="PAGE-003") == [(0, "PAGE-003")]
    assert reported(modern_page(1, "a", exchange=1), rules="PAGE-003") == []
    assert "PAGE-003" in left_open(modern_page(1, "a", exchange=1))


def test_a_cursor_too_long_to_remember_is_left_open() -> None:
    long = "c" * (LONGEST_KEPT + 1)
    steps = (OPENED, page(1, gives=long), page(2, long))
    assert reported(*steps, rules="PAGE-003") == []
    assert "PAGE-003" in left_open(*steps)


def test_too_many_cursors_to_remember_are_left_open() -> None:
    many = [step for id in range(1, MOST_KEPT + 3) for step in page(id, gives=f"c{id}")]
    assert reported(OPENED, many, page(9999, f"c{MOST_KEPT + 1}"), rules="PAGE-003") == []
    assert reported(OPENED, many, page(9999, "c1"), rules="PAGE-003") == []


def test_a_client_that_follows_no_cursor_may_have_wanted_one_page() -> None:
    assert reported(modern_page(1, gives=""), rules="PAGE-004") == []
    assert "PAGE-004" in left_open(modern_page(1, gives=""))


def test_a_client_that_stops_at_an_empty_cursor_is_reported_at_the_end() -> None:
    steps = (modern_page(1, gives="a"), modern_page(2, "a", gives=""), modern_page(3, "a"))
    assert reported(*steps, rules="PAGE-004") == [(END, "PAGE-004")]


def test_a_client_that_begins_the_list_again_is_not_reported() -> None:
    steps = (modern_page(1, gives="a"), modern_page(2, "a", gives=""), modern_page(3))
    assert reported(*steps, rules="PAGE-004") == []


def test_a_client_that_follows_the_empty_cursor_decides_the_rule() -> None:
    steps = (modern_page(1, gives=""), modern_page(2, ""))
    assert reported(*steps, rules="PAGE") == []
    assert decided(*steps) >= {"PAGE-003", "PAGE-004"}


def test_older_revisions_do_not_say_what_an_empty_cursor_means() -> None:
    steps = (OPENED, page(1, gives="a"), page(2, "a", gives=""))
    assert reported(*steps, rules="PAGE-004") == []


@pytest.mark.parametrize("junk", JUNK)
def test_members_of_any_type_are_borne(junk: Any) -> None:
    bare = [c2s(request("tools/list", junk, id=8)), s2c(result(junk, id=8))]
    steps = (OPENED, page(1, gives=junk), page(2, junk, gives=junk), bare)
    assert {rule for _, rule in reported(*steps, rules="PAGE-003 PAGE-004")} <= {"PAGE-003"}
