"""Two shapes of answers, then and now -> graded changes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mcp_assay.drift.change import Change, Grade
from mcp_assay.drift.shapes import Shape
from mcp_assay.wire.pointer import pointer

READERS: Final = "clients that read it"
STRICT: Final = "clients that check for null or for its type"


def answer_changes(old: Shape, new: Shape, place: str) -> list[Change]:
    """What changed in answers; what only fewer calls did not show is no change."""
    return list(_changes(old, new, place, ()))


def _changes(old: Shape, new: Shape, place: str, path: tuple[str, ...]) -> Iterator[Change]:
    if not old.types or not new.types:
        return
    found = _type_change(old, new, place, path)
    if found is not None:
        yield found
    yield from _enum_changes(old, new, place, path)
    if "object" in old.types and "object" in new.types and new.values is None:
        yield from _member_changes(old, new, place, path)
    if old.values is not None and new.values is not None:
        yield from _changes(old.values, new.values, place, (*path, "*"))
    if old.items is not None and new.items is not None:
        yield from _changes(old.items, new.items, place, (*path, "*"))


def _type_change(old: Shape, new: Shape, place: str, path: tuple[str, ...]) -> Change | None:
    added = _added_types(old, new)
    if not added:
        return None
    words = f"was {_listed(old.types)} and is now {_listed(new.types)}"
    if added == {"null"}:
        return _change("risky", place, path, "may now be null", "clients that do not expect null")
    if old.types & new.types:
        return _change("risky", place, path, words, STRICT)
    return _change("breaking", place, path, words, READERS)


def _added_types(old: Shape, new: Shape) -> frozenset[str]:
    """Types that are new; an integer where numbers were is none."""
    known = old.types | ({"integer"} if "number" in old.types else frozenset())
    return new.types - known


def _enum_changes(old: Shape, new: Shape, place: str, path: tuple[str, ...]) -> Iterator[Change]:
    if old.enum is None:
        return
    if new.enum is None:
        if "string" in new.types:
            words = f"holds values outside of {_listed(map(str, old.enum))}"
            yield _change("risky", place, path, words, "clients that know these values only")
        return
    added = [value for value in new.enum if value not in old.enum]
    if added:
        words = f"may now be {_listed(map(str, added))} too"
        yield _change("risky", place, path, words, "clients that know the old values only")


def _member_changes(old: Shape, new: Shape, place: str, path: tuple[str, ...]) -> Iterator[Change]:
    for name in sorted(old.required - new.required):
        if name in new.members:
            yield _change("risky", place, (*path, name), "is now missing at times", READERS)
        else:
            yield _change("breaking", place, (*path, name), "is gone", READERS)
    for name in sorted(new.members.keys() - old.members.keys()):
        if old.values is None:
            yield _change("cosmetic", place, (*path, name), "is new", "")
    for name in sorted(old.members.keys() & new.members.keys()):
        yield from _changes(old.members[name], new.members[name], place, (*path, name))


def _change(grade: Grade, place: str, path: tuple[str, ...], words: str, breaks: str) -> Change:
    shown = f"The member {'.'.join(path)!r} of the answer" if path else "The answer"
    where = f"{place}{pointer(path)}"
    return Change(grade=grade, place=where, message=f"{shown} {words}.", breaks=breaks)


def _listed(names: Iterator[str] | frozenset[str] | map[str]) -> str:
    return " or ".join(sorted(names))
