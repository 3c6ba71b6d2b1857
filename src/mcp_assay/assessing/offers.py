"""A dossier -> the rows of a report on resources, templates and prompts."""

from __future__ import annotations

from typing import Any, Final

from mcp_assay.assessing.dossier import Dossier
from mcp_assay.assessing.reading import OfferKind, about, offered, why_not
from mcp_assay.model.finding import Finding
from mcp_assay.model.report import Offer, OfferStatus
from mcp_assay.rules.probes.reading import Had
from mcp_assay.rules.telling import tell
from mcp_assay.rules.words import REDACTED
from mcp_assay.spec.secrets import holds_secret

NOT_REACHED: Final = "the run ended before"


def offers(dossier: Dossier, kind: OfferKind) -> list[Offer]:
    """One row for each thing of a kind that is listed and can be had."""
    findings = dossier.tally.kept
    return [_offer(dossier, kind, *one, findings) for one in offered(dossier, kind).items()]


def _offer(
    dossier: Dossier, kind: OfferKind, key: str, item: dict[str, Any], findings: list[Finding]
) -> Offer:
    had = dossier.had.get((kind, key))
    if had is None:
        had = Had("not_called", why_not(dossier.options) or NOT_REACHED)
    scenario, name = about(kind, key).scenario, item.get("name")
    own = [
        one for one in findings if scenario in (it.scenario for it in (one.where, *one.examples))
    ]
    told = [tell(one, dossier.revision or "") for one in had.faults if one.rule in dossier.wanted]
    return Offer(
        name=_shown(name) if isinstance(name, str) else None,
        uri=None if kind == "prompts" else _shown(key),
        status=_status(had, own),
        reason=had.reason,
        findings=sorted({one.fingerprint for one in (*told, *own)}),
    )


def _status(had: Had, own: list[Finding]) -> OfferStatus:
    """The status: what the rules about messages find in an answer counts too."""
    is_faulty = any(finding.severity == "error" for finding in own)
    return "partially_working" if had.status == "fully_working" and is_faulty else had.status


def _shown(text: str) -> str:
    return REDACTED if holds_secret(text) else text
