"""Every tool that may be called, tried in its scenarios and judged; failures made small."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from mcp_assay.assessing.dossier import Dossier
from mcp_assay.assessing.repeating import Repeater, Way, way_of
from mcp_assay.assessing.typed import typed
from mcp_assay.drive.trying import SHRUNK, Told, Trier
from mcp_assay.model.call import Call, Trial
from mcp_assay.rules.behaviour.judging import judge_trial
from mcp_assay.rules.behaviour.trial import RULES
from mcp_assay.scenario.values import Values
from mcp_assay.schema.checking import Schemas

MOST_SHRINKS: Final = 40
"""So many calls are made to find the smallest one that fails in the same way."""
MOST_DEATHS: Final = 5
"""So many are made where each may end the server: it is not started without end."""


class Calling:
    """The calls of one assessment."""

    def __init__(self, dossier: Dossier, trier: Trier, told: Told) -> None:
        self._dossier: Final = dossier
        self._options: Final = dossier.options
        self._trier: Final = trier
        self._told: Final = told
        self._repeater: Final = Repeater(dossier)

    async def try_all(self) -> None:
        """Try every tool that may be called, while there is a server."""
        self._trier.values = Values.given(self._options.examples)
        self._trier.resets = dict(self._resets())
        allowed = [it for it in self._dossier.tools() if self._is_allowed(it["name"])]
        try:
            for tool in allowed:
                await self._try(tool)
        finally:
            self._dossier.limits.extend(self._trier.keeping.limits())

    def _is_allowed(self, name: str) -> bool:
        return self._dossier.permissions[name].allowed

    async def _try(self, tool: dict[str, Any]) -> None:
        """Try a tool; what its calls showed before an interruption is kept."""
        dossier = self._dossier
        trial = dossier.trials[tool["name"]] = Trial(tool=tool)
        trial.gaps.extend(self._without_reset(trial.name))
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

    def _resets(self) -> Iterator[tuple[str, str]]:
        """The tools that put back what others change, as far as they may be called."""
        for name, known in self._trier.values.examples.items():
            if known.reset is not None and self._may_call(known.reset):
                yield name, known.reset

    def _without_reset(self, tool: str) -> Iterator[str]:
        known = self._trier.values.examples.get(tool)
        if known and known.reset and tool not in self._trier.resets:
            yield f"{known.reset}, which resets it, may not be called: --allow {known.reset}."

    def _may_call(self, tool: str) -> bool:
        permission = self._dossier.permissions.get(tool)
        return permission is not None and permission.allowed

    async def _call(self, trial: Trial) -> None:
        options, trier = self._options, self._trier
        if options.args is None:
            seed, budget = options.seed, options.max_calls
            await trier.try_out(trial, seed=seed, budget=budget, told=self._told)
        else:
            scenario = typed(trial.tool, options.args, Schemas())
            trial.calls.append(await trier.called(trial.tool, scenario))

    async def _shrunk(self, trial: Trial) -> dict[Way, Call]:
        """For each way in which calls of a trial fail the smallest one that does."""
        found: dict[Way, Call] = {}
        for call in trial.calls:
            if call.verdict.trouble not in SHRUNK or way_of(call) in found:
                continue
            if not self._options.shrink or self._options.args is not None:
                found[way_of(call)] = call
            elif await self._is_lasting(trial, call):
                most = MOST_DEATHS if call.verdict.trouble == "died" else MOST_SHRINKS
                found[way_of(call)] = await self._trier.smallest(trial.tool, call, most)
        return found

    async def _is_lasting(self, trial: Trial, call: Call) -> bool:
        """Whether the call alone does it: a server may die of all that it was asked before."""
        if call.verdict.trouble != "died":
            return True
        return (await self._trier.alone(trial.tool, call)).verdict.trouble == "died"
