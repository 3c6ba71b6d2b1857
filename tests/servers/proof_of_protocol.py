"""How truths about the protocol show that only a probe brings to light."""

from __future__ import annotations

from tests.patience import LONGEST
from tests.servers.base import META, STATELESS
from tests.servers.proof import said, shows
from tests.servers.raw_client import RawClient

UNKNOWN = "x.invalid/unknown"


@shows("answers-notifications")
def a_notification_is_answered(client: RawClient) -> None:
    client.open()
    assert client.answer()["error"]["code"] == -32601


@shows("echoes-any-version")
def a_version_that_never_was_is_agreed_on(client: RawClient) -> None:
    info = {"name": "raw-client", "version": "1"}
    offer = {"protocolVersion": "1900-01-01", "capabilities": {}, "clientInfo": info}
    assert client.answer_to("initialize", offer)["result"]["protocolVersion"] == "1900-01-01"


@shows("declares-resources-in-vain")
def what_is_declared_is_unknown(client: RawClient) -> None:
    assert "resources" in client.open()["capabilities"]
    assert client.answer_to("resources/list")["error"]["code"] == -32601


@shows("undeclared-prompts", "undeclared-tools")
def what_is_not_declared_is_served(client: RawClient) -> None:
    declared = client.open()["capabilities"]
    served = [kind for kind in ("tools", "prompts") if "result" in client.answer_to(f"{kind}/list")]
    assert set(served) - set(declared)


def is_passed_over(client: RawClient, method: str) -> None:
    """Ask for what is never answered, and see the next request answered first."""
    client.open()
    client.ask(method)
    following = client.ask("tools/list")
    assert client.answer()["id"] == following
    client.hang_up()
    assert client.answer() is None


@shows("unknown-method-ignored")
def an_unknown_method_is_passed_over(client: RawClient) -> None:
    is_passed_over(client, UNKNOWN)


@shows("silent-ping")
def ping_is_passed_over(client: RawClient) -> None:
    is_passed_over(client, "ping")


@shows("unknown-method-succeeds")
def any_method_succeeds(client: RawClient) -> None:
    client.open()
    assert client.answer_to(UNKNOWN)["result"] == {}


@shows("unknown-method-other-code")
def an_unknown_method_has_another_code(client: RawClient) -> None:
    client.open()
    assert client.answer_to(UNKNOWN)["error"]["code"] == -32603


@shows("cursor-loops")
def a_cursor_comes_again(client: RawClient) -> None:
    client.open()
    names = [tool["name"] for tool in client.walk("tools/list")]
    assert len(set(names)) == 4 < len(names)


@shows("pages-without-end")
def no_page_is_the_last(client: RawClient) -> None:
    client.open()
    assert client.answer_to("tools/list", {"cursor": "100000"})["result"]["nextCursor"] == "100001"


@shows("any-cursor-accepted")
def a_bogus_cursor_is_taken(client: RawClient) -> None:
    client.open()
    assert client.answer_to("tools/list", {"cursor": "never given"})["result"]["tools"]


@shows("dies-on-malformed-line")
def a_malformed_line_ends_the_process(client: RawClient) -> None:
    client.open()
    client.say(b"{not json")
    assert client.hear() is None
    assert client.process.wait(LONGEST) == 1


@shows("dies-on-notification")
def an_unknown_notification_ends_the_process(client: RawClient) -> None:
    client.open()
    client.notify("notifications/x.invalid/unknown")
    assert client.hear() is None
    assert client.process.wait(LONGEST) == 1


@shows("malformed-line-ignored")
def a_malformed_line_is_not_answered(client: RawClient) -> None:
    client.open()
    client.say(b"{not json")
    following = client.ask("ping")
    assert client.answer()["id"] == following


@shows("serves-before-handshake")
def tools_are_listed_before_the_handshake(client: RawClient) -> None:
    assert client.answer_to("tools/list")["result"]["tools"]


@shows("unknown-tool-succeeds")
def an_unknown_tool_works(client: RawClient) -> None:
    client.open()
    assert said(client.call("no_such_tool", {})) == "Done."


@shows("lists-what-cannot-be-read")
def what_is_listed_cannot_be_read(client: RawClient) -> None:
    client.open()
    (listed,) = client.walk("resources/list")
    assert client.answer_to("resources/read", {"uri": listed["uri"]})["error"]["code"] == -32002


@shows("prompt-without-its-argument")
def a_required_argument_may_be_missing(client: RawClient) -> None:
    client.open()
    (listed,) = client.walk("prompts/list")
    assert listed["arguments"] == [{"name": "mood", "required": True}]
    assert client.answer_to("prompts/get", {"name": "recommend"})["result"]["messages"]


@shows("no-discover")
def discover_is_unknown(client: RawClient) -> None:
    assert client.answer_to("server/discover")["error"]["code"] == -32601
    assert client.answer_to("tools/list")["result"]["tools"]


def _as_of(version: str) -> dict[str, object]:
    return {f"{META}protocolVersion": version, f"{META}clientCapabilities": {}}


@shows("serves-any-version")
def a_version_that_never_was_is_served(client: RawClient) -> None:
    client.ask("tools/list", meta=_as_of("1900-01-01"))
    assert client.answer()["result"]["tools"]


@shows("unsupported-without-data")
def the_refusal_names_no_version(client: RawClient) -> None:
    client.ask("tools/list", meta=_as_of("1900-01-01"))
    error = client.answer()["error"]
    assert error["code"] == -32022
    assert "data" not in error


@shows("remembers-the-sender")
def a_request_without_meta_is_served(client: RawClient) -> None:
    client.ask("tools/list", meta={})
    assert client.answer()["error"]["code"] == -32602
    client.open()
    client.ask("tools/list", meta={})
    assert client.answer()["result"]["tools"]


@shows("insists-on-client-info")
def a_request_without_a_name_is_refused(client: RawClient) -> None:
    client.ask("tools/list", meta=_as_of(STATELESS))
    assert client.answer()["error"]["code"] == -32602
    assert client.answer_to("tools/list")["result"]["tools"]


@shows("answers-removed-ping")
def ping_is_answered(client: RawClient) -> None:
    assert client.answer_to("ping")["result"]["resultType"] == "complete"


@shows("unknown-resource-is-empty")
def an_unknown_resource_has_no_contents(client: RawClient) -> None:
    read = client.answer_to("resources/read", {"uri": "library://nothing"})
    assert read["result"]["contents"] == []


@shows("order-changes")
def the_order_changes(client: RawClient) -> None:
    lists = [[tool["name"] for tool in client.walk("tools/list")] for _ in range(2)]
    assert lists[0] != lists[1]
    assert sorted(lists[0]) == sorted(lists[1])


@shows("changes-silently")
def a_listening_client_is_not_told_of_a_new_tool(client: RawClient) -> None:
    client.ask("subscriptions/listen", {"notifications": {"toolsListChanged": True}})
    assert b"notifications/subscriptions/acknowledged" in (client.hear() or b"")
    before = len(list(client.walk("tools/list")))
    assert said(client.call("open_shelf", {})) == "A shelf was opened."
    assert len(list(client.walk("tools/list"))) == before + 1


@shows("tools-appear-later")
def a_call_makes_a_tool_appear(client: RawClient) -> None:
    before = len(list(client.walk("tools/list")))
    client.call("shelf_0", {})
    assert len(list(client.walk("tools/list"))) == before + 1


@shows("never-answers")
def nothing_is_answered(client: RawClient) -> None:
    client.ask("ping")
    assert client.end() == 0
    assert [direction for direction, _ in client.lines] == ["c2s"]


@shows("message-over-lines")
def no_line_of_the_list_is_a_message(client: RawClient) -> None:
    client.open()
    client.ask("tools/list")
    assert client.hear() == b"{"
