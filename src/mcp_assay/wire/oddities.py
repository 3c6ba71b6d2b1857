"""What a reader noticed, by its position in the text, before it becomes a Note."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal, TypeAlias

from msgspec import Struct, field

from mcp_assay.wire.limits import MAX_NOTES_PER_KIND
from mcp_assay.wire.pointer import Path

NoteKind: TypeAlias = Literal[
    "syntax",
    "encoding",
    "bom",
    "trailing",
    "non-finite",
    "huge-number",
    "lone-surrogate",
    "duplicate",
    "too-deep",
    "too-large",
    "not-json",
]


class Oddity(Struct, frozen=True):
    """One odd thing; `count` is above 1 where it stands for several that are not listed."""

    kind: NoteKind
    path: Path
    position: int
    text: str
    count: int = 1


class Oddities(Struct):
    """Keeps the first oddities of each kind and counts the rest."""

    _kept: list[Oddity] = field(default_factory=list)
    _seen: dict[NoteKind, int] = field(default_factory=dict)
    _unlisted: dict[NoteKind, int] = field(default_factory=dict)

    def __iter__(self) -> Iterator[Oddity]:
        """In the order of the text, those that stand for the unlisted ones of a kind included."""
        rest = [self._rest(kind, position) for kind, position in self._unlisted.items()]
        return iter(sorted([*self._kept, *rest], key=lambda oddity: oddity.position))

    def add(self, kind: NoteKind, path: Callable[[], Path], position: int, text: str) -> None:
        """Take one oddity; its path is worked out only where there is room for it."""
        if self.has_room(kind, position):
            self.keep(Oddity(kind, path(), position, text))

    def has_room(self, kind: NoteKind, position: int) -> bool:
        """Count one more of this kind and tell whether it can be kept."""
        seen = self._seen[kind] = self._seen.get(kind, 0) + 1
        if seen > MAX_NOTES_PER_KIND:
            self._unlisted.setdefault(kind, position)
        return seen <= MAX_NOTES_PER_KIND

    def keep(self, oddity: Oddity) -> None:
        """Keep an oddity for which there is room."""
        self._kept.append(oddity)

    def _rest(self, kind: NoteKind, position: int) -> Oddity:
        more = self._seen[kind] - MAX_NOTES_PER_KIND
        return Oddity(kind, (), position, f"and {more:,} more of this kind", more)
