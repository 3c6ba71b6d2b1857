"""What the history answers -> a page of tables, which any writer can show."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct, field

from mcp_assay.history.answers import (
    HistoryFindings,
    HistoryList,
    KnownFinding,
    KnownServer,
    PastRun,
    ServerHistory,
    ToolHistory,
)
from mcp_assay.history.plot import LEGEND, bars, outcomes_plot, statuses_plot
from mcp_assay.report.footer import SEVERITY_WORDS
from mcp_assay.report.tool_table import STATUS_WORDS
from mcp_assay.text.lines import counted

VERDICTS: Final = {"pass": "PASS", "fail": "FAIL", "incomplete": "INCOMPLETE"}
NO_RUN: Final = "no run"
SHOWN_OF_HASH: Final = 12
NOTHING_RECORDED: Final = (
    "Nothing is recorded yet: mcp-assay assess --history -- COMMAND records a run."
)


class PageTable(Struct, frozen=True, kw_only=True):
    """Rows under a title; of a table without rows only what is said instead is shown."""

    title: str
    columns: tuple[str, ...] = ()
    rows: Sequence[tuple[str, ...]] = ()
    otherwise: str = ""
    note: str = ""


class HistoryPage(Struct, frozen=True, kw_only=True):
    """A heading, facts about it, and tables."""

    title: str
    facts: list[tuple[str, str]] = field(default_factory=list)
    tables: list[PageTable] = field(default_factory=list)


def list_page(answer: HistoryList) -> HistoryPage:
    """All servers."""
    rows = [_server_row(one) for one in answer.servers]
    columns = ("id", "server", "verdict", "errors", "warnings", "last run", "runs", "trend")
    table = PageTable(title="", columns=columns, rows=rows, otherwise=NOTHING_RECORDED)
    return HistoryPage(title=counted(len(rows), "server"), tables=[table])


def _server_row(one: KnownServer) -> tuple[str, ...]:
    last, trend = one.last, outcomes_plot(one.trend.outcomes)
    if last is None:
        return (str(one.id), one.name, NO_RUN, "", "", "", f"{one.runs:,}", "")
    return (
        str(one.id),
        one.name,
        VERDICTS[last.outcome],
        f"{last.errors:,}",
        f"{last.warnings:,}",
        _day(last.at),
        f"{one.runs:,}",
        trend,
    )


def server_page(answer: ServerHistory) -> HistoryPage:
    """One server."""
    server, runs = answer.server, list(reversed(answer.runs))
    facts = [("server", f"{server.name} (id {server.id})"), *_about(server)]
    facts += [("approved", _approved(answer))]
    facts += _plots(
        ("errors", [run.errors for run in runs]),
        ("warnings", [run.warnings for run in runs]),
        ("confidence", [run.confidence for run in runs]),
        ("median ms", [run.median_ms for run in runs]),
        ("95 % ms", [run.p95_ms for run in runs]),
    )
    return HistoryPage(
        title=f"{server.name}: {_verdict(server)}, {counted(server.runs, 'run')}",
        facts=facts,
        tables=[
            _runs_table(answer.runs),
            _tools_table(answer),
            _findings_table("Open findings", answer.findings, "No finding is open."),
        ],
    )


def _verdict(server: KnownServer) -> str:
    return VERDICTS[server.last.outcome] if server.last else NO_RUN


def _about(server: KnownServer) -> Iterable[tuple[str, str]]:
    known = (
        ("command", " ".join(server.command or ())),
        ("url", server.url or ""),
        ("files", ", ".join(server.files or ())),
        ("project", server.root or ""),
    )
    return ((name, value) for name, value in known if value)


def _approved(answer: ServerHistory) -> str:
    latest = answer.approvals[0] if answer.approvals else None
    if latest is None:
        return "nothing"
    if latest.revoked_at is not None:
        revoked = _deed(latest.revoked_by or "", latest.revoked_at, latest.revoked_why or "")
        return f"nothing; that of run {latest.run} was revoked {revoked}"
    differs = "" if answer.surface_approved else "; the definitions differ from these now"
    surface = f" (surface {latest.surface[:SHOWN_OF_HASH]})" if latest.surface else ""
    return f"run {latest.run}{surface} {_deed(latest.who, latest.at, latest.why)}{differs}"


def _deed(who: str, at: str, why: str) -> str:
    return f"by {who} at {at}{f': {why}' if why else ''}"


def _runs_table(runs: Sequence[PastRun]) -> PageTable:
    columns = ("run", "at", "command", "verdict", "errors", "warnings", "version", "tools")
    rows = [
        (
            str(run.run),
            _minute(run.at),
            run.command,
            VERDICTS[run.outcome],
            f"{run.errors:,}",
            f"{run.warnings:,}",
            run.version or "",
            _tools(run),
        )
        for run in runs
    ]
    return PageTable(title="Runs", columns=columns, rows=rows, otherwise="No run is kept.")


def _tools(run: PastRun) -> str:
    known = ((STATUS_WORDS.get(name, name), number) for name, number in run.tools.items())
    return ", ".join(f"{number} {word}" for word, number in known)


def _tools_table(answer: ServerHistory) -> PageTable:
    rows = [
        (
            tool.name,
            _status(tool.statuses[-1]),
            statuses_plot(tool.statuses),
            _number(tool.confidences[-1]),
            _number(tool.median_ms[-1]),
            _number(tool.p95_ms[-1]),
        )
        for tool in answer.tools
    ]
    columns = ("tool", "verdict", "trend", "confidence", "median ms", "95 % ms")
    return PageTable(
        title="Tools", columns=columns, rows=rows, otherwise="No tool is known.", note=LEGEND
    )


def tool_page(answer: ToolHistory) -> HistoryPage:
    """One tool."""
    runs = list(reversed(answer.runs))
    facts = [
        ("server", f"{answer.server} (id {answer.server_id})"),
        ("verdicts", statuses_plot([run.status for run in runs])),
    ]
    facts += _plots(
        ("confidence", [run.confidence for run in runs]),
        ("median ms", [run.median_ms for run in runs]),
        ("95 % ms", [run.p95_ms for run in runs]),
    )
    found = _findings_table("Open findings", answer.findings, "No finding is open.")
    status = _status(answer.runs[0].status) if answer.runs else "not listed lately"
    tables = [_changes_table(answer), _tool_runs_table(answer), found]
    return HistoryPage(title=f"{answer.tool}: {status}", facts=facts, tables=tables)


def _changes_table(answer: ToolHistory) -> PageTable:
    rows = [
        (
            str(it.run),
            _minute(it.at),
            _status(it.before),
            _status(it.now),
            ", ".join(it.also) or "nothing",
        )
        for it in answer.changes
    ]
    return PageTable(
        title="When it changed",
        columns=("run", "at", "before", "now", "what else changed in that run"),
        rows=rows,
        otherwise="Its verdict did not change in these runs.",
    )


def _tool_runs_table(answer: ToolHistory) -> PageTable:
    rows = [
        (
            str(it.run),
            _minute(it.at),
            _status(it.status),
            _number(it.confidence),
            f"{it.called:,}",
            f"{it.succeeded:,}",
            _number(it.median_ms),
            it.effects or "",
        )
        for it in answer.runs
    ]
    columns = ("run", "at", "verdict", "confidence", "calls", "succeeded", "median ms", "effects")
    otherwise = "None of the latest runs has listed it."
    return PageTable(title="Runs", columns=columns, rows=rows, otherwise=otherwise)


def _plots(*measures: tuple[str, Sequence[float | None]]) -> Iterable[tuple[str, str]]:
    """Each measure over the runs, where anything was measured."""
    for name, numbers in measures:
        if plot := bars(numbers):
            yield name, f"{plot}  {_ends(numbers)}"


def findings_page(answer: HistoryFindings) -> HistoryPage:
    """Findings by what became of them."""
    day = _day(answer.since)
    tables = [
        _findings_table(f"New since {day}", answer.new, "None.", with_server=True),
        _findings_table(f"Fixed since {day}", answer.fixed, "None.", with_server=True),
        _findings_table("Oldest that are not fixed", answer.oldest, "None.", with_server=True),
        _findings_table("Came back after they were fixed", answer.flaky, "None.", with_server=True),
    ]
    note = "There are more; --limit N shows them." if answer.is_cut else ""
    facts = [("note", note)] if note else []
    new, fixed = _number_of(answer.new, answer), _number_of(answer.fixed, answer)
    return HistoryPage(title=f"{new} new, {fixed} fixed since {day}", facts=facts, tables=tables)


def _number_of(found: Sequence[KnownFinding], answer: HistoryFindings) -> str:
    """How many there are; of those that are cut, at least so many."""
    is_cut = answer.is_cut and len(found) >= answer.limit
    return f"{len(found):,}{' or more' if is_cut else ''}"


def _findings_table(
    title: str, findings: Sequence[KnownFinding], otherwise: str, *, with_server: bool = False
) -> PageTable:
    columns: tuple[str, ...] = (
        *("severity", "rule", "tool", "first seen", "last seen", "runs", "came", "message"),
    )
    rows: list[tuple[str, ...]] = [
        (
            SEVERITY_WORDS[it.severity],
            it.rule,
            it.tool or "",
            _day(it.first_at),
            _day(it.last_at),
            f"{it.runs:,}",
            f"{it.comings:,}",
            it.message,
        )
        for it in findings
    ]
    if with_server:
        columns = ("server", *columns)
        rows = [(it.server, *row) for it, row in zip(findings, rows, strict=True)]
    return PageTable(title=title, columns=columns, rows=rows, otherwise=otherwise)


def _status(status: str | None) -> str:
    return STATUS_WORDS.get(status or "", status or "not listed")


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:,.3g}" if value < 100 else f"{value:,.0f}"


def _ends(numbers: Sequence[float | None]) -> str:
    """The first, the highest and the last of some numbers."""
    known = [one for one in numbers if one is not None]
    return f"{_number(known[0])} → {_number(known[-1])}, at most {_number(max(known))}"


def _minute(at: str) -> str:
    return at[:16].replace("T", " ")


def _day(at: str) -> str:
    return at[:10]
