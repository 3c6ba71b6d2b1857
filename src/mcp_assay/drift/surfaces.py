"""What two reports know of a server's surface -> graded changes, by hashes where need be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import msgspec
from msgspec import Struct

from mcp_assay.drift.change import UNDECIDED, Change, by_gravity
from mcp_assay.drift.definitions import NAMED_BY, Containment, Kind, definition_changes
from mcp_assay.model.report import Report
from mcp_assay.wire.pointer import pointer

OTHERS: Final[tuple[Kind, ...]] = ("resources", "templates", "prompts")
NOT_HELD: Final = "a report does not hold it whole"


class ListedTool(Struct, frozen=True):
    """A tool as it was measured."""

    name: str | None = None
    sha256: str | None = None


class Definitions(Struct, frozen=True):
    """The definitions that a report holds."""

    tools: list[Any] = []
    resources: list[Any] = []
    templates: list[Any] = []
    prompts: list[Any] = []
    left_out: int = 0


class Listed(Struct, frozen=True):
    """What a report knows of a surface."""

    tools: list[ListedTool] = []
    definitions: Definitions = Definitions(left_out=1)

    @property
    def names(self) -> dict[str, str | None]:
        """The tools that are listed, with the hashes of their definitions."""
        return {tool.name: tool.sha256 for tool in self.tools if tool.name is not None}

    @property
    def held(self) -> dict[str, Any]:
        """The tools whose definitions the report holds."""
        return _by_name("tools", self.definitions.tools)


def listed(report: Report) -> Listed | None:
    """What a server listed; None where nobody asked it, or it was not reached.

    Raises msgspec.ValidationError where the report says it in another form.
    """
    if report.surface is None or report.revision is None:
        return None
    return msgspec.convert(report.surface, Listed)


def surface_changes(
    old: Listed | None, new: Listed | None, containment: Containment | None = None
) -> list[Change]:
    """What changed in what a server lists, the worst first."""
    if old is None or new is None:
        return []
    hidden = {*_hidden(old), *_hidden(new)}
    changes = definition_changes(
        _comparable(old, new, hidden), _comparable(new, old, hidden), containment
    )
    return by_gravity([*changes, *_by_hash(old, new, hidden)])


def _hidden(surface: Listed) -> Iterable[str]:
    """The tools that are listed and whose definitions the report has no room for."""
    return surface.names.keys() - surface.held.keys()


def _comparable(its: Listed, other: Listed, hidden: set[str]) -> dict[Kind, list[Any]]:
    """What is compared member by member; of a hidden tool that is its name alone."""
    names = [{"name": name} for name in sorted(hidden & its.names.keys())]
    shown = [tool for name, tool in its.held.items() if name not in hidden]
    is_whole = not its.definitions.left_out and not other.definitions.left_out
    others = {kind: _others(kind, its, None if is_whole else other) for kind in OTHERS}
    return {"tools": [*shown, *names], **others}


def _others(kind: Kind, its: Listed, other: Listed | None) -> list[Any]:
    """The definitions of a kind; those that both hold, where a report may hide some."""
    own = _by_name(kind, getattr(its.definitions, kind))
    known = own if other is None else _by_name(kind, getattr(other.definitions, kind))
    return [definition for name, definition in own.items() if name in known]


def _by_hash(old: Listed, new: Listed, hidden: set[str]) -> Iterator[Change]:
    before, now = old.names, new.names
    for name in sorted(hidden & before.keys() & now.keys()):
        if before[name] != now[name]:
            words = f"The tool {name!r} changed; {NOT_HELD}, so how {UNDECIDED}."
            yield Change(grade="risky", place=pointer(("tools", name)), message=words)


def _by_name(kind: Kind, definitions: Iterable[Any]) -> dict[str, Any]:
    member = NAMED_BY[kind]
    return {
        one[member]: one
        for one in definitions
        if isinstance(one, Mapping) and isinstance(one.get(member), str)
    }
