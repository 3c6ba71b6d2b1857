"""The dialogues of probes, held with a real server, on connections of their own."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from time import perf_counter
from typing import Any, Final, cast

import msgspec
import orjson
from msgspec.structs import replace

from mcp_assay.assess.permissions import PermissionWithdrawn
from mcp_assay.client.connection import Connection
from mcp_assay.client.era import Era
from mcp_assay.client.links import HttpWay, NotReached
from mcp_assay.client.negotiation import Way
from mcp_assay.client.response import LONGEST_MESSAGE_SHOWN, Response
from mcp_assay.client.session import ClientSession
from mcp_assay.client.standby import Standby
from mcp_assay.client.target import ConnectionOptions, Endpoint, Target
from mcp_assay.model.ending import (
    LOAD_STATUSES,
    LOST,
    UNUSABLE,
    Ending,
    ExchangeEnd,
    is_load_refusal,
)
from mcp_assay.model.entry import Entry
from mcp_assay.model.finding import Finding
from mcp_assay.model.own_fault import OwnFault
from mcp_assay.model.probe import (
    OUR_SESSION,
    Anew,
    Ask,
    Bend,
    End,
    Http,
    Linger,
    Listen,
    Notify,
    Raw,
    Reply,
    Step,
)
from mcp_assay.model.report import Limit
from mcp_assay.rules.probe.rule import Known, Probe, Verdicts
from mcp_assay.session.exchanges import event_id
from mcp_assay.text.redaction import CUT, Redactor
from mcp_assay.wire.depth import cut_depths

MOST_STEPS: Final = 4
MOST_MESSAGES: Final = 50
"""So many messages of one exchange are kept until its probe looks at them, the last ones."""
LONGEST_EVENT_ID: Final = 256
"""An event with a longer id counts as one without."""
MOST_BYTES: Final = 2 * 1024 * 1024
"""So long they may be together, unless it is a single one."""
NOT_KEPT: Final = "probes saw only the last messages of a response"
UNSHOWN: Final = ("event_ids", "headers", "strays")
"""What may hold secrets or the time of day, or came by chance."""
TOO_DEEP: Final = '"It is nested too deeply to be shown."'


MOST_KEPT: Final = 24
"""So many steps are remembered, of which those are shown that lead to a fault."""


class Dialogue:
    """The last steps of a conversation."""

    def __init__(self) -> None:
        self._steps: Final = deque[tuple[Step, Reply]](maxlen=MOST_KEPT)

    def add(self, step: Step, reply: Reply) -> None:
        """Remember a step."""
        self._steps.append((step, reply))

    def clear(self) -> None:
        """Begin another conversation."""
        self._steps.clear()

    def replies(self) -> list[Reply]:
        """What came of the last steps."""
        return [reply for _, reply in self._steps][-MOST_STEPS:]

    def shown(self, redactor: Redactor, about: str = "") -> list[dict[str, str]]:
        """What was sent and what came, as JSON texts without secrets, none of them long.

        `about`: a text that was sent, with which and the step behind it they end; else the last.
        """
        return [
            {"sent": _text(step, redactor), "came": _text(reply, redactor)}
            for step, reply in self._up_to(about)[-MOST_STEPS:]
        ]

    def _up_to(self, about: str) -> list[tuple[Step, Reply]]:
        steps = list(self._steps)
        meant = (
            place
            for place, (step, _) in enumerate(steps)
            if about and isinstance(step, Raw) and step.text == about
        )
        place = next(meant, len(steps))
        return steps[: place + 2]


def _text(value: Step | Reply, redactor: Redactor) -> str:
    try:
        members: dict[str, Any] = msgspec.to_builtins(value)
        clean, _ = redactor.value({name: it for name, it in members.items() if name not in UNSHOWN})
        text = json.dumps(clean, ensure_ascii=False)
    except RecursionError:
        return TOO_DEEP
    return text if len(text) <= LONGEST_MESSAGE_SHOWN else text[:LONGEST_MESSAGE_SHOWN] + CUT


MOST_SECONDS: Final = 5.0
"""How long a probe waits for an answer, where calls may take longer."""
UNFAIR: Final = ("JSONRPC-012",)
"""Rules that leave no legal answer to what cannot be read: we provoke what breaks them."""
STARTS: Final = 3
"""The first answer on a silent connection may take so many starts longer: it waits for one."""
CHANGED: Final = "a tool that it calls has changed its definition"
SPOILT: Final = UNUSABLE - {"http_status", "closed"}
"""Endings of a response of which only the head can be relied on."""
OVERLOADED: Final = "the server returned HTTP status {}, which is about load"
SESSION_HEADER: Final = "mcp-session-id"
STREAM_SECONDS: Final = 0.5
"""How long a response that goes on is listened to."""
LINGERING_SECONDS: Final = 1.0
"""How long a notification may take that should have come."""


class ServerOverloaded(Exception):
    """A server that has no room for requests now: what it replies to probes shows nothing."""


class Prober:
    """Holds dialogues; what it says breaks rules on purpose, so single messages are judged only."""

    def __init__(
        self, target: Target, options: ConnectionOptions, *, starts_ahead: bool = False
    ) -> None:
        self.lost = 0
        """Steps that were not answered, or that the server did not survive."""
        self.dialogue: Final = Dialogue()
        """What the latest probe sent and received."""
        self._target: Final = target
        self._options: Final = replace(options, is_probing=True, session=f"{options.session}-probe")
        self._seconds: Final = min(options.bounds.call_seconds, MOST_SECONDS)
        self._usual: Final = Connection(target, self._options)
        self._other: Connection | None = None
        self._spare: Final = Standby(target, self._options)
        self._known = Known()
        self._starts_ahead = starts_ahead
        """Whether a probe will want a life of its own, which can be started meanwhile."""
        self._is_new = False
        """Whether nothing was said yet on a connection without a handshake."""
        self._slowest_start = 0.0
        self._notes = Notes()
        self.own_faults: Final[list[OwnFault]] = []
        """Where we ourselves went wrong about messages, on connections that were left."""
        self._left: Final[list[asyncio.Future[list[Finding]]]] = []
        """The connections that were left, in that order: each gives at its end what it showed."""
        self._unkept = 0
        """Messages beyond those that are kept of an exchange, on earlier connections."""

    async def verdicts(self, probe: Probe, known: Known) -> Verdicts:
        """Hold the dialogue of a probe to its end; raises NotReached where nobody is there.

        Raises PermissionWithdrawn where it calls a tool that may not be called any more, and
        ServerOverloaded where the server has no room for its questions.
        """
        dialogue, self._known = probe.start(known), known
        self.dialogue.clear()
        try:
            step = next(dialogue)
            while True:
                reply = await self._reply(step)
                self.dialogue.add(step, reply)
                step = dialogue.send(reply)
        except StopIteration as end:
            verdicts: Verdicts = end.value
            return verdicts
        finally:
            if self._other is not None and self._spare.keep(self._other):
                self._other = None
            self._leave_other()
            if self._usual.is_alive:
                self._usual.channel.conversation.unfair = ()

    async def close(self) -> list[Finding]:
        """End all connections; give what single messages of the server showed."""
        self._leave_other()
        for connection in filter(None, (self._spare.give_up(), self._usual)):
            self._leave(connection)
        found = await asyncio.gather(*self._left)
        return [finding for one in found for finding in one if finding.rule not in UNFAIR]

    def limits(self) -> list[Limit]:
        """The limit of what is kept of one exchange, where it cut something."""
        count = self._unkept + self._notes.unkept
        if not count:
            return []
        return [Limit(name="probe-messages", value=MOST_MESSAGES, count=count, effect=NOT_KEPT)]

    async def _reply(self, step: Step) -> Reply:
        if isinstance(step, Anew):
            return await self._begin_anew(step)
        channel = await self._channel()
        reply = await self._take_step(channel, step)
        if _has_no_room(reply):
            raise ServerOverloaded(OVERLOADED.format(reply.status))
        self._spare.note(step, reply)
        self.lost += reply.ending in LOST
        strays, notifications = _taken(channel.strays), _taken(channel.notifications)
        return replace(reply, strays=strays, notifications=notifications)

    async def _take_step(
        self, channel: ClientSession, step: Ask | Notify | Raw | Http | Listen | Linger | End
    ) -> Reply:
        """Take a step on a connection that is there."""
        match step:
            case Ask():
                await self._require_permission(step)
                reply = await self._asked(channel, step)
            case Notify():
                reply = await self._exchanged(channel, channel.notify(step.method, step.params))
            case Raw():
                channel.conversation.unfair = (*channel.conversation.unfair, *step.provokes)
                sent = channel.send_raw(_bytes(step.text), self._headers(channel, step.headers))
                if sent is not None:
                    channel.aside.add(sent)
                reply = await self._exchanged(channel, sent)
            case Http():
                reply = await self._requested(channel, step)
            case Listen():
                reply = await self._subscribed(channel, step)
            case Linger():
                await self._notes.notification(channel, LINGERING_SECONDS)
                reply = Reply(ending="answered" if channel.is_subscribed else "closed")
            case End():
                reply = await self._ended()
        return reply

    async def _channel(self) -> ClientSession:
        connection = await self._alive(self._other or self._usual)
        if self._notes.channel is not connection.channel:
            self._unkept += self._notes.unkept
            self._notes = Notes(connection.channel)
            connection.channel.era.learn(self._known.tools)
        return connection.channel

    async def _alive(self, connection: Connection) -> Connection:
        """The connection, started again where it has ended."""
        if not connection.is_alive:
            began = perf_counter()
            await connection.restart()
            self._slowest_start = max(self._slowest_start, perf_counter() - began)
            if self._starts_ahead:
                self._starts_ahead = False
                await self._spare.start(self._known)
        return connection

    async def _begin_anew(self, step: Anew) -> Reply:
        self._leave_other()
        self._other = self._spare.take(step, self._known)
        if self._other is not None:
            self._is_new = self._spare.is_silent
            return Reply()
        target = self._target
        if isinstance(target, Endpoint) and not step.with_credentials:
            target = Endpoint(url=target.url)
        self._other, self._is_new = Connection(target, self._options), not step.with_handshake
        try:
            if step.with_handshake:
                await self._alive(self._other)
            else:
                if not self._known.is_closed:  # how long a start takes must be known before
                    await self._alive(self._usual)
                way: Way = "old" if self._known.is_old_http else "usual"
                await self._other.start_silently(self._known.revision, way)
        except NotReached as refusal:
            self._other = None
            ending: Ending = "died" if refusal.status is None else "http_status"
            if refusal.status in LOAD_STATUSES:
                raise ServerOverloaded(OVERLOADED.format(refusal.status)) from None
            return Reply(ending=ending, status=refusal.status)
        session = self._other.session_id
        return Reply(headers={SESSION_HEADER: session} if session else {})

    def _leave_other(self) -> None:
        other, self._other, self._is_new = self._other, None, False
        if other is not None:
            self._leave(other)

    def _leave(self, connection: Connection) -> None:
        """Let a connection end in its own time: what comes next need not wait for that."""
        self._left.append(asyncio.ensure_future(self._last_findings(connection)))

    async def _last_findings(self, connection: Connection) -> list[Finding]:
        """End a connection; give what single messages of the server showed on it."""
        await connection.close()
        found = connection.findings()
        self.own_faults.extend(connection.observations.own_faults)
        return found

    async def _require_permission(self, step: Ask) -> None:
        """See that a tool has the hints by which it may be called; raises Withdrawn.

        Each connection may be another life of the server, with other definitions. Where the call is
        to be the first request of one, the life before it is asked.
        """
        name = (step.params or {}).get("name")
        if step.method != "tools/call" or name not in self._known.callable:
            return
        asked = self._usual if self._is_new or self._other is None else self._other
        now = _hints(name, await (await self._alive(asked)).tools_now())
        if not now or now != _hints(name, self._known.tools):
            raise PermissionWithdrawn(CHANGED)

    async def _asked(self, channel: ClientSession, step: Ask) -> Reply:
        era = channel.era if step.bend == Bend() else Bent(channel.era, step.bend)
        seconds = self._seconds + (STARTS * self._slowest_start if self._is_new else 0.0)
        answer = await channel.ask(step.method, step.params, seconds=seconds, era=era)
        if answer.ending == "http_status" and _has_lost_session(channel):
            channel = await self._channel()  # the server lives, and a new session will do
            answer = await channel.ask(step.method, step.params, seconds=seconds, era=era)
        self._is_new = False
        return misnamed(replace(self._notes.reply(answer.exchange), **_said(answer)))

    async def _subscribed(self, channel: ClientSession, step: Listen) -> Reply:
        """Ask for a subscription; what comes first is its acknowledgement, or a refusal."""
        assert self._other is not None, "a subscription needs its own connection"
        answer = await channel.subscribe(step.kinds, self._seconds)
        if channel.is_subscribed:
            return Reply(ending="answered")
        return replace(self._notes.reply(answer.exchange), **_said(answer))

    async def _exchanged(self, channel: ClientSession, exchange: int | None) -> Reply:
        """What came back in the exchange of something that is no request; on stdio, nothing."""
        if exchange is None:
            return Reply(ending="died" if channel.ending else "answered")
        await channel.link.settle(exchange, self._seconds)
        return self._notes.reply(exchange)

    async def _requested(self, channel: ClientSession, step: Http) -> Reply:
        body = None if step.body is None else _bytes(step.body)
        link = cast("HttpWay", channel.link)  # such probes are made over HTTP alone
        session = link.session or ""
        headers = {name: it.replace(OUR_SESSION, session) for name, it in step.headers.items()}
        exchange = link.request(step.verb, headers, body, path=step.path)
        channel.aside.add(exchange)
        await self._notes.head(exchange, self._seconds)
        await channel.link.settle(exchange, STREAM_SECONDS)
        channel.link.drop(exchange)
        return self._notes.reply(exchange)

    async def _ended(self) -> Reply:
        connection = self._other or self._usual
        ending = await connection.close()
        if ending is None:
            return Reply()
        return Reply(stopped_by=ending.stopped_by, left_behind=ending.left_behind)

    def _headers(self, channel: ClientSession, given: Mapping[str, str]) -> Mapping[str, str]:
        return {**channel.era.headers("", None), **given} if channel.link.is_http else {}


class Bent(Era):
    """What a client sends that leaves out, or alters, what a good one sends."""

    def __init__(self, straight: Era, bend: Bend) -> None:
        super().__init__(straight.revision, {})
        self._straight: Final = straight
        self._bend: Final = bend

    def params(self, params: Mapping[str, Any] | None, token: int | None) -> dict[str, Any] | None:
        """The params as they are sent."""
        straight = self._straight.params(params, token)
        if not self._bend.meta:
            return straight
        meta = _altered((straight or {}).get("_meta") or {}, self._bend.meta)
        whole = {**(straight or {}), "_meta": meta}
        return whole if meta else {name: it for name, it in whole.items() if name != "_meta"}

    def headers(self, method: str, params: Mapping[str, Any] | None) -> dict[str, str]:
        """The headers of a request over HTTP."""
        return _altered(self._straight.headers(method, params), self._bend.headers)


class RecentMessages:
    """The last messages of one exchange; whatever the server sends, they stay few and small."""

    def __init__(self) -> None:
        self._texts: Final = deque[bytes]()
        self._size = 0

    def add(self, text: bytes) -> int:
        """Keep a message; give how many earlier ones that cost."""
        self._texts.append(text)
        self._size += len(text)
        dropped = 0
        while len(self._texts) > 1 and self._is_too_much():
            self._size -= len(self._texts.popleft())
            dropped += 1
        return dropped

    def _is_too_much(self) -> bool:
        return len(self._texts) > MOST_MESSAGES or self._size > MOST_BYTES

    def values(self) -> list[Any]:
        """What the messages say."""
        return [_value(text) for text in self._texts]


class Notes:
    """What is received in each exchange over HTTP: its status, headers and messages."""

    def __init__(self, channel: ClientSession | None = None) -> None:
        self.channel: Final = channel
        self._heads: Final[dict[str | int, Mapping[str, Any]]] = {}
        self._messages: Final[dict[str | int, RecentMessages]] = {}
        self._event_ids: Final[dict[str | int, list[str]]] = {}
        self.unkept = 0
        """Messages that are not kept, because more came after them."""
        self._awaited: Final[dict[str | int, asyncio.Event]] = {}
        self._stirred: Final = asyncio.Event()
        """Set as soon as anything is received."""
        self._ends: Final[dict[str | int, ExchangeEnd]] = {}
        if channel is not None:
            channel.on_entry, channel.on_end = self.hear, self.end

    def hear(self, entry: Entry) -> None:
        """Take note of what the server says."""
        self._stirred.set()
        if entry.exchange is None:
            return
        if entry.http is not None:
            self._heads[entry.exchange] = entry.http
            self._awaited.setdefault(entry.exchange, asyncio.Event()).set()
        if (id := event_id(entry.sse)) is not None and len(id) <= LONGEST_EVENT_ID:
            ids = self._event_ids.setdefault(entry.exchange, [])
            ids.extend([id] if len(ids) < MOST_MESSAGES else ())
        if entry.text is not None:
            recent = self._messages.setdefault(entry.exchange, RecentMessages())
            self.unkept += recent.add(entry.text)

    def end(self, exchange: int, end: ExchangeEnd) -> None:
        """Take note of how an exchange ended."""
        self._ends[exchange] = end
        self._awaited.setdefault(exchange, asyncio.Event()).set()

    async def head(self, exchange: int, seconds: float) -> None:
        """Wait until a response begins or the exchange ends, at most so long."""
        event = self._awaited.setdefault(exchange, asyncio.Event())
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await event.wait()

    async def notification(self, channel: ClientSession, seconds: float) -> None:
        """Wait until a notification has come that nobody took yet, at most so long."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while not channel.notifications:
                    self._stirred.clear()
                    await self._stirred.wait()

    def reply(self, exchange: int | None) -> Reply:
        """What came in an exchange."""
        head = self._heads.pop(exchange or 0, None)
        self._awaited.pop(exchange or 0, None)
        messages = self._messages.pop(exchange or 0, RecentMessages()).values()
        ids = self._event_ids.pop(exchange or 0, [])
        end = self._ends.pop(exchange or 0, None)
        if exchange is not None and head is None:
            return Reply(ending=end.kind if end else "timed_out", messages=messages)
        head = head or {}
        headers = {name.lower(): it for name, it in head.get("response_headers", {}).items()}
        ending: Ending = end.kind if end and end.kind in SPOILT else "answered"
        return Reply(
            ending=ending,
            status=head.get("status"),
            headers=headers,
            messages=messages,
            event_ids=ids,
        )


def _has_no_room(reply: Reply) -> bool:
    has_messages = reply.is_result or not all(
        is_load_refusal(reply.status, one) for one in reply.messages
    )
    return reply.status in LOAD_STATUSES and not has_messages


def _has_lost_session(channel: ClientSession) -> bool:
    return channel.ending is not None and channel.ending.how == "session_lost"


def _hints(name: str, tools: Sequence[Any]) -> list[Any]:
    """The annotations of all tools of a name."""
    named = (tool for tool in tools if isinstance(tool, dict) and tool.get("name") == name)
    return [tool.get("annotations") for tool in named]


def misnamed(reply: Reply) -> Reply:
    """Take what came in the exchange of a request for its answer, whatever id it has."""
    for it in reply.messages if reply.ending in UNUSABLE else ():
        if isinstance(it, dict) and "method" not in it and ("result" in it or "error" in it):
            said = {"result": it.get("result"), "error": it.get("error")}
            return replace(reply, ending="answered", is_misnamed=True, **said)
    return reply


def _said(answer: Response) -> dict[str, Any]:
    return {
        "ending": answer.ending,
        "result": answer.result,
        "error": answer.error,
        "unread": answer.unread,
    }


def _altered(known: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    return {name: it for name, it in {**known, **changes}.items() if it is not None}


def _taken(strays: deque[Any]) -> list[Any]:
    taken = list(strays)
    strays.clear()
    return taken


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _value(text: bytes) -> Any:
    if len(text) > MOST_BYTES:
        return text[:LONGEST_MESSAGE_SHOWN].decode("utf-8", "replace") + CUT
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        return text.decode("utf-8", "replace")
    cut_depths(value, text)
    return value
