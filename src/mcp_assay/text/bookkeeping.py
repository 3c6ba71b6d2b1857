"""Files that programs keep for themselves, by one principle: nobody but the program looks there.

That is so of what can be made again (caches, indexes), of what says how the program runs (locks,
logs, its state, what it counts of its use) where programs keep that for themselves, of scratch
files in the folder for temporary ones, whose names nobody could know, and of hidden places that
were made and are still empty. What lies where a user works, and what a program stores for its user,
is none of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from mcp_assay.text.names import name_words, word_set

FOLDERS: Final = frozenset(
    [
        "__pycache__",
        ".cache",
        ".npm",
        ".yarn",
        ".pnpm-store",
        "_cacache",
        "_npx",
        "_logs",
        ".pytest_cache",
        ".mypy_cache",
        ".ruff_cache",
        ".node-gyp",
        ".v8-compile-cache",
        ".parcel-cache",
        ".turbo",
        ".gradle",
        ".nuget",
        ".bun",
        ".deno",
    ]
)
"""What lies below a folder of such a name can be made again."""
PATHS: Final = r"""(?x)
      /\.git/(?:index|gc\.pid|.*\.lock|.*/tmp_obj_\w+)$
    | /\.local/(?:share|state)/(?:uv|pnpm|fnm)(?:/|$)
    | /node_modules/\.(?:cache|package-lock\.json)
    | /Library/Caches/
    | \.(?:pyc|pyo|lck|swp)$
    | /\.~lock\.[^/]*$
    | -(?:journal|wal|shm)$
    | /\.[^/]+\.log$
    | /(?:\.[^/]+|logs?|tmp|{[a-z]+})/(?:[^/]+/)*[^/]+\.log(?:\.[\d-]+)?$
    | ^(?:/private)?/(?:var/)?tmp/[^/]*{(?:hex|random)}[^/]*(?:/|$)
    | ^(?:/private)?/(?:var/)?tmp/hsperfdata_[^/]+(?:/|$)  # a Java machine's own counters
    | /\.local/state(?:/|$)
    | /\.local(?:/share|/bin)?$ | /\.config$ | /\.local/share/[^/.]+$  # folders on the way
    | /\.(?:local|config)/(?:[^/]+/)+[^/]+\.lock$
    """
"""Indexes, locks, journals, logs where nobody but the program looks, scratch files, and the folders
that have to be there before any of it."""
OWN_FOLDERS: Final = r"/(?:\.local/share|\.config|Library/Application Support)/[^/]+/(.+)$"
"""Where a program keeps what is its own, and what it stores for its user."""
OWN_WORDS: Final = word_set(
    "analytics cache crash heartbeat history lock log metric pid run session state stat statistic "
    "telemetry temp tmp usage"
)
"""Words of folders in there of what says how the program runs."""


LOCK: Final = ".lock"
LARGEST_LOCK: Final = 32
"""A lock holds nothing, or the number of a process; what fixes versions is larger."""


def is_bookkeeping(path: str, size: int | None = None) -> bool:
    """Whether a change of this file, which is so large now, says nothing about what a tool is for.

    A size that is not known is that of no lock.
    """
    if path.endswith(LOCK) and size is not None and size <= LARGEST_LOCK:
        return True
    if not FOLDERS.isdisjoint(path.split("/")) or re.search(PATHS, path):
        return True
    own = re.search(OWN_FOLDERS, path)
    folder = own[1].rpartition("/")[0] or own[1] if own else ""
    words = (word.removesuffix("s") for word in name_words(folder))
    return not OWN_WORDS.isdisjoint(words)


def is_hidden_place(path: str, folders: Iterable[str], named: str) -> bool:
    """Whether a path is hidden from who looks into these folders, and nobody has named it.

    An empty folder or file there holds nothing and shows nothing: it only makes room.
    """
    above = max((one for one in folders if path.startswith(f"{one}/")), key=len, default="")
    steps = path[len(above) :].strip("/").split("/")
    hidden = next((at for at, step in enumerate(steps) if step.startswith(".")), len(steps))
    return hidden < len(steps) and not any(step in named for step in steps[hidden:])
