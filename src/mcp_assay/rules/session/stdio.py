"""What stands on the pipes between client and server: one message a line, and nothing else."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from mcp_assay.model.entry import Delivery, Direction
from mcp_assay.model.finding import Finding
from mcp_assay.rules.engine.findings import to_finding
from mcp_assay.rules.engine.rule import Found, Step, session_rule
from mcp_assay.rules.engine.samples import (
    broken,
    c2s,
    kept,
    modern_request,
    modern_result,
    opening,
    request,
    s2c,
)
from mcp_assay.rules.engine.samples import result as answer
from mcp_assay.rules.engine.session_rules import SessionLine, watch_lines
from mcp_assay.rules.engine.slow import kind_of
from mcp_assay.session.state import SessionState
from mcp_assay.spec.revisions import R2026_07_28
from mcp_assay.text.words import quote
from mcp_assay.wire.notes import MAX_MESSAGE_BYTES, UNREAD
from mcp_assay.wire.reader import read

PIPE: Final = Delivery(transport="stdio", exact=True)
NOISE: Final[dict[Direction, tuple[str, str]]] = {
    "s2c": ("STDIO-001", "stdout"),
    "c2s": ("STDIO-004", "stdin"),
}
"""The rule for what is no message, and what the pipe is called."""
OF_NOISE: Final = frozenset(rule for rule, _ in NOISE.values())
FEED, RETURN = b"\n\r"
"""As numbers, which are found faster than texts."""
OF_BOTH: Final = ("STDIO-002", "STDIO-003")
OF_TEXT: Final = ("JSONRPC-001", "JSONRPC-019")
OF_PIPE: Final = ("STDIO-001", *OF_BOTH)
"""The rules that report the same line, as a message and as a line."""
RETURN_ALONE: Final = "a carriage return alone"
"""What text mode writes on Windows, and JSON takes for white space: every client reads it."""
MOST_SHOWN: Final = 100
"""Bytes of a line that may be quoted."""
TOO_LONG: Final = "the line is too long to read"
TOOLS: Final[dict[str, object]] = {"tools": {}}
LIST: Final[dict[str, object]] = {"tools": []}
MODERN_LIST: Final[dict[str, Any]] = {"tools": [], "ttlMs": 0, "cacheScope": "private"}

_MESSAGE: Final = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'


def _asks(text: Any) -> Step:
    return c2s(text, PIPE)


def _says(text: Any) -> Step:
    return s2c(text, PIPE)


_WELL: Final = (*opening(), _asks(request("ping")), _says(answer({})))

session_rule(
    "STDIO-001",
    "noise-on-stdout",
    """The server writes something other than MCP messages to stdout.

    Why: clients read every line as a message. Some report each such line, others disconnect.
    Instead: write logs and banners to stderr, and only messages to stdout.
    """,
    reason="noise",
    good=lambda: [kept(_WELL)],
    bad=lambda: [
        broken(_says(b"Notes server is ready."), also=((0, "JSONRPC-001", ""),)),
        broken(_says(b""), also=((0, "JSONRPC-001", ""),)),
    ],
)

session_rule(
    "STDIO-002",
    "line-breaks",
    """A line contains more or less than one message.

    Why: only line feeds separate messages. A second message on the line is read as part of the
    first one. A carriage return before the line feed is read as white space by most, not by all.
    Instead: write each message without line breaks, and end it with one line feed.
    """,
    reason="line_breaks",
    good=lambda: [kept(_WELL)],
    bad=lambda: [
        broken(*opening(), _asks(_MESSAGE + b"\r"), _says(answer({})), at=3),
    ],
)

session_rule(
    "STDIO-003",
    "not-utf-8",
    """A line is not UTF-8, or begins with a byte order mark.

    Why: the other side cannot decode the line, or reads the mark as part of the message.
    Instead: write UTF-8 without a byte order mark, regardless of the system's encoding.
    """,
    reason="not_utf8",
    good=lambda: [kept(_WELL)],
    bad=lambda: [
        broken(
            *opening(),
            _asks(BOM_UTF8 + _MESSAGE),
            _says(answer({})),
            at=3,
            also=((3, "JSONRPC-019", ""),),
        ),
    ],
)

session_rule(
    "STDIO-004",
    "noise-on-stdin",
    """The client writes something other than MCP messages to the server's stdin.

    Why: the server reads every line as a message; many drop it, some exit.
    Instead: write only messages.
    """,
    reason="noise",
    good=lambda: [kept(_WELL)],
    bad=lambda: [broken(_asks(b"quit"), also=((0, "JSONRPC-001", ""),))],
)

session_rule(
    "STDIO-005",
    "request-on-stdout",
    """The server writes a request to stdout.

    Why: since 2026-07-28 servers send no requests to clients; it will never be answered.
    Instead: use an input_required result.
    """,
    reason="request_on_stdout",
    good=lambda: [kept(_asks(modern_request("tools/list")), _says(modern_result(MODERN_LIST)))],
    bad=lambda: [
        broken(
            _asks(modern_request("tools/list")),
            _says(modern_request("x/ask", id="s-1")),
            _says(modern_result(MODERN_LIST)),
            at=1,
            pointer="/method",
            also=(
                (1, "SCHEMA-003", "/method"),
                (1, "VER-010", "/method"),
            ),
        )
    ],
)


@watch_lines(plain=True)
def noise_on_stdio(session: SessionState, line: SessionLine) -> Iterable[Found]:
    """Decide STDIO-001 to STDIO-005 for the exact bytes of a line on a pipe."""
    delivery, text = line.delivery, line.text
    if text is None or not delivery.exact or not _is_pipe(delivery):
        return ()
    _decide(session, line)
    if len(text) > MAX_MESSAGE_BYTES:
        session.leave_open(NOISE[line.direction][0], TOO_LONG)
        return ()
    if line.value.__class__ is not dict or RETURN in text or FEED in text:
        return list(_line_faults(line, text))
    return _value_faults(line)


def each_cause_once(
    findings: Sequence[Finding], text: bytes, *, alone_in: str | None = None
) -> Sequence[Finding]:
    """What is wrong with a line on a pipe, without what is said of it as a message too.

    A text that nobody meant as a message is noise, and nothing else; one that was is broken, and no
    noise. Bytes that are not UTF-8, and what follows a message in its line, are faults of the pipe.
    What a server said and was judged alone, without its conversation, by the rules of the revision
    `alone_in`, was not judged as a line yet.
    """
    if alone_in is not None:
        findings = [*findings, *_pipe_findings(text, alone_in)]
    rules = {finding.rule for finding in findings}
    if not rules.isdisjoint(OF_BOTH):
        return [finding for finding in findings if finding.rule not in OF_TEXT or finding.pointer]
    if rules.isdisjoint(OF_NOISE):
        return findings
    is_broken = _is_meant_as_message(text)
    return [finding for finding in findings if (finding.rule not in OF_NOISE) == is_broken]


def folded_rules(found: Sequence[Finding], kept: Sequence[Finding]) -> dict[str, str]:
    """The rules of findings on a line that are not kept, each with the rule that tells instead."""
    rules = {finding.rule for finding in kept}
    return {one.rule: kept[0].rule for one in found if kept and one.rule not in rules}


def _pipe_findings(text: bytes, revision: str) -> list[Finding]:
    """What the line is, by the rules of the pipe that say what a line is."""
    reading = read(text, duplicates=False)
    value = reading.value if reading.readable else UNREAD
    line = SessionLine("s2c", PIPE, text=text, value=value, revision=revision)
    found = _line_faults(line, text)
    return [to_finding(one, revision, direction="s2c") for one in found if one.rule in OF_PIPE]


def _is_meant_as_message(text: bytes) -> bool:
    bare = text.strip()
    return bare.startswith(b"{") and bare.endswith(b"}") and b'"jsonrpc"' in bare


def _is_pipe(delivery: Delivery) -> bool:
    if delivery.transport is None:
        return delivery.http is None and delivery.sse is None and delivery.exchange is None
    return delivery.transport == "stdio"


def _decide(session: SessionState, line: SessionLine) -> None:
    rule = NOISE[line.direction][0]
    if rule not in session.run.session_rules:
        session.decide(rule, *OF_BOTH)
    is_modern = line.revision >= R2026_07_28 and line.direction == "s2c"
    if is_modern and "STDIO-005" not in session.run.session_rules:
        session.decide("STDIO-005")


def _line_faults(line: SessionLine, text: bytes) -> Iterator[Found]:
    """What is wrong with a line that is not simply an object."""
    reading = read(text, duplicates=False, odd=line.value is UNREAD)
    if found := _encoding_fault(text):
        yield found
        if not reading.readable:
            return
    if not reading.readable or not isinstance(reading.value, dict | list):
        yield _noise(line, text, reading.value)
        return
    kinds = {note.kind for note in reading.notes}
    yield from _break_faults(text, has_more="trailing" in kinds)
    yield from _value_faults(line)


def _encoding_fault(text: bytes) -> Found | None:
    if text.startswith(BOM_UTF8):
        return Found((), "The line begins with a byte order mark.", "STDIO-003", key="bom")
    try:
        text.decode()
    except UnicodeDecodeError as fault:
        words = f"The line is not UTF-8, from byte {fault.start} on."
        return Found((), words, "STDIO-003", key="utf-8")
    return None


def _break_faults(text: bytes, *, has_more: bool) -> Iterator[Found]:
    inside = text.removesuffix(b"\n")
    if FEED in inside:
        yield Found((), "The message is spread over several lines.", "STDIO-002", key="lines")
    elif RETURN in inside:
        words = "The line has a carriage return."
        yield Found((), words, "STDIO-002", key="return", grade=RETURN_ALONE)
    if has_more:
        yield Found(
            (), "There is more text after the message on the same line.", "STDIO-002", key="more"
        )


def _value_faults(line: SessionLine) -> Iterable[Found]:
    """What is wrong with an object, besides what the rules of messages say."""
    value = line.value
    if not isinstance(value, dict):
        return ()
    if "jsonrpc" not in value and kind_of(value) == "unknown":
        return (_noise(line, line.text or b"", value),)
    is_question = line.direction == "s2c" and "method" in value and "id" in value
    if not is_question or line.revision < R2026_07_28 or kind_of(value) != "request":
        return ()
    text = "The server writes a request to stdout."
    return (Found(("method",), text, "STDIO-005"),)


def _noise(line: SessionLine, text: bytes, value: object) -> Found:
    rule, pipe = NOISE[line.direction]
    return Found((), f"Non-protocol output on {pipe}: {_described(text, value)}.", rule)


def _described(text: bytes, value: object) -> str:
    """What stands there in place of a message."""
    if not text.strip():
        return "a blank line"
    if isinstance(value, dict):
        return "a JSON object that is not a message"
    return f"{quote(text[:MOST_SHOWN].decode('utf-8', 'replace').strip())}"
