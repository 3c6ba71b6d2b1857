"""What the calls of a tool do not show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from mcp_assay.model.call import Trial
from mcp_assay.rules.behaviour.trial import behaviour_rule, called, example, sentence, shown
from mcp_assay.rules.rule import Example, Found
from mcp_assay.rules.words import quote
from mcp_assay.spec.revisions import DEFAULT_REVISION

OVER_BUDGET: Final = "not fit into the budget of"
CALLED_NO_MORE: Final = "it was called no more"
SPARED: Final = "Calls like those in which what it needs had failed each time were not made."
"""Said among what was not reached; that its surroundings fail is a finding already."""
REMEDIES: Final[Mapping[str, str]] = {
    OVER_BUDGET: "Raise --max-calls.",
    "too long to be decoded": "Answer with less at a time, or in pages.",
    CALLED_NO_MORE: "Allow it with --allow: then it is called, whatever it becomes.",
    "calls by the old one ended": "Give a changed tool another name: clients know the old one.",
    "left alone after three calls": "Mend what ends those calls; then all others are made too.",
}
"""What helps where words of a gap stand; elsewhere values do."""
GIVE_TOKEN: Final = 'Give a token that may call it: --header "Authorization: @FILE".'


@behaviour_rule(
    "SCEN-001",
    "never-succeeded",
    reason="never_succeeded",
    good=[example(called(), called(outcome="unproven"))],
    bad=[
        example(called(outcome="unproven"), called(outcome="unproven")),
        example(called(outcome="unproven", denied="HTTP status 403")),
    ],
)
def never_succeeded(tried: Trial) -> Iterator[Found]:
    """A tool that refused every valid call that could be made of it.

    Why: nobody has seen it work; that it refuses well proves nothing else.
    Instead: give arguments that it takes, in mcp-assay.toml under [tools.NAME] valid, or a token
    with the scope that it asks for.
    """
    valid = [call for call in tried.calls if call.scenario.valid]
    if valid and all(call.verdict.outcome == "unproven" for call in valid):
        text, fix = f"refused all {len(valid)} valid calls that were made of it", _remedy(tried)
        if denied := next((call.answer.denied for call in valid if call.answer.denied), ""):
            text, fix = f"{text} with {denied}", GIVE_TOKEN
        yield Found((), sentence(shown(tried), text), fix=fix)


def _remedy(tried: Trial) -> str:
    """What would let a tool succeed: answers to what its server asks, or other arguments."""
    if tried.wanted:
        tables = ", ".join(f"[{table}]" for table in tried.wanted)
        return f"Answer in mcp-assay.toml what its server asks of its client: {tables}."
    return f"Put arguments that it takes into [tools.{quote(tried.name)}] valid = [{{...}}]."


@behaviour_rule(
    "SCEN-002",
    "cannot-generate",
    reason="cannot_generate",
    good=[example(called())],
    bad=[
        Example(
            message={
                "tool": {"name": "find_note"},
                "calls": [],
                "gaps": ["No text was found that fits the pattern of /id."],
            },
            revision=DEFAULT_REVISION,
        )
    ],
)
def cannot_generate(tried: Trial) -> Iterator[Found]:
    """Something that the schema asks for and that could not be made.

    Why: what it would have shown stays unknown.
    Instead: give values for it, in mcp-assay.toml under [tools.NAME] values.
    """
    if gap := next((gap for gap in tried.gaps if gap != SPARED), ""):
        text = sentence(shown(tried), "was not tried fully:", gap.rstrip("."))
        remedies = (fix for words, fix in REMEDIES.items() if words in gap)
        yield Found((), text, fix=next(remedies, None))
