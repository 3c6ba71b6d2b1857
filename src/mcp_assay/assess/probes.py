"""The probes that suit a server, made one by one; what each rule came to."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, Final

from msgspec.structs import replace

from mcp_assay.assess.options import AssessOptions
from mcp_assay.assess.permissions import PermissionWithdrawn
from mcp_assay.assess.probe_runner import Prober, ServerOverloaded
from mcp_assay.assess.state import AssessmentContext, Listed, Permitted, Probed
from mcp_assay.client.connection import Connection
from mcp_assay.client.links import NotReached, TokenSource
from mcp_assay.client.target import Endpoint
from mcp_assay.model.finding import Finding
from mcp_assay.model.probe import OpenStep
from mcp_assay.rules import load
from mcp_assay.rules.behaviour.libraries import MOST_SIGNS, signs_of_answer
from mcp_assay.rules.probe.authorization import issuers_in
from mcp_assay.rules.probe.rule import PROBES, ArgumentSample, Known, Probe, findings
from mcp_assay.rules.probe.tool_validation import announced
from mcp_assay.scenario.known_values import Values
from mcp_assay.scenario.plan import Planning
from mcp_assay.schema.checker import Schemas
from mcp_assay.session.challenges import FORBIDDEN, metadata_in
from mcp_assay.spec.catalogue import CATALOGUE
from mcp_assay.spec.revisions import AUTO, DEFAULT_REVISION

MOST_LOST: Final = 8
"""After so many steps that were not answered the server is left alone."""
MOST_SAMPLES: Final = 20
FEW: Final = 10
"""Scenarios of a tool among which a valid and an invalid one are looked for."""
FAILED: Final = "internal error in mcp-assay"
LEFT_ALONE: Final = "probing stopped after the server repeatedly crashed or timed out"


class ServerProbes:
    """The probes of one assessment: what they observed can be read at any time."""

    def __init__(self, context: AssessmentContext) -> None:
        self._context: Final = context
        self._outcomes: Final = context.outcomes
        self._observed: Final[list[Finding]] = []
        self._signs: Final[set[str]] = set()
        self._issuers: Final[list[str]] = []
        """The authorization servers that the server's metadata name."""

    def so_far(self) -> Probed:
        """What the messages of probes showed up to now."""
        return Probed(observed=tuple(self._observed), signs=frozenset(self._signs))

    async def probe_all(
        self, connection: Connection, listed: Listed, permitted: Permitted
    ) -> Probed:
        """Make every probe that the user wants and the server gives a chance for."""
        return await self._probe_with(_known(connection, self._context, listed, permitted))

    async def probe_from_outside(self, refusal: NotReached) -> Probed:
        """Make the probes that need no conversation, of a server that lets us not in."""
        endpoint, revision = self._context.target, self._context.options.revision
        assert isinstance(endpoint, Endpoint), "this applies only to servers reached over HTTP"
        known = Known(
            revision=DEFAULT_REVISION if revision == AUTO else revision,
            is_revision_known=revision != AUTO,
            is_http=True,
            is_closed=True,
            forbidden=refusal.challenge if refusal.status == FORBIDDEN else "",
            has_credentials=bool(endpoint.headers),
            url=endpoint.url,
        )
        probed = await self._probe_with(known)
        refusal.token_source = TokenSource(
            issuers=tuple(self._issuers),
            metadata=metadata_in(refusal.challenge) or "",
        )
        return probed

    async def _probe_with(self, known: Known) -> Probed:
        load("probe")
        context, wanted = self._context, self._outcomes.wanted
        options = context.options.driving(deadline=context.deadline)
        if not known.is_old_http:  # which only an open choice of the revision finds
            options = replace(options, revision=known.revision)
        probes = [probe for probe in PROBES if _is_wanted(probe, known.revision, wanted)]
        starts_ahead = any(one.begins_anew and one.reason_against(known) is None for one in probes)
        prober = Prober(context.target, options, starts_ahead=starts_ahead)
        try:
            for probe in probes:
                await self._probe(probe, known, prober)
        finally:
            found = await prober.close()
            self._outcomes.limits.extend(prober.limits())
            self._outcomes.keep_faults(prober.own_faults)
            # what was said before any agreement was judged by the rules of a guessed revision
            self._observed.extend(one for one in found if one.revision == known.revision)
        return self.so_far()

    async def _probe(self, probe: Probe, known: Known, prober: Prober) -> None:
        outcomes, against = self._outcomes, probe.reason_against(known)
        if against is None and prober.lost >= MOST_LOST:
            against = "undecided", LEFT_ALONE
        if against is not None:
            outcomes.leave_open(OpenStep(rule, *against) for rule in probe.decides)
            return
        try:
            verdicts = await prober.verdicts(probe, known)
        except (NotReached, PermissionWithdrawn, ServerOverloaded) as refusal:
            why = str(refusal)
            outcomes.leave_open(OpenStep(rule, "undecided", why) for rule in probe.decides)
            return
        except Exception as fault:  # noqa: BLE001  the other probes are not to suffer for it
            outcomes.note_fault(f"the probe of {', '.join(probe.decides)}", fault)
            outcomes.leave_open(OpenStep(rule, "undecided", FAILED) for rule in probe.decides)
            return
        for reply in prober.dialogue.replies():
            self._issuers.extend(issuers_in(reply))
            if len(self._signs) < MOST_SIGNS:
                self._signs.update(signs_of_answer(reply.result, reply.error))
        outcomes.keep(
            _with_dialogue(one, prober.dialogue.shown(self._context.redactor, _sent(one)))
            for one in findings(verdicts, known.revision)
        )
        outcomes.leave_open(it for it in verdicts if isinstance(it, OpenStep))
        outcomes.decided.update(set(probe.decides) - {it.rule for it in verdicts})


def _is_wanted(probe: Probe, revision: str, wanted: Collection[str]) -> bool:
    return any(rule in wanted and revision in CATALOGUE[rule].revisions for rule in probe.decides)


def _sent(finding: Finding) -> str:
    """The text to which a fault is the answer, where the probe says which of several it is."""
    return str((finding.details or {}).get("text", ""))


def _with_dialogue(finding: Finding, dialogue: list[dict[str, str]]) -> Finding:
    """The finding with the end of the conversation that shows it."""
    return replace(finding, details={**(finding.details or {}), "dialogue": dialogue})


def _known(
    connection: Connection, context: AssessmentContext, listed: Listed, permitted: Permitted
) -> Known:
    surface, target = listed.surface, context.target
    allowed = [name for name, it in permitted.permissions.items() if it.allowed]
    endpoint = target if isinstance(target, Endpoint) else None
    known = Known(
        revision=connection.revision,
        is_http=endpoint is not None,
        is_old_http=connection.way == "old",
        session=connection.session_id or "",
        has_session=connection.session_id is not None,
        has_credentials=bool(endpoint and endpoint.headers),
        url=endpoint.url if endpoint else None,
        has_declared=connection.opened.capabilities is not None,
        capabilities=connection.opened.capabilities or {},
        offered=connection.opened.offered,
        tools=_objects(surface.tools),
        resources=_objects(surface.resources),
        templates=_objects(surface.templates),
        prompts=_objects(surface.prompts),
        unlisted=surface.unlisted,
        callable=allowed,
    )
    needs_samples = known.is_modern or known.declares("tasks") or announced(known) is None
    if not needs_samples:
        return known
    return replace(known, samples=_samples(context.options, listed, permitted))


def _samples(
    options: AssessOptions, listed: Listed, permitted: Permitted
) -> dict[str, ArgumentSample]:
    """Arguments for some of the tools that may be called, as their scenarios have them."""
    values, schemas = Values.given(options.examples), Schemas()
    allowed = [tool for tool in listed.tools() if permitted.may_call(tool["name"])]
    return {
        tool["name"]: _sample(
            Planning(tool, seed=options.seed, budget=FEW, values=values, schemas=schemas)
        )
        for tool in allowed[:MOST_SAMPLES]
    }


def _sample(planning: Planning) -> ArgumentSample:
    """The first valid and the first invalid arguments; what comes after them is never made."""
    found: dict[bool, dict[str, Any]] = {}
    for scenario in planning.scenarios:
        if scenario.valid is not None:
            found.setdefault(scenario.valid, scenario.arguments)
        if found.keys() == {True, False}:
            break
    return ArgumentSample(valid=found.get(True), invalid=found.get(False))


def _objects(items: Iterable[Any]) -> list[dict[str, Any]]:
    return [item for item in items if isinstance(item, dict)]
