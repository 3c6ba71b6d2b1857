"""Texts, numbers and switches for one place: known values first, then such as fit the schema."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from math import ceil, floor
from typing import Any, Final, TypeAlias

from msgspec import json

from mcp_assay.scenario.choices import Chance, Choices
from mcp_assay.scenario.code_values import by_code
from mcp_assay.scenario.flat_schemas import NoValue
from mcp_assay.scenario.keywords import Flat, types_of
from mcp_assay.scenario.known_values import Values
from mcp_assay.scenario.limits import MAX_LISTED, MAX_REFUSAL, MAX_TEXT, MAX_VALUES
from mcp_assay.scenario.named_values import (
    alternatives_in,
    examples_for,
    examples_in,
    listed_for,
    literals_in,
    members_of,
    numbers_in,
    told_of,
)
from mcp_assay.scenario.patterns import Unmakeable, matching
from mcp_assay.scenario.statements import STATEMENT_FIELDS, statements_for
from mcp_assay.scenario.usual_values import (
    CAREFUL,
    COMMANDS,
    FORMATS,
    GENERIC,
    MEASURES,
    NUMBERS,
    PROGRAM_NAMES,
    TEXTS,
    THINGS,
    by_description,
    by_form,
    by_language,
    by_name,
    by_things,
    field_of,
    is_effort,
    is_harmless,
    later,
    made_harmless,
    other,
    singular,
)
from mcp_assay.scenario.web_values import addresses_in, fitting, is_address
from mcp_assay.schema.checker import Schemas
from mcp_assay.text.names import name_parts
from mcp_assay.wire.pointer import Path, pointer
from mcp_assay.wire.values import quoted

_LEAF: Final = (
    "type",
    "enum",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
)
"""The keywords that concern a text or a number alone."""

_EXTRAS: Final = (0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096)
"""How much more than needed repeats of a pattern are taken, until the length is right."""

_NUMBER: Final = re.compile(r"-?[0-9]{1,15}(\.[0-9]{1,15})?\Z")
_LENGTHS: Final = (0, 1, 2, 4, 8, 12)
_RARE_LENGTHS: Final = (2, 4, 8, 12, 16)
"""Of texts that shall not have been there before."""
_PLAIN_ITEMS: Final = {"type", "title", "description", "additionalProperties"}
"""What may be said of the items of an array without telling what they consist of."""
_CONTAINERS: Final = ("{", "[")
_USUAL_SIZE: Final = 5
"""A number of no special meaning."""

_Find: TypeAlias = Callable[["Leaves", Flat, Path], list[Any]]


class Leaves:
    """Makes what has nothing inside, for the fields of one tool."""

    def __init__(self, tool: str, values: Values, schemas: Schemas, purpose: str = "") -> None:
        self._tool: Final = tool
        self._purpose: Final = purpose[:MAX_REFUSAL]
        """What the tool is for, in its own words."""
        self._told: Final = purpose
        self._described: Final[dict[str, str]] = {}
        """What the schema says of each field, for what lies in an array of that name."""
        self._values: Final = values
        self._schemas: Final = schemas
        self._found: Final[dict[tuple[_Find, Path], tuple[Flat, list[Any]]]] = {}

    def known(self, flat: Flat, path: Path) -> list[Any]:
        """Values of which somebody said something, and that fit: the surest first."""
        return self._once(Leaves._known, flat, path)

    def real_ones(self, flat: Flat, path: Path) -> list[Any]:
        """Values that really exist and fit, each once: the surest first."""
        found = self._values.real_ones(self._tool, pointer(path), field_of(path))
        fitting = (value for value in _typed(found, flat) if self.fits(flat, value))
        return list(dict.fromkeys(value for value in fitting if not isinstance(value, dict | list)))

    def thing(self, name: str) -> Any:
        """The thing that an argument names, as a result has named it; None where none did."""
        return next(self._values.of_things(self._tool, name), None)

    def is_settled(self, path: Path) -> bool:
        """Whether the server has said what alone may stand at a place."""
        return self._values.is_settled(self._tool, pointer(path), field_of(path))

    def fits(self, flat: Flat, value: object) -> bool:
        """Whether a value fits the keywords that concern it alone."""
        leaf: dict[str, Any] = {word: flat[word] for word in _LEAF if word in flat}
        if "patterns" in flat:
            leaf["allOf"] = [{"pattern": pattern} for pattern in flat["patterns"]]
        return not leaf or self._schemas.prepare(leaf).check(value).outcome == "valid"

    def members(self, flat: Flat, path: Path) -> dict[str, Any]:
        """What an object must have of which its schema says nothing: names, and their schemas."""
        name = field_of(path)
        if not path or not is_open(flat):
            return {}
        told = members_of(name, self._description(flat, path), self._told)
        names = dict.fromkeys((*self._values.members.get((self._tool, name), ()), *told))
        return {one: self._guessed(one, (*path, one)) for one in names}

    def _guessed(self, name: str, path: Path) -> dict[str, Any]:
        """A schema for a field of which only the name is known, and what was learned of it."""
        if next(self._values.of_field(self._tool, pointer(path), name), None) is not None:
            return {}
        is_measure = not MEASURES.isdisjoint(map(singular, name_parts(name)))
        is_number = is_measure or by_name(NUMBERS, name) or is_effort(name)
        return {"type": "number" if is_number else "string"}

    def text(self, flat: Flat, path: Path, choices: Choices) -> str:
        """A text that fits; raises NoValue."""
        least = within(flat["minLength"], "characters", path) if "minLength" in flat else 0
        if "patterns" in flat:
            return self._matching(flat, path, choices)
        is_formed = flat.get("format") in FORMATS
        is_usual = is_formed or choices.is_usual()
        fitting = self._once(Leaves._fitting_texts, flat, path) if is_usual else []
        if fitting:
            return str(choices.chosen(fitting))
        base = (
            choices.chosen(list(self._usual_texts(flat, path)))
            if is_usual
            else _random_text(choices)
        )
        most = min(int(flat.get("maxLength", MAX_TEXT)), MAX_TEXT)
        return base.ljust(least, "a")[: max(most, least)]

    def number(self, flat: Flat, path: Path, choices: Choices) -> int | float:
        """A number that fits, as far as there is one."""
        allowed = Range(flat)
        is_usual = is_effort(field_of(path)) or choices.is_usual()
        fitting: list[float] = []
        if is_usual:
            fitting = self._once(Leaves._fitting_numbers, flat, path)
        if fitting:
            return choices.chosen(fitting)
        return allowed.usual(_USUAL_SIZE) if choices.is_plain else allowed.any(choices.chance)

    def switch(self, path: Path, choices: Choices) -> bool:
        """True or false, at first the side that does less."""
        if not choices.is_plain:
            return choices.pick(2) == 0
        return next((CAREFUL[word] for word in name_parts(field_of(path)) if word in CAREFUL), True)

    def _once(self, find: _Find, flat: Flat, path: Path) -> list[Any]:
        """What is found for a place; looked for anew only where its flat schema is another one."""
        found = self._found.get((find, path))
        if found is None or found[0] is not flat:
            if len(self._found) >= MAX_VALUES:
                self._found.clear()
            found = self._found[find, path] = flat, find(self, flat, path)
        return found[1]

    def _known(self, flat: Flat, path: Path) -> list[Any]:
        return [value for value in self._said(flat, path) if self.fits(flat, value)][:MAX_LISTED]

    def _fitting_texts(self, flat: Flat, path: Path) -> list[Any]:
        return [text for text in self._usual_texts(flat, path) if self.fits(flat, text)]

    def _fitting_numbers(self, flat: Flat, path: Path) -> list[Any]:
        return [one for one in by_name(NUMBERS, field_of(path)) if self.fits(flat, one)]

    def _description(self, flat: Flat, path: Path) -> str:
        """What is said of a field: in its schema, or in the description of its tool."""
        name, own = field_of(path), flat.get("description", "")[:MAX_REFUSAL]
        own = self._described.setdefault(name, own) if own or name in self._described else ""
        told = told_of(name, self._told)
        return f"{own}\n{told}" if own and told else own or told

    def _said(self, flat: Flat, path: Path) -> Iterator[Any]:
        description = self._description(flat, path)
        learned = self._values.of_field(self._tool, pointer(path), field_of(path), description)
        yield from _typed(learned, flat)
        if "enum" in flat:
            yield from flat["enum"]
            return
        small = by_name(NUMBERS, field_of(path)) if is_effort(field_of(path)) else ()
        yield from small
        if flat.get("default") is not None and not small:
            yield flat["default"]
        yield from self._sites(flat, path, description)
        yield from _harmless(flat.get("examples", ()))
        if is_open(flat):
            yield from literals_in(description)
        elif "JSON" in description and "string" in types_of(flat):
            yield from (json.encode(one).decode() for one in literals_in(description))
        if not {"integer", "number"}.isdisjoint(types_of(flat)):
            yield from numbers_in(description)
        said = [*examples_in(description), *alternatives_in(description)]
        for text in (self._purpose, *self._values.told):
            said += examples_for(field_of(path), text)
            said += listed_for(field_of(path), text)
        yield from _typed(_harmless(said), flat)

    def _sites(self, flat: Flat, path: Path, description: str) -> Iterator[str]:
        """The addresses that the tool names itself, where a web site of ours answers for them."""
        is_text = "string" in types_of(flat)
        if is_text and self._values.places.has_site and is_address(self._texts(flat, path)):
            for text in (description, self._purpose):
                yield from addresses_in(text)

    def _usual_texts(self, flat: Flat, path: Path) -> Iterable[str]:
        name = field_of(path)
        return other(name, later(name, tuple(self._plain_texts(flat, path))))

    def _plain_texts(self, flat: Flat, path: Path) -> Iterable[str]:
        name, description = field_of(path), self._description(flat, path)
        return fitting(self._texts(flat, path), name, description, self._tool)

    def _texts(self, flat: Flat, path: Path) -> Iterable[str]:
        if flat.get("format") in FORMATS:
            return FORMATS[flat["format"]]
        name, description = field_of(path), self._description(flat, path)
        if not STATEMENT_FIELDS.isdisjoint(name_parts(name)) and (
            statements := statements_for(description) or statements_for(self._purpose)
        ):
            return statements
        if isinstance(path[-1], int) and not COMMANDS.isdisjoint(name_parts(name)):
            return PROGRAM_NAMES
        spoken = by_description(description) or by_language(name, f"{self._purpose} {description}")
        if spoken and spoken[0].startswith(_CONTAINERS):
            named = (one for one in by_name(TEXTS, name) if one.startswith(_CONTAINERS))
            spoken = (*named, *spoken)
        meant = spoken or by_code(name, description, self._tool, self._purpose)
        told = self._purpose if name in GENERIC else ""
        known = meant or by_form(name, self._tool, description) or by_name(TEXTS, name)
        known = known or by_things(THINGS, f"{description} {told}")
        return known or ("example", "another example")

    def _matching(self, flat: Flat, path: Path, choices: Choices) -> str:
        if choices.is_plain and (usual := self._once(Leaves._fitting_texts, flat, path)):
            return str(usual[0])
        for pattern in flat["patterns"]:
            for extra in _EXTRAS:
                for turn in range(3):
                    text = self._match(pattern, path, choices.at(f"{extra}/{turn}"), extra)
                    if self.fits(flat, text):
                        return text
        raise NoValue(
            f"No string was found for {quoted(pointer(path))} that matches its pattern and length."
        )

    def _match(self, pattern: str, path: Path, choices: Choices, extra: int) -> str:
        try:
            return matching(pattern, choices.chance, extra)
        except Unmakeable as reason:
            raise NoValue(
                f"No string can be generated for {quoted(pointer(path))}: its pattern {reason}."
            ) from None


def is_open(flat: Flat) -> bool:
    """Whether a schema leaves open what an object, or those in an array, consist of."""
    items = flat.get("items", {})
    is_plain = isinstance(items, dict) and not items.keys() - _PLAIN_ITEMS
    kinds = types_of(flat)
    is_named = "properties" in flat or "enum" in flat
    return not is_named and ("object" in kinds or ("array" in kinds and is_plain))


def _harmless(examples: Iterable[Any]) -> Iterator[Any]:
    return filter(is_harmless, map(made_harmless, examples))


def _typed(values: Iterable[Any], flat: Flat) -> Iterator[Any]:
    """The values, and the numbers that they spell where the place is for numbers."""
    is_numeric = not {"integer", "number"}.isdisjoint(types_of(flat))
    for value in values:
        yield value
        if is_numeric and isinstance(value, str) and _NUMBER.match(value):
            number = float(value)
            yield int(number) if number.is_integer() else number


def _random_text(choices: Choices) -> str:
    if choices.is_plain:
        return "example"
    length = choices.chosen(_RARE_LENGTHS if choices.is_unusual else _LENGTHS)
    return choices.chance.letters(length)


def within(wanted: float, unit: str, path: Path, most: int = MAX_TEXT) -> int:
    """The number, where it is within a limit; raises NoValue."""
    if wanted > most:
        subject = f"The argument {quoted(pointer(path))}" if path else "The inputSchema"
        raise NoValue(f"{subject} asks for {int(wanted):,} {unit}, but at most {most:,} are made.")
    return int(wanted)


SMALLEST_STEP: Final = Fraction(1, 100)
"""How far a number that need not be whole lies beside a limit, at least."""

RELATIVE_STEP: Final = Fraction(1, 10**6)
SPREAD: Final = 100
"""How far from the nearest limit random numbers lie, in steps."""


class Range:
    """The numbers that a flat schema allows: from `low` to `high` in steps."""

    def __init__(self, flat: Flat) -> None:
        self.is_whole: Final = "integer" in (kinds := types_of(flat)) and "number" not in kinds
        self._multiple = _exact(flat.get("multipleOf")) or (Fraction(1) if self.is_whole else None)
        if self.is_whole and self._multiple and self._multiple.denominator != 1:
            self._multiple = Fraction(self._multiple.numerator)
        low, high = _exact(flat.get("minimum")), _exact(flat.get("maximum"))
        above, below = _exact(flat.get("exclusiveMinimum")), _exact(flat.get("exclusiveMaximum"))
        self.low: Final = self._first(low, above)
        self.high: Final = self._last(high, below)
        self._limits: Final = low, above, high, below

    @property
    def is_empty(self) -> bool:
        """Whether no number at all is within the limits, be it one that we would not make."""
        if self.low is None or self.high is None or self.low <= self.high:
            return False
        if self._multiple is not None:
            return True
        low, above, high, below = self._limits
        first = max(one for one in (low, above) if one is not None)
        last = min(one for one in (high, below) if one is not None)
        return first > last or (first == last and (above == first or below == last))

    def at_low(self, steps: int = 0) -> int | float | None:
        """The number so many steps above the lowest; None where there is no lowest."""
        return None if self.low is None else self._number(self.low + steps * self._step(self.low))

    def at_high(self, steps: int = 0) -> int | float | None:
        """The number so many steps above the highest; None where there is no highest."""
        if self.high is None:
            return None
        return self._number(self.high + steps * self._step(self.high))

    def usual(self, preferred: float) -> int | float:
        """The allowed number that is nearest to the preferred one."""
        number = Fraction(preferred)
        if self._multiple is not None:
            number = floor(number / self._multiple) * self._multiple
        if self.high is not None:
            number = min(number, self.high)
        return self._number(number if self.low is None else max(number, self.low))

    def any(self, chance: Chance) -> int | float:
        """Some allowed number."""
        if self.low is None and self.high is None:
            return self.usual(chance.between(-SPREAD, SPREAD))
        start = self.low if self.low is not None else self.high
        sign = 1 if self.low is not None else -1
        step = self._multiple or Fraction(1, 4)
        number = (start or Fraction(0)) + sign * chance.between(0, SPREAD) * step
        return self.usual(self._number(number))

    def _first(self, low: Fraction | None, above: Fraction | None) -> Fraction | None:
        """The lowest number at or over the one and over the other limit."""
        if low is None and above is None:
            return None
        starts = [] if low is None else [self._up(low)]
        if above is not None:
            next_up = self._up(above)
            starts.append(next_up if next_up > above else next_up + self._step(above))
        return max(starts)

    def _last(self, high: Fraction | None, below: Fraction | None) -> Fraction | None:
        if high is None and below is None:
            return None
        ends = [] if high is None else [self._down(high)]
        if below is not None:
            next_down = self._down(below)
            ends.append(next_down if next_down < below else next_down - self._step(below))
        return min(ends)

    def _up(self, limit: Fraction) -> Fraction:
        return limit if self._multiple is None else ceil(limit / self._multiple) * self._multiple

    def _down(self, limit: Fraction) -> Fraction:
        return limit if self._multiple is None else floor(limit / self._multiple) * self._multiple

    def _step(self, near: Fraction) -> Fraction:
        return self._multiple or max(SMALLEST_STEP, abs(near) * RELATIVE_STEP)

    def _number(self, number: Fraction) -> int | float:
        if self.is_whole or number.denominator == 1:
            return int(number)
        try:
            return float(number)
        except OverflowError:
            return 0


def _exact(value: float | None) -> Fraction | None:
    """The number that was written, 0.1 as one tenth."""
    if value is None:
        return None
    return Fraction(value) if isinstance(value, int) else Fraction(repr(value))
