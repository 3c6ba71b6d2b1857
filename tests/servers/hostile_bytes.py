"""Servers that send bytes, texts, numbers or schemas that hurt whoever reads them."""

from __future__ import annotations

import json
import os
from typing import Any

from tests.servers.base import A_HANDSHAKE, Asked, Server
from tests.servers.planting import Family
from tests.servers.things import (
    Object,
    Tool,
    accepts,
    answers,
    found,
    lookup,
    refusal,
    structured,
    text,
)

SERVERS = Family("hostile-bytes")
plant = SERVERS.plant
MIB = 1 << 20
MARK = "@MARK@"
MANY = b"@MANY@"
FEW = ("--max-calls", "8")
"""For answers that take long to read, and are all alike."""


class Substituting(Server):
    """A server whose tool's text becomes bytes that json would not write."""

    revisions = (A_HANDSHAKE,)
    tools = (lookup(answers(MARK)),)
    bytes_sent = b""

    def write(self, message: Any) -> None:
        """Send the bytes in place of the text."""
        mark = json.dumps(MARK).encode()
        self.write_bytes(json.dumps(message).encode().replace(mark, self.bytes_sent) + b"\n")


def substituting(
    name: str,
    truth: str,
    sent: bytes,
    *rules: str,
    times: int = 1,
    piece: bytes = MANY,
    **expected: Any,
) -> None:
    """Plant a server that sends these bytes as the text of its tool's answer.

    What stands in them for many pieces becomes them only where that server is made.
    """

    def make() -> Substituting:
        return Substituting(bytes_sent=sent.replace(MANY, piece * times))

    SERVERS.add(name, truth, make, *rules, **expected)


# fmt: off
substituting("not-a-number", "Answers NaN.", b"NaN", "JSONRPC-019")
substituting("huge-exponent", "Answers 1e400.", b'"3 books", "size": 1e400', "JSONRPC-020")
substituting("huge-integer", "Answers a number of 5,000 digits.",
             b'"3 books", "size": ' + b"9" * 5000, "JSONRPC-020")
substituting("invalid-utf-8", "Answers bytes that are not UTF-8.", b'"caf\xe9"',
             "STDIO-003")
substituting("encoded-surrogate", "Answers a surrogate in UTF-8's form.", b'"\xed\xa0\x80"',
             "STDIO-003")
substituting("lone-surrogate", "Answers half a character.", b'"\\ud800"', "JSONRPC-020")
substituting("null-character", "Answers a text with U+0000.", b'"three\\u0000books"', correct=True)
substituting("raw-control-character", "Answers with a raw tab in a string.", b'"three\tbooks"',
             "JSONRPC-001")
substituting("duplicate-keys", "Answers with two texts in one block.", b'"3", "text": "4"',
             "JSONRPC-018")
substituting("deep-nesting", "Answers nested 100,000 levels deep.",
             b'"", "more": ' + b"[" * 100_000 + b"]" * 100_000, "LIMIT-001", options=FEW)
substituting("line-above-16-mib", "Answers with a line of 17 MiB.",
             b'"@MANY@"', piece=b"x", times=17 * MIB, limits=True)
substituting("many-small-objects", "Answers with 2 million empty arrays.",
             b'"", "more": [@MANY@[]]', piece=b"[],", times=2 * MIB, limits=True)
substituting("just-decoded-objects", "Answers with 600,000 empty arrays in less than 2 MiB.",
             b'"", "more": [@MANY@[]]', piece=b"[],", times=600_000, limits=True,
             options=("--max-calls", "14"))
substituting("just-decoded-text", "Answers with a text of a little less than 2 MiB.",
             b'"@MANY@"', piece=b"x", times=2 * MIB - 500, correct=True)
# fmt: on


@plant(
    "line-without-end",
    "Answers a call with a line that never ends.",
    limits=True,
    options=("--timeout", "4"),
)
class LineWithoutEnd(Substituting):
    def write(self, message: Any) -> None:
        if MARK not in json.dumps(message):
            return super().write(message)
        self.write_bytes(json.dumps(message).encode()[:-4])
        while True:
            self.write_bytes(b"x" * (1 << 16))


@plant("byte-order-mark", "Begins with a byte order mark.", "STDIO-003")
class ByteOrderMark(Substituting):
    bytes_sent = b'"3 books"'

    def run(self) -> int:
        """Send the mark, then serve."""
        self.write_bytes(b"\xef\xbb\xbf")
        return super().run()


@plant("utf-16", "Writes UTF-16.", exit_code=3, options=("--timeout", "1"))
class Utf16(Substituting):
    def write_bytes(self, line: bytes) -> None:
        super().write_bytes(line.decode().encode("utf-16"))


@plant("blank-lines", "Writes blank lines between its messages.", "STDIO-001", exit_code=1)
class BlankLines(Substituting):
    bytes_sent = b'"3 books"'

    def write_bytes(self, line: bytes) -> None:
        super().write_bytes(line + b"\n")


@plant("answer-in-drops", "Sends its answers byte by byte.", correct=True)
class AnswerInDrops(Server):
    tools = (lookup(found),)

    def write_bytes(self, line: bytes) -> None:
        for byte in line:
            os.write(1, bytes([byte]))


@plant("escapes-in-names", "A tool's name clears the terminal.", "TOOL-003")
def escapes_in_names() -> Server:
    return Server(Tool("find\x1b[2J\x1b]52;c;aGk=\x07", answers("shelf 3")))


@plant("escapes-in-answers", "An answer rewrites the terminal.", correct=True)
def escapes_in_answers() -> Server:
    return Server(lookup(answers("\x1b]0;owned\x07\x9b31m3 books\r\x1b[1A")))


@plant("bidi-in-description", "A description reverses what is read.", correct=True)
def bidi_in_description() -> Server:
    return Server(lookup(found, description="Find a book \u202e.kcehc on htiw\u202c\u2066\u200b."))


@plant("markup-in-answers", "An answer is markup for every kind of report.", correct=True)
def markup_in_answers() -> Server:
    words = "[bold]</testcase>]]><script>alert(1)</script>| a | ${x} \ufffe"
    return Server(lookup(answers(words), description=words))


@plant("ten-thousand-tools", "Lists 10,000 tools.", limits=True)
def ten_thousand_tools() -> Server:
    return Server(*(Tool(f"shelf_{n}", answers("a shelf")) for n in range(10_000)), page_size=10**6)


def _doubling(levels: int) -> Object:
    """A schema of which every level asks twice for the next."""
    twice = {f"l{n}": {"allOf": [{"$ref": f"#/$defs/l{n + 1}"}] * 2} for n in range(levels)}
    return {**twice, f"l{levels}": {"type": "integer"}}


@plant("schema-bomb", "An inputSchema asks 2^40 questions.", "TOOL-029")
def schema_bomb() -> Server:
    schema = {**accepts(limit={"$ref": "#/$defs/l0"}), "$defs": _doubling(40)}
    return Server(Tool("shelf", _whole_limit, schema, unchecked=("properties",)))


def _whole_limit(given: Object) -> Object:
    is_whole = type(given.get("limit", 0)) is int
    return text("shelf 3") if is_whole else refusal("limit is not an integer")


@plant("output-schema-bomb", "An outputSchema asks 2^40 questions.", "TOOL-029")
def output_schema_bomb() -> Server:
    part = {"type": "object", "properties": {"limit": {"$ref": "#/$defs/l0"}}}
    schema = {**part, "$defs": _doubling(40)}
    return Server(lookup(lambda given: structured({"limit": 3}), more={"outputSchema": schema}))


@plant("deep-schema", "An inputSchema is nested 300 levels deep.", "TOOL-029")
def deep_schema() -> Server:
    schema: Object = {"type": "string"}
    for _ in range(300):
        schema = {"type": "object", "properties": {"in": schema}}
    return Server(Tool("shelf", answers("shelf 3"), accepts(outer=schema)))


@plant("self-reference", "An inputSchema refers to itself alone.", "TOOL-029")
def self_reference() -> Server:
    schema = {**accepts(title={"$ref": "#/$defs/a"}), "$defs": {"a": {"$ref": "#/$defs/a"}}}
    return Server(Tool("shelf", answers("shelf 3"), schema, unchecked=("properties",)))


@plant("catastrophic-pattern", "A pattern takes for ever on a wrong text.", correct=True)
def catastrophic_pattern() -> Server:
    code = {"type": "string", "pattern": "^(a+)+$", "maxLength": 200}
    tool = Tool("shelf", _all_a, accepts("code", code=code), {"code": "aaa"})
    return Server(tool._replace(unchecked=("pattern",)))


def _all_a(given: Object) -> Object:
    return text("shelf 3") if {*given["code"]} == {"a"} else refusal("code breaks its pattern")


@plant("catastrophic-output", "An answer meets a pattern that takes for ever.", "CALL-003")
def catastrophic_output() -> Server:
    shape = {"type": "object", "properties": {"code": {"type": "string", "pattern": "^(a|a)+$"}}}
    answer = structured({"code": "a" * 5000 + "!"})
    return Server(lookup(lambda given: answer, more={"outputSchema": shape}))


@plant("reference-to-network", "A $ref leads to the network.", "TOOL-012")
def reference_to_network() -> Server:
    schema = accepts(title={"$ref": "http://192.0.2.1/title.json"})
    return Server(Tool("shelf", answers("shelf 3"), schema, unchecked=("properties",)))


@plant("reference-to-file", "A $ref leads to a file.", "TOOL-013")
def reference_to_file() -> Server:
    schema = accepts(title={"$ref": "file:///etc/hostname"})
    return Server(Tool("shelf", answers("shelf 3"), schema, unchecked=("properties",)))


@plant("dialect-on-network", "A $schema leads to the network.", "TOOL-011")
def dialect_on_network() -> Server:
    schema = {**accepts(), "$schema": "http://192.0.2.1/dialect.json"}
    return Server(Tool("shelf", answers("shelf 3"), schema))


@plant("prototype-names", "Arguments are called like parts of objects.", correct=True)
def prototype_names() -> Server:
    names = ("__proto__", "constructor", "$ref", "", "a/b~c", "__class__")
    properties = {name: {"type": "integer"} for name in names}
    return Server(Tool("shelf", answers("shelf 3"), accepts(**properties), {"__proto__": 1}))


@plant("endless-questions", "Asks a hundred questions before each answer.", "CAP-008", exit_code=1)
class EndlessQuestions(Server):
    revisions = (A_HANDSHAKE,)
    tools = (lookup(lambda given: text("3 books")),)

    def call_tool(self, asked: Asked) -> Object:
        for n in range(100):
            self.write({"jsonrpc": "2.0", "id": f"{asked.id}-{n}", "method": "roots/list"})
        return super().call_tool(asked)
