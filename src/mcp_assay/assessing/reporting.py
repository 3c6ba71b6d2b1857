"""A dossier -> the report on a server."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Any, Final

import msgspec
from msgspec.structs import replace

import mcp_assay
from mcp_assay.assessing.commands import naming_options
from mcp_assay.assessing.dossier import Dossier
from mcp_assay.assessing.offers import offers
from mcp_assay.assessing.shortcomings import shortcoming, why_not_called
from mcp_assay.assessing.telling import call_row
from mcp_assay.assessing.unseen import is_beyond_messages, rules_for_servers, unseen
from mcp_assay.drive.secrets import shown_url, shown_words
from mcp_assay.drive.target import Command
from mcp_assay.judge.reached import Coverage, coverage_of
from mcp_assay.judge.status import judge_tool
from mcp_assay.model.call import Call, Trial
from mcp_assay.model.report import (
    MAX_CALLS,
    Limit,
    Report,
    ReportSubject,
    RunOutcome,
    Summary,
    Timing,
    ToolVersion,
)
from mcp_assay.model.verdict import JudgedCall, ToolVerdict
from mcp_assay.report.checks import Scope, checks, told_elsewhere
from mcp_assay.rules.behaviour.coverage import OVER_BUDGET
from mcp_assay.rules.definitions.size import SurfaceSize, cuts, measure

LEFT_OUT: Final = "scenarios of tools beyond it were not tried"
UNDECIDED: Final = "no call could be decided: its inputSchema is too wild to check arguments by"


def report_on(dossier: Dossier, timing: Timing) -> Report:
    """What was found out up to now."""
    size, tally = measure(dossier.surface), dossier.tally
    trials = _by_tool(dossier.all_trials())
    tools = [_tool(dossier, tool["name"], trials[tool["name"]]) for tool in dossier.tools()]
    clean = dossier.redactor.lines
    return Report(
        tool=ToolVersion(name="mcp-assay", version=mcp_assay.__version__),
        subject=replace(_subject(dossier), surface_sha256=size.sha256),
        revision=dossier.revision,
        revisions_offered=dossier.offered,
        options=clean({**dossier.options.shown(), **naming_options(dossier.target)}),
        seed=dossier.options.seed,
        consent=clean(dossier.consent),
        summary=_summary(dossier, tools),
        findings=tally.kept,
        checks=list(checks(rules_for_servers(), _scope(dossier), tally)),
        causes=tally.causes(),
        tools=clean(tools),
        resources=clean(offers(dossier, "resources")),
        templates=clean(offers(dossier, "templates")),
        prompts=clean(offers(dossier, "prompts")),
        surface=clean(msgspec.to_builtins(size)),
        calls=clean([call_row(dossier, call) for call in _all_calls(dossier)]),
        limits=list(_limits(dossier, size)),
        timing=_with_messages(dossier, timing),
    )


def _limits(dossier: Dossier, size: SurfaceSize) -> Iterator[Limit]:
    """Every limit that cut something."""
    yield from dossier.limits
    yield from _budget(dossier)
    yield from cuts(dossier.surface, size)
    yield from dossier.tally.limits()


def _budget(dossier: Dossier) -> Iterator[Limit]:
    """The limit of --max-calls, where it left scenarios out."""
    trials = dossier.all_trials()
    cut = {trial.name for trial in trials if any(OVER_BUDGET in gap for gap in trial.gaps)}
    if cut:
        most = dossier.options.max_calls
        yield Limit(name=MAX_CALLS, value=most, count=len(cut), effect=LEFT_OUT)


def _with_messages(dossier: Dossier, timing: Timing) -> Timing:
    if dossier.connection is None:
        return timing
    timeline = dossier.connection.overheard.timeline
    clean = dossier.redactor.lines
    messages = [replace(one, what=clean(one.what), id=clean(one.id)) for one in timeline.messages()]
    return replace(timing, messages=messages, messages_left_out=timeline.left_out)


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
        tools_called=len({trial.name for trial in dossier.all_trials() if trial.calls}),
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
    open_rules = {rule.rule: rule for rule in unseen(dossier)}
    if dossier.connection is not None:
        overheard = dossier.connection.overheard
        decided |= overheard.ledger.decided() | overheard.ledger.session_rules
        decided -= overheard.unsaid.keys()
        open_rules |= told_elsewhere(overheard.unsaid)
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


def _by_tool(trials: Iterable[Trial]) -> defaultdict[str, list[Trial]]:
    """The trials of each tool, the one by its latest definition last."""
    found = defaultdict[str, list[Trial]](list)
    for trial in trials:
        found[trial.name].append(trial)
    return found


def _tool(dossier: Dossier, name: str, trials: list[Trial]) -> dict[str, Any]:
    calls = [call for trial in trials for call in trial.calls]
    verdict = _status(calls, why_not_called(dossier, name))
    told: dict[str, Any] = msgspec.to_builtins(verdict)
    scenarios = [{"name": call.scenario.name, "outcome": call.verdict.outcome} for call in calls]
    return {
        "name": name,
        **told,
        "scenarios": scenarios,
        "coverage": _coverage(trials),
        "hints": dict(sorted(dossier.hints.get(name, {}).items())),
    }


def _status(made: list[Call], not_called: str) -> ToolVerdict:
    """The status of a tool; calls that could not be decided are counted, and show nothing."""
    calls = [
        JudgedCall(
            valid_arguments=bool(call.scenario.valid),
            ending=call.answer.ending,
            result=call.result,
            error_code=call.answer.error.get("code") if call.answer.error else None,
        )
        for call in made
        if call.scenario.valid is not None
    ]
    if made and not calls:
        return ToolVerdict(status="unproven", reason=UNDECIDED, confidence=None, called=len(made))
    return replace(judge_tool(calls, not_called), called=len(made))


def _coverage(trials: list[Trial]) -> dict[str, Any]:
    """What was reached by the latest definition of a tool, and what earlier ones left out."""
    latest = coverage_of(trials[-1]) if trials else Coverage()
    missed = [gap for trial in trials[:-1] for gap in trial.gaps]
    not_reached = list(dict.fromkeys([*latest.not_reached, *missed]))
    told: dict[str, Any] = msgspec.to_builtins(replace(latest, not_reached=not_reached))
    return told


def _all_calls(dossier: Dossier) -> list[Call]:
    tried = [call for trial in dossier.all_trials() for call in trial.calls]
    return [*tried, *dossier.compared]


def _mean(tools: list[dict[str, Any]]) -> float | None:
    known = [tool["confidence"] for tool in tools if tool["confidence"] is not None]
    return round(sum(known) / len(known), 1) if known else None
