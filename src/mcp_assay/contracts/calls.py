"""Checks of single calls: what must succeed does, what must be refused is."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from mcp_assay.contracts.check import Broken, Checks, Undecided, check, field_slug, value_slug
from mcp_assay.contracts.conventions import CallOutcome, shown, words_of
from mcp_assay.contracts.listed_values import (
    is_cut,
    name_of,
    named_in_refusal,
    value_at,
    vocabulary,
    with_value,
)
from mcp_assay.contracts.samples import ACCEPTED, REFUSED
from mcp_assay.contracts.server_under_test import ServerUnderTest
from mcp_assay.model.call import Call
from mcp_assay.model.scenario import Plan, Scenario
from mcp_assay.scenario.arguments import key_of
from mcp_assay.scenario.variations import UNKNOWN_NAME

HAPPY: Final = "happy path"
EDGES: Final = ("edge_case", "boundary")
MOST_EDGE_CASES: Final = 8
OUTSIDE: Final = "outside the listed values"
FAULTS: Final = {
    "required, but missing": ("needs-{}", "accepts a call without {}, which its schema requires"),
    "wrong type": (
        "refuses-a-wrong-type-for-{}",
        "accepts a value of the wrong type for {}",
    ),
    OUTSIDE: ("refuses-other-values-for-{}", "accepts a value for {} outside its enum"),
}
"""For each kind of wrong call the name of its check, and what a tool does that does not refuse."""
CHANGE_EITHER: Final = "Reject it, or change the inputSchema."


def call_checks(tool: str, plan: Plan, *, is_open: bool) -> Checks:
    """The checks of single calls of a tool; where it is not open, of those that the user gave."""
    yield from _valid_calls(tool, plan)
    yield from _wrong_calls(tool, plan)
    if not is_open:
        return
    for pointer, values in plan.listed.items():
        yield from _listed_values(tool, pointer, values)
    for pointer in vocabulary(plan):
        name = f"lists-what-{field_slug(pointer)}-takes"
        yield check(tool, name, partial(_lists, tool, pointer))


def _valid_calls(tool: str, plan: Plan) -> Checks:
    if any(one.valid for one in plan.scenarios):
        yield check(tool, "a-valid-call-succeeds", partial(_a_valid_call_succeeds, tool))
    for one in plan.scenarios:
        if one.name.startswith(ACCEPTED):
            name = f"{one.name.replace(' ', '-')}-succeeds"
            yield check(tool, name, partial(_must_succeed, one))


def _wrong_calls(tool: str, plan: Plan) -> Checks:
    if any(one.valid is False for one in plan.scenarios):
        yield check(tool, "a-wrong-call-is-refused", partial(_a_wrong_call_is_refused, tool))
    for one in plan.scenarios:
        if one.name.startswith(REFUSED):
            yield check(tool, f"{one.name.replace(' ', '-')}-is-refused", partial(_refused, one))
        elif one.name in FAULTS:
            name = FAULTS[one.name][0].format(field_slug(one.pointer))
            yield check(tool, name, partial(_fault_is_refused, tool, one.name, one.pointer))


def _listed_values(tool: str, pointer: str, values: list[Any]) -> Checks:
    field = field_slug(pointer)
    for value in values:
        name = f"takes-{field}-{value_slug(value)}"
        yield check(tool, name, partial(_takes, tool, pointer, value))


def find(server: ServerUnderTest, tool: str, name: str, pointer: str = "") -> Scenario:
    """The scenario of this name; raises Open where it cannot be made any more."""
    for one in server.samples.prepared(tool).scenarios:
        if one.name == name and (not pointer or one.pointer == pointer):
            return one
    raise Undecided(f"no such call to {tool} can be generated: {name} {pointer}")


def call_words(call: Call, it: CallOutcome) -> str:
    """A call and what it came to, in a sentence."""
    return f"{call.scenario.tool}({shown(call.scenario.arguments)}) {it.how.removesuffix('.')}."


def _a_valid_call_succeeds(tool: str, server: ServerUnderTest) -> None:
    """The generated calls: none may break; one that is refused proves nothing."""
    _require_success(tool, server)
    for one in edge_cases(server.samples.prepared(tool).scenarios):
        call, it = server.tried(one)
        if it.what == "broke":
            raise Broken(call_words(call, it))


def edge_cases(scenarios: list[Scenario]) -> list[Scenario]:
    """Valid calls at the edges of what the schema allows, the shortest first: empty values."""
    edges = [one for one in scenarios if one.valid and one.category in EDGES]
    return sorted(edges, key=lambda one: len(key_of(one.arguments)))[:MOST_EDGE_CASES]


def _require_success(tool: str, server: ServerUnderTest) -> None:
    scenarios = server.samples.prepared(tool).scenarios
    happy = [one for one in scenarios if one.valid and one.name.startswith((HAPPY, ACCEPTED))]
    tried = [server.tried(one) for one in happy or [one for one in scenarios if one.valid][:1]]
    for call, it in tried:
        if it.what == "broke":
            raise Broken(call_words(call, it))
    if tried and not any(it.what == "succeeded" for _, it in tried):
        raise Undecided(f"{call_words(*tried[0])} See has-a-success-sample.")


def _must_succeed(scenario: Scenario, server: ServerUnderTest) -> None:
    call, it = server.tried(scenario)
    if it.what != "succeeded":
        raise Broken(f"{call_words(call, it)} It was declared as a call that succeeds.")


def _a_wrong_call_is_refused(tool: str, server: ServerUnderTest) -> None:
    """An argument that the schema excludes, or else the first thing that can be wrong."""
    wrong = [one for one in server.samples.prepared(tool).scenarios if one.valid is False]
    unknown = [one for one in wrong if UNKNOWN_NAME in one.arguments]
    for scenario in (unknown or wrong)[:1]:
        _require_refused(server, scenario, f"accepts invalid arguments. {CHANGE_EITHER}")


def _refused(scenario: Scenario, server: ServerUnderTest) -> None:
    _require_refused(server, scenario, "was declared as a call that is rejected.")


def _fault_is_refused(tool: str, name: str, pointer: str, server: ServerUnderTest) -> None:
    deed = FAULTS[name][1].format(repr(pointer.removeprefix("/")))
    _require_refused(server, find(server, tool, name, pointer), f"{deed}. {CHANGE_EITHER}")


def _require_refused(server: ServerUnderTest, scenario: Scenario, otherwise: str) -> None:
    call, it = server.tried(scenario)
    if it.what == "succeeded":
        raise Broken(f"{call_words(call, it)} {scenario.tool} {otherwise}")
    if it.what == "broke":
        raise Broken(
            f"{call_words(call, it)} An invalid call should be rejected with a helpful message."
        )
    if it.what == "cut off":
        raise Undecided(call_words(call, it))


def _takes(tool: str, pointer: str, value: Any, server: ServerUnderTest) -> None:
    plan = server.samples.prepared(tool)
    scenario = with_value(plan, pointer, value)
    if scenario is None:
        raise Undecided(f"no valid call with {shown(value)} to {tool} can be generated")
    call, it = server.tried(scenario)
    if it.what == "broke":
        raise Broken(call_words(call, it))
    if it.what == "succeeded":
        return
    if it.what == "refused" and _is_about(server, plan, call, pointer, value):
        raise Broken(f"{call_words(call, it)} The schema lists {shown(value)}. {CHANGE_EITHER}")
    raise Undecided(f"{call_words(call, it)} Whether that is for {shown(value)} is not known.")


def _is_about(server: ServerUnderTest, plan: Plan, call: Call, pointer: str, value: Any) -> bool:
    """Whether a call was refused for this value: others are taken, or the refusal says so."""
    words, listed = words_of(call.answer), plan.listed.get(pointer, [])
    named = named_in_refusal(words, pointer, value, listed)
    if named:
        return str(value) not in named
    hints = server.tools[call.scenario.tool].get("annotations")
    is_reading = isinstance(hints, dict) and hints.get("readOnlyHint") is True
    if not is_reading and name_of(pointer) not in words and str(value) not in words:
        return False  # the call before may have left something behind
    others = (with_value(plan, pointer, other) for other in listed if other != value)
    return any(one is not None and server.tried(one)[1].what == "succeeded" for one in others)


def _lists(tool: str, pointer: str, server: ServerUnderTest) -> None:
    """What a refusal says is allowed must be what the schema lists."""
    plan = server.samples.prepared(tool)
    listed = [str(value) for value in plan.listed.get(pointer, [])]
    call, it = server.tried(find(server, tool, OUTSIDE, pointer))
    if it.what != "refused":
        raise Undecided(call_words(call, it))
    words, tried = words_of(call.answer), value_at(call.scenario.arguments, pointer)
    named = [one for one in named_in_refusal(words, pointer, tried, listed) if one != str(tried)]
    known = listed if not is_cut(words, named) else [one for one in listed if one in named]
    found = differing(named, known, "the tool takes", "the schema lists") if named else []
    if found:
        raise Broken(f"{tool}, {name_of(pointer)}: {' '.join(found)} It said: {words}")


def differing(one: list[Any], other: list[Any], has: str, knows: str) -> list[str]:
    """What two lists do not have in common, told in both directions."""
    found = []
    for first, second, here, there in ((one, other, has, knows), (other, one, knows, has)):
        only = [shown(value) for value in first if value not in second]
        if only:
            found.append(f"{here[0].upper()}{here[1:]} {', '.join(only)}, {_not(there)}.")
    return found


def _not(words: str) -> str:
    """ "the schema lists" -> "which the schema does not list"."""
    *subject, verb = words.split()
    return f"which {' '.join(subject)} does not {VERBS[verb]}"


VERBS: Final = {"takes": "take", "lists": "list", "has": "have"}
