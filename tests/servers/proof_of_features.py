"""How truths about files, tasks and questions show."""

from __future__ import annotations

from typing import Any

from tests.patience import LONGEST
from tests.servers.base import META, STATELESS
from tests.servers.features import HOURS, SHELF
from tests.servers.proof import said, shows
from tests.servers.talking import Talk

A_TASK = {"name": "count_books", "arguments": {}, "task": {"ttl": 1000}}
ABLE = {f"{META}protocolVersion": STATELESS, f"{META}clientCapabilities": {"elicitation": {}}}


@shows("climbs-out")
def a_path_leads_out(talk: Talk) -> None:
    talk.open()
    uri = f"{SHELF.as_uri()}/../../../README.md"
    (content,) = talk.answer_to("resources/read", {"uri": uri})["result"]["contents"]
    assert content["text"] == (SHELF.parents[2] / "README.md").read_text()


@shows("dies-of-a-read")
def a_read_ends_the_process(talk: Talk) -> None:
    talk.open()
    assert talk.answer_to("resources/read", {"uri": HOURS.uri}) is None
    assert talk.process.wait(LONGEST) == 1


@shows("lists-what-is-gone")
def nothing_that_is_listed_can_be_read(talk: Talk) -> None:
    talk.open()
    uris = [one["uri"] for one in talk.walk("resources/list")]
    reads = [talk.answer_to("resources/read", {"uri": uri}) for uri in uris]
    assert [read["error"]["code"] for read in reads] == [-32002] * 5


@shows("contents-of-another")
def contents_have_another_uri(talk: Talk) -> None:
    talk.open()
    read = talk.answer_to("resources/read", {"uri": HOURS.uri})
    assert read["result"]["contents"][0]["uri"] == "library://rules"


@shows("prompt-fails")
def a_prompt_cannot_be_had(talk: Talk) -> None:
    talk.open()
    assert talk.answer_to("prompts/get", {"name": "surprise"})["error"]["code"] == -32603


@shows("unknown-resource-other-code")
def an_unknown_resource_has_another_code(talk: Talk) -> None:
    read = talk.answer_to("resources/read", {"uri": "library://nothing"})
    assert read["error"]["code"] == -32603


@shows("any-log-level")
def any_level_is_set(talk: Talk) -> None:
    talk.open()
    assert talk.answer_to("logging/setLevel", {"level": "loud"})["result"] == {}


@shows("unknown-task-found")
def a_task_that_never_was_is_found(talk: Talk) -> None:
    talk.open()
    assert talk.answer_to("tasks/get", {"taskId": "never"})["result"]["status"] == "completed"


@shows("cancels-what-is-over")
def a_task_that_is_over_is_cancelled(talk: Talk) -> None:
    talk.open()
    id = talk.answer_to("tools/call", A_TASK)["result"]["task"]["taskId"]
    talk.answer_to("tasks/result", {"taskId": id})
    assert talk.answer_to("tasks/cancel", {"taskId": id})["result"]["status"] == "cancelled"


@shows("cancelled-task-works-on")
def a_cancelled_task_is_not_cancelled(talk: Talk) -> None:
    talk.open()
    id = talk.answer_to("tools/call", A_TASK)["result"]["task"]["taskId"]
    assert talk.answer_to("tasks/cancel", {"taskId": id})["result"]["status"] == "working"


@shows("no-task-needed")
def a_required_task_is_not_needed(talk: Talk) -> None:
    talk.open()
    (listed, _) = talk.walk("tools/list")
    assert listed["execution"] == {"taskSupport": "required"}
    assert said(talk.call("count_books", {})) == "a shelf"


def _reserved(talk: Talk, **more: Any) -> Any:
    talk.ask("tools/call", {"name": "reserve_table", "arguments": {}, **more}, ABLE)
    return talk.answer()["result"]


@shows("altered-state-accepted")
def a_false_state_is_taken(talk: Talk) -> None:
    declined = {"day": {"action": "decline"}}
    done = _reserved(talk, requestState="not yours", inputResponses=declined)
    assert done["resultType"] == "complete"


@shows("asks-everybody")
def a_client_is_asked_who_declared_nothing(talk: Talk) -> None:
    asked = talk.answer_to("tools/call", {"name": "reserve_table", "arguments": {}})
    assert asked["result"]["resultType"] == "input_required"


@shows("says-not-what-it-needs")
def a_missing_capability_has_another_code(talk: Talk) -> None:
    refused = talk.answer_to("tools/call", {"name": "reserve_table", "arguments": {}})
    assert refused["error"]["code"] == -32603


@shows("missing-input-accepted")
def a_question_needs_no_answer(talk: Talk) -> None:
    asked = _reserved(talk)
    assert asked["resultType"] == "input_required"
    assert _reserved(talk, requestState=asked["requestState"])["resultType"] == "complete"
