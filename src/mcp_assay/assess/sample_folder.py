"""The places that calls may name: the server's work folder, and a folder of ours with samples."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from itertools import islice
from typing import Any, Final

from mcp_assay.client.sandbox.admission import is_disposable
from mcp_assay.client.sandbox.copies import write_all
from mcp_assay.client.sandbox.specification import SAMPLES, work_folders
from mcp_assay.client.target import Command, Target
from mcp_assay.scenario.folder_contents import LARGEST_DATABASE, Contents, contents_of, joined
from mcp_assay.scenario.limits import MAX_REFUSAL
from mcp_assay.scenario.path_values import KnownPlaces, is_path, samples_known
from mcp_assay.scenario.prepared_folder import prepared_files
from mcp_assay.text.call_order import Deed, deed_of
from mcp_assay.text.digests import blake2b
from mcp_assay.text.names import word_set

MOST_ENTRIES: Final = 1_000
"""So many files of a folder are looked at, ..."""
DEEPEST: Final = 4
"""... so deep in it."""
PASSED_OVER: Final = word_set("__pycache__ build dist node_modules target venv")
"""Folders that hold nothing that anybody would ask for."""
PREFIX: Final = "mcp-assay-samples-"
_DIGITS: Final = 12


@contextmanager
def known_places(target: Target, tools: list[dict[str, Any]]) -> Iterator[KnownPlaces]:
    """The places that tools may be given; samples outside of a world are removed at the end.

    The work folder is named only to tools that read, unless nothing lasts that they do.
    """
    with_paths = frozenset(one["name"] for one in tools if _takes_paths(one))
    if not isinstance(target, Command) or not with_paths:
        yield KnownPlaces(has_site=isinstance(target, Command) and is_disposable(target))
        return
    world = target.sandbox
    trusted = tools if is_disposable(target) else [one for one in tools if _reads(one)]
    work, *others = work_folders(target.command, _real_work(target)) or [""]
    with _samples(target, work) as samples:
        own = _own(target, (*others, work))
        yield KnownPlaces(
            work=work,
            others=tuple(others),
            samples=samples,
            trusted=frozenset(one["name"] for one in trusted),
            with_paths=with_paths,
            own_files=tuple(joined(folder, path) for folder, its in own for path in its.files),
            own=next((its for _, its in own if its != Contents()), Contents()),
            in_samples=_surveyed(world.prepare_from) if world and world.prepare_from else None,
            has_site=is_disposable(target),
        )


def _real_work(target: Command) -> str:
    return os.path.realpath((target.sandbox and target.sandbox.work) or os.getcwd())


def _own(target: Command, folders: Iterable[str]) -> list[tuple[str, Contents]]:
    """What lies in the folders that the server works in, as it sees them."""
    world = target.sandbox
    prepared, source = (world.prepared, world.prepare_from) if world else ((), None)
    return [
        (one, _prepared(source) if one in prepared else _surveyed(one)) for one in folders if one
    ]


def _prepared(source: str | None) -> Contents:
    return _surveyed(source) if source else samples_known()


def _surveyed(folder: str) -> Contents:
    """What lies in a folder of the user's; links lead elsewhere and are passed over."""
    return contents_of(islice(_paths_in(folder), MOST_ENTRIES), partial(_beginning, folder))


def _paths_in(folder: str, below: str = "", depth: int = 0) -> Iterator[str]:
    """The files in a folder by their names, then those in the folders there."""
    inner: list[str] = []
    with suppress(OSError), os.scandir(os.path.join(folder, below)) as entries:
        for entry in sorted(islice(entries, MOST_ENTRIES), key=lambda one: one.name):
            path = f"{below}{entry.name}"
            if entry.is_dir(follow_symlinks=False):
                inner.append(path)
            elif entry.is_file(follow_symlinks=False):
                yield path
    for path in inner if depth < DEEPEST else ():
        if _is_wanted(path):
            yield from _paths_in(folder, f"{path}/", depth + 1)


def _is_wanted(path: str) -> bool:
    """Whether what lies in a folder may be named; of a repository, only what it is about."""
    _, sign, inside = f"/{path}".rpartition("/.git")
    name = path.rpartition("/")[2]
    is_hidden = name.startswith((".", PREFIX)) or name in PASSED_OVER
    return inside in ("", "/refs") or inside.startswith("/refs/") if sign else not is_hidden


def _beginning(folder: str, path: str) -> bytes:
    with suppress(OSError), open(os.path.join(folder, path), "rb") as file:
        return file.read(LARGEST_DATABASE)
    return b""


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
    arguments = named.items() if isinstance(named, dict) else ()
    return any(is_path(name, _description(one)) for name, one in arguments)


def _description(schema: Any) -> str:
    said = schema.get("description") if isinstance(schema, dict) else None
    return said[:MAX_REFUSAL] if isinstance(said, str) else ""


def _folder_for(command: Iterable[str], work: str) -> str:
    """The same folder for the same server, so that two runs make the same calls."""
    digest = blake2b("\0".join((work, *command)).encode("utf-8", "surrogateescape")).hexdigest()
    return os.path.join(tempfile.gettempdir(), f"{PREFIX}{digest[:_DIGITS]}")


def _try_make(folder: str) -> bool:
    """Make the folder and its files; whether it is new."""
    with suppress(OSError):
        os.mkdir(folder, mode=0o700)
        write_all(prepared_files(), folder)
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
