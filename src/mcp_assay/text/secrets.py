"""What secrets look like, and what people call them: for log data, forms and what we show.

Patterns are written so that Python and the fast check read them alike: ASCII, no look-around.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache
from itertools import islice, pairwise
from typing import Any, Final, TypeAlias

from mcp_assay.text.token_shapes import LONG_RUN, TOKEN_SHAPES

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
SHORTEST_LETTERS: Final = 12
SHORTEST_TOKEN: Final = 16
FEWEST_DIFFERENT: Final = 2
"""A text of no more different characters is a mask."""
LETTERS_OF_A_WORD: Final = 6
"""A text in which capitals begin words has fewer of them than one in so many letters."""
PASSWORD: Final = "the password of an address"
LEAST_DATA: Final = 256
"""So many characters of Base64 without a break are an image or a document, and no token."""
_BASE64: Final = "[A-Za-z0-9+/]"


LOGGED_NAMES: Final = (
    "password",
    "passwd",
    "pwd",
    "passphrase",
    "secret",
    "secret key",
    "secret access key",
    "api key",
    "access token",
    "refresh token",
    "private key",
    "account key",
    "shared access key",
    "signing key",
    "encryption key",
    "authorization",
)
"""Names whose value is a secret; db_password, apiKey and X-API-Key end in one of them."""
VAGUE_NAMES: Final = (
    *("token", "credential", "credentials", "cookie", "auth", "pass"),
    *("access key", "storage key", "master key", "shared key", "session key"),
)
"""Names whose value is a secret where it looks like one."""
NO_SECRETS: Final = {
    "token": frozenset(
        (
            *("bos", "cls", "continuation", "continue", "cursor", "delta", "end", "eos", "first"),
            *("input", "last", "mask", "max", "next", "output", "pad", "page", "pagination"),
            *("previous", "progress", "prompt", "resume", "sep", "skip", "special", "start"),
            *("stop", "sync", "unk"),
        )
    ),
    "cookie": frozenset(("consent",)),
    "pass": frozenset(("",)),
}
"""Words before a vague name, or none, that make it the name of something else."""

DOUBTFUL: Final = frozenset(("authorization", *VAGUE_NAMES))
"""Names whose value must look like a secret to be one."""
SECRET_WORDS: Final = frozenset(name.split()[-1] for name in (*LOGGED_NAMES, *VAGUE_NAMES))
ASKED_NUMBERS: Final = ("credit card", "cvv", "cvc", "ssn", "social security", "pin")
ASKED_TEXTS: Final = (*LOGGED_NAMES, "token", *ASKED_NUMBERS)
"""What a form must not ask for; where it takes a number only ASKED_NUMBERS are suspicious."""

FOLLOWERS: Final = ("again", "code", "confirmation", "for", "number", "of", "repeat", "to", "value")
"""A label asks for the secret itself where its name comes last or before one of these words."""

SCHEMES: Final = frozenset(("", "apikey", "basic", "bearer", "digest", "token"))
"""What stands before the credentials of an authorization, if anything does."""

MASKS: Final = ("**", "...", "xxx", "XXX", "•", "…", "##")
REFERENCES: Final = (
    r"[<\[({/*]|\$(?:[{(]|[A-Z_][A-Z0-9_]*$|[a-z_]+$)|%(?![0-9A-Fa-f]{2})|(?:https?|file|vault|op|ref|arn)"
    r":|(?:os|process|env|ENV|config|settings|secrets|self|this|args|options|request|vars)[.(\[]"
)
"""What begins something that only refers to a secret: a variable, a path, an address, code."""
PLACEHOLDERS: Final = (
    "absent|any|bool|boolean|bytes|changed|changeit|char|created|default|denied|disabled|empty"
    "|enabled|expired|failed|false|granted|hidden|incorrect|int|integer|invalid|masked|missing|nil"
    "|no|none|null|number|object|ok|omitted|optional|pass|present|redacted|removed|required|reset"
    "|revoked|rotated|secretstr|set|str|string|success|text|true|undefined|unchanged|unknown|unset"
    "|updated|valid|varchar|wrong|yes"
)
SAMPLES: Final = (
    "changeme|change[ _-]me|dummy|example|fake|foobar|insert|placeholder|replace|sample|todo|your"
)
"""What people write where a secret would stand: masks, references to it, words about it."""
DOCUMENTED_HOSTS: Final = (
    r"(?:[A-Za-z0-9.-]*\.)?(?:example(?:\.[a-z]{2,3})?|host(?:name)?|server|invalid)"
)
"""The hosts of addresses that nobody uses."""

_WORD = "[A-Z]+(?![a-z])|[A-Z]?[a-z]+"
_GAP = r"""[\\"' \t]{0,6}"""
_NAMED = "|".join(
    sorted((name.replace(" ", "[ _.-]?") for name in (*LOGGED_NAMES, *VAGUE_NAMES)), reverse=True)
)
_SIGN = "=>|:=|[=:]"
_ASSIGNMENT = f"(?i:{_NAMED}){_GAP}(?:{_SIGN}|>)|--[A-Za-z0-9_-]*(?i:{_NAMED}) "
_VALUE = r"""(?:(?i:apikey|basic|bearer|digest|token) )?[^ \t\r\n\\"',;&]+"""
_ASSIGNED = f"(?P<name>(?i:{_NAMED})){_GAP}(?P<sign>{_SIGN})(?P<gap>{_GAP})(?P<value>{_VALUE})"
_FLAG = f"--(?P<name>[A-Za-z0-9_-]{{1,60}}) (?P<gap>[\"']?)(?P<value>{_VALUE})"
_ELEMENT = r"<(?P<name>[A-Za-z0-9_.:-]{1,60})>(?P<value>[^<>\r\n]{1,200})</"
_LABEL = "[A-Za-z0-9_.-]*"
_USER_INFO = (
    r"""[A-Za-z0-9]://(?P<user>[^ \t\r\n/?#:@"'<>]{0,200})(?P<sign>:?)"""
    r"""(?P<value>[^ \t\r\n/?#@"'<>]{0,200})@(?P<host>[A-Za-z0-9.-]{0,100})"""
)
_ADDRESS = r"""://[^ \t\r\n/?#"'<>]*@"""
_DATED = r"[0-9]{4}-[0-9]{2}-[0-9]{2}|v?[0-9]+\.[0-9]+"
_FILED = r"[^/@]{1,100}\.[A-Za-z]{2,5}|[^@]{1,100}@[A-Za-z0-9.-]{1,100}"
_TERM = (
    "(?>(?:(?:[A-Za-z]{1,3}|[A-Z]{2,12}|[A-Z]?[a-z]{2,20}(?:[A-Z][a-z]{2,20}){0,5})[0-9]{0,2}"
    "|[0-9]{1,4})(?![A-Za-z0-9]))"
)
"""One word or number. It ends where letters end, and is atomic: thirty words that two branches
take would else be tried in a thousand million ways."""
_TERMS = f"{_TERM}(?:[-_/]{_TERM}){{1,30}}"
"""Words with signs between them: the end of an address, the name of a setting or of a package."""
_PUBLIC = "0x[0-9A-Fa-f]+"
"""An address in a ledger, which everybody may read."""
_SPEAKING = f"{_FILED}|{_TERMS}|{_PUBLIC}"

SECRET_TEXT: Final = "|".join((*(shape.pattern for shape in TOKEN_SHAPES), _ADDRESS, _ASSIGNMENT))
"""Matches every text in which `secret_in` sees a secret, and some more."""
MARKS: Final = (
    *(mark for shape in TOKEN_SHAPES for mark in shape.marks),
    "://",
    *sorted({name.split()[-1] for name in (*LOGGED_NAMES, *VAGUE_NAMES)}),
)
"""A text without any of these, and without a LONG_RUN, holds no secret; that is told at once."""


def near_names(names: Iterable[str]) -> str:
    """A pattern that finds every label with one of the names in it, and some more."""
    return f"(?i:{'|'.join(name.replace(' ', '[^A-Za-z]*') for name in names)})"


def holds_secret(text: str) -> bool:
    """Whether a text seems to hold a secret."""
    lower = text.lower()
    if not any(mark in lower for mark in MARKS) and not _ascii(LONG_RUN).search(text):
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
    for path, text in texts_in(value):
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
    names = {"not": {"pattern": near_names((*LOGGED_NAMES, *VAGUE_NAMES))}}
    return {**text, "items": inner, "additionalProperties": inner, "propertyNames": names}


def _kinds_in(text: str) -> Iterator[str]:
    for shape in TOKEN_SHAPES:
        looking_alike = _ascii(shape.pattern).finditer(text)
        yield from (
            shape.words
            for one in looking_alike
            if not (_is_sample(one[0]) or _is_made_of_words(one[0]) or _is_in_data(one))
        )
    yield from (PASSWORD for one in _ascii(_USER_INFO).finditer(text) if _is_password(one))
    for pattern in (_ASSIGNED, _FLAG, _ELEMENT):
        for found in _ascii(pattern).finditer(text):
            name = _secret_name(_label_of(found))
            if name is not None and _reveals(name, found["value"], sure=_is_sure(found)):
                yield f"the value of {name}"


def _is_in_data(found: re.Match[str]) -> bool:
    """Whether it lies in long data in Base64: a sign in there ends nothing, and begins nothing."""
    if found[0][:1] not in ("+", "/"):
        return False
    begin = max(0, found.start() - LEAST_DATA)
    before = _ascii(f"{_BASE64}*$").search(found.string, begin, found.start())
    behind = _ascii(f"{_BASE64}*").match(found.string, found.end())
    around = sum(one.end() - one.start() for one in (before, behind) if one)
    return around + len(found[0]) >= LEAST_DATA


def _label_of(found: re.Match[str]) -> str:
    """The whole name that a value has, of which a part was found.

    The word before it belongs to it where it makes it the name of something else: a page token.
    """
    before = found.string[max(0, found.start("name") - LONGEST_LABEL) : found.start("name")]
    whole = re.search(f"(?:([A-Za-z]{{2,20}}) )?{_LABEL}$", before, re.ASCII)
    word = (whole[1] or "").lower() if whole else ""
    if word and word in NO_SECRETS.get(found["name"].lower(), ()):
        return f"{word} {found['name']}"
    own = re.search(f"{_LABEL}$", before, re.ASCII)
    return (own[0] if own else "") + found["name"]


def _is_sure(found: re.Match[str]) -> bool:
    """Whether a value follows for certain: behind a colon there may be a sentence.

    A value that stands in quotes alone is one: a sentence in quotes goes on with a space.
    """
    groups = found.groupdict()
    if groups.get("sign", "=") != ":":
        return True
    return bool(found["gap"].strip()) and found.string[found.end() : found.end() + 1] != " "


def _is_password(found: re.Match[str]) -> bool:
    """Whether an address tells a password, or a token in place of a user's name."""
    if re.fullmatch(f"(?i:{DOCUMENTED_HOSTS})", found["host"], re.ASCII):
        return False
    if not found["sign"]:
        user = found["user"] + found["value"]
        return len(user) >= SHORTEST_TOKEN and _is_opaque(user)
    value = found["value"]
    return len(value) >= SHORTEST_SECRET and not _is_placeholder(value)


def _kind_of_member(path: Path, text: str) -> str | None:
    label = path[-1] if path else None
    return kind_of_member(label, text) if isinstance(label, str) else None


def kind_of_member(label: str, text: str) -> str | None:
    """What kind of secret a member of this name holds with this text, in words."""
    name = _secret_name(label[-LONGEST_LABEL:])
    revealed = name is not None and _reveals(name, text, sure=True)
    return f"the value of {name}" if revealed else None


def _reveals(name: str, value: str, *, sure: bool) -> bool:
    """Whether the value is a secret, not a mask, a word or a sentence about one."""
    *scheme, credentials = value[:LONGEST_VALUE].split() or [""]
    if " ".join(scheme).lower() not in SCHEMES or _is_placeholder(credentials):
        return False
    if sure and name not in DOUBTFUL:
        return len(credentials) >= SHORTEST_SECRET
    return len(credentials) >= SHORTEST_OPAQUE and _is_opaque(credentials)


def _is_placeholder(value: str) -> bool:
    bare = value.strip(".!?:)]}>")
    return (
        re.match(REFERENCES, value, re.ASCII) is not None
        or "(" in value
        or _is_sample(value)
        or len(set(bare)) <= FEWEST_DIFFERENT
        or re.fullmatch(f"(?i:{PLACEHOLDERS})", bare, re.ASCII) is not None
        or _is_name(bare)
    )


def _is_sample(value: str) -> bool:
    """Whether a text, be it in the shape of a secret, only shows how one looks."""
    return (
        any(mask in value for mask in MASKS)
        or re.search(f"(?i:{SAMPLES})", value, re.ASCII) is not None
    )


def _is_made_of_words(shaped: str) -> bool:
    """Whether a text in the shape of a token is several words: nobody draws those by lot."""
    text = shaped.rsplit(maxsplit=1)[-1].lstrip("\"'`([{<=:,;/#|&?@*")
    return re.fullmatch(_TERMS, text, re.ASCII) is not None


def _is_name(value: str) -> bool:
    """Whether a value is the name of a secret: a variable, or words in place of it."""
    words = _words(value)
    has_digits = any(character.isdigit() for character in value)
    return not has_digits and not SECRET_WORDS.isdisjoint(words)


def _is_opaque(value: str) -> bool:
    """Whether a text says nothing to people: no words, date, version, file, address or number."""
    if re.match(_DATED, value, re.ASCII) or re.fullmatch(_SPEAKING, value, re.ASCII):
        return False
    letters = [one for one in value if one.isalpha()]
    if any(one.isdigit() for one in value):
        return bool(letters)
    humps = sum(a.islower() and b.isupper() for a, b in pairwise(value))
    return len(value) >= SHORTEST_LETTERS and humps * LETTERS_OF_A_WORD >= len(value)


@lru_cache(maxsize=4096)
def _secret_name(label: str) -> str | None:
    """The name of a secret that a label ends in, be it a vague one."""
    known = _logged_name(label)
    if known is not None:
        return known
    words = _words(label)
    vague = next((name for name in VAGUE_NAMES if _ends_with(words, name)), None)
    before = words[-2] if len(words) > 1 else ""
    return None if vague is None or before in NO_SECRETS.get(vague, ()) else vague


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


def texts_in(value: Any) -> Iterator[tuple[Path, str]]:
    """The texts in a JSON value with their places, as far as it is searched."""
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
