"""Why a run does not show what it was to show, and why it says nothing about a rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from mcp_assay.assess.state import AssessmentState
from mcp_assay.client.links import NotOpened
from mcp_assay.client.target import Command
from mcp_assay.model.probe import OpenStep
from mcp_assay.model.tool import NotCalled
from mcp_assay.spec.catalogue import CatalogueEntry
from mcp_assay.spec.catalogue.row import HTTP
from mcp_assay.spec.revisions import R2026_07_28
from mcp_assay.validate.options import INPUT_RULES, rules_of

TIME_RAN_OUT: Final = f"{NotCalled.TIME_RAN_OUT.value} it was called"
INTERRUPTED: Final = f"{NotCalled.INTERRUPTED.value} it was called"
LOST: Final = f"{NotCalled.SERVER_LOST.value} it was called"
DRY_RUN: Final = NotCalled.DRY_RUN.value
RIGHTLY_REFUSED: Final = "The call was rejected as expected: its arguments violate the inputSchema."
WRONGLY_TAKEN: Final = "The call was accepted although its arguments violate the inputSchema."
WAS_INTERRUPTED: Final = "The run was interrupted; results so far are shown."
NOT_OPENED: Final[Mapping[NotOpened, str]] = {
    "not_reached": "Could not reach the server",
    "refused": "The server opened no session",
    "closed": "The server requires authorization",
}
"""How a run without a session is summed up."""
NO_SUCCESS: Final = "No call succeeded."
NO_SURROUNDINGS: Final = (
    "No call succeeded: a dependency of {} of the {} called tools was unavailable."
)


def why_not_called(state: AssessmentState, name: str) -> str:
    """Why a tool was not called: it must not be, or the run did not come to it."""
    permission = state.permissions.get(name)
    if permission is not None and not permission.allowed:
        return permission.text
    if state.options.dry_run:
        return DRY_RUN
    if state.ending.lost is not None:
        return LOST
    return INTERRUPTED if state.ending.is_interrupted else TIME_RAN_OUT


def shortcoming(state: AssessmentState) -> str | None:
    """Why the run does not show all that it was to show; None where it does."""
    early = _early_end(state)
    if early is not None:
        return early
    if any(run.calls for run in state.all_runs()):
        return _no_success(state) if state.is_incomplete else None
    names = [tool["name"] for tool in state.listed.tools()]
    return _nothing_called(state, names) if names else _not_listed(state)


def _early_end(state: AssessmentState) -> str | None:
    """What kept the run from coming to its end."""
    ending, faults = state.ending, state.outcomes.own_faults
    if ending.unreached is not None:
        return not_reached(ending.unreached, ending.not_opened)
    if ending.is_interrupted:
        return WAS_INTERRUPTED
    if faults:
        return f"The results are incomplete: {faults[0]}."
    if ending.cut_after is not None:
        return ran_out(ending.cut_after)
    return f"The server crashed and was not restarted: {ending.lost}." if ending.lost else None


def not_reached(why: str, kind: NotOpened = "not_reached") -> str:
    """What is said of a server with which no session could be opened."""
    return f"{NOT_OPENED[kind]}: {_in_one_line(why)}"


def ran_out(seconds: float) -> str:
    """What is said of a run that was cut after so many seconds."""
    return f"Time ran out after {round(seconds, 1):g} s; results so far are shown."


def _not_listed(state: AssessmentState) -> str | None:
    why = state.listed.unlisted.get("tools")
    return f"The tools could not be listed: {why}." if why else None


def _no_success(state: AssessmentState) -> str:
    if state.options.args is None:
        return _no_success_of_any(state)
    calls = [call for run in state.all_runs() for call in run.calls]
    if any(call.scenario.valid is not False for call in calls):
        return "The call did not succeed."
    refused = all(call.verdict.outcome == "passed" for call in calls)
    return RIGHTLY_REFUSED if refused else WRONGLY_TAKEN


def _no_success_of_any(state: AssessmentState) -> str:
    """What is said where no tool was seen to work; mostly one reason holds for all of them."""
    called = {run.name for run in state.all_runs() if run.calls}
    lacking = {
        run.name
        for run in state.all_runs()
        if any(call.verdict.trouble == "environment" for call in run.calls)
    }
    return NO_SURROUNDINGS.format(len(lacking), len(called)) if lacking else NO_SUCCESS


def _in_one_line(words: str) -> str:
    """Lines of a message as one line, in which each stays apart."""
    return " | ".join(line.strip().removesuffix(".") for line in words.splitlines() if line.strip())


def _nothing_called(state: AssessmentState, names: list[str]) -> str:
    """Whatever else is well, nobody has seen one of the tools work."""
    reasons = Counter(why_not_called(state, name) for name in names)
    shown = ", ".join(f"{reason} ({count})" for reason, count in reasons.most_common(3))
    options = "" if state.options.calls == "none" or state.options.dry_run else (
        " --allow TOOL calls one, --calls all calls every tool; both may change data."
    )  # fmt: skip
    return f"No tool was called: {shown}.{options}"


ABOUT_CLIENTS: Final = "this rule is about clients, and mcp-assay is the client here"
NOT_SEEN: Final = "nothing that this rule applies to was seen"
NOT_CALLED: Final = "no tool was called"
NOT_LET_IN: Final = "there was no session"
OF_CALLERS: Final = frozenset({"LINT-002", "LINT-003", "LINT-004"})
"""What only callers of the Python API ask for."""
OF_CALLS: Final = frozenset({"CALL", "RESP", "SCEN", "DRIFT", "LEAK", "EFF"})
"""The families that calls of tools decide."""

TRANSPORTS: Final[Mapping[str, str]] = {
    "HTTP": "http",
    "SSE": "http",
    "AUTH": "http",
    "STDIO": "stdio",
}
"""The families that only servers reached in this way show."""

CAPABILITIES: Final[Mapping[str, str]] = {
    "TOOL": "tools",
    "CALL": "tools",
    "RES": "resources",
    "PROMPT": "prompts",
    "COMP": "completions",
    "LOG": "logging",
    "TASK": "tasks",
}
"""The families that only servers with this capability show."""

REQUESTS: Final[Mapping[str, str]] = {
    "ROOT": "roots",
    "SAMP": "a model's message (sampling)",
    "ELIC": "user input (elicitation)",
}
"""The families about what a server asks its client for."""


def rules_for_servers() -> list[CatalogueEntry]:
    """The rules that an assessment can decide, or say why it does not."""
    others = INPUT_RULES.keys() | OF_CALLERS
    return [entry for id, entry in rules_of("mcp").items() if id not in others]


def unseen(state: AssessmentState) -> Iterator[OpenStep]:
    """Why each rule is open that nothing else decides."""
    for entry in rules_for_servers():
        yield _about_clients(entry) or _not_shown(entry, state)


def is_beyond_messages(rule: OpenStep) -> bool:
    """Whether messages without a fault show nothing here: they are ours, or of no task."""
    is_of_no_task = rule.outcome == "not_declared" and rule.rule.startswith("TASK-")
    return rules_of("mcp")[rule.rule].subject == "client" or is_of_no_task


def _about_clients(entry: CatalogueEntry) -> OpenStep | None:
    return OpenStep(entry.id, "not_testable", ABOUT_CLIENTS) if entry.subject == "client" else None


def _not_shown(entry: CatalogueEntry, state: AssessmentState) -> OpenStep:
    if state.revision is None:
        return OpenStep(entry.id, "undecided", NOT_LET_IN)
    family = entry.id.partition("-")[0]
    transport = "http" if entry.observable == HTTP else TRANSPORTS.get(family, _transport(state))
    if transport != _transport(state):
        reason = f"this applies only to servers reached over {transport}"
        return OpenStep(entry.id, "not_testable", reason)
    capability = CAPABILITIES.get(family)
    if capability is not None and not _declares(state, capability):
        return OpenStep(entry.id, "not_declared", f"the server does not declare {capability}")
    return OpenStep(entry.id, "undecided", _undecided(family, state))


def _undecided(family: str, state: AssessmentState) -> str:
    if family in REQUESTS:
        return f"the server did not ask for {REQUESTS[family]}"
    return NOT_CALLED if family in OF_CALLS and not state.called.runs else NOT_SEEN


def _transport(state: AssessmentState) -> str:
    return "stdio" if isinstance(state.target, Command) else "http"


def _declares(state: AssessmentState, capability: str) -> bool:
    """Whether it may have this: in 2026-07-28 some are extensions, which have other names."""
    declared = state.capabilities
    if declared is None or (capability == "tasks" and (state.revision or "") >= R2026_07_28):
        return True
    return declared.get(capability) not in (None, False)
