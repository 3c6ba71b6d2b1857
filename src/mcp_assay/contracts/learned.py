"""The learned contract: what a server listed and answered, in a file that people can review."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct, field

from mcp_assay.contracts.conventions import NOTHING, data_of
from mcp_assay.drift.answers import Enums, answer_changes, from_schema, joined, shape_of, to_schema
from mcp_assay.drift.comparison import Change, by_gravity
from mcp_assay.drift.definitions import Containment, definition_changes
from mcp_assay.model.call import CallResult
from mcp_assay.model.scenario import Scenario
from mcp_assay.rules.behaviour.texts import texts_of
from mcp_assay.wire.pointer import pointer

FORMAT: Final = "mcp-assay/contract/1"
MOST_LEARNED: Final = {True: 24, False: 6}
"""So many valid and so many wrong calls of a tool show the shapes of its answers."""
KINDS: Final = ("success", "error")


class ToolContract(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is known of one tool."""

    definition: dict[str, Any]
    """The tool as it was listed."""
    success: dict[str, Any] | None = None
    """The shape of answers to calls that succeeded, as JSON Schema; None where none did."""
    error: dict[str, Any] | None = None
    """The shape of answers that tell an error."""


class Contract(Struct, frozen=True, kw_only=True):
    """What is known of a server."""

    schema: Literal["mcp-assay/contract/1"]
    tools: dict[str, ToolContract] = field(default_factory=dict)


class WrongContract(ValueError):
    """A contract that cannot be used; the text says where and why."""


def read_contract(path: Path) -> Contract | None:
    """The contract in a file, None where there is no file; raises WrongContract."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Contract)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as fault:
        words = f"{path.name} cannot be read: {fault}. Regenerate it with --mcp-assay-update."
        raise WrongContract(words) from fault


def write_contract(path: Path, contract: Contract) -> None:
    """Write a contract in a form that shows well what changed since."""
    text = msgspec.json.format(msgspec.json.encode(contract, order="sorted"), indent=2)
    path.write_bytes(text + b"\n")


def decisive(scenarios: Iterable[Scenario]) -> list[Scenario]:
    """The calls that show the shapes of answers: always the same ones."""
    left = dict(MOST_LEARNED)
    found = []
    for scenario in scenarios:
        if scenario.valid is not None and left[scenario.valid] > 0:
            left[scenario.valid] -= 1
            found.append(scenario)
    return found


def shapes(answers: Mapping[str, list[CallResult]], enums: Enums) -> dict[str, dict[str, Any]]:
    """The shapes of answers as JSON Schema, by "success" and "error"; those that were seen."""
    return {
        kind: to_schema(joined(shape_of(_value(answer), enums) for answer in answers[kind]))
        for kind in KINDS
        if answers.get(kind)
    }


def definition_drift(
    old: ToolContract, new: Mapping[str, Any], containment: Containment | None
) -> list[Change]:
    """What changed in the definition of a tool."""
    changes = definition_changes({"tools": [old.definition]}, {"tools": [new]}, containment)
    return by_gravity(changes)


def answer_drift(old: ToolContract, tool: str, new: Mapping[str, Any]) -> list[Change]:
    """What changed in the answers of a tool, of those kinds that were seen then and now."""
    found: list[Change] = []
    for kind, before in (("success", old.success), ("error", old.error)):
        if before is not None and kind in new:
            place = pointer(("tools", tool, kind))
            found += answer_changes(from_schema(before), from_schema(new[kind]), place)
    return by_gravity(found)


def _value(answer: CallResult) -> Any:
    """What is compared of an answer: its data, else its words, else the JSON-RPC error."""
    if answer.error is not None:
        return answer.error
    data = data_of(answer.result)
    return "\n".join(texts_of(answer.result)) if data is NOTHING else data
