"""What happens in an assessment -> events, without the secrets that we were told."""

from __future__ import annotations

import json
from typing import Any

from mcp_assay.assessing.dossier import Dossier
from mcp_assay.drive.keeping import LONGEST_SHOWN
from mcp_assay.model.call import Call
from mcp_assay.model.event import Called, Connected, Listed, Nobody, Permitted
from mcp_assay.rules.definitions.surface import Surface
from mcp_assay.transport.redaction import CUT, Redactor


def tell_connected(dossier: Dossier) -> None:
    """Tell whom we talk to."""
    clean = dossier.redactor.lines
    dossier.listener.tell(
        Connected(
            server_info=clean(dossier.server_info),
            revision=dossier.revision,
            revisions_offered=dossier.offered,
        )
    )


def tell_listed(dossier: Dossier) -> None:
    """Tell how much the server lists."""
    dossier.listener.tell(count_of(dossier.surface))


def count_of(surface: Surface) -> Listed:
    """How many things of each kind there are."""
    return Listed(
        tools=len(surface.tools),
        resources=len(surface.resources),
        templates=len(surface.templates),
        prompts=len(surface.prompts),
    )


def tell_permitted(dossier: Dossier) -> None:
    """Tell which tools may be called."""
    clean = dossier.redactor.line
    for name, it in dossier.permissions.items():
        permitted = Permitted(tool=clean(name), allowed=it.allowed, reason=clean(it.reason))
        dossier.listener.tell(permitted)


def tell_call(dossier: Dossier, call: Call) -> None:
    """Tell of a call that was made and judged."""
    if not isinstance(dossier.listener, Nobody):  # there are many calls, and a row has its price
        dossier.listener.tell(Called(call=dossier.redactor.lines(call_row(dossier, call))))


def call_row(dossier: Dossier, call: Call) -> dict[str, Any]:
    """A call as a report tells of it."""
    return {
        "number": call.number,
        "tool": call.scenario.tool,
        "scenario": call.scenario.name,
        "arguments": call.scenario.arguments,
        "valid": call.scenario.valid,
        "outcome": call.verdict.outcome,
        "trouble": call.verdict.trouble,
        "ending": call.answer.ending,
        "answer": shown_answer(call.answer.text, dossier.redactor),
    }


def shown_answer(text: bytes, redactor: Redactor) -> str | None:
    """An answer as it came, without secrets, cut where it is long; None where there was none."""
    if redacted := redactor.message(text):
        return json.dumps(redacted[0], ensure_ascii=False)
    shown = text.decode(errors="backslashreplace")
    return f"{shown}{CUT}" if len(text) >= LONGEST_SHOWN else shown or None
