"""Where what a tool does is not what its inputSchema says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcp_assay.model.call import ToolRun
from mcp_assay.rules.behaviour.rule import (
    DONE,
    accepted_calls,
    at,
    behaviour_rule,
    called,
    example,
    fields_of,
    is_of_the_tool,
    sentence,
    shown,
)
from mcp_assay.rules.engine.rule import Found


def _accepted(name: str, **more: Any) -> dict[str, Any]:
    return called({"id": 1}, name=name, valid=False, trouble="accepted", result=DONE, **more)


def _refused(name: str, **more: Any) -> dict[str, Any]:
    return called({"id": 1}, name=name, valid=False, **more)


@behaviour_rule(
    "DRIFT-002",
    "value-outside-enum-accepted",
    reason="value_outside_enum_accepted",
    shown_by=is_of_the_tool,
    tries=("outside the listed values",),
    good=lambda: [example(_refused("outside the listed values", pointer="/sort"))],
    bad=lambda: [
        example(_accepted("outside the listed values", pointer="/sort"), pointer="/calls/0")
    ],
)
def value_outside_enum_accepted(tried: ToolRun) -> Iterator[Found]:
    """A tool accepts a value outside its enum.

    Why: a misspelt value is silently accepted and does something unintended.
    Instead: reject values that are not listed, or list them.
    """
    if found := accepted_calls(tried, "outside the listed values"):
        text = sentence(shown(tried), "accepts values outside its enum", fields_of(found))
        yield at(tried, found[0], text)


@behaviour_rule(
    "DRIFT-003",
    "wrong-type-accepted",
    reason="wrong_type_accepted",
    shown_by=is_of_the_tool,
    tries=("wrong type",),
    good=lambda: [example(_refused("wrong type", pointer="/id"))],
    bad=lambda: [example(_accepted("wrong type", pointer="/id"), pointer="/calls/0")],
)
def wrong_type_accepted(tried: ToolRun) -> Iterator[Found]:
    """A tool accepts a value of the wrong type.

    Why: the tool guesses what the model meant; "1" and true silently become the number 1.
    Instead: validate arguments against the inputSchema before using them.
    """
    if found := accepted_calls(tried, "wrong type"):
        text = sentence(shown(tried), "accepts values of the wrong type", fields_of(found))
        yield at(tried, found[0], text)


@behaviour_rule(
    "DRIFT-004",
    "required-not-enforced",
    reason="required_not_enforced",
    shown_by=is_of_the_tool,
    tries=("required, but missing",),
    good=lambda: [example(_refused("required, but missing", pointer="/id"))],
    bad=lambda: [example(_accepted("required, but missing", pointer="/id"), pointer="/calls/0")],
)
def required_not_enforced(tried: ToolRun) -> Iterator[Found]:
    """A tool accepts a call without a required argument.

    Why: either the argument is not required, or the tool works without the data it needs.
    Instead: reject the call, or do not mark the argument as required.
    """
    if found := accepted_calls(tried, "required, but missing"):
        text = sentence(shown(tried), "accepts calls without required arguments", fields_of(found))
        yield at(tried, found[0], text)


@behaviour_rule(
    "DRIFT-005",
    "limit-not-enforced",
    reason="limit_not_enforced",
    shown_by=is_of_the_tool,
    tries=("limit:", "against the pattern"),
    good=lambda: [example(_refused("limit: maximum, just outside", pointer="/limit"))],
    bad=lambda: [
        example(_accepted("limit: maximum, just outside", pointer="/limit"), pointer="/calls/0"),
        example(_accepted("against the pattern", pointer="/id"), pointer="/calls/0"),
    ],
)
def limit_not_enforced(tried: ToolRun) -> Iterator[Found]:
    """A tool accepts a value outside a limit or pattern of its schema.

    Why: the limit protects nothing, and clients that respect it cannot use values beyond it.
    Instead: reject such values, or widen the schema.
    """
    if found := accepted_calls(tried, "limit:", "against the pattern"):
        text = sentence(shown(tried), "accepts values outside its schema limits", fields_of(found))
        yield at(tried, found[0], text)


@behaviour_rule(
    "DRIFT-007",
    "unknown-argument-accepted",
    reason="unknown_argument_accepted",
    shown_by=is_of_the_tool,
    tries=("unknown argument",),
    good=lambda: [example(_refused("unknown argument"))],
    bad=lambda: [example(_accepted("unknown argument"), pointer="/calls/0")],
)
def unknown_argument_accepted(tried: ToolRun) -> Iterator[Found]:
    """A tool accepts an unknown argument despite additionalProperties: false.

    Why: a misspelt argument is silently dropped, and the call does something else.
    Instead: reject unknown arguments, or remove additionalProperties: false.
    """
    if found := accepted_calls(tried, "unknown argument"):
        text = sentence(shown(tried), "accepts unknown arguments")
        yield at(tried, found[0], text)
