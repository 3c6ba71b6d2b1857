"""One life of a server: requests go out, answers find them, everything else is attended to."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Mapping
from itertools import count
from typing import Any, Final

import msgspec
import orjson
from msgspec import Struct
from msgspec.structs import replace

from mcp_assay.drive.answer import Answer
from mcp_assay.drive.manner import Manner, encode, message
from mcp_assay.drive.misnaming import Misnaming
from mcp_assay.drive.overhearing import Conversation
from mcp_assay.drive.refusing import reply
from mcp_assay.drive.target import Options
from mcp_assay.drive.waiting import Queue, Waiting
from mcp_assay.drive.wishing import MOST_WISHES, Wish, wish
from mcp_assay.model.finding import NOWHERE
from mcp_assay.rules.challenges import REFUSALS, challenge_in
from mcp_assay.rules.sessions.subscriptions import ACKNOWLEDGED, LISTEN, SUBSCRIPTION
from mcp_assay.spec.revisions import R2024_11_05
from mcp_assay.transport.frames import Heard
from mcp_assay.transport.links import NO_HEADERS, Ending, Link
from mcp_assay.transport.redaction import Redactor
from mcp_assay.transport.tails import LONGEST_TAIL
from mcp_assay.wire.reading import read

NEVER_CANCELLED: Final = ("initialize", "server/discover")
TOOLS_CHANGED: Final = "notifications/tools/list_changed"
SETTLING_SECONDS: Final = 1.0
"""How long a server may take to accept that a request is cancelled."""
MOST_IN_A_ROW: Final = 64
"""So many requests may be answered before the loop, which has other things to see to, comes in."""
LONGEST_KEPT: Final = 16 * 1024
"""A longer notification or stray response is heeded and judged, but not kept."""


class _Outline(Struct):
    """What is read of a message that is too long to be decoded."""

    id: Any = None
    method: Any = None


class Channel:
    """The conversation over one link; it is the link's listener."""

    def __init__(self, conversation: Conversation, options: Options, redactor: Redactor) -> None:
        self.link: Link
        """Set as soon as it is open."""
        self.manner = Manner(R2024_11_05, options.answers)
        self.ending: Ending | None = None
        """How the server ended, once it has."""
        self.notifications: Final = deque[Any](maxlen=options.bounds.notifications)
        self.strays: Final = deque[Any](maxlen=options.bounds.strays)
        """Responses that answer nothing of ours, none of them long."""
        self.witness: Callable[[Heard], None] = _nobody
        """Who else hears what the server says."""
        self.aside: Final[set[int]] = set()
        """Exchanges over HTTP that are no part of the conversation: they are not judged."""
        self.unanswered = 0
        """Requests of the server beyond those that are answered."""
        self.tool_changes = 0
        """How often the server said that its tools are others now."""
        self.muted = 0
        """Requests during which more came on standard error than is kept."""
        self.conversation: Final = conversation
        """What judges and records all that is said."""
        self._options: Final = options
        self._redactor: Final = redactor
        self._queue: Final = Queue()
        self._misnaming: Final = Misnaming(self._queue)
        self._ids: Final = count(1)
        self._replies = 0
        self._in_a_row = 0
        self._wishes: list[Wish] = []
        self._subscribed: tuple[int, Waiting] | None = None

    def hear(self, heard: Heard) -> None:
        """Judge and record what passes; take what the server says."""
        is_aside = heard.exchange in self.aside
        is_legible = self.conversation.hear(heard, is_judged=not is_aside)
        if heard.direction == "c2s":
            return
        self._note_status(heard)
        self.witness(heard)
        if is_legible:
            self._take(_value(heard.text or b""), heard)
        elif heard.text or heard.unread:
            self._take_long(heard)

    def over(self, exchange: int, why: str) -> None:
        """Nothing more comes in an exchange: who still waits there waits in vain."""
        waiting = self._queue.of(exchange)
        if waiting is not None:
            waiting.why = why
            waiting.end("unanswered")

    def ended(self, ending: Ending) -> None:
        """The server is gone: nobody needs to wait any longer."""
        self.ending = replace(ending, stderr=self._redactor.line(ending.stderr))
        for waiting in self._queue:
            waiting.why = ending.why
            waiting.end("died")

    async def ask(
        self,
        method: str,
        params: Mapping[str, Any] | None = None,
        *,
        seconds: float,
        most: float = 0.0,
        tells_progress: bool = False,
        manner: Manner | None = None,
        meanwhile: Callable[[], None] | None = None,
    ) -> Answer:
        """Send a request and wait for its answer, at most so long; meanwhile do something else."""
        id, manner = next(self._ids), manner or self.manner
        sent = manner.params(params, id if tells_progress else None)
        raw = message(method, sent, id)
        waiting, mark = Waiting(method, seconds, most), self.link.stderr_mark()
        self._wishes = []
        self._queue.put(id, waiting)
        self._misnaming.asked(id)
        try:
            if self.ending is None:
                headers = manner.headers(method, sent) if self.link.is_http else NO_HEADERS
                waiting.exchange = self.link.send(raw, headers)
                if meanwhile is not None:
                    waiting.use(meanwhile)
                    if self._is_turn_of_others():
                        await asyncio.sleep(0)
                    else:
                        self.link.take_in()  # by now the answer is often there
            else:
                waiting.end("died")
            ending = waiting.ended or await waiting.ending()
        finally:
            self._queue.take_out(id)
        if method == "initialize":
            self.link.adopt(waiting.exchange)
        if ending == "timed_out":
            await self._give_up(id, waiting)
        return self._answer(ending, waiting, raw, mark)

    async def subscribe(self, wanted: Mapping[str, Any], seconds: float) -> Answer:
        """Ask to be told of changes, and wait until the server agrees or refuses, at most so long.

        An answer without a result is its agreement: the result comes when the subscription ends.
        """
        id, manner, mark = next(self._ids), self.manner, self.link.stderr_mark()
        params = manner.params({"notifications": wanted}, None)
        raw, waiting = message(LISTEN, params, id), Waiting(LISTEN, seconds, 0.0)
        self._queue.put(id, waiting)
        self._misnaming.asked(id)
        try:
            waiting.exchange = self.link.send(raw, manner.headers(LISTEN, params))
            ending = await waiting.ending()
        finally:
            self._queue.take_out(id)
        if ending == "timed_out":
            await self._give_up(id, waiting)
        elif ending == "answered" and not waiting.value:
            self._subscribed = id, waiting
        return self._answer(ending, waiting, raw, mark)

    @property
    def is_subscribed(self) -> bool:
        """Whether the server has agreed to tell of changes, and has not ended that."""
        return self._subscribed is not None and self.ending is None

    def notify(self, method: str, params: Mapping[str, Any] | None = None) -> int | None:
        """Send a notification; give the number of its exchange."""
        self._misnaming.told()
        return self.link.send(message(method, params), self.manner.headers(method, params))

    def send_raw(self, raw: bytes, headers: Mapping[str, str] = NO_HEADERS) -> int | None:
        """Send any bytes at all; give the number of their exchange."""
        self._misnaming.told()
        return self.link.send(raw, headers)

    async def close(self) -> Ending:
        """End the server and the conversation."""
        self.conversation.about = NOWHERE
        if self._subscribed is not None and self.ending is None:
            await self._give_up(*self._subscribed)
        last = await self.link.close()
        self.conversation.close()
        self.ended(last if self.ending is None else self._final(self.ending, last))
        assert self.ending is not None
        return self.ending

    def _is_turn_of_others(self) -> bool:
        """Whether so much was done in a row that the loop must come in."""
        self._in_a_row = (self._in_a_row + 1) % MOST_IN_A_ROW
        return self._in_a_row == 0

    def _final(self, first: Ending, last: Ending) -> Ending:
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

    def _answer(self, ending: Any, waiting: Waiting, raw: bytes, mark: int) -> Answer:
        value = waiting.value
        stderr = self._redactor.line(self.link.stderr_since(mark))
        self.muted += self.link.stderr_mark() - mark > LONGEST_TAIL
        return Answer(
            ending=ending,
            result=value.get("result"),
            error=value.get("error"),
            seconds=waiting.seconds,
            stderr=stderr,
            request=raw,
            response=waiting.raw,
            unread=waiting.unread,
            status=waiting.status,
            challenge=self._redactor.line(waiting.challenge),
            exchange=waiting.exchange,
            why="" if ending == "answered" else waiting.why,
            wishes=tuple(self._wishes),
            exit=self.ending if ending == "died" else None,
        )

    async def _give_up(self, id: int, waiting: Waiting) -> None:
        """Tell the server that nobody waits any longer: over HTTP, lately, by going away."""
        is_cancelled = waiting.method not in NEVER_CANCELLED
        if is_cancelled and not (self.link.is_http and self.manner.is_modern):
            params = {"requestId": id, "reason": "time is up"}
            exchange = self.notify("notifications/cancelled", params)
            await self.link.settle(exchange, SETTLING_SECONDS)
        self.link.drop(waiting.exchange)

    def _note_status(self, heard: Heard) -> None:
        head = heard.http or {}
        status = head.get("status")
        waiting = self._queue.of(heard.exchange) if isinstance(status, int) else None
        if waiting is not None:
            waiting.status = status
            if status in REFUSALS:
                waiting.challenge = challenge_in(head.get("response_headers", {}))

    def _take(self, value: object, heard: Heard) -> None:
        if isinstance(value, list):
            for member in value:
                self._take(member, heard)
        elif isinstance(value, dict):
            self._take_message(value, heard)
        elif heard.exchange is None:
            self._misnaming.overhear(heard.text or b"")

    def _take_message(self, value: dict[str, Any], heard: Heard) -> None:
        if "method" not in value:
            waiting = self._queue.get(value.get("id"))
            is_response = "result" in value or "error" in value
            if waiting is not None and is_response:
                waiting.value, waiting.raw = value, heard.text
                waiting.end("answered")
                self._misnaming.answered(value["id"])
            elif self._subscribed is not None and value.get("id") == self._subscribed[0]:
                self._subscribed = None
            else:
                self._take_stray(value, heard, is_response)
        elif "id" in value:
            self._reply(value)
        else:
            self._take_notification(value, len(heard.text or b""))

    def _take_stray(self, value: dict[str, Any], heard: Heard, is_response: bool) -> None:
        if len(heard.text or b"") <= LONGEST_KEPT:
            self.strays.append(value)
        if is_response and heard.exchange is None:  # over HTTP the exchange says whose it is
            self._misnaming.heed(value)

    def _take_notification(self, value: dict[str, Any], size: int) -> None:
        if size <= LONGEST_KEPT:
            self.notifications.append(value)
        self.tool_changes += value["method"] == TOOLS_CHANGED
        if value["method"] == "notifications/progress":
            if waiting := self._queue.get(_member(value, "params", "progressToken")):
                waiting.stretch()
        elif value["method"] == ACKNOWLEDGED and (
            waiting := self._queue.get(_member(value, "params", "_meta", SUBSCRIPTION))
        ):
            waiting.end("answered")

    def _take_long(self, heard: Heard) -> None:
        """Take an answer that is not decoded: whose it is, its outline tells, or its exchange."""
        outline = _outline(heard.text)
        if isinstance(outline.method, str):
            self.tool_changes += outline.method == TOOLS_CHANGED
            return
        waiting = self._queue.get(outline.id) or self._queue.of(heard.exchange)
        if waiting is not None:
            waiting.unread = heard.unread or len(heard.text or b"")
            waiting.end("answered")

    def _reply(self, value: dict[str, Any]) -> None:
        """Answer what the server asks; since 2026-07-28 it must not, and clients do not answer."""
        if self.manner.is_modern or not isinstance(value["id"], str | int):
            return
        self._replies += 1
        if self._replies > self._options.bounds.replies:
            self.unanswered += 1
            return
        answers = self._options.answers
        found = wish(value["method"], value.get("params"), answers)
        if found is not None and len(self._wishes) < MOST_WISHES:
            self._wishes.append(found)
        response = reply(value["id"], value["method"], answers)
        self.link.send(encode(response), self.manner.headers("", None))


def _nobody(_: Heard) -> None:
    """Nobody else hears it."""


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


def _outline(text: bytes | None) -> _Outline:
    try:
        return msgspec.json.decode(text or b"{}", type=_Outline)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return _Outline()
