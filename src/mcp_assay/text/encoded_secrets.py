"""Whether a text holds a secret that is known: as it is, or written in other letters."""

from __future__ import annotations

import re
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

SHORTEST: Final = 8
"""A shorter text is found anywhere by chance."""
LONGEST_TEXT: Final = 4_000_000
SPACE: Final = re.compile(r"\s|\\[nrt]")


def holds(text: str, secret: str) -> bool:
    """Whether a text holds a secret: plain, in hexadecimal digits or in base64, also in lines."""
    if len(secret) < SHORTEST:
        return False
    searched = text[:LONGEST_TEXT]
    joined = SPACE.sub("", searched)
    return any(one in searched or one in joined for one in _forms(secret))


def holds_as_name(name: str, secret: str) -> bool:
    """Whether the name of a host holds a secret, in one part or in several."""
    joined = name.replace(".", "").lower()
    return len(secret) >= SHORTEST and any(one.lower() in joined for one in _forms(secret))


@lru_cache(maxsize=64)
def _forms(secret: str) -> tuple[str, ...]:
    raw = secret.encode()
    return tuple(dict.fromkeys((secret, raw.hex(), raw.hex().upper(), *_in_base64(raw))))


def _in_base64(raw: bytes) -> Iterator[str]:
    """Its digits wherever it begins: those that hold a part of a neighbour are left out."""
    for encode in (b64encode, urlsafe_b64encode):
        for before in range(3):
            text = encode(bytes(before) + raw).decode().rstrip("=")
            whole = text[(0, 2, 3)[before] :]
            yield whole if (before + len(raw)) % 3 == 0 else whole[:-1]
