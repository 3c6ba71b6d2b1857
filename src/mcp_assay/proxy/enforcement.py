"""Message -> may it pass, and if not, which JSON-RPC error is sent in its place.

A fault of ours lets a message pass: the validator behind the tap sees it too, and says so.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock
from typing import Any, Final

import orjson
from msgspec import Struct
from msgspec.json import encode
from msgspec.structs import replace

from mcp_assay.client.frames import Refusal
from mcp_assay.model.entry import Direction
from mcp_assay.model.finding import Finding
from mcp_assay.rules.engine.checker import SessionChecker
from mcp_assay.session.correlation import OTHER_SIDE
from mcp_assay.spec.catalogue import SENDERS
from mcp_assay.spec.revisions import R2025_11_25
from mcp_assay.wire.locations import member
from mcp_assay.wire.notes import MAX_MESSAGE_BYTES

__all__ = ["Enforcement"]

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
INVALID_PARAMS: Final = -32602
INTERNAL_ERROR: Final = -32603

MOST_SESSIONS: Final = 1_000
MOST_WAITING: Final = 100_000
"""So many unanswered requests of a session are remembered."""
MOST_FINDINGS_SENT: Final = 10
"""So many findings are named in an error."""

LAST_ID: Final = re.compile(
    rb'"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?[0-9]+)\s*(?:,\s*"jsonrpc"\s*:\s*"2.0"\s*)?}\s*\Z'
)
"""The id of a message that ends with it."""


class Enforcement:
    """Lets messages pass in which no error is found, and makes up answers for the others."""

    def __init__(self, revision: str | None = None) -> None:
        self._revision: Final = revision
        self._sessions: Final = OrderedDict[str, EnforcedSession]()
        self._lock: Final = Lock()

    def check(self, direction: Direction, text: bytes, conn: str) -> Refusal | None:
        """Why the message may not pass, None where it may."""
        with self._lock:
            return self._of(conn).check(direction, text)

    def too_long(self, direction: Direction, head: bytes, conn: str) -> Refusal:
        """What happens to a message that is too long to be held."""
        with self._lock:
            return self._of(conn).refuse(direction, _legible(head), TOO_LONG)

    def _of(self, conn: str) -> EnforcedSession:
        session = self._sessions.pop(conn, None) or EnforcedSession(self._revision)
        self._sessions[conn] = session
        if len(self._sessions) > MOST_SESSIONS:
            self._sessions.popitem(last=False)
        return session


class EnforcedSession:
    """The messages that passed so far, and the requests among them that wait for an answer."""

    def __init__(self, revision: str | None) -> None:
        self._checker: Final = SessionChecker(revision)
        self._waiting: Final[set[tuple[Direction, type, object]]] = set()

    def check(self, direction: Direction, text: bytes) -> Refusal | None:
        """Why the message may not pass, None where it may."""
        errors = self._errors(direction, text)
        value = _parsed(text)
        if errors:
            return self.refuse(direction, value, _problem(errors))
        for message in _messages(value):
            self._let_pass(direction, message)
        return None

    def refuse(self, direction: Direction, value: Any, problem: RefusalError) -> Refusal:
        """What is sent in place of a message: to its sender and to its receiver."""
        replies = [self._reply(direction, message, problem) for message in _messages(value)]
        instead = [self._instead(direction, message, problem) for message in _messages(value)]
        is_batch = isinstance(value, list)
        refusal = Refusal(reply=_joined(replies, is_batch), instead=_joined(instead, is_batch))
        if refusal.reply is not None:
            self._checker.check(refusal.reply, OTHER_SIDE[direction])
        return refusal

    def _errors(self, direction: Direction, text: bytes) -> list[Finding]:
        """The errors that the sender of the message is to blame for."""
        try:
            found = self._checker.check(text, direction)
        except Exception:  # noqa: BLE001  our fault must not cost anybody a message
            return []
        blamed = (None, SENDERS[direction])
        return [one for one in found if one.severity == "error" and one.subject in blamed]

    def _let_pass(self, direction: Direction, message: Any) -> None:
        if not isinstance(message, dict) or not _is_id(message.get("id")):
            return
        if "method" not in message:
            self._take_awaited(direction, message["id"])
        elif len(self._waiting) < MOST_WAITING:
            self._waiting.add((direction, type(message["id"]), message["id"]))

    def _take_awaited(self, direction: Direction, id: Any) -> bool:
        """End the wait for the response with this id; whether anybody waited."""
        asked = (OTHER_SIDE[direction], type(id), id)
        awaited = asked in self._waiting
        self._waiting.discard(asked)
        return awaited

    def _reply(self, direction: Direction, message: Any, problem: RefusalError) -> Any:
        """What the sender of a request gets, or a client that sends what cannot be read."""
        if not isinstance(message, dict):
            return self._answer(None, problem) if direction == "c2s" else None
        if "method" not in message or "id" not in message:
            return None
        return self._answer(message["id"], problem)

    def _instead(self, direction: Direction, message: Any, problem: RefusalError) -> Any:
        """What the receiver of a response gets that it waits for."""
        if not isinstance(message, dict) or "method" in message or not _is_id(message.get("id")):
            return None
        if not self._take_awaited(direction, message["id"]):
            return None
        return self._answer(message["id"], replace(problem, code=INTERNAL_ERROR))

    def _answer(self, id: Any, problem: RefusalError) -> dict[str, Any]:
        answer: dict[str, Any] = {"jsonrpc": "2.0", "error": problem}
        if _is_id(id):
            answer["id"] = id
        elif self._checker.revision < R2025_11_25:
            answer["id"] = None
        return answer


class RefusalError(Struct, frozen=True):
    """The error object of an answer that mcp-assay makes up."""

    code: int
    message: str
    data: dict[str, Any]


TOO_LONG: Final = RefusalError(
    INVALID_REQUEST,
    f"mcp-assay did not forward this message: it is longer than {MAX_MESSAGE_BYTES:,} bytes.",
    {"rules": ["LIMIT-002"]},
)


def _problem(errors: Sequence[Finding]) -> RefusalError:
    first = errors[0]
    findings_sent = [{"rule": e.rule, "pointer": e.pointer, "message": e.message} for e in errors]
    data = {
        "rules": sorted({e.rule for e in errors}),
        "findings": findings_sent[:MOST_FINDINGS_SENT],
    }
    return RefusalError(
        _code(errors), f"mcp-assay did not forward this message: {first.message}", data
    )


def _code(errors: Sequence[Finding]) -> int:
    if any(error.reason == "parse_error" for error in errors):
        return PARSE_ERROR
    if all(error.pointer.startswith("/params/") for error in errors):
        return INVALID_PARAMS
    return INVALID_REQUEST


def _parsed(text: bytes) -> Any:
    """The value of a message as far as an answer needs it, None where it cannot be read."""
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return None


def _messages(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _legible(head: bytes) -> dict[str, Any]:
    """What is known of a message whose middle is missing: its id, and whether it asks."""
    known: dict[str, Any] = {}
    if span := member(head, b"method"):
        known["method"] = _parsed(head[slice(*span)])
    last = LAST_ID.search(head)
    id = head[slice(*span)] if (span := member(head, b"id")) else last[1] if last else b""
    return known | {"id": _parsed(id)} if id else known


def _is_id(id: Any) -> bool:
    return isinstance(id, str | int) and not isinstance(id, bool)


def _joined(answers: Sequence[Any], is_batch: bool) -> bytes | None:
    """The answers as one text, None where there is none."""
    given = [answer for answer in answers if answer is not None]
    if not given:
        return None
    return encode(given if is_batch else given[0])
