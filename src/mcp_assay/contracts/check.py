"""One check of one tool: how it is named, and how it ends."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, TypeAlias

from msgspec import Struct

from mcp_assay.contracts.conventions import shown
from mcp_assay.contracts.server_under_test import ServerUnderTest
from mcp_assay.drift.comparison import Change
from mcp_assay.model.finding import Finding


class Broken(AssertionError):
    """A promise that is not kept; the text says which, and what to do."""


class Undecided(Exception):
    """A check that could not be decided; the text says why."""


class ToolNotCalled(Undecided):
    """A check of a tool that may not be called."""


class ContractCheck(Struct, frozen=True):
    """Something that must hold of a tool."""

    tool: str
    name: str
    """What holds, in words joined by hyphens."""
    run: Callable[[ServerUnderTest], Sequence[Change | Finding]]
    """Raises Broken or Open; gives changes and warnings: worth knowing, and nothing breaks."""


Checks: TypeAlias = Iterator[ContractCheck]


def check(tool: str, name: str, test: Callable[[ServerUnderTest], None]) -> ContractCheck:
    """A check that holds or does not."""

    def run(server: ServerUnderTest) -> Sequence[Change]:
        test(server)
        return ()

    return ContractCheck(tool, name, run)


ROOT: Final = "mcp-assay"


SERVER: Final = "the server"
"""Stands for a tool where a check is of the server as a whole."""


_ODD: Final = re.compile(r"[^\w.+/-]+")


LONGEST: Final = 60


def slug(text: str) -> str:
    """The text with nothing in it that means something in an id."""
    return _ODD.sub("-", text)[:LONGEST].strip("-") or "nameless"


def field_slug(pointer: str) -> str:
    """A place in the arguments: "filter.kind" for /filter/kind."""
    return slug(pointer.removeprefix("/").replace("/", "."))


def value_slug(value: Any) -> str:
    """A value; an empty text is called empty."""
    if isinstance(value, str):
        return slug(value) if value.strip() else "empty"
    return slug(shown(value))


def unique(names: Iterable[str]) -> list[str]:
    """The names, those that were there before with a number."""
    seen: dict[str, int] = {}
    found = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        found.append(name if seen[name] == 1 else f"{name}-{seen[name]}")
    return found
