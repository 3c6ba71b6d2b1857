"""Tools that wait by design: what tells them, and arguments that make them wait only briefly."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from msgspec.structs import replace

from mcp_assay.model.scenario import Scenario
from mcp_assay.scenario.arguments import key_of
from mcp_assay.schema.checker import Schemas
from mcp_assay.text.names import name_words, word_set

WAITING: Final = word_set(
    """
    await awaits delay delays idle linger listen listens pause pauses poll polls sleep sleeps wait
    waits watch watches
    """
)
"""What a tool does that lets time pass, as a word of its name or the first of its description."""
LONG_RUNNING: Final = ("long running", "long-running", "waits for", "sleeps for", "wait until")
"""What descriptions say of such tools."""
SPANS: Final = word_set(
    """
    delay delays duration hours interval millis milliseconds minutes ms pause secs seconds sleep
    wait
    """
)
"""The words of arguments that are a time to let pass."""
PATIENCE: Final = word_set("deadline steps timeout timeouts ttl")
"""The words of arguments that may be one: here only very large values are left out."""
LONGEST_DESCRIPTION: Final = 2000
SMALL: Final = 1
"""A wait that every call has time for, in whatever unit."""
LARGE: Final = 100_000
"""What nobody waits for, in whatever unit."""


def waits_by_design(tool: Mapping[str, Any]) -> bool:
    """Whether a tool says, by its name, description or arguments, that it lets time pass."""
    if not WAITING.isdisjoint(name_words(str(tool.get("name", "")))):
        return True
    words = str(tool.get("description") or "")[:LONGEST_DESCRIPTION].lower()
    first = words.split(maxsplit=1)[:1]
    says_so = not WAITING.isdisjoint(first) or any(phrase in words for phrase in LONG_RUNNING)
    return says_so or any(_is_span(name) for name in _arguments(tool))


class SmallWaits:
    """Makes scenarios of a tool short: small values wherever one would let time pass."""

    def __init__(self, tool: Mapping[str, Any], schemas: Schemas) -> None:
        names = _arguments(tool)
        self._spans: Final = [name for name in names if _is_span(name)]
        may_be = [name for name in names if not PATIENCE.isdisjoint(name_words(name))]
        self._long: Final = (*self._spans, *may_be)
        self._schema: Final = tool.get("inputSchema")
        self._schemas: Final = schemas

    def of(
        self, scenarios: Iterable[Scenario], made: Iterable[Scenario] = ()
    ) -> Iterator[Scenario]:
        """The scenarios with short waits; none that becomes one of those before comes again."""
        if not self._long:
            yield from scenarios
            return
        seen = {key_of(one.arguments) for one in made}
        for scenario in scenarios:
            short = self._shortened(scenario)
            key = key_of(short.arguments) if short else b""
            if short is not None and (short is scenario or key not in seen):
                seen.add(key)
                yield short

    def _shortened(self, scenario: Scenario) -> Scenario | None:
        """The scenario with short waits; None where it would try how long a call can take.

        What the user gave is not changed.
        """
        given = scenario.arguments
        if scenario.is_typed:
            return scenario
        if any(_is_above(given.get(name), LARGE) for name in self._long):
            return None
        small = {name: self._smallest(name) for name in self._spans if name in given}
        shorter = {name: it for name, it in small.items() if _is_above(given[name], it)}
        if not scenario.valid or not shorter:
            return scenario
        arguments = {**given, **shorter}
        fits = self._schemas.prepare(self._schema).check(arguments).outcome == "valid"
        return replace(scenario, arguments=arguments) if fits else scenario

    def _smallest(self, name: str) -> float:
        """The smallest wait that the schema of an argument admits."""
        members = self._schema.get("properties") if isinstance(self._schema, dict) else {}
        schema = members.get(name) if isinstance(members, dict) else None
        least = schema.get("minimum") if isinstance(schema, dict) else None
        return least if isinstance(least, int | float) and least > SMALL else SMALL


def _arguments(tool: Mapping[str, Any]) -> list[str]:
    """The names of the arguments of a tool."""
    schema = tool.get("inputSchema")
    members = schema.get("properties") if isinstance(schema, dict) else None
    return [str(name) for name in members] if isinstance(members, dict) else []


def _is_span(name: str) -> bool:
    return not SPANS.isdisjoint(name_words(name))


def _is_above(value: Any, limit: float) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value > limit
