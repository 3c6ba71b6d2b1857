"""Arguments for one tool, made and made anew until they are valid, or it is said why not."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, Final

from msgspec import json

from mcp_assay.scenario.agreement import agreeing
from mcp_assay.scenario.argument_places import ArgumentPlace, left_alone, places_in
from mcp_assay.scenario.choices import Chance, Choices, Strategy
from mcp_assay.scenario.flat_schemas import Exhausted, NothingFits, NoValue, Unfolding
from mcp_assay.scenario.known_values import Values
from mcp_assay.scenario.leaves import Leaves, is_open
from mcp_assay.scenario.limits import (
    MAX_ATTEMPTS,
    MAX_BRANCHES_TRIED,
    MAX_PLACES,
    MAX_RANDOM_ATTEMPTS,
    MAX_UNDECIDED,
)
from mcp_assay.scenario.schema_values import Maker
from mcp_assay.scenario.variations import Variation, faults, limits
from mcp_assay.schema.checker import Outcome, Schemas, SchemaVerdict
from mcp_assay.schema.messages import json_text
from mcp_assay.wire.pointer import Path, pointer
from mcp_assay.wire.values import quoted

_NO_SCHEMA: Final = "The tool has no inputSchema, so nothing is known about its arguments."
_ABSENT: Final = object()
_BRANCH: Final = re.compile(rb'"(?:anyOf|oneOf|if|not|dependencies|dependentSchemas)":')
"""Keywords of schemas that different values fit in different ways."""
SHORT_TEXT: Final = 300
"""In a text of so many bytes no number is beyond a double, and nothing is nested too deep."""


class Craft:
    """Makes arguments for one tool; what it cannot make stands in `unmade`."""

    def __init__(
        self, tool: Mapping[str, Any], seed: int, values: Values, schemas: Schemas
    ) -> None:
        self.unmade: Final[list[str]] = []
        self.contradictions: Final[list[str]] = []
        """Why no arguments at all fit the schema."""
        name = tool.get("name")
        self.tool: Final = name if isinstance(name, str) else ""
        self._seed: Final = f"{seed}/{self.tool}"
        given = tool.get("inputSchema", _ABSENT)
        if given is _ABSENT:
            self.unmade.append(_NO_SCHEMA)
        schema = {} if given is _ABSENT else given
        self._prepared: Final = schemas.prepare(schema)
        is_refused = self._prepared.sort == "refused"
        self._unusable: Final = self._prepared.reason if is_refused else None
        """Why nothing can be made by the schema, where it cannot even be checked."""
        document = False if is_refused else _plain(schema)
        needed = list(values.needed.get(self.tool, ()))
        self._apart: Final = values.apart.get(self.tool, ())
        self._schema: Final = {"allOf": [document, {"type": "object", "required": needed}]}
        self._unfolding: Final = Unfolding(document)
        purpose = tool.get("description")
        purpose = purpose if isinstance(purpose, str) else ""
        self._leaves: Final = Leaves(self.tool, values, schemas, purpose)
        self._maker: Final = Maker(self._unfolding, self._leaves, self.unmade)
        self._outcomes: Final[dict[bytes, Outcome]] = {}
        self._doubts = MAX_UNDECIDED if is_refused else 0

    def outcome(self, arguments: dict[str, Any], key: bytes | None = None) -> Outcome:
        """Whether arguments, which may be known by their key, fit the tool's schema."""
        key = key or key_of(arguments)
        known = self._outcomes.get(key)
        if known is None:
            known = self._quick(key, arguments) or self._check(arguments, explained=False).outcome
            self._outcomes[key] = known
        return known

    def arguments(
        self, key: str, *, strategy: Strategy = "plain", has_options: bool = False
    ) -> dict[str, Any] | None:
        """Arguments that are valid, or undecided where nothing can be decided; else None."""
        choices = Choices(f"{self._seed}/{key}", strategy=strategy, has_options=has_options)
        try:
            most = MAX_ATTEMPTS if choices.is_plain else MAX_RANDOM_ATTEMPTS
            return self._agreeing(self._kept_apart(self._tried(choices, most)))
        except NoValue as gap:
            gaps = self.contradictions if self._is_contradiction(gap) else self.unmade
            gaps.extend([self._unusable or str(gap)] if choices.is_plain else ())
            return None

    def with_things(self, least: dict[str, Any], most: dict[str, Any]) -> dict[str, Any]:
        """The least arguments, and options that name things which are known to be there."""
        known = ((name, self._leaves.thing(name)) for name in most if name not in least)
        return {**least, **{name: value for name, value in known if value is not None}}

    def is_settled(self, path: Path) -> bool:
        """Whether the server has said what alone may stand at a place."""
        return self._leaves.is_settled(path)

    def real_ones(self, place: ArgumentPlace) -> list[Any]:
        """Other values for a place that really exist, as far as anybody has said."""
        if "enum" in place.flat or isinstance(place.value, dict | list):
            return []
        found = self._leaves.real_ones(place.flat, place.path)
        return [value for value in found if value != place.value]

    def _kept_apart(self, made: dict[str, Any] | None) -> dict[str, Any] | None:
        """The arguments, of those that go only one at a time the first."""
        if made is None:
            return None
        for group in self._apart:
            others = [name for name in group if name in made][1:]
            fewer = {name: value for name, value in made.items() if name not in others}
            made = fewer if self.outcome(fewer) != "invalid" else made
        return made

    def _agreeing(self, made: dict[str, Any] | None) -> dict[str, Any] | None:
        """The arguments, with members that suit one another where the schema allows it."""
        if made is None:
            return None
        agreed: dict[str, Any] = agreeing(made)
        return agreed if agreed == made or self.outcome(agreed) != "invalid" else made

    def _is_contradiction(self, gap: NoValue) -> bool:
        """Whether that is true of all arguments: a schema with branches may fit others."""
        is_of_all = isinstance(gap, NothingFits) and not self._unusable
        return is_of_all and _BRANCH.search(json_text(self._schema)) is None

    def arguments_with(self, path: Path, value: Any) -> dict[str, Any] | None:
        """Valid arguments with this value at a place below names, if any can be made.

        What else they must have may depend on it.
        """
        if not all(isinstance(step, str) for step in path):
            return None
        fixed: dict[str, Any] = {"const": value}
        for step in reversed(path):
            fixed = {"properties": {step: fixed}, "required": [step]}
        schema = {"allOf": [fixed, self._schema]}
        choices = Choices(f"{self._seed}/{pointer(path)}", strategy="plain", has_options=False)
        unmade = len(self.unmade)
        for attempt in range(MAX_ATTEMPTS):
            with suppress(NoValue):
                anew = {"": attempt} if attempt else {}
                made = self._maker.arguments(schema, choices.made_anew(anew))
                if self.outcome(made) == "valid":
                    return made
            del self.unmade[unmade:]
        return None

    def places(self, arguments: dict[str, Any] | None) -> list[ArgumentPlace]:
        """The places of the arguments that are varied."""
        return self._places(arguments)[:MAX_PLACES]

    def is_guessed(self, arguments: dict[str, Any]) -> bool:
        """Whether there is an object in the arguments of which the schema says nothing.

        It may be written out in a text.
        """
        texts = (value for value in arguments.values() if isinstance(value, str))
        if any(text.startswith(("{", "[")) for text in texts):
            return True
        if not any(isinstance(value, dict | list) for value in arguments.values()):
            return False
        places = self._places(arguments)[:MAX_PLACES]
        return any(isinstance(one.value, dict) and is_open(one.flat) for one in places)

    def left_alone(self, arguments: dict[str, Any] | None) -> list[str]:
        """Which places of the arguments are not varied, in sentences."""
        return list(left_alone(self._places(arguments)))

    def _places(self, arguments: dict[str, Any] | None) -> list[ArgumentPlace]:
        if arguments is None or self._has_given_up():
            return []
        try:
            return places_in(self._unfolding, self._schema, arguments)
        except NoValue as gap:
            self.unmade.append(str(gap))
            return []

    def shuffled_faults(
        self, arguments: dict[str, Any], key: str
    ) -> Iterator[tuple[ArgumentPlace, Variation]]:
        """All that can be made wrong about the arguments, in a random order."""
        chance = Chance(f"{self._seed}/{key}")
        for place in chance.shuffled(self.places(arguments)):
            for variation in chance.shuffled((*faults(place), *limits(place))):
                if variation.is_wrong:
                    yield place, variation

    def _tried(self, choices: Choices, attempts: int) -> dict[str, Any] | None:
        anew: defaultdict[str, int] = defaultdict(int)
        made: dict[str, Any] = {}
        verdict = None
        for _ in range(attempts):
            made = self._made(choices, anew)
            if self.outcome(made) != "invalid":
                return made
            verdict = self._check(made)
            for name in _blamed(verdict):
                anew[name] += 1
        return self._without_blamed(made, verdict) if choices.is_plain else None

    def _made(self, choices: Choices, anew: defaultdict[str, int]) -> dict[str, Any]:
        """Arguments as chosen; where they cannot be made, other branches are tried a few times."""
        for _ in range(MAX_BRANCHES_TRIED):
            try:
                return self._maker.arguments(self._schema, choices.made_anew(anew))
            except Exhausted:
                raise
            except NoValue:
                anew[""] += 1
        return self._maker.arguments(self._schema, choices.made_anew(anew))

    def _without_blamed(
        self, made: dict[str, Any], verdict: SchemaVerdict | None
    ) -> dict[str, Any] | None:
        """The arguments without those that could not be put right, if that helps."""
        blamed = _blamed(verdict) if verdict else set()
        self.unmade.extend(_reasons(verdict) if verdict else ())
        left = {name: value for name, value in made.items() if name not in blamed}
        return left if len(left) < len(made) and self.outcome(left) == "valid" else None

    def _quick(self, text: bytes, arguments: dict[str, Any]) -> Outcome | None:
        """Whether arguments fit, where their text is so short that nothing need be measured."""
        accepts = self._prepared.accepts
        if accepts is None or len(text) > min(self._prepared.most_bytes, SHORT_TEXT):
            return None
        value = json.decode(text)
        if value != arguments or self._has_given_up():
            return None
        return "valid" if accepts(value) else "invalid"

    def _check(self, arguments: object, *, explained: bool = True) -> SchemaVerdict:
        if self._has_given_up():
            return SchemaVerdict("undecided", reason=self._prepared.reason)
        verdict = self._prepared.check(arguments, explained=explained)
        if verdict.outcome == "undecided":
            self._doubts += 1
            if self._has_given_up():
                self.unmade.append(verdict.reason or "")
        return verdict

    def _has_given_up(self) -> bool:
        return self._doubts >= MAX_UNDECIDED


def key_of(arguments: object) -> bytes:
    """What is equal for equal arguments."""
    return json.encode(arguments, order="deterministic")


def _plain(schema: object) -> Any:
    """The schema as it stands in its JSON text, with nothing shared and nothing cyclic."""
    return json.decode(json_text(schema))


def _blamed(verdict: SchemaVerdict) -> set[str]:
    """The arguments that a verdict complains of; "" is all of them together."""
    return {str(problem.path[0]) if problem.path else "" for problem in verdict.problems}


def _reasons(verdict: SchemaVerdict) -> Iterator[str]:
    for problem in verdict.problems[:1]:
        place = f"value was found for {quoted(pointer(problem.path))}"
        what = place if problem.path else "arguments were found"
        yield f"No valid {what}: the generated value {problem.text}."
