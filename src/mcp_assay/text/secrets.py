"""What secrets look like, and what people call them: for log data, forms and what we show.

Patterns are written so that Python and the fast check read them alike: ASCII, no look-around.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache
from itertools import islice
from typing import Any, Final, TypeAlias

from msgspec import Struct

Words: TypeAlias = tuple[str, ...]
Path: TypeAlias = tuple[str | int, ...]

MOST_NODES: Final = 10_000
MOST_CHARACTERS: Final = 1_000_000
DEEPEST: Final = 32
"""So many values, so many characters and so many levels of a JSON value are searched, no more."""

LONGEST_LABEL: Final = 200
"""Of a longer label the end is read: names end in what they name."""
LONGEST_VALUE: Final = 200
SHORTEST_SECRET: Final = 4
SHORTEST_OPAQUE: Final = 8


class TokenShape(Struct, frozen=True):
    """A kind of secret that is known by its looks."""

    words: str
    pattern: str
    marks: tuple[str, ...]
    """One of these is in every text that holds such a secret, in whatever case."""


_EDGE = "(?:^|[^A-Za-z0-9_-])"

TOKEN_SHAPES: Final = (
    TokenShape(
        "an API key",
        f"{_EDGE}sk(?:-[A-Za-z0-9]{{16,}}|-(?:admin|ant|proj|svcacct)-[A-Za-z0-9_-]{{16,}}"
        "|_live_[A-Za-z0-9]{16,})",
        ("sk-", "sk_live_"),
    ),
    TokenShape(
        "a GitHub token",
        f"{_EDGE}(?:gh[oprsu]_[A-Za-z0-9]{{20,}}|github_pat_[A-Za-z0-9_]{{20,}})",
        ("gho_", "ghp_", "ghr_", "ghs_", "ghu_", "github_pat_"),
    ),
    TokenShape("a Slack token", f"{_EDGE}xox[abeprs]-[A-Za-z0-9-]{{10,}}", ("xox",)),
    TokenShape("an AWS key", f"{_EDGE}A[KS]IA[A-Z0-9]{{16}}(?:[^A-Za-z0-9]|$)", ("akia", "asia")),
    TokenShape("a Google API key", f"{_EDGE}AIza[A-Za-z0-9_-]{{30,}}", ("aiza",)),
    TokenShape(
        "a JSON Web Token",
        rf"{_EDGE}eyJ[A-Za-z0-9_-]{{5,}}\.[A-Za-z0-9_-]{{5,}}\.[A-Za-z0-9_-]{{5,}}",
        ("eyj",),
    ),
    TokenShape(
        "a private key", "-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY-----", ("private key-",)
    ),
    TokenShape("a bearer token", f"{_EDGE}(?i:bearer) [A-Za-z0-9._~+/-]{{20,}}", ("bearer ",)),
)

LOGGED_NAMES: Final = (
    "password",
    "passwd",
    "passphrase",
    "secret",
    "secret key",
    "api key",
    "access token",
    "refresh token",
    "private key",
    "authorization",
)
"""Names whose value is a secret; db_password, apiKey and X-API-Key end in one of them."""

ASKED_NUMBERS: Final = ("credit card", "cvv", "cvc", "ssn", "social security", "pin")
ASKED_TEXTS: Final = (*LOGGED_NAMES, "token", *ASKED_NUMBERS)
"""What a form must not ask for; where it takes a number only ASKED_NUMBERS are suspicious."""

FOLLOWERS: Final = ("again", "code", "confirmation", "for", "number", "of", "repeat", "to", "value")
"""A label asks for the secret itself where its name comes last or before one of these words."""

SCHEMES: Final = frozenset(("", "apikey", "basic", "bearer", "digest", "token"))
"""What stands before the credentials of an authorization, if anything does."""

MASKS: Final = ("**", "...", "xxx", "XXX", "•", "…", "://")
REFERENCES: Final = "<[({$%/*"
PLACEHOLDERS: Final = (
    "absent|bool|boolean|changed|created|default|denied|disabled|empty|enabled|expired|failed|false"
    "|granted|hidden|incorrect|invalid|masked|missing|nil|none|null|object|omitted|optional"
    "|password|present|redacted|removed|required|reset|revoked|rotated|secret|string|success|true"
    "|undefined|unchanged|unknown|unset|updated|valid|wrong"
)
"""What people write where a secret would stand: masks, references to it, words about it."""

_WORD = "[A-Z]+(?![a-z])|[A-Z]?[a-z]+"
_GAP = r"""[\\"' \t]{0,6}"""
_NAMED = "|".join(name.replace(" ", "[ _.-]?") for name in LOGGED_NAMES)
_ASSIGNMENT = f"(?i:{_NAMED}){_GAP}(?:=>|[=:])"
_VALUE = r"""(?:(?i:basic|digest|token) )?[^ \t\r\n\\"',;&]+"""
_ASSIGNED = f"(?P<name>(?i:{_NAMED})){_GAP}(?P<sign>=>|[=:])(?P<gap>{_GAP})(?P<value>{_VALUE})"
_MIXED = "(?s:[a-z][A-Z]|[A-Za-z].*[0-9]|[0-9].*[A-Za-z])"

SECRET_TEXT: Final = "|".join((*(shape.pattern for shape in TOKEN_SHAPES), _ASSIGNMENT))
"""Matches every text in which `secret_in` sees a secret, and some more."""
MARKS: Final = (
    *(mark for shape in TOKEN_SHAPES for mark in shape.marks),
    *sorted({name.split()[-1] for name in LOGGED_NAMES}),
)
"""A text without any of these holds no secret, which is told without compiling a pattern."""


def near_names(names: Iterable[str]) -> str:
    """A pattern that finds every label with one of the names in it, and some more."""
    return f"(?i:{'|'.join(name.replace(' ', '[^A-Za-z]*') for name in names)})"


def holds_secret(text: str) -> bool:
    """Whether a text seems to hold a secret."""
    lower = text.lower()
    if not any(mark in lower for mark in MARKS):
        return False
    return finder(SECRET_TEXT)(text) and secret_in(text) is not None


@cache
def finder(pattern: str) -> Callable[[str], bool]:
    """What finds the pattern in a text: in linear time, and a hundred times as fast as `re`."""
    from jsonschema_rs import Draft7Validator, RegexOptions  # noqa: PLC0415  slow to import

    find = Draft7Validator(
        {"pattern": pattern}, offline=True, pattern_options=RegexOptions()
    ).is_valid
    return lambda text: find(text.encode(errors="replace").decode())


@cache
def _ascii(pattern: str) -> re.Pattern[str]:
    """A pattern of ours, compiled when it is first needed."""
    return re.compile(pattern, re.ASCII)


def names_secret(name: str) -> bool:
    """Whether a member of this name holds a secret, by its name."""
    return _logged_name(name[-LONGEST_LABEL:]) is not None


def secret_in(text: str) -> str | None:
    """What kind of secret a text seems to hold, in words; None where it holds none."""
    return next(_kinds_in(text), None)


def asked_secret(label: str, names: tuple[str, ...]) -> str | None:
    """Which of the named secrets the label of an input asks for, if it does."""
    words = _words(label)
    return next((name for name in names if _asks_for(words, name)), None)


def secrets_in(value: Any) -> Iterator[tuple[Path, str]]:
    """The places in a JSON value that seem to hold a secret, each with its kind in words."""
    left = MOST_CHARACTERS
    for path, text in _texts(value):
        searched = text[:left]
        left -= len(searched)
        kind = _kind_of_member(path, searched) or secret_in(searched)
        if kind is not None:
            yield path, kind


def innocent(levels: int) -> dict[str, Any]:
    """The JSON Schema of values without a secret: it refuses more, deeper nesting above all."""
    text = {"not": {"type": "string", "pattern": SECRET_TEXT}}
    if levels == 0:
        return {"type": ["string", "number", "boolean", "null"], **text}
    inner = innocent(levels - 1)
    names = {"not": {"pattern": near_names(LOGGED_NAMES)}}
    return {**text, "items": inner, "additionalProperties": inner, "propertyNames": names}


def _kinds_in(text: str) -> Iterator[str]:
    yield from (shape.words for shape in TOKEN_SHAPES if _ascii(shape.pattern).search(text))
    for found in _ascii(_ASSIGNED).finditer(text):
        name = _logged_name(text[max(0, found.start() - 1) : found.end("name")])
        sure = found["sign"] != ":" or _is_quoted(found)
        if name is not None and _reveals(name, found["value"], sure=sure):
            yield f"the value of {name}"


def _is_quoted(found: re.Match[str]) -> bool:
    """Whether the value stands in quotes alone: a sentence in quotes goes on with a space."""
    return bool(found["gap"].strip()) and found.string[found.end() : found.end() + 1] != " "


def _kind_of_member(path: Path, text: str) -> str | None:
    label = path[-1] if path else None
    name = _logged_name(label[-LONGEST_LABEL:]) if isinstance(label, str) else None
    revealed = name is not None and _reveals(name, text, sure=True)
    return f"the value of {name}" if revealed else None


def _reveals(name: str, value: str, *, sure: bool) -> bool:
    """Whether the value is a secret, not a mask, a word or a sentence about one."""
    *scheme, credentials = value[:LONGEST_VALUE].split() or [""]
    if " ".join(scheme).lower() not in SCHEMES or _is_placeholder(credentials):
        return False
    if sure and name != "authorization":
        return len(credentials) >= SHORTEST_SECRET
    return (
        len(credentials) >= SHORTEST_OPAQUE and re.search(_MIXED, credentials, re.ASCII) is not None
    )


def _is_placeholder(value: str) -> bool:
    return (
        value.startswith(tuple(REFERENCES))
        or any(mask in value for mask in MASKS)
        or re.fullmatch(f"(?i:{PLACEHOLDERS})", value.strip(".!?:)]}>"), re.ASCII) is not None
    )


@lru_cache(maxsize=4096)
def _logged_name(label: str) -> str | None:
    words = _words(label)
    return next((name for name in LOGGED_NAMES if _ends_with(words, name)), None)


def _ends_with(words: Words, name: str) -> bool:
    parts = tuple(name.split())
    return words[-len(parts) :] == parts or words[-1:] == ("".join(parts),)


def _asks_for(words: Words, name: str) -> bool:
    ends = (end for end in range(1, len(words) + 1) if _ends_with(words[:end], name))
    return any(end == len(words) or words[end] in FOLLOWERS for end in ends)


def _words(label: str) -> Words:
    """The words of a label, split where its case changes and at everything but letters."""
    return tuple(word.lower() for word in re.findall(_WORD, label[-LONGEST_LABEL:]))


def _texts(value: Any) -> Iterator[tuple[Path, str]]:
    waiting: deque[tuple[Path, Any]] = deque([((), value)])
    for _ in range(MOST_NODES):
        if not waiting:
            return
        path, node = waiting.popleft()
        if isinstance(node, str):
            yield path, node
        elif len(path) < DEEPEST:
            waiting.extend(islice(_children(path, node), MOST_NODES))


def _children(path: Path, node: Any) -> Iterator[tuple[Path, Any]]:
    if isinstance(node, dict):
        yield from (((*path, name), member) for name, member in node.items())
    elif isinstance(node, list):
        yield from (((*path, index), item) for index, item in enumerate(node))
