"""What an assessment found -> the report on a server."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import msgspec
from msgspec.structs import replace

import mcp_assay
from mcp_assay.assess.effects import sandbox_row, tool_effects, with_effects
from mcp_assay.assess.events import call_row
from mcp_assay.assess.reads import OfferKind, about, offered, why_not
from mcp_assay.assess.reproduction import naming_options
from mcp_assay.assess.state import AssessmentState
from mcp_assay.assess.tool_runs import status_of
from mcp_assay.assess.untested import (
    is_beyond_messages,
    rules_for_servers,
    shortcoming,
    unseen,
    why_not_called,
)
from mcp_assay.client.target import Command
from mcp_assay.client.target_secrets import shown_url, shown_words
from mcp_assay.findings.checks import Scope, checks, commonest_reasons, reported_elsewhere
from mcp_assay.findings.score import score_of
from mcp_assay.judge.coverage import coverage_of
from mcp_assay.model.call import Call, ToolRun
from mcp_assay.model.finding import Finding
from mcp_assay.model.outcome import RunOutcome, outcome_of
from mcp_assay.model.probe import OpenStep
from mcp_assay.model.report import (
    MAX_CALLS,
    Limit,
    Offer,
    OfferStatus,
    Report,
    ReportSubject,
    Summary,
    Timing,
    ToolVersion,
)
from mcp_assay.model.scenario import GapKind
from mcp_assay.model.surface import SurfaceSize
from mcp_assay.model.tool import Consent, Coverage, ScenarioRow, ToolRow
from mcp_assay.model.verdict import Evidence, ToolVerdict
from mcp_assay.report.untested import would_prove
from mcp_assay.rules.behaviour.libraries import (
    built_with,
    signs_of_answer,
    signs_of_tools,
    with_library,
)
from mcp_assay.rules.behaviour.obstacles import obstacle_of
from mcp_assay.rules.definition.size import cuts, measure
from mcp_assay.rules.engine.findings import to_finding
from mcp_assay.rules.probe.reads import ReadOutcome
from mcp_assay.text.secrets import holds_secret
from mcp_assay.text.words import REDACTED

NOT_REACHED: Final = "the run ended before it was read"


def offers(state: AssessmentState, kind: OfferKind) -> list[Offer]:
    """One row for each thing of a kind that is listed and can be fetched."""
    findings = state.outcomes.tally.kept
    listed = offered(state.listed.surface, kind)
    return [_offer(state, kind, *one, findings) for one in listed.items()]


def _offer(
    state: AssessmentState,
    kind: OfferKind,
    key: str,
    item: dict[str, Any],
    findings: list[Finding],
) -> Offer:
    had = state.read.outcomes.get((kind, key))
    if had is None:
        had = ReadOutcome("not_called", why_not(state.options) or NOT_REACHED)
    scenario, name = about(kind, key).scenario, item.get("name")
    own = [
        one for one in findings if scenario in (it.scenario for it in (one.where, *one.examples))
    ]
    wanted, revision = state.outcomes.wanted, state.revision or ""
    found = [to_finding(one, revision) for one in had.faults if one.rule in wanted]
    return Offer(
        name=_shown(name) if isinstance(name, str) else None,
        uri=None if kind == "prompts" else _shown(key),
        status=_offer_status(had, own),
        reason=had.reason,
        findings=sorted({one.fingerprint for one in (*found, *own)}),
    )


def _offer_status(had: ReadOutcome, own: list[Finding]) -> OfferStatus:
    """The status: what the rules about messages find in an answer counts too."""
    is_faulty = any(finding.severity == "error" for finding in own)
    return "partially_working" if had.status == "fully_working" and is_faulty else had.status


def _shown(text: str) -> str:
    return REDACTED if holds_secret(text) else text


LEFT_OUT: Final = "further scenarios were not tried"


def report_on(state: AssessmentState, timing: Timing) -> Report:
    """What was found out up to now."""
    size, tally = measure(state.listed.surface), state.outcomes.tally
    runs = _by_tool(state.all_runs())
    tools = [_tool(state, tool["name"], runs[tool["name"]]) for tool in state.listed.tools()]
    clean, found = state.context.redactor.lines, _with_library(state, tally.kept)
    report = Report(
        tool=ToolVersion(name="mcp-assay", version=mcp_assay.__version__),
        subject=replace(_subject(state), surface_sha256=size.sha256),
        revision=state.revision,
        revisions_offered=list(state.connected.offered) if state.connected else [],
        options=clean({**state.options.shown(), **naming_options(state.target)}),
        seed=state.options.seed,
        consent=clean(_consent(state.permitted.consent)),
        summary=replace(_summary(state, tools), score=score_of(tools, found)),
        findings=found,
        checks=list(checks(rules_for_servers(), _scope(state), tally)),
        causes=tally.causes(),
        tools=clean(tools),
        resources=clean(offers(state, "resources")),
        templates=clean(offers(state, "templates")),
        prompts=clean(offers(state, "prompts")),
        surface=clean(size),
        calls=clean([call_row(call, state.context.redactor) for call in _all_calls(state)]),
        sandbox=clean(sandbox_row(state)),
        limits=list(_limits(state, size)),
        timing=_with_messages(state, timing),
    )
    proofs = (would_prove(tool, report) for tool in report.tools)
    rows = zip(report.tools, proofs, strict=True)
    return replace(report, tools=[replace(tool, would_prove=proof) for tool, proof in rows])


def _with_library(state: AssessmentState, findings: list[Finding]) -> list[Finding]:
    """The findings, those marked that the library of the server decides."""
    answers = (call.answer for run in state.all_runs() for call in run.calls)
    signs = (
        *signs_of_tools(state.listed.surface.tools),
        *state.probed.signs,
        *(sign for one in answers for sign in signs_of_answer(one.result, one.error)),
        *(f"broken {one.rule}" for one in findings),
    )
    built = built_with(signs)
    return [with_library(one, built) for one in findings]


def _limits(state: AssessmentState, size: SurfaceSize) -> Iterator[Limit]:
    """Every limit that cut something."""
    yield from state.outcomes.limits
    yield from _budget(state)
    yield from cuts(state.listed.surface, size)
    yield from state.outcomes.tally.limits()


def _budget(state: AssessmentState) -> Iterator[Limit]:
    """The limit of --max-calls, where it left scenarios out."""
    runs = state.all_runs()
    cut = {run.name for run in runs if any(gap.kind == GapKind.BUDGET for gap in run.gaps)}
    if cut:
        most = state.options.max_calls
        yield Limit(name=MAX_CALLS, value=most, count=len(cut), effect=LEFT_OUT)


def _with_messages(state: AssessmentState, timing: Timing) -> Timing:
    if state.connection is None:
        return timing
    timeline = state.connection.observations.timeline
    clean = state.context.redactor.lines
    messages = [replace(one, what=clean(one.what), id=clean(one.id)) for one in timeline.messages()]
    return replace(timing, messages=messages, messages_left_out=timeline.left_out)


def _subject(state: AssessmentState) -> ReportSubject:
    clean = state.context.redactor.lines
    info = state.connected.server_info if state.connected else None
    named = ReportSubject(kind="server", server_info=clean(info))
    if isinstance(state.target, Command):
        return replace(named, command=clean(shown_words(state.target.command)))
    return replace(named, url=clean(shown_url(state.target.url)))


def _consent(consent: Consent | None) -> dict[str, Any] | None:
    """What the user answered, and the options that say the same."""
    if consent is None:
        return None
    return {**msgspec.to_builtins(consent), "options": list(_options_of(consent))}


def _options_of(consent: Consent) -> Iterator[str]:
    if consent.in_world:
        yield "--sandbox"
        if consent.answer == "yes":
            return
        yield from ("--calls", "safe")
    yield from (word for name in consent.allowed for word in ("--allow", name))


def _summary(state: AssessmentState, tools: list[ToolRow]) -> Summary:
    counted, connection = state.outcomes.tally.severities, state.connection
    return Summary(
        outcome=_outcome(state),
        errors=counted["error"],
        warnings=counted["warning"],
        infos=counted["info"],
        messages=connection.observations.messages if connection else 0,
        sessions=connection.starts if connection else 0,
        confidence=_mean(tools),
        tools_listed=len(state.listed.surface.tools),
        tools_called=len({run.name for run in state.all_runs() if run.calls}),
        tools_succeeded=sum(tool.succeeded > 0 for tool in tools),
        reason=shortcoming(state),
    )


def _outcome(state: AssessmentState) -> RunOutcome:
    if state.has_too_few and not state.is_incomplete:
        return "fail"
    counts, fail_on = state.outcomes.tally.severities, state.options.fail_on
    return outcome_of(counts, fail_on, is_complete=not state.is_incomplete)


def _scope(state: AssessmentState) -> Scope:
    decided = set(state.outcomes.decided)
    open_rules = {rule.rule: rule for rule in unseen(state)}
    if state.connection is not None and state.revision is not None:
        # without a session there was nothing of the server that could have broken these rules
        observed = state.connection.observations
        decided |= observed.decided_rules.decided() | observed.decided_rules.session_rules
        decided -= observed.unsaid.keys() | observed.decided_rules.withheld
        open_rules |= _left_open(observed.decided_rules.left_open, open_rules)
        open_rules |= reported_elsewhere(observed.unsaid)
    decided -= {rule.rule for rule in open_rules.values() if is_beyond_messages(rule)}
    return Scope(
        revisions={state.revision} if state.revision else set(),
        decided=decided,
        wanted=state.outcomes.wanted,
        messages=1,
        duplicates=True,
        session_rules=decided,
        outcomes={**open_rules, **state.outcomes.open},
        left_open={},
    )


def _left_open(
    left_open: Counter[tuple[str, str]], known: Mapping[str, OpenStep]
) -> dict[str, OpenStep]:
    """Why the conversation left rules open, in place of that nothing of theirs was seen."""
    return {
        rule: OpenStep(rule, "undecided", reason)
        for rule, reason in commonest_reasons(left_open).items()
        if rule in known and known[rule].outcome == "undecided"
    }


def _by_tool(runs: Iterable[ToolRun]) -> defaultdict[str, list[ToolRun]]:
    """The runs of each tool, the one by its latest definition last."""
    found = defaultdict[str, list[ToolRun]](list)
    for run in runs:
        found[run.name].append(run)
    return found


def _tool(state: AssessmentState, name: str, runs: list[ToolRun]) -> ToolRow:
    calls = [call for run in runs for call in run.calls]
    evidence = runs[-1].evidence if runs else Evidence()
    verdict = status_of(calls, why_not_called(state, name), evidence)
    return ToolRow(
        name=name,
        status=verdict.status,
        reason=verdict.reason,
        obstacle=_obstacle(runs, verdict),
        confidence=verdict.confidence,
        called=verdict.called,
        succeeded=verdict.succeeded,
        rejected=verdict.rejected,
        failed=verdict.failed,
        unproven=verdict.unproven,
        scenarios=[
            ScenarioRow(name=call.scenario.name, outcome=call.verdict.outcome) for call in calls
        ],
        coverage=_coverage(runs),
        hints=dict(sorted(state.called.hints.get(name, {}).items())),
        effects=tool_effects(state, calls),
        proposed_annotations=state.called.proposed.get(name),
    )


def _obstacle(runs: list[ToolRun], verdict: ToolVerdict) -> str | None:
    """The kind of what kept the latest definition of a tool from showing that it works."""
    is_proven = verdict.status in ("fully_working", "partially_working")
    found = obstacle_of(runs[-1]) if runs and not is_proven else None
    return found.value if found else None


def _coverage(runs: list[ToolRun]) -> Coverage:
    """What was reached by the latest definition of a tool, and what earlier ones left out."""
    latest = coverage_of(runs[-1]) if runs else Coverage()
    missed = [gap.text for run in runs[:-1] for gap in run.gaps]
    not_reached = list(dict.fromkeys([*latest.not_reached, *missed]))
    return replace(latest, not_reached=not_reached)


def _all_calls(state: AssessmentState) -> list[Call]:
    tried = [call for run in state.all_runs() for call in run.calls]
    return with_effects(state, [*tried, *state.called.compared])


def _mean(tools: list[ToolRow]) -> float | None:
    known = [tool.confidence for tool in tools if tool.confidence is not None]
    return round(sum(known) / len(known), 1) if known else None
