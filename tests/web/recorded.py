"""The runs of the servers that the pages are tried with."""

from __future__ import annotations

from typing import Any, Final

from msgspec.structs import replace

from mcp_assay.history.identity import ServerDetails, named
from mcp_assay.history.recorder import new_run, record
from mcp_assay.history.store import Store
from mcp_assay.model.finding import Finding
from mcp_assay.model.report import Report, Summary
from mcp_assay.model.tool import CallRow
from tests.drift.small_reports import finding
from tests.history.runs import a_report, at_day
from tests.report.reports import report as any_report

DEMO, NOTES, HOSTILE = 1, 2, 3
"""The numbers of the servers, in the order in which they are recorded."""
DAYS: Final = 14
"""The runs of NOTES, one a day."""
BROKEN: Final = range(5, 9)
"""The days on which one of its tools is broken."""
MARKUP: Final = (
    '</script></style><script>alert(1)</script><img src=x onerror="alert(2)"><!-- ]]> {{ 7*7 }} '
    "{% raw %} <svg onload=alert(3)> javascript:alert(4) \u2028\u202e\x1b[31m ' \" & &lt;b&gt;"
)
"""What a hostile server says wherever it has a say."""


def record_runs(store: Store) -> None:
    """Record the runs of NOTES and of HOSTILE, behind that of DEMO."""
    for day in range(DAYS):
        record(store, new_run(named("notes"), _notes_at(day)))
    about = ServerDetails(command=["python", MARKUP], root=MARKUP)
    for day in range(2):
        record(store, new_run(named(MARKUP, about), hostile_report(day)))


def hostile_report(day: int) -> Report:
    """A report on a server that writes markup into every field."""
    its = any_report(MARKUP)
    call = CallRow(
        number=1, tool=MARKUP, scenario=MARKUP, arguments={MARKUP: MARKUP}, valid=True,
        outcome="failed", trouble=MARKUP, answer=MARKUP, sign=MARKUP,
    )  # fmt: skip
    summary = replace(its.summary, reason=MARKUP, outcome="incomplete")
    timing = replace(its.timing, started=at_day(day))
    return replace(its, calls=[call], summary=summary, timing=timing, revision=MARKUP)


def _notes_at(day: int) -> Report:
    """What is found of NOTES on a day: a tool breaks, its definition changes, and it is mended."""
    is_broken = day in BROKEN
    tools = {
        "find_notes": "broken" if is_broken else "fully_working",
        "add_note": "not_called",
        "list_notes": "partially_working" if day == BROKEN.stop else "fully_working",
    }
    found: list[Finding] = [finding(tool="add_note", severity="warning", key=1)]
    if is_broken:
        found += [finding(tool="find_notes", key=key) for key in (2, 3)]
    version = "1.0.0" if day < BROKEN.start else "1.1.0" if is_broken else "1.1.1"
    its = a_report(*found, day=day, tools=tools)
    subject = replace(its.subject, server_info={"name": "notes", "version": version})
    return replace(its, subject=subject, summary=_summary(its.summary, is_broken=is_broken))


def _summary(of: Summary, *, is_broken: bool) -> Summary:
    more: dict[str, Any] = {"tools_listed": 3, "tools_called": 2, "confidence": 90.0}
    return replace(
        of, outcome="fail" if is_broken else "pass", score=60 if is_broken else 95, **more
    )
