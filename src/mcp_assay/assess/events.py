"""What happens in an assessment -> events, without the secrets that were given."""

from __future__ import annotations

import json

from mcp_assay.assess.state import AssessmentContext, Connected, Permitted
from mcp_assay.assess.tool_runs import status_of
from mcp_assay.client.response import LONGEST_MESSAGE_SHOWN
from mcp_assay.model.call import Call, ToolRun
from mcp_assay.model.event import (
    CallEvent,
    ConnectedEvent,
    ListedEvent,
    Nobody,
    PermittedEvent,
    Phase,
    PhaseEvent,
    ProgressEvent,
)
from mcp_assay.model.tool import CallRow
from mcp_assay.rules.definition.surface import Surface
from mcp_assay.text.redaction import CUT, Redactor


def emit_connected(context: AssessmentContext, connected: Connected) -> None:
    """Report whom we are connected to."""
    context.listener.emit(
        ConnectedEvent(
            server_info=context.redactor.lines(connected.server_info),
            revision=connected.revision,
            revisions_offered=list(connected.offered),
        )
    )


def count_of(surface: Surface) -> ListedEvent:
    """How many things of each kind there are."""
    return ListedEvent(
        tools=len(surface.tools),
        resources=len(surface.resources),
        templates=len(surface.templates),
        prompts=len(surface.prompts),
    )


def emit_permitted(context: AssessmentContext, permitted: Permitted) -> None:
    """Tell which tools may be called."""
    clean = context.redactor.line
    for name, it in permitted.permissions.items():
        event = PermittedEvent(tool=clean(name), allowed=it.allowed, reason=clean(it.text))
        context.listener.emit(event)


def emit_call(context: AssessmentContext, call: Call) -> None:
    """Tell of a call that was made and judged."""
    if not isinstance(context.listener, Nobody):  # there are many calls, and a row has its price
        row = call_row(call, context.redactor)
        context.listener.emit(CallEvent(call=context.redactor.lines(row)))


def emit_phase(context: AssessmentContext, phase: Phase) -> None:
    """Tell what is done from now on."""
    context.listener.emit(PhaseEvent(phase=phase))


def emit_progress(context: AssessmentContext, run: ToolRun, *, is_finished: bool) -> None:
    """Tell what the calls of a tool show up to now."""
    if isinstance(context.listener, Nobody) or not run.calls:
        return
    verdict = status_of(run.calls, "", run.evidence)
    context.listener.emit(
        ProgressEvent(
            tool=context.redactor.line(run.name),
            status=verdict.status,
            called=verdict.called,
            succeeded=verdict.succeeded,
            rejected=verdict.rejected,
            failed=verdict.failed,
            unproven=verdict.unproven,
            finished=is_finished,
        )
    )


def call_row(call: Call, redactor: Redactor) -> CallRow:
    """A call as a report holds it."""
    return CallRow(
        number=call.number,
        tool=call.scenario.tool,
        scenario=call.scenario.name,
        arguments=call.scenario.arguments,
        valid=call.scenario.valid,
        outcome=call.verdict.outcome,
        trouble=call.verdict.trouble,
        ending=call.answer.ending,
        answer=shown_answer(call.answer.text, redactor),
        sign=call.sign,
        effects=call.effects,
    )


def shown_answer(text: bytes, redactor: Redactor) -> str | None:
    """An answer as it came, without secrets, cut where it is long; None where there was none."""
    if redacted := redactor.message(text):
        return json.dumps(redacted[0], ensure_ascii=False)
    shown = text.decode(errors="backslashreplace")
    return f"{shown}{CUT}" if len(text) >= LONGEST_MESSAGE_SHOWN else shown or None
