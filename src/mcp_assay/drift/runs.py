"""Two reports -> in what they were made differently: that may explain what differs in them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from mcp_assay.drift.comparison import Side
from mcp_assay.drift.decided import option
from mcp_assay.model.report import Report

NAMED: Final = (
    *("revision", "calls", "allow", "deny", "seed", "max_calls", "timeout", "max_time", "only"),
    *("args", "dry_run", "select", "ignore", "max_findings", "profile", "direction", "dialect"),
    *("partial", "map", "sandbox", "sandbox_allow", "sandbox_show", "world"),
)
"""Options that decide what can be found, and whose values can be reported."""
TABLES: Final = {"examples": "the examples", "answers": "the answers to what the server asks"}
LONGEST_OPTION: Final = 60
TURNED: Final = {"shrink": "--no-shrink", "duplicates": "--fast"}
"""Options that are kept as the opposite of what is typed."""


def side(report: Report, file: str | None) -> Side:
    """What a report is about, and how it was made."""
    return Side(
        file=file,
        command=report.command,
        version=report.tool.version,
        server=server_of(report),
        revision=report.revision,
        seed=report.seed,
        outcome=report.summary.outcome,
        reason=report.summary.reason,
        started=report.timing.started,
        surface_sha256=None if report.revision is None else report.subject.surface_sha256,
    )


def server_of(report: Report) -> str | None:
    """What the server of a report calls itself."""
    info = report.subject.server_info or {}
    words = [str(info[key]) for key in ("name", "version") if info.get(key)]
    return " ".join(words) or None


def differences_between(old: Report, new: Report) -> list[str]:
    """In what the two reports were made differently, and what they do not show, in sentences."""
    return [*_subjects(old, new), *_makers(old, new), *_options(old, new), *_gaps(old, new)]


def _subjects(old: Report, new: Report) -> Iterator[str]:
    before, now = old.command, new.command
    if before != now:
        yield f"OLD is a report of {before}, NEW one of {now}: they do not check the same things."
    names = [_name(report) for report in (old, new)]
    if names[0] != names[1]:
        yield f"OLD is about {names[0]}, NEW about {names[1]}: these may be different servers."


def _name(report: Report) -> str:
    """What is the same in reports on one server, whatever its version."""
    name = (report.subject.server_info or {}).get("name")
    if isinstance(name, str) and name:
        return _short(name)
    return {"server": "an unnamed server"}.get(report.subject.kind, report.subject.kind)


def _makers(old: Report, new: Report) -> Iterator[str]:
    if old.tool.version != new.tool.version:
        words = f"mcp-assay {_short(old.tool.version)} and {_short(new.tool.version)}"
        yield f"They were made by {words}, which may have different rules."
    if old.revision != new.revision:
        yield f"MCP revision: {_said(old.revision)} → {_said(new.revision)}."


def _options(old: Report, new: Report) -> Iterator[str]:
    if old.command != new.command:
        return
    for name in NAMED:
        before, now = option(name, old), option(name, new)
        if before != now and not (name == "allow" and _all_is_allowed(old, new)):
            yield f"--{name.replace('_', '-')}: {_said(before)} → {_said(now)}."
    for name, typed in TURNED.items():
        if option(name, old) != option(name, new):
            yield f"Only {'NEW' if option(name, old) else 'OLD'} was made with {typed}."
    for name, words in TABLES.items():
        if option(name, old) != option(name, new):
            yield f"{words[0].upper()}{words[1:]} differ."
    if _allowed(old) != _allowed(new):
        before, now = _said(_allowed(old)), _said(_allowed(new))
        yield f"Tools allowed at the prompt: {before} → {now}."


def _all_is_allowed(*runs: Report) -> bool:
    """Whether both were made in worlds without a network, where no tool needs --allow."""
    return all(
        option("sandbox", run)
        and option("calls", run) == "all"
        and not option("sandbox_allow", run)
        for run in runs
    )


def _allowed(report: Report) -> list[str]:
    allowed = (report.consent or {}).get("allowed")
    return sorted(map(str, allowed)) if isinstance(allowed, list) else []


def _gaps(old: Report, new: Report) -> Iterator[str]:
    for name, report in (("OLD", old), ("NEW", new)):
        if report.summary.outcome == "incomplete":
            reason = (report.summary.reason or "").strip().split("\n")[0]
            yield f"{name} is incomplete{f': {reason}' if reason else '.'}"
        for limit in report.limits:
            if limit.name == "max-findings":
                yield f"{name} does not include all findings: it stopped at {limit.value:,}."


def _said(value: Any) -> str:
    if isinstance(value, list | tuple):
        return _short(", ".join(map(str, value))) or "none"
    if value is True:
        return "on"
    return "not set" if value is None else _short(str(value))


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_OPTION else f"{text[: LONGEST_OPTION - 2]} …"
