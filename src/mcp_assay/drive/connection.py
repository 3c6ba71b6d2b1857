"""A connection to a server: opened, asked, called, started again after a death, closed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Final, Self

from msgspec.structs import replace

from mcp_assay.drive.answer import Answer, Kind, Listing
from mcp_assay.drive.channel import Channel
from mcp_assay.drive.listing import METHODS, list_all
from mcp_assay.drive.manner import Manner
from mcp_assay.drive.opening import Opened, Opening, Way
from mcp_assay.drive.overhearing import Overheard
from mcp_assay.drive.refusing import inputs
from mcp_assay.drive.secrets import secrets_of
from mcp_assay.drive.target import AUTO, Command, Options, Reachable, Within
from mcp_assay.drive.wishing import Wish, wishes_in
from mcp_assay.model.finding import NOWHERE, Finding, Where
from mcp_assay.model.report import Limit
from mcp_assay.rules.reach import Ledger
from mcp_assay.spec.revisions import require_revision
from mcp_assay.transport.links import Ending, Link, Listener, NotReached
from mcp_assay.transport.redaction import Redactor
from mcp_assay.transport.stdio_link import LONGEST_FLOOD, StdioLink
from mcp_assay.transport.tails import LONGEST_TAIL

INPUT_REQUIRED: Final = "input_required"
DEFAULT_OPTIONS: Final = Options()
LISTENING_SECONDS: Final = 2.0
"""So long a server may take to say that it listens, or that it will tell of changes."""
NOT_ASKED: Final = Answer(ending="unanswered", seconds=0.0, request=b"")
UNANSWERED: Final = "further requests of the server were not answered"
MUTED: Final = "of what it wrote to standard error during a request, only the last was kept"
FLOODED: Final = "a server that wrote a line without end was ended"
WORN_OUT: Final = "the server was not started again, and what was left to do was not done"


async def connect(
    target: Reachable, options: Options = DEFAULT_OPTIONS, ledger: Ledger | None = None
) -> Connection:
    """Start or reach a server and agree with it on a revision, all under one deadline.

    Raises NotReached where that fails, ValueError for a revision that does not exist.
    """
    if options.revision != AUTO:
        require_revision(options.revision)
    connection = Connection(target, options, ledger)
    await connection.restart()
    return connection


class Connection:
    """A server that can be asked; all that is said is judged by the session rules."""

    def __init__(self, target: Reachable, options: Options, ledger: Ledger | None = None) -> None:
        self.starts = 0
        """How often the server was started, or connected to."""
        self.endings: Final[list[Ending]] = []
        """How each of its lives ended."""
        self._target: Final = target
        self._options: Final = options
        self._redactor: Final = Redactor((*options.secrets, *secrets_of(target)))
        self.overheard: Final = Overheard(
            self._redactor,
            ledger,
            options.recording,
            most=options.bounds.findings,
            largest=options.bounds.decoded_bytes,
            as_session=not options.is_probing,
        )
        """What was found in all that was said."""
        self._opened: Opened | None = None
        self._cuts: Final = Counter[tuple[str, int, str]]()
        self._tools: list[Any] = []
        self._listed_in: tuple[int, int] | None = None
        self._revision = options.revision
        self._way: Way = "usual"

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
    def channel(self) -> Channel:
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

    async def restart(self) -> None:
        """Connect anew, in the revision that was agreed on before; raises NotReached."""
        await self._end()
        options = replace(self._options, revision=self._revision)
        self._opened = await Opening(self._start, options).open()
        self._revision = self._opened.revision
        self.channel.manner.learn(self._tools)

    async def start_silently(self, revision: str, way: Way = "usual") -> None:
        """Connect, and say nothing: there is no handshake; raises NotReached."""
        await self._end()
        channel = await self._start(way)
        self._revision = revision
        manner = Manner(revision, self._options.answers)
        if manner.is_modern:
            channel.manner = manner
        self._opened = Opened(channel=channel, revision=revision, answer=NOT_ASKED)

    @property
    def way(self) -> Way:
        """How the server was reached over HTTP."""
        return self._way

    @property
    def has_session(self) -> bool:
        """Whether the server gave us a session id, over HTTP."""
        return self.channel.link.session is not None

    async def ask(
        self,
        method: str,
        params: Mapping[str, Any] | None = None,
        seconds: float | None = None,
        about: Where = NOWHERE,
        meanwhile: Callable[[], None] | None = None,
    ) -> Answer:
        """Send a request and wait for its answer; a dead server is started again first.

        What is found in it is said to be found there: `about` names a tool or a scenario. While
        the server works on it, there is time for something else.
        """
        bounds = self._options.bounds
        if not self.is_alive:
            await self.restart()
        self.channel.conversation.about = about
        answer = await self._ask(method, params, seconds or bounds.call_seconds, meanwhile)
        if not _wants_input(answer):
            return answer
        asked, wishes = dict(params or {}), list[Wish]()
        for number in range(1, bounds.rounds + 1):
            if _wants_input(answer):
                wishes += wishes_in(answer.result.get("inputRequests"), self._options.answers)
            more = self._more_input(answer)
            if more is None:
                return replace(answer, wishes=tuple(wishes))
            answer = await self._ask(method, {**asked, **more}, seconds or bounds.call_seconds)
            answer = replace(answer, rounds=number, wishes=tuple(wishes))
        if self._more_input(answer) is not None:
            effect = "requests that kept asking for input were given up"
            self._cuts["input-rounds", bounds.rounds, effect] += 1
        return answer

    async def call(
        self,
        tool: str,
        arguments: Mapping[str, Any],
        seconds: float | None = None,
        about: Where = NOWHERE,
        meanwhile: Callable[[], None] | None = None,
    ) -> Answer:
        """Call a tool; while the server works on that, there is time for something else.

        A server that a call keeps from listening is started anew after it.
        """
        params = {"name": tool, "arguments": arguments}
        about = replace(about, tool=about.tool or tool)
        answer = await self.ask("tools/call", params, seconds, about, meanwhile)
        if answer.ending == "timed_out" and not await self._listens():
            await self.restart()
        return answer

    async def _listens(self) -> bool:
        """Whether the server answers while it works, so that later calls are not to blame."""
        method = "server/discover" if self.channel.manner.is_modern else "ping"
        seconds = min(self._options.bounds.call_seconds, LISTENING_SECONDS)
        return (await self._ask(method, None, seconds)).ending == "answered"

    async def hear_of_tool_changes(self) -> bool:
        """Ask to be told where the tools become others; before 2026-07-28 nobody needs to ask.

        Gives whether the server has come through it well.
        """
        tools = (self.opened.capabilities or {}).get("tools")
        is_offered = isinstance(tools, dict) and tools.get("listChanged") is True
        if not (is_offered and self.channel.manner.is_modern):
            return True
        seconds = min(self._options.bounds.call_seconds, LISTENING_SECONDS)
        answer = await self.channel.subscribe({"toolsListChanged": True}, seconds)
        return answer.ending not in ("timed_out", "died")

    async def list_all(self, kind: Kind) -> Listing:
        """All pages of a list, within the bounds."""
        stage = self._stage  # what changes while they are listed is to be listed again
        listing, cut = await list_all(kind, self.ask, self._options.bounds)
        if cut and cut.limit:
            self._cuts[cut.limit, cut.value, f"the list of {kind} was cut: {cut.why}"] += 1
        elif cut and listing.is_missing:
            self._cuts["unheard-lists", 0, f"the list of {kind} is missing: {cut.why}"] += 1
        if kind == "tools":
            self._tools, self._listed_in = listing.items, stage
            self.channel.manner.learn(self._tools)
        return listing

    def declares(self, kind: Kind) -> bool:
        """Whether the server says that it has such things, or never said what it has."""
        declared = self.opened.capabilities
        return declared is None or METHODS[kind][2] in declared

    def findings(self) -> list[Finding]:
        """What was found up to now in what the server said; complete after `close`."""
        return self.overheard.findings()

    def limits(self) -> list[Limit]:
        """Every limit that cut something."""
        own = [
            Limit(name=name, value=value, count=count, effect=effect)
            for (name, value, effect), count in self._cuts.items()
        ]
        return [*own, *self.overheard.limits()]

    async def close(self) -> Ending | None:
        """End the server, and say how its last life ended."""
        await self._end()
        return self.endings[-1] if self.endings else None

    async def _end(self) -> None:
        opened, self._opened = self._opened, None
        if opened is not None:
            self._note_cuts(opened.channel)
            self.endings.append(await opened.channel.close())

    def _note_cuts(self, channel: Channel) -> None:
        """Note what was cut in one life of the server, and how often."""
        is_flooded = channel.ending is not None and channel.ending.how == "flooded"
        cut = {
            ("server-requests", self._options.bounds.replies, UNANSWERED): channel.unanswered,
            ("stderr-bytes", LONGEST_TAIL, MUTED): channel.muted,
            ("line-bytes", LONGEST_FLOOD, FLOODED): int(is_flooded),
        }
        self._cuts.update({key: count for key, count in cut.items() if count})

    async def _ask(
        self,
        method: str,
        params: Mapping[str, Any] | None,
        seconds: float,
        meanwhile: Callable[[], None] | None = None,
    ) -> Answer:
        answer = await self.channel.ask(
            method,
            params,
            seconds=seconds,
            most=self._options.bounds.call_seconds_with_progress,
            tells_progress=method == "tools/call",
            meanwhile=meanwhile,
        )
        if answer.ending != "died":
            return answer
        return replace(answer, exit=await self.channel.close())

    def _more_input(self, answer: Answer) -> dict[str, Any] | None:
        """What the same request must carry next time, None where there is no next time."""
        if not _wants_input(answer):
            return None
        responses = inputs(answer.result.get("inputRequests"), self._options.answers)
        if responses is None:
            return None
        state = answer.result.get("requestState")
        more = {"inputResponses": responses} if responses else {}
        return more if state is None else {**more, "requestState": state}

    async def _start(self, way: Way) -> Channel:
        self.starts += 1
        most = self._options.bounds.starts
        if self.starts > most:
            self._cuts["server-starts", most, WORN_OUT] = 1
            raise NotReached(f"the server was started {most} times; that is enough")
        session = self._options.session
        name = session if self.starts == 1 else f"{session}-{self.starts}"
        self._way = way
        channel = Channel(self.overheard.begin(name), self._options, self._redactor)
        channel.link = await self._link(channel, way)
        return channel

    async def _link(self, listener: Listener, way: Way) -> Link:
        target = self._target
        if isinstance(target, Command):
            patience = self._options.patience
            return await StdioLink.start(target.command, target.environment, listener, patience)
        if isinstance(target, Within):
            from mcp_assay.transport.memory_link import MemoryLink  # noqa: PLC0415  seldom needed

            return await MemoryLink.start(target.server, listener)
        from mcp_assay.transport.http_link import open_link  # noqa: PLC0415  only for HTTP

        return await open_link(target.url, target.headers, listener, is_old=way == "old")


def _wants_input(answer: Answer) -> bool:
    """Whether the server wants more before it can answer."""
    return answer.is_result and answer.result.get("resultType") == INPUT_REQUIRED
