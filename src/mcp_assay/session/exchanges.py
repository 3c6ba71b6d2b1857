"""The HTTP exchanges of a conversation: what was asked, how it was answered, what a stream said.

And the headers that repeat what stands in the body of a request, since 2026-07-28.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias, TypeGuard

from msgspec.structs import replace

from mcp_assay.model.entry import Delivery, Direction, Message, Transport
from mcp_assay.session.correlation import RequestOutline
from mcp_assay.session.handshake import VERSION_HEADER
from mcp_assay.session.ids import Id
from mcp_assay.spec.revisions import DEFAULT_REVISION, R2026_07_28

MOST_OPEN: Final = 64
"""Exchanges of one conversation that are remembered, the latest ones."""
MOST_ENDPOINTS: Final = 20
"""Paths of one conversation that are known to take messages."""
MOST_AWAITED: Final = 100
"""Requests of one batch whose answers are waited for."""
MOST_GIVEN_UP: Final = 1000
"""Requests of one conversation that are known to have been given up."""
MOST_HEADERS: Final = 100
LONGEST_VALUE: Final = 1 << 14
"""A header value of more characters than this is not kept, nor are the others then."""

KEPT_HEADERS: Final = frozenset(
    (
        "accept",
        "authorization",
        "content-type",
        "last-event-id",
        "www-authenticate",
        "x-accel-buffering",
    )
)
"""The headers that rules ask for, besides those of MCP itself."""
MCP_HEADERS: Final = "mcp-"
STATUSES: Final = range(100, 600)
FIRST_REFUSAL: Final = 400
ENDPOINT_EVENT: Final = "endpoint"

ExchangeKey: TypeAlias = str | int
Headers: TypeAlias = Mapping[str, str]
"""Header values by their names in small letters."""


class Exchange:
    """One HTTP request and its response, as far as they were seen."""

    __slots__ = (
        "awaited",
        "events",
        "header_faults",
        "is_late",
        "is_resumable",
        "key",
        "lacks_meta",
        "lacks_session",
        "method",
        "path",
        "posted",
        "request_headers",
        "response_headers",
        "resumes",
        "revision",
        "status",
        "transport",
        "was_answered",
        "was_asked",
        "was_retried",
        "was_sent",
    )

    def __init__(self, key: ExchangeKey | None) -> None:
        self.key: Final = key
        self.transport: Transport | None = None
        self.revision = DEFAULT_REVISION
        self.method: str | None = None
        self.path: str | None = None
        """The path without its query."""
        self.request_headers: Headers | None = None
        self.response_headers: Headers | None = None
        self.status: int | None = None
        self.was_sent = False
        """Whether a body came from the client, be it one that nobody can read."""
        self.posted: tuple[Message, ...] = ()
        """The messages in that body."""
        self.awaited: set[Id] = set()
        """The requests in it that were not answered in this exchange yet."""
        self.was_asked = False
        """Whether the request has been judged."""
        self.was_answered = False
        """Whether the head of the response has been judged."""
        self.events = 0
        """The lines of the response so far that had a message or an event."""
        self.is_resumable = False
        """Whether an event of the stream had an id."""
        self.was_retried = False
        """Whether an event of the stream said when to come back."""
        self.resumes: ExchangeKey | None = None
        """The stream that this one goes on with."""
        self.is_late = False
        """Whether the client asked in a session that was over."""
        self.lacks_session = False
        """Whether the client left a session id out that it should have sent."""
        self.lacks_meta = False
        """Whether a member of `_meta` is missing that every request has since 2026-07-28."""
        self.header_faults: frozenset[str] = frozenset()
        """The headers of the request that do not fit its body, in small letters."""

    @property
    def is_stream(self) -> bool:
        """Whether the response is a stream of events."""
        return self.content_type == "text/event-stream"

    @property
    def content_type(self) -> str | None:
        """The media type of the response, "" where it has none, None where that is not known."""
        if self.response_headers is None:
            return None
        return media_type(self.response_headers.get("content-type", ""))

    @property
    def succeeded(self) -> bool:
        """Whether the status says that all went well."""
        return self.status is not None and 200 <= self.status < 300

    @property
    def failed(self) -> bool:
        """Whether the status says that client or server made a mistake."""
        return self.status is not None and self.status >= FIRST_REFUSAL

    @property
    def may_go_on(self) -> bool:
        """Whether more than one message can come in the response."""
        return self.is_stream or self.content_type is None

    @property
    def is_over(self) -> bool:
        """Whether all has come that can be known to belong to it."""
        if self.key is None:
            return self.was_answered if not self.has_request else not self.awaited
        return self.events > 0 and not self.may_go_on

    @property
    def has_request(self) -> bool:
        """Whether the client asked something."""
        return any(message.kind == "request" for message in self.posted)

    @property
    def question(self) -> Message | None:
        """The one request that the client posted."""
        posted = self.posted
        return posted[0] if len(posted) == 1 and posted[0].kind == "request" else None

    def take(self, delivery: Delivery) -> None:
        """Take what a line reports the heads of request and response."""
        self.transport = self.transport or delivery.transport
        http = delivery.http
        if http is None:
            return
        self.method = self.method or _word(http.get("method"))
        self.path = self.path or _bare(http.get("path"))
        self.status = self.status or _status(http.get("status"))
        if self.request_headers is None:
            self.request_headers = headers(http.get("request_headers"))
        if self.response_headers is None:
            self.response_headers = headers(http.get("response_headers"))

    def post(self, messages: Iterable[Message]) -> None:
        """Take the messages that the client posted."""
        self.was_sent = True
        self.posted = tuple(messages)
        ids = [one.value.get("id") for one in self.posted if one.kind == "request"]
        self.awaited = {id for id in ids[:MOST_AWAITED] if is_id(id)}

    def shorten(self) -> None:
        """Keep only an outline of what was posted, once it has been judged."""
        self.posted = tuple(replace(one, value=RequestOutline.of(one.value)) for one in self.posted)

    def hear(self, messages: Iterable[Message], sse: Mapping[str, Any] | None) -> None:
        """Take note of a message or event of the response, once it has been judged."""
        self.events += 1
        for message in messages:
            if message.kind in ("result", "error") and is_id(id := message.value.get("id")):
                self.awaited.discard(id)
        if sse is not None:
            self.is_resumable = self.is_resumable or event_id(sse) is not None
            self.was_retried = self.was_retried or sse.get("retry") is not None

    @property
    def may_repeat(self) -> bool:
        """Whether the stream may repeat what came before, because it resumes another one."""
        if self.method == "POST" or self.has_request:
            return False
        return self.request_headers is None or "last-event-id" in self.request_headers


class Exchanges:
    """The exchanges of a conversation, and what all of them together tell."""

    __slots__ = (
        "_endpoints",
        "_given_up",
        "_open",
        "_over",
        "_unnamed",
        "is_old",
        "speaks_modern",
        "was_resumed",
    )

    def __init__(self) -> None:
        self._open: Final[OrderedDict[ExchangeKey, Exchange]] = OrderedDict()
        self._over: Final[OrderedDict[ExchangeKey, Exchange]] = OrderedDict()
        """The latest of which nothing more should come."""
        self._unnamed: Final[list[Exchange]] = []
        """Those without a name of which something is still to come."""
        self._endpoints: Final[set[str]] = set()
        self._given_up: Final[set[Id]] = set()
        self.is_old = False
        """Whether this is the transport HTTP+SSE of 2024-11-05."""
        self.speaks_modern = False
        """Whether the server has shown that it knows 2026-07-28."""
        self.was_resumed = False
        """Whether the client has asked for what it missed of a stream."""

    def of(
        self, delivery: Delivery, direction: Direction, messages: Sequence[Message] = ()
    ) -> Exchange:
        """The exchange of a line, which knows then what the line tells.

        It is a new one where it is not known, and where the client asks what was answered before:
        another recording may number its exchanges alike. Where lines do not say which exchange
        they belong to, an answer belongs to the request that has its id.
        """
        exchange = self.known(delivery) or self._waiting_for(delivery, direction, messages)
        if exchange is None or (direction == "c2s" and exchange.was_answered):
            exchange = self._begun(delivery.exchange, direction)
        exchange.take(delivery)
        if direction == "s2c" and delivery.exchange is None and not messages and exchange.failed:
            self._doubt_waiting(exchange)
        self.was_resumed = self.was_resumed or (exchange.method == "GET" and exchange.may_repeat)
        if exchange.transport == "sse" or (delivery.sse or {}).get("event") == ENDPOINT_EVENT:
            self.is_old = True
        return exchange

    def known(self, delivery: Delivery) -> Exchange | None:
        """The exchange of a line, None where no line of it was seen before."""
        return None if delivery.exchange is None else self._open.get(delivery.exchange)

    def request_of(self, exchange: Exchange, messages: Iterable[Message]) -> Message | None:
        """The request that a line of an exchange is about: the one that its message answers.

        A line that answers nothing is about the only request of its exchange, or of the stream
        that the exchange goes on with.
        """
        ids = [one.value.get("id") for one in messages if one.kind in ("result", "error")]
        if len(ids) > 1:
            return None
        known = (exchange, *self._open.values(), *self._over.values(), *self._unnamed)
        if not ids or not is_id(ids[0]):
            resumed = (one for one in known if one.key is not None and one.key == exchange.resumes)
            return next((one.question for one in (exchange, *resumed) if one.question), None)
        asked = (message for one in known for message in one.posted if message.kind == "request")
        return next((one for one in asked if _is_same(one.value.get("id"), ids[0])), None)

    def forget(self, exchange: Exchange) -> None:
        """Forget an exchange of which nothing more can come."""
        if exchange.key is not None:
            self._open.pop(exchange.key, None)
            self._over[exchange.key] = exchange
            _shorten(self._over)
        elif exchange in self._unnamed:
            self._unnamed.remove(exchange)

    def may_repeat(self, delivery: Delivery) -> bool:
        """Whether a line may repeat what came before, or its own request may not have been seen."""
        if delivery.exchange is None:
            return self.was_resumed
        exchange = self._open.get(delivery.exchange) or self._over.get(delivery.exchange)
        if exchange is None or (exchange.method == "POST" and not exchange.was_sent):
            return True
        return exchange.may_repeat

    def was_refused(self, delivery: Delivery) -> bool:
        """Whether a line came with a status that refuses the request, here or before."""
        exchange = self.known(delivery)
        given = _status((delivery.http or {}).get("status"))
        return (given or (exchange.status if exchange else None) or 0) >= FIRST_REFUSAL

    def give_up(self, exchange: Exchange) -> None:
        """Note that nothing will answer what an exchange still waits for, and nothing need."""
        if len(self._given_up) < MOST_GIVEN_UP:
            self._given_up.update(exchange.awaited)

    def has_given_up(self, id: Id) -> bool:
        """Whether HTTP itself ended a request of the client, which may send it again."""
        return id in self._given_up

    def takes_messages(self, path: str) -> None:
        """Note that messages of the client go to this path."""
        if len(self._endpoints) < MOST_ENDPOINTS:
            self._endpoints.add(path)

    def is_endpoint(self, exchange: Exchange) -> bool:
        """Whether the request goes where messages go; also where its path is not known.

        A session id is sent nowhere else.
        """
        if exchange.path is None or exchange.path in self._endpoints:
            return True
        return SESSION_HEADER in (exchange.request_headers or {})

    def _waiting_for(
        self, delivery: Delivery, direction: Direction, messages: Sequence[Message]
    ) -> Exchange | None:
        """The exchange without a name that waits for what the server sends here."""
        if delivery.exchange is not None or direction == "c2s":
            return None
        answers = [one for one in messages if one.kind in ("result", "error")]
        ids = [id for one in answers if is_id(id := one.value.get("id"))]
        for exchange in self._unnamed:
            if not exchange.awaited.isdisjoint(ids):
                return exchange
        is_refusal = (_status((delivery.http or {}).get("status")) or 0) >= FIRST_REFUSAL
        if (ids and not is_refusal) or delivery.sse is not None or len(answers) < len(messages):
            return None
        has_head = is_refusal or (delivery.http is not None and not answers)
        waiting = [one for one in self._unnamed if not (has_head and one.was_answered)]
        return waiting[0] if len(waiting) == 1 else None

    def _doubt_waiting(self, refused: Exchange) -> None:
        """Take any request for the one that HTTP refused, where it is not known which it was."""
        if not refused.was_sent:
            for exchange in self._unnamed:
                self.give_up(exchange)

    def _begun(self, key: ExchangeKey | None, direction: Direction) -> Exchange:
        exchange = Exchange(key)
        if key is not None:
            self._open[key] = exchange
            _shorten(self._open)
        elif direction == "c2s":
            self._unnamed.append(exchange)
            del self._unnamed[:-MOST_OPEN]
        return exchange


def _shorten(exchanges: OrderedDict[ExchangeKey, Exchange]) -> None:
    if len(exchanges) > MOST_OPEN:
        exchanges.popitem(last=False)


def headers(given: object) -> Headers | None:
    """The headers that rules ask for, None where they are not known or too large to be kept."""
    if not isinstance(given, Mapping) or len(given) > MOST_HEADERS:
        return None
    kept = {
        name.lower(): value.strip(" \t")
        for name, value in given.items()
        if isinstance(name, str) and isinstance(value, str) and _is_kept(name.lower())
    }
    return None if any(len(value) > LONGEST_VALUE for value in kept.values()) else kept


def media_type(value: str) -> str:
    """The media type in a header value, without its parameters."""
    return value.partition(";")[0].strip().lower()


def event_id(sse: Mapping[str, Any] | None) -> str | None:
    """The id of an event, where it has one."""
    id = (sse or {}).get("id")
    return id if isinstance(id, str) and id else None


def is_id(value: object) -> TypeGuard[Id]:
    """Whether this can be the id of a request."""
    return value.__class__ is int or value.__class__ is str


def _is_same(id: object, other: object) -> bool:
    return id.__class__ is other.__class__ and id == other


def _is_kept(name: str) -> bool:
    return name in KEPT_HEADERS or name.startswith(MCP_HEADERS)


def _word(value: object) -> str | None:
    return value.upper() if isinstance(value, str) else None


def _bare(path: object) -> str | None:
    return (path.partition("?")[0].rstrip("/") or "/") if isinstance(path, str) else None


def _status(value: object) -> int | None:
    return value if isinstance(value, int) and value in STATUSES else None


SESSION_HEADER: Final = "mcp-session-id"
METHOD_HEADER: Final = "mcp-method"
NAME_HEADER: Final = "mcp-name"
PARAM_PREFIX: Final = "Mcp-Param-"
SPELLING: Final = {
    VERSION_HEADER: "MCP-Protocol-Version",
    METHOD_HEADER: "Mcp-Method",
    NAME_HEADER: "Mcp-Name",
}
NAMED_BY: Final = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
"""The member of params that the header Mcp-Name repeats."""
ANNOTATION: Final = "x-mcp-header"
"""The keyword in a tool's schema that names the header of an argument."""

_TOKEN: Final = r"[-!#$%&'*+.^_`|~0-9A-Za-z]{1,100}"
BASE64_PREFIX, BASE64_SUFFIX = "=?base64?", "?="
LARGEST_INTEGER: Final = 2**53 - 1
"""A larger one must not be an argument with a header."""
PLAIN_HEADER: Final = r"(?:[!-~](?:[ -~\t]*[!-~])?)?"
MOST_REPEATED: Final = 50
"""Headers of one tool that are remembered."""
DEEPEST: Final = 8
"""So deep in a schema are headers looked for."""

ParamHeaders: TypeAlias = Mapping[tuple[str, ...], str]
"""The header of each argument that has one, by its path."""


def is_encoded(given: str) -> bool:
    """Whether a header value says that it is base64."""
    is_long = len(given) > len(BASE64_PREFIX)
    return is_long and given.startswith(BASE64_PREFIX) and given.endswith(BASE64_SUFFIX)


def decoded(given: str) -> str | None:
    """What a header value stands for, None where its base64 is broken."""
    if not is_encoded(given):
        return given
    from base64 import b64decode  # noqa: PLC0415  few headers are

    try:
        return b64decode(given[len(BASE64_PREFIX) : -len(BASE64_SUFFIX)], validate=True).decode()
    except ValueError:
        return None


def written(value: object) -> str | None:
    """An argument as its header writes it, None where headers cannot have it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value) if abs(value) <= LARGEST_INTEGER else None
    return value if isinstance(value, str) else None


def encoded(text: str) -> str:
    """A text as a header carries it: as it is where that survives, else as base64."""
    if re.fullmatch(PLAIN_HEADER, text) and not is_encoded(text):
        return text
    return in_base64(text)


def in_base64(text: str) -> str:
    """A text as base64 in a header, which every text may be."""
    from base64 import b64encode  # noqa: PLC0415  few texts need it

    return f"{BASE64_PREFIX}{b64encode(text.encode(errors='replace')).decode()}{BASE64_SUFFIX}"


def headers_of(tool: dict[str, Any]) -> ParamHeaders:
    """The headers that repeat arguments of a tool."""
    found = list(_annotated(tool.get("inputSchema"), ()))
    return dict(found) if len(found) <= MOST_REPEATED else {}


def _annotated(schema: object, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    """The headers that a schema names in properties, and in properties of these."""
    if not isinstance(schema, dict):
        return
    name = schema.get(ANNOTATION)
    if path and isinstance(name, str) and re.fullmatch(_TOKEN, name):
        yield path, f"{PARAM_PREFIX}{name}"
    properties = schema.get("properties")
    if isinstance(properties, dict) and len(path) < DEEPEST:
        for step, inner in properties.items():
            yield from _annotated(inner, (*path, step))


def value_at(arguments: object, path: tuple[str, ...]) -> object:
    """The argument at a path, None where there is none."""
    for step in path:
        arguments = arguments.get(step) if isinstance(arguments, dict) else None
    return arguments


MOST_ENDED: Final = 20
"""Sessions of one conversation whose end is remembered."""
CROSSING: Final = 5.0
"""Seconds within which requests may have been on their way when the session was lost."""


class HttpSession:
    """The session that the server has given an id to, and those that are over."""

    __slots__ = ("deleted", "id", "lost", "was_given")

    def __init__(self) -> None:
        self.id: str | None = None
        self.was_given = False
        """Whether the server has given any id at all."""
        self.deleted: Final[set[str]] = set()
        """The sessions that the client has ended."""
        self.lost: Final[dict[str, LostSession]] = {}
        """The sessions that the server did not know any more."""

    def begin(self, id: str | None) -> None:
        """A session begins; an id that was used before is in use again."""
        self.id = id
        self.was_given = self.was_given or id is not None
        self.deleted.discard(id or "")
        self.lost.pop(id or "", None)

    def delete(self, id: str) -> None:
        """The client has ended a session."""
        if len(self.deleted) < MOST_ENDED:
            self.deleted.add(id)
        self._end(id)

    def lose(self, id: str, at: float | None) -> None:
        """The server does not know a session any more; the first time that it says so counts."""
        if len(self.lost) < MOST_ENDED:
            self.lost.setdefault(id, LostSession(at))
        self._end(id)

    def _end(self, id: str) -> None:
        if self.id == id:
            self.id = None


class LostSession:
    """A session that the server no longer knew when the client used it."""

    __slots__ = ("at", "was_crossed")

    def __init__(self, at: float | None) -> None:
        self.at: Final = at
        """When the client was first told so."""
        self.was_crossed = False
        """Whether a request came that nobody knows the time of."""

    def may_cross(self, at: float | None) -> bool:
        """Whether a request of this time may have been sent before the client knew."""
        if at is not None and self.at is not None:
            return at - self.at <= CROSSING
        crossed, self.was_crossed = self.was_crossed, True
        return not crossed


def shows_a_session(delivery: Delivery) -> bool:
    """Whether the headers of a request show that initialize was answered before."""
    given = headers(delivery.http.get("request_headers")) if delivery.http is not None else None
    if not given:
        return False
    return SESSION_HEADER in given or given.get(VERSION_HEADER, R2026_07_28) < R2026_07_28
