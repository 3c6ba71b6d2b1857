"""A saved list of definitions -> the surface in it, and where in the file everything stands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from mcp_assay.model.finding import Finding
from mcp_assay.rules.definition.surface import LISTS, Surface, surface_of
from mcp_assay.text.words import PHRASES, json_type, listing
from mcp_assay.validate.lines import Damaged, Unreadable, unpacked
from mcp_assay.validate.places import TextPlace, placed
from mcp_assay.validate.sources import bounded, opened, shown_name
from mcp_assay.wire.notes import MAX_MESSAGE_BYTES
from mcp_assay.wire.pointer import Path, pointer, resolve
from mcp_assay.wire.reader import Reading, read

TOO_LONG: Final = f"has more than {MAX_MESSAGE_BYTES:,} bytes; list fewer tools"

SOUGHT = listing(LISTS)


class DefinitionFile(Struct, frozen=True):
    """What a file lists."""

    file: str
    text: bytes
    reading: Reading
    base: Path
    """Where in the file the lists stand."""
    surface: Surface

    def placed(self, findings: Iterable[Finding]) -> list[Finding]:
        """Findings about the surface, seen from the file, each with its line and column."""
        prefix = pointer(self.base)
        seen = [replace(finding, pointer=prefix + finding.pointer) for finding in findings]
        return self.placed_as_they_are(seen)

    def placed_as_they_are(self, findings: Sequence[Finding]) -> list[Finding]:
        """Findings about the text, each with its line and column."""
        return placed(findings, self.text, TextPlace(file=self.file))


def read_listing(source: str) -> DefinitionFile:
    """What the file, or standard input, lists; raises Unreadable."""
    file = shown_name(source)
    try:
        with opened(source) as stream:
            text = bounded(unpacked(stream), MAX_MESSAGE_BYTES, f"{file} {TOO_LONG}")
    except Damaged as damage:
        raise Unreadable(f"{file} is incomplete: {damage}") from None
    reading = read(text)
    if not reading.readable:
        note = reading.notes[0]
        place = f"{file}:{note.line}:{note.column}"
        raise Unreadable(f"{place} is not JSON: {note.text.rstrip('.')}")
    base = _base(reading.value, file)
    lists: Any = resolve(reading.value, base)
    return DefinitionFile(file, text, reading, base, _surface(lists, file))


def _base(value: Any, file: str) -> Path:
    """Where the object with the lists stands: it is the whole, or the result of a response."""
    if not isinstance(value, dict):
        kind = PHRASES[json_type(value)]
        raise Unreadable(f"{file} holds {kind}, not an object with {SOUGHT}")
    if not LISTS.keys().isdisjoint(value):
        return ()
    if isinstance(result := value.get("result"), dict) and not LISTS.keys().isdisjoint(result):
        return ("result",)
    if "error" in value:
        raise Unreadable(f"{file} holds a JSON-RPC error, not the result of tools/list")
    raise Unreadable(f"{file} lists nothing; it has none of {SOUGHT}")


def _surface(lists: dict[str, Any], file: str) -> Surface:
    for name in LISTS:
        if name in lists and not isinstance(lists[name], list):
            kind = PHRASES.get(json_type(lists[name]), "not readable")
            raise Unreadable(f'{file} lists nothing: its "{name}" is {kind}, not an array')
    surface = surface_of(lists)
    if not any(surface.lists().values()):
        raise Unreadable(f"{file} lists nothing: its lists are empty")
    return surface
