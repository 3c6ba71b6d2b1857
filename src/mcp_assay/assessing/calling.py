"""Every tool that may be called, tried in its scenarios and judged; failures made small."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, Final

from mcp_assay.assessing.dossier import Dossier
from mcp_assay.assessing.following import Follower
from mcp_assay.assessing.looking_back import LookingBack
from mcp_assay.assessing.repeating import Repeater, Way, way_of
from mcp_assay.assessing.telling import tell_call
from mcp_assay.assessing.typed import typed
from mcp_assay.drive.gate import Withdrawn
from mcp_assay.drive.rounds import Told
from mcp_assay.drive.trying import SHRUNK, Trier
from mcp_assay.drive.witnessing import HINT_OF, Witnesses
from mcp_assay.model.call import Call, Trial
from mcp_assay.model.finding import Finding
from mcp_assay.rules.behaviour.causes import framework_of, told_once
from mcp_assay.rules.behaviour.judging import decided_by, judge_trial
from mcp_assay.scenario.values import Values
from mcp_assay.schema.checking import Schemas

MOST_SHRINKS: Final = 40
"""So many calls are made to find the smallest one that fails in the same way."""
MOST_DEATHS: Final = 5
"""So many are made where each may end the server: it is not started without end."""

LOST_RESET: Final = "{}, which resets it, may not be called any more."


class Calling:
    """The calls of one assessment."""

    def __init__(
        self,
        dossier: Dossier,
        follower: Follower,
        trier: Trier,
        looking_back: LookingBack | None = None,
    ) -> None:
        self._dossier: Final = dossier
        self._options: Final = dossier.options
        self._follower: Final = follower
        self._trier: Final = trier
        self._told: Final[Told] = partial(tell_call, dossier)
        self._repeater: Final = Repeater(dossier)
        self._witnesses: Final = Witnesses(trier, self._told)
        self._found: Final[list[Finding]] = []
        self._looking_back = looking_back
        self._planned: Iterator[dict[str, Any]] = iter(())
        self._planned_at = -1

    async def try_all(self) -> None:
        """Try every tool that may be called, while there is a server.

        What was shown before an interruption is kept.
        """
        self._trier.values = Values.given(self._options.examples)
        self._trier.resets = dict(self._resets())
        try:
            while tool := await self._next() or await self._next_after_all():
                await self._try(tool)
            if self._options.args is None:
                await self._witnesses.observe(list(self._comparable()))
        finally:
            self._dossier.compared.extend(self._witnesses.calls)
            self._dossier.limits.extend(self._trier.keeping.limits())
            self._tell()

    async def _next(self) -> dict[str, Any] | None:
        """The next tool to try, by what is listed now; None after the last."""
        await self._follower.look()
        if self._planned_at != self._follower.changes:
            self._planned_at = self._follower.changes
            self._planned = iter(self._dossier.tools())
        return next(filter(self._is_due, self._planned), None)

    async def _next_after_all(self) -> dict[str, Any] | None:
        """A tool that has become another one without a word; that is looked for only once."""
        looking_back, self._looking_back = self._looking_back, None
        if looking_back is None or self._options.args is not None or not self._dossier.trials:
            return None
        await looking_back.look()
        return await self._next()

    def _is_due(self, tool: dict[str, Any]) -> bool:
        """Whether a tool may be called, and was not yet tried by its definition."""
        name, dossier = tool["name"], self._dossier
        if not dossier.may_call(name):
            return False
        return name not in dossier.trials or (name in dossier.outdated and self._budget(name) > 0)

    def _budget(self, tool: str) -> int:
        """How many more calls of a tool may be made, however often it changes."""
        return self._options.max_calls - len(self._dossier.calls_of(tool))

    def _comparable(self) -> Iterator[Trial]:
        """The trials of tools that may still be called as they were."""
        for name, trial in self._dossier.trials.items():
            if self._dossier.may_call(name) and name not in self._dossier.outdated:
                yield trial

    async def _try(self, tool: dict[str, Any]) -> None:
        """Try a tool, and judge it at once: its answers may have to be let go."""
        trial = self._begun(tool)
        trial.gaps.extend(self._without_reset(trial.name))
        smallest: dict[Way, Call] = {}
        try:
            await self._call(trial)
            smallest = await self._shrunk(trial)
        except Withdrawn as refused:
            trial.gaps.extend([LOST_RESET.format(refused)] if str(refused) != trial.name else ())
        finally:
            self._dossier.decided.update(decided_by([trial]))
            known = {one.fingerprint for one in self._found}  # by an earlier definition of it
            found = self._judged(trial, smallest)
            self._found.extend(one for one in found if one.fingerprint not in known)
            self._trier.keeping.release(trial)

    def _begun(self, tool: dict[str, Any]) -> Trial:
        """A trial by the latest definition of a tool; one by an earlier definition is put aside."""
        dossier, name = self._dossier, tool["name"]
        if name in dossier.trials:
            dossier.earlier.append(dossier.trials[name])
        dossier.outdated.discard(name)
        dossier.trials[name] = Trial(tool=tool)
        return dossier.trials[name]

    def _judged(self, trial: Trial, smallest: Mapping[Way, Call]) -> Iterator[Finding]:
        for finding in judge_trial(trial, self._dossier.revision or ""):
            yield self._repeater.with_repeat(finding, trial, smallest)

    def _tell(self) -> None:
        """Keep what was found; what several tools do in the same way is told once."""
        dossier, trials = self._dossier, self._dossier.all_trials()
        seen = [
            finding
            for trial in trials
            if trial.observations
            for finding in self._judged(trial, {})
            if finding.rule in HINT_OF
        ]
        dossier.decided.update(self._witnesses.decided)
        for tool, hint in self._witnesses.held:
            dossier.hints.setdefault(tool, {})[hint] = "held"
        for finding in seen:
            tool, hint = finding.where.tool or "", HINT_OF[finding.rule]
            dossier.hints.setdefault(tool, {})[hint] = "contradicted"
        dossier.keep(told_once([*self._found, *seen], framework_of(trials)))

    def _resets(self) -> Iterator[tuple[str, str]]:
        """The tools that put back what others change, as far as they may be called."""
        for name, known in self._trier.values.examples.items():
            if known.reset is not None and self._dossier.may_call(known.reset):
                yield name, known.reset

    def _without_reset(self, tool: str) -> Iterator[str]:
        known = self._trier.values.examples.get(tool)
        if known and known.reset and tool not in self._trier.resets:
            yield f"{known.reset}, which resets it, may not be called: --allow {known.reset}."

    async def _call(self, trial: Trial) -> None:
        options, trier = self._options, self._trier
        if options.args is None:
            seed, budget = options.seed, self._budget(trial.name)
            await trier.try_out(trial, seed=seed, budget=budget, told=self._told)
        else:
            trial.places.extend(trier.places(trial.tool))
            scenario = typed(trial.tool, options.args, Schemas())
            trial.calls.append(await trier.called(trial.tool, scenario))
            self._told(trial.calls[-1])

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
