"""Lists that change by themselves, or once for all, are not blamed; silence is not, either."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.model.probe import Ask, OpenStep, Reply
from mcp_assay.rules.probe.confirmation import UNSURE, ordinary
from mcp_assay.rules.probe.lists import (
    BY_ITSELF,
    CALLED,
    CONNECTED,
    DONE,
    MODERN,
    MOST_PAGES,
    NO_LIST,
    OLD,
    THREE,
    TURNED,
    TWO,
    lists_come_to_an_end,
    lists_stay_the_same,
    unknown_cursor,
)
from mcp_assay.rules.probe.rule import Known, StartDialogue, findings, replayed

LOST = Reply(ending="timed_out")


def reported(conversation: StartDialogue, known: Known, *replies: Reply) -> dict[str, str]:
    """What is said of each rule: "failed", or why it is open."""
    _, verdicts = replayed(conversation, known, replies)
    return {one.rule: one.reason if isinstance(one, OpenStep) else "failed" for one in verdicts}


def page(name: str, cursor: str | None) -> Reply:
    following = {} if cursor is None else {"nextCursor": cursor}
    return Reply(result={"tools": [{"name": name}], **following})


def test_a_list_that_did_not_come_is_not_waited_for_again() -> None:
    capabilities: dict[str, Any] = {"tools": {}, "prompts": {}}
    deaf = Known(capabilities=capabilities, unlisted=["tools", "prompts"])
    assert reported(unknown_cursor, deaf) == {"PAGE-002": NO_LIST}
    assert reported(lists_come_to_an_end, deaf) == {"PAGE-005": NO_LIST}
    assert ordinary(deaf) == "ping"
    half_deaf = Known(capabilities=capabilities, unlisted=["tools"])
    assert ordinary(half_deaf) == "prompts/list"
    steps, _ = replayed(lists_come_to_an_end, half_deaf, [Reply(result={"prompts": []})])
    assert steps == [Ask("prompts/list")]


@pytest.mark.parametrize("again", [THREE, LOST, Reply(error={"code": -32603})])
def test_a_list_that_does_not_come_twice_decides_nothing(again: Reply) -> None:
    more = (THREE, THREE) if again is THREE else ()
    said = reported(lists_stay_the_same, MODERN, CONNECTED, TWO, again, *more)
    assert "failed" not in said.values()
    assert said.keys() == {"TOOL-030", "TOOL-031"}


def test_a_list_that_changed_once_for_all_decides_nothing() -> None:
    replies = (CONNECTED, TWO, TWO, CONNECTED, THREE, THREE, CONNECTED, THREE)
    said = reported(lists_stay_the_same, MODERN, *replies)
    assert said == {"TOOL-031": "the list of tools changed while it was being checked"}


@pytest.mark.parametrize(
    "more",
    [
        (CONNECTED, THREE),
        (CONNECTED, TWO, THREE),
        (CONNECTED, TWO, TWO, DONE, TWO),
        (Reply(ending="http_status", status=503),),
    ],
)
def test_a_change_after_a_call_must_come_again(more: tuple[Reply, ...]) -> None:
    said = reported(lists_stay_the_same, CALLED, CONNECTED, TWO, TWO, DONE, THREE, *more)
    assert said == {"TOOL-031": BY_ITSELF}


def test_a_server_that_is_still_starting_is_not_blamed() -> None:
    replies = (CONNECTED, THREE, THREE, CONNECTED, TWO, THREE)
    assert reported(lists_stay_the_same, MODERN, *replies) == {"TOOL-031": BY_ITSELF}


def test_a_server_that_lets_nobody_in_again_decides_nothing() -> None:
    refused = Reply(ending="http_status", status=503)
    assert reported(lists_stay_the_same, MODERN, refused).keys() == {"TOOL-030", "TOOL-031"}
    said = reported(lists_stay_the_same, MODERN, CONNECTED, TWO, TWO, refused)
    assert said.keys() == {"TOOL-031"}
    assert "failed" not in said.values()


def test_silence_counts_only_where_something_else_is_answered() -> None:
    assert reported(unknown_cursor, OLD, TWO, LOST, LOST, CONNECTED, LOST) == {"PAGE-002": UNSURE}
    assert reported(unknown_cursor, OLD, TWO, LOST, TWO, TURNED) == {"PAGE-002": UNSURE}
    assert reported(unknown_cursor, OLD, TWO, LOST, TWO, LOST) == {"PAGE-002": "failed"}


@pytest.mark.parametrize("status", [401, 429])
def test_a_server_that_lets_us_not_in_is_not_blamed(status: int) -> None:
    busy = Reply(ending="http_status", status=status)
    assert "failed" not in reported(unknown_cursor, OLD, busy, busy).values()


def test_a_failure_counts_only_where_it_comes_again() -> None:
    busy = Reply(ending="http_status", status=503)
    refused = Reply(error={"code": -32602, "message": "Unknown cursor"})
    assert reported(unknown_cursor, OLD, TWO, busy, busy, CONNECTED, busy) == {"PAGE-002": UNSURE}
    assert reported(unknown_cursor, OLD, TWO, busy, TWO, refused) == {"PAGE-002": UNSURE}
    assert reported(unknown_cursor, OLD, TWO, busy, TWO, busy) == {"PAGE-002": "failed"}


def severity_of_any_cursor(first: Reply) -> str:
    _, verdicts = replayed(unknown_cursor, OLD, (first, TWO))
    (found,) = findings(verdicts, OLD.revision)
    return found.severity


def test_a_server_that_never_gave_a_cursor_is_only_reported_that_it_takes_any() -> None:
    assert severity_of_any_cursor(page("find", "2")) == "warning"
    assert severity_of_any_cursor(TWO) == "info"


def test_the_cursor_is_tried_on_a_list_that_has_pages() -> None:
    known = Known(capabilities={"tools": {}, "prompts": {}})
    paged = Reply(result={"prompts": [{"name": "open"}], "nextCursor": "2"})
    steps, _ = replayed(unknown_cursor, known, (TWO, paged, TWO))
    assert [step.method for step in steps if isinstance(step, Ask)][-1] == "prompts/list"


def test_a_very_long_list_is_left_open() -> None:
    pages = [page(f"tool_{number}", str(number)) for number in range(MOST_PAGES + 1)]
    said = reported(lists_come_to_an_end, OLD, *pages)
    assert said == {"PAGE-005": f"tools/list has more than {MOST_PAGES} pages"}


def test_a_page_that_does_not_come_leaves_the_end_open() -> None:
    said = reported(lists_come_to_an_end, OLD, page("find", "2"), LOST)
    assert said == {"PAGE-005": "a page of tools/list could not be fetched"}


def test_a_list_of_one_page_shows_nothing_about_pages() -> None:
    said = reported(lists_come_to_an_end, OLD, page("find", None))
    assert said == {"PAGE-005": "no list has a second page"}
