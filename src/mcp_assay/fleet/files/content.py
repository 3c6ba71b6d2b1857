"""The text of a file that names servers, read once and known by its digest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Final, Protocol, TypeAlias

from msgspec import Struct

from mcp_assay.fleet.entry import FleetEntry, WrongEntry

LARGEST: Final = 64 << 20
MOST_SERVERS: Final = 100_000


class WrongFleet(ValueError):
    """A file from which no fleet can be read; the text is a sentence that says why."""


class WrongServer(ValueError):
    """An entry that no job can be made of; the text says why, beginning with a small letter."""


class LeftOut(Struct, frozen=True):
    """An entry that nobody asks for: a server that is switched off, an older version of it."""


class GivenValues(Struct, frozen=True):
    """The values of a server that stand in its file; `${NAME}` in them is still to be filled."""

    variables: Mapping[str, str] = {}
    headers: Mapping[str, str] = {}


Row: TypeAlias = FleetEntry | WrongEntry | LeftOut


class FleetText(Protocol):
    """A file of one of the formats, taken apart."""

    @property
    def name(self) -> str | None:
        """What it calls the fleet."""

    def rows(self) -> Iterable[Row]:
        """Every entry of it, in its order."""

    def values(self, name: str) -> GivenValues:
        """What it gives to one of its servers; raises WrongServer, or KeyError for another one."""


class Content(Struct, frozen=True):
    """What a file has."""

    path: str
    text: str
    digest: str


def read_content(path: str) -> Content:
    """The text of a file; raises WrongFleet where there is none, or too much of it."""
    try:
        with open(path, "rb") as file:
            content = file.read(LARGEST + 1)
    except OSError as fault:
        raise WrongFleet(f"{path} cannot be read: {fault.strerror}.") from None
    except ValueError as fault:
        raise WrongFleet(f"{path!r} is not the name of a file: {fault}.") from None
    if len(content) > LARGEST:
        raise WrongFleet(f"{path} has more than {LARGEST >> 20} MB; split it.")
    try:
        return Content(path, content.decode("utf-8-sig"), sha256(content).hexdigest())
    except UnicodeDecodeError:
        raise WrongFleet(f"{path} is not UTF-8.") from None
