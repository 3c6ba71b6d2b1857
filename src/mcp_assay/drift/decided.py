"""Whether a run would have found a finding of another run, were it there: silence may mean nothing.

Options leave rules and tools out, and other calls show other faults.
"""

from __future__ import annotations

from typing import Any, Final

from mcp_assay.model.report import CheckOutcome, Report
from mcp_assay.spec.catalogue import CATALOGUE

DECIDED: Final[frozenset[CheckOutcome]] = frozenset({"passed", "failed", "warned"})
CHOOSING_CALLS: Final = ("seed", "max_calls", "examples", "answers", "args")
"""The options that choose the calls of a tool."""
NO_CALL: Final = "not_called"

LEFT_OUT: Final = "its rule was excluded"
NOT_CHECKED: Final = "its rule was not checked"
CUT: Final = "not all findings were included"
NOT_LISTED: Final = "its tool is not listed"
NOT_CALLED: Final = "its tool was not called"
OTHER_CALLS: Final = "other calls were made"
INCOMPLETE: Final = "the run is incomplete"


class Looked:
    """What one run looked at: tells whether its silence about a fault means anything."""

    def __init__(self, report: Report) -> None:
        self.report: Final = report
        self._outcomes: Final = {check.rule: check.outcome for check in report.checks}
        self._statuses: Final = {its.name: its.status for its in report.tools}
        self._is_cut: Final = any(limit.name == "max-findings" for limit in report.limits)

    def why_silent(self, rule: str, tool: str | None) -> str | None:
        """Why the report says nothing of a rule, about a tool; None where it would have."""
        outcome = self._outcomes.get(rule)
        if outcome is None:
            return NOT_CHECKED
        if outcome not in DECIDED:
            words = outcome.replace("_", " ")
            return LEFT_OUT if outcome == "skipped" else f"its rule was {words}"
        if self._is_cut:
            return CUT
        if tool is None or is_about_definitions(rule):
            return None
        return NOT_CALLED if self._statuses.get(tool) == NO_CALL else None


def is_about_definitions(rule: str) -> bool:
    """Whether what a server lists decides the rule, and no call of a tool does."""
    return rule in CATALOGUE and CATALOGUE[rule].observable == ("definitions",)


def is_about_probes(rule: str) -> bool:
    """Whether the server has to be asked on purpose to decide the rule."""
    return rule in CATALOGUE and "probe" in CATALOGUE[rule].observable


def has_same_calls(one: Report, other: Report) -> bool:
    """Whether a tool that two runs called was called alike."""
    return all(option(name, one) == option(name, other) for name in CHOOSING_CALLS)


def called(report: Report) -> set[str]:
    """The tools that a run called."""
    return {its.name for its in report.tools if its.status != NO_CALL}


def option(name: str, report: Report) -> Any:
    """An option of a run; None where it was not set, however the report says that."""
    value = report.options.get(name)
    if value is False or (not value and not isinstance(value, int | float)):
        return None
    return list(value) if isinstance(value, tuple) else value
