"""Where what a tool does is not what its inputSchema says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcp_assay.model.call import Trial
from mcp_assay.rules.behaviour.trial import (
    DONE,
    accepted_calls,
    at,
    behaviour_rule,
    called,
    example,
    fields_of,
    sentence,
    shown,
)
from mcp_assay.rules.rule import Found


def _accepted(name: str, **more: Any) -> dict[str, Any]:
    return called({"id": 1}, name=name, valid=False, trouble="accepted", result=DONE, **more)


def _refused(name: str, **more: Any) -> dict[str, Any]:
    return called({"id": 1}, name=name, valid=False, **more)


@behaviour_rule(
    "DRIFT-002",
    "value-outside-enum-accepted",
    reason="value_outside_enum_accepted",
    tries=("outside the listed values",),
    good=[example(_refused("outside the listed values", pointer="/sort"))],
    bad=[example(_accepted("outside the listed values", pointer="/sort"), pointer="/calls/0")],
)
def value_outside_enum_accepted(tried: Trial) -> Iterator[Found]:
    """A value that the schema does not list, and that the tool takes.

    Why: a misspelt value is taken without a word, and does something that nobody asked for.
    Instead: refuse what is not listed, or list it.
    """
    if found := accepted_calls(tried, "outside the listed values"):
        text = sentence(
            shown(tried), "takes values that its schema does not list", fields_of(found)
        )
        yield at(tried, found[0], text)


@behaviour_rule(
    "DRIFT-003",
    "wrong-type-accepted",
    reason="wrong_type_accepted",
    tries=("wrong type",),
    good=[example(_refused("wrong type", pointer="/id"))],
    bad=[example(_accepted("wrong type", pointer="/id"), pointer="/calls/0")],
)
def wrong_type_accepted(tried: Trial) -> Iterator[Found]:
    """A value of another type than the schema says, and the tool takes it.

    Why: what a model meant is guessed at; "1" and true become the number 1 without a word.
    Instead: check arguments against the inputSchema before anything is done with them.
    """
    if found := accepted_calls(tried, "wrong type"):
        text = sentence(
            shown(tried), "takes values of other types than its schema says", fields_of(found)
        )
        yield at(tried, found[0], text)


@behaviour_rule(
    "DRIFT-004",
    "required-not-enforced",
    reason="required_not_enforced",
    tries=("required, but missing",),
    good=[example(_refused("required, but missing", pointer="/id"))],
    bad=[example(_accepted("required, but missing", pointer="/id"), pointer="/calls/0")],
)
def required_not_enforced(tried: Trial) -> Iterator[Found]:
    """A required argument that is left out, and the tool goes on without it.

    Why: the schema makes every client ask for something that is not needed, or the tool works on
    nothing.
    Instead: refuse the call, or do not list the argument as required.
    """
    if found := accepted_calls(tried, "required, but missing"):
        text = sentence(shown(tried), "goes on without what its schema requires", fields_of(found))
        yield at(tried, found[0], text)


@behaviour_rule(
    "DRIFT-005",
    "limit-not-enforced",
    reason="limit_not_enforced",
    tries=("limit:", "against the pattern"),
    good=[example(_refused("limit: maximum, just outside", pointer="/limit"))],
    bad=[
        example(_accepted("limit: maximum, just outside", pointer="/limit"), pointer="/calls/0"),
        example(_accepted("against the pattern", pointer="/id"), pointer="/calls/0"),
    ],
)
def limit_not_enforced(tried: Trial) -> Iterator[Found]:
    """A value beyond a limit or against a pattern of the schema, and the tool takes it.

    Why: the limit protects nothing, and clients that keep it lose what is beyond it.
    Instead: refuse what the schema excludes, or widen the schema.
    """
    if found := accepted_calls(tried, "limit:", "against the pattern"):
        text = sentence(
            shown(tried), "takes values that the limits of its schema exclude", fields_of(found)
        )
        yield at(tried, found[0], text)


@behaviour_rule(
    "DRIFT-007",
    "unknown-argument-accepted",
    reason="unknown_argument_accepted",
    tries=("unknown argument",),
    good=[example(_refused("unknown argument"))],
    bad=[example(_accepted("unknown argument"), pointer="/calls/0")],
)
def unknown_argument_accepted(tried: Trial) -> Iterator[Found]:
    """An argument that the schema excludes, and the tool takes the call.

    Why: a misspelt argument is dropped without a word, and the call does something else.
    Instead: refuse arguments that are not in the schema, or drop additionalProperties: false.
    """
    if found := accepted_calls(tried, "unknown argument"):
        text = sentence(shown(tried), "takes arguments that its schema excludes")
        yield at(tried, found[0], text)
