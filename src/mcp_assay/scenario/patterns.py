"""Texts that a regular expression of ECMAScript would match, made from the expression.

The expression is read, never run: look-around, word borders and anchors are taken as empty, and
whoever asks for a text checks it afterwards.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from msgspec import Struct

from mcp_assay.scenario.choices import Chance
from mcp_assay.scenario.limits import MAX_GROUPS, MAX_MATCHING

Ranges: TypeAlias = tuple[tuple[int, int], ...]

_LOWER: Final = (0x61, 0x7A)
_UPPER: Final = (0x41, 0x5A)
_DIGIT: Final = (0x30, 0x39)
_PRINTABLE: Final = (0x20, 0x7E)
_WORD: Final = (_LOWER, _DIGIT, _UPPER, (0x5F, 0x5F))
_SPACE: Final = ((0x20, 0x20), (0x09, 0x0D), (0xA0, 0xA0))
_PLEASANT: Final = ((_LOWER, _DIGIT, _UPPER), (_PRINTABLE,))
"""Characters that are preferred where a class leaves the choice."""

_CLASSES: Final[dict[str, Ranges]] = {"d": (_DIGIT,), "w": _WORD, "s": _SPACE}
_CONTROLS: Final = {"t": 9, "n": 10, "v": 11, "f": 12, "r": 13, "0": 0}
_PROPERTIES: Final[dict[str, Ranges]] = {
    "L": (_LOWER, _UPPER),
    "Letter": (_LOWER, _UPPER),
    "Alphabetic": (_LOWER, _UPPER),
    "Ll": (_LOWER,),
    "Lowercase": (_LOWER,),
    "Lu": (_UPPER,),
    "Uppercase": (_UPPER,),
    "N": (_DIGIT,),
    "Nd": (_DIGIT,),
    "ASCII": (_PRINTABLE,),
    "Any": (_PRINTABLE,),
}
"""The part within ASCII of what a Unicode property means."""

_HEX_LENGTHS: Final = {"x": 2, "u": 4}
_EMPTY_GROUPS: Final = ("?=", "?!", "?<=", "?<!")
_LAST: Final = 0x10FFFF


class Unmakeable(Exception):
    """No text can be made; the message says why, as the end of a sentence about the pattern."""


class Chars(Struct, frozen=True):
    """One character of these."""

    ranges: Ranges


class Sequence(Struct, frozen=True):
    """One part after the other."""

    parts: tuple[Node, ...]


class Alternatives(Struct, frozen=True):
    """One of the branches."""

    branches: tuple[Node, ...]


class RepeatedPart(Struct, frozen=True):
    """A part, at least and at most so often; None is without end."""

    part: Node
    least: int
    most: int | None


Node: TypeAlias = Chars | Sequence | Alternatives | RepeatedPart


def matching(pattern: str, chance: Chance, extra: int = 0) -> str:
    """A text for a pattern, repeats taken `extra` times more than they must; raises Unmakeable."""
    return _Writer(chance, extra).text(_Reader(pattern).whole())


class _Reader:
    """Reads an expression, from left to right."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.at = 0
        self.depth = 0

    def whole(self) -> Node:
        node = self.choice()
        if self.at < len(self.pattern):
            raise Unmakeable("has a bracket too many")
        return node

    def choice(self) -> Node:
        branches = [self.sequence()]
        while self.take("|"):
            branches.append(self.sequence())
        return branches[0] if len(branches) == 1 else Alternatives(tuple(branches))

    def sequence(self) -> Node:
        parts: list[Node] = []
        while self.at < len(self.pattern) and self.pattern[self.at] not in "|)":
            if self.take("^") or self.take("$"):
                continue
            parts.append(self.repeated(self.atom()))
        return Sequence(tuple(parts))

    def atom(self) -> Node:
        if self.take("("):
            return self.group()
        if self.take("["):
            return Chars(self.character_class())
        if self.take("\\"):
            return self.escape()
        if self.take("."):
            return Chars((_PRINTABLE,))
        return Chars(_single(ord(self.next())))

    def group(self) -> Node:
        self.depth += 1
        if self.depth > MAX_GROUPS:
            raise Unmakeable("has groups nested too deep")
        is_empty = any(self.take(start) for start in _EMPTY_GROUPS)
        if not is_empty and not self.take("?:") and self.take("?<"):
            self.until(">")
        inner = self.choice()
        if not self.take(")"):
            raise Unmakeable("has a group without an end")
        self.depth -= 1
        return Sequence(()) if is_empty else inner

    def repeated(self, part: Node) -> Node:
        bounds = self.bounds()
        if bounds is None:
            return part
        self.take("?")
        return RepeatedPart(part, *bounds)

    def bounds(self) -> tuple[int, int | None] | None:
        for sign, bounds in (("*", (0, None)), ("+", (1, None)), ("?", (0, 1))):
            if self.take(sign):
                return bounds
        return self.counted()

    def counted(self) -> tuple[int, int | None] | None:
        """The bounds in braces; a brace that holds none stands for itself."""
        start = self.at
        if not self.take("{") or "}" not in self.pattern[self.at :]:
            self.at = start
            return None
        least, comma, most = self.until("}").partition(",")
        if not _is_count(least) or not (_is_count(most) or not most):
            self.at = start
            return None
        return int(least), (int(most) if most else None) if comma else int(least)

    def escape(self) -> Node:
        if self.pattern[self.at : self.at + 1] in ("b", "B"):
            self.at += 1
            return Sequence(())
        if self.pattern[self.at : self.at + 1] in tuple("123456789k"):
            raise Unmakeable("repeats what a group has matched")
        return Chars(self.escaped())

    def escaped(self) -> Ranges:
        """What stands after a backslash, in a class or outside."""
        letter = self.next()
        if letter.lower() in _CLASSES:
            ranges = _CLASSES[letter.lower()]
            return _others(ranges) if letter.isupper() else ranges
        if letter in "pP":
            return self.property(negated=letter == "P")
        return _single(self.code(letter))

    def property(self, *, negated: bool) -> Ranges:
        if not self.take("{"):
            raise Unmakeable("names a property without braces")
        name = self.until("}").rpartition("=")[2]
        if name not in _PROPERTIES:
            raise Unmakeable("names a property of characters that is not known here")
        return _others(_PROPERTIES[name]) if negated else _PROPERTIES[name]

    def code(self, letter: str) -> int:
        if letter in _CONTROLS:
            return _CONTROLS[letter]
        if letter == "c":
            return ord(self.next()) % 32
        if letter in _HEX_LENGTHS:
            return self.hexadecimal(_HEX_LENGTHS[letter])
        return ord(letter)

    def hexadecimal(self, length: int) -> int:
        is_braced = self.take("{")
        digits = self.until("}") if is_braced else "".join(self.next() for _ in range(length))
        try:
            return min(int(digits, 16), _LAST)
        except ValueError:
            raise Unmakeable("has an escape without its digits") from None

    def character_class(self) -> Ranges:
        negated = self.take("^")
        ranges: list[tuple[int, int]] = []
        while not self.take("]"):
            ranges += self.class_member()
        return _others(tuple(ranges)) if negated else tuple(ranges)

    def class_member(self) -> Ranges:
        first = self.class_atom()
        is_range = self.pattern.startswith("-", self.at) and not self.pattern.startswith(
            "-]", self.at
        )
        if not is_range or len(first) != 1 or first[0][0] != first[0][1]:
            return first
        self.at += 1
        last = self.class_atom()
        return ((first[0][0], max(first[0][0], last[-1][1])),)

    def class_atom(self) -> Ranges:
        if not self.take("\\"):
            return _single(ord(self.next()))
        return _single(8) if self.take("b") else self.escaped()

    def take(self, text: str) -> bool:
        if not self.pattern.startswith(text, self.at):
            return False
        self.at += len(text)
        return True

    def next(self) -> str:
        if self.at >= len(self.pattern):
            raise Unmakeable("ends too early")
        self.at += 1
        return self.pattern[self.at - 1]

    def until(self, end: str) -> str:
        inner, found, _ = self.pattern[self.at :].partition(end)
        if not found:
            raise Unmakeable("ends too early")
        self.at += len(inner) + len(end)
        return inner


class _Writer:
    """Writes a text, within the limit."""

    def __init__(self, chance: Chance, extra: int) -> None:
        self.chance = chance
        self.extra = extra
        self.steps = 0

    def text(self, node: Node) -> str:
        self.steps += 1
        if self.steps > MAX_MATCHING:
            raise Unmakeable(f"asks for a text of more than {MAX_MATCHING:,} characters")
        match node:
            case Chars(ranges):
                return self.character(ranges)
            case Sequence(parts):
                return "".join(map(self.text, parts))
            case Alternatives(branches):
                return self.text(self.chance.one_of(branches))
            case RepeatedPart():
                return "".join(self.text(node.part) for _ in range(self.times(node)))

    def times(self, repeat: RepeatedPart) -> int:
        wanted = repeat.least + self.extra
        return wanted if repeat.most is None else max(repeat.least, min(wanted, repeat.most))

    def character(self, ranges: Ranges) -> str:
        for pleasant in _PLEASANT:
            if common := _common(ranges, pleasant):
                return chr(self.chance.between(*self.chance.one_of(common)))
        usable = [one for one in ranges if not _is_surrogate(one[0])]
        if not usable:
            raise Unmakeable("has a place where no character fits")
        return chr(usable[0][0])


def _single(code: int) -> Ranges:
    return ((code, code),)


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 10


def _is_surrogate(code: int) -> bool:
    return 0xD800 <= code <= 0xDFFF


def _common(some: Ranges, others: Ranges) -> Ranges:
    pairs = ((max(a, c), min(b, d)) for a, b in some for c, d in others)
    return tuple((low, high) for low, high in pairs if low <= high)


def _others(ranges: Ranges) -> Ranges:
    """The characters that are in none of the ranges."""
    free: list[tuple[int, int]] = []
    start = 0
    for low, high in sorted(ranges):
        if low > start:
            free.append((start, low - 1))
        start = max(start, high + 1)
    if start <= _LAST:
        free.append((start, _LAST))
    return tuple(free)
