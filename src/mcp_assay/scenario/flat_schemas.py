"""Schemas unfolded: references followed, branches chosen, so that one flat schema is left."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, TypeAlias

from mcp_assay.scenario.keywords import FORMS, Flat, is_schema, merged, types_of
from mcp_assay.scenario.limits import MAX_ALTERNATIVES, MAX_STEPS, MAX_UNFOLDED
from mcp_assay.schema.outline import SchemaOutline
from mcp_assay.text.words import json_type

Pick: TypeAlias = Callable[[int], int]
"""Chooses one of so many branches."""


class NoValue(Exception):
    """A value cannot be made; the text is a whole sentence about it."""


class NothingFits(NoValue):
    """No value fits a schema, by the branches of it that were taken."""


class Exhausted(NoValue):
    """A limit was reached, so that there is no sense in another try."""


class _Picks:
    """Choices, counted: where none was made, the next time comes to the same."""

    def __init__(self, pick: Pick) -> None:
        self.made = 0
        self._pick: Final = pick

    def __call__(self, count: int) -> int:
        self.made += 1
        return self._pick(count)


class Unfolding:
    """The schemas of one document, unfolded on demand."""

    def __init__(self, document: Any) -> None:
        self._targets: Final = SchemaOutline(document).targets if isinstance(document, dict) else {}
        self._left = MAX_STEPS
        self._settled: Final[dict[int, tuple[Any, Flat | None]]] = {}
        """By their ids the schemas where nothing is chosen, each with what holds there."""
        self._choices: Final[dict[tuple[int, str], tuple[Any, list[Any]]]] = {}
        """By their ids the schemas with a choice, each with its branches."""

    def flat(self, schema: Any, pick: Pick) -> Flat | None:
        """What holds at the place of a schema; None where nothing can be there. Raises NoValue."""
        settled = self._settled.get(id(schema))
        return self._flat(schema, _Picks(pick), 0) if settled is None else settled[1]

    def _flat(self, schema: Any, picks: _Picks, depth: int) -> Flat | None:
        self._spend(depth)
        if not isinstance(schema, dict):
            return None if schema is False else {}
        settled = self._settled.get(id(schema))
        if settled is not None:
            return settled[1]
        before = picks.made
        flat = self._unfolded(schema, picks, depth)
        if picks.made == before:
            self._settled[id(schema)] = schema, flat
        return flat

    def _unfolded(self, schema: dict[str, Any], pick: _Picks, depth: int) -> Flat | None:
        flat: Flat | None = _own(schema)
        for options in self._parts(schema, pick):
            flat = self._with_one_of(flat, options, pick, depth)
            if flat is None:
                return None
        return None if flat is None or _is_empty(flat) else flat

    def alternatives(self, schema: Any) -> Iterator[Flat]:
        """The flat schemas of different branches, the intended one first. Raises NoValue."""
        seen: list[Flat] = []
        for number in range(MAX_ALTERNATIVES):
            flat = self.flat(schema, _turn(number))
            if flat is not None and flat not in seen:
                seen.append(flat)
                yield flat

    def suited(self, schema: Any, value: object) -> Flat | None:
        """The flat schema of the branch that has the type of a value; raises NoValue.

        A list of values is the whole truth only where no other such branch takes more.
        """
        kind = json_type(value)
        kinds = {kind, "number"} if kind == "integer" else {kind}
        suited = (flat for flat in self.alternatives(schema) if kinds & set(types_of(flat)))
        first = next(suited, None)
        if first is None or "enum" not in first:
            return first
        return next((other for other in suited if "enum" not in other), first)

    def _spend(self, depth: int) -> None:
        self._left -= 1
        if self._left < 0:
            raise Exhausted("The schema has too many parts to generate values for all of them.")
        if depth > MAX_UNFOLDED:
            most = f"more than {MAX_UNFOLDED} times"
            raise Exhausted(f"The schema refers to other schemas {most}, or endlessly.")

    def _parts(self, schema: dict[str, Any], pick: Pick) -> Iterator[list[Any]]:
        """What must hold as well: of each list, one."""
        yield from ([target] for target in self._targets.get(id(schema), ()))
        yield from ([part] for part in _schemas(schema.get("allOf")))
        for keyword in ("anyOf", "oneOf"):
            branches = self._branches(schema, keyword)
            if branches:
                first = pick(len(branches))
                yield [*branches[first:], *branches[:first]]
        if is_schema(schema.get("if")):
            met = {"allOf": [schema["if"], _or_true(schema, "then")]}
            unmet = _or_true(schema, "else")
            yield [met, unmet] if pick(2) == 0 else [unmet, met]

    def _branches(self, schema: dict[str, Any], keyword: str) -> list[Any]:
        """The branches of a choice, null last; those that list their values are one branch."""
        known = self._choices.get((id(schema), keyword))
        if known is None:
            branches = sorted(_schemas(schema.get(keyword)), key=_is_null)
            named = [one for one in branches if _names_values(one)]
            if len(named) > 1:
                others = [one for one in branches if one not in named]
                branches = [{"enum": _values(named)}, *others]
            known = self._choices[id(schema), keyword] = schema, branches
        return known[1]

    def _with_one_of(
        self, flat: Flat | None, options: list[Any], pick: _Picks, depth: int
    ) -> Flat | None:
        for option in options[:MAX_ALTERNATIVES]:
            inner = self._flat(option, pick, depth + 1)
            both = None if flat is None or inner is None else merged(flat, inner)
            if both is not None and not _is_empty(both):
                return both
        return None


def _turn(number: int) -> Pick:
    return lambda count: number % count


def _or_true(schema: dict[str, Any], keyword: str) -> Any:
    return schema[keyword] if is_schema(schema.get(keyword)) else True


def _schemas(value: object) -> list[Any]:
    return [one for one in value if is_schema(one)] if isinstance(value, list) else []


def _is_null(schema: Any) -> bool:
    return isinstance(schema, dict) and schema.get("type") == "null"


def _names_values(schema: Any) -> bool:
    """Whether a branch lists its values, be it one with a title: nothing else adds to them."""
    return isinstance(schema, dict) and ("const" in schema or isinstance(schema.get("enum"), list))


def _values(branches: list[dict[str, Any]]) -> list[Any]:
    values = (one for it in branches for one in (it["enum"] if "enum" in it else [it["const"]]))
    return list({f"{type(one)}{one!r}": one for one in values}.values())


def _is_empty(flat: Flat) -> bool:
    """Whether it is plain that nothing can fit."""
    return flat.get("type") == [] or flat.get("enum") == []


def _own(schema: dict[str, Any]) -> Flat:
    """The keywords of one schema in their newest form, those that make no sense left out."""
    modern = _modern(schema)
    own = {word: modern[word] for word in FORMS if word in modern}
    own = {word: value for word, value in own.items() if FORMS[word](value)}
    own |= {word: schema[word] for word in ("default",) if word in schema}
    if "pattern" in own:
        own["patterns"] = [own.pop("pattern")]
    if "const" in schema:
        constant = {"enum": [schema["const"]]}
        return merged(own, constant)
    return own


def _modern(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema with the keywords of older dialects under their names of today."""
    modern = dict(schema)
    for limit, exclusive in (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")):
        if schema.get(exclusive) is True and limit in schema:
            modern[exclusive] = modern.pop(limit)
    if isinstance(schema.get("items"), list):
        modern["prefixItems"] = modern.pop("items")
        modern["items"] = schema.get("additionalItems", True)
    if isinstance(schema.get("example"), str | int | float | list | dict):
        modern["examples"] = [schema["example"], *_list(schema.get("examples"))]
    if isinstance(rules := schema.get("dependencies"), dict):
        lists = {name: rule for name, rule in rules.items() if isinstance(rule, list)}
        others = {name: rule for name, rule in rules.items() if is_schema(rule)}
        modern["dependentRequired"], modern["dependentSchemas"] = lists, others
    return modern


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []
