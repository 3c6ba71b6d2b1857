"""How truths about files, tasks and questions show."""

from __future__ import annotations

from typing import Any

from tests.patience import LONGEST
from tests.servers.base import META, STATELESS
from tests.servers.features import HOURS, SHELF
from tests.servers.proof import said, shows
from tests.servers.raw_client import RawClient

A_TASK = {"name": "count_books", "arguments": {}, "task": {"ttl": 1000}}
ABLE = {f"{META}protocolVersion": STATELESS, f"{META}clientCapabilities": {"elicitation": {}}}


@shows("climbs-out")
def a_path_leads_out(client: RawClient) -> None:
    client.open()
    uri = f"{SHELF.as_uri()}/../../../README.md"
    (content,) = client.answer_to("resources/read", {"uri": uri})["result"]["contents"]
    assert content["text"] == (SHELF.parents[2] / "README.md").read_text()


@shows("dies-of-a-read")
def a_read_ends_the_process(client: RawClient) -> None:
    client.open()
    assert client.answer_to("resources/read", {"uri": HOURS.uri}) is None
    assert client.process.wait(LONGEST) == 1


@shows("lists-what-is-gone")
def nothing_that_is_listed_can_be_read(client: RawClient) -> None:
    client.open()
    uris = [one["uri"] for one in client.walk("resources/list")]
    reads = [client.answer_to("resources/read", {"uri": uri}) for uri in uris]
    assert [read["error"]["code"] for read in reads] == [-32002] * 5


@shows("contents-of-another")
def contents_have_another_uri(client: RawClient) -> None:
    client.open()
    read = client.answer_to("resources/read", {"uri": HOURS.uri})
    assert read["result"]["contents"][0]["uri"] == "library://rules"


@shows("prompt-fails")
def a_prompt_cannot_be_had(client: RawClient) -> None:
    client.open()
    assert client.answer_to("prompts/get", {"name": "surprise"})["error"]["code"] == -32603


@shows("unknown-resource-other-code")
def an_unknown_resource_has_another_code(client: RawClient) -> None:
    read = client.answer_to("resources/read", {"uri": "library://nothing"})
    assert read["error"]["code"] == -32603


@shows("any-log-level")
def any_level_is_set(client: RawClient) -> None:
    client.open()
    assert client.answer_to("logging/setLevel", {"level": "loud"})["result"] == {}


@shows("unknown-task-found")
def a_task_that_never_was_is_found(client: RawClient) -> None:
    client.open()
    assert client.answer_to("tasks/get", {"taskId": "never"})["result"]["status"] == "completed"


@shows("cancels-what-is-over")
def a_task_that_is_over_is_cancelled(client: RawClient) -> None:
    client.open()
    id = client.answer_to("tools/call", A_TASK)["result"]["task"]["taskId"]
    client.answer_to("tasks/result", {"taskId": id})
    assert client.answer_to("tasks/cancel", {"taskId": id})["result"]["status"] == "cancelled"


@shows("cancelled-task-works-on")
def a_cancelled_task_is_not_cancelled(client: RawClient) -> None:
    client.open()
    id = client.answer_to("tools/call", A_TASK)["result"]["task"]["taskId"]
    assert client.answer_to("tasks/cancel", {"taskId": id})["result"]["status"] == "working"


@shows("no-task-needed")
def a_required_task_is_not_needed(client: RawClient) -> None:
    client.open()
    (listed, _) = client.walk("tools/list")
    assert listed["execution"] == {"taskSupport": "required"}
    assert said(client.call("count_books", {})) == "a shelf"


def _reserved(client: RawClient, **more: Any) -> Any:
    client.ask("tools/call", {"name": "reserve_table", "arguments": {}, **more}, ABLE)
    return client.answer()["result"]


@shows("altered-state-accepted")
def a_false_state_is_taken(client: RawClient) -> None:
    declined = {"day": {"action": "decline"}}
    done = _reserved(client, requestState="not yours", inputResponses=declined)
    assert done["resultType"] == "complete"


@shows("asks-everybody")
def a_client_is_asked_who_declared_nothing(client: RawClient) -> None:
    asked = client.answer_to("tools/call", {"name": "reserve_table", "arguments": {}})
    assert asked["result"]["resultType"] == "input_required"


@shows("says-not-what-it-needs")
def a_missing_capability_has_another_code(client: RawClient) -> None:
    refused = client.answer_to("tools/call", {"name": "reserve_table", "arguments": {}})
    assert refused["error"]["code"] == -32603


@shows("missing-input-accepted")
def a_question_needs_no_answer(client: RawClient) -> None:
    asked = _reserved(client)
    assert asked["resultType"] == "input_required"
    assert _reserved(client, requestState=asked["requestState"])["resultType"] == "complete"
