"""How a session begins: which revision both sides speak, found out under one deadline."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from time import monotonic
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from mcp_assay.client.era import Era
from mcp_assay.client.links import LinkEnding, NotOpened, NotReached
from mcp_assay.client.response import Response
from mcp_assay.client.session import ClientSession
from mcp_assay.client.target import CLIENT_INFO, ConnectionOptions
from mcp_assay.model.ending import LOST, UNUSABLE
from mcp_assay.session.challenges import REFUSALS, in_words
from mcp_assay.spec.revisions import AUTO, DEFAULT_REVISION, R2024_11_05, R2026_07_28, REVISIONS

Way: TypeAlias = Literal["usual", "old"]
"""The transport of 2024-11-05 over HTTP is the old one."""
Start: TypeAlias = Callable[[Way], Awaitable[ClientSession]]
Discovery: TypeAlias = Literal["survived", "died", "silent", "confused"]
"""What server/discover did to a server of an older revision: nothing, it ended, it never answered
anything again, or it did not take initialize any more."""

HANDSHAKES: Final = tuple(revision for revision in REVISIONS if revision < R2026_07_28)
META: Final = "_meta"
SERVER_INFO: Final = "io.modelcontextprotocol/serverInfo"
MODERN_REFUSALS: Final = (-32020, -32021)
"""Errors that only a server of 2026-07-28 gives: it is no older one."""
LISTS: Final = ("tools/list", "resources/list", "prompts/list")
METHOD_NOT_FOUND: Final = -32601
FINAL: Final = (*range(300, 400), *REFUSALS)
"""HTTP statuses that say all: it is elsewhere, or we are not let in."""
UNHEARD: Final = LOST | {"closed", "reset"}
"""Endings, without a status, of servers from which nothing came."""
BEYOND_HTTP: Final = frozenset({"malformed_http", "wrong_encoding", "reset"})
"""Endings after which there is no use in looking for an older transport."""
STATUS_MEANINGS: Final[Mapping[int, str]] = {
    404: "nothing is at this path; check the URL",
    405: "this path does not take POST; check the URL",
    406: "it does not serve the types that MCP clients accept",
    410: "it is gone from this path; check the URL",
    429: "it takes no more requests now; try again later",
    502: "the gateway before it got no valid response; try again later",
    503: "it is not available now; try again later",
    504: "the gateway before it got no response in time; try again later",
}
"""What statuses mostly mean where a session should be opened."""
SILENT: Final = "the server did not respond"
NO_ENDPOINT: Final = "the stream of the server did not name an endpoint for messages"
UNSETTLED: Final = "the server answered initialize, but not notifications/initialized"
PROBE_SHARE: Final = 1 / 3
"""The share of the time in which server/discover should be answered; then initialize is tried, and
after as long again the server is started anew and asked for nothing else."""
MUCH_SOONER: Final = 1 / 2
"""A server that answers initialize in so small a part of the time for which it was silent before
was not slow to start: it was silent because of server/discover."""
LAST_WORDS: Final = 300
"""Characters of standard error that a message repeats."""


class Opened(Struct, frozen=True, kw_only=True):
    """What both sides agreed on, as far as the server said so."""

    channel: ClientSession
    revision: str
    capabilities: dict[str, Any] | None = field(default_factory=dict)
    """What the server says that it has; None where it was never asked with success."""
    server_info: dict[str, Any] = field(default_factory=dict)
    instructions: str | None = None
    offered: list[str] = field(default_factory=list)
    """The revisions that the server names as its own."""
    answer: Response
    """The answer to initialize or server/discover."""
    discovery: Discovery | None = None
    """What server/discover did to a server with a handshake; None where it was not asked."""


class Negotiation:
    """Opens one session; starts the server again where that is what it takes."""

    def __init__(self, start: Start, options: ConnectionOptions) -> None:
        self._start: Final = start
        self._options: Final = options
        self._seconds: Final = options.bounds.connect_seconds
        self._channel: ClientSession | None = None
        self._was_heard = False
        """Whether the server has answered anything, over HTTP."""
        self._doing = SILENT
        """What the server has not done if the time is up now, as the beginning of a sentence."""
        self._discovery: Discovery | None = None
        self._limit = asyncio.timeout(None)

    async def open(self) -> Opened:
        """Agree with the server; raises NotReached, and leaves nothing behind then."""
        try:
            async with asyncio.timeout(self._seconds) as self._limit:
                opened = await self._open()
                return replace(opened, discovery=self._discovery)
        except TimeoutError:
            ending = await self._close()
            words = f"{self._doing} within {self._seconds:g} seconds" + _last_words(ending)
            kind: NotOpened = "refused" if self._was_heard else "not_reached"
            raise NotReached(words, ending, kind=kind) from None
        except BaseException:
            await self._close()
            raise

    async def _open(self) -> Opened:
        channel = await self._begin()
        revision = self._options.revision
        if revision not in (AUTO, R2026_07_28):
            return await self._shake_hands(channel, revision)
        era = Era(R2026_07_28, self._options.answers)
        probe = asyncio.ensure_future(
            channel.ask("server/discover", seconds=self._seconds, era=era)
        )
        try:
            return await self._discover(channel, era, probe)
        finally:
            _forget(probe)

    async def _begin(self, way: Way = "usual") -> ClientSession:
        await self._close()
        self._channel = await self._start(way)
        return self._channel

    async def _close(self) -> LinkEnding | None:
        channel, self._channel = self._channel, None
        if channel is not None and channel.link.is_http:
            self._was_heard = self._was_heard or channel.has_heard
        if channel is not None and _is_nobody_there(channel):
            channel.conversation.discard()
        return await channel.close() if channel else None

    async def _discover(
        self, channel: ClientSession, era: Era, probe: asyncio.Future[Response]
    ) -> Opened:
        """Go by what server/discover says; a silent server may know initialize alone."""
        is_pinned = self._options.revision != AUTO
        await asyncio.wait([probe], timeout=None if is_pinned else self._seconds * PROBE_SHARE)
        if not probe.done():
            return await self._race(channel, era, probe)
        answer = probe.result()
        if opened := _discovered(channel, era, answer):
            return opened
        if is_pinned and answer.code == METHOD_NOT_FOUND:
            return await self._undiscovered(channel, era, answer)
        if is_pinned or answer.code in MODERN_REFUSALS or answer.status in FINAL:
            raise await self._refused("server/discover", answer)
        return await self._fall_back(channel, answer)

    async def _undiscovered(
        self, channel: ClientSession, era: Era, answer: Response, asked: str = "server/discover"
    ) -> Opened:
        """Go on without server/discover where the server lists anything in this revision."""
        channel.era = era
        for method in LISTS:
            if (await channel.ask(method, seconds=self._seconds)).is_result:
                revision = era.revision
                return Opened(channel=channel, revision=revision, capabilities=None, answer=answer)
        raise await self._refused(asked, answer)

    async def _fall_back(self, channel: ClientSession, answer: Response) -> Opened:
        """Try initialize; a server that did not survive the question is started again.

        Over HTTP an older server takes the question for a request without its session, and says so
        in the words of its time. That is no fault of it, and so it counts for nothing.
        """
        if channel.link.is_http:
            channel.conversation.discard()
            channel = await self._begin()
        offered = _offered(answer)
        if offered and not any(revision in HANDSHAKES for revision in offered):
            words = f"the server supports none of the known revisions, only {_listed(offered)}"
            raise NotReached(words, kind="refused")
        return await self._greet(channel, _newest(offered) or DEFAULT_REVISION)

    async def _greet(self, channel: ClientSession, revision: str) -> Opened:
        """Shake hands after server/discover; where that did harm, with a server started anew."""
        if channel.link.is_http:
            return await self._shake_hands(channel, revision)
        self._discovery = "survived"
        if channel.ending is None:
            try:
                return await self._shake_hands(channel, revision)
            except NotReached as refusal:
                self._discovery = "confused" if refusal.ending is None else "died"
        else:
            self._discovery = "died"
        return await self._shake_hands(await self._begin(), revision)

    async def _race(
        self, channel: ClientSession, era: Era, probe: asyncio.Future[Response]
    ) -> Opened:
        """Ask both questions: a server may be slow, or deaf to the first one."""
        greeting = asyncio.ensure_future(self._greet(channel, DEFAULT_REVISION))
        try:
            both: list[asyncio.Future[Any]] = [probe, greeting]
            patience = None if channel.link.is_http else self._seconds * PROBE_SHARE
            await asyncio.wait(both, timeout=patience, return_when=asyncio.FIRST_COMPLETED)
            if probe.done() and (opened := _discovered(channel, era, probe.result())):
                return opened
            if not probe.done() and not greeting.done():
                return await self._start_over(greeting)
            return await greeting
        finally:
            _forget(greeting)

    async def _start_over(self, greeting: asyncio.Future[Opened]) -> Opened:
        """Start a silent server anew and shake hands alone; it has all the time for that again."""
        _forget(greeting)
        began = monotonic()
        seconds = min(self._seconds, self._options.deadline.left())
        self._limit.reschedule(asyncio.get_running_loop().time() + seconds)
        opened = await self._shake_hands(await self._begin(), DEFAULT_REVISION)
        is_quick = monotonic() - began < 2 * PROBE_SHARE * self._seconds * MUCH_SOONER
        self._discovery = "silent" if is_quick else None
        return opened

    async def _shake_hands(
        self, channel: ClientSession, revision: str, way: Way = "usual"
    ) -> Opened:
        era = Era(revision, self._options.answers)
        params = {
            "protocolVersion": revision,
            "capabilities": era.capabilities,
            "clientInfo": CLIENT_INFO,
        }
        answer = await channel.ask("initialize", params, seconds=self._seconds, era=era)
        if answer.is_result:
            return await self._agreed(channel, era, answer)
        if self._options.revision == AUTO and R2026_07_28 in _offered(answer):
            return await self._taken_at_its_word(answer)
        older = _newest(_offered(answer))
        if self._options.revision == AUTO and older is not None and older < revision:
            return await self._shake_hands(await self._begin(way), older, way)
        is_lost = answer.ending in UNUSABLE and answer.status not in FINAL
        if is_lost and way == "usual" and self._options.revision in (AUTO, R2024_11_05):
            return await self._try_old_transport(answer)
        raise await self._refused("initialize", answer)

    async def _taken_at_its_word(self, answer: Response) -> Opened:
        """Speak 2026-07-28 to a server that names it when it refuses initialize."""
        era = Era(R2026_07_28, self._options.answers)
        return await self._undiscovered(await self._begin(), era, answer, asked="initialize")

    async def _try_old_transport(self, answer: Response) -> Opened:
        """Look for the transport of 2024-11-05; where it is not there, the first answer counts."""
        if answer.is_overloaded or answer.ending in BEYOND_HTTP:
            raise await self._refused("initialize", answer)
        seconds = self._options.bounds.call_seconds
        try:
            async with asyncio.timeout(seconds):
                channel = await self._begin("old")
        except TimeoutError:
            words = f"{NO_ENDPOINT} within {seconds:g} seconds"
            raise NotReached(words, kind="refused") from None
        except NotReached:
            raise await self._refused("initialize", answer) from None
        return await self._shake_hands(channel, R2024_11_05, "old")

    async def _refused(self, method: str, answer: Response) -> NotReached:
        """Why there is no session; how a server died is known once it is buried."""
        ending = await self._close() if answer.ending == "died" else None
        words = _why(method, answer) if ending is None else ended_words(ending)
        return NotReached(words, ending, answer.status, answer.challenge, _kind(answer))

    async def _agreed(self, channel: ClientSession, era: Era, answer: Response) -> Opened:
        """Take the server's revision; one that nobody knows is judged, not followed."""
        named = answer.result.get("protocolVersion")
        revision = named if named in HANDSHAKES else era.revision
        channel.era = Era(revision, self._options.answers)
        exchange = channel.notify("notifications/initialized")
        self._doing = UNSETTLED
        seconds = min(self._options.bounds.call_seconds, self._seconds * PROBE_SHARE)
        if not await channel.link.settle(exchange, seconds):
            channel.link.drop(exchange)
            channel.cut("unsettled-notifications", 1, UNSETTLED)
        await channel.link.listen(channel.era.headers("", None))
        return Opened(
            channel=channel,
            revision=revision,
            capabilities=_object(answer.result.get("capabilities")),
            server_info=_object(answer.result.get("serverInfo")),
            instructions=_text(answer.result.get("instructions")),
            offered=[named] if isinstance(named, str) else [],
            answer=answer,
        )


def _forget(task: asyncio.Future[Any]) -> None:
    """End a task of which nobody wants to know any more, not even why it failed."""
    task.cancel()
    task.add_done_callback(lambda done: done.cancelled() or done.exception())


def _is_nobody_there(channel: ClientSession) -> bool:
    """Whether no server was reached that could have answered."""
    return channel.ending is not None and channel.ending.how == "unreachable"


def _discovered(channel: ClientSession, era: Era, answer: Response) -> Opened | None:
    """What a server of 2026-07-28 says of itself, None where it is none."""
    offered = _offered(answer)
    if not answer.is_result or R2026_07_28 not in offered:
        return None
    channel.era = era
    return Opened(
        channel=channel,
        revision=R2026_07_28,
        capabilities=_object(answer.result.get("capabilities")),
        server_info=_object(_object(answer.result.get(META)).get(SERVER_INFO)),
        instructions=_text(answer.result.get("instructions")),
        offered=offered,
        answer=answer,
    )


def _offered(answer: Response) -> list[str]:
    """The revisions that an answer or an error names."""
    if answer.is_result:
        named = answer.result.get("supportedVersions")
    else:
        named = _object(_object(answer.error).get("data")).get("supported")
    return [one for one in named if isinstance(one, str)] if isinstance(named, list) else []


def _newest(offered: Iterable[str]) -> str | None:
    return max((revision for revision in offered if revision in HANDSHAKES), default=None)


def _kind(answer: Response) -> NotOpened:
    """What became of a session that the answer did not open."""
    if answer.ending == "http_status" and answer.status in REFUSALS:
        return "closed"
    return "not_reached" if answer.ending in UNHEARD and answer.status is None else "refused"


def _why(method: str, answer: Response) -> str:
    if answer.ending == "http_status":
        return _why_status(method, answer)
    if isinstance(answer.error, dict):
        said = str(answer.error.get("message", ""))[:LAST_WORDS]
        offered = _offered(answer)
        named = f"; it supports {_listed(offered)}" if offered else ""
        return f"the server rejected {method} with error {answer.error.get('code')}: {said}{named}"
    if answer.ending == "answered":
        return f"the server's response to {method} is not a result"
    if answer.ending == "timed_out":
        why = f": {answer.detail}" if answer.detail else ""
        return f"the server did not respond to {method}{why}"
    return f"the server {answer.what_it_did} when asked for {method}"


def _why_status(method: str, answer: Response) -> str:
    """What a status says of a request that should have opened a session."""
    status = answer.status or 0
    if status in REFUSALS:
        return f"the server answered {method} with {in_words(status, answer.challenge)}"
    meaning = answer.detail or STATUS_MEANINGS.get(status, "")
    said = f" ({meaning})" if meaning else ""
    return f"the server answered {method} with HTTP status {status} and no JSON-RPC message{said}"


def ended_words(ending: LinkEnding) -> str:
    """How a server ended, in words, with the last that it wrote."""
    if ending.why:
        return ending.why
    if ending.how == "flooded":
        return "the server wrote an endless line"
    code = ending.code
    how = "closed its output" if code is None else f"exited with code {code}"
    how = f"was killed by signal {-code}" if code is not None and code < 0 else how
    return f"the server {how}{_last_words(ending)}"


def _last_words(ending: LinkEnding | None) -> str:
    """What a server wrote last to standard error; of a line that is cut nothing is shown."""
    stderr = ending.stderr.strip() if ending else ""
    last = stderr[-LAST_WORDS:]
    if len(stderr) > LAST_WORDS:
        last = last.partition("\n")[2] or f"…{last}"
    return f"; last stderr output: {last.strip()}" if last else ""


def _listed(revisions: Iterable[str]) -> str:
    return ", ".join(one[:20] for one in list(revisions)[:10])


def _object(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
