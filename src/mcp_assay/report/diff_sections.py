"""Comparison -> what there is to report, in order: sections of rows, for every writer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct

from mcp_assay.drift.comparison import (
    Change,
    ChangedFinding,
    Comparison,
    DiffOutcome,
    Side,
    ToolChange,
    ToolMove,
)
from mcp_assay.model.finding import Finding
from mcp_assay.model.outcome import FATAL
from mcp_assay.report.causes_summary import place
from mcp_assay.report.footer import SEVERITY_WORDS
from mcp_assay.report.tool_table import STATUS_WORDS
from mcp_assay.text.lines import Style, counted
from mcp_assay.text.safe import shorten
from mcp_assay.wire.pointer import pointer

VERDICTS: Final[Mapping[DiffOutcome, tuple[str, Style]]] = {
    "same": ("SAME", "pass"),
    "changed": ("CHANGED", "warning"),
    "worse": ("WORSE", "fail"),
}
NOTHING: Final = "no finding, tool or definition differs"
MOVES: Final[Mapping[ToolMove, str]] = {
    "worse": "worse",
    "better": "better",
    "not_called_any_more": "no longer called",
    "called_now": "called now",
    "new": "new",
    "gone": "gone",
}
STYLES: Final[Mapping[str, Style]] = {
    "error": "error",
    "warning": "warning",
    "note": "info",
    "worse": "fail",
    "better": "pass",
    "breaking": "fail",
    "risky": "warning",
}
"""How the first word of a row is painted; the others are plain."""
HASH_SHOWN: Final = 12
LONGEST_SERVER_NAME: Final = 60
ONLY_THE_HASH: Final = "definitions changed"
NOT_SHOWN: Final = (
    "The hash of the definitions differs, but the parts included in the reports do not."
)


class Row(Struct, frozen=True):
    """One difference: a word that grades it, what it is about, and more in sentences."""

    grade: str
    about: str
    more: tuple[str, ...] = ()


class Section(Struct, frozen=True):
    """Differences of one kind."""

    title: str
    kind: str
    """What each of its rows is, in a word or two."""
    rows: list[Row]


def sections(comparison: Comparison) -> list[Section]:
    """All differences, the worst first; sections without any are left out."""
    found = comparison.findings
    shown_parts = (
        Section("New findings", "new", [_new(it.finding, it.not_looked_at) for it in found.new]),
        Section("Tools", "tool", list(_tools(comparison.tools))),
        Section("Definitions", "definition", list(_drift(comparison))),
        Section("Changed findings", "changed", [_changed(it) for it in found.changed]),
        Section(
            "Not checked this time",
            "not checked",
            [Row(SEVERITY_WORDS[it.finding.severity], _about(it.finding), (_sentence(it.reason),))
             for it in found.not_looked_at],
        ),
        Section(
            "Fixed", "fixed",
            [Row(SEVERITY_WORDS[it.severity], _about(it)) for it in found.fixed],
        ),
    )  # fmt: skip
    return [section for section in shown_parts if section.rows]


def numbers(comparison: Comparison) -> str:
    """What makes it worse, counted, or else all differences."""
    summary = comparison.summary
    if summary.outcome == "same":
        return NOTHING
    return ", ".join(summary.regressions) or _rest(comparison) or ONLY_THE_HASH


def besides(comparison: Comparison) -> str:
    """The other differences, counted, where some make it worse."""
    return _rest(comparison) if comparison.summary.regressions else ""


def _rest(comparison: Comparison) -> str:
    """All differences that do not make it worse."""
    summary, moves = comparison.summary, Counter(tool.change for tool in comparison.tools)
    new = Counter(it.finding.severity for it in comparison.findings.new)
    fatal = FATAL[comparison.fail_on]
    shown_parts = (
        *((new[it], f"new {SEVERITY_WORDS[it]}", "") for it in SEVERITY_WORDS if it not in fatal),
        (moves["not_called_any_more"], "tool", " no longer called"),
        (summary.risky, "risky change", ""),
        (summary.cosmetic, "cosmetic change", ""),
        (summary.changed, "changed finding", ""),
        (summary.not_looked_at, "finding", " not checked"),
        (moves["called_now"], "tool", " called for the first time"),
        (summary.tools_better, "tool", " better"),
        (summary.fixed, "finding", " fixed"),
    )
    return ", ".join(
        f"{counted(number, noun)}{more}" for number, noun, more in shown_parts if number
    )


def header(comparison: Comparison) -> Iterator[str]:
    """What was compared: the servers and their surfaces."""
    old, new = comparison.old, comparison.new
    if old.server or new.server:
        before, now = _server(old), _server(new)
        yield before if old.server == new.server else f"{before} → {now}"
    hashes = [(its.surface_sha256 or "")[:HASH_SHOWN] for its in (old, new)]
    if all(hashes):
        yield f"surface {' → '.join(dict.fromkeys(hashes))}"


def notes(comparison: Comparison) -> list[str]:
    """What may explain the differences, or is no difference yet."""
    has_both = comparison.old.surface_sha256 and comparison.new.surface_sha256
    is_odd = has_both and not comparison.is_same_surface and not comparison.drift
    return [*comparison.notes, *([NOT_SHOWN] if is_odd else [])]


def _new(finding: Finding, not_looked_at: str | None) -> Row:
    reason = f"OLD did not check this: {not_looked_at}." if not_looked_at else ""
    return Row(
        SEVERITY_WORDS[finding.severity],
        _about(finding),
        (finding.message, *([reason] if reason else [])),
    )


def _changed(change: ChangedFinding) -> Row:
    old, new = change.old, change.new
    shown_parts: list[str] = []
    if "severity" in change.what:
        shown_parts.append(
            f"Severity changed from {SEVERITY_WORDS[old.severity]} to "
            f"{SEVERITY_WORDS[new.severity]}."
        )
    if "count" in change.what:
        shown_parts.append(f"Seen {_times(old.count)} before, {_times(new.count)} now.")
    if "words" in change.what:
        shown_parts += [f"Then: {old.message}", f"Now: {new.message}"]
    else:
        shown_parts.insert(0, new.message)
    return Row(SEVERITY_WORDS[new.severity], _about(new), tuple(shown_parts))


def _tools(tools: list[ToolChange]) -> Iterator[Row]:
    """The tools that changed, but for those that are gone: that is a change of the definitions."""
    for tool in tools:
        if tool.change != "gone":
            yield Row(MOVES[tool.change], tool.name, (_sentence(_statuses(tool)),))


def _statuses(tool: ToolChange) -> str:
    reason = f" ({tool.reason})" if tool.reason else ""
    if tool.old is None:
        return f"it is {_status(tool.new)}{reason}" if tool.new else "it is listed now"
    now = _status(tool.new) if tool.new else "unknown"
    return f"changed from {_status(tool.old)} to {now}{reason}"


def _drift(comparison: Comparison) -> Iterator[Row]:
    """What changed in the definitions, but for new tools: those are reported with what they do."""
    shown_parts = {
        pointer(("tools", tool.name)) for tool in comparison.tools if tool.change == "new"
    }
    for change in comparison.drift:
        if change.place not in shown_parts:
            yield _change(change)


def _change(change: Change) -> Row:
    breaks = (
        (f"It breaks {change.breaks}.",) if change.breaks and change.grade == "breaking" else ()
    )
    return Row(change.grade, change.place, (change.message, *breaks))


def _about(finding: Finding) -> str:
    where = finding.where.tool or place(finding.where) or finding.pointer
    return f"{finding.rule} {finding.name}" + (f"  {where}" if where else "")


def _server(its: Side) -> str:
    return shorten(its.server or "an unnamed server", LONGEST_SERVER_NAME)


def _status(status: str | None) -> str:
    return STATUS_WORDS.get(status or "", "unknown")


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number:,} times"


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."
