"""The secrets in what names a server: which they are, and how it is shown without them."""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Final

from mcp_assay.client.target import Command, Endpoint, Reachable, named_in
from mcp_assay.text.common_values import COMMON_VALUES, may_be_secret
from mcp_assay.text.redaction import SECRET_HEADERS
from mcp_assay.text.secrets import holds_secret, names_secret
from mcp_assay.text.words import REDACTED

ALSO_SECRET: Final = ("token", "auth", "pat")
"""Names of options and of parts of a URL that hold a secret too."""
MAY_BE_SECRET: Final = ("token", "key")
"""Ends of names in a URL whose values are not shown, and yet too common to be hidden elsewhere."""
OF_SIGNED_ADDRESSES: Final = ("signature", "sig", "credential")
"""Ends of names in a URL by which a store lets in whoever has it."""
HIDDEN: Final = "redacted"
"""Stands in an address for a secret; brackets would have to be escaped there."""
SHORTEST_CREDENTIAL: Final = 6
SHORTEST_WATCHED: Final = 8
SETTING: Final = (
    r"(?i)[~.]?/.*|[a-z]:\\.*|[a-z]+://[^@]*|[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,10}(?::\d+)?"
    r"|[\d.,:+-]+|[a-z]+(?:[ _-][a-z]+)*"
)
"""Paths, addresses, hosts, numbers and words, whatever their variable is called."""
COOKIE: Final = "cookie"
OF_SESSIONS: Final = ("session", "auth", "jwt", "token")
"""What the names of cookies have in them that say who asks."""
SESSION_ID: Final = "sid"
BASIC: Final = "basic"
_NAMED_VALUE: Final = re.compile(r'\b([\w-]+)="?([^",\s]+)')
"""As in `Token user="ada", token="…"`."""
ADDRESSES: Final = ("http://", "https://")


def secrets_of(target: Reachable) -> list[str]:
    """The headers of a server, and what looks like a secret in its command or URL."""
    if isinstance(target, Command):
        return [secret for word, before in _pairs(target.command) for secret in _in(word, before)]
    if isinstance(target, Endpoint):
        return [*_in_headers(target.headers), *_in_url(target.url)]
    return []


def credentials_of(target: Reachable) -> list[str]:
    """What was given to a server so that it knows who asks, or may use something: no setting.

    A server must keep these to itself; other values that were given it may well show.
    """
    if isinstance(target, Endpoint):
        headers = {
            name: proof
            for name, value in target.headers.items()
            if _is_credential(name, value) and (proof := _proving(name, value))
        }
        return _long_enough((*_in_headers(headers), *_in_url(target.url)))
    if isinstance(target, Command):
        named = named_in(target.environment)
        values = (value for name, value in named.items() if _is_credential(name, value))
        return _long_enough((*values, *secrets_of(target)))
    return []


def watched_variables(environment: Mapping[str, str]) -> dict[str, str]:
    """The secrets that were named for a server, by their variables: it may use them, not tell them.

    They are secrets by their name or form; paths, addresses, numbers and plain words are none.
    """
    return {
        f"${name}": value
        for name, value in named_in(environment).items()
        if _is_credential(name, value) and may_be_secret(value)
        if len(value) >= SHORTEST_WATCHED and not re.fullmatch(SETTING, value)
    }


def _long_enough(values: Iterable[str]) -> list[str]:
    """Those that nobody says by chance."""
    return [value for value in values if len(value) >= SHORTEST_CREDENTIAL]


def _is_credential(name: str, value: str) -> bool:
    bare = name.replace("_", "-").lower()
    is_named = bare in SECRET_HEADERS or _is_secret_name(bare) or bare.endswith(MAY_BE_SECRET)
    is_setting = value.startswith("/") or value.lower() in COMMON_VALUES
    return not is_setting and (is_named or holds_secret(value))


def shown_words(command: Sequence[str]) -> list[str]:
    """A command without what looks like a secret."""
    return [_shown_word(word, before) for word, before in _pairs(command)]


def shown_url(url: str) -> str:
    """An address without its user's secrets, and without values that look like secrets."""
    from urllib.parse import parse_qsl, urlencode, urlsplit  # noqa: PLC0415  most servers have none

    try:
        parts = urlsplit(url)
        query = parse_qsl(parts.query, keep_blank_values=True)
    except ValueError:
        return REDACTED
    host = parts.netloc.rpartition("@")[2]
    if host == parts.netloc and not any(_is_hidden(*pair) for pair in query):
        return url
    shown = [(name, HIDDEN if _is_hidden(name, value) else value) for name, value in query]
    user = f"{HIDDEN}@" if host != parts.netloc else ""
    return parts._replace(netloc=user + host, query=urlencode(shown)).geturl()


def _in_headers(headers: Mapping[str, str]) -> Iterator[str]:
    """The values, and the parts of them that a server may tell alone."""
    for name, value in headers.items():
        yield value
        if name.lower() == COOKIE:
            yield from (its for _, its in _cookies(value))
            continue
        scheme, _, credentials = value.partition(" ")
        if scheme.isalpha() and credentials:
            yield from _behind_scheme(scheme, credentials)


def _behind_scheme(scheme: str, credentials: str) -> Iterator[str]:
    """What stands behind the name of a scheme: a token, a password, or values with names."""
    if " " not in credentials:
        yield credentials
    if scheme.lower() == BASIC:
        with suppress(ValueError):
            user_and_password = b64decode(credentials, validate=True).decode("utf-8", "replace")
            yield user_and_password.partition(":")[2]
    named = (found.groups() for found in _NAMED_VALUE.finditer(credentials))
    yield from (value for name, value in named if _is_secret_name(name))


def _cookies(value: str) -> Iterator[tuple[str, str]]:
    for part in value.split(";"):
        name, _, its = part.strip().partition("=")
        yield name, its.strip('"')


def _proving(name: str, value: str) -> str:
    """A header without what proves nothing: of cookies, only those that say who asks are left."""
    if name.lower() != COOKIE:
        return value
    kept = (f"{one}={its}" for one, its in _cookies(value) if _is_of_who_asks(one, its))
    return "; ".join(kept)


def _is_of_who_asks(cookie: str, value: str) -> bool:
    words = re.split(r"[^a-z]+", cookie.lower())
    return any(part in cookie.lower() for part in OF_SESSIONS) or (
        SESSION_ID in words or _is_secret_name(cookie) or holds_secret(value)
    )


def _pairs(command: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Each word, and the one before it."""
    return zip(command, ("", *command), strict=False)


def _in(word: str, before: str) -> Iterator[str]:
    """The secrets in a word."""
    name, sign, value = word.partition("=")
    if word.startswith(ADDRESSES):
        yield from _in_url(word)
    elif sign and _is_secret_name(name):
        yield value
    elif _is_secret_after(before, word) or (" " not in word and holds_secret(word)):
        yield word


def _shown_word(word: str, before: str) -> str:
    name, sign, _ = word.partition("=")
    if word.startswith(ADDRESSES):
        return shown_url(word)
    if sign and _is_secret_name(name):
        return f"{name}={REDACTED}"
    return REDACTED if _is_secret_after(before, word) or holds_secret(word) else word


def _in_url(url: str) -> Iterator[str]:
    """The credentials of a URL, as they stand there and as they are meant."""
    from urllib.parse import parse_qsl, unquote, urlsplit  # noqa: PLC0415  most words are none

    try:
        parts = urlsplit(url)
    except ValueError:
        return
    if parts.password:
        yield from (parts.password, unquote(parts.password))
    for pair in parts.query.split("&"):
        name, _, value = pair.partition("=")
        if _is_secret_name(name) or holds_secret(value):
            yield from (value, *(meant for _, meant in parse_qsl(pair)))


def _is_hidden(name: str, value: str) -> bool:
    ends = (*MAY_BE_SECRET, *OF_SIGNED_ADDRESSES)
    is_named = _is_secret_name(name) or name.lower().endswith(ends)
    return is_named or holds_secret(value)


def _is_secret_after(option: str, word: str) -> bool:
    return option.startswith("-") and not word.startswith("-") and _is_secret_name(option)


def _is_secret_name(name: str) -> bool:
    bare = name.lstrip("-").replace("_", "-").lower()
    return names_secret(bare) or bare.rpartition("-")[2] in ALSO_SECRET
