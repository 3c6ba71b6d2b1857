"""A failure that is understood is not repeated: few further calls, and the number is said."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from mcp_assay.assess.known_outcomes import MOST_ALIKE, MOST_FURTHER, KnownOutcomes, outcome_key
from mcp_assay.judge.errors.stderr import raised_in
from mcp_assay.model.call import Call, CallResult
from mcp_assay.model.scenario import GapKind, PlannedPlace, Scenario
from mcp_assay.model.verdict import ScenarioVerdict, Trouble
from tests.assess.test_tool_runner import Played, sorts

WRAPPED = "Error executing tool find"
TRACE = """Traceback (most recent call last):
  File "/srv/app/tools.py", line {}, in find
    return books[title]
{}: {}
"""
JAVASCRIPT = """TypeError: Cannot read properties of undefined
    at find (/srv/app/tools.js:{}:7)
    at run (/srv/app/node_modules/sdk/index.js:90:3)
"""


def failed(
    text: str,
    stderr: str = "",
    arguments: dict[str, Any] | None = None,
    trouble: Trouble | None = "crashed",
    *,
    valid: bool = True,
) -> Call:
    """A call that failed."""
    sent = {"title": "tea"} if arguments is None else arguments
    scenario = Scenario(
        tool="find", name="a call", category="edge_case", arguments=sent, valid=valid
    )
    result = {"content": [{"type": "text", "text": text}], "isError": True}
    return Call(
        number=1,
        scenario=scenario,
        answer=CallResult(result=result, stderr=stderr, raised=raised_in(stderr)),
        result=None,
        verdict=ScenarioVerdict("failed", trouble) if trouble else ScenarioVerdict("passed"),
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (failed("KeyError: 'tea'"), failed("KeyError: 'a cup'")),
        (failed("No row 17 at 0x7f00"), failed("No row 4 at 0x8e11")),
        (
            failed("cannot open tea", arguments={"title": "tea"}),
            failed("cannot open milk and", arguments={"title": "milk and"}),
        ),
        (
            failed(WRAPPED, TRACE.format(12, "KeyError", "'tea'")),
            failed(WRAPPED, TRACE.format(12, "KeyError", "'milk'")),
        ),
        (failed(WRAPPED, JAVASCRIPT.format(3)), failed("Oops", JAVASCRIPT.format(3))),
    ],
)
def test_the_same_fault_has_the_same_key(one: Call, other: Call) -> None:
    assert outcome_key(one) == outcome_key(other) is not None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (failed("KeyError: 'tea'"), failed("ZeroDivisionError: division by zero")),
        (failed("no such table"), failed("no such table", trouble="environment")),
        (
            failed(WRAPPED, TRACE.format(12, "KeyError", "'tea'")),
            failed(WRAPPED, TRACE.format(30, "KeyError", "'tea'")),
        ),
        (
            failed(WRAPPED, TRACE.format(12, "KeyError", "'tea'")),
            failed(WRAPPED, TRACE.format(12, "ValueError", "'tea'")),
        ),
        (failed(WRAPPED, JAVASCRIPT.format(3)), failed(WRAPPED, JAVASCRIPT.format(9))),
    ],
)
def test_two_faults_behind_one_wrapper_have_two_keys(one: Call, other: Call) -> None:
    assert outcome_key(one) != outcome_key(other)


def test_what_did_not_fail_has_no_key() -> None:
    assert outcome_key(failed("found", trouble=None)) is None


def test_a_line_of_a_log_tells_no_fault_from_another() -> None:
    told = [failed("KeyError: 'tea'", f"INFO: call {number} came in\n") for number in (1, 2)]
    assert outcome_key(told[0]) == outcome_key(told[1]) == outcome_key(failed("KeyError: 'milk'"))


def test_an_argument_or_a_listed_value_that_was_not_tried_is_tried_all_the_same() -> None:
    place = PlannedPlace(pointer="/sort", types=("string",), listed=("name", "date"))
    same = [failed(WRAPPED, arguments={"title": f"tea {n}"}) for n in range(MOST_ALIKE)]
    known = KnownOutcomes([*same, failed(WRAPPED, arguments={"sort": "name"})], [place])

    def tells_nothing(**arguments: Any) -> bool:
        return known.tell_nothing_of(failed("", arguments=arguments).scenario)

    assert tells_nothing(title="something else")
    assert tells_nothing(title="x", sort="name")
    assert not tells_nothing(sort="date")
    assert not tells_nothing(title="x", all=True)
    assert not known.tell_nothing_of(failed("", arguments={"title": 5}, valid=False).scenario)


def test_after_many_of_the_same_nothing_more_is_tried_though_others_succeed() -> None:
    works = failed("", trouble=None, arguments={"title": ""})
    known = KnownOutcomes([works, *([failed(WRAPPED)] * MOST_FURTHER)])
    assert not known.tell_nothing_of(works.scenario)
    known.note(failed(WRAPPED))
    assert known.tell_nothing_of(works.scenario)


def crashing(arguments: Mapping[str, Any]) -> str:
    return "Traceback (most recent call last): ZeroDivisionError: division by zero"


def crashing_where_it_is_valid(arguments: Mapping[str, Any]) -> str:
    is_text = isinstance(arguments.get("text", ""), str) and set(arguments) <= {"text"}
    return crashing(arguments) if is_text else "Invalid arguments: text must be a string"


def crashing_in_two_ways(arguments: Mapping[str, Any]) -> str:
    is_empty = arguments.get("text") == ""
    return "KeyError: 'borrower'" if is_empty else crashing(arguments)


@pytest.mark.parametrize("fails", [crashing, crashing_where_it_is_valid, crashing_in_two_ways])
def test_few_calls_follow_a_crash_that_comes_again(
    fails: Callable[[Mapping[str, Any]], str],
) -> None:
    made = Played(fails=fails).try_out(50)
    calls = [outcome_key(call) for call in made.calls if call.scenario.valid]
    again = next(n for n, key in enumerate(calls) if key and calls[:n].count(key) == 1)
    assert len(made.calls) <= again + 2 * MOST_FURTHER
    assert sum(sorts(made)) < 50
    (gap,) = [gap for gap in made.gaps if gap.kind is GapKind.SPARED]
    skipped = 50 - len(made.calls)
    assert gap.text.startswith(f"{skipped} further calls were skipped: ")


def test_a_second_fault_is_still_found() -> None:
    made = Played(fails=crashing_in_two_ways).try_out(50)
    assert len({outcome_key(call) for call in made.calls if call.scenario.valid}) == 2
