"""What a worker gives to a server: values from the file, if it is there, else its own variables."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Mapping
from functools import lru_cache
from typing import Final

from msgspec import Struct

from mcp_assay.client.client_configs import Filler, placeholders
from mcp_assay.fleet.entry import FleetEntry, Package, Program, Remote, ValueSource
from mcp_assay.fleet.files.content import (
    FleetText,
    GivenValues,
    WrongFleet,
    WrongServer,
    read_content,
)
from mcp_assay.fleet.files.fleet_file import fleet_text

KEPT_FILES: Final = 2
"""So many files are kept taken apart: the jobs of one run are all from the same."""


class ServerValues(Struct, frozen=True, kw_only=True):
    """Everything that a server is given, and the names for which there is nothing."""

    environment: Mapping[str, str] = {}
    headers: Mapping[str, str] = {}
    words: tuple[str, ...] = ()
    """The command of a server that is one, or the arguments of a package, filled."""
    url: str | None = None
    """The address of a server that has one, filled."""
    filled: tuple[str, ...] = ()
    """What was put into words, addresses and values in place of their placeholders."""
    missing: tuple[str, ...] = ()


def values_of(
    entry: FleetEntry,
    named: Collection[str] = (),
    environment: Mapping[str, str] | None = None,
) -> ServerValues:
    """The values of an entry on this machine.

    An entry that a stranger wrote gets of the environment only what the user has `named`.
    """
    ours = os.environ if environment is None else environment
    usable = {name: it for name, it in ours.items() if not entry.is_foreign or name in named}
    known = _ValueSearch(entry, usable)
    origin = entry.origin
    words = origin.command if isinstance(origin, Program) else ()
    words = origin.arguments if isinstance(origin, Package) else words
    url = origin.url if isinstance(origin, Remote) else None
    return ServerValues(
        environment=known.variables(),
        headers=known.headers(),
        words=tuple(map(known.filled, words)),
        url=None if url is None else known.filled(url),
        filled=known.fillings(),
        missing=tuple(dict.fromkeys(known.missing)),
    )


def variable_for(header: str) -> str:
    """The variable that has the value of a header, where no file says it: X-Api-Key, X_API_KEY."""
    return re.sub("[^A-Za-z0-9]", "_", header).upper()


class _ValueSearch:
    """The values that are known here, and the names that were looked for in vain."""

    def __init__(self, entry: FleetEntry, usable: Mapping[str, str]) -> None:
        self.missing: Final[list[str]] = []
        self._entry: Final = entry
        self._given: Final = _given(entry)
        self._usable: Final = usable
        self._filler: Final = Filler(entry.values.path if entry.values else "", usable)

    def fillings(self) -> tuple[str, ...]:
        """What stands in the place of placeholders by now."""
        return tuple(self._filler.filled)

    def variables(self) -> dict[str, str]:
        """The environment variables of the server."""
        further = () if isinstance(self._entry.origin, Remote) else self._entry.optional
        return self._all(self._entry.variables, further, self._given.variables, str)

    def headers(self) -> dict[str, str]:
        """The headers that go to it."""
        further = self._entry.optional if isinstance(self._entry.origin, Remote) else ()
        return self._all(self._entry.headers, further, self._given.headers, variable_for)

    def _all(
        self,
        needed: tuple[str, ...],
        optional: tuple[str, ...],
        given: Mapping[str, str],
        variable: Callable[[str], str],
    ) -> dict[str, str]:
        found = {}
        for name in (*needed, *optional):
            if variable(name) in self._usable and (name not in given or self._entry.is_foreign):
                found[name] = self._usable[variable(name)]
            elif name in given:
                found[name] = self.filled(given[name])
            elif name in needed:
                self.missing.append(variable(name))
        return found

    def filled(self, text: str) -> str:
        """A text with its placeholders filled; what a stranger writes has none."""
        if self._entry.is_foreign:
            return text
        filled: str = self._filler.fill(text)
        self.missing.extend(gap[2:-1].removeprefix("env:") for gap in placeholders(filled))
        return filled


def _given(entry: FleetEntry) -> GivenValues:
    """What the file says, where this machine has the very file that was read."""
    if entry.values is None:
        return GivenValues()
    try:
        text = _text_of(entry.values)
        return text.values(entry.name) if text else GivenValues()
    except (KeyError, WrongServer):
        return GivenValues()


def _text_of(source: ValueSource) -> FleetText | None:
    try:
        content = read_content(source.path)
        return _taken_apart(source) if content.digest == source.sha256 else None
    except WrongFleet:
        return None


@lru_cache(maxsize=KEPT_FILES)
def _taken_apart(source: ValueSource) -> FleetText:
    return fleet_text(read_content(source.path))
