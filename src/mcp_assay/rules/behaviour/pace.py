"""Whether a tool is quick, and keeps its pace while it is called again and again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median
from typing import Final

from mcp_assay.model.call import Call, ToolRun
from mcp_assay.model.scenario import AGAIN
from mcp_assay.rules.behaviour.rule import (
    DONE,
    at,
    behaviour_rule,
    called,
    example,
    is_success,
    sentence,
    shown,
)
from mcp_assay.rules.engine.rule import Example, Found

LEAST_CALLS: Final = 9
"""Fewer calls show nothing."""
TIMES: Final = 5.0
SECONDS: Final = 1.0
"""What takes so many times longer than before, and longer than this, has become slow."""


def _paced(*seconds: float) -> Example:
    """An example of calls that took so long; the last repeats the first."""
    calls = [called({"id": 1 + at}, result=DONE, seconds=one) for at, one in enumerate(seconds)]
    calls[-1] = {**calls[-1], "arguments": {"id": 1}, "scenario": AGAIN}
    return example(*calls, pointer=f"/calls/{len(calls) - 1}")


QUICK: Final = (0.01,) * 6


@behaviour_rule(
    "RESP-012",
    "gets-slower",
    reason="gets_slower",
    shown_by=is_success,
    tries=(AGAIN,),
    good=lambda: [
        _paced(*QUICK, 0.01, 0.01, 0.01),
        _paced(*QUICK, 0.9, 0.9, 0.9),
        _paced(*QUICK, 2.0, 2.0, 0.01),
        _paced(*QUICK, 0.01, 0.01, 2.0),
        _paced(0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 2.0, 2.0, 2.0),
        _paced(0.01, 2.0, 2.0),
    ],
    bad=lambda: [_paced(*QUICK, 1.5, 2.0, 2.5)],
)
def gets_slower(tried: ToolRun) -> Iterator[Found]:
    """A tool gets much slower the more often it is called.

    Why: something accumulates; what works in a test stalls after a day.
    Instead: look for what grows with every call: lists, open handles, retry delays.
    """
    succeeded = [call for call in tried.calls if call.verdict.succeeded]
    again = [call for call in succeeded if call.scenario.name == AGAIN]
    if len(succeeded) < LEAST_CALLS or not again:
        return
    third = len(succeeded) // 3
    same = [one for one in succeeded if one.scenario.arguments == again[0].scenario.arguments]
    if _is_slower(succeeded[:third], succeeded[-third:]) and _is_slower(same[:1], again):
        yield at(
            tried,
            again[0],
            sentence(shown(tried), "gets much slower after many calls"),
        )


def _is_slower(before: Sequence[Call], after: Sequence[Call]) -> bool:
    first, last = (median(call.answer.seconds for call in calls) for calls in (before, after))
    return last > SECONDS and last > TIMES * first


FEWEST_SLOW: Final = 3
SLOW_SECONDS: Final = 3.0
"""So many calls show how long a tool usually takes; more than this is long for whoever waits."""


@behaviour_rule(
    "RESP-014",
    "slow-calls",
    reason="slow_calls",
    shown_by=is_success,
    good=lambda: [
        example(*(called({"id": 1 + at}, result=DONE, seconds=2.5) for at in range(4))),
        example(*(called({"id": 1 + at}, result=DONE, seconds=9.0) for at in range(2))),
        example(
            *(called({"id": 1 + at}, result=DONE, seconds=one) for at, one in enumerate((9, 1, 1)))
        ),
    ],
    bad=lambda: [
        example(
            *(called({"id": 1 + at}, result=DONE, seconds=4.0) for at in range(3)),
            pointer="/calls/0",
        )
    ],
)
def slow_calls(tried: ToolRun) -> Iterator[Found]:
    """Most successful calls of a tool take longer than three seconds.

    Why: the user waits that long at every call, and some clients give up.
    Instead: answer sooner, send progress notifications, or document why it takes so long.
    """
    succeeded = [call for call in tried.calls if call.verdict.succeeded]
    if len(succeeded) < FEWEST_SLOW:
        return
    if median(call.answer.seconds for call in succeeded) > SLOW_SECONDS:
        slow = next(call for call in succeeded if call.answer.seconds > SLOW_SECONDS)
        words = f"usually takes longer than {SLOW_SECONDS:g} seconds"
        yield at(tried, slow, sentence(shown(tried), words))
