"""A world in which only some places may be changed, as under a sandbox that grants no others."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress

from mcp_assay.client.sandbox import kernel
from mcp_assay.client.sandbox.layout import OWN, mount_points


def close_files(least: Mapping[str, Sequence[str]], hidden: Iterable[str]) -> None:
    """Let nothing be changed but these places, and what stands in place of secret ones.

    Each is a mount of its own, as it would be there: files cannot be moved from one to another.
    """
    _make(least)
    opened = [path for path in least["open"] if os.path.lexists(path)]
    for path in opened:
        kernel.bind_all(path, path)
    kept = (*OWN, *hidden, *opened)
    for place in dict.fromkeys(mount_points()):
        if place not in least["temporary"] and not any(
            place == one or place.startswith(f"{one.rstrip('/')}/") for one in kept
        ):
            kernel.keep_from_change(place)


def _make(least: Mapping[str, Sequence[str]]) -> None:
    """Make what was not there before, as the user of such a sandbox is told to."""
    for path in least["new_folders"]:
        with suppress(OSError):
            os.makedirs(path, exist_ok=True)
    for path in least["new_files"]:
        with suppress(OSError), open(path, "ab"):
            pass
