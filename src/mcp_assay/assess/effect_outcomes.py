"""What proven effects say: the findings, and of every rule about effects whether it was decided."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec.structs import replace

from mcp_assay.assess.effect_proofs import WORLDS
from mcp_assay.assess.effects import sandbox_row, with_effects
from mcp_assay.assess.reproduction import RepeatCommands
from mcp_assay.assess.state import AssessmentState
from mcp_assay.model.effect_proof import EffectRecord, ProvenCall
from mcp_assay.model.finding import Finding
from mcp_assay.model.probe import OpenStep
from mcp_assay.rules.behaviour.effect_rule import EffectRule, effect_rules, judge_effects

PROOF: Final = "{0} of {0} fresh worlds; nothing changes without the call"
PROOF_OF_START: Final = "{0} of {0} fresh worlds, before any call"
UNSEEN: Final[Mapping[str, str]] = {
    "network": "bubblewrap shows neither host names nor packets",
    "secrets": "planted secrets could not be watched",
}
NOT_WATCHED: Final = "no call was watched"
NO_SUCCESS: Final = "no call succeeded that was watched"
NO_FOLDER: Final = "no call could be led out of a folder that a tool says it stays in"
CUT: Final = "the run ended before effects were proven"
FOLDERS: Final = "EFF-012"


def effect_findings(state: AssessmentState) -> Iterator[Finding]:
    """Everything that is proven, with the call that shows it and how it was proven."""
    commands = RepeatCommands(
        state.target,
        state.options,
        state.revision,
        state.listed.surface.tools,
        state.permissions.get,
    )
    for record in state.proved.records:
        for finding in judge_effects(record, state.revision or "", state.outcomes.note_fault):
            yield _with_proof(finding, record, commands, state)


def _with_proof(
    finding: Finding, record: EffectRecord, commands: RepeatCommands, state: AssessmentState
) -> Finding:
    if record.tool is None:
        return replace(finding, details={"proof": PROOF_OF_START.format(WORLDS)})
    call = _call_of(finding, record)
    arguments: dict[str, Any] = state.context.redactor.lines(dict(call.arguments))
    details = {
        "smallest": arguments,
        "proof": PROOF.format(WORLDS),
        "repeat": commands.call(record.name, arguments),
        **commands.raw(record.name, arguments),
    }
    return replace(finding, details=details)


def _call_of(finding: Finding, record: EffectRecord) -> ProvenCall:
    """The proven call that shows a finding: several may come from one call of the run."""
    for call in record.calls:
        alone = replace(record, calls=(call,))
        if any(one.rule == finding.rule for one in judge_effects(alone, finding.revision)):
            return call
    return record.calls[0]


def effect_outcomes(state: AssessmentState, *, is_cut: bool) -> Iterator[OpenStep]:
    """The rules about effects that this run leaves open; a rule that is not named was decided."""
    for rule in effect_rules():
        if is_cut:
            yield OpenStep(rule.id, "undecided", CUT)
        elif step := _open_step(rule, state):
            yield step


def _open_step(rule: EffectRule, state: AssessmentState) -> OpenStep | None:
    if reason := _unseen(rule, state):
        return OpenStep(rule.id, "undecided", reason)
    if why := state.proved.unproven.get(rule.id):
        return OpenStep(rule.id, "undecided", why)
    if rule.id == FOLDERS and rule.id not in state.proved.tried:
        return OpenStep(rule.id, "not_testable", NO_FOLDER)
    return _of_calls(rule, state) if rule.of_tools else None


def _unseen(rule: EffectRule, state: AssessmentState) -> str | None:
    """What a world does not show."""
    row = sandbox_row(state)
    if row is None or row.at_start is None:
        return NOT_WATCHED
    if rule.needs == "network" and row.backend == "bwrap":
        return UNSEEN["network"]
    is_blind = any("secrets" in limit for limit in row.limits)
    return UNSEEN["secrets"] if rule.needs == "secrets" and is_blind else None


def _of_calls(rule: EffectRule, state: AssessmentState) -> OpenStep | None:
    """Whether a call that could have broken the rule succeeded and was watched."""
    hint = rule.hint
    tools = [tool for tool in state.listed.tools() if _declares(rule, tool)]
    if hint is not None and not tools:
        value = str(hint[1]).lower()
        return OpenStep(rule.id, "not_declared", f"no tool declares {hint[0]}: {value}")
    shown = _watched(state)
    missing = [tool["name"] for tool in tools if tool["name"] not in shown]
    if hint is not None and missing:
        what = f"{hint[0]}: {str(hint[1]).lower()}"
        text = f"{NO_SUCCESS}, for {len(missing)} of {len(tools)} tools with {what}"
        return OpenStep(rule.id, "undecided", text)
    return None if shown else OpenStep(rule.id, "undecided", NO_SUCCESS)


def _declares(rule: EffectRule, tool: Mapping[str, Any]) -> bool:
    return rule.concerns(EffectRecord(tool=tool, calls=()))


def _watched(state: AssessmentState) -> set[str]:
    """The tools with a successful call whose effects are known."""
    calls: Sequence[Any] = [
        call for run in state.all_runs() for call in with_effects(state, run.calls)
    ]
    return {
        call.scenario.tool for call in calls if call.verdict.succeeded and call.effects is not None
    }
