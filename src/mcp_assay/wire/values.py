"""The value of a text whose grammar has been checked, and what is odd in it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, Final, TypeAlias

from mcp_assay.wire.leaves import (
    HALF_PAIR,
    HALF_PAIR_NAME,
    HUGE,
    NON_FINITE,
    WORDS,
    integer,
    is_huge,
    is_well_formed,
    quoted,
)
from mcp_assay.wire.limits import MAX_DEPTH
from mcp_assay.wire.markers import DEEP
from mcp_assay.wire.oddities import NoteKind, Oddities, Oddity
from mcp_assay.wire.pointer import Path
from mcp_assay.wire.tokens import LEVELS, decoded, tokens

_Taker: TypeAlias = Callable[[re.Match[str]], None]

TOO_DEEP: Final = f"nested more than {MAX_DEPTH:,} levels deep"


def build(text: str, end: int, oddities: Oddities) -> object:
    """Decode the value that ends there; the last of several members with one name wins."""
    builder = _Builder(oddities)
    builder.read(tokens(text, end))
    builder.report_repeats()
    return builder.root[0]


class _Repeat:
    """A name that one object has more than once; holds the object, so that its id stays its own."""

    def __init__(self, container: object, name: str, path: Path, position: int) -> None:
        self.container = container
        self.name = name
        self.path = path
        self.position = position
        self.count = 2

    def oddity(self) -> Oddity:
        text = f"the member {quoted(self.name)} occurs {self.count:,} times"
        return Oddity("duplicate", self.path, self.position, text)


class _Builder:
    """Holds the open containers, and for each the name that was read last; arrays have none."""

    def __init__(self, oddities: Oddities) -> None:
        self.oddities = oddities
        self.root: list[Any] = []
        self.open: list[list[Any] | dict[str, Any]] = [self.root]
        self.names = [""]
        self.repeats: dict[tuple[int, str], _Repeat] = {}
        self.below = 0
        self.takers: dict[str, _Taker] = {
            "array": self.open_array,
            "object": self.open_object,
            "close": self.close,
            "name": self.name,
            "string": self.string,
            "integer": self.integer,
            "fraction": self.fraction,
            "word": self.word,
        }

    def read(self, stream: Iterable[re.Match[str]]) -> None:
        for token in stream:
            kind = str(token.lastgroup)
            if self.below:
                self.below += LEVELS.get(kind, 0)
            else:
                self.takers[kind](token)

    def open_array(self, token: re.Match[str]) -> None:
        self.container([], token.start("array"))

    def open_object(self, token: re.Match[str]) -> None:
        self.container({}, token.start("object"))

    def container(self, opened: list[Any] | dict[str, Any], position: int) -> None:
        if len(self.open) > MAX_DEPTH:
            self.below = 1
            self.put(DEEP)
            self.note("too-deep", position, TOO_DEEP)
        else:
            self.put(opened)
            self.open.append(opened)
            self.names.append("")

    def close(self, _: re.Match[str]) -> None:
        self.open.pop()
        self.names.pop()

    def name(self, token: re.Match[str]) -> None:
        name = self.names[-1] = decoded(token["string"])
        if name in self.open[-1]:
            self.repeat(name, token.start("string"))
        if not name.isascii() and not is_well_formed(name):
            self.note("lone-surrogate", token.start("string"), HALF_PAIR_NAME)

    def string(self, token: re.Match[str]) -> None:
        string = decoded(token["string"])
        self.put(string)
        if not string.isascii() and not is_well_formed(string):
            self.note("lone-surrogate", token.start("string"), HALF_PAIR)

    def integer(self, token: re.Match[str]) -> None:
        number = integer(token["integer"])
        self.put(number)
        if is_huge(number):
            self.note("huge-number", token.start("integer"), HUGE)

    def fraction(self, token: re.Match[str]) -> None:
        number = float(token["fraction"])
        self.put(number)
        if is_huge(number):
            self.note("huge-number", token.start("fraction"), HUGE)

    def word(self, token: re.Match[str]) -> None:
        word = token["word"]
        self.put(WORDS[word])
        if word in NON_FINITE:
            self.note("non-finite", token.start("word"), f"{word} is not a JSON number")

    def put(self, value: object) -> None:
        container = self.open[-1]
        if isinstance(container, list):
            container.append(value)
        else:
            container[self.names[-1]] = value

    def note(self, kind: NoteKind, position: int, text: str) -> None:
        self.oddities.add(kind, self.path, position, text)

    def path(self) -> Path:
        """The path of what was put or named last."""
        return tuple(
            len(container) - 1 if isinstance(container, list) else name
            for container, name in zip(self.open[1:], self.names[1:], strict=True)
        )

    def repeat(self, name: str, position: int) -> None:
        container = self.open[-1]
        known = self.repeats.get((id(container), name))
        if known:
            known.count += 1
        elif self.oddities.has_room("duplicate", position):
            repeat = _Repeat(container, name, self.path(), position)
            self.repeats[id(container), name] = repeat

    def report_repeats(self) -> None:
        for repeat in self.repeats.values():
            self.oddities.keep(repeat.oddity())
