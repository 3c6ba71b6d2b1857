"""Why a run does not show what it was to show, in words for people."""

from __future__ import annotations

from collections import Counter
from typing import Final

from mcp_assay.assessing.dossier import Dossier

TIME_RAN_OUT: Final = "time ran out before"
INTERRUPTED: Final = "the run was interrupted before"
LOST: Final = "the server was gone before"
DRY_RUN: Final = "nothing is called in a dry run"
RIGHTLY_REFUSED: Final = (
    "The call was refused, as it should be: its arguments do not fit the inputSchema."
)
WRONGLY_TAKEN: Final = (
    "The call was not refused, although its arguments do not fit the inputSchema."
)
WAS_INTERRUPTED: Final = "The run was interrupted; this is what was found before."
NO_SUCCESS: Final = "Calls were made, and none of any tool succeeded."
NO_SURROUNDINGS: Final = (
    "Calls were made, and none of any tool succeeded: what {} of the {} called tools need failed."
)


def why_not_called(dossier: Dossier, name: str) -> str:
    """Why a tool was not called: it must not be, or the run did not come to it."""
    permission = dossier.permissions.get(name)
    if permission is not None and not permission.allowed:
        return permission.reason
    if dossier.options.dry_run:
        return DRY_RUN
    if dossier.lost is not None:
        return LOST
    return INTERRUPTED if dossier.is_interrupted else TIME_RAN_OUT


def shortcoming(dossier: Dossier) -> str | None:
    """Why the run does not show all that it was to show; None where it does."""
    if dossier.unreached is not None:
        return not_reached(dossier.unreached)
    if dossier.is_interrupted:
        return WAS_INTERRUPTED
    if dossier.cut_after is not None:
        return ran_out(dossier.cut_after)
    if dossier.lost is not None:
        return f"The server died, and was not started again: {dossier.lost}."
    if any(trial.calls for trial in dossier.all_trials()):
        return _no_success(dossier) if dossier.is_incomplete else None
    names = [tool["name"] for tool in dossier.tools()]
    return _nothing_called(dossier, names) if names else _not_listed(dossier)


def not_reached(why: str) -> str:
    """What is said of a server that could not be started or reached."""
    return f"The server was not reached: {_in_one_line(why)}"


def ran_out(seconds: float) -> str:
    """What is said of a run that was cut after so many seconds."""
    return f"Time ran out after {round(seconds, 1):g} s; this is what was found before."


def _not_listed(dossier: Dossier) -> str | None:
    why = dossier.unlisted.get("tools")
    return f"The tools could not be listed: {why}." if why else None


def _no_success(dossier: Dossier) -> str:
    if dossier.options.args is None:
        return _no_success_of_any(dossier)
    calls = [call for trial in dossier.all_trials() for call in trial.calls]
    if any(call.scenario.valid is not False for call in calls):
        return "The call did not succeed."
    refused = all(call.verdict.outcome == "passed" for call in calls)
    return RIGHTLY_REFUSED if refused else WRONGLY_TAKEN


def _no_success_of_any(dossier: Dossier) -> str:
    """What is said where no tool was seen to work; mostly one reason holds for all of them."""
    called = {trial.name for trial in dossier.all_trials() if trial.calls}
    lacking = {
        trial.name
        for trial in dossier.all_trials()
        if any(call.verdict.trouble == "environment" for call in trial.calls)
    }
    return NO_SURROUNDINGS.format(len(lacking), len(called)) if lacking else NO_SUCCESS


def _in_one_line(words: str) -> str:
    """Lines of a message as the sentences of one."""
    return ". ".join(line.removesuffix(".") for line in words.splitlines())


def _nothing_called(dossier: Dossier, names: list[str]) -> str:
    """Whatever else is well, nobody has seen one of the tools work."""
    reasons = Counter(why_not_called(dossier, name) for name in names)
    told = ", ".join(f"{reason} ({count})" for reason, count in reasons.most_common(3))
    options = "" if dossier.options.calls == "none" or dossier.options.dry_run else (
        " --allow TOOL calls one, --calls all calls every tool; both may change data."
    )  # fmt: skip
    return f"No tool was called: {told}.{options}"
