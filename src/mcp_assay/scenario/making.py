"""Values made from a schema, from the outside inwards."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, islice
from typing import Any, Final, NamedTuple

from msgspec import json

from mcp_assay.scenario.keywords import Flat, merged, types_of
from mcp_assay.scenario.leaves import Leaves, within
from mcp_assay.scenario.limits import (
    DEPTH_OF_OPTIONS,
    MAX_DEPTH,
    MAX_ITEMS,
    MAX_LISTED,
    MAX_MEMBERS,
    MAX_REPEATS,
    MAX_VALUES,
)
from mcp_assay.scenario.patterns import Unmakeable, matching
from mcp_assay.scenario.unfolding import Exhausted, Gap, Unfolding
from mcp_assay.scenario.whim import Whim
from mcp_assay.scenario.words import is_haste
from mcp_assay.wire.leaves import quoted
from mcp_assay.wire.pointer import Path, pointer

_MORE_ITEMS: Final = 3
"""So many items more than needed an array has at random."""

_EXTRA_NAME: Final = "extra"


class _Shape(NamedTuple):
    """Which members an object of a flat schema has."""

    required: tuple[str, ...]
    options: tuple[str, ...]
    """Those that may be there, too."""
    listed: int
    """How many properties are named."""

    @classmethod
    def of(cls, flat: Flat) -> _Shape:
        """The members that a flat schema names."""
        required = dict.fromkeys(flat.get("required", ()))
        named = flat.get("properties", {})
        rest = sorted(name for name in named if name not in required and named[name] is not False)
        return cls(tuple(required), tuple(rest), len(named))


class Maker:
    """Makes values that should fit; whether they do, a check says afterwards."""

    def __init__(self, unfolding: Unfolding, leaves: Leaves, gaps: list[str]) -> None:
        self._unfolding: Final = unfolding
        self._leaves: Final = leaves
        self._gaps: Final = gaps
        """Sentences about optional members that were left out, because they cannot be made."""
        self._left = MAX_VALUES
        self._shapes: Final[dict[int, tuple[Flat, _Shape]]] = {}

    def arguments(self, schema: Any, whim: Whim) -> dict[str, Any]:
        """Arguments for a schema of objects; raises Gap."""
        self._left = MAX_VALUES
        made: dict[str, Any] = self.value(schema, (), whim)
        return made

    def value(self, schema: Any, path: Path, whim: Whim) -> Any:
        """A value for a place; raises Gap."""
        self._left -= 1
        if self._left < 0 or len(path) > MAX_DEPTH:
            raise Exhausted("The schema asks for arguments that are too large to be made.")
        flat = self._unfolding.flat(schema, whim.pick)
        if flat is None:
            raise Gap(_nothing_fits(path))
        return self.of_flat(flat, path, whim)

    def of_flat(self, flat: Flat, path: Path, whim: Whim) -> Any:
        """A value for a place with this flat schema; raises Gap."""
        is_listed = "enum" in flat
        known = self._leaves.known(flat, path) if path or is_listed else []
        if known and (is_listed or whim.is_usual()):
            return whim.chosen(known)
        kinds = types_of(flat)
        if not kinds or is_listed:
            raise Gap(_nothing_fits(path))
        return self._of_type(whim.chosen(kinds), flat, path, whim)

    def _of_type(self, kind: str, flat: Flat, path: Path, whim: Whim) -> Any:
        match kind:
            case "object":
                return self._object(flat, path, whim)
            case "array":
                return self._array(flat, path, whim)
            case "string":
                return self._leaves.text(flat, path, whim)
            case "boolean":
                return self._leaves.switch(path, whim)
            case "null":
                return None
        return self._leaves.number(_of_kind(flat, kind), path, whim)

    def _object(self, flat: Flat, path: Path, whim: Whim) -> dict[str, Any]:
        names = self._names(flat, path, whim)
        if "dependentSchemas" in flat:
            flat = self._with_dependents(flat, names, whim)
        made = self._members(flat, names, path, whim)
        if "minProperties" in flat:
            self._fill_up(made, flat, path, whim)
        return made

    def _fill_up(self, made: dict[str, Any], flat: Flat, path: Path, whim: Whim) -> None:
        """Add members until there are as many as there must be."""
        least = within(flat["minProperties"], "members", path, MAX_MEMBERS)
        further = self._further_names(flat, whim) if len(made) < least else ()
        for name in further:
            if len(made) >= least:
                break
            if name not in made:
                made[name] = self._member(flat, name, path, whim)

    def _names(self, flat: Flat, path: Path, whim: Whim) -> list[str]:
        """The members that are made: all that are required, and options by whim."""
        shape = self._shape(flat)
        names = list(shape.required)
        within(len(names), "members", path, MAX_MEMBERS)
        if shape.options and len(path) < DEPTH_OF_OPTIONS:
            self._add_options(names, shape, flat, path, whim)
        return self._with_required(flat, names) if "dependentRequired" in flat else names

    def _add_options(
        self, names: list[str], shape: _Shape, flat: Flat, path: Path, whim: Whim
    ) -> None:
        within(shape.listed if whim.is_plain and whim.has_options else 0, "members", path)
        most = flat.get("maxProperties", MAX_MEMBERS)
        for name in shape.options:
            if len(names) >= most:
                break
            if is_haste(name) or whim.at(f"?{name}").takes_option():
                names.append(name)
        within(len(names), "members", path, MAX_MEMBERS)

    def _shape(self, flat: Flat) -> _Shape:
        """The members of an object; looked for anew only where its flat schema is another one."""
        known = self._shapes.get(id(flat))
        if known is None or known[0] is not flat:
            if len(self._shapes) >= MAX_VALUES:
                self._shapes.clear()
            known = self._shapes[id(flat)] = flat, _Shape.of(flat)
        return known[1]

    def _with_required(self, flat: Flat, names: list[str]) -> list[str]:
        """The names, and those that they require."""
        rules = flat["dependentRequired"]
        for name in names:  # the list grows while it is read
            names.extend(other for other in rules.get(name, ()) if other not in names)
            within(len(names), "members", (), MAX_MEMBERS)
        return names

    def _with_dependents(self, flat: Flat, names: list[str], whim: Whim) -> Flat:
        """What holds when these members are there."""
        rules = flat["dependentSchemas"]
        for name in names:
            inner = self._unfolding.flat(rules[name], whim.pick) if name in rules else {}
            if inner:
                flat = merged(flat, inner)
                names.extend(other for other in inner.get("required", ()) if other not in names)
        return flat

    def _members(self, flat: Flat, names: list[str], path: Path, whim: Whim) -> dict[str, Any]:
        made: dict[str, Any] = {}
        for name in names:
            try:
                made[name] = self._member(flat, name, path, whim)
            except Gap as gap:
                if name in flat.get("required", ()):
                    raise
                self._gaps.append(str(gap))
        return made

    def _member(self, flat: Flat, name: str, path: Path, whim: Whim) -> Any:
        return self.value(self._member_schema(flat, name), (*path, name), whim.at(name))

    def _member_schema(self, flat: Flat, name: str) -> Any:
        listed, patterns = flat.get("properties", {}), flat.get("patternProperties")
        schemas = [listed[name]] if name in listed else []
        if patterns:
            fits = self._leaves.fits
            schemas += [
                patterns[one] for one in sorted(patterns) if fits({"patterns": [one]}, name)
            ]
        return _all_of(schemas) if schemas else flat.get("additionalProperties", True)

    def _further_names(self, flat: Flat, whim: Whim) -> Iterator[str]:
        """Names of members that may be there, without end only where there is none."""
        listed = flat.get("properties", {})
        yield from (name for name in sorted(listed) if listed[name] is not False)
        names = flat.get("propertyNames", True)
        if names is not True:
            texts = _all_of([names, {"type": "string"}])
            for turn in range(MAX_MEMBERS):
                yield self.value(texts, (_EXTRA_NAME,), whim.at("name", turn + 1))
        for pattern in sorted(flat.get("patternProperties", ())):
            yield from self._names_like(pattern, whim)
        if flat.get("additionalProperties", True) is not False:
            yield from (f"{_EXTRA_NAME}{number}" for number in islice(count(1), MAX_MEMBERS))

    def _names_like(self, pattern: str, whim: Whim) -> Iterator[str]:
        for turn in range(MAX_LISTED):
            try:
                yield matching(pattern, whim.at(f"{pattern}/{turn}").chance, turn)
            except Unmakeable:
                return

    def _array(self, flat: Flat, path: Path, whim: Whim) -> list[Any]:
        prefix: list[Any] = flat.get("prefixItems", [])
        items = flat.get("items", True)
        wanted = self._length(flat, path, whim)
        schemas = (*prefix, *(() if items is False else [items] * wanted))[:wanted]
        made = [self._item(schema, path, at, whim) for at, schema in enumerate(schemas)]
        made = self._with_contained(made, flat, path, whim)
        return self._without_repeats(made, schemas, path, whim) if "uniqueItems" in flat else made

    def _length(self, flat: Flat, path: Path, whim: Whim) -> int:
        least = within(flat.get("minItems", 0), "items", path, MAX_ITEMS)
        most = max(least, min(int(flat.get("maxItems", MAX_ITEMS)), MAX_ITEMS))
        if len(path) >= DEPTH_OF_OPTIONS:
            return least
        usual = max(least, 1, len(flat.get("prefixItems", ())))
        return min(most, usual if whim.is_plain else least + whim.pick(_MORE_ITEMS + 1))

    def _item(self, schema: Any, path: Path, at: int, whim: Whim, again: int = 0) -> Any:
        return self.value(schema, (*path, at), whim.at(at, again))

    def _with_contained(self, made: list[Any], flat: Flat, path: Path, whim: Whim) -> list[Any]:
        """The items, the first of them such as must be among them."""
        if "contains" not in flat:
            return made
        wanted = within(flat.get("minContains", 1), "items", path, MAX_ITEMS)
        schema = _all_of([flat["contains"], flat.get("items", True)])
        start = len(flat.get("prefixItems", ()))
        contained = [self._item(schema, path, start + at, whim) for at in range(wanted)]
        return [*made[:start], *contained, *made[start + wanted :]]

    def _without_repeats(
        self, made: list[Any], schemas: tuple[Any, ...], path: Path, whim: Whim
    ) -> list[Any]:
        """The items, those that were there before made anew a few times."""
        kept: dict[bytes, Any] = {}
        for at, item in enumerate(made):
            for again in range(1, MAX_REPEATS):
                key = json.encode(item, order="deterministic")
                if key not in kept or at >= len(schemas):
                    break
                item = self._item(schemas[at], path, at, whim, again)  # noqa: PLW2901
            kept.setdefault(json.encode(item, order="deterministic"), item)
        return list(kept.values())


def _nothing_fits(path: Path) -> str:
    if not path:
        return "No arguments fit the tool's inputSchema."
    return f"Nothing fits the schema of the argument {quoted(pointer(path))}."


def _of_kind(flat: Flat, kind: str) -> Flat:
    return flat if flat.get("type") == kind else {**flat, "type": kind}


def _all_of(schemas: list[Any]) -> Any:
    return schemas[0] if len(schemas) == 1 else {"allOf": schemas}
