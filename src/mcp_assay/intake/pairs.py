"""NAME=VALUE and "NAME: VALUE" as people type them: variables and headers for a server."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from mcp_assay.spec.word_lists import word_set

COMMON_WORDS: Final = word_set(
    """
    0000 1234 auto debug dev development error false fatal info local none null prod production
    release stage staging stdio test testing trace true utf-8 verbose warn warning
    """
)
"""Values of variables that are no secrets: taking them out of a report would only garble it."""


class WrongPair(ValueError):
    """A text that is no such pair; the text says why, and what to type."""


def pairs(
    texts: Iterable[str], sign: str, option: str, known: Mapping[str, str] | None = None
) -> dict[str, str]:
    """The pairs that an option gives; a value @FILE is read from the file; raises WrongPair.

    A name alone takes its value from `known`, where that is given.
    """
    return dict(_pair(text, sign, option, known) for text in texts)


def secrets_in(values: Iterable[str]) -> tuple[str, ...]:
    """The values that must appear nowhere; a common word hides nothing."""
    return tuple(value for value in values if value.lower() not in COMMON_WORDS)


def _pair(text: str, sign: str, option: str, known: Mapping[str, str] | None) -> tuple[str, str]:
    name, found, value = text.partition(sign)
    name = name.strip()
    if not found and known is not None and name in known:
        return name, known[name]
    if not found and known is not None and name:
        raise WrongPair(f"{option} {name}: you have no such variable; type {name}=VALUE.")
    if not found or not name:
        raise WrongPair(f"{option} {text!r} has no {sign!r} between name and value.")
    value = value.strip() if sign == ":" else value
    return name, _read(value[1:], option) if value.startswith("@") else value


def _read(path: str, option: str) -> str:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read().rstrip("\r\n")
    except (OSError, ValueError) as fault:
        raise WrongPair(f"{option} cannot read {path!r}: {fault}") from None
