"""What calls did each time they were made alone in fresh worlds, and what nobody did without."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from mcp_assay.model.effect import Effects


class WorldPlaces(Struct, frozen=True, kw_only=True):
    """What of a world its server was told, and where it lies."""

    home: str = ""
    cwd: str = ""
    named: tuple[str, ...] = ()
    """The folders that the command of the server names."""
    about: str = ""
    """The words of the command and of the server's own name."""


class ProvenCall(Struct, frozen=True, kw_only=True):
    """A call, or the mere start of a server, and what came of it in every world and only there."""

    arguments: Mapping[str, Any]
    effects: Effects
    again: Effects | None = None
    """What the same call did when it was made once more in the same world; None where it was not,
    or where one of both did not succeed."""
    number: int | None = None
    """The call of the run that led to it; None at the start."""


class EffectRecord(Struct, frozen=True, kw_only=True):
    """A tool with its calls that were watched; without a tool the start of the server."""

    tool: Mapping[str, Any] | None
    calls: tuple[ProvenCall, ...]
    places: WorldPlaces = WorldPlaces()

    @property
    def name(self) -> str:
        """The name of the tool."""
        return str((self.tool or {}).get("name", ""))

    def declares(self, hint: str, value: bool) -> bool:
        """Whether a hint of the tool is literally this value."""
        hints = (self.tool or {}).get("annotations")
        return isinstance(hints, Mapping) and hints.get(hint) is value
