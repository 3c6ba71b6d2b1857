"""How the truths about floods and depths show."""

from __future__ import annotations

import json

from tests.servers.floods import DEEPEST, LARGE, LONG_ID, MANY, Deep
from tests.servers.proof import shows
from tests.servers.raw_client import RawClient

ENOUGH = 20
A_CALL = {"name": "find_book", "arguments": {"title": "Emma"}}


def flooded(client: RawClient) -> list[bytes]:
    """The lines that come once the server is greeted, though nobody asks for anything."""
    client.open()
    lines = [client.hear() or b"" for _ in range(ENOUGH)]
    assert all(lines)
    return lines


@shows("flood-of-pings")
def pings_come_unasked(client: RawClient) -> None:
    assert {json.loads(line)["method"] for line in flooded(client)} == {"ping"}


@shows("flood-of-long-ids")
def pings_have_long_ids(client: RawClient) -> None:
    assert min(len(json.loads(line)["id"]) for line in flooded(client)) > LONG_ID


@shows("flood-of-large-messages")
def notifications_are_large(client: RawClient) -> None:
    assert min(line.count(b"[]") for line in flooded(client)) > LARGE


@shows("flood-of-bytes")
def lines_are_no_messages(client: RawClient) -> None:
    assert {line[:2] for line in flooded(client)} == {b"\x00\xff"}


@shows("notes-before-answers")
def many_notes_come_before_an_answer(client: RawClient) -> None:
    client.open()
    before = len(client.lines)
    assert client.answer_to("tools/call", A_CALL)["result"]["content"]
    assert len(client.lines) - before > MANY


@shows("very-deep-schema")
def a_definition_is_deep(client: RawClient) -> None:
    client.open()
    client.ask("tools/list")
    assert deep_text(client) in (client.hear() or b"")


@shows("very-deep-answer")
def an_answer_is_deep(client: RawClient) -> None:
    client.open()
    client.ask("tools/call", A_CALL)
    assert deep_text(client) in (client.hear() or b"")


def deep_text(client: RawClient) -> bytes:
    """What the server puts where its mark is."""
    assert isinstance(client.server, Deep)
    return client.server.opening * DEEPEST + client.server.inside
