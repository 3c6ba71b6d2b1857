"""The tokens of a text whose grammar is known to be good: names, leaves and brackets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from json import JSONDecoder
from typing import Final

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
