"""What must not be shown of a server: the secrets in what names it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final
from urllib.parse import parse_qsl, unquote, urlsplit

from mcp_assay.drive.target import Command, Endpoint, Reachable
from mcp_assay.spec.secrets import holds_secret, names_secret

ALSO_SECRET: Final = ("token", "auth", "pat")
"""Names of options and of parts of a URL that hold a secret too."""


def secrets_of(target: Reachable) -> list[str]:
    """The headers of a server, and what looks like a secret in its command or URL."""
    if isinstance(target, Command):
        return list(_in_command(target.command))
    if isinstance(target, Endpoint):
        return [*_in_headers(target.headers.values()), *_in_url(target.url)]
    return []


def _in_headers(values: Iterable[str]) -> Iterator[str]:
    """The values, and what stands behind the name of a scheme: a server may tell that alone."""
    for value in values:
        yield value
        scheme, space, credentials = value.partition(" ")
        if space and scheme.isalpha() and " " not in credentials:
            yield credentials


def _in_command(command: Sequence[str]) -> Iterator[str]:
    before = ""
    for word in command:
        name, sign, value = word.partition("=")
        if word.startswith(("http://", "https://")):
            yield from _in_url(word)
        elif sign and _is_secret_name(name):
            yield value
        elif _is_secret_after(before, word) or (" " not in word and holds_secret(word)):
            yield word
        before = word


def _in_url(url: str) -> Iterator[str]:
    """The credentials of a URL, as they stand there and as they are meant."""
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


def _is_secret_after(option: str, word: str) -> bool:
    return option.startswith("-") and not word.startswith("-") and _is_secret_name(option)


def _is_secret_name(name: str) -> bool:
    bare = name.lstrip("-").replace("_", "-").lower()
    return names_secret(bare) or bare.rpartition("-")[2] in ALSO_SECRET
