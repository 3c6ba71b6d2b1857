"""The probes that suit a server, made one by one; what each rule came to."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, Final

from msgspec.structs import replace

from mcp_assay.assessing.dossier import Dossier
from mcp_assay.drive.connection import Connection
from mcp_assay.drive.gate import Withdrawn
from mcp_assay.drive.probing import Prober
from mcp_assay.drive.target import AUTO, Endpoint
from mcp_assay.model.finding import Finding
from mcp_assay.model.probe import Open
from mcp_assay.rules import load
from mcp_assay.rules.challenges import FORBIDDEN
from mcp_assay.rules.probes.known import Known, Sample
from mcp_assay.rules.probes.probe import PROBES, Probe, findings
from mcp_assay.rules.probes.tool_validation import announced
from mcp_assay.scenario.planning import Planning
from mcp_assay.scenario.values import Values
from mcp_assay.schema.checking import Schemas
from mcp_assay.spec.catalogue import CATALOGUE
from mcp_assay.spec.revisions import DEFAULT_REVISION
from mcp_assay.transport.links import NotReached

MOST_LOST: Final = 8
"""After so many steps that were not answered the server is left alone."""
MOST_SAMPLES: Final = 20
FEW: Final = 10
"""Scenarios of a tool among which a valid and an invalid one are looked for."""
LEFT_ALONE: Final = "the server was left alone after questions that it did not answer or survive"


async def probe_all(connection: Connection, dossier: Dossier) -> None:
    """Make every probe that the user wants and the server gives a chance for."""
    await _make_probes(_known(connection, dossier), dossier)


async def probe_from_outside(dossier: Dossier, refusal: NotReached) -> None:
    """Make the probes that need no conversation, of a server that lets us not in."""
    endpoint, revision = dossier.target, dossier.options.revision
    assert isinstance(endpoint, Endpoint), "only over HTTP there is a door"
    known = Known(
        revision=DEFAULT_REVISION if revision == AUTO else revision,
        is_http=True,
        is_closed=True,
        forbidden=refusal.challenge if refusal.status == FORBIDDEN else "",
        has_credentials=bool(endpoint.headers),
        url=endpoint.url,
    )
    await _make_probes(known, dossier)


async def _make_probes(known: Known, dossier: Dossier) -> None:
    load()
    options = dossier.options.driving()
    if not known.is_old_http:  # which only an open choice of the revision finds
        options = replace(options, revision=known.revision)
    wanted = [probe for probe in PROBES if _is_wanted(probe, known.revision, dossier.wanted)]
    starts_ahead = any(one.begins_anew and one.reason_against(known) is None for one in wanted)
    prober = Prober(dossier.target, options, starts_ahead=starts_ahead)
    try:
        for probe in wanted:
            await _probe(probe, known, prober, dossier)
    finally:
        heard = await prober.close()
        # what was said before any agreement was judged by the rules of a revision that we guessed
        dossier.heard_probing.extend(one for one in heard if one.revision == known.revision)


def _is_wanted(probe: Probe, revision: str, wanted: Collection[str]) -> bool:
    return any(rule in wanted and revision in CATALOGUE[rule].revisions for rule in probe.decides)


async def _probe(probe: Probe, known: Known, prober: Prober, dossier: Dossier) -> None:
    against = probe.reason_against(known)
    if against is None and prober.lost >= MOST_LOST:
        against = "undecided", LEFT_ALONE
    if against is not None:
        dossier.leave_open(Open(rule, *against) for rule in probe.decides)
        return
    try:
        verdicts = await prober.verdicts(probe, known)
    except (NotReached, Withdrawn) as refusal:
        dossier.leave_open(Open(rule, "undecided", str(refusal)) for rule in probe.decides)
        return
    shown = prober.dialogue.shown(dossier.redactor)
    dossier.keep(_with_dialogue(one, shown) for one in findings(verdicts, known.revision))
    dossier.leave_open(it for it in verdicts if isinstance(it, Open))
    told = {it.rule for it in verdicts}
    dossier.decided.update(set(probe.decides) - told)


def _with_dialogue(finding: Finding, dialogue: list[dict[str, str]]) -> Finding:
    """The finding with the end of the conversation that shows it."""
    return replace(finding, details={**(finding.details or {}), "dialogue": dialogue})


def _known(connection: Connection, dossier: Dossier) -> Known:
    surface, target = dossier.surface, dossier.target
    allowed = [name for name, it in dossier.permissions.items() if it.allowed]
    endpoint = target if isinstance(target, Endpoint) else None
    known = Known(
        revision=connection.revision,
        is_http=endpoint is not None,
        is_old_http=connection.way == "old",
        has_session=connection.has_session,
        has_credentials=bool(endpoint and endpoint.headers),
        url=endpoint.url if endpoint else None,
        capabilities=connection.opened.capabilities or {},
        offered=dossier.offered,
        tools=_objects(surface.tools),
        resources=_objects(surface.resources),
        templates=_objects(surface.templates),
        prompts=_objects(surface.prompts),
        unheard=surface.unheard,
        callable=allowed,
    )
    needs_samples = known.is_modern or known.declares("tasks") or announced(known) is None
    return replace(known, samples=_samples(dossier)) if needs_samples else known


def _samples(dossier: Dossier) -> dict[str, Sample]:
    """Arguments for some of the tools that may be called, as their scenarios have them."""
    values, schemas = Values.given(dossier.options.examples), Schemas()
    allowed = [tool for tool in dossier.tools() if dossier.permissions[tool["name"]].allowed]
    return {
        tool["name"]: _sample(
            Planning(tool, seed=dossier.options.seed, budget=FEW, values=values, schemas=schemas)
        )
        for tool in allowed[:MOST_SAMPLES]
    }


def _sample(planning: Planning) -> Sample:
    """The first valid and the first invalid arguments; what comes after them is never made."""
    found: dict[bool, dict[str, Any]] = {}
    for scenario in planning.scenarios:
        if scenario.valid is not None:
            found.setdefault(scenario.valid, scenario.arguments)
        if found.keys() == {True, False}:
            break
    return Sample(valid=found.get(True), invalid=found.get(False))


def _objects(items: Iterable[Any]) -> list[dict[str, Any]]:
    return [item for item in items if isinstance(item, dict)]
