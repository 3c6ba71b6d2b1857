"""Where members, elements and values stand in their text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

from mcp_assay.wire.grammar import GrammarError, end_of_value
from mcp_assay.wire.notes import NotUtf8Error, TextPosition, decode, places
from mcp_assay.wire.pointer import Path, Step
from mcp_assay.wire.values import LEVELS, decoded, tokens

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
    start, end = _trimmed(text, 0, len(text))
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


_NOWHERE: Final = -1


def locate(raw: bytes, path: Path) -> TextPosition | None:
    """Where the value at the path begins, or None where the text has no such value."""
    return locate_all(raw, [path]).get(path)


def locate_all(raw: bytes, paths: Iterable[Path]) -> dict[Path, TextPosition]:
    """Where the values at several paths begin, found in one pass; paths to nothing are left out.

    Of several members with one name the last counts.
    """
    wanted = list(paths)
    try:
        source = decode(raw)
        positions = _positions(source.text, wanted)
    except (NotUtf8Error, GrammarError):
        return {}
    place = places(source, positions.values())
    return {path: place[position] for path, position in positions.items()}


class _Wanted:
    """A value on the way to, or at the end of, a wanted path."""

    def __init__(self) -> None:
        self.position = _NOWHERE
        self.children: dict[Step, _Wanted] = {}

    def add(self, path: Path) -> None:
        here = self
        for step in path:
            here = here.children.setdefault(step, _Wanted())

    def position_of(self, path: Path) -> int:
        """The position of the value at the path, which stands behind the last of its parents."""
        here = self
        for step in path:
            child = here.children[step]
            if child.position <= here.position:
                return _NOWHERE
            here = child
        return here.position


def _positions(text: str, paths: list[Path]) -> dict[Path, int]:
    root = _Wanted()
    for path in paths:
        root.add(path)
    _find(text, root)
    found = {path: root.position_of(path) for path in paths}
    return {path: position for path, position in found.items() if position > _NOWHERE}


def _find(text: str, root: _Wanted) -> None:
    end = end_of_value(text)
    _Finder(root).read(tokens(text, end))


class _Finder:
    """Holds the open containers on the way to something wanted, and where it stands in each."""

    def __init__(self, root: _Wanted) -> None:
        outside = _Wanted()
        outside.children[0] = root
        self.open = [outside]
        self.steps: list[Step] = [0]
        self.aside = 0

    def read(self, stream: Iterable[re.Match[str]]) -> None:
        for token in stream:
            kind = str(token.lastgroup)
            if self.aside:
                self.aside += LEVELS.get(kind, 0)
            elif kind == "name":
                self.steps[-1] = decoded(token["string"])
            elif kind == "close":
                self.open.pop()
                self.steps.pop()
            else:
                self.value(kind, token.start(kind))

    def value(self, kind: str, position: int) -> None:
        found = self.open[-1].children.get(self.next_step())
        if found:
            found.position = position
        if found and found.children and kind in LEVELS:
            self.open.append(found)
            self.steps.append(0 if kind == "array" else "")
        else:
            self.aside = LEVELS.get(kind, 0)

    def next_step(self) -> Step:
        step = self.steps[-1]
        if isinstance(step, int):
            self.steps[-1] = step + 1
        return step
