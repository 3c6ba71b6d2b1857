"""`--report policy=PATH` after `--sandbox`: the policy is checked before it is written."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

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
from mcp_assay.model.policy import Needs
from mcp_assay.model.report import Report

INTERRUPTED: Final = "it was interrupted"


def with_checked_policy(
    report: Report, attempt: Attempt, options: AssessOptions, *, quiet: bool
) -> Report:
    """Assess the server again with no more than it needs; a difference is tried once more.

    Where that is not enough, what lies around it is granted: a call may have needed it for what
    leaves no trace. What does not help is not granted.
    """
    why, needs = why_not_checked(report), needs_of(attempt.run)
    if attempt.interruption.has_come:
        why = INTERRUPTED
    if why is not None or not needs:
        return with_check(report, PolicyCheck(undecided=why))
    checking_options = checking(options, report.consent)
    first = _check_of(report, attempt, needs[0], checking_options, quiet=quiet)
    if first.changed and len(needs) > 1:
        wider = _check_of(report, attempt, needs[1], checking_options, quiet=quiet)
        if wider.is_enough:
            return with_check(report, replace(wider, is_widened=True))
    return with_check(report, first)


def _check_of(
    report: Report, attempt: Attempt, needs: Needs, options: AssessOptions, *, quiet: bool
) -> PolicyCheck:
    """What becomes of the tools where the server has this and nothing else."""
    held, runs = under_policy(attempt.target, needs), list[Report]()
    found = PolicyCheck()
    while len(runs) < RUNS and (found.changed or not runs):
        again = attempt.under(held, options)
        with again.noted():
            again.interruption.run(again.work(quiet=quiet))
        if again.interruption.has_come:
            return PolicyCheck(undecided=INTERRUPTED)
        runs.append(again.run.report())
        found = compared(report, runs)
    return found
