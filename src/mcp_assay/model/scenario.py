"""What is tried on a tool: scenarios, and what could not be tried."""

from __future__ import annotations

from enum import Enum
from typing import Any, Final

from msgspec import Struct, field

from mcp_assay.model.verdict import Category

AGAIN: Final = "the same call again"
"""The name of the scenario that repeats a call which succeeded, after all others."""
COMPARED: Final = "compared with another tool"
"""The name of calls that were made to see what others change: they are no part of a tool run."""
REAL: Final = "real value"
"""How the names of scenarios begin whose arguments hold what the server has shown."""
BY_CHANCE: Final = "random "
"""How the names of scenarios begin that are made by chance."""
FURTHER: Final = (BY_CHANCE, "usual ")
"""The same of those that come after the first that a sensible caller would make."""
REFUSED_EXAMPLE: Final = "refused example"
"""How the names begin of scenarios with arguments of which the user says that they are refused."""


class Scenario(Struct, frozen=True, kw_only=True):
    """One call that shows something about a tool."""

    tool: str
    name: str
    """What is tried, the same in every run: "happy path", "limit: above the maximum"."""
    category: Category
    arguments: dict[str, Any]
    valid: bool | None
    """Whether the arguments fit the tool's inputSchema; None where that could not be decided.

    Arguments of which the user says that they are to be refused count as not valid.
    """
    pointer: str = ""
    """The argument that it is about."""
    is_guessed: bool = False
    """Whether an object is in it of which the schema says nothing: what it needs was guessed."""
    is_typed: bool = False
    """Whether the user gave the arguments: then they are sent, whatever is in them."""

    @property
    def is_sensible(self) -> bool:
        """Whether a sensible caller would send these arguments.

        What was guessed, or only put together of usual values or by chance, nobody has to mean.
        """
        is_odd = self.is_guessed or self.name.startswith(FURTHER)
        return self.valid is True and self.category == "happy_path" and not is_odd


class PlannedPlace(Struct, frozen=True, kw_only=True):
    """What a schema says of one place of the arguments."""

    pointer: str
    types: tuple[str, ...] = ()
    """The JSON types that a value may have there."""
    listed: tuple[Any, ...] | None = None
    """The values that are allowed there, where they are listed."""
    required: bool = False


class GapKind(Enum):
    """Why something was not tried."""

    UNMADE = "unmade"
    """The schema asks for what cannot be made, or cannot be checked."""
    CONTRADICTION = "contradiction"
    """No arguments can fit the schema."""
    NOT_VARIED = "not_varied"
    """There are more places in the arguments than are varied."""
    EFFORT = "effort"
    """A value so large may only keep the server busy."""
    UNWANTED = "unwanted"
    """The user says that there are no wrong arguments."""
    BUDGET = "budget"
    """--max-calls left scenarios out."""
    SPARED = "spared"
    """Calls had failed in the same way before, or for want of what the tool needs."""
    DANGEROUS = "dangerous"
    """Such a value may end processes, fill a disk, or the like."""
    UNREAD = "unread"
    """Answers were too long to be decoded."""
    GIVEN_UP = "given_up"
    """Too many calls died or were not answered in time."""
    BUSY = "busy"
    """The server was still busy with a call of another tool."""
    REDEFINED = "redefined"
    """The tool changed, and was tried anew."""
    WITHDRAWN = "withdrawn"
    """The tool changed, and may not be called any more."""
    UNCHECKED = "unchecked"
    """Results could not be compared with what the tool says of them."""
    RESET = "reset"
    """The tool that resets this one may not be called."""


class Gap(Struct, frozen=True):
    """Something that was not tried: why, and a sentence about it for people."""

    kind: GapKind
    text: str


class Plan(Struct, frozen=True, kw_only=True):
    """The scenarios of a tool, and what is not tried of it."""

    scenarios: list[Scenario] = field(default_factory=list)
    places: list[PlannedPlace] = field(default_factory=list)
    """The places of the arguments that can be varied."""
    gaps: list[Gap] = field(default_factory=list)

    @property
    def listed(self) -> dict[str, list[Any]]:
        """The values that the schema lists, by the places that have such a list."""
        places = ((place.pointer, place.listed) for place in self.places)
        return {pointer: list(listed) for pointer, listed in places if listed is not None}
