"""What every way to a server has in common: messages go out, entries come in, it ends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple, Protocol, TypeAlias

from msgspec import Struct

from mcp_assay.model.ending import ExchangeEnd
from mcp_assay.model.entry import Entry

NO_HEADERS: Final[Mapping[str, str]] = {}
LONGEST_TAIL: Final = 64 * 1024
"""So much of what a server wrote to standard error is kept."""

How: TypeAlias = Literal["died", "closed", "flooded", "unreachable", "session_lost"]
"""The server ended by itself, we closed, it wrote too much at once, nobody was there, or it lives
but does not know our session any more."""
NotOpened: TypeAlias = Literal["not_reached", "refused", "closed"]
"""Why there is no session: nobody answered; the server answered otherwise; it wants to know first
who asks."""
Stop: TypeAlias = Literal["end of input", "SIGTERM", "SIGKILL"]


class LinkEnding(Struct, frozen=True, kw_only=True):
    """How a way to a server ended."""

    how: How
    code: int | None = None
    """The exit code of a process; below zero the number of the signal that ended it."""
    stopped_by: Stop | None = None
    """What a process needed to end, where we ended it."""
    left_behind: int = 0
    """Processes that the server had started and that outlived it."""
    stderr: str = ""
    """The last of what a process wrote to standard error."""
    why: str = ""
    """More words, where there are any."""


class TokenSource(Struct, frozen=True, kw_only=True):
    """Where a server that wants a token says that it is had from."""

    issuers: tuple[str, ...] = ()
    """The authorization servers that its metadata name."""
    metadata: str = ""
    """Where these are, by its challenge."""


class NotReached(Exception):
    """A server with which no session could be opened; its text says why and what to do."""

    def __init__(
        self,
        words: str,
        ending: LinkEnding | None = None,
        status: int | None = None,
        challenge: str = "",
        kind: NotOpened = "not_reached",
    ) -> None:
        super().__init__(words)
        self.kind: Final = kind
        """Whether the server did not answer, or answered and opened no session."""
        self.ending: Final = ending
        """How the server ended, where it had begun."""
        self.status: Final = status
        """The HTTP status that it answered with."""
        self.challenge: Final = challenge
        """What its header WWW-Authenticate asks for."""
        self.token_source = TokenSource()
        """What was found out about who gives tokens for it."""


class LinkListener(Protocol):
    """Gets all that passes, at once and in order; it must not take its time."""

    def hear(self, entry: Entry) -> None:
        """Take a message or an event of the transport, sent in either direction."""

    def over(self, exchange: int, end: ExchangeEnd) -> None:
        """Note that nothing more comes in this exchange, and how it ended."""

    def waits(self, exchange: int) -> bool:
        """Whether anybody still waits for an answer in this exchange."""

    def cut(self, limit: str, value: int, effect: str) -> None:
        """Note that a limit of the link has cut something."""

    def ended(self, ending: LinkEnding) -> None:
        """Note that the server is gone; not told after `close`."""


class Link(Protocol):
    """A way to a server over raw bytes."""

    @property
    def is_http(self) -> bool:
        """Whether each message has an exchange of its own, with headers."""

    @property
    def session(self) -> str | None:
        """The session id that the server gave us, over HTTP."""

    def send(self, raw: bytes, headers: Mapping[str, str] = NO_HEADERS) -> int | None:
        """Send the bytes of one message; give the number of its exchange, if it has one."""

    def take_in(self) -> None:
        """Take at once what has come by now, where the loop need not be asked for it."""

    async def listen(self, headers: Mapping[str, str]) -> None:
        """Hear what the server says by itself, where that needs a stream of its own."""

    def adopt(self, exchange: int | None) -> None:
        """Stay in the session that the answer in this exchange gave us, if it gave one."""

    async def settle(self, exchange: int | None, seconds: float) -> bool:
        """Wait until an exchange is over, at most so long; say whether it is."""

    def drop(self, exchange: int | None) -> None:
        """Wait for nothing more in an exchange."""

    def stderr_mark(self) -> int:
        """How much was written to standard error up to now."""

    def stderr_since(self, mark: int) -> str:
        """The last of what was written to standard error since then."""

    async def close(self) -> LinkEnding:
        """End it in the order that MCP wants, leave nothing behind, and say how it ended."""


class HttpWay(Link, Protocol):
    """A way to a server over HTTP: any request can be made of it."""

    def request(
        self,
        method: str,
        headers: Mapping[str, str],
        body: bytes | None = None,
        path: str | None = None,
    ) -> int:
        """Make an HTTP request with exactly these headers; give the number of its exchange."""


class Tail:
    """Keeps the last bytes that it was given, and counts them all."""

    def __init__(self, longest: int = LONGEST_TAIL) -> None:
        self.total = 0
        """How many bytes there were."""
        self._longest: Final = longest
        self._kept = bytearray()

    def add(self, piece: bytes) -> None:
        """Take the next piece."""
        self.total += len(piece)
        self._kept += piece[-self._longest :]
        if len(self._kept) > 2 * self._longest:
            del self._kept[: -self._longest]

    def since(self, mark: int = 0) -> str:
        """What came after the first `mark` bytes, as far as it is kept."""
        length = min(self.total - mark, self._longest, len(self._kept))
        return self._kept[-length:].decode("utf-8", "replace") if length > 0 else ""


class Patience(NamedTuple):
    """Seconds that a server has to end."""

    after_end_of_input: float = 2.0
    after_sigterm: float = 1.0


PATIENCE: Final = Patience()


NO_PATIENCE: Final = Patience(0, 0)
