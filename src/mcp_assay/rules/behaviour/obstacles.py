"""What kept every valid call of a tool from success, by what came of its calls."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from math import prod
from typing import Any, Final

import orjson

from mcp_assay.model.call import Call, ToolRun
from mcp_assay.model.obstacle import OBSTACLE_REMEDIES, Obstacle
from mcp_assay.model.scenario import GapKind, PlannedPlace
from mcp_assay.model.verdict import SignKind, Trouble
from mcp_assay.text.words import quote
from mcp_assay.wire.pointer import tokens

INTERNAL_ERROR: Final = -32603
BREAKDOWNS: Final = frozenset({"crashed", "died", "timed_out", "no_content"})
"""The troubles that are the tool's own."""
SIGNS: Final[Mapping[SignKind, Obstacle]] = {
    "not_implemented": Obstacle.NOT_IMPLEMENTED,
    "no_information": Obstacle.NO_INFORMATION,
    "another_step": Obstacle.ANOTHER_STEP,
    "unflagged_error": Obstacle.UNFLAGGED_ERROR,
    "flagged_success": Obstacle.FLAGGED_SUCCESS,
}
FEW_VALUES: Final[Mapping[str, int]] = {"boolean": 2, "null": 1}
"""The types that have so few values that all of them are tried."""


def obstacle_of(tried: ToolRun) -> Obstacle | None:
    """What kept a tool from showing that it works; None where it did, or was not called."""
    succeeded = [call for call in tried.calls if call.verdict.succeeded]
    if not tried.calls or (succeeded and tried.evidence.has_information):
        return None
    if not succeeded:
        return next(_obstacles(tried))
    has_more_to_do = all(call.sign == "another_step" for call in succeeded)
    return Obstacle.ANOTHER_STEP if has_more_to_do else Obstacle.SAME_RESULT


def help_for(tried: ToolRun, obstacle: Obstacle) -> str:
    """What would let a tool succeed; a placeholder stands for arguments that nobody knows."""
    if obstacle is Obstacle.CLIENT_INPUT:
        tables = ", ".join(f"[{table}]" for table in tried.wanted)
        return f"Provide answers to the server's requests in mcp-assay.toml: {tables}."
    add = f"Add working arguments to [tools.{quote(tried.name)}] valid = [{{...}}]."
    return OBSTACLE_REMEDIES.get(obstacle, add)


def _obstacles(tried: ToolRun) -> Iterator[Obstacle]:
    """All that hold, the one first that must go before the others matter."""
    valid = [call for call in tried.calls if call.scenario.valid]
    troubles = {call.verdict.trouble for call in tried.calls if call.scenario.valid is not False}
    if tried.wanted:
        yield Obstacle.CLIENT_INPUT
    if any(call.answer.denied for call in tried.calls):
        yield Obstacle.ACCESS_DENIED
    if "environment" in troubles:
        yield Obstacle.DEPENDENCY
    if tried.is_duplicate:
        yield Obstacle.DUPLICATE_NAME
    if not valid:
        yield _without_valid_calls(tried)
    yield from _by_endings(valid, troubles)
    yield from _by_signs(valid)
    yield from _by_arguments(tried, valid)
    if all(call.verdict.outcome == "undecided" for call in valid):
        yield Obstacle.UNCLEAR_ERROR
    yield Obstacle.REJECTED


def _without_valid_calls(tried: ToolRun) -> Obstacle:
    kinds = {gap.kind for gap in tried.gaps}
    if GapKind.CONTRADICTION in kinds:
        return Obstacle.UNSATISFIABLE
    is_unknown = all(call.scenario.valid is None for call in tried.calls)
    return Obstacle.NOT_CHECKED if is_unknown else Obstacle.NOT_GENERATED


def _by_endings(valid: Sequence[Call], troubles: Collection[Trouble | None]) -> Iterator[Obstacle]:
    """How calls ended that brought no result which could be judged."""
    if any(call.answer.unread or call.answer.ending == "over_limit" for call in valid):
        yield Obstacle.TOO_LONG
    if all(_code(call) == INTERNAL_ERROR for call in valid):
        yield Obstacle.INTERNAL_ERROR
    if not BREAKDOWNS.isdisjoint(filter(None, troubles)):
        yield Obstacle.BROKEN_DOWN
    if any(call.answer.is_queued for call in valid):
        yield Obstacle.SERVER_BUSY
    if any(call.answer.ending == "timed_out" for call in valid):
        yield Obstacle.WAITS
    if any(call.answer.ending == "cancelled" for call in valid):
        yield Obstacle.CUT_OFF


def _by_signs(valid: Sequence[Call]) -> Iterator[Obstacle]:
    """What all answers say that their isError does not."""
    signs = {call.sign for call in valid}
    for sign, obstacle in SIGNS.items():
        if signs == {sign}:
            yield obstacle


def _code(call: Call) -> Any:
    return (call.answer.error or {}).get("code")


def _by_arguments(tried: ToolRun, valid: Sequence[Call]) -> Iterator[Obstacle]:
    """Whether there are arguments at all that were not tried."""
    known = {tokens(place.pointer)[0]: place for place in tried.places if _is_top(place)}
    names = known.keys() | _described(tried.tool.get("inputSchema"))
    if not names and not any(call.scenario.arguments for call in valid):
        yield Obstacle.NO_ARGUMENTS
    possible = prod(_values(known.get(name)) for name in names)
    if names and possible <= len({_key(call) for call in valid}):
        yield Obstacle.ALL_TRIED


def _is_top(place: PlannedPlace) -> bool:
    return len(tokens(place.pointer)) == 1


def _described(schema: Any) -> set[str]:
    """The names of the arguments that a schema describes."""
    members = schema.get("properties") if isinstance(schema, dict) else None
    return set(members) if isinstance(members, dict) else set()


def _values(place: PlannedPlace | None) -> float:
    """How many values an argument may have, or none; infinite where they are not listed."""
    if place is None:
        return float("inf")
    absent = not place.required
    if place.listed is not None:
        return len(place.listed) + absent
    return sum(FEW_VALUES.get(one, float("inf")) for one in place.types) + absent


def _key(call: Call) -> bytes:
    try:
        return orjson.dumps(call.scenario.arguments, option=orjson.OPT_SORT_KEYS)
    except TypeError:
        return repr(call.scenario.arguments).encode(errors="replace")
