"""Copies of small folders: what is in them can be moved about, which an overlay cannot do."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Collection
from contextlib import suppress


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
