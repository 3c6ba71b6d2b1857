"""Texts of definitions, then and now; side by side, what is hidden in them is made visible."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, Final

from msgspec import Struct
from msgspec.json import encode

from mcp_assay.drift.comparison import Change
from mcp_assay.drift.definitions import NAMED_BY
from mcp_assay.model.report import Report
from mcp_assay.report.as_markdown import cell
from mcp_assay.text.lines import SCREEN, Line, Style, broken, cut, padded, said, width
from mcp_assay.text.safe import plain, shorten
from mcp_assay.wire.pointer import tokens

GAP: Final = 3
COLUMN: Final = (SCREEN - 2 - GAP) // 2
LONGEST: Final = 2_000
MOST: Final = 20
ABSENT: Final = "(absent)"
STYLES: Final[Mapping[str, Style]] = {"breaking": "fail", "risky": "warning"}


class TextPair(Struct, frozen=True, kw_only=True):
    """A place in a definition, and what stood and stands there, as it came."""

    grade: str
    place: str
    message: str
    old: str
    new: str


def text_pairs(old: Report, new: Report, changes: Sequence[Change]) -> list[TextPair]:
    """What the definitions of two reports say at each place that changed."""
    return [
        TextPair(
            grade=change.grade,
            place=change.place,
            message=change.message,
            old=_at(old, change.place),
            new=_at(new, change.place),
        )
        for change in changes
    ]


def pairs_text(pairs: Sequence[TextPair]) -> Iterator[Line]:
    """Both texts in two columns."""
    heading = f"  {padded('then', COLUMN)}{' ' * GAP}now"
    for pair in pairs[:MOST]:
        yield ((pair.grade, STYLES.get(pair.grade, "")), (f"  {cut(pair.place, 64)}", "strong"))
        yield said(f"  {plain(pair.message)}")
        yield said(heading, "faint")
        for left, right in zip_longest(_column(pair.old), _column(pair.new), fillvalue=""):
            yield said(f"  {padded(left, COLUMN)}{' ' * GAP}{right}".rstrip())
    if more := len(pairs) - MOST:
        yield from (said(f"  and {more:,} more", "faint"),) if more > 0 else ()


def pairs_markdown(pairs: Sequence[TextPair]) -> str:
    """Both texts in a table."""
    lines = ["| | place | then | now |", "|---|---|---|---|"]
    lines += [
        f"| {pair.grade} | {cell(pair.place)} | {cell(pair.old)} | {cell(pair.new)} |"
        for pair in pairs[:MOST]
    ]
    return "\n".join((*lines, ""))


def _column(text: str) -> Iterator[str]:
    """A text in lines of a column; longer words are cut to pieces, so that nothing is lost."""
    for line in broken(plain(shorten(text, LONGEST)), COLUMN):
        rest = line
        while width(rest) > COLUMN:
            size = COLUMN
            while width(rest[:size]) > COLUMN:
                size -= 1
            yield rest[:size]
            rest = rest[size:]
        yield rest


def _at(report: Report, place: str) -> str:
    """What the definitions say at a place."""
    kind, name, *path = tokens(place)
    listed = getattr(report.surface and report.surface.definitions, kind, [])
    member = NAMED_BY.get(kind)  # type: ignore[call-overload]  # any word is looked up
    value: Any = next((it for it in listed if _named(it, member) == name), None)
    for step in path:
        value = _member(value, step)
    return _shown(value)


def _named(definition: Any, member: str | None) -> Any:
    return definition.get(member) if isinstance(definition, Mapping) else None


def _member(value: Any, step: str) -> Any:
    if isinstance(value, Mapping):
        return value.get(step)
    if isinstance(value, list) and step.isdigit() and int(step) < len(value):
        return value[int(step)]
    return None


def _shown(value: Any) -> str:
    if value is None:
        return ABSENT
    return value if isinstance(value, str) else encode(value).decode(errors="replace")
