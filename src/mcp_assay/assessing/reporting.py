"""A dossier -> the report on a server."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import msgspec
from msgspec.structs import replace

import mcp_assay
from mcp_assay.assessing.commands import shown_url, shown_words
from mcp_assay.assessing.dossier import Dossier
from mcp_assay.assessing.offers import offers
from mcp_assay.assessing.shortcomings import shortcoming, why_not_called
from mcp_assay.assessing.unseen import is_beyond_messages, rules_for_servers, unseen
from mcp_assay.drive.keeping import LONGEST_SHOWN
from mcp_assay.drive.target import Command
from mcp_assay.judge.reached import Coverage, coverage_of
from mcp_assay.judge.status import judge_tool
from mcp_assay.model.call import Call, Trial
from mcp_assay.model.finding import Finding
from mcp_assay.model.report import (
    Report,
    ReportSubject,
    RunOutcome,
    Summary,
    Timing,
    ToolVersion,
)
from mcp_assay.model.verdict import JudgedCall, ToolVerdict
from mcp_assay.report.checks import Scope, checks
from mcp_assay.rules.clients import CLIENTS
from mcp_assay.rules.definitions.size import measure
from mcp_assay.transport.redaction import CUT, Redactor


def report_on(dossier: Dossier, timing: Timing) -> Report:
    """What was found out up to now."""
    size, tally = measure(dossier.surface), dossier.tally
    tools = [_tool(dossier, tool["name"]) for tool in dossier.tools()]
    clean = dossier.redactor.lines
    return Report(
        tool=ToolVersion(name="mcp-assay", version=mcp_assay.__version__),
        subject=replace(_subject(dossier), surface_sha256=size.sha256),
        revision=dossier.revision,
        revisions_offered=dossier.offered,
        options=clean(dossier.options.shown()),
        seed=dossier.options.seed,
        consent=clean(dossier.consent),
        summary=_summary(dossier, tools),
        findings=[_with_clients(finding) for finding in tally.kept],
        checks=list(checks(rules_for_servers(), _scope(dossier), tally)),
        causes=tally.causes(),
        tools=clean(tools),
        resources=clean(offers(dossier, "resources")),
        templates=clean(offers(dossier, "templates")),
        prompts=clean(offers(dossier, "prompts")),
        surface=clean(msgspec.to_builtins(size)),
        calls=clean([_call(dossier, call) for call in _all_calls(dossier)]),
        limits=[*dossier.limits, *tally.limits()],
        timing=_with_messages(dossier, timing),
    )


def _with_messages(dossier: Dossier, timing: Timing) -> Timing:
    if dossier.connection is None:
        return timing
    timeline = dossier.connection.overheard.timeline
    clean = dossier.redactor.lines
    messages = [replace(one, what=clean(one.what), id=clean(one.id)) for one in timeline.messages()]
    return replace(timing, messages=messages, messages_left_out=timeline.left_out)


def _with_clients(finding: Finding) -> Finding:
    """The finding with what clients do about it, where that is known."""
    if finding.rule not in CLIENTS:
        return finding
    return replace(finding, details={**(finding.details or {}), "clients": CLIENTS[finding.rule]})


def _subject(dossier: Dossier) -> ReportSubject:
    clean = dossier.redactor.lines
    named = ReportSubject(kind="server", server_info=clean(dossier.server_info))
    if isinstance(dossier.target, Command):
        return replace(named, command=clean(shown_words(dossier.target.command)))
    return replace(named, url=clean(shown_url(dossier.target.url)))


def _summary(dossier: Dossier, tools: list[dict[str, Any]]) -> Summary:
    counted, connection = dossier.tally.severities, dossier.connection
    return Summary(
        outcome=_outcome(dossier),
        errors=counted["error"],
        warnings=counted["warning"],
        infos=counted["info"],
        messages=connection.overheard.messages if connection else 0,
        sessions=connection.starts if connection else 0,
        confidence=_mean(tools),
        tools_listed=len(dossier.surface.tools),
        tools_called=sum(bool(trial.calls) for trial in dossier.trials.values()),
        tools_succeeded=sum(tool["succeeded"] > 0 for tool in tools),
        reason=shortcoming(dossier),
    )


def _outcome(dossier: Dossier) -> RunOutcome:
    if dossier.is_incomplete:
        return "incomplete"
    if dossier.has_too_few:
        return "fail"
    counted = dossier.tally.severities
    fatal = counted["error"] + (counted["warning"] if dossier.options.fail_on == "warning" else 0)
    return "fail" if fatal else "pass"


def _scope(dossier: Dossier) -> Scope:
    decided = set(dossier.decided)
    if dossier.connection is not None:
        ledger = dossier.connection.overheard.ledger
        decided |= ledger.decided() | ledger.session_rules
    open_rules = {rule.rule: rule for rule in unseen(dossier)}
    decided -= {rule.rule for rule in open_rules.values() if is_beyond_messages(rule)}
    return Scope(
        revisions=[dossier.revision] if dossier.revision else [],
        decided=decided,
        wanted=dossier.wanted,
        messages=1,
        duplicates=True,
        session_rules=decided,
        outcomes={**open_rules, **dossier.open},
        left_open=Counter(),
    )


def _tool(dossier: Dossier, name: str) -> dict[str, Any]:
    trial = dossier.trials.get(name)
    verdict = _status(trial, why_not_called(dossier, name))
    told: dict[str, Any] = msgspec.to_builtins(verdict)
    scenarios = [
        {"name": call.scenario.name, "outcome": call.verdict.outcome} for call in _calls(trial)
    ]
    return {
        "name": name,
        **told,
        "scenarios": scenarios,
        "coverage": _coverage(trial),
        "hints": dict(sorted(dossier.hints.get(name, {}).items())),
    }


def _status(trial: Trial | None, not_called: str) -> ToolVerdict:
    calls = [
        JudgedCall(
            valid_arguments=bool(call.scenario.valid),
            ending=call.answer.ending,
            result=call.result,
            error_code=call.answer.error.get("code") if call.answer.error else None,
        )
        for call in _calls(trial)
        if call.scenario.valid is not None
    ]
    return judge_tool(calls, not_called)


def _calls(trial: Trial | None) -> list[Call]:
    return trial.calls if trial else []


def _coverage(trial: Trial | None) -> dict[str, Any]:
    told: dict[str, Any] = msgspec.to_builtins(coverage_of(trial) if trial else Coverage())
    return told


def _all_calls(dossier: Dossier) -> list[Call]:
    tried = [call for trial in dossier.trials.values() for call in trial.calls]
    return [*tried, *dossier.compared]


def _call(dossier: Dossier, call: Call) -> dict[str, Any]:
    return {
        "number": call.number,
        "tool": call.scenario.tool,
        "scenario": call.scenario.name,
        "arguments": call.scenario.arguments,
        "valid": call.scenario.valid,
        "outcome": call.verdict.outcome,
        "trouble": call.verdict.trouble,
        "ending": call.answer.ending,
        "answer": shown_answer(call.answer.text, dossier.redactor),
    }


def shown_answer(text: bytes, redactor: Redactor) -> str | None:
    """An answer as it came, without secrets, cut where it is long; None where there was none."""
    if redacted := redactor.message(text):
        return json.dumps(redacted[0], ensure_ascii=False)
    shown = text.decode(errors="backslashreplace")
    return f"{shown}{CUT}" if len(text) >= LONGEST_SHOWN else shown or None


def _mean(tools: list[dict[str, Any]]) -> float | None:
    known = [tool["confidence"] for tool in tools if tool["confidence"] is not None]
    return round(sum(known) / len(known), 1) if known else None
