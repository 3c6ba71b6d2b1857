"""`--report policy=PATH` after `--sandbox`: the policy is checked before it is written."""

from __future__ import annotations

from typing import Final

from mcp_assay.assess.options import AssessOptions
from mcp_assay.assess.policy_check import (
    RUNS,
    checking,
    compared,
    needs_of,
    under_policy,
    why_not_checked,
    with_check,
)
from mcp_assay.cli.attempts import Attempt
from mcp_assay.model.effect import PolicyCheck
from mcp_assay.model.report import Report

INTERRUPTED: Final = "it was interrupted"


def with_checked_policy(
    report: Report, attempt: Attempt, options: AssessOptions, *, quiet: bool
) -> Report:
    """Assess the server again with no more than it needs; a difference is tried once more."""
    why, needs = why_not_checked(report), needs_of(attempt.run)
    if attempt.interruption.has_come:
        why = INTERRUPTED
    if why is not None or needs is None:
        return with_check(report, PolicyCheck(undecided=why))
    held, runs = under_policy(attempt.target, needs), list[Report]()
    found = PolicyCheck()
    while len(runs) < RUNS and (found.changed or not runs):
        again = attempt.under(held, checking(options, report.consent))
        with again.noted():
            again.interruption.run(again.work(quiet=quiet))
        if again.interruption.has_come:
            return with_check(report, PolicyCheck(undecided=INTERRUPTED))
        runs.append(again.run.report())
        found = compared(report, runs)
    return with_check(report, found)
