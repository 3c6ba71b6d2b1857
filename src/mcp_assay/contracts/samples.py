"""The calls that show what a tool does: planned from its definition, each made once and kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Coroutine, Iterable, Mapping
from typing import Any, Final, NamedTuple, Protocol, TypeAlias, TypeVar

from msgspec.structs import replace

from mcp_assay.assess.permissions import CallGate
from mcp_assay.assess.tool_runner import MOST_LOST, Judge, ToolRunner
from mcp_assay.client.connection import Caller
from mcp_assay.client.response import CallRequest
from mcp_assay.contracts.conventions import shown
from mcp_assay.contracts.loop_thread import Held, Stuck
from mcp_assay.contracts.settings import ContractSettings
from mcp_assay.model.call import Call
from mcp_assay.model.ending import LOST
from mcp_assay.model.scenario import Plan, Scenario
from mcp_assay.model.tool import Permission
from mcp_assay.scenario.arguments import key_of
from mcp_assay.scenario.known_values import Values
from mcp_assay.scenario.plan import listing_first, plan
from mcp_assay.schema.checker import Schemas

T = TypeVar("T")
Reset: TypeAlias = Callable[[str], None]
"""Told the name of a tool before each sample of it."""

ACCEPTED: Final = "example "
REFUSED: Final = "refused example "
"""How the names of scenarios begin that the user gave."""
MOST_SCENARIOS: Final = 400
"""So many are planned for one tool; only those that a check needs are called."""
MOST_SCOUTED: Final = 20
"""So many tools that need no arguments are called first, for the ids and names that they tell."""


class GivenSample(NamedTuple):
    """A call that the user's tests give."""

    tool: str
    arguments: dict[str, Any]
    valid: bool
    """Whether it must succeed; else it must be refused."""


class LeftAlone(Exception):
    """A tool that is not called any more, after calls that died or were not answered in time."""


class Runner(Protocol):
    """Does asynchronous work for those who wait."""

    def __call__(self, work: Coroutine[Any, Any, T], /) -> T:
        """What comes of the work."""


class Samples:
    """The samples of all tools of one server."""

    def __init__(
        self,
        tools: Mapping[str, dict[str, Any]],
        caller: Caller,
        *,
        judge: Judge,
        settings: ContractSettings,
        schemas: Schemas,
        run: Runner,
        reset: Reset,
        given: Iterable[GivenSample] = (),
    ) -> None:
        self._tools: Final = tools
        self._caller: Final = caller
        self._runner: Final = ToolRunner(caller, judge, schemas)
        self._runner.values = Values.given(_with(settings.tools, given))
        self._settings: Final = settings
        self._schemas: Final = schemas
        self._run: Final = run
        self._reset: Final = reset
        self._gate: Final = CallGate(
            calls=settings.calls, allow=settings.allow, is_disposable=settings.is_disposable
        )
        self._marked: Final = {(one.tool, key_of(one.arguments)) for one in given}
        self._plans: dict[str, Plan] = {}
        self._calls: dict[tuple[str, bytes], Call] = {}
        self._lost: Final = Counter[str]()
        self._is_scouted = False

    def inherit(self, other: Samples) -> None:
        """Know what another run found out and planned, for tools whose definitions are the same."""
        same = {tool for tool, it in self._tools.items() if it is other._tools.get(tool)}
        self._runner.values = other._runner.values
        self._plans = {tool: it for tool, it in other._plans.items() if tool in same}
        self._is_scouted = True

    def permission(self, tool: str) -> Permission:
        """Whether a tool may be called with arguments of ours."""
        return self._gate.permission(self._tools[tool])

    def planned(self, tool: str) -> Plan:
        """What may be tried on a tool: all of it, or only what the user's tests give for it."""
        found = self._plans.get(tool)
        if found is None:
            found = self._plans[tool] = self._planned(tool)
        return found

    def _planned(self, tool: str) -> Plan:
        planned = plan(
            self._tools[tool],
            seed=0,
            budget=MOST_SCENARIOS,
            values=self._runner.values,
            schemas=self._schemas,
            at_random=False,
        )
        if self.permission(tool).allowed:
            return planned
        scenarios = planned.scenarios
        marked = [one for one in scenarios if (tool, key_of(one.arguments)) in self._marked]
        return replace(planned, scenarios=marked)

    def prepared(self, tool: str) -> Plan:
        """The same, after those tools were asked that tell which ids and names there are."""
        self._scout()
        return self.planned(tool)

    def called(self, scenario: Scenario) -> Call:
        """What came of a scenario, which is tried once; raises NotReached, LeftAlone."""
        key = scenario.tool, key_of(scenario.arguments)
        if key not in self._calls:
            call = self._calls[key] = self._called(scenario)
            self._lost[scenario.tool] += call.answer.ending in LOST
        return self._calls[key]

    def made(self, tool: str) -> list[Call]:
        """The calls of a tool that were made up to now."""
        return [call for (name, _), call in self._calls.items() if name == tool]

    def _called(self, scenario: Scenario) -> Call:
        tool = scenario.tool
        if self._lost[tool] >= MOST_LOST:
            words = f"{tool} is skipped after {MOST_LOST} crashed or timed-out calls"
            raise LeftAlone(words)
        self._reset(tool)
        before = self._settings.reset(tool)
        if before is not None:
            self._run(self._call_reset(before))
        try:
            return self._run(self._runner.call(self._tools[tool], scenario))
        except Held:
            raise
        except Stuck as refusal:
            raise Stuck(f"during {tool}({shown(scenario.arguments)}) {refusal}") from None

    async def _call_reset(self, tool: str) -> None:
        await self._caller.receive(await self._caller.send(CallRequest(tool, {})))

    def _scout(self) -> None:
        """Call what needs nothing and may be called, and plan anew with what it told."""
        if self._is_scouted:
            return
        self._is_scouted = True
        known = self._runner.values
        for tool in listing_first(self._tools.values())[:MOST_SCOUTED]:
            first = next(iter(self.planned(tool["name"]).scenarios), None)
            if first is not None and not first.arguments and first.valid:
                self.called(first)
        if self._runner.values != known:
            self._plans.clear()


def _with(tools: Mapping[str, Any], given: Iterable[GivenSample]) -> dict[str, Any]:
    """What the configuration says about tools, and the samples of the user's tests with it."""
    merged = {name: dict(entry) for name, entry in tools.items() if isinstance(entry, Mapping)}
    for one in given:
        entry, kind = merged.setdefault(one.tool, {}), "valid" if one.valid else "invalid"
        known = entry.get(kind)
        entry[kind] = [*(known if isinstance(known, list) else []), one.arguments]
    return merged
