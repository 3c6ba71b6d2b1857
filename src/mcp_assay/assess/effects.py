"""What the calls of an assessment did to the machine, for its report."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from mcp_assay.assess.state import AssessmentState
from mcp_assay.client.sandbox.told_effects import together
from mcp_assay.model.call import Call
from mcp_assay.model.effect import Effects, SandboxRow


def sandbox_row(state: AssessmentState) -> SandboxRow | None:
    """The world that the server ran in; None where it ran in none."""
    return state.connection.effects.row if state.connection else None


def with_effects(state: AssessmentState, calls: Iterable[Call]) -> list[Call]:
    """The calls with all that they did, also with what came after they were judged."""
    seen = _seen(state)
    if not seen:
        return list(calls)
    return [replace(call, effects=seen.get(call.number, call.effects)) for call in calls]


def tool_effects(state: AssessmentState, calls: Iterable[Call]) -> Effects | None:
    """What the calls of a tool did together; None where nobody watched them."""
    found = [call.effects for call in with_effects(state, calls) if call.effects is not None]
    return together(found) if found else None


def _seen(state: AssessmentState) -> Mapping[int, Effects]:
    return state.connection.effects.calls if state.connection else {}
