"""Who is who: what a server is known by from run to run."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from hashlib import sha256
from typing import Literal, TypeAlias
from urllib.parse import urlsplit

from msgspec import Struct
from msgspec.json import encode

from mcp_assay.client.project_config import ROOT_MARKS
from mcp_assay.client.target_secrets import shown_url, shown_words
from mcp_assay.model.report import ReportSubject
from mcp_assay.text.safe import plain, shorten

IdentityKind: TypeAlias = Literal["name", "url", "command", "files"]
LONGEST_NAME = 200
LONGEST_KEY = 1_000
"""Bytes of a key; the index of a PostgreSQL takes no more than 2,700."""
STDIN = "standard input"


class ServerDetails(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is shown of a server besides its name; no secret is in it."""

    command: list[str] | None = None
    url: str | None = None
    files: list[str] | None = None
    root: str | None = None
    """The root of the project, where a command or files mean something only there."""


class Identity(Struct, frozen=True, kw_only=True):
    """A server: the key that all its runs share, and how it is called at first."""

    kind: IdentityKind
    key: str
    name: str
    about: ServerDetails


def identity_of(subject: ReportSubject, name: str | None = None, root: str = "") -> Identity:
    """The server of a report: by a name that it was given, else its URL, else its command."""
    command = shown_words(subject.command) if subject.command else None
    url = bare_url(subject.url) if subject.url else None
    about = ServerDetails(command=command, url=url, root=root if command and not name else None)
    if name is not None:
        return named(name, about)
    if url is not None:
        return Identity(kind="url", key=key_of("url", plain(url)), name=_short(url), about=about)
    words = command or ["an unnamed server"]
    key = key_of("command", _listed([root, *words]))
    first = os.path.basename(words[0]) or words[0]
    called = shlex.join([first, *words[1:]])
    return Identity(kind="command", key=key, name=_short(called), about=about)


def named(name: str, about: ServerDetails | None = None) -> Identity:
    """The server with a name that somebody gave it."""
    its = about or ServerDetails()
    return Identity(kind="name", key=key_of("name", plain(name)), name=_short(name), about=its)


def files_identity(files: Sequence[str], root: str) -> Identity:
    """What is behind a set of files, in whatever order they are named."""
    paths = sorted({STDIN if file == "-" else _within(file, root) for file in files})
    called = ", ".join(paths)
    about = ServerDetails(files=[plain(path) for path in paths], root=root)
    key = key_of("files", _listed([root, *paths]))
    return Identity(kind="files", key=key, name=_short(called), about=about)


def bare_url(url: str) -> str:
    """A URL without its query, its fragment and the user in it."""
    try:
        parts = urlsplit(shown_url(url))
        return parts._replace(
            netloc=parts.netloc.rpartition("@")[2], query="", fragment=""
        ).geturl()
    except ValueError:
        return "a broken URL"


def project_root(start: str = ".") -> str:
    """The nearest folder upwards with a repository, else the folder itself."""
    here = folder = os.path.abspath(start)
    while True:
        if any(os.path.exists(os.path.join(folder, mark)) for mark in ROOT_MARKS):
            return folder
        above = os.path.dirname(folder)
        if above == folder:
            return here
        folder = above


def _within(file: str, root: str) -> str:
    if "://" in file:
        return bare_url(file)
    path = os.path.abspath(file)
    return os.path.relpath(path, root) if path.startswith(root.rstrip(os.sep) + os.sep) else path


def key_of(kind: IdentityKind, text: str) -> str:
    """What a server is known by; of a text that is too long for an index, its hash."""
    key = f"{kind}:{text}"
    is_long = len(key.encode()) > LONGEST_KEY
    return f"{kind}:sha256:{sha256(key.encode()).hexdigest()}" if is_long else key


def _listed(words: Sequence[str]) -> str:
    return encode([plain(word) for word in words]).decode()


def _short(text: str) -> str:
    return shorten(plain(text), LONGEST_NAME)
