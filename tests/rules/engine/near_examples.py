"""The examples of all rules, and messages near to them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

from mcp_assay.model.entry import Direction
from mcp_assay.rules import load
from mcp_assay.rules.engine.rule import Example
from mcp_assay.spec.shapes import SHAPES
from tests.oracle import mutants
from tests.oracle.values import renamed
from tests.rules.engine.verdicts import Case
from tests.rules.examples import values

SEED: Final = 20251125
MUTANTS: Final = 10
SPRINKLES: Final = 4
DIRECTIONS: Final[tuple[Direction | None, ...]] = ("c2s", "s2c", None)

NAMES: Final = sorted({field.name for shape in SHAPES.values() for field in shape.fields})
NEAR_NAMES: Final = [near for name in NAMES for near in (name, *renamed(name), f"{name}s")]
"""Every name of every revision, and near misses of it."""


def near_examples(revision: str, *, every: int = 1) -> Iterator[Case]:
    """Every so many of the messages, as messages of the revision."""
    rng = random.Random(SEED)
    for example in _examples():
        for message in islice(_variants(rng, example.value), 0, None, every):
            yield Case(message, revision, example.method, rng.choice(DIRECTIONS))


def _examples() -> Iterator[Example]:
    """The examples of all rules, the good and the bad ones."""
    for rule in load("message").values():
        shown = (*values(rule.good), *values(rule.bad))
        yield from (one for one in shown if isinstance(one.value, dict))


def _sprinkled(rng: random.Random, value: Any) -> Any:
    """A copy with a member of some revision, or one that looks like it, put in somewhere."""
    if isinstance(value, list) and value:
        index = rng.randrange(len(value))
        return [*value[:index], _sprinkled(rng, value[index]), *value[index + 1 :]]
    if not isinstance(value, dict):
        return value
    inside = [name for name, member in value.items() if isinstance(member, dict | list) and member]
    if inside and rng.random() < 0.8:
        name = rng.choice(inside)
        return {**value, name: _sprinkled(rng, value[name])}
    return {**value, rng.choice(NEAR_NAMES): rng.choice([True, 1, "x", {}, []])}


def _variants(rng: random.Random, message: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The message itself, with one or two random faults, and with a member too many."""
    yield message
    for _, once in islice(mutants(rng, message), MUTANTS):
        yield once
        yield from (twice for _, twice in islice(mutants(rng, once), 1))
    yield from (_sprinkled(rng, message) for _ in range(SPRINKLES))
