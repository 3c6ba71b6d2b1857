"""One life of a server: requests go out, answers find them, everything else is attended to."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Callable, Mapping
from functools import partial
from itertools import count
from math import isfinite
from time import time
from typing import Any, Final, TypeAlias

import msgspec
import orjson
from msgspec import Struct
from msgspec.structs import replace

from mcp_assay.client.client_requests import MOST_UNMET, UnmetRequest, reply, unmet_request
from mcp_assay.client.era import Era, encode, message
from mcp_assay.client.links import LONGEST_TAIL, NO_HEADERS, Link, LinkEnding
from mcp_assay.client.observer import SessionObserver
from mcp_assay.client.pending_requests import PendingRequest, Queue, WrongIds
from mcp_assay.client.response import Response
from mcp_assay.client.target import ConnectionOptions
from mcp_assay.model.ending import Ending, ExchangeEnd, is_load_refusal, is_overloaded
from mcp_assay.model.entry import Entry
from mcp_assay.model.finding import NOWHERE
from mcp_assay.session.challenges import REFUSALS, challenge_in
from mcp_assay.session.retry_after import retry_after_in, seconds_until
from mcp_assay.spec.meta_keys import SUBSCRIPTION
from mcp_assay.spec.methods import ACKNOWLEDGED, LISTEN
from mcp_assay.spec.revisions import R2024_11_05
from mcp_assay.text.redaction import Redactor
from mcp_assay.wire.depth import cut_depths
from mcp_assay.wire.reader import read
from mcp_assay.wire.values import quoted

NEVER_CANCELLED: Final = ("initialize", "server/discover")
TOOLS_CHANGED: Final = "notifications/tools/list_changed"
SETTLING_SECONDS: Final = 1.0
"""How long a server may take to accept that a request is cancelled."""
MOST_IN_A_ROW: Final = 64
"""So many requests may be answered before the loop, which has other things to see to, comes in."""
OTHER_TYPE: Final = "its data came in an event of type {}, which clients do not read"
CutKey: TypeAlias = tuple[str, int, str]
"""A limit that cut something: its name, its value, and what that means."""
SHORTEST_PAUSE: Final = 0.05
"""Seconds between two attempts, however soon a server wants the next."""
LONGEST_KEPT: Final = 16 * 1024
"""A longer notification or stray response is heeded and judged, but not kept."""
MOST_SAID: Final = 200
LONGEST_SAID: Final = 1 << 14
"""So many messages that answer nothing are searched for secrets, and so much of each."""
LONGEST_LATE: Final = 64 * 1024
"""A longer message that comes when the run must be over is neither judged nor taken."""
LATE_SECONDS: Final = 0.2
"""So long messages that come then are judged and taken in all; the rest are only counted."""


class _LongMessage(Struct):
    """What is read of a message that is too long to be decoded."""

    id: Any = None
    method: Any = None


class ClientSession:
    """The conversation over one link; it is the link's listener."""

    def __init__(
        self,
        conversation: SessionObserver,
        options: ConnectionOptions,
        redactor: Redactor,
        cuts: Counter[CutKey] | None = None,
    ) -> None:
        self.link: Link
        """Set as soon as it is open."""
        self.era = Era(R2024_11_05, options.answers)
        self.ending: LinkEnding | None = None
        """How the server ended, once it has."""
        self.notifications: Final = deque[Any](maxlen=options.bounds.notifications)
        self.strays: Final = deque[Any](maxlen=options.bounds.strays)
        """Responses that answer nothing of ours, none of them long."""
        self._said: Final = deque[bytes](maxlen=MOST_SAID)
        """What the server said unasked since this was looked at last, as it came."""
        self._stderr_seen = 0
        self.has_heard = False
        """Whether anything at all came from the server."""
        self.on_entry: Callable[[Entry], None] = _nobody
        """Who else hears what the server says."""
        self.on_end: Callable[[int, ExchangeEnd], None] = _nobody_waits
        """Who else hears how an exchange over HTTP ended."""
        self.aside: Final[set[int]] = set()
        """Exchanges over HTTP that are no part of the conversation: they are not judged."""
        self.unanswered = 0
        """Requests of the server beyond those that are answered."""
        self._late = 0.0
        """Seconds that messages took which came when the run must be over."""
        self.too_deep = 0
        """Messages of which only the upper levels were taken."""
        self.tool_changes = 0
        """How often the server said that its tools are others now."""
        self.muted = 0
        """Requests during which more came on standard error than is kept."""
        self.conversation: Final = conversation
        """What judges and records all that is said."""
        self._options: Final = options
        self._redactor: Final = redactor
        self._cuts: Final = Counter[CutKey]() if cuts is None else cuts
        self._queue: Final = Queue()
        self._wrong_ids: Final = WrongIds(self._queue)
        self._loop: Final = asyncio.get_running_loop()
        self._ids: Final = count(1)
        self._replies = 0
        self._reply_bytes = 0
        self._in_a_row = 0
        self._unmet: list[UnmetRequest] = []
        self._subscribed: PendingRequest | None = None

    def hear(self, entry: Entry) -> None:
        """Judge and record what passes; take what the server says.

        The time that this takes is not held against a server that is waited for.
        """
        if entry.direction == "c2s":
            self._hear(entry)
            return
        began = self._loop.time()
        if entry.text and self._is_passed_over(entry.text):
            self.conversation.pass_over()
        else:
            self._hear(entry)
        taken = self._loop.time() - began
        self._late += taken if self._options.deadline.is_over else 0.0
        for waiting in self._queue:
            waiting.forgive(taken)

    def _is_passed_over(self, text: bytes) -> bool:
        """Whether a message is neither judged nor taken: it is of a flood, or long and too late."""
        is_too_much = len(text) > LONGEST_LATE or self._late > LATE_SECONDS
        if is_too_much and self._options.deadline.is_over:
            return True
        return self.conversation.is_flooded and self._is_of_flood(text)

    def _is_of_flood(self, text: bytes) -> bool:
        """Whether a message of a flood is none that anybody waits for."""
        if len(text) > LONGEST_KEPT:
            outline = _read_outline(text)
            return outline.method is not None or self._queue.get(outline.id) is None
        try:
            value = orjson.loads(text)
        except orjson.JSONDecodeError:
            return True
        if not isinstance(value, dict):
            return not isinstance(value, list)
        self.unanswered += "method" in value and "id" in value
        self.tool_changes += value.get("method") == TOOLS_CHANGED
        self._heed_progress(value)
        return "method" in value or self._queue.get(value.get("id")) is None

    def _hear(self, entry: Entry) -> None:
        is_aside = entry.exchange in self.aside
        is_legible = self.conversation.hear(entry, is_judged=not is_aside)
        if entry.direction == "c2s":
            return
        self.has_heard = True
        self._note_status(entry)
        self.on_entry(entry)
        if entry.other_type is not None:
            self._note_other_type(entry)
        elif is_legible:
            self._take(self._decoded(entry.text or b""), entry)
        elif entry.text or entry.unread:
            self._take_long(entry)

    def _decoded(self, text: bytes) -> object:
        """The value of a text, as far as it can be read and as deep as it can be walked."""
        value = _value(text)
        self.too_deep += cut_depths(value, text)
        return value

    def _note_other_type(self, entry: Entry) -> None:
        """Remember what came instead of an answer: clients do not read such events."""
        waiting = self._queue.of(entry.exchange) if isinstance(entry.exchange, int) else None
        if waiting is not None:
            waiting.detail = OTHER_TYPE.format(quoted(entry.other_type or ""))

    def over(self, exchange: int, end: ExchangeEnd) -> None:
        """Nothing more comes in an exchange: who still waits there waits in vain."""
        self.on_end(exchange, end)
        waiting = self._queue.of(exchange)
        if waiting is not None:
            waiting.detail = self._redactor.line(end.detail) or waiting.detail
            waiting.end(end.kind)

    def waits(self, exchange: int) -> bool:
        """Whether a request of this exchange waits for its answer, or a subscription goes on."""
        subscribed = self._subscribed
        is_subscribed = subscribed is not None and subscribed.exchange == exchange
        return is_subscribed or self._queue.of(exchange) is not None

    def cut(self, limit: str, value: int, effect: str) -> None:
        """Note that a limit of the link has cut something."""
        self._cuts[limit, value, effect] += 1

    def ended(self, ending: LinkEnding) -> None:
        """The server is gone: nobody needs to wait any longer.

        Where only our session is, each exchange still ends by itself.
        """
        self.ending = replace(ending, stderr=self._redactor.line(ending.stderr))
        for waiting in self._queue if ending.how != "session_lost" else ():
            waiting.detail = ending.why
            waiting.end("died")

    async def ask(
        self,
        method: str,
        params: Mapping[str, Any] | None = None,
        *,
        seconds: float,
        era: Era | None = None,
    ) -> Response:
        """Send a request and wait for its answer, at most so long."""
        return await self.receive(self.send(method, params, seconds=seconds, era=era))

    def send(
        self,
        method: str,
        params: Mapping[str, Any] | None = None,
        *,
        seconds: float,
        most: float = 0.0,
        wants_progress: bool = False,
        era: Era | None = None,
    ) -> PendingRequest:
        """Send a request, whose answer is then received."""
        id, era = next(self._ids), era or self.era
        sent = era.params(params, id if wants_progress else None)
        raw, mark = message(method, sent, id), self.link.stderr_mark()
        longest = most if wants_progress else 0.0
        pending = PendingRequest(method, seconds, longest, id=id, request=raw, stderr_mark=mark)
        pending.again = partial(
            self.send, method, params, most=most, wants_progress=wants_progress, era=era
        )
        self._unmet = []
        self._queue.put(id, pending)
        self.conversation.begin_waiting()
        self._wrong_ids.asked(id)
        if self.ending is None:
            headers = era.headers(method, sent) if self.link.is_http else NO_HEADERS
            pending.exchange = self.link.send(raw, headers)
        else:
            pending.end("died")
        return pending

    async def catch_up(self, pending: PendingRequest) -> None:
        """Take in what came while we did something else, and do not count that time."""
        if self.ending is not None:
            return
        pending.excuse()
        if self._is_turn_of_others():
            await asyncio.sleep(0)
        else:
            self.link.take_in()  # by now the answer is often there

    async def receive(self, pending: PendingRequest) -> Response:
        """Wait for the answer to what was sent, until its time is up."""
        ending = await self._ending(pending)
        while (again := await self._sent_again(ending, pending)) is not None:
            pending = again
            ending = await self._ending(pending)
        if pending.method == "initialize":
            self.link.adopt(pending.exchange)
        if ending == "timed_out":
            await self._give_up(pending)
        return self._response(ending, pending)

    async def _sent_again(self, ending: Ending, pending: PendingRequest) -> PendingRequest | None:
        """Send a request again when an overloaded server wants it, if there is time for that."""
        if not is_overloaded(ending, pending.status) or pending.again is None:
            return None
        pause, left = seconds_until(pending.retry_after, time()), pending.seconds_left
        if pause is None or pause >= left or self.ending is not None:
            return None
        await asyncio.sleep(max(pause, SHORTEST_PAUSE))
        return pending.again(seconds=max(pending.seconds_left, SHORTEST_PAUSE))

    async def subscribe(self, wanted: Mapping[str, Any], seconds: float) -> Response:
        """Subscribe to changes, and wait until the server agrees or refuses, at most so long.

        An answer without a result is its agreement: the result comes when the subscription ends.
        """
        pending = self.send(LISTEN, {"notifications": wanted}, seconds=seconds)
        ending = await self._ending(pending)
        if ending == "timed_out":
            await self._give_up(pending)
        elif ending == "answered" and not pending.value:
            self._subscribed = pending
        return self._response(ending, pending)

    async def _ending(self, pending: PendingRequest) -> Ending:
        try:
            return pending.ended or await pending.ending()
        finally:
            self._queue.take_out(pending.id)

    @property
    def is_subscribed(self) -> bool:
        """Whether the server has agreed to report changes, and has not ended that."""
        return self._subscribed is not None and self.ending is None

    def notify(self, method: str, params: Mapping[str, Any] | None = None) -> int | None:
        """Send a notification; give the number of its exchange."""
        self._wrong_ids.forget_suspects()
        return self.link.send(message(method, params), self.era.headers(method, params))

    def send_raw(self, raw: bytes, headers: Mapping[str, str] = NO_HEADERS) -> int | None:
        """Send any bytes at all; give the number of their exchange."""
        self._wrong_ids.forget_suspects()
        return self.link.send(raw, headers)

    async def close(self) -> LinkEnding:
        """End the server and the conversation."""
        self.conversation.about = NOWHERE
        if self._subscribed is not None and self.ending is None:
            await self._give_up(self._subscribed)
        last = await self._closed_link()
        self.conversation.close()
        self.ended(last if self.ending is None else self._final(self.ending, last))
        assert self.ending is not None
        return self.ending

    async def _closed_link(self) -> LinkEnding:
        """End the link; over HTTP a server may keep us waiting, and nothing of it is left."""
        try:
            async with asyncio.timeout(self._time_to_close()):
                return await self.link.close()
        except TimeoutError:
            return LinkEnding(how="closed")

    def _time_to_close(self) -> float | None:
        """Seconds; None where nobody is in a hurry, or the link sees to it itself."""
        seconds = self._options.deadline.left_to_close()
        return seconds if self.link.is_http and isfinite(seconds) else None

    def _is_turn_of_others(self) -> bool:
        """Whether so much was done in a row that the loop must come in."""
        self._in_a_row = (self._in_a_row + 1) % MOST_IN_A_ROW
        return self._in_a_row == 0

    def _final(self, first: LinkEnding, last: LinkEnding) -> LinkEnding:
        """How the server ended, with what was learned since; not the code that our signal gave."""
        is_known = first.code is not None or last.stopped_by is not None
        code = first.code if is_known else last.code
        return replace(
            first,
            code=code,
            stopped_by=last.stopped_by,
            left_behind=last.left_behind,
            stderr=last.stderr,
        )

    def _response(self, ending: Ending, pending: PendingRequest) -> Response:
        value, mark = pending.value, pending.stderr_mark
        stderr = self._redactor.line(self.link.stderr_since(mark))
        self.muted += self.link.stderr_mark() - mark > LONGEST_TAIL
        return Response(
            ending=ending,
            result=value.get("result"),
            error=value.get("error"),
            seconds=pending.seconds,
            stderr=stderr,
            request=pending.request,
            response=pending.raw,
            unread=pending.unread,
            status=pending.status,
            challenge=self._redactor.line(pending.challenge),
            exchange=pending.exchange,
            detail="" if ending == "answered" else pending.detail,
            unmet=tuple(self._unmet),
            exit=self.ending if ending == "died" else None,
        )

    async def _give_up(self, pending: PendingRequest) -> None:
        """Tell the server that nobody waits any longer: over HTTP, lately, by going away."""
        is_cancelled = pending.method not in NEVER_CANCELLED
        if is_cancelled and not (self.link.is_http and self.era.is_modern):
            params = {"requestId": pending.id, "reason": "time is up"}
            exchange = self.notify("notifications/cancelled", params)
            seconds = min(SETTLING_SECONDS, self._options.deadline.left())
            await self.link.settle(exchange, seconds)
        self.link.drop(pending.exchange)

    def _note_status(self, entry: Entry) -> None:
        head = entry.http or {}
        status = head.get("status")
        waiting = self._queue.of(entry.exchange) if isinstance(status, int) else None
        if waiting is not None:
            waiting.status = status
            headers = head.get("response_headers", {})
            if status in REFUSALS:
                waiting.challenge = challenge_in(headers)
            waiting.retry_after = retry_after_in(headers)

    def _take(self, value: object, entry: Entry) -> None:
        if isinstance(value, list):
            for member in value:
                self._take(member, entry)
        elif isinstance(value, dict):
            self._take_message(value, entry)
        elif entry.exchange is None:
            self._wrong_ids.overhear(entry.text or b"")

    def _take_message(self, value: dict[str, Any], entry: Entry) -> None:
        if "method" not in value:
            waiting = self._queue.get(value.get("id"))
            is_response = "result" in value or "error" in value
            if waiting is not None and is_response and is_load_refusal(waiting.status, value):
                waiting.end("http_status")
            elif waiting is not None and is_response:
                waiting.value, waiting.raw = value, entry.text
                waiting.end("answered")
                self._wrong_ids.answered(value["id"])
            elif self._subscribed is not None and value.get("id") == self._subscribed.id:
                self._subscribed = None
            else:
                self._take_stray(value, entry, is_response)
        else:
            self._said.append((entry.text or b"")[:LONGEST_SAID])
            if "id" in value:
                self._reply(value)
            else:
                self._take_notification(value, len(entry.text or b""))

    def overheard(self) -> list[str]:
        """What the server said unasked since the last time, secrets and all: for searching only.

        That is its requests and notifications, and what it wrote to standard error.
        """
        said = [one.decode(errors="replace") for one in self._said]
        self._said.clear()
        since, self._stderr_seen = self._stderr_seen, self.link.stderr_mark()
        return [*said, self.link.stderr_since(since)]

    def _take_stray(self, value: dict[str, Any], entry: Entry, is_response: bool) -> None:
        if len(entry.text or b"") <= LONGEST_KEPT:
            self.strays.append(value)
        if is_response and entry.exchange is None:  # over HTTP the exchange says whose it is
            self._wrong_ids.heed(value)

    def _take_notification(self, value: dict[str, Any], size: int) -> None:
        if size <= LONGEST_KEPT:
            self.notifications.append(value)
        self.tool_changes += value["method"] == TOOLS_CHANGED
        self._heed_progress(value)
        if value["method"] == ACKNOWLEDGED and (
            waiting := self._queue.get(_member(value, "params", "_meta", SUBSCRIPTION))
        ):
            waiting.end("answered")

    def _heed_progress(self, value: dict[str, Any]) -> None:
        if value.get("method") == "notifications/progress" and (
            waiting := self._queue.get(_member(value, "params", "progressToken"))
        ):
            waiting.stretch()

    def _take_long(self, entry: Entry) -> None:
        """Take an answer that is not decoded: whose it is, its outline tells, or its exchange."""
        outline = _read_outline(entry.text)
        if isinstance(outline.method, str):
            self.tool_changes += outline.method == TOOLS_CHANGED
            return
        waiting = self._queue.get(outline.id) or self._queue.of(entry.exchange)
        if waiting is not None:
            waiting.unread = entry.unread or len(entry.text or b"")
            waiting.end("over_limit")

    def _reply(self, value: dict[str, Any]) -> None:
        """Answer what the server asks; since 2026-07-28 it must not, and clients do not answer."""
        if self.era.is_modern or not isinstance(value["id"], str | int):
            return
        self._replies += 1
        bounds, answers = self._options.bounds, self._options.answers
        if self._replies > bounds.replies or self._reply_bytes > bounds.reply_bytes:
            self.unanswered += 1
            return
        found = unmet_request(value["method"], value.get("params"), answers)
        if found is not None and len(self._unmet) < MOST_UNMET:
            self._unmet.append(found)
        response = encode(reply(value["id"], value["method"], answers))
        self._reply_bytes += len(response)
        self.link.send(response, self.era.headers("", None))


def _nobody(_: Entry) -> None:
    """Nobody else hears it."""


def _nobody_waits(_: int, __: ExchangeEnd) -> None:
    """Nobody else waits for it."""


def _value(text: bytes) -> object:
    """The value of a text, as far as it can be read: odd texts may still be answers."""
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return read(text, odd=True).value


def _member(value: Any, *path: str) -> Any:
    """What stands there in an object, None where nothing does."""
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _read_outline(text: bytes | None) -> _LongMessage:
    try:
        return msgspec.json.decode(text or b"{}", type=_LongMessage)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return _LongMessage()
