"""What lies in a folder, by what calls may name of it: files, tables, branches, words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Final

from msgspec import Struct, field

from mcp_assay.text.names import word_set

GIT: Final = ".git/"
TEXT_ENDINGS: Final = word_set(
    "c cfg cpp cs css csv go h html ini java js json jsx kt md php py rb rs rst sh sql svg swift "
    "toml ts tsx txt xml yaml yml"
)
DATABASE_ENDINGS: Final = word_set("db db3 sqlite sqlite3")
MOST_FILES: Final = 24
"""So many files are named, ..."""
MOST_OF_KIND: Final = 3
"""... so many of one kind, ..."""
MOST_READ: Final = 12
"""... and so many texts are read, up to ..."""
LONGEST_READ: Final = 1 << 16
LARGEST_DATABASE: Final = 1 << 20
MOST_NAMES: Final = 8
"""So many tables, columns of one, branches and words are named."""
MOST_WORDS: Final = 2_000
_WORD: Final = re.compile(r"(?<![\w-])[A-Za-z]{4,16}(?![\w-])")
_COMMIT: Final = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_SQLITE: Final = b"SQLite format 3\0"


class Contents(Struct, frozen=True, kw_only=True):
    """What calls may name of a folder; all paths are relative to it."""

    files: tuple[str, ...] = ()
    """A few of each kind."""
    folders: tuple[str, ...] = ()
    repositories: tuple[str, ...] = ()
    """The folders that are repositories of git; "" for the folder itself."""
    branches: tuple[str, ...] = ()
    """Those of the first repository, the current one last."""
    tags: tuple[str, ...] = ()
    commits: tuple[str, ...] = ()
    tables: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The tables of its databases, and the columns of each."""
    words: tuple[str, ...] = ()
    """Words of its texts: those that stand once in the first, and so in the most others."""


Read = Callable[[str], bytes]
"""Gives the beginning of a file, nothing where it cannot be read."""


def contents_of(paths: Iterable[str], read: Read) -> Contents:
    """What lies in a folder, of all files in it the paths, those of `.git` too."""
    every = list(paths)
    plain = [path for path in every if not _is_hidden(path)]
    files = list(_few_of_each(plain))
    texts = [path for path in files if ending_of(path) in TEXT_ENDINGS][:MOST_READ]
    databases = [path for path in plain if ending_of(path) in DATABASE_ENDINGS][:MOST_OF_KIND]
    repositories = [
        path[: -len(f"{GIT}HEAD")] for path in every if f"/{path}".endswith("/.git/HEAD")
    ]
    refs = _refs(repositories[0] + GIT, every, read) if repositories else {}
    head = read(f"{repositories[0]}{GIT}HEAD").decode(errors="replace") if repositories else ""
    return Contents(
        files=tuple(files),
        folders=tuple(_folders(plain)),
        repositories=tuple(one.rstrip("/") for one in repositories[:MOST_OF_KIND]),
        branches=tuple(_branches(refs, head.strip())),
        tags=tuple(_named(refs, "refs/tags/")),
        commits=tuple(_commits(refs)),
        tables={name: columns for path in databases for name, columns in _tables(read(path))},
        words=tuple(_telling_words([read(path)[:LONGEST_READ] for path in texts])),
    )


def ending_of(path: str) -> str:
    """How a file name ends, in small letters: "py" of "src/tea.py"; "" where it has no ending."""
    name = path.rpartition("/")[2]
    return name.rpartition(".")[2].lower() if "." in name.lstrip(".") else ""


def _is_hidden(path: str) -> bool:
    return any(part.startswith(".") for part in path.split("/"))


def _few_of_each(paths: Sequence[str]) -> Iterator[str]:
    """A few files of each kind, first one of every kind, those at the top before those below.

    One without an ending may be anything, and comes last.
    """
    count = Counter[str]()
    ranked: list[tuple[bool, int, int, int, str]] = []
    for at, path in sorted(enumerate(paths), key=lambda one: (one[1].count("/"), one[0])):
        kind = ending_of(path)
        ranked.append((not kind, count[kind], path.count("/"), at, path))
        count[kind] += 1
    chosen = [one for one in sorted(ranked) if one[1] < MOST_OF_KIND][:MOST_FILES]
    yield from (one[-1] for one in chosen)


def _folders(paths: Iterable[str]) -> Iterator[str]:
    found = dict.fromkeys(path.rpartition("/")[0] for path in paths)
    inner = sorted((one for one in found if one), key=lambda one: one.count("/"))
    yield from inner[:MOST_OF_KIND]


def _refs(git: str, paths: Iterable[str], read: Read) -> dict[str, str]:
    """Every reference of a repository with what it names."""
    found = dict[str, str]()
    for line in read(f"{git}packed-refs").decode(errors="replace").splitlines():
        commit, _, name = line.partition(" ")
        if _COMMIT.fullmatch(commit):
            found[name] = commit
    for path in paths:
        if path.startswith(f"{git}refs/"):
            value = read(path).decode(errors="replace").strip()
            if _COMMIT.fullmatch(value):
                found[path.removeprefix(git)] = value
    return found


def _named(refs: Mapping[str, str], kind: str) -> list[str]:
    return [name.removeprefix(kind) for name in sorted(refs) if name.startswith(kind)][:MOST_NAMES]


def _branches(refs: Mapping[str, str], head: str) -> list[str]:
    current = head.removeprefix("ref: refs/heads/")
    return sorted(_named(refs, "refs/heads/"), key=lambda one: one == current)


def _commits(refs: Mapping[str, str]) -> Iterator[str]:
    """Commits that branches end with: a tag may name something else."""
    heads = dict.fromkeys(refs[name] for name in sorted(refs) if name.startswith("refs/heads/"))
    yield from list(heads)[:MOST_NAMES]


def _tables(content: bytes) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The tables of a SQLite file and their columns; none where it is another file, or broken."""
    if not content.startswith(_SQLITE):
        return
    with suppress(ImportError):
        import sqlite3  # noqa: PLC0415  only those who have such files need it

        connection = sqlite3.connect(":memory:")
        with suppress(sqlite3.Error):
            connection.deserialize(content)
            names = connection.execute(
                "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
            ).fetchmany(MOST_NAMES)
            for (table,) in names:
                rows = connection.execute("SELECT name FROM pragma_table_info(?)", (table,))
                yield table, tuple(one for (one,) in rows.fetchmany(MOST_NAMES))
        connection.close()


def _telling_words(contents: Iterable[bytes]) -> Iterator[str]:
    """Words that stand exactly once in the most of the texts: they find and replace one thing."""
    texts = [content.decode("utf-8", "replace") for content in contents]
    words = dict.fromkeys(word for text in texts for word in _WORD.findall(text)[:MOST_WORDS])
    few = list(words)[:MOST_WORDS]
    scored = Counter(word for text in texts for word in _once(text, few))
    first = set(_once(texts[0], few)) if texts else set[str]()
    yield from sorted(scored, key=lambda one: (one not in first, -scored[one]))[:MOST_NAMES]


def _once(text: str, words: Iterable[str]) -> Iterator[str]:
    parts = Counter[str](_WORD.findall(text))
    yield from (word for word in words if parts[word] == 1 and text.count(word) == 1)


def joined(folder: str, path: str) -> str:
    """The path of something in a folder."""
    return f"{folder.rstrip('/')}/{path}" if path else folder
