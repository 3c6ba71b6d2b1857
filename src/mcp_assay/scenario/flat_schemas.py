"""Schemas unfolded: references followed, branches chosen, so that one flat schema is left."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import reduce
from typing import Any, Final, TypeAlias

from mcp_assay.scenario.keywords import FORMS, Flat, common_values, is_schema, merged, types_of
from mcp_assay.scenario.limits import MAX_ALTERNATIVES, MAX_STEPS, MAX_UNFOLDED
from mcp_assay.schema.outline import SchemaOutline
from mcp_assay.text.words import json_type

Pick: TypeAlias = Callable[[int], int]
"""Chooses one of so many branches."""


CONDITIONAL: Final = frozenset(("if", "then", "else", "title", "description", "$comment"))


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

        A list of values is the whole truth only where no other such branch takes more: together
        the branches list what may stand there.
        """
        kind = json_type(value)
        kinds = {kind, "number"} if kind == "integer" else {kind}
        suited = [flat for flat in self.alternatives(schema) if kinds & set(types_of(flat))]
        if not suited or "enum" not in suited[0]:
            return suited[0] if suited else None
        unlisted = next((flat for flat in suited if "enum" not in flat), None)
        lists = sorted((flat["enum"] for flat in suited if "enum" in flat), key=_longest_first)
        return unlisted or {**suited[0], "enum": _united_values(lists)}

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
        parts = _schemas(schema.get("allOf"))
        yield from ([part] for part in parts if not _is_condition(part))
        for keyword in ("anyOf", "oneOf"):
            branches = self._branches(schema, keyword)
            if branches:
                first = pick(len(branches))
                yield [*branches[first:], *branches[:first]]
        for one in (schema, *filter(_is_condition, parts)):
            if is_schema(one.get("if")):
                met = {"allOf": [one["if"], _or_true(one, "then")]}
                unmet = {"allOf": [_otherwise(one["if"]), _or_true(one, "else")]}
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
        """The flat schema with the first option that goes with it.

        An option by which a member can have no value is the last: without the member it may hold.
        """
        memberless: Flat | None = None
        for option in options[:MAX_ALTERNATIVES]:
            inner = self._flat(option, pick, depth + 1)
            both = None if flat is None or inner is None else merged(flat, inner)
            if both is None or _is_empty(both):
                continue
            if not _excluded(both):
                return both
            memberless = memberless or both
        return memberless


def _turn(number: int) -> Pick:
    return lambda count: number % count


def _is_condition(part: Any) -> bool:
    """Whether a part is nothing but a condition: which way it goes, the other parts may decide."""
    return isinstance(part, dict) and "if" in part and part.keys() <= CONDITIONAL


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
    return _united_values(it["enum"] if "enum" in it else [it["const"]] for it in branches)


def _united_values(lists: Iterable[list[Any]]) -> list[Any]:
    """The values of all lists, each once."""
    return list({f"{type(one)}{one!r}": one for values in lists for one in values}.values())


def _longest_first(values: list[Any]) -> int:
    return -len(values)


def _otherwise(condition: Any) -> Any:
    """What holds where a condition does not, as far as that can be made: a member is not such."""
    members = condition.get("properties") if isinstance(condition, dict) else None
    if not isinstance(members, dict) or len(members) != 1:
        return True
    return {"properties": {name: {"not": schema} for name, schema in members.items()}}


def _excluded(flat: Flat) -> list[str]:
    """The members for which plainly no value is left."""
    members = flat.get("properties", {})
    return [name for name, schema in members.items() if _values_left(schema) == []]


def _values_left(schema: Any, depth: int = 0) -> list[Any] | None:
    """The values that a schema and all its parts list; None where they do not say."""
    if not isinstance(schema, dict) or depth > MAX_UNFOLDED:
        return None
    lists = [_values([schema])] if _names_values(schema) else []
    parts = (_values_left(part, depth + 1) for part in _schemas(schema.get("allOf")))
    lists += [part for part in parts if part is not None]
    return reduce(common_values, lists) if lists else None


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
