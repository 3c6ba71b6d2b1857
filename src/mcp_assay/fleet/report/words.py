"""The words in which every form of the report on a fleet speaks to people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from mcp_assay.fleet.report.form import (
    FleetCause,
    FleetChanges,
    FleetReport,
    FleetRow,
    FleetVerdict,
    UnassessedKind,
)
from mcp_assay.report.footer import SEVERITY_WORDS
from mcp_assay.report.tool_table import STATUS_WORDS, WORST_FIRST
from mcp_assay.text.lines import Style, counted

VERDICT_WORDS: Final[Mapping[FleetVerdict, str]] = {
    "pass": "passed",
    "fail": "failed",
    "incomplete": "incomplete",
    "not_assessed": "not assessed",
}
ROW_WORDS: Final[Mapping[FleetVerdict, str]] = {
    "pass": "PASS",
    "fail": "FAIL",
    "incomplete": "INCOMPLETE",
    "not_assessed": "NOT ASSESSED",
}
VERDICT_STYLES: Final[Mapping[FleetVerdict, Style]] = {
    "pass": "pass",
    "fail": "fail",
    "incomplete": "warning",
    "not_assessed": "warning",
}
UNCALLED: Final = "NOT CALLED"
"""In place of a pass where tools are listed and none was called."""
REASON_WORDS: Final[Mapping[UnassessedKind, str]] = {
    "wrong_entry": "wrong entry in the fleet's file",
    "not_prepared": "package could not be installed",
    "needs_build": "package must be built",
    "needs_image": "needs a container image",
    "no_sandbox": "no sandbox on the worker",
    "no_value": "variable or header without a value on the worker",
    "refused_address": "address refused",
    "over_time": "over the time limit of a job",
    "over_memory": "over the memory limit of a job",
    "over_disk": "over the disk limit of a job",
    "over_processes": "over the process limit of a job",
    "worker_lost": "its worker died",
    "engine_lost": "the cluster was lost",
    "failed": "mcp-assay failed",
    "not_recorded": "could not be recorded in the history",
    "interrupted": "interrupted before it was done",
    "not_reached": "server could not be started or reached",
    "run_incomplete": "the run on it is incomplete",
}
MINUTE, HOUR = 60, 3600


def duration(seconds: float) -> str:
    """A time as people say it."""
    whole = max(round(seconds), 0)
    if whole < MINUTE:
        return f"{whole} s"
    if whole < HOUR:
        return f"{whole // MINUTE} min {whole % MINUTE:02} s"
    return f"{whole // HOUR:,} h {whole % HOUR // MINUTE:02} min"


def verdict_word(row: FleetRow) -> str:
    """The verdict on a server; where none of its tools was called, that is no pass."""
    is_silent = row.verdict == "pass" and row.tools_listed and not row.tools_called
    return UNCALLED if is_silent else ROW_WORDS[row.verdict]


def is_seen(row: FleetRow) -> bool:
    """Whether anything was seen of the server, so that its numbers say something."""
    return row.verdict != "not_assessed" and row.reason_kind != "not_reached"


def tally(rows: Iterable[FleetRow]) -> str:
    """How many rows have each verdict."""
    return _verdicts(Counter(row.verdict for row in rows))


def verdicts(report: FleetReport) -> str:
    """How many servers have each verdict."""
    return _verdicts(report.totals.verdicts)


def _verdicts(numbers: Mapping[FleetVerdict, int]) -> str:
    shown = [f"{numbers[key]:,} {word}" for key, word in VERDICT_WORDS.items() if numbers[key]]
    return ", ".join(shown) or "none"


def filtered_out(report: FleetReport) -> str:
    """How many entries of the file the filters do not want, behind its name."""
    number = report.totals.left_out
    return f" · {number:,} {'entry' if number == 1 else 'entries'} filtered out" if number else ""


def numbers(report: FleetReport) -> Iterator[str]:
    """The numbers of all servers together, in a few words each."""
    its = report.totals
    notes = f", {counted(its.infos, 'note')}" if its.infos else ""
    yield f"{counted(its.errors, 'error')}, {counted(its.warnings, 'warning')}{notes}"
    listed = counted(its.tools_listed, "tool")
    yield f"{its.tools_called:,} of {listed} called, {its.tools_succeeded:,} succeeded"
    if its.calls:
        yield counted(its.calls, "call")


def statuses(report: FleetReport) -> str:
    """How many tools have each status."""
    its = report.totals.tools
    shown = (f"{its[key]:,} {STATUS_WORDS[key]}" for key in reversed(WORST_FIRST) if its[key])
    return ", ".join(shown)


def sizes(report: FleetReport) -> str:
    """What all definitions together take."""
    its = report.totals
    return f"{its.surface_bytes:,} bytes of definitions, about {its.tokens_estimated:,} tokens"


def times(report: FleetReport) -> str:
    """How long it took, and what the same work takes one after the other."""
    its = report.timing
    alone = f"single runs {duration(its.assessed_seconds)}, preparing"
    return f"{duration(its.seconds)}; {alone} {duration(its.prepared_seconds)}"


def how(report: FleetReport) -> str:
    """Who did the work, and what of it was done before or more than once."""
    its = report.timing
    workers = counted(its.workers, "worker") if its.workers else ""
    parts = (
        f"{workers} ({its.engine})" if workers and its.engine else workers or its.engine or "",
        f"{its.resumed:,} resumed" if its.resumed else "",
        f"{its.tried_again:,} tried again" if its.tried_again else "",
        f"started {its.started}",
    )
    return ", ".join(part for part in parts if part)


def origin(row: FleetRow) -> str:
    """Where a server comes from, with its version."""
    parts = (row.package or row.host or (row.kind or ""), row.version or "")
    return " ".join(part for part in parts if part)


def note(row: FleetRow) -> str:
    """Why a server has no full verdict, or what makes it worse; nothing of others."""
    if row.reason_kind:
        words = REASON_WORDS[row.reason_kind]
        return f"{words}: {row.reason}" if row.reason else words
    if row.change and row.change.move == "worse":
        return f"since the last run: {'; '.join(row.change.why)}"
    return ""


def move_word(row: FleetRow) -> str:
    """How a server differs from the last run, in a word; nothing where it is the same."""
    return "" if row.change is None or row.change.move == "same" else row.change.move


def cause_word(cause: FleetCause) -> str:
    """A cause in the words of a column."""
    return f"{cause.rule} {cause.name}" + (f" ({cause.library})" if cause.library else "")


def severity_word(cause: FleetCause) -> str:
    """Its severity as people read it."""
    return SEVERITY_WORDS[cause.severity]


def named(names: Sequence[str], of: int) -> str:
    """Some names, and how many more there are."""
    more = of - len(names)
    return ", ".join(names) + (f" and {more:,} more" if more > 0 else "")


def standing(changes: FleetChanges, most: int) -> Iterator[tuple[str, str]]:
    """What became of the servers since the last run, the worst first: how many, and which."""
    kinds = (
        ("worse", changes.worse),
        ("better", changes.better),
        ("changed", changes.changed),
        ("new", changes.new),
        ("gone", changes.gone),
    )
    for word, some in kinds:
        if some.servers:
            yield f"{some.servers:,} {word}", named(some.names[:most], some.servers)
    if changes.unknown:
        yield f"{changes.unknown:,} unknown", "the last run said nothing of them"
    yield f"{changes.same:,} the same", ""
    if changes.versions_changed:
        moved = [f"{one.name} {one.old} → {one.new}" for one in changes.versions[:most]]
        yield "versions", named(moved, changes.versions_changed)
    yield "findings", f"{changes.new_findings:,} new, {changes.fixed_findings:,} fixed"
