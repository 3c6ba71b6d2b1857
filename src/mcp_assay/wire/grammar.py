"""Where a text stops being JSON: a state machine that checks the grammar and builds nothing.

It takes any depth of nesting, in time proportional to the length of the text. The words NaN,
Infinity and -Infinity pass as numbers, so that the rest of the text is still checked.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property
from json import JSONDecodeError, JSONDecoder
from typing import Final

from mcp_assay.wire.values import last_bracket

_SPACE: Final = r"[ \t\n\r]*+"
_STRING: Final = r'"[^"\\\x00-\x1f]*+"'
_NUMBER: Final = r"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?(?![0-9.eE])"
_LEAF: Final = rf"(?:{_STRING}|{_NUMBER}|true|false|null|NaN|-?Infinity)"

_VALUE: Final = rf'(?P<leaf>{_LEAF})|(?P<string>")|(?P<open>\[[\[ \t\n\r]*+|{{)'
_NAME: Final = rf'(?P<name>{_STRING}{_SPACE}:)|(?P<long_name>")'
_END_OF_ARRAYS: Final = rf"(?P<close>\](?:{_SPACE}\]){{0,200}})"
_END_OF_OBJECT: Final = r"(?P<close>})"
# A comma takes along the plain items or members behind it, each with its own comma.
_ITEMS: Final = rf"(?P<comma>,(?:{_SPACE}{_LEAF}{_SPACE},){{0,500}})"
_MEMBERS: Final = rf"(?P<comma>,(?:{_SPACE}{_STRING}{_SPACE}:{_SPACE}{_LEAF}{_SPACE},){{0,500}})"


class GrammarError(Exception):
    """The text is not JSON: `position` is that of the first character that cannot stand there."""

    def __init__(self, position: int, text: str) -> None:
        super().__init__(text)
        self.position = position
        self.text = text


class _State:
    """Where the check stands: which tokens may follow, and how people would say it."""

    def __init__(self, tokens: str, wanted: str) -> None:
        self.tokens = tokens
        self.wanted = wanted

    @cached_property
    def token_at(self) -> Callable[[str, int], re.Match[str] | None]:
        """Finds the token at a position; compiled on first use, which most texts never need."""
        return re.compile(f"{_SPACE}(?:{self.tokens})").match


_ROOT: Final = _State(_VALUE, "a value")
_FIRST_ITEM: Final = _State(rf"{_VALUE}|{_END_OF_ARRAYS}", 'a value or "]"')
_NEXT_ITEM: Final = _State(_VALUE, "a value after the comma")
_AFTER_ITEM: Final = _State(rf"{_ITEMS}|{_END_OF_ARRAYS}", 'a comma or "]"')
_FIRST_NAME: Final = _State(rf"{_NAME}|{_END_OF_OBJECT}", 'a name in double quotes or "}"')
_NEXT_NAME: Final = _State(_NAME, "a name in double quotes after the comma")
_COLON: Final = _State("(?P<name>:)", "a colon after the name")
_MEMBER: Final = _State(_VALUE, "a value after the colon")
_AFTER_MEMBER: Final = _State(rf"{_MEMBERS}|{_END_OF_OBJECT}", 'a comma or "}"')
_VALUES: Final = (_ROOT, _FIRST_ITEM, _NEXT_ITEM, _MEMBER)

_ARRAY: Final = ord("[")

_DECODER: Final = JSONDecoder(parse_int=str, parse_float=str, parse_constant=str)
"""Sees the end or the first fault quickly where the nesting is not too deep for it."""


def end_of_value(text: str) -> int:
    """The position behind the JSON value at the beginning of the text; raises GrammarError."""
    start = past_space(text, 0)
    try:
        _, end = _DECODER.raw_decode(text, start)
    except JSONDecodeError as error:
        return _check_from(text, error.pos)
    except RecursionError:
        return _check(text, start, bytearray(), _ROOT)
    # Elsewhere the decoder may have stopped inside a broken number.
    return end if text[start] in "[{" else _check(text, start, bytearray(), _ROOT)


def _check_from(text: str, good: int) -> int:
    """Check from the last bracket before a position up to which there is no fault."""
    bracket, nesting = last_bracket(text, good)
    if bracket < 0:
        return _check(text, 0, nesting, _ROOT)
    if text[bracket] in "[{":
        return _check(text, bracket, nesting[:-1], _ROOT)
    return _check(text, bracket + 1, nesting, _after_value(nesting))


def _check(text: str, position: int, nesting: bytearray, state: _State) -> int:
    """Go from token to token to the end of the value; `nesting` is the open brackets around it."""
    while True:
        token = state.token_at(text, position)
        if token is None:
            raise _fault(text, position, state)
        kind, position = token.lastgroup, token.end()
        if kind == "comma":
            state = _NEXT_ITEM if nesting[-1] == _ARRAY else _NEXT_NAME
        elif kind == "name":
            state = _MEMBER
        elif kind == "long_name":
            position = _end_of_string(text, position)
            state = _COLON
        elif kind == "open":
            state = _open(nesting, token["open"])
        else:
            if kind == "string":
                position = _end_of_string(text, position)
            elif kind == "close":
                position = _close(nesting, token)
            if not nesting:
                return position
            state = _after_value(nesting)


def _after_value(nesting: bytearray) -> _State:
    return _AFTER_ITEM if nesting[-1] == _ARRAY else _AFTER_MEMBER


def _open(nesting: bytearray, brackets: str) -> _State:
    if brackets == "{":
        nesting += b"{"
        return _FIRST_NAME
    nesting += b"[" * brackets.count("[")
    return _FIRST_ITEM


def _close(nesting: bytearray, token: re.Match[str]) -> int:
    """Close as many arrays at once as the token has brackets, or else only what is innermost."""
    brackets = token["close"].count("]")
    if brackets > 1 and nesting.endswith(b"[" * brackets):
        del nesting[-brackets:]
        return token.end()
    nesting.pop()
    return token.start("close") + 1


# Bounded, because an unbounded repetition would remember every one of its rounds.
_STRING_BODY: Final = r'(?:[^"\\\x00-\x1f]+|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})){0,1000}'
_BROKEN_ESCAPE: Final = r"\\(?:(?P<u>u)[0-9a-fA-F]{0,3})?"
_BROKEN_NUMBER: Final = (
    r"-?(?:(?:0|[1-9][0-9]*)(?:\.(?:[0-9]+(?:[eE][+-]?[0-9]*)?)?|[eE][+-]?[0-9]*)?)?"
)
_WORDS: Final = {"t": "true", "f": "false", "n": "null"}
_HINTS: Final = {
    "'": "; JSON strings stand in double quotes",
    "/": "; JSON has no comments",
    "#": "; JSON has no comments",
    "T": "; JSON writes true",
    "F": "; JSON writes false",
    "N": "; JSON writes null",
    "u": "; JSON writes null",
    "+": "; JSON numbers have no plus sign",
    ".": "; JSON numbers begin with a digit",
}


def past(pattern: str, text: str, position: int) -> int:
    """The position behind what the pattern matches here, if anything."""
    found = re.compile(pattern).match(text, position)
    return found.end() if found else position


def past_space(text: str, position: int) -> int:
    """The position of the next character that is not white space."""
    return past(_SPACE, text, position)


def _end_of_string(text: str, position: int) -> int:
    while (end := past(_STRING_BODY, text, position)) > position:
        position = end
    if text.startswith('"', position):
        return position + 1
    raise _string_fault(text, position)


def _fault(text: str, position: int, state: _State) -> GrammarError:
    position = past_space(text, position)
    found = text[position : position + 1]
    if not found:
        return GrammarError(position, f"the text ends where {state.wanted} is expected")
    if state in _VALUES and found in "-0123456789":
        return _number_fault(text, position)
    if state in _VALUES and found in _WORDS:
        return _word_fault(text, position, _WORDS[found])
    hint = _HINTS.get(found, "") if state in _VALUES else ""
    return GrammarError(position, f"expected {state.wanted}{hint}")


def _number_fault(text: str, start: int) -> GrammarError:
    position = past(_BROKEN_NUMBER, text, start)
    if position == len(text):
        return GrammarError(position, "the text ends inside a number")
    if not text[position - 1].isdecimal():
        return GrammarError(position, "expected a digit")
    if text[position].isdecimal():
        return GrammarError(position, "a number cannot begin with 0 and another digit")
    return GrammarError(position, "expected the end of the number")


def _word_fault(text: str, position: int, word: str) -> GrammarError:
    for expected in word:
        if not text.startswith(expected, position):
            break
        position += 1
    if position == len(text):
        return GrammarError(position, f"the text ends inside the word {word}")
    return GrammarError(position, f"expected the word {word}")


def _string_fault(text: str, position: int) -> GrammarError:
    escape = re.compile(_BROKEN_ESCAPE).match(text, position)
    if escape:
        position = escape.end()
    if position == len(text):
        return GrammarError(position, "the text ends inside a string")
    if not escape:
        code = ord(text[position])
        return GrammarError(
            position, f"the control character U+{code:04X} must be escaped in a string"
        )
    if escape["u"]:
        return GrammarError(position, "expected four hexadecimal digits after \\u")
    return GrammarError(position, 'expected one of " \\ / b f n r t u after the backslash')
