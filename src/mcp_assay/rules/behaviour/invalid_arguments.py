"""Wrong arguments that are not refused, and what the user says is to be refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from mcp_assay.model.call import Call, ToolRun
from mcp_assay.model.scenario import BY_CHANCE, REFUSED_EXAMPLE
from mcp_assay.rules.behaviour.arguments import is_conversion, place_of, value_at
from mcp_assay.rules.behaviour.rule import (
    DONE,
    accepted_calls,
    at,
    behaviour_rule,
    called,
    example,
    fields_of,
    is_of_the_tool,
    of_calls,
    sentence,
    shown,
)
from mcp_assay.rules.engine.rule import Example, Found

PLACES: Final = [
    {"pointer": "/id", "types": ["integer"], "required": True},
    {"pointer": "/sort", "types": ["string"], "listed": ["name"]},
    {"pointer": "/tags", "types": ["array"]},
]


def _taken(name: str, pointer: str, arguments: dict[str, Any], **more: Any) -> Example:
    """An example in which wrong arguments succeed."""
    ending = {"trouble": "accepted", "result": DONE, **more}
    call = called(arguments, name=name, valid=False, pointer=pointer, **ending)
    return example(call, pointer="/calls/0", places=PLACES)


def _saying(text: str) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": text}]}


MISSING: Final = "required, but missing"
LIMITS: Final = ("limit:", "against the pattern")
UNKNOWN: Final = "unknown argument"


@behaviour_rule(
    "CALL-007",
    "invalid-call-succeeds",
    reason="invalid_call_succeeds",
    shown_by=is_of_the_tool,
    tries=(MISSING, "outside the listed values", "wrong type", *LIMITS, UNKNOWN),
    good=lambda: [
        example(called({}, name=MISSING, valid=False, pointer="/id"), places=PLACES),
        example(called({"id": 101}, name="limit: maximum", valid=False, pointer="/id")),
        _taken(MISSING, "/id", {}, result=_saying("id is required")),
    ],
    bad=lambda: [
        _taken(MISSING, "/id", {}),
        _taken("outside the listed values", "/sort", {"id": 5, "sort": "assay-not-listed"}),
        _taken("wrong type", "/id", {"id": "assay-wrong-type"}),
        _taken("wrong type: a number as text", "/id", {"id": "5"}),
        _taken("wrong type: null", "/id", {"id": None}),
        _taken("wrong type", "/tags", {"id": 5, "tags": "tea"}),
        _taken("limit: maximum, just outside", "/id", {"id": 101}),
        _taken("unknown argument", "", {"id": 5, "assay_unknown_argument": "assay"}),
    ],
)
def invalid_call_succeeds(tried: ToolRun) -> Iterator[Found]:
    """A call with invalid arguments succeeds.

    Why: the tool uses data that the caller did not send, and the model trusts the result.
    Instead: validate arguments against the inputSchema before using them.
    """
    for wrong in WRONG:
        found = [call for call in accepted_calls(tried, *wrong.tries) if wrong.counts(tried, call)]
        if found:
            counted = [*found, *_alike_by_chance(tried, found)]
            text = sentence(shown(tried), wrong.words, fields_of(found), of_calls(counted, tried))
            yield replace(at(tried, found[0], text, key=wrong.key), grade=wrong.grade)
            return


def _alike_by_chance(tried: ToolRun, found: list[Call]) -> list[Call]:
    """Random calls that were accepted with one of the same arguments wrong."""
    places = {call.scenario.pointer for call in found}
    return [call for call in accepted_calls(tried, BY_CHANCE) if call.scenario.pointer in places]


def _always(_: ToolRun, call: Call) -> bool:
    return True


def _is_no_conversion(tried: ToolRun, call: Call) -> bool:
    """Whether a value is nothing that a lenient reader could have taken for another."""
    place = place_of(tried, call)
    value = value_at(call.scenario.arguments, call.scenario.pointer)
    return place is not None and not is_conversion(value, place.types)


class Wrong(Struct, frozen=True, kw_only=True):
    """A sort of wrong arguments: scenarios, what is said where they succeed, how grave that is."""

    tries: tuple[str, ...]
    words: str
    grade: str | None = None
    key: str = ""
    counts: Callable[[ToolRun, Call], bool] = _always
    """Which calls of these scenarios are of this sort."""


WRONG: Final = (
    Wrong(tries=(MISSING,), words="accepts calls without required arguments"),
    Wrong(tries=("outside the listed values",), words="accepts values outside its enum"),
    Wrong(
        tries=("wrong type",), words="accepts values of the wrong type", counts=_is_no_conversion
    ),
    Wrong(
        tries=LIMITS,
        words="accepts values outside its schema limits",
        grade="limit, length or pattern not enforced",
        key="limits",
    ),
    Wrong(
        tries=(UNKNOWN,),
        words="accepts unknown arguments",
        grade="additionalProperties: false not enforced",
        key="unknown",
    ),
    Wrong(
        tries=("wrong type",),
        words="converts values of the wrong type",
        grade="coerced type",
        key="coerced",
    ),
)
"""The sorts of wrong arguments, the gravest first."""


@behaviour_rule(
    "SCEN-003",
    "refused-example-accepted",
    reason="refused_example_accepted",
    shown_by=is_of_the_tool,
    tries=(REFUSED_EXAMPLE,),
    good=lambda: [example(called({"id": 0}, name=f"{REFUSED_EXAMPLE} 1", valid=False))],
    bad=lambda: [_taken(f"{REFUSED_EXAMPLE} 1", "", {"id": 0})],
)
def refused_example_accepted(tried: ToolRun) -> Iterator[Found]:
    """A tool accepts arguments that your configuration lists as invalid.

    Why: whoever wrote the example expects a rejection.
    Instead: reject them, or remove the example from [tools.NAME] invalid.
    """
    for call in accepted_calls(tried, REFUSED_EXAMPLE):
        text = f"accepts arguments that the configuration lists as invalid ({call.scenario.name})"
        yield at(tried, call, sentence(shown(tried), text), key=call.scenario.name)
