"""How the truths about hostile bytes, texts and schemas show."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from tests.servers.definitions import DEFINITIONS
from tests.servers.hostile_bytes import SERVERS, Substituting
from tests.servers.proof import said, shows
from tests.servers.raw_client import RawClient

LISTED_BY = {
    "resources": "resources/list",
    "templates": "resources/templates/list",
    "prompts": "prompts/list",
}


def sends_its_bytes(client: RawClient) -> None:
    """See the bytes in the answer to a call, as they are."""
    assert isinstance(client.server, Substituting)
    client.open()
    client.ask("tools/call", {"name": "find_book", "arguments": {"title": "Emma"}})
    assert client.server.bytes_sent in (client.hear() or b"")


def _substituting() -> list[str]:
    made = {name: planted.make() for name, planted in SERVERS.servers.items()}
    return [name for name, server in made.items() if type(server) is Substituting]


shows(*_substituting())(sends_its_bytes)


@shows("line-without-end")
def four_mib_come_without_a_line_feed(client: RawClient) -> None:
    client.open()
    client.ask("tools/call", {"name": "find_book", "arguments": {"title": "Emma"}})
    seen = 0
    while seen < 4 << 20:
        chunk = client.chunk()
        assert b"\n" not in chunk
        seen += len(chunk)


@shows("byte-order-mark")
def the_first_bytes_are_a_mark(client: RawClient) -> None:
    assert client.chunk() == b"\xef\xbb\xbf"


@shows("utf-16")
def every_other_byte_is_zero(client: RawClient) -> None:
    client.ask("ping")
    assert (client.hear() or b"").startswith(b"\xff\xfe{\x00")


@shows("blank-lines")
def a_blank_line_follows(client: RawClient) -> None:
    client.open()
    assert client.hear() == b""


@shows("answer-in-drops")
def some_answer_comes_in_pieces(client: RawClient) -> None:
    for _ in range(1_000):  # who reads late finds the pieces together
        client.ask("ping")
        if b"\n" not in client.chunk():
            break
    else:
        raise AssertionError("every answer came in one piece")
    assert client.hear() is not None


@shows("endless-questions")
def a_hundred_questions_come_first(client: RawClient) -> None:
    client.open()
    before = len(client.lines)
    client.call("find_book", {"title": "Emma"})
    assert len(client.lines) - before == 102


def listing_shows(name: str, is_fault: Callable[[Any], bool], method: str = "tools/list") -> None:
    """Register what a list looks like."""

    @shows(name)
    def proof(client: RawClient) -> None:
        client.open()
        assert is_fault(list(client.walk(method)))


for _one in DEFINITIONS:
    _kind = next((kind for kind in _one.settings if _one.settings[kind] and kind in LISTED_BY), "")
    listing_shows(_one.name, _one.shows, LISTED_BY.get(_kind, "tools/list"))


def mentions(words: str) -> Callable[[Any], bool]:
    """Whether a list has these words somewhere."""
    return lambda listed: words in json.dumps(listed, ensure_ascii=False)


listing_shows("escapes-in-names", lambda tools: "\x1b[2J" in tools[0]["name"])
listing_shows("bidi-in-description", mentions("\u202e"))
listing_shows("ten-thousand-tools", lambda tools: len(tools) == 10_000)
listing_shows("schema-bomb", mentions('"l40"'))
listing_shows("output-schema-bomb", mentions('"l40"'))
listing_shows("deep-schema", lambda tools: json.dumps(tools).count('"in"') == 300)
listing_shows("self-reference", mentions('"a": {"$ref": "#/$defs/a"}'))
listing_shows("catastrophic-pattern", mentions("^(a+)+$"))
listing_shows("reference-to-network", mentions('"$ref": "http://192.0.2.1/'))
listing_shows("reference-to-file", mentions('"$ref": "file:///etc/hostname"'))
listing_shows("dialect-on-network", mentions('"$schema": "http://192.0.2.1/'))
listing_shows("prototype-names", mentions('"__proto__"'))
listing_shows("shadowing-words", mentions("Before any other tool"))


@shows("escapes-in-answers", "markup-in-answers")
def the_answer_holds_the_characters(client: RawClient) -> None:
    client.open()
    answer = said(client.call("find_book", {"title": "Emma"}))
    assert "\x1b]0;owned\x07" in answer or "<script>" in answer
