"""Schemas and values that cost far more than they weigh."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def doubling(times: int, leaf: Any = None, by: str = "allOf") -> dict[str, Any]:
    """A schema that judges one place twice, and each of these twice, and so on."""
    definitions: dict[str, Any] = {"part0": {"type": "string"} if leaf is None else leaf}
    for number in range(times):
        below = {"$ref": f"#/$defs/part{number}"}
        definitions[f"part{number + 1}"] = {by: [below, below]}
    return {"$defs": definitions, "$ref": f"#/$defs/part{times}"}


def chain(length: int) -> dict[str, Any]:
    """A schema that refers to a schema that refers to a schema, down to a string."""
    definitions: dict[str, Any] = {
        f"link{number}": {"$ref": f"#/$defs/link{number + 1}"} for number in range(length)
    }
    definitions[f"link{length}"] = {"type": "string"}
    return {"$defs": definitions, "$ref": "#/$defs/link0"}


def nested(wrap: Callable[[Any], Any], times: int, core: Any = True) -> Any:
    """The core wrapped so many times."""
    for _ in range(times):
        core = wrap(core)
    return core
