"""Paths into a value, and JSON Pointers (RFC 6901)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, TypeAlias

Step: TypeAlias = str | int
Path: TypeAlias = tuple[Step, ...]

_MOST_DIGITS: Final = 9
"""Longer numbers are no index of anything that we hold."""


def pointer(path: Path) -> str:
    """The JSON Pointer of a path: "" for the whole value."""
    text = "/".join(("", *map(str, path)))
    if text.count("/") == len(path) and "~" not in text:
        return text
    return "".join([f"/{_escaped(str(step))}" for step in path])


def resolve(value: Any, path: Path, default: object = None) -> object:
    """The value at the end of the path, or `default` where the path leads nowhere."""
    for step in path:
        if isinstance(value, dict):
            there = step in value
        else:
            there = isinstance(value, list) and isinstance(step, int) and 0 <= step < len(value)
        if not there:
            return default
        value = value[step]
    return value


def tokens(pointer: str) -> list[str]:
    """The steps of a JSON Pointer as they are written in it, unescaped."""
    steps = pointer.split("/")[1:]
    return [step.replace("~1", "/").replace("~0", "~") for step in steps]


def follow(value: Any, steps: Iterable[str]) -> Path:
    """The path that the tokens of a pointer mean, as far as the value goes along with it."""
    path: list[Step] = []
    for token in steps:
        step = _step(value, token)
        if step is None:
            break
        path.append(step)
        value = value[step]
    return tuple(path)


def find(value: Any, steps: Iterable[str], default: object = None) -> Any:
    """What the tokens of a pointer lead to, or `default` where they lead nowhere."""
    for token in steps:
        step = _step(value, token)
        if step is None:
            return default
        value = value[step]
    return value


def _step(value: Any, token: str) -> Step | None:
    """What a token means in a value: a number is an index only where there is an array."""
    if isinstance(value, dict):
        return token if token in value else None
    if not isinstance(value, list) or not _is_index(token) or int(token) >= len(value):
        return None
    return int(token)


def _is_index(token: str) -> bool:
    return token.isascii() and token.isdecimal() and len(token) <= _MOST_DIGITS


def _escaped(step: str) -> str:
    return step.replace("~", "~0").replace("/", "~1")
