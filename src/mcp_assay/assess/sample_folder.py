"""The places that calls may name: the server's work folder, and a folder of ours with samples."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from typing import Any, Final

from mcp_assay.client.sandbox.admission import is_disposable
from mcp_assay.client.sandbox.specification import SAMPLES
from mcp_assay.client.target import Command, Target
from mcp_assay.scenario.path_values import KnownPlaces, is_path, sample_files
from mcp_assay.text.call_order import Deed, deed_of
from mcp_assay.text.digests import blake2b

MOST_OWN_FILES: Final = 3
MOST_ENTRIES: Final = 1_000
PREFIX: Final = "mcp-assay-samples-"
_DIGITS: Final = 12


@contextmanager
def known_places(target: Target, tools: list[dict[str, Any]]) -> Iterator[KnownPlaces]:
    """The places that tools may be given; samples outside of a world are removed at the end.

    The work folder is named only to tools that read, unless nothing lasts that they do.
    """
    if not isinstance(target, Command) or not any(map(_takes_paths, tools)):
        yield KnownPlaces()
        return
    trusted = tools if is_disposable(target) else [one for one in tools if _reads(one)]
    work = os.path.realpath((target.sandbox and target.sandbox.work) or os.getcwd())
    with _samples(target, work) as samples:
        names = frozenset(one["name"] for one in trusted)
        own = tuple(_own_files(work))
        yield KnownPlaces(work=work, samples=samples, trusted=names, own_files=own)


def _own_files(work: str) -> Iterator[str]:
    """A few files that lie in the work folder, in the order of their names."""
    with suppress(OSError), os.scandir(work) as entries:
        found = islice(entries, MOST_ENTRIES)
        plain = (one.name for one in found if one.is_file(follow_symlinks=False))
        names = sorted(name for name in plain if not name.startswith(".") and "." in name)
        yield from (os.path.join(work, name) for name in names[:MOST_OWN_FILES])


@contextmanager
def _samples(target: Command, work: str) -> Iterator[str]:
    """The folder with the samples; "" where it could not be made."""
    if target.sandbox is not None:
        yield SAMPLES
        return
    folder = _folder_for(target.command, work)
    is_made = _try_make(folder)
    try:
        yield folder if is_made or _is_ours(folder) else ""
    finally:
        if is_made:
            shutil.rmtree(folder, ignore_errors=True)


def _reads(tool: dict[str, Any]) -> bool:
    return deed_of(tool) is Deed.READS


def _takes_paths(tool: dict[str, Any]) -> bool:
    schema = tool.get("inputSchema")
    named = schema.get("properties") if isinstance(schema, dict) else None
    return any(is_path(name, "") for name in (named if isinstance(named, dict) else ()))


def _folder_for(command: Iterable[str], work: str) -> str:
    """The same folder for the same server, so that two runs make the same calls."""
    digest = blake2b("\0".join((work, *command)).encode("utf-8", "surrogateescape")).hexdigest()
    return os.path.join(tempfile.gettempdir(), f"{PREFIX}{digest[:_DIGITS]}")


def _try_make(folder: str) -> bool:
    """Make the folder and its files; whether it is new."""
    with suppress(OSError):
        os.mkdir(folder, mode=0o700)
        for name, text in sample_files().items():
            with open(os.path.join(folder, name), "x", encoding="utf-8") as file:
                file.write(text)
        return True
    return False


def _is_ours(folder: str) -> bool:
    """Whether a folder that is there already is that of another run by this user."""
    try:
        found = os.lstat(folder)
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == _user()


def _user() -> int:
    return os.getuid() if hasattr(os, "getuid") else 0
