"""Paths into a value, and JSON Pointers (RFC 6901)."""

from __future__ import annotations

from typing import TypeAlias

Step: TypeAlias = str | int
Path: TypeAlias = tuple[Step, ...]


def pointer(path: Path) -> str:
    """The JSON Pointer of a path: "" for the whole value."""
    text = ""
    for step in path:
        plain = step.__class__ is int or ("/" not in str(step) and "~" not in str(step))
        text += f"/{step}" if plain else f"/{_escaped(str(step))}"
    return text


def resolve(value: object, path: Path, default: object = None) -> object:
    """The value at the end of the path, or `default` where the path leads nowhere."""
    for step in path:
        if not _has(value, step):
            return default
        value = value[step]  # type: ignore[index]
    return value


def _escaped(step: str) -> str:
    return step.replace("~", "~0").replace("/", "~1")


def _has(value: object, step: Step) -> bool:
    if isinstance(value, dict):
        return step in value
    return isinstance(value, list) and isinstance(step, int) and 0 <= step < len(value)
