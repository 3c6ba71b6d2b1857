"""The dialects of JSON Schema, and the schemas inside a schema with their places."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Any, Final, TypeAlias

from msgspec import Struct

from mcp_assay.schema.limits import WILD_BEYOND
from mcp_assay.wire.pointer import Path

Schema: TypeAlias = dict[str, Any]


class Dialect(Struct, frozen=True, kw_only=True):
    """One draft of JSON Schema, as far as references and identifiers go."""

    uri: str
    engine: str
    """The name of the class that checks this dialect."""
    id_keyword: str = "$id"
    reference_stands_alone: bool = False
    """Whether everything beside a $ref is ignored, an identifier too."""


_ORG: Final = "json-schema.org"
DRAFT_2020_12: Final = Dialect(uri=f"{_ORG}/draft/2020-12/schema", engine="Draft202012Validator")
DIALECTS: Final = (
    Dialect(
        uri=f"{_ORG}/draft-04/schema",
        engine="Draft4Validator",
        id_keyword="id",
        reference_stands_alone=True,
    ),
    Dialect(uri=f"{_ORG}/draft-06/schema", engine="Draft6Validator", reference_stands_alone=True),
    Dialect(uri=f"{_ORG}/draft-07/schema", engine="Draft7Validator", reference_stands_alone=True),
    Dialect(uri=f"{_ORG}/draft/2019-09/schema", engine="Draft201909Validator"),
    DRAFT_2020_12,
)
_SCHEMES: Final = ("http://", "https://")
_VOCABULARIES: Final = (f"{_ORG}/draft/2019-09/meta/", f"{_ORG}/draft/2020-12/meta/")

IN_PLACE: Final = frozenset(
    ["allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas", "dependencies"]
)
"""Their schemas judge the same place of a value as the schema that holds them."""

ITEMS: Final = frozenset(
    ["items", "prefixItems", "additionalItems", "contains", "unevaluatedItems"]
)
MEMBERS: Final = frozenset(["additionalProperties", "unevaluatedProperties", "propertyNames"])
NAMED: Final = frozenset(
    ["$defs", "definitions", "properties", "patternProperties", "dependentSchemas", "dependencies"]
)
"""They hold schemas by name; all others hold one schema, or a list of them."""

ONE_OR_LIST: Final = (IN_PLACE | ITEMS | MEMBERS | {"contentSchema"}) - NAMED
REFERENCES: Final = ("$ref", "$dynamicRef", "$recursiveRef")
DYNAMIC: Final = frozenset({"$dynamicRef", "$recursiveRef"})
ANCHORS: Final = ("$anchor", "$dynamicAnchor")
CONTENT: Final = ("contentEncoding", "contentMediaType")
"""Annotations, as `format` is one; some drafts let an engine assert them, and few do."""


def dialect_of(uri: object) -> Dialect | None:
    """The dialect that a $schema names, if it is a known one."""
    address = _address(uri) if isinstance(uri, str) else None
    return next((dialect for dialect in DIALECTS if dialect.uri == address), None)


def is_built_in(uri: str) -> bool:
    """Whether the engine itself holds the document of this address: the schema of a dialect."""
    return dialect_of(uri) is not None or (_address(uri) or "").startswith(_VOCABULARIES)


def _address(uri: str) -> str | None:
    scheme = next((scheme for scheme in _SCHEMES if uri.startswith(scheme)), None)
    return None if scheme is None else uri.removeprefix(scheme).removesuffix("#")


def subschemas(schema: Schema) -> Iterator[Any]:
    """What stands in a schema where a dialect has a schema; it may be of any type."""
    for keyword, value in schema.items():
        if keyword in NAMED and isinstance(value, dict):
            yield from value.values()
        elif keyword in ONE_OR_LIST:
            yield from value if isinstance(value, list) else (value,)


_NOT_SCHEMAS: Final = frozenset({"$defs", "definitions"})
"""Their schemas judge nothing where they stand."""


class Subschema(Struct, frozen=True):
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


def parts(document: Schema) -> tuple[list[Subschema], bool]:
    """The schemas of a document, the outer ones first, and whether these are all."""
    found: list[Subschema] = []
    waiting = deque([Subschema(document)])
    while waiting:
        part = waiting.popleft()
        found.append(part)
        if len(found) + len(waiting) > WILD_BEYOND.subschemas:
            return found, False
        if len(part.path) <= 2 * WILD_BEYOND.depth:
            waiting.extend(_inside(part))
    return found, True


def _inside(part: Subschema) -> Iterator[Subschema]:
    for keyword, value in part.schema.items():
        if keyword in NAMED and isinstance(value, dict):
            yield from _schemas(value.items(), (*part.path, keyword), keyword)
        elif keyword in ONE_OR_LIST and isinstance(value, list):
            yield from _schemas(enumerate(value), (*part.path, keyword), keyword)
        elif keyword in ONE_OR_LIST and isinstance(value, dict):
            yield Subschema(value, (*part.path, keyword), keyword)


def _schemas(values: Any, path: Path, keyword: str) -> Iterator[Subschema]:
    for step, value in values:
        if isinstance(value, dict):
            yield Subschema(value, (*path, step), keyword)
