"""Paths into a value, and JSON Pointers (RFC 6901)."""

from __future__ import annotations

from typing import Any, TypeAlias

Step: TypeAlias = str | int
Path: TypeAlias = tuple[Step, ...]


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


def _escaped(step: str) -> str:
    return step.replace("~", "~0").replace("/", "~1")
