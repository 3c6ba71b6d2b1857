"""Two lanes for the messages of a conversation: a compiled check that accepts, a reader that tells.

Whatever the fast lane accepts, the slow lane has nothing to say about. What it does not accept may
still be fine: then the slow lane finds nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple, cast

from orjson import JSONDecodeError, loads

from mcp_assay.model.finding import Finding
from mcp_assay.model.message import Direction
from mcp_assay.rules.compiled import Lane, lane, refuse
from mcp_assay.rules.dialect import Dialect, tolerates
from mcp_assay.rules.engine import Setting, judge, kind_of
from mcp_assay.rules.reach import Ledger
from mcp_assay.rules.strict import Accepts
from mcp_assay.session.correlation import MOST_PENDING, Pending
from mcp_assay.session.negotiation import negotiated_revision, requested_revision
from mcp_assay.spec.revisions import DEFAULT_REVISION, require_revision
from mcp_assay.wire.duplicates import has_duplicate_members
from mcp_assay.wire.limits import MAX_MESSAGE_BYTES
from mcp_assay.wire.markers import UNREAD
from mcp_assay.wire.reading import Reading, read

NOTHING: Final[Sequence[Finding]] = ()


class Refused(NamedTuple):
    """A message that the fast lane does not accept: its text, its direction, what orjson made."""

    raw: bytes
    direction: Direction | None
    value: Any


class Lanes:
    """One conversation: it remembers what was asked, and which revision the peers agreed on.

    Without a revision of its own it follows the peers: what they negotiate, or what a request's
    `_meta` names. Without `duplicates` nobody looks for members that occur twice.
    """

    __slots__ = (
        "_answered",
        "_auto",
        "_checks",
        "_dialect",
        "_duplicates",
        "_lane",
        "_ledger",
        "_pending",
    )

    def __init__(
        self,
        revision: str | None = None,
        *,
        duplicates: bool = True,
        dialect: Dialect = "mcp",
        ledger: Ledger | None = None,
    ) -> None:
        self._auto: Final = revision is None
        self._lane = lane(DEFAULT_REVISION if revision is None else require_revision(revision))
        self._duplicates: Final = duplicates
        self._dialect: Final = dialect
        self._pending: Final = Pending[Lane]()
        self._ledger: Final = ledger or Ledger()
        self._checks = _no_checks()
        self._answered: tuple[object, tuple[str, Lane] | None] = (None, None)

    @property
    def revision(self) -> str:
        """The revision that the next message is judged by, unless it names another."""
        return self._lane.revision

    def accepts(self, raw: bytes, direction: Direction | None = None) -> bool:
        """Whether the fast lane accepts the message: then nothing at all is to be said about it."""
        return next(self.refused([(raw, direction)]), None) is None

    def check(self, raw: bytes, direction: Direction | None = None) -> Sequence[Finding]:
        """Everything there is to say about the text of a message."""
        refused = next(self.refused([(raw, direction)]), None)
        return NOTHING if refused is None else self.explain(refused)

    def refused(self, messages: Iterable[tuple[bytes, Direction | None]]) -> Iterator[Refused]:
        """The messages of a stream that the fast lane does not accept, as they come.

        Give each to `explain` before the next one is taken. This is the hot loop: what nearly all
        messages are is decided here, without a call but that of the compiled check.
        """
        duplicates, sent, value = self._duplicates, self._pending.sent, cast(Any, UNREAD)
        for raw, direction in messages:
            try:
                value = loads(raw) if len(raw) <= MAX_MESSAGE_BYTES else UNREAD
            except JSONDecodeError:
                value = UNREAD
            method = value.get("method", UNREAD) if value.__class__ is dict else None
            if method is UNREAD:
                passes = self._response_passes(value, direction)
            elif (
                method.__class__ is str
                and (check := self._checks[direction].get(method)) is not None
                and check(value)
            ):
                id = value.get("id")
                passes = id.__class__ is not float
                if id.__class__ is int and len(sent[direction]) < MOST_PENDING:
                    sent[direction][id] = (method, self._lane)
                elif id is not None:
                    self._pending.ask(direction, id, method, self._lane)
            else:
                passes = self._passes(value, direction)
            if not passes or (duplicates and has_duplicate_members(raw, value)):
                yield Refused(raw, direction, value)

    def explain(self, refused: Refused) -> Sequence[Finding]:
        """Everything there is to say about a message that the fast lane has just refused."""
        raw, direction, value = refused
        if value is UNREAD:
            reading = read(raw, duplicates=self._duplicates, odd=True)
            return self.check_reading(reading, direction)
        doubled = self._duplicates and has_duplicate_members(raw, value)
        if doubled or _lost_digits(value):
            reading = read(raw, duplicates=doubled, odd=doubled)
            return self.check_reading(reading, direction, known=True)
        return self._tell(Reading(value, parsed=True), direction)

    def check_reading(
        self, reading: Reading, direction: Direction | None = None, *, known: bool = False
    ) -> Sequence[Finding]:
        """Everything there is to say about what was read; `known` if it was remembered before."""
        value = reading.value
        if not known:
            self._remember(value, direction)
        elif isinstance(value, dict):
            self._answered = (value, self._answered[1])
        return self._tell(reading, direction)

    def _passes(self, value: Any, direction: Direction | None) -> bool:
        """Whether the value needs no second look; what it asks or answers is remembered."""
        if value.__class__ is not dict:
            self._remember(value, direction)
            return False
        if "method" not in value:
            return self._response_passes(value, direction)
        method = value["method"]
        if method.__class__ is not str:
            return False
        check = self._checks[direction].get(method) or self._meet(value, method, direction)
        if "id" not in value:
            return check(value)
        passes = check(value) or self._passes_after_all(value, method, direction)
        id = value["id"]
        self._pending.ask(direction, id, method, self._lane)
        return passes and (id.__class__ is int or id.__class__ is str)

    def _meet(self, value: dict[str, Any], method: str, direction: Direction | None) -> Accepts:
        """The check of a method that this conversation has not had yet."""
        if self._auto and method == "initialize":
            self._follow(requested_revision(value))
        self._ledger.note(self.revision, kind_of(value), method)
        kinds = self._lane.requests if "id" in value else self._lane.notifications
        check = kinds[direction][method]
        if check is not refuse and not (self._auto and method == "initialize"):
            self._checks[direction][method] = check
        return check

    def _passes_after_all(
        self, value: dict[str, Any], method: str, direction: Direction | None
    ) -> bool:
        """Whether a refused request passes by the rules of the revision that it names itself."""
        if not self._follow(requested_revision(value)):
            return False
        return self._meet(value, method, direction)(value)

    def _response_passes(self, value: dict[str, Any], direction: Direction | None) -> bool:
        id = value.get("id")
        if id.__class__ is not int and id.__class__ is not str:
            self._answered = (value, None)
            return False
        asked = self._pending.awaited[direction].pop(id, None)
        self._answered = (value, asked)
        if asked is None:
            method, its_lane = None, self._lane
        else:
            method, its_lane = asked
            if self._auto and method == "initialize":
                its_lane = self._settled(value)
        kind = kind_of(value)
        if (kind, method) not in self._ledger.messages[its_lane.revision]:
            self._ledger.note(its_lane.revision, kind, method)
        return (its_lane.errors[None] if kind == "error" else its_lane.results[method])(value)

    def _settled(self, answer: dict[str, Any]) -> Lane:
        """The lane of the revision that the answer to initialize settles on."""
        self._follow(negotiated_revision(answer))
        return self._lane

    def _follow(self, revision: str | None) -> bool:
        """Go over to the revision that the peers name; tell whether that changed anything."""
        if not self._auto or revision is None or revision == self._lane.revision:
            return False
        self._lane = lane(revision)
        self._checks = _no_checks()
        return True

    def _remember(self, value: object, direction: Direction | None) -> None:
        """Remember what a value asks that did not take the hot path, be it a batch."""
        if isinstance(value, list):
            self._ledger.batches.add(self.revision)
            for member in value:
                self._remember_one(member, direction)
        else:
            self._remember_one(value, direction)

    def _remember_one(self, value: object, direction: Direction | None) -> None:
        method = value.get("method") if isinstance(value, dict) else None
        if not isinstance(value, dict) or not isinstance(method, str):
            return
        if "id" in value:
            self._follow(requested_revision(value))
            self._pending.ask(direction, value["id"], method, self._lane)
        self._ledger.note(self.revision, kind_of(value), method)

    def _tell(self, reading: Reading, direction: Direction | None) -> Sequence[Finding]:
        def method_of(message: dict[str, Any]) -> str | None:
            asked = self._asked(message, direction)
            return asked[0] if asked else None

        setting = Setting(
            revision=self._judged_by(reading.value, direction),
            direction=direction,
            method_of=method_of,
        )
        findings = judge(reading, setting)
        return findings if self._dialect == "mcp" else _untolerated(findings, self._dialect)

    def _asked(
        self, message: dict[str, Any], direction: Direction | None
    ) -> tuple[str, Lane] | None:
        """The request that a response answers, also when asked twice about the same message."""
        if self._answered[0] is not message:
            self._answered = (message, self._pending.answered(direction, message.get("id")))
        return self._answered[1]

    def _judged_by(self, value: object, direction: Direction | None) -> str:
        if not isinstance(value, dict) or "method" in value:
            return self._lane.revision
        asked = self._asked(value, direction)
        if asked is None:
            return self._lane.revision
        method, its_lane = asked
        return (self._settled(value) if method == "initialize" else its_lane).revision


def _no_checks() -> dict[Direction | None, dict[str, Accepts]]:
    return {"c2s": {}, "s2c": {}, None: {}}


def _untolerated(findings: Iterable[Finding], dialect: Dialect) -> list[Finding]:
    return [finding for finding in findings if not tolerates(dialect, finding)]


def _lost_digits(value: Any) -> bool:
    """Whether an id or token became a float, as integers beyond 64 bits do: it is read again."""
    if value.__class__ is list:
        return any(map(_lost_digits, value))
    if value.__class__ is not dict:
        return False
    params = value.get("params")
    if params.__class__ is not dict:
        return value.get("id").__class__ is float
    meta = params.get("_meta")
    token = meta.get("progressToken") if meta.__class__ is dict else None
    near = (value.get("id"), params.get("progressToken"), params.get("requestId"), token)
    return float in map(type, near)
