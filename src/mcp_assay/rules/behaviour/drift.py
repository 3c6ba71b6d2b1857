"""Where what a tool does is not what its inputSchema says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from mcp_assay.model.call import Call, Trial
from mcp_assay.rules.behaviour.trial import (
    at,
    behaviour_rule,
    called,
    example,
    sentence,
    shown,
)
from mcp_assay.rules.rule import Found
from mcp_assay.rules.words import quote
from mcp_assay.wire.pointer import resolve

STRICT_FASTMCP: Final = "With FastMCP: FastMCP(name, strict_input_validation=True)."
DONE: Final[Mapping[str, Any]] = {"content": [{"type": "text", "text": "done"}]}
MOST_NAMED: Final = 5


def _accepted(name: str, **more: Any) -> dict[str, Any]:
    return called({"id": 1}, name=name, valid=False, trouble="accepted", result=DONE, **more)


def _refused(name: str, **more: Any) -> dict[str, Any]:
    return called({"id": 1}, name=name, valid=False, **more)


def _calls(tried: Trial, *names: str) -> list[Call]:
    """The calls with wrong arguments of these scenarios that the tool accepted."""
    return [
        call
        for call in tried.calls
        if call.verdict.trouble == "accepted" and call.scenario.name.startswith(names)
    ]


def _fields(found: list[Call]) -> str:
    """The arguments that calls are about, each once."""
    names = dict.fromkeys(call.scenario.pointer.removeprefix("/") for call in found)
    told = [quote(name) for name in names if name][:MOST_NAMED]
    return f"for {', '.join(told)}" if told else ""


@behaviour_rule(
    "DRIFT-001",
    "enum-value-rejected",
    reason="enum_value_rejected",
    good=[example(called({"sort": "name"}, name="value 1 of 2", pointer="/sort", result=DONE))],
    bad=[
        example(
            called({"sort": "name"}, name="value 1 of 2", pointer="/sort", result=DONE),
            called({"sort": "date"}, name="value 2 of 2", pointer="/sort", outcome="unproven"),
            pointer="/calls/1",
        )
    ],
)
def enum_value_rejected(tried: Trial) -> Iterator[Found]:
    """A value that the schema lists, and that the tool refuses while it takes others.

    Why: a client offers what the schema lists, and its users run into a refusal.
    Instead: take every listed value, or list only those that are taken.
    """
    listed = [call for call in tried.calls if call.scenario.name.startswith("value ")]
    taken = {call.scenario.pointer for call in listed if call.verdict.succeeded}
    for call in listed:
        if call.verdict.outcome == "unproven" and call.scenario.pointer in taken:
            value = _value(call)
            text = sentence(
                shown(tried), f"refuses {value}, which its schema lists", _fields([call])
            )
            yield at(tried, call, text, key=f"{call.scenario.pointer} {value}")


def _value(call: Call) -> str:
    path = tuple(call.scenario.pointer.removeprefix("/").split("/"))
    value = resolve(call.scenario.arguments, path)
    return quote(value) if isinstance(value, str) else repr(value)[:40]


@behaviour_rule(
    "DRIFT-002",
    "value-outside-enum-accepted",
    reason="value_outside_enum_accepted",
    good=[example(_refused("outside the listed values", pointer="/sort"))],
    bad=[example(_accepted("outside the listed values", pointer="/sort"), pointer="/calls/0")],
)
def value_outside_enum_accepted(tried: Trial) -> Iterator[Found]:
    """A value that the schema does not list, and that the tool takes.

    Why: a misspelt value is taken without a word, and does something that nobody asked for.
    Instead: refuse what is not listed, or list it.
    """
    if found := _calls(tried, "outside the listed values"):
        text = sentence(shown(tried), "takes values that its schema does not list", _fields(found))
        yield at(tried, found[0], text)


@behaviour_rule(
    "DRIFT-003",
    "wrong-type-accepted",
    reason="wrong_type_accepted",
    good=[example(_refused("wrong type", pointer="/id"))],
    bad=[example(_accepted("wrong type", pointer="/id"), pointer="/calls/0")],
)
def wrong_type_accepted(tried: Trial) -> Iterator[Found]:
    """A value of another type than the schema says, and the tool takes it.

    Why: what a model meant is guessed at; "1" and true become the number 1 without a word.
    Instead: check arguments against the inputSchema before anything is done with them.
    """
    if found := _calls(tried, "wrong type"):
        text = sentence(
            shown(tried), "takes values of other types than its schema says", _fields(found)
        )
        yield at(tried, found[0], text, fix=STRICT_FASTMCP)


@behaviour_rule(
    "DRIFT-004",
    "required-not-enforced",
    reason="required_not_enforced",
    good=[example(_refused("required, but missing", pointer="/id"))],
    bad=[example(_accepted("required, but missing", pointer="/id"), pointer="/calls/0")],
)
def required_not_enforced(tried: Trial) -> Iterator[Found]:
    """A required argument that is left out, and the tool goes on without it.

    Why: the schema makes every client ask for something that is not needed, or the tool works on
    nothing.
    Instead: refuse the call, or do not list the argument as required.
    """
    if found := _calls(tried, "required, but missing"):
        text = sentence(shown(tried), "goes on without what its schema requires", _fields(found))
        yield at(tried, found[0], text)


@behaviour_rule(
    "DRIFT-005",
    "limit-not-enforced",
    reason="limit_not_enforced",
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
    if found := _calls(tried, "limit:", "against the pattern"):
        text = sentence(
            shown(tried), "takes values that the limits of its schema exclude", _fields(found)
        )
        yield at(tried, found[0], text)


@behaviour_rule(
    "DRIFT-007",
    "unknown-argument-accepted",
    reason="unknown_argument_accepted",
    good=[example(_refused("unknown argument"))],
    bad=[example(_accepted("unknown argument"), pointer="/calls/0")],
)
def unknown_argument_accepted(tried: Trial) -> Iterator[Found]:
    """An argument that the schema excludes, and the tool takes the call.

    Why: a misspelt argument is dropped without a word, and the call does something else.
    Instead: refuse arguments that are not in the schema, or drop additionalProperties: false.
    """
    if found := _calls(tried, "unknown argument"):
        text = sentence(shown(tried), "takes arguments that its schema excludes")
        yield at(tried, found[0], text)
