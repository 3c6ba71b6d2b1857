"""Files that programs keep for themselves: caches, indexes, locks, logs."""

from __future__ import annotations

import re
from typing import Final

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
    | /(?:\.[^/]+|logs?|tmp|{[a-z]+})/(?:[^/]+/)*[^/]+\.log$
    """
"""Indexes, locks, journals of databases, and logs where nobody but the program looks."""


def is_bookkeeping(path: str) -> bool:
    """Whether a change of this file says nothing about what a tool is for."""
    return not FOLDERS.isdisjoint(path.split("/")) or re.search(PATHS, path) is not None
