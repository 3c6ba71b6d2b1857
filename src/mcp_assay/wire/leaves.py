"""Strings and numbers: what they are in Python, and which of them other parsers cannot take."""

from __future__ import annotations

import json
import sys
from math import inf, nan
from typing import Final

from mcp_assay.wire.limits import MAX_INTEGER_DIGITS, MAX_QUOTED

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
