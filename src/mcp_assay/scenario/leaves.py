"""Texts, numbers and switches for one place: known values first, then such as fit the schema."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, TypeAlias

from mcp_assay.scenario.keywords import Flat, types_of
from mcp_assay.scenario.limits import MAX_LISTED, MAX_REFUSAL, MAX_TEXT, MAX_VALUES
from mcp_assay.scenario.listings import examples_in
from mcp_assay.scenario.numbers import Range
from mcp_assay.scenario.patterns import Unmakeable, matching
from mcp_assay.scenario.unfolding import Gap
from mcp_assay.scenario.values import Values
from mcp_assay.scenario.whim import Whim
from mcp_assay.scenario.words import (
    CAREFUL,
    FORMATS,
    NUMBERS,
    TEXTS,
    by_description,
    by_language,
    by_name,
    field_of,
    is_effort,
    is_harmless,
    made_harmless,
    words_of,
)
from mcp_assay.schema.checking import Schemas
from mcp_assay.wire.leaves import quoted
from mcp_assay.wire.pointer import Path, pointer

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
_WISH: Final = 5
"""A number of no special meaning."""

_Find: TypeAlias = Callable[["Leaves", Flat, Path], list[Any]]


class Leaves:
    """Makes what has nothing inside, for the fields of one tool."""

    def __init__(self, tool: str, values: Values, schemas: Schemas, purpose: str = "") -> None:
        self._tool: Final = tool
        self._purpose: Final = purpose[:MAX_REFUSAL]
        """What the tool is for, in its own words."""
        self._values: Final = values
        self._schemas: Final = schemas
        self._found: Final[dict[tuple[_Find, Path], tuple[Flat, list[Any]]]] = {}

    def known(self, flat: Flat, path: Path) -> list[Any]:
        """Values of which somebody said something, and that fit: the surest first."""
        return self._once(Leaves._known, flat, path)

    def fits(self, flat: Flat, value: object) -> bool:
        """Whether a value fits the keywords that concern it alone."""
        leaf: dict[str, Any] = {word: flat[word] for word in _LEAF if word in flat}
        if "patterns" in flat:
            leaf["allOf"] = [{"pattern": pattern} for pattern in flat["patterns"]]
        return not leaf or self._schemas.prepare(leaf).check(value).outcome == "valid"

    def text(self, flat: Flat, path: Path, whim: Whim) -> str:
        """A text that fits; raises Gap."""
        least = within(flat["minLength"], "characters", path) if "minLength" in flat else 0
        if "patterns" in flat:
            return self._matching(flat, path, whim)
        is_formed = flat.get("format") in FORMATS
        is_usual = is_formed or whim.is_usual()
        fitting = self._once(Leaves._fitting_texts, flat, path) if is_usual else []
        if fitting:
            return str(whim.chosen(fitting))
        base = whim.chosen(list(self._usual_texts(flat, path))) if is_usual else _random_text(whim)
        most = min(int(flat.get("maxLength", MAX_TEXT)), MAX_TEXT)
        return base.ljust(least, "a")[: max(most, least)]

    def number(self, flat: Flat, path: Path, whim: Whim) -> int | float:
        """A number that fits, as far as there is one."""
        allowed = Range(flat)
        is_usual = is_effort(field_of(path)) or whim.is_usual()
        fitting: list[float] = []
        if is_usual:
            fitting = self._once(Leaves._fitting_numbers, flat, path)
        if fitting:
            return whim.chosen(fitting)
        return allowed.usual(_WISH) if whim.is_plain else allowed.any(whim.chance)

    def switch(self, path: Path, whim: Whim) -> bool:
        """True or false, at first the side that does less."""
        if not whim.is_plain:
            return whim.pick(2) == 0
        return next((CAREFUL[word] for word in words_of(field_of(path)) if word in CAREFUL), True)

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

    def _said(self, flat: Flat, path: Path) -> Iterator[Any]:
        learned = self._values.of_field(self._tool, pointer(path), field_of(path))
        yield from _typed(learned, flat)
        if "enum" in flat:
            yield from flat["enum"]
            return
        small = by_name(NUMBERS, field_of(path)) if is_effort(field_of(path)) else ()
        yield from small
        if flat.get("default") is not None and not small:
            yield flat["default"]
        yield from _harmless(flat.get("examples", ()))
        description = flat.get("description", "")[:MAX_REFUSAL]
        yield from _typed(_harmless(examples_in(description)), flat)

    def _usual_texts(self, flat: Flat, path: Path) -> Iterable[str]:
        if flat.get("format") in FORMATS:
            return FORMATS[flat["format"]]
        described = by_description(flat.get("description", "")[:MAX_REFUSAL])
        spoken = described or by_language(field_of(path), self._purpose)
        return spoken or by_name(TEXTS, field_of(path)) or ("example", "another example")

    def _matching(self, flat: Flat, path: Path, whim: Whim) -> str:
        if whim.is_plain and (usual := self._once(Leaves._fitting_texts, flat, path)):
            return str(usual[0])
        for pattern in flat["patterns"]:
            for extra in _EXTRAS:
                for turn in range(3):
                    text = self._match(pattern, path, whim.at(f"{extra}/{turn}"), extra)
                    if self.fits(flat, text):
                        return text
        raise Gap(
            f"No text was found for {quoted(pointer(path))} that fits its pattern and its length."
        )

    def _match(self, pattern: str, path: Path, whim: Whim, extra: int) -> str:
        try:
            return matching(pattern, whim.chance, extra)
        except Unmakeable as reason:
            raise Gap(
                f"No text can be made for {quoted(pointer(path))}: its pattern {reason}."
            ) from None


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


def _random_text(whim: Whim) -> str:
    if whim.is_plain:
        return "example"
    length = whim.chosen(_RARE_LENGTHS if whim.is_unusual else _LENGTHS)
    return whim.chance.letters(length)


def within(wanted: float, unit: str, path: Path, most: int = MAX_TEXT) -> int:
    """The number, where it is within a limit; raises Gap."""
    if wanted > most:
        subject = f"The argument {quoted(pointer(path))}" if path else "The inputSchema"
        raise Gap(f"{subject} asks for {int(wanted):,} {unit}, and no more than {most:,} are made.")
    return int(wanted)
