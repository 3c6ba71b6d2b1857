"""How a text is written as the value of a header: as it is, or as base64 where it must be."""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from typing import Final

PREFIX, SUFFIX = "=?base64?", "?="
LARGEST_INTEGER: Final = 2**53 - 1
"""A larger one must not be an argument with a header."""
_PLAIN: Final = re.compile(r"(?:[!-~](?:[ -~\t]*[!-~])?)?")


def encoding_fault(shown: str, given: str, wanted: str) -> str | None:
    """How the encoding of a header value is wrong, None where it is not."""
    if not _PLAIN.fullmatch(given):
        return f"The header {shown} has characters that only base64 can carry."
    if is_encoded(given):
        if given == wanted:
            return f"The header {shown} looks like base64, but is the value itself."
        return (
            None if decoded(given) is not None else f"The base64 of the header {shown} is broken."
        )
    if given == wanted or _PLAIN.fullmatch(wanted):
        return None
    return f"The header {shown} must be base64: the value does not survive in a header."


def is_encoded(given: str) -> bool:
    """Whether a header value says that it is base64."""
    return given.startswith(PREFIX) and given.endswith(SUFFIX) and len(given) > len(PREFIX)


def decoded(given: str) -> str | None:
    """What a header value stands for, None where its base64 is broken."""
    if not is_encoded(given):
        return given
    try:
        return b64decode(given[len(PREFIX) : -len(SUFFIX)], validate=True).decode()
    except ValueError:
        return None


def written(value: object) -> str | None:
    """An argument as its header writes it, None where headers cannot have it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value) if abs(value) <= LARGEST_INTEGER else None
    return value if isinstance(value, str) else None


def encoded(text: str) -> str:
    """A text as a header carries it: as it is where that survives, else as base64."""
    if _PLAIN.fullmatch(text) and not is_encoded(text):
        return text
    return in_base64(text)


def in_base64(text: str) -> str:
    """A text as base64 in a header, which every text may be."""
    return f"{PREFIX}{b64encode(text.encode(errors='replace')).decode()}{SUFFIX}"
