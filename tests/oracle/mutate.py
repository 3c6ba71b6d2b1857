"""Random faults for any message: one small change somewhere, described in a few words."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, TypeAlias

from tests.oracle.values import UNKNOWN, WRONG, json_type, renamed

Step: TypeAlias = str | int
Path: TypeAlias = tuple[Step, ...]
Change: TypeAlias = Callable[[random.Random, Any, Any], Any]
"""Gives a changed copy of a container; the third argument is the key or index to change at."""

FAR_NUMBERS: Final = (-1, -0.5, 1.01, 2, 101, 2**53, -(2**53), 1e300)


def mutants(rng: random.Random, message: Any) -> Iterator[tuple[str, Any]]:
    """Endless random single faults of `message`, each as (what was done where, changed copy).

    Every mutant differs from the message, which is never changed itself; parts that a mutant
    leaves alone are shared with it. A message without any member has no mutants.
    """
    places = list(_paths(message))
    while places:
        path = rng.choice(places)
        parent = _at(message, path[:-1])
        name = rng.choice([name for name in CHANGES if _applies(name, parent, path[-1])])
        changed = CHANGES[name](rng, parent, path[-1])
        yield f"{name} /{'/'.join(map(str, path))}", _replaced(message, path[:-1], changed)


def _paths(value: Any, above: Path = ()) -> Iterator[Path]:
    for step, part in _inside(value):
        yield (*above, step)
        yield from _paths(part, (*above, step))


def _inside(value: Any) -> Iterable[tuple[Step, Any]]:
    if isinstance(value, dict):
        return value.items()
    return enumerate(value) if isinstance(value, list) else ()


def _at(value: Any, path: Path) -> Any:
    for step in path:
        value = value[step]
    return value


def _replaced(value: Any, path: Path, new: Any) -> Any:
    if not path:
        return new
    return _with(value, path[0], _replaced(value[path[0]], path[1:], new))


def _with(container: Any, step: Step, new: Any) -> Any:
    copy = container.copy()
    copy[step] = new
    return copy


def _drop(_rng: random.Random, parent: Any, step: Any) -> Any:
    copy = parent.copy()
    del copy[step]
    return copy


def _retype(rng: random.Random, parent: Any, step: Any) -> Any:
    others = [name for name in WRONG if name != json_type(parent[step])]
    return _with(parent, step, rng.choice(WRONG[rng.choice(others)]))


def _rename(rng: random.Random, parent: Any, step: Any) -> Any:
    new = rng.choice([*renamed(step), f"{step}2"])
    return {new if name == step else name: value for name, value in parent.items()}


def _add(rng: random.Random, parent: Any, _step: Any) -> Any:
    return {**parent, UNKNOWN: rng.choice(rng.choice(list(WRONG.values())))}


def _far_number(rng: random.Random, parent: Any, step: Any) -> Any:
    return _with(parent, step, rng.choice([far for far in FAR_NUMBERS if far != parent[step]]))


def _as_float(_rng: random.Random, parent: Any, step: Any) -> Any:
    return _with(parent, step, float(parent[step]))


def _garble(rng: random.Random, parent: Any, step: Any) -> Any:
    text = parent[step]
    near = (f"{text} ", text.swapcase(), text[1:], f"{text}{text}")
    return _with(parent, step, rng.choice([other for other in near if other != text]))


def _nullify(_rng: random.Random, parent: Any, step: Any) -> Any:
    return _with(parent, step, None)


def _duplicate(_rng: random.Random, parent: Any, step: Any) -> Any:
    return [*parent, parent[step]]


def _wrap(_rng: random.Random, parent: Any, step: Any) -> Any:
    return _with(parent, step, [parent[step]])


CHANGES: Final[dict[str, Change]] = {
    "drop": _drop,
    "retype": _retype,
    "rename": _rename,
    "add": _add,
    "far number": _far_number,
    "as float": _as_float,
    "garble": _garble,
    "null": _nullify,
    "duplicate": _duplicate,
    "wrap": _wrap,
}

NEEDS: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "rename": lambda parent, _: isinstance(parent, dict),
    "add": lambda parent, _: isinstance(parent, dict) and UNKNOWN not in parent,
    "null": lambda parent, step: parent[step] is not None,
    "duplicate": lambda parent, _: isinstance(parent, list),
    "far number": lambda parent, step: json_type(parent[step]) in ("integer", "number"),
    "as float": lambda parent, step: json_type(parent[step]) == "integer",
    "garble": lambda parent, step: isinstance(parent[step], str),
}
"""Which change makes sense where; those not listed always do."""


def _applies(name: str, parent: Any, step: Step) -> bool:
    return name not in NEEDS or NEEDS[name](parent, step)
