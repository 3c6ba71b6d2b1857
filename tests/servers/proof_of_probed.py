"""How truths show that are planted for probes alone."""

from __future__ import annotations

import json

from tests.patience import LONGEST
from tests.servers.base import META, STATELESS
from tests.servers.proof import shows
from tests.servers.raw_client import CLIENT, RawClient

LETTERS = "é"


def _agreed(client: RawClient, version: str) -> str:
    """The version that the server answers with."""
    offer = {"protocolVersion": version, "capabilities": {}, "clientInfo": CLIENT}
    return str(client.answer_to("initialize", offer)["result"]["protocolVersion"])


def _is_passed_over(client: RawClient, line: bytes) -> None:
    """Send a line, and see the next request answered first."""
    client.open()
    client.say(line)
    following = client.ask("ping")
    assert client.answer()["id"] == following


@shows("no-batches")
def a_batch_is_passed_over(client: RawClient) -> None:
    assert client.open()["protocolVersion"] == "2025-03-26"
    client.say(b'[{"jsonrpc":"2.0","id":"a","method":"ping"}]')
    following = client.ask("ping")
    assert client.answer()["id"] == following


@shows("answers-empty-batch")
def a_batch_of_notifications_is_answered(client: RawClient) -> None:
    assert client.open()["protocolVersion"] == "2025-03-26"
    client.say(b'[{"jsonrpc":"2.0","method":"notifications/x.invalid/unknown"}]')
    assert client.answer()["error"]["code"] == -32600


@shows("disowns-its-version")
def the_own_offer_is_not_kept(client: RawClient) -> None:
    offered = _agreed(client, "1900-01-01")
    assert offered != "1900-01-01"
    assert _agreed(client, offered) != offered


@shows("offers-an-older-version")
def the_offer_is_not_the_newest(client: RawClient) -> None:
    offered = _agreed(client, "1900-01-01")
    assert offered < "2025-11-25" == _agreed(client, "2025-11-25")


@shows("undeclared-resources")
def undeclared_resources_are_listed(client: RawClient) -> None:
    assert "resources" not in client.open()["capabilities"]
    assert client.answer_to("resources/list")["result"]["resources"]


@shows("undeclared-completions")
def undeclared_values_are_completed(client: RawClient) -> None:
    assert "completions" not in client.open()["capabilities"]
    assert client.answer_to("completion/complete")["result"]["completion"]["values"]


@shows("logging-in-vain")
def no_level_can_be_set(client: RawClient) -> None:
    assert "logging" in client.open()["capabilities"]
    assert client.answer_to("logging/setLevel", {"level": "info"})["error"]["code"] == -32601


@shows("wrong-params-code")
def a_missing_name_is_an_internal_error(client: RawClient) -> None:
    client.open()
    assert client.answer_to("tools/call")["error"]["code"] == -32603


@shows("cancelling-is-answered")
def a_cancellation_is_answered(client: RawClient) -> None:
    client.open()
    client.notify("notifications/cancelled")
    assert client.answer()["error"]["code"] == -32602


@shows("falls-over-bytes")
def a_byte_ends_the_process(client: RawClient) -> None:
    client.open()
    client.say(b'"\xff"')
    assert client.hear() is None
    assert client.process.wait(LONGEST) == 1


@shows("cuts-long-lines")
def a_long_line_is_passed_over(client: RawClient) -> None:
    params = {"_meta": {"x.invalid/text": "a" * 100_000}}
    long = {"jsonrpc": "2.0", "id": "long", "method": "tools/list", "params": params}
    _is_passed_over(client, json.dumps(long).encode())


@shows("reads-latin-1")
def letters_are_mistaken(client: RawClient) -> None:
    client.open()
    params = {"name": LETTERS, "arguments": {}}
    request = {"jsonrpc": "2.0", "id": "named", "method": "tools/call", "params": params}
    client.say(json.dumps(request, ensure_ascii=False).encode())
    assert client.answer()["error"]["message"] == "Unknown tool: Ã©"


@shows("wants-discovery-first")
def the_first_request_is_refused(client: RawClient) -> None:
    assert client.answer_to("tools/list")["error"]["code"] == -32600
    client.open()
    assert client.answer_to("tools/list")["result"]["tools"]


@shows("empty-list-undeclared")
def an_empty_list_is_given(client: RawClient) -> None:
    assert "prompts" not in client.open()["capabilities"]
    assert client.answer_to("prompts/list")["result"]["prompts"] == []


@shows("forgets-to-name-versions")
def the_refusal_of_initialize_says_nothing(client: RawClient) -> None:
    client.ask("initialize", meta={})
    assert "data" not in client.answer()["error"]


@shows("lacks-capabilities")
def capabilities_may_be_missing(client: RawClient) -> None:
    client.ask("tools/list", meta={f"{META}protocolVersion": STATELESS})
    assert client.answer()["result"]["tools"]
