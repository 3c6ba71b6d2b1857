"""Values made from a schema, from the outside inwards."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, islice
from typing import Any, Final, NamedTuple

from msgspec import json

from mcp_assay.scenario.choices import Choices
from mcp_assay.scenario.flat_schemas import Exhausted, NothingFits, NoValue, Unfolding
from mcp_assay.scenario.keywords import Flat, merged, types_of
from mcp_assay.scenario.leaves import Leaves, Range, within
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
from mcp_assay.scenario.usual_values import is_haste
from mcp_assay.wire.pointer import Path, pointer
from mcp_assay.wire.values import quoted

_MORE_ITEMS: Final = 3
"""So many items more than needed an array has at random."""

_EXTRA_NAME: Final = "extra"


class _MemberNames(NamedTuple):
    """Which members an object of a flat schema has."""

    required: tuple[str, ...]
    options: tuple[str, ...]
    """Those that may be there, too."""
    listed: int
    """How many properties are named."""

    @classmethod
    def of(cls, flat: Flat) -> _MemberNames:
        """The members that a flat schema names."""
        required = dict.fromkeys(flat.get("required", ()))
        named = flat.get("properties", {})
        rest = sorted(name for name in named if name not in required and named[name] is not False)
        return cls(tuple(required), tuple(rest), len(named))


class Maker:
    """Makes values that should fit; whether they do, a check says afterwards."""

    def __init__(self, unfolding: Unfolding, leaves: Leaves, unmade: list[str]) -> None:
        self._unfolding: Final = unfolding
        self._leaves: Final = leaves
        self._unmade: Final = unmade
        """Sentences about optional members that were left out, because they cannot be made."""
        self._left = MAX_VALUES
        self._members_of: Final[dict[int, tuple[Flat, _MemberNames]]] = {}

    def arguments(self, schema: Any, choices: Choices) -> dict[str, Any]:
        """Arguments for a schema of objects; raises NoValue."""
        self._left = MAX_VALUES
        made: dict[str, Any] = self.value(schema, (), choices)
        return made

    def value(self, schema: Any, path: Path, choices: Choices) -> Any:
        """A value for a place; raises NoValue."""
        self._left -= 1
        if self._left < 0 or len(path) > MAX_DEPTH:
            raise Exhausted("The schema requires arguments that are too large to generate.")
        flat = self._unfolding.flat(schema, choices.pick)
        if flat is None:
            raise NothingFits(_nothing_fits(path))
        return self.of_flat(flat, path, choices)

    def of_flat(self, flat: Flat, path: Path, choices: Choices) -> Any:
        """A value for a place with this flat schema; raises NoValue."""
        is_listed = "enum" in flat
        known = self._leaves.known(flat, path) if path or is_listed else []
        if known and (is_listed or choices.is_usual() or self._leaves.is_settled(path)):
            return choices.chosen(known)
        kinds = [kind for kind in types_of(flat) if _has_values(kind, flat)]
        if not kinds or is_listed:
            raise NothingFits(_nothing_fits(path))
        return self._of_type(choices.chosen(kinds), flat, path, choices)

    def _of_type(self, kind: str, flat: Flat, path: Path, choices: Choices) -> Any:
        match kind:
            case "object":
                return self._object(flat, path, choices)
            case "array":
                return self._array(flat, path, choices)
            case "string":
                return self._leaves.text(flat, path, choices)
            case "boolean":
                return self._leaves.switch(path, choices)
            case "null":
                return None
        return self._leaves.number(_of_kind(flat, kind), path, choices)

    def _object(self, flat: Flat, path: Path, choices: Choices) -> dict[str, Any]:
        names = self._names(flat, path, choices)
        if "dependentSchemas" in flat:
            flat = self._with_dependents(flat, names, choices)
        made = self._members(flat, names, path, choices)
        if flat.get("additionalProperties", True) is not False:
            for name, schema in self._leaves.members(flat, path).items():
                made.setdefault(name, self.value(schema, (*path, name), choices.at(name)))
        if "minProperties" in flat:
            self._fill_up(made, flat, path, choices)
        return made

    def _fill_up(self, made: dict[str, Any], flat: Flat, path: Path, choices: Choices) -> None:
        """Add members until there are as many as there must be."""
        least = within(flat["minProperties"], "members", path, MAX_MEMBERS)
        further = self._further_names(flat, choices) if len(made) < least else ()
        for name in further:
            if len(made) >= least:
                break
            if name not in made:
                made[name] = self._member(flat, name, path, choices)

    def _names(self, flat: Flat, path: Path, choices: Choices) -> list[str]:
        """The members that are made: all that are required, and options as chosen."""
        known = self._known_names(flat)
        names = list(known.required)
        within(len(names), "members", path, MAX_MEMBERS)
        if known.options and len(path) < DEPTH_OF_OPTIONS:
            self._add_options(names, known, flat, path, choices)
        return self._with_required(flat, names) if "dependentRequired" in flat else names

    def _add_options(
        self, names: list[str], known: _MemberNames, flat: Flat, path: Path, choices: Choices
    ) -> None:
        within(known.listed if choices.is_plain and choices.has_options else 0, "members", path)
        most = flat.get("maxProperties", MAX_MEMBERS)
        for name in known.options:
            if len(names) >= most:
                break
            if is_haste(name) or choices.at(f"?{name}").takes_option():
                names.append(name)
        within(len(names), "members", path, MAX_MEMBERS)

    def _known_names(self, flat: Flat) -> _MemberNames:
        """The members of an object; looked for anew only where its flat schema is another one."""
        known = self._members_of.get(id(flat))
        if known is None or known[0] is not flat:
            if len(self._members_of) >= MAX_VALUES:
                self._members_of.clear()
            known = self._members_of[id(flat)] = flat, _MemberNames.of(flat)
        return known[1]

    def _with_required(self, flat: Flat, names: list[str]) -> list[str]:
        """The names, and those that they require."""
        rules = flat["dependentRequired"]
        for name in names:  # the list grows while it is read
            names.extend(other for other in rules.get(name, ()) if other not in names)
            within(len(names), "members", (), MAX_MEMBERS)
        return names

    def _with_dependents(self, flat: Flat, names: list[str], choices: Choices) -> Flat:
        """What holds when these members are there."""
        rules = flat["dependentSchemas"]
        for name in names:
            inner = self._unfolding.flat(rules[name], choices.pick) if name in rules else {}
            if inner:
                flat = merged(flat, inner)
                names.extend(other for other in inner.get("required", ()) if other not in names)
        return flat

    def _members(
        self, flat: Flat, names: list[str], path: Path, choices: Choices
    ) -> dict[str, Any]:
        made: dict[str, Any] = {}
        for name in names:
            try:
                made[name] = self._member(flat, name, path, choices)
            except NoValue as gap:
                if name in flat.get("required", ()):
                    raise
                self._unmade.append(str(gap))
        return made

    def _member(self, flat: Flat, name: str, path: Path, choices: Choices) -> Any:
        return self.value(self._member_schema(flat, name), (*path, name), choices.at(name))

    def _member_schema(self, flat: Flat, name: str) -> Any:
        listed, patterns = flat.get("properties", {}), flat.get("patternProperties")
        schemas = [listed[name]] if name in listed else []
        if patterns:
            fits = self._leaves.fits
            schemas += [
                patterns[one] for one in sorted(patterns) if fits({"patterns": [one]}, name)
            ]
        return _all_of(schemas) if schemas else flat.get("additionalProperties", True)

    def _further_names(self, flat: Flat, choices: Choices) -> Iterator[str]:
        """Names of members that may be there, without end only where there is none."""
        listed = flat.get("properties", {})
        yield from (name for name in sorted(listed) if listed[name] is not False)
        names = flat.get("propertyNames", True)
        if names is not True:
            texts = _all_of([names, {"type": "string"}])
            for turn in range(MAX_MEMBERS):
                yield self.value(texts, (_EXTRA_NAME,), choices.at("name", turn + 1))
        for pattern in sorted(flat.get("patternProperties", ())):
            yield from self._names_like(pattern, choices)
        if flat.get("additionalProperties", True) is not False:
            yield from (f"{_EXTRA_NAME}{number}" for number in islice(count(1), MAX_MEMBERS))

    def _names_like(self, pattern: str, choices: Choices) -> Iterator[str]:
        for turn in range(MAX_LISTED):
            try:
                yield matching(pattern, choices.at(f"{pattern}/{turn}").chance, turn)
            except Unmakeable:
                return

    def _array(self, flat: Flat, path: Path, choices: Choices) -> list[Any]:
        prefix: list[Any] = flat.get("prefixItems", [])
        items = flat.get("items", True)
        wanted = self._length(flat, path, choices)
        schemas = (*prefix, *(() if items is False else [items] * wanted))[:wanted]
        made = [self._item(schema, path, at, choices) for at, schema in enumerate(schemas)]
        made = self._with_contained(made, flat, path, choices)
        return (
            self._without_repeats(made, schemas, path, choices) if "uniqueItems" in flat else made
        )

    def _length(self, flat: Flat, path: Path, choices: Choices) -> int:
        least = within(flat.get("minItems", 0), "items", path, MAX_ITEMS)
        most = max(least, min(int(flat.get("maxItems", MAX_ITEMS)), MAX_ITEMS))
        if len(path) >= DEPTH_OF_OPTIONS:
            return least
        usual = max(least, 1, len(flat.get("prefixItems", ())))
        return min(most, usual if choices.is_plain else least + choices.pick(_MORE_ITEMS + 1))

    def _item(self, schema: Any, path: Path, at: int, choices: Choices, again: int = 0) -> Any:
        return self.value(schema, (*path, at), choices.at(at, again))

    def _with_contained(
        self, made: list[Any], flat: Flat, path: Path, choices: Choices
    ) -> list[Any]:
        """The items, the first of them such as must be among them."""
        if "contains" not in flat:
            return made
        wanted = within(flat.get("minContains", 1), "items", path, MAX_ITEMS)
        schema = _all_of([flat["contains"], flat.get("items", True)])
        start = len(flat.get("prefixItems", ()))
        contained = [self._item(schema, path, start + at, choices) for at in range(wanted)]
        return [*made[:start], *contained, *made[start + wanted :]]

    def _without_repeats(
        self, made: list[Any], schemas: tuple[Any, ...], path: Path, choices: Choices
    ) -> list[Any]:
        """The items, those that were there before made anew a few times."""
        kept: dict[bytes, Any] = {}
        for at, item in enumerate(made):
            for again in range(1, MAX_REPEATS):
                key = json.encode(item, order="deterministic")
                if key not in kept or at >= len(schemas):
                    break
                item = self._item(schemas[at], path, at, choices, again)  # noqa: PLW2901
            kept.setdefault(json.encode(item, order="deterministic"), item)
        return list(kept.values())


BOUNDS: Final = {
    "string": ("minLength", "maxLength"),
    "array": ("minItems", "maxItems"),
    "object": ("minProperties", "maxProperties"),
}


def _has_values(kind: str, flat: Flat) -> bool:
    """Whether the limits of a flat schema leave any value of a type."""
    if kind in ("integer", "number"):
        return not Range(_of_kind(flat, kind)).is_empty
    least, most = (flat.get(name) for name in BOUNDS.get(kind, ("", "")))
    return least is None or most is None or bool(least <= most)


def _nothing_fits(path: Path) -> str:
    if not path:
        return "No arguments match the tool's inputSchema."
    return f"No value matches the schema of the argument {quoted(pointer(path))}."


def _of_kind(flat: Flat, kind: str) -> Flat:
    return flat if flat.get("type") == kind else {**flat, "type": kind}


def _all_of(schemas: list[Any]) -> Any:
    return schemas[0] if len(schemas) == 1 else {"allOf": schemas}
