"""In which form the tools of a server refuse wrong arguments: all in one, or each in its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from mcp_assay.model.call import Call, ToolRun
from mcp_assay.rules.engine.rule import Example, Found, register
from mcp_assay.spec.revisions import DEFAULT_REVISION
from mcp_assay.text.words import MOST_NAMED, quote

MIXED: Final = "RESP-015"
FEWEST_TOOLS: Final = 2
"""Fewer tools that refuse have nothing in common."""
AS_RESULT, AS_ERROR, UNMARKED = "isError", "a JSON-RPC error", "a result without isError"


def error_forms(runs: Iterable[ToolRun]) -> dict[str, list[str]]:
    """The form of its refusals for each tool that has one and the same for all of them."""
    forms: dict[str, list[str]] = {}
    for run in runs:
        found = {form for call in run.calls if (form := _form(call)) is not None}
        if len(found) == 1:
            forms.setdefault(found.pop(), []).append(run.name)
    return {form: forms[form] for form in sorted(forms, key=lambda form: -len(forms[form]))}


def is_decided(forms: Mapping[str, list[str]]) -> bool:
    """Whether there are enough tools to compare."""
    return sum(map(len, forms.values())) >= FEWEST_TOOLS


def mixed_error_forms(forms: Mapping[str, list[str]]) -> Iterator[Found]:
    """What is to be said of tools that refuse in different forms."""
    if len(forms) > 1:
        parts = (f"{form} from {_named(tools)}" for form, tools in forms.items())
        text = f"Tools refuse invalid arguments in different forms: {'; '.join(parts)}."
        yield Found((), text, rule=MIXED, details={"forms": dict(forms)})


def _form(call: Call) -> str | None:
    """The form in which a call with wrong arguments was refused, None where it was not."""
    if call.scenario.valid is not False:
        return None
    if call.sign == "unflagged_error":
        return UNMARKED
    if call.verdict.outcome != "passed":
        return None
    return AS_RESULT if call.answer.error is None else AS_ERROR


def _named(tools: list[str]) -> str:
    more = f" and {len(tools) - MOST_NAMED} more" if len(tools) > MOST_NAMED else ""
    return ", ".join(map(quote, tools[:MOST_NAMED])) + more


def _example(**forms: list[str]) -> Example:
    return Example(value=forms, revision=DEFAULT_REVISION)


register(
    MIXED,
    "mixed-error-forms",
    """Tools of one server refuse invalid arguments in different forms.

    Why: whoever handles the errors of one tool misses those of another.
    Instead: refuse in the same form everywhere; isError with a clear text is preferred.
    """,
    subject="behaviour",
    reason="mixed_error_forms",
    good=lambda: [_example(isError=["find_note", "list_notes"]), _example()],
    bad=lambda: [_example(**{AS_RESULT: ["find_note"], AS_ERROR: ["list_notes"]})],
)
