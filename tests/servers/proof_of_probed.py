"""How truths show that are planted for probes alone."""

from __future__ import annotations

import json

from tests.patience import LONGEST
from tests.servers.base import META, STATELESS
from tests.servers.proof import shows
from tests.servers.talking import CLIENT, Talk

LETTERS = "é"


def _agreed(talk: Talk, version: str) -> str:
    """The version that the server answers with."""
    offer = {"protocolVersion": version, "capabilities": {}, "clientInfo": CLIENT}
    return str(talk.answer_to("initialize", offer)["result"]["protocolVersion"])


def _is_passed_over(talk: Talk, line: bytes) -> None:
    """Send a line, and see the next request answered first."""
    talk.open()
    talk.say(line)
    following = talk.ask("ping")
    assert talk.answer()["id"] == following


@shows("no-batches")
def a_batch_is_passed_over(talk: Talk) -> None:
    assert talk.open()["protocolVersion"] == "2025-03-26"
    talk.say(b'[{"jsonrpc":"2.0","id":"a","method":"ping"}]')
    following = talk.ask("ping")
    assert talk.answer()["id"] == following


@shows("answers-empty-batch")
def a_batch_of_notifications_is_answered(talk: Talk) -> None:
    assert talk.open()["protocolVersion"] == "2025-03-26"
    talk.say(b'[{"jsonrpc":"2.0","method":"notifications/x.invalid/unknown"}]')
    assert talk.answer()["error"]["code"] == -32600


@shows("disowns-its-version")
def the_own_offer_is_not_kept(talk: Talk) -> None:
    offered = _agreed(talk, "1900-01-01")
    assert offered != "1900-01-01"
    assert _agreed(talk, offered) != offered


@shows("offers-an-older-version")
def the_offer_is_not_the_newest(talk: Talk) -> None:
    offered = _agreed(talk, "1900-01-01")
    assert offered < "2025-11-25" == _agreed(talk, "2025-11-25")


@shows("undeclared-resources")
def undeclared_resources_are_listed(talk: Talk) -> None:
    assert "resources" not in talk.open()["capabilities"]
    assert talk.answer_to("resources/list")["result"]["resources"]


@shows("undeclared-completions")
def undeclared_values_are_completed(talk: Talk) -> None:
    assert "completions" not in talk.open()["capabilities"]
    assert talk.answer_to("completion/complete")["result"]["completion"]["values"]


@shows("logging-in-vain")
def no_level_can_be_set(talk: Talk) -> None:
    assert "logging" in talk.open()["capabilities"]
    assert talk.answer_to("logging/setLevel", {"level": "info"})["error"]["code"] == -32601


@shows("wrong-params-code")
def a_missing_name_is_an_internal_error(talk: Talk) -> None:
    talk.open()
    assert talk.answer_to("tools/call")["error"]["code"] == -32603


@shows("cancelling-is-answered")
def a_cancellation_is_answered(talk: Talk) -> None:
    talk.open()
    talk.tell("notifications/cancelled")
    assert talk.answer()["error"]["code"] == -32602


@shows("falls-over-bytes")
def a_byte_ends_the_process(talk: Talk) -> None:
    talk.open()
    talk.say(b'"\xff"')
    assert talk.hear() is None
    assert talk.process.wait(LONGEST) == 1


@shows("cuts-long-lines")
def a_long_line_is_passed_over(talk: Talk) -> None:
    params = {"_meta": {"x.invalid/text": "a" * 100_000}}
    long = {"jsonrpc": "2.0", "id": "long", "method": "tools/list", "params": params}
    _is_passed_over(talk, json.dumps(long).encode())


@shows("reads-latin-1")
def letters_are_mistaken(talk: Talk) -> None:
    talk.open()
    params = {"name": LETTERS, "arguments": {}}
    request = {"jsonrpc": "2.0", "id": "named", "method": "tools/call", "params": params}
    talk.say(json.dumps(request, ensure_ascii=False).encode())
    assert talk.answer()["error"]["message"] == "Unknown tool: Ã©"


@shows("wants-discovery-first")
def the_first_request_is_refused(talk: Talk) -> None:
    assert talk.answer_to("tools/list")["error"]["code"] == -32600
    talk.open()
    assert talk.answer_to("tools/list")["result"]["tools"]


@shows("empty-list-undeclared")
def an_empty_list_is_given(talk: Talk) -> None:
    assert "prompts" not in talk.open()["capabilities"]
    assert talk.answer_to("prompts/list")["result"]["prompts"] == []


@shows("forgets-to-name-versions")
def the_refusal_of_initialize_says_nothing(talk: Talk) -> None:
    talk.ask("initialize", meta={})
    assert "data" not in talk.answer()["error"]


@shows("lacks-capabilities")
def capabilities_may_be_missing(talk: Talk) -> None:
    talk.ask("tools/list", meta={f"{META}protocolVersion": STATELESS})
    assert talk.answer()["result"]["tools"]
