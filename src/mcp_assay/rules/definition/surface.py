"""What a server lists, as it came: nothing in it is taken for granted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

LISTS: Final[Mapping[str, str]] = {
    "tools": "tool",
    "resources": "resource",
    "resourceTemplates": "resource template",
    "prompts": "prompt",
}
"""The lists of a server by the names that results have for them, and what is in them."""


class Surface(Struct, frozen=True, kw_only=True):
    """The definitions that a server lists, all pages together, as they are on the wire."""

    tools: Sequence[Any] = ()
    resources: Sequence[Any] = ()
    templates: Sequence[Any] = ()
    prompts: Sequence[Any] = ()
    unfinished: frozenset[str] = frozenset()
    """The lists of which only the first pages are here, by their names in results."""

    @property
    def is_unlisted(self) -> bool:
        """Whether a list did not come at all."""
        return bool(self.unlisted)

    @property
    def unlisted(self) -> list[str]:
        """The lists that did not come at all, by their names in results."""
        return [name for name, it in self.lists().items() if name in self.unfinished and not it]

    def lists(self) -> dict[str, Sequence[Any]]:
        """The lists by the names that results have for them."""
        return {
            "tools": self.tools,
            "resources": self.resources,
            "resourceTemplates": self.templates,
            "prompts": self.prompts,
        }


def surface_of(results: Mapping[str, Any]) -> Surface:
    """The surface in an object that has the lists of results; what is no array is left out."""
    lists = {name: value for name in LISTS if isinstance(value := results.get(name), list)}
    unfinished = frozenset(lists) if "nextCursor" in results else frozenset[str]()
    return Surface(
        tools=lists.get("tools", ()),
        resources=lists.get("resources", ()),
        templates=lists.get("resourceTemplates", ()),
        prompts=lists.get("prompts", ()),
        unfinished=unfinished,
    )


def name_of(definition: object) -> str | None:
    """The name of a definition, None where it has none that is worth the word."""
    name = definition.get("name") if isinstance(definition, dict) else None
    return name if isinstance(name, str) and name else None
