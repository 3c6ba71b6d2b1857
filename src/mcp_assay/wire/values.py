"""The value of a text whose grammar is checked: tokens, strings, numbers, and what is odd."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from json import JSONDecoder
from math import inf, nan
from typing import Any, Final, TypeAlias

from mcp_assay.wire.notes import (
    DEEP,
    MAX_DEPTH,
    MAX_INTEGER_DIGITS,
    MAX_QUOTED,
    NoteKind,
    Oddities,
    Oddity,
)
from mcp_assay.wire.pointer import Path

_Taker: TypeAlias = Callable[[re.Match[str]], None]

TOO_DEEP: Final = f"nested more than {MAX_DEPTH:,} levels deep"


def build(text: str, end: int, oddities: Oddities) -> object:
    """Decode the value that ends there; the last of several members with one name wins."""
    builder = _Builder(oddities)
    builder.read(tokens(text, end))
    builder.report_repeats()
    return builder.root[0]


class _RepeatedName:
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
        self.repeats: dict[tuple[int, str], _RepeatedName] = {}
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
        elif self.oddities.try_admit("duplicate", position):
            repeat = _RepeatedName(container, name, self.path(), position)
            self.repeats[id(container), name] = repeat

    def report_repeats(self) -> None:
        for repeat in self.repeats.values():
            self.oddities.keep(repeat.oddity())


# Possessive, so that a string of many escapes costs neither memory nor a second look.
_STRING: Final = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_TOKEN: Final = rf"""[ \t\n\r,:]*+(?:
        (?P<string>{_STRING})(?:(?=[ \t\n\r]*+:)(?P<name>))?+
      | (?P<integer>-?[0-9]++(?![.eE]))
      | (?P<fraction>-?[0-9][0-9.eE+-]*+)
      | (?P<array>\[)
      | (?P<object>\{{)
      | (?P<close>[\]}}])
      | (?P<word>-?[A-Za-z]++)
    )"""
# The end counts as a match, or else a search would begin again at every character before it.
_BRACKET: Final = rf'(?:[^"\[\]{{}}]++|{_STRING})*+(["\[\]{{}}]|\Z)'
_DECODER: Final = JSONDecoder()

LEVELS: Final = {"array": 1, "object": 1, "close": -1}
"""How much deeper a token of this kind leads; the others stay on their level."""


def tokens(text: str, end: int) -> Iterator[re.Match[str]]:
    """The tokens up to a position; `lastgroup` is the kind of each, and a name is a string too."""
    return re.compile(_TOKEN, re.VERBOSE).finditer(text, 0, end)


def last_bracket(text: str, end: int) -> tuple[int, bytearray]:
    """The last bracket before a position, and the opening brackets of what it leaves open.

    The end may be inside a string. The bracket's position is -1 where there is none.
    """
    last = None
    nesting = bytearray()
    for found in re.compile(_BRACKET).finditer(text, 0, end):
        bracket = found[1]
        if bracket in ("[", "{"):
            nesting.append(ord(bracket))
        elif bracket in ("]", "}"):
            nesting.pop()
        else:
            break
        last = found
    return last.start(1) if last else -1, nesting


def decoded(string: str) -> str:
    """The content of a JSON string, given with its quotes."""
    if "\\" not in string:
        return string[1:-1]
    content: str = _DECODER.decode(string)
    return content


HUGE: Final = "the number is beyond the range of a double"
HALF_PAIR: Final = "the string holds half of a surrogate pair"
HALF_PAIR_NAME: Final = "the name holds half of a surrogate pair"

NON_FINITE: Final = {"NaN": nan, "Infinity": inf, "-Infinity": -inf}
WORDS: Final = {"true": True, "false": False, "null": None, **NON_FINITE}

_LARGEST_DOUBLE: Final = sys.float_info.max
_TOO_LONG: Final = 10**MAX_INTEGER_DIGITS


def integer(digits: str) -> int | float:
    """The integer, exact unless it is absurdly long, then infinite."""
    negative = digits.startswith("-")
    if len(digits) - negative <= MAX_INTEGER_DIGITS:
        return int(digits)
    return -inf if negative else inf


def bounded(number: int) -> int | float:
    """The integer itself unless it is absurdly long, then infinite."""
    if -_TOO_LONG < number < _TOO_LONG:
        return number
    return inf if number > 0 else -inf


def is_huge(number: float) -> bool:
    """Tell whether the number is beyond what a double can hold."""
    return abs(number) > _LARGEST_DOUBLE


def is_well_formed(string: str) -> bool:
    """Tell whether every surrogate in the string has its other half."""
    try:
        string.encode()
    except UnicodeEncodeError:
        return False
    return True


def quoted(name: str) -> str:
    """The name as a note shows it: in double quotes, on one line, cut where it is long."""
    shown = name if len(name) <= MAX_QUOTED else f"{name[:MAX_QUOTED]}…"
    return json.dumps(shown, ensure_ascii=False)
