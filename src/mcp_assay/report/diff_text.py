"""Comparison -> lines for people: better or worse, why, and every difference."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from mcp_assay.drift.comparison import Comparison
from mcp_assay.drift.reports import Likeness, likeness
from mcp_assay.report.diff_sections import (
    STYLES,
    VERDICTS,
    Row,
    Section,
    besides,
    header,
    notes,
    numbers,
    sections,
)
from mcp_assay.report.footer import next_step
from mcp_assay.spec.catalogue import CATALOGUE
from mcp_assay.text.lines import (
    BLANK,
    SCREEN,
    Line,
    Style,
    broken,
    cut,
    indented,
    said,
    sentences,
    width,
)

MANY: Final = 20
"""Of more rows only so many are shown, unless all are wanted."""
MARGIN: Final = 2
LIKENESS: Final[Mapping[Likeness, tuple[str, Style]]] = {
    "same": ("the same findings, tools and surface", "pass"),
    "differs": ("it differs", "fail"),
    "not_repeated": ("nothing differs, but not everything was repeated", "warning"),
}
ON_ONE_LINE: Final = frozenset({"tool", "not checked"})
LONGEST_ABOUT: Final = 64
LONGEST_MORE: Final = 600


def diff_text(comparison: Comparison, *, verbose: bool = False) -> Iterator[Line]:
    """The whole comparison; one line where nothing differs, and the reports were made alike."""
    yield from _verdict(comparison)
    if comparison.summary.outcome != "same":
        for part in header(comparison):
            yield indented(said(cut(part, SCREEN - MARGIN)), MARGIN)
    yield from _differences(comparison, verbose)
    known = [it.finding for it in comparison.findings.new if it.finding.rule in CATALOGUE]
    if known:
        yield BLANK
        yield from next_step(known)


def _differences(comparison: Comparison, verbose: bool) -> Iterator[Line]:
    for note in notes(comparison):
        yield from _noted(note)
    for section in sections(comparison):
        yield BLANK
        yield from _section(section, verbose)


def short_diff(comparison: Comparison) -> Iterator[Line]:
    """Print only one line per difference."""
    for section in sections(comparison):
        for row in section.rows:
            more = f"  {cut(' '.join(row.more), LONGEST_MORE)}" if row.more else ""
            yield (
                (f"{section.kind}: ", "faint"),
                (row.grade, STYLES.get(row.grade, "")),
                (f" {cut(row.about, LONGEST_ABOUT)}{more}", ""),
            )


def likeness_text(file: str, comparison: Comparison, *, verbose: bool = False) -> Iterator[Line]:
    """Whether a run that was repeated found the same; what differs, where it does."""
    found = likeness(comparison)
    words, style = LIKENESS[found]
    yield (("Compared with ", ""), (file, "strong"), (": ", ""), (words, style))
    if found == "same":
        yield from (line for note in notes(comparison) for line in _noted(note))
    else:
        yield from (indented(line, MARGIN) for line in _differences(comparison, verbose))


def _verdict(comparison: Comparison) -> Iterator[Line]:
    word, style = VERDICTS[comparison.summary.outcome]
    margin = len(word) + 2
    first, *more = broken(numbers(comparison), SCREEN - margin)
    yield ((word, style), (f"  {first}", ""))
    rest = besides(comparison)
    for line in (*more, *(broken(f"besides {rest}", SCREEN - margin) if rest else ())):
        yield indented(said(line), margin)


def _noted(note: str) -> Iterable[Line]:
    return sentences(f"Note: {cut(note, LONGEST_MORE)}", indent=MARGIN)


def _section(section: Section, verbose: bool) -> Iterator[Line]:
    yield said(section.title, "strong")
    shown = section.rows if verbose else section.rows[:MANY]
    for row in shown:
        yield from _short(row) if section.kind in ON_ONE_LINE else _row(row)
    if more := len(section.rows) - len(shown):
        yield indented(said(f"and {more:,} more (--verbose shows all)", "faint"))


def _row(row: Row) -> Iterator[Line]:
    yield indented((*_graded(row), (cut(row.about, LONGEST_ABOUT), "")), MARGIN)
    for text in row.more:
        yield from sentences(cut(text, LONGEST_MORE), indent=2 * MARGIN)


def _short(row: Row) -> Iterator[Line]:
    """The row on one line, where it fits."""
    words = f"{cut(row.about, LONGEST_ABOUT)}  {' '.join(row.more)}"
    if MARGIN + len(row.grade) + 2 + width(words) > SCREEN:
        yield from _row(row)
    else:
        yield indented((*_graded(row), (words, "")), MARGIN)


def _graded(row: Row) -> Line:
    return ((row.grade, STYLES.get(row.grade, "")), ("  ", ""))
