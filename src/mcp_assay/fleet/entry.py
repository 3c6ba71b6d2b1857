"""One server of a fleet: how it is had, and the names of what it is given.

No value of a variable or a header is in here: an entry travels to workers, which look values up.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

Registry: TypeAlias = Literal["pypi", "npm", "oci", "other"]
EntryKind: TypeAlias = Literal["package", "command", "remote"]


class Package(Struct, frozen=True, kw_only=True, tag="package"):
    """A package that is installed before its program is started."""

    registry: Registry
    name: str
    version: str = ""
    """Where empty, the newest one that the registry has."""
    program: str = ""
    """The program of it that is the server; where empty, the one that the package is named by."""
    arguments: tuple[str, ...] = ()


class Program(Struct, frozen=True, kw_only=True, tag="command"):
    """A command that every worker has."""

    command: tuple[str, ...]


class Remote(Struct, frozen=True, kw_only=True, tag="remote"):
    """A server that runs already, at an address."""

    url: str
    is_public: bool = False
    """Whether a stranger named the address, as in a page of a registry: then it must be public."""


Origin: TypeAlias = Package | Program | Remote


class ValueSource(Struct, frozen=True, kw_only=True):
    """The file that has values of an entry, for workers of the machine that it lies on."""

    path: str
    sha256: str
    """Of the file as it was read: a worker that finds another one there takes nothing from it."""


class FleetEntry(Struct, frozen=True, kw_only=True):
    """A server of a fleet."""

    name: str
    origin: Origin
    variables: tuple[str, ...] = ()
    """The names of environment variables that it is given."""
    headers: tuple[str, ...] = ()
    """The names of headers that go to it."""
    optional: tuple[str, ...] = ()
    """Names of further variables and headers, which it does without where nobody has them."""
    is_foreign: bool = False
    """Whether a stranger wrote it, as in a page of a registry: of the environment of a worker it is
    given nothing but what the user has named."""
    values: ValueSource | None = None
    updated: str = ""
    """When a registry says that it changed last, as it says that."""
    calls: str | None = None
    """Which of its tools may be called, where that is said of it alone."""
    digest: str = ""
    """Of all that the file says of it: another digest, and the entry has changed."""

    @property
    def host(self) -> str | None:
        """The host that all calls of it go to; None where it runs on the worker."""
        if not isinstance(self.origin, Remote):
            return None
        from urllib.parse import urlsplit  # noqa: PLC0415  few entries are remote

        try:
            return urlsplit(self.origin.url).hostname
        except ValueError:
            return None


class WrongEntry(Struct, frozen=True, kw_only=True):
    """An entry of the file that is no server, or one that no job can be made of."""

    name: str
    reason: str


class Fleet(Struct, frozen=True, kw_only=True):
    """All that a file says."""

    file: str
    name: str
    """By this the runs of the fleet are known in the history."""
    entries: tuple[FleetEntry, ...]
    wrong: tuple[WrongEntry, ...] = ()
    left_out: int = 0
    """Entries that the filters do not want."""
