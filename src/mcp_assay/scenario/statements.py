"""Statements of query languages that do next to nothing, by the verb that begins them."""

from __future__ import annotations

import re
from typing import Final

from mcp_assay.text.names import word_set

_TABLE: Final = "assay_example"
STATEMENTS: Final[dict[str, tuple[str, ...]]] = {
    "SELECT": ("SELECT 1", "SELECT 2"),
    "WITH": ("WITH one AS (SELECT 1) SELECT * FROM one",),
    "SHOW": ("SHOW TABLES",),
    "EXPLAIN": ("EXPLAIN SELECT 1",),
    "PRAGMA": ("PRAGMA user_version",),
    "CREATE TABLE": (f"CREATE TABLE {_TABLE} (id INTEGER, name TEXT)",),
    "INSERT": (f"INSERT INTO {_TABLE} (id, name) VALUES (1, 'apple')",),
    "UPDATE": (f"UPDATE {_TABLE} SET name = 'pear' WHERE id = 1",),
    "DELETE": (f"DELETE FROM {_TABLE} WHERE id = 1",),
    "ALTER": (f"ALTER TABLE {_TABLE} ADD COLUMN note TEXT",),
    "MATCH": ("MATCH (n) RETURN n LIMIT 1",),
}
"""The last ones speak of a table that the first tools may have made."""
READING: Final = ("SELECT", "WITH", "SHOW", "EXPLAIN", "PRAGMA", "MATCH")
STATEMENT_FIELDS: Final = word_set("query sql statement cypher")
"""Words of arguments that hold a statement."""
_VERB: Final = re.compile(rf"\b(?:{'|'.join(sorted(STATEMENTS, key=len, reverse=True))})\b")
_REFUSED: Final = re.compile(
    r"\b(?:not|no|never|without|except|cannot|can't|forbidden|disallowed|prohibited|blocked)\b",
    re.IGNORECASE,
)
_ONLY: Final = re.compile(r"\bonly\b|\bmust\b|\bexpected\b|\bshould\b", re.IGNORECASE)


def statements_for(text: str) -> tuple[str, ...]:
    """Statements that begin as a text says that they must; none where it names no verb.

    Where it says what they must not be, the others.
    """
    verbs = list(dict.fromkeys(_VERB.findall(text)))
    if verbs and _REFUSED.search(text):
        verbs = _others(verbs, is_only=_ONLY.search(text) is not None)
    return tuple(one for verb in verbs for one in STATEMENTS[verb])


def _others(verbs: list[str], *, is_only: bool) -> list[str]:
    """The verbs that are left where some of these are refused.

    One that changes something is tried only where all that read are refused: a text that names
    both may be that of a tool which only reads.
    """
    reading = [verb for verb in verbs if verb in READING]
    if is_only or len(reading) < len(verbs):
        return reading or (verbs if is_only else list(READING))
    return [verb for verb in ("CREATE TABLE", "INSERT", *READING) if verb not in verbs]
