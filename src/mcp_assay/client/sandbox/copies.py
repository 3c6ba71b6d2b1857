"""Copies of small folders, which can be moved about as in no overlay, and files of ours."""

from __future__ import annotations

import os
import shutil
import stat
from base64 import b64decode
from collections.abc import Collection, Mapping
from contextlib import suppress
from typing import Any

MADE_AT = 1_768_564_800
"""When all of them were made: tools that tell times tell the same in every world."""


def is_small(folder: str, most_bytes: int, most_files: int, skipped: Collection[str] = ()) -> bool:
    """Whether a folder can be copied quickly; looked at only until that is known."""
    waiting, files, size = [folder], 0, 0
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    if entry.path in skipped:
                        continue
                    files += 1
                    about = entry.stat(follow_symlinks=False)
                    if stat.S_ISDIR(about.st_mode):
                        waiting.append(entry.path)
                    elif stat.S_ISREG(about.st_mode):
                        size += about.st_size
                    if files > most_files or size > most_bytes:
                        return False
        except OSError:
            continue  # what cannot be read is not copied
    return True


def copy_tree(source: str, target: str, skipped: Collection[str] = ()) -> None:
    """Copy all that can be read; sockets, pipes and devices stay where they are."""
    folders = [(source, target)]
    for one, other in folders:
        with suppress(OSError), os.scandir(one) as entries:
            for entry in entries:
                if entry.path not in skipped:
                    found = _copy(entry, f"{other}/{entry.name}")
                    folders += [(entry.path, found)] if found else []
    for one, other in reversed(folders):
        with suppress(OSError):
            shutil.copystat(one, other)


def _copy(entry: os.DirEntry[str], target: str) -> str | None:
    """Copy one thing; gives the new folder, where it is one."""
    with suppress(OSError):
        mode = entry.stat(follow_symlinks=False).st_mode
        if stat.S_ISDIR(mode):
            os.mkdir(target, 0o700)
            return target
        if stat.S_ISREG(mode) or stat.S_ISLNK(mode):
            shutil.copy2(entry.path, target, follow_symlinks=False)
    return None


def lay(prepared: dict[str, Any], target: str, machine: str, hidden: Collection[str]) -> None:
    """Fill a folder of a world: with copies from the user's own folder, or with files of ours.

    `machine` is where the root of the machine is. A world without these files is as good.
    """
    if prepared["source"]:
        copy_tree(machine + prepared["source"], target, {machine + one for one in hidden})
        return
    with suppress(OSError):
        write_all({path: b64decode(text) for path, text in prepared["files"].items()}, target)


def write_all(files: Mapping[str, bytes], target: str) -> None:
    """Write files into a folder that is empty, all of the same age."""
    for path, content in files.items():
        os.makedirs(os.path.dirname(f"{target}/{path}"), exist_ok=True)
        with open(f"{target}/{path}", "wb") as file:
            file.write(content)
    for folder, _, names in os.walk(target, topdown=False):
        for path in (*(f"{folder}/{name}" for name in names), folder):
            os.utime(path, (MADE_AT, MADE_AT))
