"""The calls of tools while they are made: one under way, the one before judged, all kept."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Final, NamedTuple, TypeAlias

from msgspec.structs import replace

from mcp_assay.assess.known_outcomes import KnownOutcomes
from mcp_assay.assess.observer_tools import is_shown_by_others
from mcp_assay.client.response import Response
from mcp_assay.judge.information import carries_information
from mcp_assay.judge.our_hosts import is_owed_to_our_host, was_fed
from mcp_assay.judge.status import BREAKDOWNS, judge_tool, judged_call, settled
from mcp_assay.model.call import Call, ToolRun
from mcp_assay.model.ending import LOST
from mcp_assay.model.scenario import Gap, PlannedPlace, Scenario
from mcp_assay.model.verdict import Evidence, JudgedCall, ToolVerdict
from mcp_assay.rules.behaviour.fault_evidence import shows_own_fault


class ToolRunBuilder:
    """The calls of one tool by one definition, as long as they are being made."""

    def __init__(self, tool: dict[str, Any]) -> None:
        self.tool: Final = tool
        self.is_duplicate = False
        """Whether the server lists several tools of this name."""
        self.calls: Final[list[Call]] = []
        self.gaps: Final[list[Gap]] = []
        """What could not be generated or tried, in sentences."""
        self.places: Final[list[PlannedPlace]] = []
        self.wanted: Final[dict[str, dict[str, Any]]] = {}
        """What the server asked its client for in vain, by the table that answers it."""
        self.evidence = Evidence()
        self.is_finished = False
        """Whether all calls of it were made that are of use."""
        self.is_confirmed = False
        """Whether the call that broke it was made again in a fresh process."""
        self.is_judged = False
        """Whether what its calls show was told."""
        self.worth_again = 0
        """So many of its first calls may end otherwise now: others have changed something."""
        self.comparable_from = 0
        """The first of its calls since which nothing was changed by another tool."""

    @property
    def name(self) -> str:
        """The name of the tool."""
        return str(self.tool.get("name", ""))

    def note(self, gap: Gap) -> None:
        """Say once what was not tried."""
        if gap not in self.gaps:
            self.gaps.append(gap)

    def frozen(self) -> ToolRun:
        """What there is of it now."""
        return ToolRun(
            tool=self.tool,
            calls=tuple(self.calls),
            is_duplicate=self.is_duplicate,
            gaps=tuple(self.gaps),
            places=tuple(self.places),
            wanted=dict(self.wanted),
            evidence=self.evidence,
        )

    @property
    def is_proven(self) -> bool:
        """Whether a call has succeeded, and the results carry information."""
        has_succeeded = any(call.verdict.succeeded for call in self.calls)
        return has_succeeded and self.evidence.has_information

    @property
    def may_be_proven(self) -> bool:
        """Whether it is not proven, and what it was called for was answered each time."""
        is_answered = all(call.answer.ending == "answered" for call in self.calls)
        return is_answered and not self.is_proven

    def settle(self) -> None:
        """Judge the calls in the light of one another, while their answers are there."""
        self.calls[:] = _settled(self.calls)
        has_information = carries_information(self.frozen())
        self.evidence = replace(self.evidence, has_information=has_information)

    def confirm(self, runs: Iterable[ToolRun]) -> None:
        """See whether others show what it says that it did, where nothing else does."""
        if self.calls and not self.evidence.has_information:
            is_shown = is_shown_by_others(self.frozen(), runs)
            self.evidence = replace(self.evidence, is_confirmed=is_shown)
            has_information = is_shown and carries_information(self.frozen())
            self.evidence = replace(self.evidence, has_information=has_information)

    def settled(self, call: Call) -> Call:
        """One more call, judged in the light of these."""
        return _settled([*self.calls, call])[-1]

    def breakdown(self) -> Call | None:
        """The call by which the tool counts as broken, where no other has shown the same.

        After a call that died, or was not answered in time, the server was started anew.
        """
        valid = [call for call in self.calls if call.scenario.valid]
        found = [call for call in valid if call.verdict.trouble in BREAKDOWNS]
        found = [call for call in found if as_judged(call).breaks_its_tool]
        anew = sum(call.answer.ending != "answered" for call in found)
        has_succeeded = any(call.verdict.succeeded for call in valid)
        return found[0] if found and anew < SHOWN_TWICE and not has_succeeded else None


SHOWN_TWICE: Final = 2


def _settled(calls: list[Call]) -> list[Call]:
    """The calls, those whose arguments are known as valid or not judged together."""
    decided = [call for call in calls if call.scenario.valid is not None]
    verdicts = iter(settled(list(map(as_judged, decided)), [call.verdict for call in decided]))
    return [
        call if call.scenario.valid is None else replace(call, verdict=next(verdicts))
        for call in calls
    ]


def as_judged(call: Call) -> JudgedCall:
    """A call as the status of its tool sees it."""
    scenario = call.scenario
    said = call.answer.result or call.answer.error
    is_fed = was_fed(call.effects)
    nowhere = is_owed_to_our_host(scenario.arguments, said, call.result, is_fed=is_fed)
    category = scenario.category if scenario.is_sensible else "edge_case"
    return judged_call(
        bool(scenario.valid),
        call.answer,
        call.result,
        category,
        shows_own_fault=shows_own_fault(call),
        leads_nowhere=nowhere,
        is_fed=is_fed,
        is_cut_off=bool(call.effects and call.effects.unreached_host),
    )


CUT_OFF: Final = "the run ended during its first call"
UNDECIDED: Final = "no call could be judged: its inputSchema is invalid or too complex"


def status_of(made: Sequence[Call], not_called: str, evidence: Evidence) -> ToolVerdict:
    """The status of a tool; calls that could not be decided are counted, and show nothing."""
    known = [call for call in made if call.scenario.valid is not None]
    if made and all(call.answer.ending == "cancelled" for call in made):
        return ToolVerdict(status="unproven", reason=CUT_OFF, confidence=None, called=len(made))
    if made and not known:
        return ToolVerdict(status="unproven", reason=UNDECIDED, confidence=None, called=len(made))
    calls = list(map(as_judged, known))
    verdict = judge_tool(calls, not_called, [one.verdict for one in known], evidence=evidence)
    return replace(verdict, called=len(made))


class ToolRuns:
    """The calls of all tools of one assessment."""

    def __init__(self) -> None:
        self.latest: Final[dict[str, ToolRunBuilder]] = {}
        """By tool, the calls by its latest definition."""
        self.earlier: Final[list[ToolRunBuilder]] = []
        """Those by definitions that changed during the run."""
        self.outdated: Final[set[str]] = set()
        """The tools whose definition has changed since their calls began."""

    def __iter__(self) -> Iterator[ToolRunBuilder]:
        return iter([*self.earlier, *self.latest.values()])

    def begin(self, tool: dict[str, Any]) -> ToolRunBuilder:
        """Begin the calls by the latest definition of a tool; earlier ones are put aside."""
        name = tool["name"]
        if name in self.latest:
            self.earlier.append(self.latest[name])
        self.outdated.discard(name)
        self.latest[name] = ToolRunBuilder(tool)
        return self.latest[name]

    def calls_of(self, tool: str) -> int:
        """How many calls of a tool were made, by whatever definition."""
        return sum(len(run.calls) for run in self if run.name == tool)


OnCall: TypeAlias = Callable[[Call], None]
"""Hears of each call as soon as it is judged."""

MOST_AHEAD: Final = 16
"""So many scenarios are made in a row: work that changes all the time takes twice as long."""
LONGEST_WAITING: Final = 64 * 1024
"""Answers of more bytes are judged at once, not while the server works on the next call."""


class PendingVerdict(NamedTuple):
    """A call that was made, and not judged yet."""

    number: int
    scenario: Scenario
    response: Response

    @property
    def can_wait(self) -> bool:
        """Whether it may be judged later: an answer came, and it is not long."""
        is_long = len(self.response.response or b"") > LONGEST_WAITING
        return self.response.ending == "answered" and not is_long


class CallPipeline:
    """The calls of one tool: while the server works on one, the one before is judged.

    The order in which calls are judged, and scenarios made, is the same as without that.
    """

    def __init__(
        self,
        scenarios: Iterator[Scenario],
        calls: list[Call],
        judge: Callable[[PendingVerdict], Call],
        on_call: OnCall,
        known: KnownOutcomes,
    ) -> None:
        self._scenarios = scenarios
        self.known: Final = known
        """What the calls came to."""
        self._calls: Final = calls
        self._judge: Final = judge
        self._on_call: Final = on_call
        self.lost = sum(call.answer.ending in LOST for call in calls)
        """Calls that died or were not answered in time; they are judged at once."""
        self.is_queued = False
        """Whether the latest call only waited behind one of another tool."""
        self.made = 0
        """Calls that were made in this round."""
        self.spared = 0
        """Calls that were not made, because they would have told nothing new."""
        self._ahead: Final = deque[Scenario]()
        self._unjudged: PendingVerdict | None = None

    def next(self) -> Scenario | None:
        """The next scenario that may tell something; None after the last."""
        while (scenario := self._drawn()) and self.known.tell_nothing_of(scenario):
            self.spared += 1
        return scenario

    def _drawn(self) -> Scenario | None:
        return self._ahead.popleft() if self._ahead else next(self._scenarios, None)

    def begin_anew(self, scenarios: Iterator[Scenario]) -> None:
        """Go on with other scenarios, in place of those that were not tried yet."""
        self._scenarios = scenarios
        self._ahead.clear()

    def take(self, made: PendingVerdict) -> None:
        """Take a call that was made; it is judged as soon as there is time."""
        self.made += 1
        self._unjudged = made
        if not made.can_wait:
            self.judge_previous()

    def judge_previous(self) -> None:
        """Judge the latest call that was made, if it is not judged yet."""
        made, self._unjudged = self._unjudged, None
        if made is not None:
            call = self._judge(made)
            self._calls.append(call)
            self.known.note(call)
            self.lost += call.answer.ending in LOST
            self.is_queued = call.answer.is_queued
            self._on_call(call)

    def plan_ahead(self) -> None:
        """Make the next scenarios, where none is left."""
        if not self._ahead:
            self._ahead.extend(islice(self._scenarios, MOST_AHEAD))
