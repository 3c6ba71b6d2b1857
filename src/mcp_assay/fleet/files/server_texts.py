"""What entries of every format must keep to: names and texts that nothing obeys or trips over."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final
from urllib.parse import urlsplit

from mcp_assay.fleet.entry import Package, WrongEntry
from mcp_assay.fleet.files.content import WrongServer
from mcp_assay.fleet.package_names import NEWEST, why_wrong
from mcp_assay.text.safe import plain, shorten

LONGEST_NAME: Final = 200
LONGEST_TEXT: Final = 8192
MOST_TEXTS: Final = 1000
LONGEST_REASON: Final = 400
VARIABLE: Final = r"[A-Za-z_][A-Za-z0-9_]*"
HEADER: Final = r"[A-Za-z0-9!#$%&'*+.^_`|~-]+"
CONTROL: Final = r"[\x00-\x08\x0a-\x1f\x7f\ud800-\udfff]"


def require_name(name: object) -> str:
    """The name of a server; raises WrongServer where it could not be shown as it is."""
    if not isinstance(name, str) or not name.strip():
        raise WrongServer("has no name")
    if len(name) > LONGEST_NAME or plain(name) != name or name != name.strip():
        raise WrongServer(
            f"its name has more than {LONGEST_NAME} characters, or some that cannot be seen"
        )
    return name


def wrong(name: object, reason: object) -> WrongEntry:
    """A row for an entry that is none, safe to show."""
    shown = name if isinstance(name, str) and name.strip() else "(without a name)"
    return WrongEntry(
        name=shorten(plain(shown), LONGEST_NAME), reason=shorten(plain(str(reason)), LONGEST_REASON)
    )


def texts(words: Iterable[str], place: str) -> tuple[str, ...]:
    """Words that a process can be given; raises WrongServer."""
    found = tuple(words)
    if len(found) > MOST_TEXTS:
        raise WrongServer(f"{place} has more than {MOST_TEXTS} words")
    for word in found:
        if len(word) > LONGEST_TEXT or re.search("[\x00\ud800-\udfff]", word):
            raise WrongServer(f"{place} has a word that is too long, or that no process can have")
    return found


def names(words: Iterable[Any], form: str, place: str) -> tuple[str, ...]:
    """Names of variables or headers; raises WrongServer."""
    found = tuple(dict.fromkeys(words))
    if len(found) > MOST_TEXTS:
        raise WrongServer(f"{place} has more than {MOST_TEXTS} names")
    for name in found:
        if not isinstance(name, str) or len(name) > LONGEST_NAME or not re.fullmatch(form, name):
            raise WrongServer(f"{place} has {str(name)[:LONGEST_NAME]!r}, which is no such name")
    return found


def require_values(values: Mapping[str, str], place: str) -> None:
    """Raise WrongServer where a value could not be given to a process, or sent in a header."""
    for name, value in values.items():
        if len(value) > LONGEST_TEXT or re.search(CONTROL, value):
            raise WrongServer(f"{place}.{name} is too long, or has control characters")


def address(url: str) -> str:
    """An address that servers can have; raises WrongServer."""
    (url,) = texts([url], "its url")
    try:
        parts = urlsplit(url)
        is_web = parts.scheme in ("http", "https") and bool(parts.hostname)
        has_user = "@" in parts.netloc
        _ = parts.port
    except ValueError:
        is_web = has_user = False
    if not is_web or plain(url) != url or " " in url:
        raise WrongServer("its url is not an http or https address")
    if has_user:
        raise WrongServer("its url has a user or password in it; give that as a header")
    return url


def package(package: Package) -> Package:
    """A package that may be asked for; raises WrongServer."""
    if package.version in NEWEST:
        package = Package(
            registry=package.registry,
            name=package.name,
            program=package.program,
            arguments=package.arguments,
        )
    why = why_wrong(package)
    if why:
        raise WrongServer(why)
    texts(package.arguments, "arguments")
    if package.program and not re.fullmatch(r"[A-Za-z0-9._][A-Za-z0-9._-]*", package.program):
        raise WrongServer(f"{package.program[:LONGEST_NAME]!r} is not the name of a program")
    return package
