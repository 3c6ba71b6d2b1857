"""Where the history is: what was typed, configured or set -> the URL of a store."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

from mcp_assay.text.words import REDACTED

VARIABLE: Final = "MCP_ASSAY_HISTORY"
BY_DEFAULT: Final = "default"
"""What is said where the user's own store is meant."""
SQLITE: Final = "sqlite:"
POSTGRES: Final = "postgresql"
_SECONDS: Final = re.compile(r"\d{1,4}(\.\d{1,3})?")
LONGEST_FILE: Final = 10_000
EXAMPLES: Final = "sqlite:///history.db or postgresql://HOST/DATABASE"


class WrongLocation(ValueError):
    """No store can be where this says; the text is a sentence, and shows no password."""


class StoreLocation(Struct, frozen=True):
    """A store, as it is opened and as it may be shown."""

    url: str
    """With its password."""
    shown: str
    """Without."""
    file: str | None = None
    """The file of an SQLite store."""
    is_default: bool = False
    """Whether nobody named it."""


def located(given: str) -> StoreLocation:
    """The store that a text names: a URL, @FILE with one in it, or the default one."""
    if given == BY_DEFAULT:
        path = default_path()
        return StoreLocation(f"sqlite:///{path}", path, path, is_default=True)
    if given.startswith("@"):
        given = _content(given[1:])
    from sqlalchemy.engine import make_url  # noqa: PLC0415  most runs have no history
    from sqlalchemy.exc import ArgumentError  # noqa: PLC0415

    try:
        url = make_url(given)
        shown = url.render_as_string(hide_password=True).replace(":***@", f":{REDACTED}@")
        backend = url.get_backend_name()
    except (ArgumentError, ValueError):
        raise WrongLocation(f"that is no URL of a history; write {EXAMPLES}") from None
    if backend == "postgresql":
        if "@" in (url.host or ""):  # the end of a password, which would be shown
            raise WrongLocation("an @ in a password is written as %40, a / as %2F, a : as %3A")
        whole = url.set(drivername="postgresql+psycopg").render_as_string(hide_password=False)
        return StoreLocation(whole, _without_query(shown))
    if url.drivername != "sqlite":
        words = f"{backend} is not a database for a history"
        raise WrongLocation(f"{words}; write {EXAMPLES}")
    _require_timeout(url.query)
    if not url.database or url.database == ":memory:":
        raise WrongLocation(f"a history needs a file; write {EXAMPLES}")
    return StoreLocation(url.render_as_string(hide_password=False), url.database, url.database)


def _require_timeout(query: Mapping[str, str | Sequence[str]]) -> None:
    """The only parameter that a file has: how long it may be locked by others."""
    given = query.get("timeout", "0")
    is_time = isinstance(given, str) and _SECONDS.fullmatch(given) is not None
    if not is_time or query.keys() - {"timeout"}:
        raise WrongLocation("a file takes only ?timeout=SECONDS behind its name")


def default_path() -> str:
    """The file in the user's data folder, by the rules of XDG."""
    base = os.environ.get("XDG_DATA_HOME", "")
    if not os.path.isabs(base):
        base = os.path.join(os.path.expanduser("~"), ".local", "share")
    return os.path.join(base, "mcp-assay", "history.db")


def _without_query(shown: str) -> str:
    """Parameters may hold a password, too."""
    return shown.partition("?")[0]


def _content(path: str) -> str:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read(LONGEST_FILE).strip()
    except (OSError, UnicodeDecodeError) as fault:
        reason = fault.strerror if isinstance(fault, OSError) else "it is not UTF-8"
        raise WrongLocation(f"@{path} cannot be read: {reason}") from None
