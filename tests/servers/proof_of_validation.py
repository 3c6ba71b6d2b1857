"""How truths about the validation of calls show."""

from __future__ import annotations

from typing import Any

from tests.servers.proof import shows
from tests.servers.raw_client import RawClient

GOOD = {"tool": "find_book", "arguments": {"title": "Middlemarch"}}
WRONG = {"tool": "find_book", "arguments": {}}


def verdict(client: RawClient, asked: dict[str, Any]) -> Any:
    return client.call("validate", asked)["structuredContent"]


@shows("validation-missing")
def the_tool_is_not_listed(client: RawClient) -> None:
    client.open()
    assert "validate" not in [tool["name"] for tool in client.walk("tools/list")]


@shows("validation-without-verdict")
def valid_is_a_text(client: RawClient) -> None:
    client.open()
    assert verdict(client, GOOD)["valid"] == "yes"


@shows("validation-says-yes")
def what_is_wrong_is_called_valid(client: RawClient) -> None:
    client.open()
    assert verdict(client, WRONG)["valid"] is True


@shows("validation-changes-its-mind")
def the_same_call_gets_two_verdicts(client: RawClient) -> None:
    client.open()
    assert verdict(client, GOOD)["valid"] is not verdict(client, GOOD)["valid"]


@shows("validation-refuses-all")
def what_is_refused_in_advance_succeeds(client: RawClient) -> None:
    client.open()
    assert verdict(client, GOOD)["valid"] is False
    assert not client.call("find_book", {"title": "Middlemarch"}).get("isError")


@shows("batches-in-vain")
def several_calls_get_no_results(client: RawClient) -> None:
    client.open()
    assert "results" not in verdict(client, {"calls": [GOOD, GOOD]})


@shows("validation-acts")
def a_question_adds_a_book(client: RawClient) -> None:
    client.open()
    before = client.call("list_books", {})
    verdict(client, {"tool": "add_book", "arguments": {}})
    assert client.call("list_books", {}) != before


@shows("validation-odd")
def a_size_is_announced_without_batches(client: RawClient) -> None:
    said = client.open()["capabilities"]["experimental"]["toolValidation"]
    assert "maxBatchSize" in said
    assert "batchValidation" not in said


@shows("batches-in-disorder")
def the_last_call_of_a_batch_is_answered_first(client: RawClient) -> None:
    client.open()
    found = verdict(client, {"calls": [GOOD, WRONG]})["results"]
    assert [one["valid"] for one in found] == [False, True]


@shows("verdicts-end-untold")
def changes_of_tools_end_verdicts_and_are_not_told(client: RawClient) -> None:
    declared = client.open()["capabilities"]
    assert declared["experimental"]["toolValidation"]["caching"]["invalidateOn"] == ["tool_update"]
    assert "listChanged" not in declared["tools"]
