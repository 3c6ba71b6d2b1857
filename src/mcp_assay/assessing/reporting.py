"""A dossier -> the report on a server."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

import msgspec
from msgspec.structs import replace

import mcp_assay
from mcp_assay.assessing.dossier import Dossier
from mcp_assay.drive.gate import Permission
from mcp_assay.drive.target import Command
from mcp_assay.intake.profiles import KNOWN_RULES
from mcp_assay.judge.status import judge_tool
from mcp_assay.model.call import Call, Trial
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
from mcp_assay.rules.definitions.size import measure

NOT_ASKED: Final = "no probe asks for it"
NOT_CALLED: Final = "no tool was called"
NOT_LET_IN: Final = "there was no conversation"
NOT_REACHED: Final = Permission(False, "the run ended before")


def report_on(dossier: Dossier, timing: Timing) -> Report:
    """What was found out up to now."""
    size, tally = measure(dossier.surface), dossier.tally
    tools = [_tool(dossier, tool["name"]) for tool in dossier.tools()]
    return Report(
        tool=ToolVersion(name="mcp-assay", version=mcp_assay.__version__),
        subject=replace(_subject(dossier), surface_sha256=size.sha256),
        revision=dossier.revision,
        revisions_offered=dossier.offered,
        options=msgspec.to_builtins(dossier.options),
        seed=dossier.options.seed,
        consent=dossier.consent,
        summary=_summary(dossier, tools),
        findings=tally.kept,
        checks=list(checks(KNOWN_RULES.values(), _scope(dossier), tally)),
        causes=tally.causes(),
        tools=tools,
        surface=msgspec.to_builtins(size),
        calls=[_call(call) for trial in dossier.trials.values() for call in trial.calls],
        limits=[*dossier.limits, *tally.limits()],
        timing=timing,
    )


def _subject(dossier: Dossier) -> ReportSubject:
    named = ReportSubject(kind="server", server_info=dossier.server_info)
    if isinstance(dossier.target, Command):
        return replace(named, command=list(dossier.target.command))
    return replace(named, url=dossier.target.url)


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
    )


def _outcome(dossier: Dossier) -> RunOutcome:
    if dossier.is_incomplete:
        return "incomplete"
    counted = dossier.tally.severities
    fatal = counted["error"] + (counted["warning"] if dossier.options.fail_on == "warning" else 0)
    return "fail" if fatal else "pass"


def _scope(dossier: Dossier) -> Scope:
    decided = set(dossier.decided)
    if dossier.connection is not None:
        ledger = dossier.connection.overheard.ledger
        decided |= ledger.decided() | ledger.session_rules
    reason = NOT_ASKED if dossier.trials else NOT_CALLED if dossier.revision else NOT_LET_IN
    return Scope(
        revisions=[dossier.revision] if dossier.revision else [],
        decided=decided,
        wanted=dossier.wanted,
        messages=1,
        duplicates=True,
        session_rules=decided,
        outcomes=dossier.open,
        left_open=Counter((entry, reason) for entry in KNOWN_RULES if entry not in decided),
    )


def _tool(dossier: Dossier, name: str) -> dict[str, Any]:
    trial = dossier.trials.get(name)
    permission = dossier.permissions.get(name, NOT_REACHED)
    verdict = _status(trial, NOT_REACHED if permission.allowed else permission)
    told: dict[str, Any] = msgspec.to_builtins(verdict)
    scenarios = [
        {"name": call.scenario.name, "outcome": call.verdict.outcome} for call in _calls(trial)
    ]
    return {"name": name, **told, "scenarios": scenarios, "coverage": _coverage(trial)}


def _status(trial: Trial | None, permission: Permission) -> ToolVerdict:
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
    return judge_tool(calls, permission.reason)


def _calls(trial: Trial | None) -> list[Call]:
    return trial.calls if trial else []


def _coverage(trial: Trial | None) -> dict[str, Any]:
    """What the calls of a tool reached, and what they did not."""
    calls = _calls(trial)
    return {
        "valid_calls": sum(bool(call.scenario.valid) for call in calls),
        "invalid_calls": sum(call.scenario.valid is False for call in calls),
        "not_reached": trial.gaps if trial else [],
    }


def _call(call: Call) -> dict[str, Any]:
    return {
        "number": call.number,
        "tool": call.scenario.tool,
        "scenario": call.scenario.name,
        "arguments": call.scenario.arguments,
        "valid": call.scenario.valid,
        "outcome": call.verdict.outcome,
        "trouble": call.verdict.trouble,
    }


def _mean(tools: list[dict[str, Any]]) -> float | None:
    known = [tool["confidence"] for tool in tools if tool["confidence"] is not None]
    return round(sum(known) / len(known), 1) if known else None
