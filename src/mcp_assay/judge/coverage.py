"""What the successful calls of a tool reached of its arguments, and what they did not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from mcp_assay.model.call import Call, ToolRun
from mcp_assay.model.scenario import PlannedPlace
from mcp_assay.model.tool import Coverage, Reached
from mcp_assay.wire.pointer import tokens
from mcp_assay.wire.values import quoted

MOST_MISSED: Final = 20
"""So many of what was not reached are listed."""
MOST_MISSED_NAMED: Final = 3
CLIENT_INPUTS: Final[Mapping[str, str]] = {
    "sampling": "a model's message (sampling)",
    "elicitation": "user input (elicitation)",
    "roots": "the client's roots",
}
"""What a server may ask its client for, by the table that answers such requests."""
NO_SUCCESS: Final = "No call succeeded."
NO_SURROUNDINGS: Final = "No call succeeded: a dependency was unavailable."


def coverage_of(tool_run: ToolRun) -> Coverage:
    """What the calls of a tool reached; only those that succeeded reach anything."""
    succeeded = [call for call in tool_run.calls if call.verdict.succeeded]
    places = [place for place in tool_run.places if place.listed]
    listed = {place.pointer: _values(place, succeeded) for place in places}
    options = _options(tool_run, succeeded)
    return Coverage(
        valid_calls=sum(call.scenario.valid is True for call in tool_run.calls),
        invalid_calls=sum(call.scenario.valid is False for call in tool_run.calls),
        succeeded=len(succeeded),
        listed_values=listed,
        optional_arguments=options,
        asked_of_client=dict(tool_run.wanted),
        not_reached=[
            *_gaps(tool_run, listed, options, len(succeeded)),
            *(
                f"It asked its client for {CLIENT_INPUTS[table]}, but got none."
                for table in tool_run.wanted
            ),
            *(gap.text for gap in tool_run.gaps),
        ],
    )


def _values(place: PlannedPlace, succeeded: list[Call]) -> Reached:
    """The values that a place lists, each once."""
    listed = {_key(value): value for value in place.listed or ()}
    steps = tokens(place.pointer)
    sent = {_key(one) for call in succeeded for one in _at(call.scenario.arguments, steps)}
    return _reached(listed, sent)


def _options(tool_run: ToolRun, succeeded: list[Call]) -> Reached:
    """The arguments that may be left out."""
    names = _optional(tool_run.tool.get("inputSchema"))
    sent = {name for call in succeeded for name in call.scenario.arguments}
    return _reached({name: name for name in names}, sent)


def _optional(schema: Any) -> list[str]:
    """The names of the arguments that a schema describes and does not require."""
    said = schema if isinstance(schema, dict) else {}
    members, required = said.get("properties"), said.get("required")
    needed = required if isinstance(required, list) else []
    named = {name for name in needed if isinstance(name, str)}
    return [name for name in members if name not in named] if isinstance(members, dict) else []


def _reached(wanted: dict[Any, Any], sent: set[Any]) -> Reached:
    missed = [value for key, value in wanted.items() if key not in sent]
    return Reached(reached=len(wanted) - len(missed), of=len(wanted), missed=missed[:MOST_MISSED])


def _gaps(
    tool_run: ToolRun, listed: dict[str, Reached], options: Reached, succeeded: int
) -> Iterator[str]:
    """What was not reached, in sentences; where nothing succeeded, that says it all."""
    if not succeeded:
        lacking = any(call.verdict.trouble == "environment" for call in tool_run.calls)
        yield from [NO_SURROUNDINGS if lacking else NO_SUCCESS] if tool_run.calls else []
        return
    for place, one in listed.items():
        if one.missed:
            missed = f"{place[1:][:60]} {_named(one, one.of - one.reached)}"
            yield f"{missed}: no successful call; {one.reached} of {one.of} values covered."
    if options.missed:
        yield f"No successful call used {_named(options, options.of - options.reached)}."


def _named(one: Reached, number: int) -> str:
    shown = [quoted(value) if isinstance(value, str) else str(value)[:40] for value in one.missed]
    more = f" and {number - MOST_MISSED_NAMED} more" if number > MOST_MISSED_NAMED else ""
    return ", ".join(shown[:MOST_MISSED_NAMED]) + more


def _at(value: Any, steps: list[str]) -> Iterable[Any]:
    """What stands at a place; all items of an array count as one place."""
    if not steps:
        return [value]
    step, *rest = steps
    if isinstance(value, list):
        return [found for item in value for found in _at(item, rest)]
    return _at(value[step], rest) if isinstance(value, dict) and step in value else []


def _key(value: Any) -> tuple[str, str]:
    """What equal JSON values have in common: 1 is 1.0, and not true."""
    kind = "number" if type(value) in (int, float) else type(value).__name__
    return kind, repr(value if kind != "number" or value % 1 else int(value))
