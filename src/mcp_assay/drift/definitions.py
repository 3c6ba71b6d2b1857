"""What a server lists, then and now -> graded changes; also within one run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, Literal, Protocol, TypeAlias

from mcp_assay.drift.comparison import UNDECIDED, Change, Grade
from mcp_assay.drift.schemas import Difference, Direction, differences
from mcp_assay.rules.behaviour.changed_tools import Relisted
from mcp_assay.schema.messages import NotJson, Outcome, SchemaVerdict, json_text
from mcp_assay.wire.pointer import pointer

HINTS: Final = "annotations"
TITLE: Final = "title"
"""The one hint that is only a text for people."""


def relisted(before: Mapping[str, Any], after: Mapping[str, Any]) -> Relisted:
    """How tools differ, by their names; their order and that of what they list means nothing."""
    kept = [name for name in before if name in after]
    changes = {name: dict(_tool_changes(before[name], after[name])) for name in kept}
    binding = {name: [it for it in found if found[it]] for name, found in changes.items()}
    return Relisted(
        gone=[name for name in before if name not in after],
        new=[name for name in after if name not in before],
        other={name: members for name, members in binding.items() if members},
        reworded=[name for name, found in changes.items() if found and not binding[name]],
    )


def _tool_changes(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[tuple[str, bool]]:
    """The members that differ, and whether calls go by what differs in them."""
    for member in sorted(old.keys() | new.keys()):
        before, now = old.get(member), new.get(member)
        if before == now:
            continue
        if member in SCHEMAS:
            directions = {one.direction for one in differences(before, now)}
            if directions:
                yield member, directions != {"words"}
        elif member == HINTS:
            yield member, _hints(before) != _hints(now)
        else:
            yield member, False


def _hints(annotations: Any) -> Any:
    if not isinstance(annotations, Mapping):
        return annotations
    return {name: value for name, value in annotations.items() if name != TITLE}


Kind: TypeAlias = Literal["tools", "resources", "templates", "prompts"]
Side: TypeAlias = Literal["call", "answer"]
"""Whose values a schema is about: those that clients send, or those that they get."""

NAMED_BY: Final[Mapping[Kind, str]] = {
    "tools": "name",
    "resources": "uri",
    "templates": "uriTemplate",
    "prompts": "name",
}
SCHEMAS: Final[Mapping[str, Side]] = {"inputSchema": "call", "outputSchema": "answer"}
GRADED: Final[Mapping[tuple[Side, Direction], Grade]] = {
    ("call", "tighter"): "breaking",
    ("call", "looser"): "cosmetic",
    ("call", "new"): "cosmetic",
    ("call", "gone"): "risky",
    ("answer", "tighter"): "cosmetic",
    ("answer", "looser"): "breaking",
    ("answer", "new"): "cosmetic",
    ("answer", "gone"): "risky",
}
"""How bad a difference is by its direction; for others the engine is asked."""
DECIDED: Final[Mapping[Outcome, Grade]] = {
    "valid": "cosmetic",
    "invalid": "breaking",
    "undecided": "risky",
}
HARMLESS: Final = ("title", "icons", "_meta", "size")
"""Members that nobody decides anything by."""
CALLERS: Final = "clients that call it as before"
READERS: Final = "clients that read its answers"
MODELS: Final = "models that rely on it to choose and call tools"


class Containment(Protocol):
    """Decides whether one schema admits all that another one admits."""

    def covers(self, larger: bytes, smaller: bytes) -> SchemaVerdict:
        """Valid where it does, invalid where it does not; never raises."""


def definition_changes(
    old: Mapping[Kind, Iterable[Any]],
    new: Mapping[Kind, Iterable[Any]],
    containment: Containment | None = None,
) -> list[Change]:
    """What changed in what a server lists."""
    return [
        change
        for kind in NAMED_BY
        for change in _changes(kind, old.get(kind, ()), new.get(kind, ()), containment)
    ]


def _changes(
    kind: Kind, old: Iterable[Any], new: Iterable[Any], containment: Containment | None
) -> Iterator[Change]:
    before, now = _by_name(kind, old), _by_name(kind, new)
    word = kind.removesuffix("s")
    for name in sorted(before.keys() - now.keys()):
        gone = f"The {word} {name!r} is gone."
        place = pointer((kind, name))
        yield Change(grade="breaking", place=place, message=gone, breaks="clients that use it")
    for name in sorted(now.keys() - before.keys()):
        message = f"The {word} {name!r} is new."
        yield Change(grade="cosmetic", place=pointer((kind, name)), message=message)
    for name in sorted(before.keys() & now.keys()):
        yield from _Item(kind, name, before[name], now[name], containment).changes()


class _Item:
    """One thing that was listed then and is listed now."""

    def __init__(
        self,
        kind: Kind,
        name: str,
        old: Mapping[str, Any],
        new: Mapping[str, Any],
        containment: Containment | None,
    ) -> None:
        self._subject: Final = f"the {kind.removesuffix('s')} {name!r}"
        self._place: Final = (kind, name)
        self._old: Final = old
        self._new: Final = new
        self._containment: Final = containment

    def changes(self) -> Iterator[Change]:
        """What changed in it."""
        for member in sorted(self._old.keys() | self._new.keys()):
            old, new = self._old.get(member), self._new.get(member)
            if old == new:
                continue
            if member in SCHEMAS:
                yield from self._schema(member, old, new)
            elif member == "annotations":
                yield from self._hints(_map(old), _map(new))
            elif member == "arguments":
                yield from self._arguments(old, new)
            else:
                yield self._member(member)

    def _member(self, member: str) -> Change:
        is_text = member == "description"
        grade: Grade = "cosmetic" if member in HARMLESS else "risky"
        breaks = MODELS if is_text else "" if grade == "cosmetic" else "clients that rely on it"
        return self._change(grade, (member,), f"the {member} of {self._subject} changed", breaks)

    def _schema(self, member: str, old: Any, new: Any) -> Iterator[Change]:
        side = SCHEMAS[member]
        if old is None or new is None:
            yield self._whole_schema(member, is_new=old is None)
            return
        covered = self._covered(side, old, new)
        for difference in differences(old, new):
            grade, breaks, note = _graded(side, difference, covered)
            words = f"in the {member} of {self._subject}, {difference.words}{note}"
            yield self._change(grade, (member, *difference.path), words, breaks)

    def _whole_schema(self, member: str, *, is_new: bool) -> Change:
        words = f"{self._subject} has {'an' if is_new else 'no'} {member} now"
        if is_new:
            return self._change("cosmetic", (member,), words, "")
        return self._change("breaking", (member,), words, "clients that rely on the schema")

    def _covered(self, side: Side, old: Any, new: Any) -> SchemaVerdict | None:
        """Whether what was valid stays so: every old call, or every new answer by the old word."""
        if self._containment is None:
            return None
        try:
            before, now = json_text(old), json_text(new)
        except NotJson:
            return None
        larger, smaller = (now, before) if side == "call" else (before, now)
        return self._containment.covers(larger, smaller)

    def _hints(self, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Change]:
        for name in sorted(old.keys() | new.keys()):
            before, now = old.get(name), new.get(name)
            if before != now:
                grade: Grade = "cosmetic" if name == "title" else "risky"
                words = f"{name} of {self._subject}: {_said(before)} → {_said(now)}"
                breaks = "clients that ask the user by it" if grade == "risky" else ""
                yield self._change(grade, ("annotations", name), words, breaks)

    def _arguments(self, old: Any, new: Any) -> Iterator[Change]:
        """The arguments of a prompt."""
        before, now = _arguments(old), _arguments(new)
        for name in sorted(before.keys() | now.keys()):
            place = ("arguments", name)
            if name not in now:
                words = f"the argument {name!r} of {self._subject} is gone"
                yield self._change("risky", place, words, CALLERS)
            elif now[name] and not before.get(name):
                words = f"the argument {name!r} of {self._subject} is required now"
                yield self._change("breaking", place, words, CALLERS)
            elif name not in before or before[name] != now[name]:
                words = f"the argument {name!r} of {self._subject} is now optional"
                yield self._change("cosmetic", place, words, "")

    def _change(self, grade: Grade, path: tuple[str, ...], words: str, breaks: str) -> Change:
        message = f"{words[0].upper()}{words[1:]}."
        return Change(
            grade=grade, place=pointer((*self._place, *path)), message=message, breaks=breaks
        )


def _graded(
    side: Side, difference: Difference, covered: SchemaVerdict | None
) -> tuple[Grade, str, str]:
    """How bad a difference is, for whom, and what is to be added to the words."""
    if difference.direction == "words":
        return "risky" if difference.path[-1] == "description" else "cosmetic", MODELS, ""
    victims, note = CALLERS if side == "call" else READERS, ""
    grade = GRADED.get((side, difference.direction))
    if grade is None:
        outcome = covered.outcome if covered else "undecided"
        grade = DECIDED[outcome]
        note = f" (whether this is breaking {UNDECIDED})" if outcome == "undecided" else ""
    return grade, "" if grade == "cosmetic" else victims, note


def _by_name(kind: Kind, items: Iterable[Any]) -> dict[str, Mapping[str, Any]]:
    member = NAMED_BY[kind]
    return {
        item[member]: item
        for item in items
        if isinstance(item, Mapping) and isinstance(item.get(member), str)
    }


def _arguments(value: Any) -> dict[str, bool]:
    """The arguments of a prompt, and whether each is required."""
    return {
        one["name"]: one.get("required") is True
        for one in (value if isinstance(value, list) else [])
        if isinstance(one, Mapping) and isinstance(one.get("name"), str)
    }


def _map(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _said(value: Any) -> str:
    return "unset" if value is None else repr(value).lower()[:40]
