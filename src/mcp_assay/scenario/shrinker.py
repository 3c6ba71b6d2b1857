"""Failing calls made small: ever smaller arguments are proposed, and kept while they still fail."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from typing import Any, Final, TypeAlias

from mcp_assay.scenario.argument_places import put, without
from mcp_assay.scenario.arguments import key_of
from mcp_assay.scenario.limits import MAX_SHRINK_CANDIDATES, MAX_SHRINKS
from mcp_assay.schema.checker import Schemas
from mcp_assay.wire.pointer import Path

Arguments: TypeAlias = dict[str, Any]

_SIMPLEST_TEXTS: Final = ("", "a")
MAX_CHARACTERS: Final = 24
"""A text of so many characters is looked at one by one; of a longer one, so many special ones."""
_SIMPLEST_NUMBERS: Final = (0, 1)


class Shrinker:
    """Looks for the smallest arguments that fail as the first ones did.

    Ask with `propose` for arguments to try, say with `tell` whether they fail the same way, until
    nothing is proposed; `smallest` is the result. What is proposed is as valid as the first was.
    """

    def __init__(
        self, arguments: Arguments, schema: object, schemas: Schemas | None = None
    ) -> None:
        self.smallest: Arguments = arguments
        self.tries = 0
        self._prepared: Final = (schemas or Schemas()).prepare(schema)
        self._outcome: Final = self._prepared.check(arguments).outcome
        self._needed: Final = _required(schema) & set(arguments)
        self._seen: Final = {key_of(arguments)}
        self._proposed: Arguments | None = None
        self._looked_at = 0
        self._waiting = self._smaller()

    def propose(self) -> Arguments | None:
        """Smaller arguments to try; None where nothing is left to try."""
        self._proposed = None if self.tries >= MAX_SHRINKS else next(self._waiting, None)
        self.tries += self._proposed is not None
        return self._proposed

    def learn(self, still_fails: bool) -> None:
        """Say whether what was proposed fails in the same way."""
        if still_fails and self._proposed is not None:
            self.smallest = self._proposed
            self._waiting = self._smaller()

    def _smaller(self) -> Iterator[Arguments]:
        current = self.smallest
        for candidate in _candidates(current, self._needed):
            self._looked_at += 1
            if self._looked_at > MAX_SHRINK_CANDIDATES:
                return
            key = key_of(candidate)
            if key in self._seen or _size(candidate) >= _size(current):
                continue
            self._seen.add(key)
            if self._prepared.check(candidate).outcome == self._outcome:
                yield candidate


def _candidates(arguments: Arguments, needed: set[str]) -> Iterator[Arguments]:
    """Smaller arguments, those that leave out most first."""
    places = list(_places(arguments))
    yield {name: value for name, value in arguments.items() if name in needed}
    yield from (without(arguments, (name,)) for name in arguments if name not in needed)
    lists = [path for path in places if isinstance(_at(arguments, path), list)]
    yield from _simplified(arguments, lists)
    yield from (without(arguments, path) for path in places if len(path) > 1)
    yield from _simplified(arguments, places)


def _simplified(arguments: Arguments, places: list[Path]) -> Iterator[Arguments]:
    for path in places:
        yield from (put(arguments, path, value) for value in _simpler(_at(arguments, path)))


def _places(value: Any, path: Path = ()) -> Iterator[Path]:
    """Every place inside a value, the outer ones first."""
    level: list[tuple[Path, Any]] = [(path, value)]
    while level:
        level = list(chain.from_iterable(_inside(one, where) for where, one in level))
        yield from (where for where, _ in level)


def _inside(value: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    if isinstance(value, dict):
        yield from (((*path, name), inner) for name, inner in value.items())
    elif isinstance(value, list):
        yield from (((*path, at), inner) for at, inner in enumerate(value))


def _at(value: Any, path: Path) -> Any:
    for step in path:
        value = value[step]
    return value


def _simpler(value: Any) -> Iterator[Any]:
    """Simpler values of the same type, the simplest first."""
    if isinstance(value, bool):
        yield False
    elif isinstance(value, str):
        yield from _simpler_texts(value)
    elif isinstance(value, int | float):
        yield from _SIMPLEST_NUMBERS
        yield from (int(value), int(value / 2), -value)
    elif isinstance(value, list):
        yield from ([], value[: len(value) // 2], value[len(value) // 2 :])
    elif isinstance(value, dict):
        yield {}


def _simpler_texts(value: str) -> Iterator[str]:
    """Simpler texts: one character of it alone, parts of it, it without one or with plain ones."""
    yield from _SIMPLEST_TEXTS
    special = dict.fromkeys(one for one in value if not (one.isascii() and one.isalnum()))
    yield from islice(special, MAX_CHARACTERS)
    yield from (value[: len(value) // 2], value[len(value) // 2 :], value[:-1], value[1:])
    if len(value) <= MAX_CHARACTERS:
        yield from (value[:at] + value[at + 1 :] for at in range(len(value)))
    yield "a" * len(value)
    if len(value) <= MAX_CHARACTERS:
        yield from (f"{value[:at]}a{value[at + 1 :]}" for at in range(len(value)))


def _size(value: Any) -> tuple[int, int, bytes]:
    """What becomes smaller with every step: parts, then characters, then what sorts first."""
    text = key_of(value)
    return sum(1 for _ in _places(value)), len(text) + text.count(b"-"), _plainness(text)


def _plainness(text: bytes) -> bytes:
    """Orders texts of one length: small letters first, then digits from 0, then all else."""
    return bytes(_RANKS[byte] for byte in text)


_ORDER: Final = b"abcdefghijklmnopqrstuvwxyz0123456789"
_RANKS: Final = bytes(
    _ORDER.index(byte) if byte in _ORDER else min(255, 64 + byte) for byte in range(256)
)


def _required(schema: object) -> set[str]:
    named = schema.get("required") if isinstance(schema, dict) else None
    return {name for name in named if isinstance(name, str)} if isinstance(named, list) else set()
