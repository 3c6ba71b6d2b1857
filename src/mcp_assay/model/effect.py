"""What a call did to the machine, as a disposable world has seen it.

What is a plain text here may be a word of a later version, whose reports are read, too.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct, field

LOOPBACK: Final = ("127.", "::1", "0.0.0.0")
"""How addresses begin that lead to the machine itself."""


class FileState(Struct, frozen=True, kw_only=True):
    """What stood at a path."""

    kind: str
    """file, folder, link, pipe, socket or device."""
    mode: str
    """The permissions, as four octal digits."""
    size: int | None = None
    """The bytes of a file; null for all else, and where the contents differ from run to run."""
    target: str | None = None
    """Where a link leads."""


class FileChange(Struct, frozen=True, kw_only=True):
    """A path at which something else stands than before."""

    path: str
    """With what differs from run to run replaced, such as {random}, {number} or {time}."""
    what: str
    """created, changed, deleted, or permissions where only these are others."""
    before: FileState | None = None
    after: FileState | None = None
    diff: str | None = None
    """The difference of a short text, in the unified format."""
    bookkeeping: bool = False
    """Whether it is a cache, an index, a lock or the like, which no reader misses."""
    temporary: bool = False
    """Whether it lies in a folder for temporary files."""
    late: bool = False
    """Whether it came after the answer."""


class ProgramRun(Struct, frozen=True, kw_only=True):
    """A program that the server started, or tried to."""

    argv: list[str]
    late: bool = False
    """Whether it came after the answer."""


class ConnectionTry(Struct, frozen=True, kw_only=True):
    """Somebody whom the server tried to reach."""

    host: str | None = None
    """The name that was asked for and led to the address, where there was one."""
    address: str
    port: int
    """0 where the protocol has none."""
    protocol: str
    """tcp, udp or icmp."""
    bytes: int = 0
    """How much was sent and received, where the host is allowed."""
    late: bool = False
    """Whether it came after the answer."""


class RequestSent(Struct, frozen=True, kw_only=True):
    """A request over HTTP that the web site of a world has answered."""

    method: str
    """GET, POST and so on."""
    url: str
    """With what differs from run to run replaced, and {secret} in place of a secret."""
    headers: list[str] = field(default_factory=list)
    """The names of what was sent before the body, in small letters."""
    body: str = ""
    """How the body begins."""
    status: int = 200
    """What the site answered."""
    stamp: str = ""
    """A word that only this page has: an answer that holds it has read the page."""
    late: bool = False
    """Whether it came after the answer."""


class SecretRead(Struct, frozen=True, kw_only=True):
    """A planted secret that something opened, or a secret that came out of the server."""

    path: str
    """Where it lies; with a $ before it, the variable that holds it."""
    how: str
    """opened, read, told in an answer, logged in a message or on standard error, or sent: in the
    name of a host, or in a request to the web site of the world."""
    late: bool = False
    """Whether it came after the answer."""


class ProcessLeft(Struct, frozen=True, kw_only=True):
    """A process that was started and still ran afterwards."""

    argv: list[str]
    late: bool = False
    """Whether it came after the answer."""


class Effects(Struct, frozen=True, kw_only=True):
    """Everything that was done to the machine in one stretch of time."""

    files: list[FileChange] = field(default_factory=list)
    """Files created, changed, deleted: by their contents."""
    programs: list[ProgramRun] = field(default_factory=list)
    """Programs that were started."""
    names: list[str] = field(default_factory=list)
    """Hosts whose address was asked for."""
    connections: list[ConnectionTry] = field(default_factory=list)
    """Hosts that were to be reached."""
    requests: list[RequestSent] = field(default_factory=list)
    """What was asked of the web site of the world."""
    secrets: list[SecretRead] = field(default_factory=list)
    """Planted secrets that were opened, and secrets that were told or sent."""
    processes: list[ProcessLeft] = field(default_factory=list)
    """Processes that were left running."""
    attempts: list[str] = field(default_factory=list)
    """System calls that lead out of a world and were refused, by their names."""
    left_out: dict[str, int] = field(default_factory=dict)
    """How many more there were, by what they are."""
    late: bool = False
    """Whether some of it came after the answer."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing was done at all."""
        return self == NOTHING

    @property
    def kept_files(self) -> list[FileChange]:
        """The files without bookkeeping."""
        return [one for one in self.files if not one.bookkeeping]

    @property
    def unreached_host(self) -> str | None:
        """The first host out there that was asked for in vain."""
        hosts = [
            one.host or one.address
            for one in self.connections
            if one.bytes == 0 and not one.address.startswith(LOOPBACK)
        ]
        return next(iter(hosts if self.connections else self.names), None)


NOTHING = Effects()


class ChangedVerdict(Struct, frozen=True, kw_only=True):
    """A tool that came to another verdict under the policy."""

    tool: str
    free: str
    """Its status where everything was allowed; empty where it was not listed."""
    under: str
    """Its status under the policy."""


class PolicyCheck(Struct, frozen=True, kw_only=True):
    """What became of the tools when the server was assessed again with no more than it needs."""

    tools: int = 0
    """How many tools were compared."""
    changed: list[ChangedVerdict] = field(default_factory=list)
    """Those that came to another verdict, in two runs."""
    undecided: str | None = None
    """Why it is not known whether the policy is enough; null where it is known."""
    is_widened: bool = False
    """Whether folders around what was written are granted, as less was not enough: what a call
    makes beside it and removes again leaves no trace."""

    @property
    def is_enough(self) -> bool:
        """Whether every tool came to the same verdict."""
        return self.undecided is None and not self.changed


class SandboxRow(Struct, frozen=True, kw_only=True):
    """The disposable world that a server ran in."""

    backend: str
    """How it was made: namespaces, bwrap or sudo."""
    network: str
    """none, or the hosts that were allowed."""
    work: str
    """What became of the working folder: copied, overlaid, or prepared where it was empty."""
    hidden: list[str] = field(default_factory=list)
    """Secret places of the user that could not be seen inside."""
    hidden_files: list[str] = field(default_factory=list)
    """Those of them that are files."""
    folders: list[str] = field(default_factory=list)
    """The folders that the server worked in, the one in which it was started first."""
    laid: list[str] = field(default_factory=list)
    """Folders of ours, with files that calls may name."""
    limits: list[str] = field(default_factory=list)
    """What this world could not do or see, in sentences."""
    at_start: Effects | None = None
    """What the server did before its first call; null where nothing watched it."""
    between: Effects | None = None
    """What it did at requests other than calls, and after the last call."""
    policy: PolicyCheck | None = None
    """Whether the least policy is enough; null where that was not tried."""
