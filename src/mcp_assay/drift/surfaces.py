"""What two reports know of a server's surface -> graded changes, by hashes where need be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from mcp_assay.drift.comparison import UNDECIDED, Change, by_gravity
from mcp_assay.drift.definitions import NAMED_BY, Containment, Kind, definition_changes
from mcp_assay.model.report import Report
from mcp_assay.model.surface import SurfaceSize
from mcp_assay.wire.pointer import pointer

OTHERS: Final[tuple[Kind, ...]] = ("resources", "templates", "prompts")
NOT_HELD: Final = "a report does not include it completely"


def listed(report: Report) -> SurfaceSize | None:
    """What a server listed; None where nobody asked it, or it was not reached."""
    return None if report.revision is None else report.surface


def held_tools(surface: SurfaceSize) -> dict[str, Any]:
    """The tools whose definitions the report holds, by name."""
    return _by_name("tools", surface.definitions.tools)


def surface_changes(
    old: SurfaceSize | None, new: SurfaceSize | None, containment: Containment | None = None
) -> list[Change]:
    """What changed in what a server lists, the worst first."""
    if old is None or new is None:
        return []
    hidden = {*_hidden(old), *_hidden(new)}
    changes = definition_changes(
        _comparable(old, new, hidden), _comparable(new, old, hidden), containment
    )
    return by_gravity([*changes, *_by_hash(old, new, hidden)])


def _hidden(surface: SurfaceSize) -> Iterable[str]:
    """The tools that are listed and whose definitions the report has no room for."""
    return surface.hashes.keys() - held_tools(surface).keys()


def _comparable(its: SurfaceSize, other: SurfaceSize, hidden: set[str]) -> dict[Kind, list[Any]]:
    """What is compared member by member; of a hidden tool that is its name alone."""
    names = [{"name": name} for name in sorted(hidden & its.hashes.keys())]
    shown = [tool for name, tool in held_tools(its).items() if name not in hidden]
    is_whole = not its.definitions.left_out and not other.definitions.left_out
    others = {kind: _others(kind, its, None if is_whole else other) for kind in OTHERS}
    return {"tools": [*shown, *names], **others}


def _others(kind: Kind, its: SurfaceSize, other: SurfaceSize | None) -> list[Any]:
    """The definitions of a kind; those that both hold, where a report may hide some."""
    own = _by_name(kind, getattr(its.definitions, kind))
    known = own if other is None else _by_name(kind, getattr(other.definitions, kind))
    return [definition for name, definition in own.items() if name in known]


def _by_hash(old: SurfaceSize, new: SurfaceSize, hidden: set[str]) -> Iterator[Change]:
    before, now = old.hashes, new.hashes
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
