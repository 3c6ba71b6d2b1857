"""Whether the least policy is enough: the same assessment again, with no more than it grants."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec.structs import replace

from mcp_assay.assess.assessment import Assessment
from mcp_assay.assess.options import AssessOptions
from mcp_assay.assess.report import report_on
from mcp_assay.client.sandbox.options import LeastWrites
from mcp_assay.client.sandbox.specification import host_and_ports
from mcp_assay.client.target import Command, Target
from mcp_assay.drift.statuses import tool_changes
from mcp_assay.model.effect import ChangedVerdict, PolicyCheck
from mcp_assay.model.policy import Needs
from mcp_assay.model.report import Report, Timing
from mcp_assay.report.as_policy import policy_of, widened
from mcp_assay.text.redaction import Redactor

RUNS: Final = 2
"""A tool needs more where it comes to another verdict in so many runs: one may be chance."""
EFFECTS: Final = "EFF"
BY_BUBBLEWRAP: Final = "a world made by bubblewrap cannot be held to a policy"
NOT_COMPARED: Final = "the run that shows what the server needs did not come to its end"
INCOMPLETE: Final = "--max-time ended the run under the policy"
CUT: Final = "max-time"
UNTIMED: Final = Timing(started="", seconds=0.0)


def needs_of(run: Assessment) -> list[Needs]:
    """What a server needs by its own names: a report shows none that hold a value of `--env`.

    The least comes first, then the same with the folders around it, where these are others.
    """
    state = run.state
    bare = replace(state, context=replace(state.context, redactor=Redactor()))
    report = report_on(bare, UNTIMED)
    needs, world = policy_of(report).needs, report.sandbox
    if needs is None or world is None:
        return []
    wider = widened(needs, world)
    return [needs] if wider == needs else [needs, wider]


def under_policy(target: Target, needs: Needs) -> Target:
    """The server, to be started in a world that grants what it needs and nothing else."""
    if not isinstance(target, Command) or target.sandbox is None:
        return target
    hosts = {one.host for one in needs.hosts}
    least = LeastWrites(
        open=tuple(needs.write),
        temporary=tuple(needs.temporary),
        new_folders=tuple(needs.new_folders),
        new_files=tuple(needs.new_files),
    )
    allow = tuple(text for text in target.sandbox.allow if host_and_ports(text)[0] in hosts)
    return replace(target, sandbox=replace(target.sandbox, allow=allow, keep=None, least=least))


def checking(options: AssessOptions, consent: Mapping[str, Any] | None) -> AssessOptions:
    """The options of a run under a policy: the same calls, and nothing that is not compared."""
    allow = (*options.allow, *(consent or {}).get("allowed", ()))
    ignore = (*options.ignore, EFFECTS)
    return replace(options, allow=allow, ignore=ignore, record=None, shrink=False)


def why_not_checked(report: Report) -> str | None:
    """Why a policy made from this report cannot be checked; None where it can be."""
    if report.sandbox is not None and report.sandbox.backend == "bwrap":
        return BY_BUBBLEWRAP
    return NOT_COMPARED if report.revision is None or _is_cut(report) else None


def _is_cut(report: Report) -> bool:
    return any(one.name == CUT for one in report.limits)


def compared(free: Report, under: Sequence[Report]) -> PolicyCheck:
    """What became of the tools in every run under the policy."""
    if any(map(_is_cut, under)):
        return PolicyCheck(undecided=INCOMPLETE)
    first, *others = ({one.name: one for one in tool_changes(free, run)} for run in under)
    changed = [
        ChangedVerdict(tool=name, free=one.old or "", under=one.new or "")
        for name, one in first.items()
        if all(name in other for other in others)
    ]
    return PolicyCheck(tools=len(free.tools), changed=changed)


def with_check(report: Report, check: PolicyCheck) -> Report:
    """The report, which says whether its policy is enough."""
    if report.sandbox is None:
        return report
    return replace(report, sandbox=replace(report.sandbox, policy=check))
