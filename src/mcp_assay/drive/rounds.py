"""The calls of one tool in a row: made, judged while the next is under way, spared if in vain."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Final, NamedTuple, TypeAlias

from mcp_assay.drive.answer import Answer as Heard
from mcp_assay.model.call import Call, Trial
from mcp_assay.model.scenario import Scenario

Told: TypeAlias = Callable[[Call], None]

MOST_ADRIFT: Final = 6
"""So many valid calls, and so many others, are made of a tool whose surroundings fail each time."""
FEW_ADRIFT: Final = 2
"""So many are made after several such tools on end: mostly all need the same."""
SEVERAL: Final = 3
MOST_AHEAD: Final = 16
"""So many scenarios are made in a row: work that changes all the time takes twice as long."""
LONGEST_WAITING: Final = 64 * 1024
"""Answers of more bytes are judged at once, not while the server works on the next call."""


class Asked(NamedTuple):
    """A call that was made, and not judged yet."""

    number: int
    scenario: Scenario
    heard: Heard

    @property
    def can_wait(self) -> bool:
        """Whether it may be judged later: an answer came, and it is not long."""
        is_long = len(self.heard.response or b"") > LONGEST_WAITING
        return self.heard.ending == "answered" and not is_long


class Round:
    """The calls of one tool: while the server works on one, the one before is judged.

    The order in which calls are judged, and scenarios made, is the same as without that.
    """

    def __init__(
        self,
        scenarios: Iterator[Scenario],
        trial: Trial,
        judge: Callable[[Asked], Call],
        told: Told,
        most_adrift: int,
    ) -> None:
        self._scenarios = scenarios
        self._most_adrift: Final = most_adrift
        self._calls: Final = trial.calls
        self._judge: Final = judge
        self._told: Final = told
        self.lost = 0
        """Calls that died or were not answered in time; they are judged at once."""
        self.spared = 0
        """Calls that were not made, because they would have told nothing new."""
        self.has_succeeded = False
        """Whether a call has succeeded: then no refusal teaches more, and none is in vain."""
        self._ahead: Final = deque[Scenario]()
        self._unjudged: Asked | None = None

    def next(self) -> Scenario | None:
        """The next scenario that may tell something; None after the last."""
        while (scenario := self._drawn()) and self._tells_nothing(scenario):
            self.spared += 1
        return scenario

    def _drawn(self) -> Scenario | None:
        return self._ahead.popleft() if self._ahead else next(self._scenarios, None)

    def _tells_nothing(self, scenario: Scenario) -> bool:
        """Whether the surroundings failed all calls of this sort, valid ones or others.

        A valid call that was refused, or that waited in vain, shows no surroundings either.
        """
        if self.has_succeeded:
            return False
        same = [call for call in self._calls if call.scenario.valid == scenario.valid]
        adrift = sum(call.verdict.trouble == "environment" for call in same)
        idle = sum(
            call.verdict.outcome == "unproven" or call.verdict.trouble == "timed_out"
            for call in same
        )
        return len(same) - idle == adrift >= self._most_adrift

    def begin_anew(self, scenarios: Iterator[Scenario]) -> None:
        """Go on with other scenarios, in place of those that were not tried yet."""
        self._scenarios = scenarios
        self._ahead.clear()

    def take(self, asked: Asked) -> None:
        """Take a call that was made; it is judged as soon as there is time."""
        self.settle()
        self._unjudged = asked
        if not asked.can_wait:
            self.settle()

    def settle(self) -> None:
        """Judge what is not judged yet."""
        asked, self._unjudged = self._unjudged, None
        if asked is not None:
            call = self._judge(asked)
            self._calls.append(call)
            self.has_succeeded |= call.verdict.succeeded
            self.lost += call.answer.ending != "answered"
            self._told(call)

    def meanwhile(self) -> None:
        """What is done while the server works."""
        self.settle()
        if not self._ahead:
            self._ahead.extend(islice(self._scenarios, MOST_AHEAD))


def is_adrift(calls: list[Call]) -> bool:
    """Whether the surroundings of a tool failed all valid calls."""
    valid = [call for call in calls if call.scenario.valid]
    return bool(valid) and all(call.verdict.trouble == "environment" for call in valid)
