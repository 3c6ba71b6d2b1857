"""The annotations that the calls of tools support, for all formats that people read."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from mcp_assay.model.report import Report
from mcp_assay.model.tool import HintEvidence, ProposedAnnotations
from mcp_assay.text.lines import BLANK, Line, broken, cut, indented, padded, said, sentences, width

TITLE: Final = "Which annotations the calls support"
COLUMNS: Final = ("tool", "declared", "supported", "calls")
WORDS: Final[Mapping[str, tuple[str, str]]] = {
    "readOnlyHint": ("read-only", "changes"),
    "destructiveHint": ("destructive", "not destructive"),
    "idempotentHint": ("idempotent", "not idempotent"),
    "openWorldHint": ("open world", "closed world"),
}
"""Each hint in words, where it is true and where it is false."""
NONE: Final = "-"
CAUTION: Final = "No effect seen in so many calls is no promise for calls with other arguments."
IN_PYTHON: Final[Mapping[bool, str]] = {True: "True", False: "False"}
MARGIN: Final = 2
SIZES: Final = (20, 20, 28, 5)
"""How wide the columns may be on a terminal."""


class AnnotationRow(Struct, frozen=True, kw_only=True):
    """A row of the table; its texts are not made safe yet."""

    cells: tuple[str, ...]
    """One for each of COLUMNS."""
    proposed: ProposedAnnotations

    @property
    def code(self) -> dict[str, str]:
        """The supported hints, ready to paste, by the language."""
        return pasted(self.proposed.annotations)

    @property
    def reasons(self) -> list[str]:
        """What is behind each hint, in words."""
        return [f"{one.hint} {_value(one)}: {one.reason}" for one in self.proposed.hints]


def _value(one: HintEvidence) -> str:
    return "not proposed" if one.supported is None else str(one.supported).lower()


def pasted(annotations: Mapping[str, bool]) -> dict[str, str]:
    """Annotations as JSON, and as code of the SDKs for Python and for TypeScript."""
    values = {hint: json.dumps(value) for hint, value in annotations.items()}
    quoted = ", ".join(f'"{hint}": {value}' for hint, value in values.items())
    bare = ", ".join(f"{hint}: {value}" for hint, value in values.items())
    named = ", ".join(f"{hint}={IN_PYTHON[value]}" for hint, value in annotations.items())
    return {
        "JSON": f'"annotations": {{{quoted}}}',
        "Python": f"annotations=ToolAnnotations({named})",
        "TypeScript": f"annotations: {{ {bare} }}",
    }


def annotation_rows(report: Report) -> list[AnnotationRow]:
    """The tools whose calls support hints that they do not declare so."""
    return [
        _row(tool.name, tool.proposed_annotations)
        for tool in report.tools
        if tool.proposed_annotations is not None and tool.proposed_annotations.changes
    ]


def _row(name: str, proposed: ProposedAnnotations) -> AnnotationRow:
    declared = {one.hint: one.declared for one in proposed.hints if one.declared is not None}
    calls = max((one.calls for one in proposed.hints), default=0)
    cells = (name, in_words(declared), in_words(proposed.annotations), f"{calls:,}")
    return AnnotationRow(cells=cells, proposed=proposed)


def in_words(annotations: Mapping[str, bool]) -> str:
    """Hints in words; what goes without saying of a tool that only reads is left out."""
    reads = annotations.get("readOnlyHint") is True
    shown = (
        WORDS[hint][0 if value else 1]
        for hint, value in annotations.items()
        if hint in WORDS and not (reads and hint == "destructiveHint" and not value)
    )
    return ", ".join(shown) or NONE


def annotations_text(report: Report, *, verbose: bool = False) -> Iterator[Line]:
    """The table for a terminal; nothing where no hint is proposed."""
    rows = annotation_rows(report)
    if not rows:
        return
    yield said(TITLE, "strong")
    sizes = _sizes(rows)
    yield from _lines(COLUMNS, sizes, is_head=True)
    for row in rows:
        yield from _lines(row.cells, sizes)
        yield from _behind(row) if verbose else ()
    more = "" if verbose else " --verbose shows the reasons, and code to paste."
    yield from sentences(f"{CAUTION}{more}", style="faint")
    yield BLANK


def _behind(row: AnnotationRow) -> Iterator[Line]:
    """What is behind each hint, and the code in whole lines, to be copied."""
    for reason in row.reasons:
        yield from sentences(reason, indent=3 * MARGIN, style="faint")
    for code in row.code.values() if row.proposed.annotations else ():
        yield indented(said(code), 3 * MARGIN)


def _sizes(rows: Sequence[AnnotationRow]) -> list[int]:
    cells = [COLUMNS, *(row.cells for row in rows)]
    return [
        min(most, max(width(cut(one[column], most)) for one in cells))
        for column, most in enumerate(SIZES)
    ]


def _lines(cells: Sequence[str], sizes: Sequence[int], *, is_head: bool = False) -> Iterator[Line]:
    """A row; what does not fit into a cell goes on in the next line."""
    name, *others = cells
    rest = zip(others, sizes[1:], strict=True)
    columns = [[name], *([*broken(cell, size)] for cell, size in rest)]
    for number in range(max(map(len, columns))):
        parts = [column[number] if number < len(column) else "" for column in columns]
        shown = (padded(cut(part, size), size) for part, size in zip(parts, sizes, strict=True))
        yield indented(said("  ".join(shown).rstrip(), "faint" if is_head else ""), MARGIN)
