"""All files of the prepared folder, by their paths in it."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from struct import pack
from typing import Final

from mcp_assay.scenario.prepared_repository import CommitStep, repository

TEXTS: Final = {
    "notes.txt": "plain text",
    "README.md": "Markdown",
    "fruits.csv": "a table",
    "fruits.json": "JSON",
    "fruits.yaml": "YAML",
    "fruits.toml": "TOML",
    "fruits.xml": "XML",
    "fruits.html": "a web page",
    "prices.py": "a program in Python",
    "prices.js": "a program in JavaScript",
    "garden/plan.md": "Markdown in a folder",
    "garden/trees/list.txt": "plain text in a folder of that",
}
"""The texts, each with what it is; in each the word "plum" stands once."""
PICTURE: Final = "picture.png"
DATABASE: Final = "fruits.db"

_STEPS: Final = (
    ("Begin with notes", ("notes.txt", "README.md")),
    ("Add data", ("fruits.csv", "fruits.json", "fruits.yaml", "fruits.toml")),
    ("Add pages", ("fruits.xml", "fruits.html", "garden/plan.md")),
    ("Add a program", ("prices.py",)),
    ("Add a picture", (PICTURE,)),
)
"""The commits, each with what it says and what it adds."""
_CHANGED: Final = "notes.txt"
"""It has a line more than its latest commit."""
_STAGED: Final = "garden/trees/list.txt"
_ON_BRANCH: Final = ("Say more about the garden", "garden/plan.md", b"\nAnd a pear.\n")
_SIDE: Final = 32
"""Its width and height."""
_EIGHT_BITS: Final = 8
_RGB: Final = 2
_TABLES: Final = {
    "fruits": ("id INTEGER PRIMARY KEY", "name TEXT NOT NULL", "price REAL", "day TEXT"),
    "orders": (
        "id INTEGER PRIMARY KEY",
        "fruit_id INTEGER REFERENCES fruits(id)",
        "amount INTEGER",
    ),
}
_ROWS: Final[dict[str, tuple[tuple[object, ...], ...]]] = {
    "fruits": (
        (1, "apple", 1.5, "2026-01-15"),
        (2, "pear", 2.25, "2026-02-01"),
        (3, "plum", 0.75, "2026-03-10"),
    ),
    "orders": ((1, 1, 12), (2, 3, 30), (3, 1, 4)),
}


@cache
def prepared_files() -> Mapping[str, bytes]:
    """What lies in the prepared folder; the same bytes whenever it is made.

    One text is changed, one staged and one unknown to the repository: there is something to show,
    to add and to commit.
    """
    found = {path: _text(path).encode() for path in TEXTS}
    found[PICTURE] = _picture()
    if (tables := _database()) is not None:
        found[DATABASE] = tables
    return {**found, **_history(found)}


def _text(path: str) -> str:
    name = f"{path}.txt" if path.endswith(".py") else path  # this package has no such module
    return files("mcp_assay.scenario").joinpath("samples", name).read_text("utf-8")


def _history(found: Mapping[str, bytes]) -> dict[str, bytes]:
    """The repository that the folder is."""
    shorter = b"".join(found[_CHANGED].splitlines(keepends=True)[:-1])
    before = {**found, _CHANGED: shorter}
    steps = [CommitStep(said, {path: before[path] for path in paths}) for said, paths in _STEPS]
    said, path, more = _ON_BRANCH
    branch = CommitStep(said, {path: found[path] + more})
    return repository(steps, branch, {_STAGED: found[_STAGED]})


def _database() -> bytes | None:
    """The file with these tables; None where this Python was built without SQLite."""
    try:
        import sqlite3  # noqa: PLC0415  worlds alone need it
    except ImportError:
        return None
    connection = sqlite3.connect(":memory:")
    try:
        for table, columns in _TABLES.items():
            connection.execute(f"CREATE TABLE {table} ({', '.join(columns)})")
            marks = ", ".join("?" * len(columns))
            connection.executemany(f"INSERT INTO {table} VALUES ({marks})", _ROWS[table])
        connection.commit()
        return connection.serialize()
    finally:
        connection.close()


def _picture() -> bytes:
    """A square of colours that run into one another."""
    scale = 256 // _SIDE
    rows = (
        b"\0" + b"".join(bytes((x * scale, y * scale, 128)) for x in range(_SIDE))
        for y in range(_SIDE)
    )
    head = pack(">IIBBBBB", _SIDE, _SIDE, _EIGHT_BITS, _RGB, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(b"".join(rows))), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, content) for name, content in parts)


def _chunk(name: bytes, content: bytes) -> bytes:
    return pack(">I", len(content)) + name + content + pack(">I", zlib.crc32(name + content))
