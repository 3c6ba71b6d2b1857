"""Many findings or sessions at a glance: a line for each cause, and which sessions are worst."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mcp_assay.model.finding import Where
from mcp_assay.model.report import Cause, Report, SessionSummary
from mcp_assay.report.footer import SEVERITY_WORDS
from mcp_assay.text.lines import BLANK, Line, counted, cut, indented, padded, said, sentences, width

MANY_GROUPS = 20
"""With more findings that differ than this, nobody reads them one by one."""
SESSIONS_SHOWN = 5
"""How many of the worst sessions are named."""
LONGEST_KEY = 40


def is_large(report: Report, groups: Sequence[object]) -> bool:
    """Whether the findings need a summary: they are many, or spread over sessions."""
    return len(groups) > MANY_GROUPS or (report.summary.sessions > 1 and bool(report.causes))


def summary(report: Report, *, verbose: bool = False) -> Iterator[Line]:
    """The table of causes, then the worst sessions; `verbose` names all that had findings."""
    yield from _table(report.causes)
    yield BLANK
    bad = [session for session in report.sessions if session.errors or session.warnings]
    if bad and report.summary.sessions > 1:
        yield from _worst(bad if verbose else bad[:SESSIONS_SHOWN], len(bad))
        yield BLANK


def place(where: Where) -> str:
    """A place as editors write it: file:line:column, as far as it is known; "" without a file."""
    if where.file is None:
        return ""
    parts = (where.file, where.line, where.column)
    return ":".join(str(part) for part in parts if part is not None)


def _table(causes: Sequence[Cause]) -> Iterator[Line]:
    """The causes in columns, and under each what the first finding of it says."""
    head = ("rule", "findings", "sessions")
    rows = [(cause.rule, f"{cause.findings:,}", f"{cause.sessions:,}") for cause in causes]
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    yield indented(said(f"{'severity':<8} at fault {_row(head, widths)} first seen", "faint"))
    for cause, row in zip(causes, rows, strict=True):
        facts = f" {cause.subject or '':<8} {_row(row, widths)} {place(cause.first)}"
        yield indented(((f"{SEVERITY_WORDS[cause.severity]:<8}", cause.severity), (facts, "")))
        yield from sentences(cause.message, indent=4)


def _row(cells: Sequence[str], widths: Sequence[int]) -> str:
    """The rule to the left of its column, numbers to the right."""
    rule, findings, sessions = cells
    return f"{rule:<{widths[0]}} {findings:>{widths[1]}} {sessions:>{widths[2]}}"


def _worst(sessions: Sequence[SessionSummary], bad: int) -> Iterator[Line]:
    shown = f"the worst {len(sessions)} of " if len(sessions) < bad else ""
    yield said(f"Sessions with findings: {shown}{bad:,}")
    names = [cut(session.key, LONGEST_KEY) for session in sessions]
    columns = max(map(width, names))
    several_files = len({session.file for session in sessions}) > 1
    for name, session in zip(names, sessions, strict=True):
        facts = " · ".join(_facts(session, name_file=several_files))
        yield indented(said(f"{padded(name, columns)}  {facts}"))


def _facts(session: SessionSummary, *, name_file: bool) -> Iterator[str]:
    numbers = [counted(session.errors, "error"), counted(session.warnings, "warning")]
    yield f"{', '.join(numbers)} in {counted(session.messages, 'message')}"
    yield session.revision
    if name_file:
        yield session.file
    if session.partial:
        yield "checked only in part"
