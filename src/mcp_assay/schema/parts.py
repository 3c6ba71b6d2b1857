"""The schemas inside a schema, each with the place where it stands."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Any, Final

from msgspec import Struct

from mcp_assay.schema.keywords import NAMED, ONE_OR_LIST, Schema
from mcp_assay.schema.limits import WILD_BEYOND
from mcp_assay.wire.pointer import Path

_NOT_SCHEMAS: Final = frozenset({"$defs", "definitions"})
"""Their schemas judge nothing where they stand."""


class Part(Struct, frozen=True):
    """A schema, where in the whole it stands, and the keyword that it stands under."""

    schema: Schema
    path: Path = ()
    keyword: str = ""

    @property
    def is_shelved(self) -> bool:
        """Whether it stands among the definitions, where only references lead."""
        return self.keyword in _NOT_SCHEMAS

    @property
    def name(self) -> str | None:
        """The name of the property that it describes, None where it describes none."""
        return str(self.path[-1]) if self.keyword == "properties" else None

    @property
    def is_property(self) -> bool:
        """Whether properties alone lead to it."""
        return bool(self.path) and all(step == "properties" for step in self.path[::2])


def parts(document: Schema) -> tuple[list[Part], bool]:
    """The schemas of a document, the outer ones first, and whether these are all."""
    found: list[Part] = []
    waiting = deque([Part(document)])
    while waiting:
        part = waiting.popleft()
        found.append(part)
        if len(found) + len(waiting) > WILD_BEYOND.subschemas:
            return found, False
        if len(part.path) <= 2 * WILD_BEYOND.depth:
            waiting.extend(_inside(part))
    return found, True


def _inside(part: Part) -> Iterator[Part]:
    for keyword, value in part.schema.items():
        if keyword in NAMED and isinstance(value, dict):
            yield from _schemas(value.items(), (*part.path, keyword), keyword)
        elif keyword in ONE_OR_LIST and isinstance(value, list):
            yield from _schemas(enumerate(value), (*part.path, keyword), keyword)
        elif keyword in ONE_OR_LIST and isinstance(value, dict):
            yield Part(value, (*part.path, keyword), keyword)


def _schemas(values: Any, path: Path, keyword: str) -> Iterator[Part]:
    for step, value in values:
        if isinstance(value, dict):
            yield Part(value, (*path, step), keyword)
