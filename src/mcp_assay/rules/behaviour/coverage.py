"""What the calls of a tool do not show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from mcp_assay.model.call import ToolRun
from mcp_assay.model.scenario import GapKind
from mcp_assay.rules.behaviour.rule import behaviour_rule, called, example, sentence, shown
from mcp_assay.rules.engine.rule import Example, Found
from mcp_assay.spec.revisions import DEFAULT_REVISION
from mcp_assay.text.words import quote

REMEDIES: Final[Mapping[GapKind, str]] = {
    GapKind.BUDGET: "Raise --max-calls.",
    GapKind.UNREAD: "Return less data at a time, or paginate.",
    GapKind.WITHDRAWN: "Use --allow to call it even if its definition changes.",
    GapKind.REDEFINED: (
        "Rename a tool when its definition changes; clients have cached the old one."
    ),
    GapKind.GIVEN_UP: "Fix those calls first; the remaining ones then run too.",
}
"""What helps against a gap; where none is named, values do."""
GIVE_TOKEN: Final = 'Provide a token with access: --header "Authorization: @FILE".'


@behaviour_rule(
    "SCEN-001",
    "never-succeeded",
    reason="never_succeeded",
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
        text = f"All {len(valid)} valid calls to {quote(tried.name)} were rejected"
        fix = _remedy(tried)
        if denied := next((call.answer.denied for call in valid if call.answer.denied), ""):
            text, fix = f"{text} with {denied}", GIVE_TOKEN
        yield Found((), sentence(text), fix=fix)


def _remedy(tried: ToolRun) -> str:
    """What would let a tool succeed: answers to what its server asks, or other arguments."""
    if tried.wanted:
        tables = ", ".join(f"[{table}]" for table in tried.wanted)
        return f"Provide answers to the server's requests in mcp-assay.toml: {tables}."
    return f"Add working arguments to [tools.{quote(tried.name)}] valid = [{{...}}]."


@behaviour_rule(
    "SCEN-002",
    "cannot-generate",
    reason="cannot_generate",
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
    gap = next((gap for gap in tried.gaps if gap.kind != GapKind.SPARED), None)
    if gap is not None:
        text = sentence(shown(tried), "was not fully tested:", gap.text.rstrip("."))
        yield Found((), text, fix=REMEDIES.get(gap.kind))
