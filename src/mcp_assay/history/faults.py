"""What can be wrong with a store, each in one sentence, and nothing of it with a password."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from mcp_assay.text.safe import plain, shorten

LONGEST_REASON: Final = 160
OF_SQLITE: Final[Mapping[str, str]] = {
    "SQLITE_BUSY": "is locked by another process; try again when that has ended",
    "SQLITE_LOCKED": "is locked by another process; try again when that has ended",
    "SQLITE_READONLY": "is read-only; make it and its folder writable, or name another store",
    "SQLITE_FULL": "cannot grow, because the disk is full; free some space",
    "SQLITE_NOTADB": "is not a history; name another file",
    "SQLITE_CORRUPT": "is damaged; restore a backup, or name another file",
    "SQLITE_CANTOPEN": "cannot be opened; check that its folder exists and may be written",
    "SQLITE_IOERR": "cannot be read or written: the disk is full or fails",
    "SQLITE_PERM": "may not be used; check its permissions",
    "SQLITE_AUTH": "may not be used; check its permissions",
}
"""By the first words of an error's name: what is the matter, behind the name of the store."""
OF_POSTGRES: Final[Mapping[str, str]] = {
    "25006": "is read-only; use a user who may write",
    "28": "refused the user or the password; check the URL",
    "3D000": "does not exist on that server; create the database first",
    "42501": "may not be used by this user; grant it the right to create tables",
    "53": "has run out of disk space, memory or connections",
    "55P03": "is locked by another process; try again when that has ended",
    "57014": "took too long to answer; try again",
}
"""By the first characters of an SQLSTATE."""
OF_CONNECTING: Final[Mapping[str, str]] = {
    "authentication failed": OF_POSTGRES["28"],
    "no password supplied": OF_POSTGRES["28"],
    'role "': OF_POSTGRES["28"],
    'database "': OF_POSTGRES["3D000"],
    "too many clients": OF_POSTGRES["53"],
    "connection refused": "cannot be reached; check the host, and that its server runs",
    "could not translate host name": "cannot be reached; check the name of the host",
    "failed to resolve host": "cannot be reached; check the name of the host",
    "timeout expired": "cannot be reached in time; check the host, and that its server runs",
    "no such file or directory": "cannot be reached; check the host, and that its server runs",
}
"""By words in the refusal of a connection, which comes without an SQLSTATE."""
LOST: Final = "lost its connection; check that the database server runs"
_CREDENTIALS: Final = re.compile(r"(//[^/@\s:]*):[^@\s]*@|(password=)\S+")


class StoreFault(Exception):
    """A store that cannot be used; the text is a sentence without its full stop."""

    is_lost = False


class LostConnection(StoreFault):
    """The database went away in the middle; what was not confirmed may be tried once more."""

    is_lost = True


@contextmanager
def told(shown: str) -> Iterator[None]:
    """While inside, whatever the database refuses becomes a StoreFault about the store."""
    try:
        yield
    except SQLAlchemyError as fault:
        raise fault_of(fault, shown) from None
    except sqlite3.Error as fault:
        raise StoreFault(f"the history {shown} {_words_of_sqlite(fault)}") from None


def fault_of(fault: SQLAlchemyError, shown: str) -> StoreFault:
    """What the database refused, as a sentence about the store."""
    cause = fault.orig if isinstance(fault, DBAPIError) else None
    if isinstance(cause, sqlite3.Error):
        return StoreFault(f"the history {shown} {_words_of_sqlite(cause)}")
    state = getattr(cause, "sqlstate", None)
    known = next(
        (words for code, words in OF_POSTGRES.items() if (state or "").startswith(code)), ""
    )
    if known:
        return StoreFault(f"the history {shown} {known}")
    refusal = str(cause).lower() if state is None else ""
    if words := next((it for text, it in OF_CONNECTING.items() if text in refusal), ""):
        return StoreFault(f"the history {shown} {words}")
    is_lost = isinstance(fault, DBAPIError) and fault.connection_invalidated
    if is_lost or (state or "").startswith(("08", "57P")):
        return LostConnection(f"the history {shown} {LOST}")
    return StoreFault(f"the history {shown} cannot be used: {_reason(cause or fault)}")


def _words_of_sqlite(fault: sqlite3.Error) -> str:
    name = getattr(fault, "sqlite_errorname", "") or ""
    known = next((words for begun, words in OF_SQLITE.items() if name.startswith(begun)), None)
    return known or f"cannot be used: {_reason(fault)}"


def _reason(fault: BaseException) -> str:
    """The first line of what a database says, without a password."""
    first = str(fault).strip().split("\n")[0].rstrip(".")
    return shorten(plain(_CREDENTIALS.sub(r"\1\2[redacted]", first)), LONGEST_REASON)
