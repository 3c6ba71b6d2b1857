"""Which tool to call first: those that list things, so that others can be asked for what exists."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeVar

from mcp_assay.scenario.words import words_of
from mcp_assay.spec.word_lists import word_set

Tool = TypeVar("Tool", bound=Mapping[str, Any])

_LISTING: Final = word_set("list ls index all browse discover enumerate catalog catalogue tree")
_FINDING: Final = word_set("search find query recent latest history")


def listing_first(tools: Iterable[Tool]) -> list[Tool]:
    """The tools, those that need nothing and list much first, else in the order given."""
    return sorted(tools, key=lambda tool: (_needs(tool) > 0, _promise(tool), _needs(tool)))


def _promise(tool: Mapping[str, Any]) -> int:
    """How much a tool promises to name, by its name: the less, the more."""
    name = tool.get("name")
    words = set(words_of(name)) if isinstance(name, str) else set()
    if words & _LISTING:
        return 0
    return 1 if words & _FINDING else 2


def _needs(tool: Mapping[str, Any]) -> int:
    schema = tool.get("inputSchema")
    required = schema.get("required") if isinstance(schema, Mapping) else None
    return len(required) if isinstance(required, list) else 0
