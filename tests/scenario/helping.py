"""Plans for small tools, and an independent check of arguments."""

from __future__ import annotations

from typing import Any

import jsonschema_rs

from mcp_assay.model.scenario import Plan, Scenario
from mcp_assay.scenario.known_values import Values
from mcp_assay.scenario.plan import plan
from mcp_assay.schema.checker import Schemas

NOTHING_KNOWN = Values()


def planned(
    schema: Any,
    *,
    budget: int = 50,
    seed: int = 0,
    values: Values = NOTHING_KNOWN,
    tool: str = "try",
) -> Plan:
    """The plan for a tool with this inputSchema."""
    definition = {"name": tool, "inputSchema": schema}
    return plan(definition, seed=seed, budget=budget, values=values, schemas=Schemas())


def closed(properties: dict[str, Any], required: list[str] | None = None) -> dict[str, Any]:
    """The schema of an object with these members and no others."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties) if required is None else required,
        "additionalProperties": False,
    }


def field(schema: Any, **more: Any) -> dict[str, Any]:
    """The schema of arguments with one required member x."""
    return {**closed({"x": schema}), **more}


def is_valid(schema: Any, arguments: object) -> bool:
    """What another judge than ours says about arguments."""
    return bool(jsonschema_rs.validator_for(schema, offline=True).is_valid(arguments))


def named(found: Plan, name: str, pointer: str | None = None) -> list[Scenario]:
    """The scenarios whose names begin so, at a pointer."""
    return [
        one
        for one in found.scenarios
        if one.name.startswith(name) and (pointer is None or one.pointer == pointer)
    ]


def first(schema: Any, *, values: Values = NOTHING_KNOWN, tool: str = "try") -> dict[str, Any]:
    """The arguments of the happy path."""
    return planned(schema, budget=1, values=values, tool=tool).scenarios[0].arguments
