"""A connection to a server: opened, asked, called, started again after a death, closed."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping
from typing import Any, Final, NamedTuple, Protocol, Self

from msgspec.structs import replace

from mcp_assay.client.client_requests import UnmetRequest, inputs, unmet_in
from mcp_assay.client.effects_log import EffectsLog
from mcp_assay.client.era import Era
from mcp_assay.client.links import LONGEST_TAIL, Link, LinkEnding, LinkListener, NotReached
from mcp_assay.client.lists import METHODS, list_all
from mcp_assay.client.negotiation import Discovery, Negotiation, Opened, Way
from mcp_assay.client.observer import Observations
from mcp_assay.client.pending_requests import PendingRequest
from mcp_assay.client.response import CallRequest, Kind, Response, ServerList
from mcp_assay.client.sandbox.world import World
from mcp_assay.client.session import ClientSession, CutKey
from mcp_assay.client.stdio_link import LONGEST_FLOOD, StdioLink
from mcp_assay.client.target import Command, ConnectionOptions, Reachable, Within
from mcp_assay.client.target_secrets import secrets_of
from mcp_assay.model.effect import NOTHING, Effects
from mcp_assay.model.ending import LOST
from mcp_assay.model.finding import NOWHERE, Finding, Where
from mcp_assay.model.report import Limit
from mcp_assay.rules.engine.decided import DecidedRules
from mcp_assay.rules.engine.findings import to_finding
from mcp_assay.rules.engine.rule import Found
from mcp_assay.spec.revisions import AUTO, require_revision
from mcp_assay.text.redaction import Redactor
from mcp_assay.wire.depth import DEEPEST

INPUT_REQUIRED: Final = "input_required"
DEFAULT_OPTIONS: Final = ConnectionOptions()
LISTENING_SECONDS: Final = 2.0
"""So long a server may take to say that it listens, or that it will report changes."""
MOST_RENEWALS: Final = 1000
"""So many new sessions with a server that lives on do not count as starts."""
NOT_ASKED: Final = Response(ending="cancelled", seconds=0.0, request=b"")
UNANSWERED: Final = "further requests from the server were not answered"
MUTED: Final = "only the end of the stderr output during a request was kept"
FLOODED: Final = "the server wrote an endless line and was stopped"
TOO_DEEP: Final = "what is nested deeper was left out"
HARMED: Final = "LINT-007"
HARM_OF: Final[Mapping[Discovery, str]] = {
    "died": "The server ended when asked for server/discover before initialize; it was started "
    "again and asked for initialize alone.",
    "silent": "The server answered nothing after server/discover, not even initialize; it was "
    "started again and asked for initialize alone.",
    "confused": "The server did not accept initialize after server/discover; it was started again "
    "and asked for initialize alone.",
}
"""What server/discover did to older servers, where it did harm."""
WORN_OUT: Final = "the server was not restarted, and the remaining steps were skipped"


async def connect(
    target: Reachable,
    options: ConnectionOptions = DEFAULT_OPTIONS,
    decided_rules: DecidedRules | None = None,
) -> Connection:
    """Start or reach a server and agree with it on a revision, all under one deadline.

    Raises NotReached where that fails, ValueError for a revision that does not exist.
    """
    if options.revision != AUTO:
        require_revision(options.revision)
    connection = Connection(target, options, decided_rules)
    await connection.restart()
    return connection


class SentCall(NamedTuple):
    """A call that is under way."""

    request: CallRequest
    pending: PendingRequest | None = None
    """Who waits for its response, where it really went to a server."""


class Caller(Protocol):
    """Whoever tools are called through: a connection, what guards one, or a record of its calls."""

    async def send(self, request: CallRequest) -> SentCall:
        """Send a call, whose response is then received."""

    async def receive(self, sent: SentCall) -> Response:
        """The response to a call that was sent."""

    async def restart(self) -> None:
        """Begin anew, with a server that was not called yet."""


class Connection:
    """A server that can be asked; all that is said is judged by the session rules."""

    def __init__(
        self,
        target: Reachable,
        options: ConnectionOptions,
        decided_rules: DecidedRules | None = None,
    ) -> None:
        self.starts = 0
        """How often the server was started, or connected to."""
        self.endings: Final[list[LinkEnding]] = []
        """How each of its lives ended."""
        self._target: Final = target
        self._options: Final = options
        self._redactor: Final = Redactor((*options.secrets, *secrets_of(target)))
        self.observations: Final = Observations(
            self._redactor,
            decided_rules,
            options.recording,
            most=options.bounds.findings,
            largest=options.bounds.decoded_bytes,
            as_session=not options.is_probing,
        )
        """What was found in all that was said."""
        keep = target.sandbox.keep if isinstance(target, Command) and target.sandbox else None
        self.effects: Final = EffectsLog(None if options.is_probing else keep)
        """What its worlds have seen, where it runs in one."""
        self._renewals = 0
        """How often it was begun anew though the server had not died."""
        self._opened: Opened | None = None
        self._cuts: Final = Counter[CutKey]()
        self._tools: list[Any] = []
        self._listed_in: tuple[int, int] | None = None
        self._revision = options.revision
        self._way: Way = "usual"
        self._busy_with: str | None = None
        """The tool whose call was given up, as long as nothing was answered since."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    @property
    def opened(self) -> Opened:
        """What both sides agreed on, at the latest start."""
        assert self._opened is not None, "connect first"
        return self._opened

    @property
    def channel(self) -> ClientSession:
        """The conversation under way; probes may send it any bytes."""
        return self.opened.channel

    @property
    def revision(self) -> str:
        """The revision that both sides speak."""
        return self.opened.revision

    @property
    def is_alive(self) -> bool:
        """Whether the server was not seen to end."""
        return self._opened is not None and self.channel.ending is None

    @property
    def has_other_tools(self) -> bool:
        """Whether the tools may be others than those listed: it says so, or was started since."""
        return self._listed_in not in (None, self._stage)

    async def tools_now(self) -> list[Any]:
        """The tools of this life of the server, listed again only where they may be others."""
        if self._listed_in != self._stage:
            await self.list_all("tools")
        return self._tools

    @property
    def _stage(self) -> tuple[int, int]:
        """What is another one whenever the tools may be others."""
        return self.starts, self.channel.tool_changes if self._opened else 0

    @property
    def _has_lost_session(self) -> bool:
        """Whether the server lives, but does not know our session any more."""
        ending = self.channel.ending if self._opened else None
        return ending is not None and ending.how == "session_lost"

    async def restart(self) -> None:
        """Connect anew, in the revision that was agreed on before; raises NotReached."""
        self._renewals += self._has_lost_session
        await self._end()
        options = replace(self._options, revision=self._revision)
        self._opened = await Negotiation(self._start, options).open()
        self._revision = self._opened.revision
        self.effects.overhear = self.channel.overheard
        self.channel.era.learn(self._tools)
        self._judge_discovery(self._opened)

    def _judge_discovery(self, opened: Opened) -> None:
        """Say what server/discover did to an older server, which need not know it."""
        if opened.discovery is None:
            return
        self.observations.decided_rules.session_rules.add(HARMED)
        if words := HARM_OF.get(opened.discovery):
            found = Found((), words, HARMED, key=opened.discovery)
            self.observations.keep([to_finding(found, opened.revision, direction="s2c")], NOWHERE)

    async def renew(self) -> None:
        """The same, by our own wish: this counts as no death of the server; raises NotReached."""
        self._renewals += 1
        await self.restart()

    async def start_silently(self, revision: str, way: Way = "usual") -> None:
        """Connect, and say nothing: there is no handshake; raises NotReached."""
        await self._end()
        channel = await self._start(way)
        self._revision = revision
        era = Era(revision, self._options.answers)
        if era.is_modern:
            channel.era = era
        self._opened = Opened(channel=channel, revision=revision, answer=NOT_ASKED)

    @property
    def way(self) -> Way:
        """How the server was reached over HTTP."""
        return self._way

    @property
    def session_id(self) -> str | None:
        """The session id that the server gave us, over HTTP."""
        return self.channel.link.session if self._opened else None

    async def ask(
        self,
        method: str,
        params: Mapping[str, Any] | None = None,
        seconds: float | None = None,
        about: Where = NOWHERE,
    ) -> Response:
        """Send a request and wait for its answer; a dead server is started again first.

        What is found in it is said to be found there: `about` names a tool or a scenario.
        """
        seconds = seconds or self._options.bounds.call_seconds
        pending = await self._send(method, params, seconds, about)
        if world := self._watched_world:
            world.is_asked = True
        return await self._receive(pending, params, seconds)

    async def call(self, request: CallRequest) -> Response:
        """Call a tool."""
        return await self.receive(await self.send(request))

    async def send(self, request: CallRequest) -> SentCall:
        """Send a call, whose response is then received; in between there is time for other work.

        A dead server is started again first.
        """
        await self._begin_effects(request.arguments)
        about = request.about
        about = about if about.tool else replace(about, tool=request.tool)
        seconds = request.seconds or self._options.bounds.call_seconds
        pending = await self._send("tools/call", _params(request), seconds, about)
        return SentCall(request, pending)

    async def receive(self, sent: SentCall) -> Response:
        """Wait for the response to a call that was sent.

        A server that did not answer in time may be busy still: the next call would only wait
        behind this one. So it is started anew; where it cannot be, the next ones are excused.
        """
        assert sent.pending is not None, "what was sent elsewhere is not received here"
        await self.channel.catch_up(sent.pending)
        seconds = sent.request.seconds or self._options.bounds.call_seconds
        answer = await self._receive(sent.pending, _params(sent.request), seconds)
        if world := self._watched_world:
            await self.effects.end(world, sent.request, answer)
        if answer.ending == "timed_out":
            return await self._after_time_out(answer, sent.request.tool)
        if answer.ending == "answered":
            self._busy_with = None
        return answer

    async def _after_time_out(self, answer: Response, tool: str) -> Response:
        """Have nobody else wait for a call that was given up."""
        if isinstance(self._target, Command):
            if not self._options.deadline.is_over:
                await self.renew()
            return answer
        is_queued = self._busy_with not in (None, tool)
        self._busy_with = self._busy_with or tool
        if not await self._listens():
            await self.restart()
        return replace(answer, is_queued=is_queued)

    @property
    def _watched_world(self) -> World | None:
        """The world of the server as it runs now, where what it does is of interest."""
        link = self.channel.link if self._opened else None
        if self._options.is_probing or not isinstance(link, StdioLink):
            return None
        return link.world

    async def watch(self, seconds: float) -> Effects:
        """What comes in so much time without a call, where somebody watches the server."""
        world = self._watched_world if self.is_alive else None
        if world is None:
            return NOTHING
        await self.effects.begin(world)
        await asyncio.sleep(seconds)
        found = await world.effects() or NOTHING
        return self.effects.with_logged(world, found)

    async def _begin_effects(self, arguments: Mapping[str, Any]) -> None:
        """Have what comes now belong to the call that is sent next; a dead server is restarted."""
        if not self.is_alive:
            await self.restart()
        if world := self._watched_world:
            await self.effects.begin(world, arguments)

    async def _listens(self) -> bool:
        """Whether the server answers while it works, so that later calls are not to blame."""
        method = "server/discover" if self.channel.era.is_modern else "ping"
        seconds = min(self._options.bounds.call_seconds, LISTENING_SECONDS)
        return (await self._last_words(self._sent(method, None, seconds))).ending == "answered"

    async def hear_of_tool_changes(self) -> bool:
        """Ask to be notified where the tools become others; before 2026-07-28 nobody needs to ask.

        Gives whether the server has come through it well.
        """
        tools = (self.opened.capabilities or {}).get("tools")
        is_offered = isinstance(tools, dict) and tools.get("listChanged") is True
        if not (is_offered and self.channel.era.is_modern):
            return True
        seconds = min(self._options.bounds.call_seconds, LISTENING_SECONDS)
        answer = await self.channel.subscribe({"toolsListChanged": True}, seconds)
        return answer.ending not in LOST

    async def list_all(self, kind: Kind) -> ServerList:
        """All pages of a list, within the bounds."""
        stage = self._stage  # what changes while they are listed is to be listed again
        listing, cut = await list_all(kind, self.ask, self._options.bounds)
        if cut and cut.limit:
            self._cuts[cut.limit, cut.value, f"the list of {kind} was cut: {cut.why}"] += 1
        elif cut and listing.is_missing:
            self._cuts["missing-lists", 0, f"the list of {kind} is missing: {cut.why}"] += 1
        if kind == "tools":
            self._tools, self._listed_in = listing.items, stage
            self.channel.era.learn(self._tools)
        return listing

    def declares(self, kind: Kind) -> bool:
        """Whether the server says that it has such things, or never said what it has."""
        declared = self.opened.capabilities
        return declared is None or METHODS[kind][2] in declared

    def findings(self) -> list[Finding]:
        """What was found up to now in what the server said; complete after `close`."""
        return self.observations.findings()

    def limits(self) -> list[Limit]:
        """Every limit that cut something."""
        own = [
            Limit(name=name, value=value, count=count, effect=effect)
            for (name, value, effect), count in self._cuts.items()
        ]
        return [*own, *self.observations.limits(), *self.effects.limits()]

    async def close(self) -> LinkEnding | None:
        """End the server, and say how its last life ended."""
        await self._end(is_last=True)
        return self.endings[-1] if self.endings else None

    async def _end(self, *, is_last: bool = False) -> None:
        try:
            if world := self._watched_world:
                in_a_hurry = not is_last or self._options.deadline.is_over
                await self.effects.leave(world, in_a_hurry=in_a_hurry)
        finally:
            opened, self._opened = self._opened, None
            if opened is not None:
                self._note_cuts(opened.channel)
                self.endings.append(await opened.channel.close())

    def _note_cuts(self, channel: ClientSession) -> None:
        """Note what was cut in one life of the server, and how often."""
        is_flooded = channel.ending is not None and channel.ending.how == "flooded"
        cut = {
            ("server-requests", self._options.bounds.replies, UNANSWERED): channel.unanswered,
            ("stderr-bytes", LONGEST_TAIL, MUTED): channel.muted,
            ("line-bytes", LONGEST_FLOOD, FLOODED): int(is_flooded),
            ("message-depth", DEEPEST, TOO_DEEP): channel.too_deep,
        }
        self._cuts.update({key: count for key, count in cut.items() if count})

    async def _send(
        self, method: str, params: Mapping[str, Any] | None, seconds: float, about: Where
    ) -> PendingRequest:
        if not self.is_alive:
            await self.restart()
        self.channel.conversation.about = about
        return self._sent(method, params, seconds)

    def _sent(
        self, method: str, params: Mapping[str, Any] | None, seconds: float
    ) -> PendingRequest:
        return self.channel.send(
            method,
            params,
            seconds=seconds,
            most=self._options.bounds.call_seconds_with_progress,
            wants_progress=method == "tools/call",
        )

    async def _receive(
        self, pending: PendingRequest, params: Mapping[str, Any] | None, seconds: float
    ) -> Response:
        """The answer to a request, after all the input that the server wants before.

        Where the server has forgotten our session, the request is made again in a new one.
        """
        answer = await self._last_words(pending)
        if answer.ending == "http_status" and self._has_lost_session:
            await self.restart()
            answer = await self._last_words(self._sent(pending.method, params, seconds))
        if not _wants_input(answer):
            return answer
        most, unmet = self._options.bounds.rounds, list[UnmetRequest]()
        for number in range(1, most + 1):
            if _wants_input(answer):
                unmet += unmet_in(answer.result.get("inputRequests"), self._options.answers)
            more = self._more_input(answer)
            if more is None:
                return replace(answer, unmet=tuple(unmet))
            again = self._sent(pending.method, {**(params or {}), **more}, seconds)
            answer = replace(await self._last_words(again), rounds=number, unmet=tuple(unmet))
        if self._more_input(answer) is not None:
            effect = "requests that kept asking for input were abandoned"
            self._cuts["input-rounds", most, effect] += 1
        return answer

    async def _last_words(self, pending: PendingRequest) -> Response:
        """The answer to one message; with that of a server which died, how it ended."""
        answer = await self.channel.receive(pending)
        if answer.ending != "died":
            return answer
        return replace(answer, exit=await self.channel.close())

    def _more_input(self, answer: Response) -> dict[str, Any] | None:
        """What the same request must carry next time, None where there is no next time."""
        if not _wants_input(answer):
            return None
        responses = inputs(answer.result.get("inputRequests"), self._options.answers)
        if responses is None:
            return None
        state = answer.result.get("requestState")
        more = {"inputResponses": responses} if responses else {}
        return more if state is None else {**more, "requestState": state}

    async def _start(self, way: Way) -> ClientSession:
        self.starts += 1
        most = self._options.bounds.starts
        if self.starts - min(self._renewals, MOST_RENEWALS) > most:
            self._cuts["server-starts", most, WORN_OUT] = 1
            raise NotReached(f"the server was already started {most} times")
        session = self._options.session
        name = session if self.starts == 1 else f"{session}-{self.starts}"
        self._way = way
        channel = ClientSession(
            self.observations.begin(name), self._options, self._redactor, self._cuts
        )
        channel.link = await self._link(channel, way)
        return channel

    async def _link(self, listener: LinkListener, way: Way) -> Link:
        target = self._target
        if isinstance(target, Command):
            options = self._options
            return await StdioLink.start(
                target.command,
                target.environment,
                listener,
                options.patience,
                options.deadline,
                sandbox=target.sandbox,
            )
        if isinstance(target, Within):
            from mcp_assay.client.memory_link import MemoryLink  # noqa: PLC0415  seldom needed

            return await MemoryLink.start(target.server, listener)
        from mcp_assay.client.http_link import open_link  # noqa: PLC0415  only for HTTP

        return await open_link(
            target.url,
            target.headers,
            listener,
            is_old=way == "old",
            is_public=target.is_public,
        )


def _params(request: CallRequest) -> dict[str, Any]:
    return {"name": request.tool, "arguments": request.arguments}


def _wants_input(answer: Response) -> bool:
    """Whether the server wants more before it can answer."""
    return answer.is_result and answer.result.get("resultType") == INPUT_REQUIRED
