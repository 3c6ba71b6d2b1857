"""Every subschema of a document, and where its references lead; none may lead outside."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import unquote, urldefrag, urljoin

from mcp_assay.schema.keywords import (
    ANCHORS,
    DRAFT_2020_12,
    DYNAMIC,
    REFERENCES,
    Dialect,
    Schema,
    dialect_of,
    is_built_in,
    subschemas,
)
from mcp_assay.schema.limits import MAX_PATTERN_BYTES, REFUSED_BEYOND
from mcp_assay.wire.leaves import quoted


class RefusedSchema(Exception):
    """The schema is not used; the text says why, and begins where "the schema" would end."""


class Outline:
    """The subschemas of a document in the order in which they were found, the whole first."""

    def __init__(self, document: Schema) -> None:
        self.dialect: Final = _dialect(document)
        self.schemas: Final[list[Schema]] = []
        self.targets: Final[dict[int, list[Schema]]] = {}
        """What the references of a schema lead to, by the id of the schema."""
        self.references = 0
        self.foreseeable = True
        """Whether it is beyond doubt where all references lead, whatever the value is."""
        self._bases: dict[int, str] = {}
        self._resources: dict[str, Schema] = {"": document}
        self._anchors: dict[str, Schema] = {}
        self._walk(document, "")
        self._follow_references()

    def _walk(self, top: Schema, base: str) -> None:
        waiting: list[tuple[Any, str]] = [(top, base)]
        while waiting:
            schema, around = waiting.pop()
            if isinstance(schema, dict) and id(schema) not in self._bases:
                own = self._enter(schema, around)
                waiting.extend((inner, own) for inner in subschemas(schema))

    def _enter(self, schema: Schema, around: str) -> str:
        """Note a schema and what it calls itself; gives the address that it resolves against."""
        self.schemas.append(schema)
        _require(len(self.schemas) <= REFUSED_BEYOND.subschemas, "has too many subschemas")
        self._check_dialect(schema)
        _check_sizes(schema)
        base = self._bases[id(schema)] = self._identify(schema, around)
        for keyword in ANCHORS:
            if isinstance(name := schema.get(keyword), str):
                self._anchor(base, name, schema)
        return base

    def _identify(self, schema: Schema, around: str) -> str:
        identifier = schema.get(self.dialect.id_keyword)
        alone = self.dialect.reference_stands_alone and "$ref" in schema
        if alone or not isinstance(identifier, str):
            return around
        address, fragment = _address(around, identifier)
        if fragment:
            self._anchor(address, fragment, schema)
        if not identifier.startswith("#"):
            self._resources[address] = schema
            self.foreseeable &= schema is self.schemas[0]
        return address

    def _anchor(self, address: str, name: str, schema: Schema) -> None:
        self.foreseeable &= f"{address}#{name}" not in self._anchors
        self._anchors[f"{address}#{name}"] = schema

    def _check_dialect(self, schema: Schema) -> None:
        named = schema.get("$schema")
        same = named is None or dialect_of(named) == self.dialect
        _require(same, f"has a part in another dialect, {_shown(named)}")

    def _follow_references(self) -> None:
        # The list grows while it is read: a target may lie where no keyword holds a schema.
        for schema in self.schemas:
            for keyword in REFERENCES:
                if isinstance(reference := schema.get(keyword), str):
                    self._follow(schema, keyword, reference)

    def _follow(self, schema: Schema, keyword: str, reference: str) -> None:
        self.references += 1
        _require(self.references <= REFUSED_BEYOND.references, "has too many references")
        target = self._target(self._bases[id(schema)], reference)
        self.foreseeable &= target is not None and keyword not in DYNAMIC and "%" not in reference
        if isinstance(target, dict):
            self.targets.setdefault(id(schema), []).append(target)

    def _target(self, base: str, reference: str) -> Any:
        """What a reference leads to; None where the engine itself holds it."""
        address, fragment = _address(base, reference)
        resource = self._resources.get(address)
        if resource is None:
            outside = f"refers to {quoted(reference)}, outside of itself; nothing is fetched"
            _require(is_built_in(address), outside)
            return None
        target = self._inside(resource, address, unquote(fragment))
        is_schema = isinstance(target, dict | bool)
        _require(is_schema, f"refers to {quoted(reference)}, where it has no schema")
        if isinstance(target, dict):
            self._walk(target, address)
        return target

    def _inside(self, resource: Schema, address: str, fragment: str) -> Any:
        if fragment and not fragment.startswith("/"):
            return self._anchors.get(f"{address}#{fragment}")
        return _at(resource, fragment)


def levels(document: Any) -> int:
    """How many levels of JSON a document has, counted no further than just beyond the limit."""
    layer, count = [document], 0
    while layer and count <= REFUSED_BEYOND.depth:
        layer = [inner for value in layer for inner in _containers(value)]
        count += 1
    return count


def _containers(value: Any) -> Iterator[Any]:
    inner = value.values() if isinstance(value, dict) else value
    if isinstance(value, dict | list):
        yield from (one for one in inner if isinstance(one, dict | list))


def _dialect(document: Schema) -> Dialect:
    if "$schema" not in document:
        return DRAFT_2020_12
    dialect = dialect_of(document["$schema"])
    if dialect is None:
        raise RefusedSchema(f"is in an unknown dialect, {_shown(document['$schema'])}")
    return dialect


def _check_sizes(schema: Schema) -> None:
    values = schema.get("enum")
    few = not isinstance(values, list) or len(values) <= REFUSED_BEYOND.enum_values
    _require(few, "has an enum with too many values")
    for pattern in patterns(schema):
        short = len(pattern.encode()) <= MAX_PATTERN_BYTES
        _require(short, f"has a pattern of more than {MAX_PATTERN_BYTES:,} bytes")


def patterns(schema: Schema) -> list[str]:
    """The regular expressions of one schema, without those of its subschemas."""
    named = schema.get("patternProperties")
    own = schema.get("pattern")
    return [*(named if isinstance(named, dict) else ()), *([own] if isinstance(own, str) else ())]


def _address(base: str, reference: str) -> tuple[str, str]:
    """The address of a resource that a reference names, and the fragment in it."""
    try:
        # Names such as urn: have fragments too, though nothing else can be joined to them.
        joined = base + reference if reference.startswith("#") else urljoin(base, reference)
        address, fragment = urldefrag(joined)
    except ValueError:
        raise RefusedSchema(f"has {quoted(reference)} for an address, which is none") from None
    return address, fragment


def _at(value: Any, pointer: str) -> Any:
    """What a JSON Pointer leads to, None where that is nothing."""
    for step in pointer.split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict):
            value = value.get(name)
        elif isinstance(value, list) and name.isdecimal() and int(name[:9]) < len(value):
            value = value[int(name[:9])]
        else:
            return None
    return value


def _shown(uri: object) -> str:
    return quoted(uri) if isinstance(uri, str) else "not named by a string"


def _require(condition: bool, otherwise: str) -> None:
    if not condition:
        raise RefusedSchema(otherwise)
