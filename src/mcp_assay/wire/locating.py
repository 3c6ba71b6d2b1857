"""Where in a text the value at a path begins."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from mcp_assay.wire.encoding import NotUtf8Error, decode
from mcp_assay.wire.grammar import GrammarError, end_of_value
from mcp_assay.wire.places import Place, places
from mcp_assay.wire.pointer import Path, Step
from mcp_assay.wire.tokens import LEVELS, decoded, tokens

_NOWHERE: Final = -1


def locate(raw: bytes, path: Path) -> Place | None:
    """Where the value at the path begins, or None where the text has no such value."""
    return locate_all(raw, [path]).get(path)


def locate_all(raw: bytes, paths: Iterable[Path]) -> dict[Path, Place]:
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
