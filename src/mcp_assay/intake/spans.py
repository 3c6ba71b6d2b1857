"""Where the members of an object and the elements of an array stand in their text.

Brackets and strings are all that is looked at, without recursion: text that a parser refuses for
its numbers, its escapes or its depth is still taken apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

_STRING: Final = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)'
_MARK: Final = rb'(?:[^"\[\]{},]++|' + _STRING + rb")*+([\[\]{},])"
_BRACKETS: Final = rb'(?:[^"\[\]{}]++|' + _STRING + rb")*+([\[{]++|[\]}]++)"
_OPENING: Final = b"[{"


def elements(text: bytes) -> Iterator[tuple[int, int]]:
    """Start and end of each element of the array in `text`."""
    spans = (_trimmed(text, *part) for part in _parts(text))
    return ((start, end) for start, end in spans if start < end)


def member(text: bytes, name: bytes) -> tuple[int, int] | None:
    """Start and end of the value of the first member called `name` of the object in `text`."""
    quoted = b'"' + name + b'"'
    for part in _parts(text):
        start, end = _trimmed(text, *part)
        colon = text.find(b":", start + len(quoted), end)
        if colon >= 0 and text[start:colon].rstrip() == quoted:
            return _trimmed(text, colon + 1, end)
    return None


def value_at(text: bytes, path: Iterable[bytes]) -> tuple[int, int] | None:
    """Start and end of the value that names of members and numbers of elements lead to."""
    start, end = 0, len(text)
    for step in path:
        found = _inside(text[start:end], step)
        if found is None:
            return None
        start, end = start + found[0], start + found[1]
    return start, end


def _inside(text: bytes, step: bytes) -> tuple[int, int] | None:
    if not text.startswith(b"["):
        return member(text, step)
    return next(islice(elements(text), int(step), None), None) if step.isdigit() else None


def _parts(text: bytes) -> Iterator[tuple[int, int]]:
    """What stands between the commas of the outermost brackets."""
    next_mark = re.compile(_MARK, re.DOTALL).match
    opening = next_mark(text)
    if opening is None or opening[1] not in _OPENING:
        return
    start = position = opening.end()
    while mark := next_mark(text, position):
        position = mark.end()
        if mark[1] in _OPENING:
            position = _end_of_container(text, position - 1)
            continue
        yield start, position - 1
        start = position
        if mark[1] != b",":
            return


def _end_of_container(text: bytes, start: int) -> int:
    """The position behind the array or object that opens at `start`, or the end of the text."""
    next_brackets = re.compile(_BRACKETS, re.DOTALL).match
    depth, position = 0, start
    while run := next_brackets(text, position):
        position = run.end()
        length = len(run[1])
        if run[1][:1] in _OPENING:
            depth += length
        elif length >= depth:
            return run.start(1) + depth
        else:
            depth -= length
    return len(text)


def _trimmed(text: bytes, start: int, end: int) -> tuple[int, int]:
    inner = text[start:end]
    return end - len(inner.lstrip()), start + len(inner.rstrip())
