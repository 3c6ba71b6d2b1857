"""Every tool that may be called, tried in its scenarios and judged; failures made small."""

from __future__ import annotations

from typing import Any, Final

from mcp_assay.assessing.dossier import Dossier
from mcp_assay.assessing.repeating import Repeater, Way, way_of
from mcp_assay.drive.trying import SHRUNK, Told, Trier
from mcp_assay.model.call import Call, Trial
from mcp_assay.model.scenario import Scenario
from mcp_assay.rules.behaviour.judging import judge_trial
from mcp_assay.rules.behaviour.trial import RULES
from mcp_assay.scenario.values import Values
from mcp_assay.schema.checking import Schemas

MOST_SHRINKS: Final = 40
"""So many calls are made to find the smallest one that fails in the same way."""


class Calling:
    """The calls of one assessment."""

    def __init__(self, dossier: Dossier, trier: Trier, told: Told) -> None:
        self._dossier: Final = dossier
        self._options: Final = dossier.options
        self._trier: Final = trier
        self._told: Final = told
        self._repeater: Final = Repeater(dossier.target)

    async def try_all(self) -> None:
        """Try every tool that may be called."""
        self._trier.values = Values.given(self._options.examples)
        try:
            for tool in self._dossier.tools():
                if self._dossier.permissions[tool["name"]].allowed:
                    await self._try(tool)
        finally:
            self._dossier.limits.extend(self._trier.keeping.limits())

    async def _try(self, tool: dict[str, Any]) -> None:
        """Try a tool; what its calls showed before an interruption is kept."""
        dossier = self._dossier
        trial = dossier.trials[tool["name"]] = Trial(tool=tool)
        smallest: dict[Way, Call] = {}
        try:
            await self._call(trial)
            smallest = await self._shrunk(trial)
        finally:
            if trial.calls:
                dossier.decided.update(rule.id for rule in RULES)
            for finding in judge_trial(trial, dossier.revision or ""):
                dossier.keep([self._repeater.with_repeat(finding, trial, smallest)])
            self._trier.keeping.release(trial)

    async def _call(self, trial: Trial) -> None:
        options, trier = self._options, self._trier
        if options.args is None:
            seed, budget = options.seed, options.max_calls
            await trier.try_out(trial, seed=seed, budget=budget, told=self._told)
        else:
            scenario = _typed(trial.tool, options.args, Schemas())
            trial.calls.append(await trier.called(trial.tool, scenario))

    async def _shrunk(self, trial: Trial) -> dict[Way, Call]:
        """For each way in which calls of a trial fail the smallest one that does."""
        found: dict[Way, Call] = {}
        for call in trial.calls:
            if call.verdict.trouble not in SHRUNK or way_of(call) in found:
                continue
            found[way_of(call)] = call
            if self._options.shrink and self._options.args is None:
                found[way_of(call)] = await self._trier.smallest(trial.tool, call, MOST_SHRINKS)
        return found


def _typed(tool: dict[str, Any], arguments: dict[str, Any], schemas: Schemas) -> Scenario:
    outcome = schemas.prepare(tool.get("inputSchema", {})).check(arguments).outcome
    valid = None if outcome == "undecided" else outcome == "valid"
    category: Final = "happy_path" if valid else "error_case"
    name = str(tool.get("name", ""))
    return Scenario(tool=name, name="typed", category=category, arguments=arguments, valid=valid)
