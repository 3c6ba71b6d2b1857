"""What the calls of a tool do not show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from mcp_assay.model.call import Call, ToolRun
from mcp_assay.model.scenario import Gap, GapKind
from mcp_assay.rules.behaviour.obstacles import help_for, obstacle_of
from mcp_assay.rules.behaviour.rule import (
    behaviour_rule,
    called,
    example,
    is_made,
    sentence,
    shown,
)
from mcp_assay.rules.engine.rule import Example, Found
from mcp_assay.spec.revisions import DEFAULT_REVISION
from mcp_assay.text.safe import as_typed
from mcp_assay.text.words import quote

FIXES: Final[Mapping[GapKind, str]] = {
    GapKind.CONTRADICTION: "Correct the inputSchema: it contradicts itself.",
    GapKind.UNMADE: "Add values for it to [tools.{tool}] values in mcp-assay.toml.",
    GapKind.NOT_VARIED: "Add arguments that use it to [tools.{tool}] valid in mcp-assay.toml.",
    GapKind.EFFORT: "To try it, add the value to [tools.{tool}] values in mcp-assay.toml.",
    GapKind.UNWANTED: "To try them, remove no_error from [tools.{tool}] in mcp-assay.toml.",
    GapKind.BUDGET: "Raise --max-calls.",
    GapKind.UNREAD: "Return less data at a time, or paginate.",
    GapKind.BUSY: "Call it alone: --only {typed}.",
    GapKind.GIVEN_UP: "Fix those calls first; the remaining ones then run too.",
    GapKind.REDEFINED: (
        "Rename a tool when its definition changes; clients have cached the old one."
    ),
    GapKind.WITHDRAWN: "Use --allow {typed} to call it even if its definition changes.",
    GapKind.RESET: "Allow the tool that resets it, or remove reset from [tools.{tool}].",
}
"""What helps against each gap."""
MOST_GAPS: Final = 3
"""So many kinds of gaps of one tool are reported."""


@behaviour_rule(
    "SCEN-001",
    "never-succeeded",
    reason="never_succeeded",
    shown_by=is_made,
    good=lambda: [example(called(), called(outcome="unproven"))],
    bad=lambda: [
        example(called(outcome="unproven"), called(outcome="unproven")),
        example(called(outcome="unproven", denied="HTTP status 403")),
    ],
)
def never_succeeded(tried: ToolRun) -> Iterator[Found]:
    """All valid calls to the tool were rejected.

    Why: the tool was never seen to work; proper rejections do not prove that it does.
    Instead: provide working arguments in mcp-assay.toml under [tools.NAME] valid, or a token with
    the required scope.
    """
    valid = [call for call in tried.calls if call.scenario.valid]
    if valid and all(call.verdict.outcome == "unproven" for call in valid):
        obstacle = obstacle_of(tried)
        text = sentence(_valid_calls(tried, len(valid)), _refused(valid))
        yield Found((), text, fix=help_for(tried, obstacle) if obstacle else None)


def _valid_calls(tried: ToolRun, number: int) -> str:
    which = f"All {number} valid calls to" if number > 1 else "The only valid call to"
    return f"{which} {quote(tried.name)}"


def _refused(valid: Sequence[Call]) -> str:
    denied = next((call.answer.denied for call in valid if call.answer.denied), "")
    verb = "were rejected" if len(valid) > 1 else "was rejected"
    return f"{verb} with {denied}" if denied else verb


@behaviour_rule(
    "SCEN-002",
    "cannot-generate",
    reason="cannot_generate",
    shown_by=is_made,
    good=lambda: [example(called())],
    bad=lambda: [
        Example(
            value={
                "tool": {"name": "find_note"},
                "calls": [],
                "gaps": ["No string was found that matches the pattern of /id."],
            },
            revision=DEFAULT_REVISION,
        )
    ],
)
def cannot_generate(tried: ToolRun) -> Iterator[Found]:
    """Part of the schema could not be tested because no matching value could be generated.

    Why: whether the tool works there is unknown.
    Instead: provide values in mcp-assay.toml under [tools.NAME] values.
    """
    # That its dependencies fail is a finding of its own.
    first = {gap.kind: gap for gap in reversed(tried.gaps) if gap.kind in FIXES}
    gaps = [gap for gap in tried.gaps if first.get(gap.kind) is gap][:MOST_GAPS]
    if gaps:
        text = sentence(
            shown(tried), "was not fully tested:", " ".join(gap.text for gap in gaps).rstrip(".")
        )
        yield Found((), text, fix=" ".join(_fix(gap, tried) for gap in gaps))


def _fix(gap: Gap, tried: ToolRun) -> str:
    return FIXES[gap.kind].format(tool=quote(tried.name), typed=as_typed(tried.name))
