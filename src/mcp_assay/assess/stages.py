"""The stages of an assessment once a server is there: list, permit, probe, read and call."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from mcp_assay.assess.effect_outcomes import effect_findings, effect_outcomes
from mcp_assay.assess.effect_proofs import EffectProofs
from mcp_assay.assess.events import emit_permitted, emit_phase
from mcp_assay.assess.permissions import Ask, permit
from mcp_assay.assess.probes import ServerProbes
from mcp_assay.assess.reads import ServerReads
from mcp_assay.assess.reproduction import RepeatCommands, Repeater
from mcp_assay.assess.rule_outcomes import each_once
from mcp_assay.assess.state import (
    AssessmentContext,
    AssessmentState,
    Called,
    Connected,
    Listed,
    Permitted,
    Proved,
    Read,
    StageParts,
)
from mcp_assay.assess.tool_calls import ToolCalls
from mcp_assay.assess.tool_lists import lint, list_and_lint
from mcp_assay.client.connection import Connection
from mcp_assay.client.late_worker import LateWorker
from mcp_assay.client.links import NotReached
from mcp_assay.client.sandbox.admission import is_disposable
from mcp_assay.client.target import Command, Target
from mcp_assay.judge.errors.patterns import Pattern
from mcp_assay.judge.errors.world_patterns import world_patterns
from mcp_assay.judge.judge import ResponseJudge
from mcp_assay.rules.behaviour.effect_rule import effect_rules
from mcp_assay.schema.checker import Schemas


def _patterns(target: Target) -> list[Pattern]:
    """The errors that are not the server's own where it runs in a world."""
    in_world = isinstance(target, Command) and target.sandbox is not None
    return world_patterns() if in_world else []


class Stages:
    """What is done with a server: each stage makes a part that nobody else writes.

    Those that take long know theirs so far.
    """

    def __init__(
        self, context: AssessmentContext, state: Callable[[], AssessmentState], worker: LateWorker
    ) -> None:
        self._context: Final = context
        self._state: Final = state
        self._worker: Final = worker
        self._listed = Listed()
        self._permitted = Permitted()
        self._probes: Final = ServerProbes(context)
        self._reads: ServerReads | None = None
        self._calls: ToolCalls | None = None
        self._proofs: EffectProofs | None = None

    def so_far(self) -> StageParts:
        """What was found out up to now."""
        called = self._calls.so_far() if self._calls else Called()
        return StageParts(
            listed=called.listed or self._listed,
            permitted=called.permitted or self._permitted,
            probed=self._probes.so_far(),
            read=self._reads.so_far() if self._reads else Read(),
            called=called,
            proved=self._proofs.so_far() if self._proofs else Proved(),
        )

    async def list_and_permit(
        self, connection: Connection, connected: Connected, ask: Ask | None
    ) -> None:
        """Hear what the server has, and settle what may be called."""
        context, worker = self._context, self._worker
        emit_phase(context, "listing")
        with context.outcomes.surviving("listing"):
            self._listed = await list_and_lint(connection, context, connected, worker)
        self._permitted = permit(
            self._listed, context.options, ask, is_disposable=is_disposable(context.target)
        )
        emit_permitted(context, self._permitted)

    async def probe_and_call(
        self, connection: Connection, connected: Connected, judge: ResponseJudge | None
    ) -> None:
        """Ask the server what shows how it reacts, read what it lists, and call its tools."""
        context, worker = self._context, self._worker
        surviving = context.outcomes.surviving
        judge = judge or ResponseJudge(_patterns(context.target), worker)
        if context.options.only is None:
            emit_phase(context, "probing")
            with surviving("probing"):
                await self._probes.probe_all(connection, self._listed, self._permitted)
        reads = self._reads = ServerReads(self._state(), connection, judge.explain_error)
        emit_phase(context, "reading")
        with surviving("reading"):
            await reads.read_listed()
        judge_in_revision = partial(judge.judge_parsed, revision=connected.revision)
        calls = ToolCalls(self._state(), connection, judge_in_revision, Schemas(worker))
        self._calls = calls
        emit_phase(context, "calling")
        try:
            with surviving("calling"):
                await calls.run()
        finally:
            if calls.tools.changes:
                with surviving("listing again"):
                    lint(context, connected, calls.tools.listed, worker)
        with surviving("filling in templates"):
            await reads.fill_in_templates(calls.values)
        with surviving("proving effects"):
            await self._prove_effects(connection)

    async def _prove_effects(self, connection: Connection) -> None:
        """Prove what looks suspicious of what the calls did in their world."""
        if connection.effects.row is None:
            return
        emit_phase(self._context, "proving")
        proofs = self._proofs = EffectProofs(self._state())
        await proofs.run()
        self._context.outcomes.limits.extend(proofs.limits())

    def _keep_effects(self, state: AssessmentState) -> None:
        """Keep what is proven, and which rules about effects were decided."""
        if state.connection is None or state.connection.effects.row is None:
            return
        outcomes = self._context.outcomes
        outcomes.keep(effect_findings(state))
        steps = list(effect_outcomes(state, is_cut=self._proofs is None))
        outcomes.leave_open(steps)
        left = {step.rule for step in steps}
        outcomes.decided.update(one.id for one in effect_rules() if one.id not in left)

    async def probe_from_outside(self, refusal: NotReached) -> None:
        """Look at what a server that wants a token says to strangers."""
        await self._probes.probe_from_outside(refusal)

    def keep_observed(self, connection: Connection) -> None:
        """Keep what the messages of all stages showed, with calls that show it again."""
        state, outcomes = self._state(), self._context.outcomes
        tools, permission_of = state.listed.surface.tools, state.permissions.get
        commands = RepeatCommands(state.target, state.options, state.revision, tools, permission_of)
        known = {str(tool["name"]) for tool in state.listed.tools()}
        known.update(run.name for run in state.all_runs())
        observed = each_once(connection.findings(), state.probed.observed, known)
        repeater = Repeater(commands, state.target)
        with outcomes.surviving("effects"):
            self._keep_effects(state)
        with outcomes.surviving("reproduction"):
            observed = list(repeater.with_repeats(observed, state.all_runs()))
        outcomes.keep_observed(observed)
        outcomes.keep_faults(connection.observations.own_faults)
        outcomes.limits.extend(connection.limits())
