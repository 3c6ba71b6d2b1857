"""How truths about the validation of calls show."""

from __future__ import annotations

from typing import Any

from tests.servers.proof import shows
from tests.servers.talking import Talk

GOOD = {"tool": "find_book", "arguments": {"title": "Middlemarch"}}
WRONG = {"tool": "find_book", "arguments": {}}


def verdict(talk: Talk, asked: dict[str, Any]) -> Any:
    return talk.call("validate", asked)["structuredContent"]


@shows("validation-missing")
def the_tool_is_not_listed(talk: Talk) -> None:
    talk.open()
    assert "validate" not in [tool["name"] for tool in talk.walk("tools/list")]


@shows("validation-without-verdict")
def valid_is_a_text(talk: Talk) -> None:
    talk.open()
    assert verdict(talk, GOOD)["valid"] == "yes"


@shows("validation-says-yes")
def what_is_wrong_is_called_valid(talk: Talk) -> None:
    talk.open()
    assert verdict(talk, WRONG)["valid"] is True


@shows("validation-changes-its-mind")
def the_same_call_gets_two_verdicts(talk: Talk) -> None:
    talk.open()
    assert verdict(talk, GOOD)["valid"] is not verdict(talk, GOOD)["valid"]


@shows("validation-refuses-all")
def what_is_refused_in_advance_succeeds(talk: Talk) -> None:
    talk.open()
    assert verdict(talk, GOOD)["valid"] is False
    assert not talk.call("find_book", {"title": "Middlemarch"}).get("isError")


@shows("batches-in-vain")
def several_calls_get_no_results(talk: Talk) -> None:
    talk.open()
    assert "results" not in verdict(talk, {"calls": [GOOD, GOOD]})


@shows("validation-acts")
def a_question_adds_a_book(talk: Talk) -> None:
    talk.open()
    before = talk.call("list_books", {})
    verdict(talk, {"tool": "add_book", "arguments": {}})
    assert talk.call("list_books", {}) != before


@shows("validation-odd")
def a_size_is_announced_without_batches(talk: Talk) -> None:
    said = talk.open()["capabilities"]["experimental"]["toolValidation"]
    assert "maxBatchSize" in said
    assert "batchValidation" not in said


@shows("batches-in-disorder")
def the_last_call_of_a_batch_is_answered_first(talk: Talk) -> None:
    talk.open()
    found = verdict(talk, {"calls": [GOOD, WRONG]})["results"]
    assert [one["valid"] for one in found] == [False, True]


@shows("verdicts-end-untold")
def changes_of_tools_end_verdicts_and_are_not_told(talk: Talk) -> None:
    declared = talk.open()["capabilities"]
    assert declared["experimental"]["toolValidation"]["caching"]["invalidateOn"] == ["tool_update"]
    assert "listChanged" not in declared["tools"]
