"""Lines -> the stages of HTTP exchanges: where the rules about HTTP look on.

An exchange is asked once its request is known, answered once the head of its response is, at
"message" for each message or event of the response, and ended when a line says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from mcp_assay.model.entry import Message
from mcp_assay.rules import load_modules
from mcp_assay.rules.engine.rule import Found
from mcp_assay.rules.engine.session_rules import SessionLine, place_of, watch_lines
from mcp_assay.rules.engine.slow import kind_of
from mcp_assay.rules.index import WATCH_EXCHANGES
from mcp_assay.session.exchanges import Exchange, Exchanges
from mcp_assay.session.handshake import VERSION_KEY, requested_revision
from mcp_assay.session.state import SessionState
from mcp_assay.spec.revisions import R2026_07_28, REVISIONS
from mcp_assay.wire.notes import MAX_MESSAGE_BYTES, UNREAD
from mcp_assay.wire.reader import read

Stage: TypeAlias = Literal["asked", "asked again", "answered", "message", "ended"]
Verdict: TypeAlias = Iterable[Found] | None
"""What is wrong, nothing where all is well, None where the rule could not be judged."""
MODERN_ERRORS: Final = (-32020, -32021, -32022)
"""Error codes that only a server of 2026-07-28 knows."""
NO_HEADERS: Final = "the trace does not have the headers"
NO_STATUS: Final = "the trace does not have the status"
NO_REQUEST: Final = "the request of the exchange was not seen"
UNKNOWN_ERA: Final = "it is not known whether the server supports 2026-07-28"
FIRST_REDIRECT: Final = 300
"""From this status on, the response says that the client has to ask again, if at all."""
MOST_IN_BATCH: Final = 1000
"""Messages of one batch that are looked at."""


class Look(Struct, frozen=True):
    """What a rule sees at a stage: the exchange, the line that led to it, and what is in it."""

    session: SessionState
    exchange: Exchange
    exchanges: Exchanges
    line: SessionLine
    value: object
    """The JSON value in the line, UNREAD where there is none."""
    messages: tuple[Message, ...]
    """The messages in that value."""

    @property
    def has_data(self) -> bool:
        """Whether the line carries more than the head of an event."""
        return bool(self.line.text or self.messages)

    @property
    def is_too_long(self) -> bool:
        """Whether the text of the line is longer than is read."""
        return len(self.line.text or b"") > MAX_MESSAGE_BYTES

    def withhold(self, rule: str, *, because: str) -> Verdict:
        """Note that a rule looks broken here, and why it cannot be judged."""
        self.session.withhold(rule, because)
        return None

    def about_request(self, found: Found) -> Found:
        """The fault, which knows the request whose exchange shows it."""
        request = self.exchanges.request_of(self.exchange, self.messages)
        return replace(found, about=request) if request and found.about is None else found

    def leave_open(self, *rules: str, because: str) -> Verdict:
        """Note that these rules could not be judged here, and why."""
        for rule in rules:
            self.session.leave_open(rule, because)
        return None


ExchangeWatcher: TypeAlias = Callable[[Look], Verdict]


class _ExchangeWatch(Struct, frozen=True):
    watcher: ExchangeWatcher
    stage: Stage
    rules: tuple[str, ...]
    since: str
    until: str
    old: bool | None

    def wants(self, stage: Stage, revision: str, old: bool) -> bool:
        return (
            self.stage == stage and self.since <= revision <= self.until and self.old in (None, old)
        )


EXCHANGE_WATCHERS: Final[list[_ExchangeWatch]] = []


def watch_exchange(
    stage: Stage,
    *rules: str,
    since: str = REVISIONS[0],
    until: str = REVISIONS[-1],
    old: bool | None = False,
) -> Callable[[ExchangeWatcher], ExchangeWatcher]:
    """Register who decides these rules at this stage, unless it gives None.

    The rules are those of Streamable HTTP, with `old` those of HTTP+SSE, and with None of both.
    """

    def register(watcher: ExchangeWatcher) -> ExchangeWatcher:
        EXCHANGE_WATCHERS.append(_ExchangeWatch(watcher, stage, rules, since, until, old))
        return watcher

    return register


@watch_lines(plain=False)
def follow_exchange(session: SessionState, line: SessionLine) -> Iterable[Found]:
    """Follow the exchange of a line, and let the rules look at each stage that it reaches."""
    delivery = line.delivery
    is_on_a_pipe = not delivery.is_over_http or delivery.transport == "stdio"
    return () if is_on_a_pipe else list(_followed(session, line))


def _followed(session: SessionState, line: SessionLine) -> Iterator[Found]:
    exchanges = session.recall(Exchanges)
    value = legible(line)
    messages = tuple(_messages(value, line))
    exchange = exchanges.of(line.delivery, line.direction, messages)
    look = Look(session, exchange, exchanges, line, value, messages)
    if line.direction == "c2s":
        yield from _request(look)
    else:
        yield from _response(look)


def _request(look: Look) -> Iterator[Found]:
    exchange, line = look.exchange, look.line
    if line.text is not None:
        if exchange.was_sent:
            yield from _at("asked again", look)
            return
        exchange.post(look.messages)
    if exchange.method is not None and (exchange.was_sent or exchange.method != "POST"):
        yield from _asked(look)
    if exchange.was_asked:
        yield from _answered(look)


def _response(look: Look) -> Iterator[Found]:
    exchange = look.exchange
    if exchange.key is not None or exchange.was_sent:
        yield from _asked(look)
    yield from _answered(look)
    if look.line.text is not None or look.line.delivery.sse is not None:
        _learn_era(look)
        yield from _at("message", look)
        is_unread = look.line.delivery.other_type is not None
        exchange.hear(() if is_unread else look.messages, look.line.delivery.sse)
    if look.line.delivery.end:
        yield from _at("ended", look)
        look.exchanges.give_up(exchange)
    if look.line.delivery.end or exchange.is_over:
        look.exchanges.forget(exchange)


def _asked(look: Look) -> Iterator[Found]:
    exchange = look.exchange
    if exchange.was_asked:
        return
    exchange.revision = _revision(look)
    if exchange.posted and exchange.method == "POST" and exchange.path is not None:
        look.exchanges.takes_messages(exchange.path)
    if exchange.method is not None:
        yield from _at("asked", look)
    exchange.was_asked = True
    exchange.shorten()


def _answered(look: Look) -> Iterator[Found]:
    exchange = look.exchange
    if exchange.was_answered or (exchange.status is None and exchange.response_headers is None):
        return
    if not exchange.was_asked:
        exchange.revision = _revision(look)
    if (exchange.status or 0) >= FIRST_REDIRECT:
        look.exchanges.give_up(exchange)
    yield from _at("answered", look)
    exchange.was_answered = True


def _at(stage: Stage, look: Look) -> Iterator[Found]:
    for watch in _watches(stage, look.exchange.revision, look.exchanges.is_old):
        found = watch.watcher(look)
        if found is not None:
            yield from map(look.about_request, found)
            look.session.decide(*watch.rules)


@cache
def _watches(stage: Stage, revision: str, old: bool) -> tuple[_ExchangeWatch, ...]:
    load_modules(WATCH_EXCHANGES)
    wanting = (watch for watch in EXCHANGE_WATCHERS if watch.wants(stage, revision, old))
    return tuple(sorted(wanting, key=lambda watch: place_of(watch.watcher)))


def _revision(look: Look) -> str:
    """The revision of the exchange: what its request says, else what was agreed on.

    Where nothing was, and where a session has requests of both eras, the header says it.
    """
    exchange, conversation = look.exchange, look.line.revision
    question = exchange.question
    if question and (named := requested_revision(question.value)):
        return named
    is_agreed = look.session.handshake.answer is not None and conversation < R2026_07_28
    if is_agreed or (question and question.method == "initialize"):
        return conversation
    header = (exchange.request_headers or {}).get("mcp-protocol-version")
    return header if header in REVISIONS else conversation


def _learn_era(look: Look) -> None:
    """Note what only a server of 2026-07-28 can have said."""
    if look.exchange.revision < R2026_07_28:
        return
    for message in look.messages:
        has_type = "resultType" in message.result
        if has_type or message.error.get("code") in MODERN_ERRORS:
            look.exchanges.speaks_modern = True


def legible(line: SessionLine) -> object:
    """The value of a line, read with patience where its text is odd; UNREAD where it has none."""
    if line.text is None:
        return UNREAD
    if line.value is UNREAD:
        return read(line.text, duplicates=False, odd=True).value
    return line.value


def named_version(message: Message) -> object:
    """The version that a request names in its `_meta`."""
    return message.meta.get(VERSION_KEY)


def _messages(value: object, line: SessionLine) -> Iterator[Message]:
    """The messages in a value, be it a batch."""
    batch: list[Any] = value[:MOST_IN_BATCH] if isinstance(value, list) else [value]
    for one in batch:
        if isinstance(one, dict):
            kind = kind_of(one)
            method = one.get("method")
            named = method if isinstance(method, str) else None
            yield Message(one, kind, named, line.revision, line.direction, line.place)
