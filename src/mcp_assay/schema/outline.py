"""Every subschema of a document, and where its references lead; none may lead outside."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct

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
from mcp_assay.wire.pointer import Path, find, tokens
from mcp_assay.wire.values import quoted

Refusal: TypeAlias = Literal["invalid", "too large", "dialect", "outside", "nowhere"]
"""Why a schema is not used: it breaks its dialect, is too large, is in a dialect that is not known,
or has a reference that leads outside or nowhere."""


class RefusedSchema(Exception):
    """The schema is not used; the text says why, and begins where "the schema" would end."""

    def __init__(self, text: str, why: Refusal = "invalid", place: Path = ()) -> None:
        super().__init__(text)
        self.why: Final = why
        self.place: Final = place
        """Where in the schema, as far as that is known."""


class DeadReference(Struct, frozen=True):
    """A reference that leads outside of the document, or nowhere in it."""

    holder: Schema
    keyword: str
    address: str
    """Where it leads, seen from where it stands."""
    refusal: RefusedSchema


class SchemaOutline:
    """The subschemas of a document in the order in which they were found, the whole first."""

    def __init__(self, document: Schema) -> None:
        self.dialect: Final = _dialect(document)
        self.schemas: Final[list[Schema]] = []
        self.targets: Final[dict[int, list[Schema]]] = {}
        """What the references of a schema lead to, by the id of the schema."""
        self.dead: Final[list[DeadReference]] = []
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
        few = len(self.schemas) <= REFUSED_BEYOND.subschemas
        _require(few, "has too many subschemas", "too large")
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
        _require(same, f"has a part in a different dialect, {_shown(named)}", "dialect")

    def _follow_references(self) -> None:
        # The list grows while it is read: a target may lie where no keyword holds a schema.
        for schema in self.schemas:
            for keyword in REFERENCES:
                if isinstance(reference := schema.get(keyword), str):
                    self._follow(schema, keyword, reference)

    def _follow(self, schema: Schema, keyword: str, reference: str) -> None:
        self.references += 1
        few = self.references <= REFUSED_BEYOND.references
        _require(few, "has too many references", "too large")
        base = self._bases[id(schema)]
        try:
            target = self._target(base, reference)
        except RefusedSchema as refusal:
            if refusal.why not in ("outside", "nowhere"):
                raise
            self.dead.append(DeadReference(schema, keyword, _joined(base, reference), refusal))
            return
        self.foreseeable &= target is not None and keyword not in DYNAMIC and "%" not in reference
        if isinstance(target, dict):
            self.targets.setdefault(id(schema), []).append(target)

    def _target(self, base: str, reference: str) -> Any:
        """What a reference leads to; None where the engine itself holds it."""
        address, fragment = _address(base, reference)
        resource = self._resources.get(address)
        if resource is None:
            outside = f"refers to {quoted(reference)}, which is remote and not fetched"
            _require(is_built_in(address), outside, "outside")
            return None
        target = self._inside(resource, address, _plain(fragment))
        is_schema = isinstance(target, dict | bool)
        nothing = f"refers to {quoted(reference)}, which does not exist"
        _require(is_schema, nothing, "nowhere")
        if isinstance(target, dict):
            self._walk(target, address)
        return target

    def _inside(self, resource: Schema, address: str, fragment: str) -> Any:
        if fragment and not fragment.startswith("/"):
            return self._anchors.get(f"{address}#{fragment}")
        return find(resource, tokens(fragment))


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
        named = _shown(document["$schema"])
        raise RefusedSchema(f"uses an unknown dialect, {named}", "dialect", ("$schema",))
    return dialect


def _check_sizes(schema: Schema) -> None:
    values = schema.get("enum")
    few = not isinstance(values, list) or len(values) <= REFUSED_BEYOND.enum_values
    _require(few, "has an enum with too many values", "too large")
    for pattern in patterns(schema):
        short = len(pattern.encode()) <= MAX_PATTERN_BYTES
        long = f"has a pattern of more than {MAX_PATTERN_BYTES:,} bytes"
        _require(short, long, "too large")


def patterns(schema: Schema) -> list[str]:
    """The regular expressions of one schema, without those of its subschemas."""
    named = schema.get("patternProperties")
    own = schema.get("pattern")
    return [*(named if isinstance(named, dict) else ()), *([own] if isinstance(own, str) else ())]


def _address(base: str, reference: str) -> tuple[str, str]:
    """The address of a resource that a reference names, and the fragment in it."""
    if not base and reference.startswith("#"):
        return "", reference[1:]
    from urllib.parse import urldefrag  # few schemas refer to anything but a part of themselves

    try:
        address, fragment = urldefrag(_joined(base, reference))
    except ValueError:
        none = f"has {quoted(reference)} as an invalid address"
        raise RefusedSchema(none, "nowhere") from None
    return address, fragment


def _plain(fragment: str) -> str:
    """A fragment without its percent signs."""
    if "%" not in fragment:
        return fragment
    from urllib.parse import unquote

    return unquote(fragment)


def _joined(base: str, reference: str) -> str:
    """A reference seen from a base, as it stands where the two cannot be joined."""
    if reference.startswith("#"):
        # Names such as urn: have fragments too, though nothing else can be joined to them.
        return base + reference
    from urllib.parse import urljoin

    try:
        return urljoin(base, reference)
    except ValueError:
        return reference


def _shown(uri: object) -> str:
    return quoted(uri) if isinstance(uri, str) else "not named by a string"


def _require(condition: bool, otherwise: str, why: Refusal) -> None:
    if not condition:
        raise RefusedSchema(otherwise, why)
