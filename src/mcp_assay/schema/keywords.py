"""The dialects of JSON Schema, and the keywords under which schemas stand inside a schema."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, TypeAlias

from msgspec import Struct

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
