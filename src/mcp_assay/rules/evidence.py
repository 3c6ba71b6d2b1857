"""A small, redacted glimpse of the value that a finding is about."""

from __future__ import annotations

from typing import Any, Final

from mcp_assay.rules.words import REDACTED, json_type, quote
from mcp_assay.spec.secrets import names_secret
from mcp_assay.wire.pointer import Path, resolve

WORDS: Final = {None: "null", True: "true", False: "false"}
_NOTHING: Final = object()
_LARGEST_SHOWN: Final = 10**20
_SECRET_TYPES: Final = (str, int, float)


def evidence(value: object, path: Path) -> str | None:
    """What stands at the path, None where nothing does."""
    seen = resolve(value, path, _NOTHING) if path else _NOTHING
    if seen is _NOTHING:
        return None
    if type(seen) in _SECRET_TYPES:
        for step in path:
            if isinstance(step, str) and names_secret(step):
                return REDACTED
    return glimpse(seen)


def glimpse(seen: Any) -> str:
    """The value itself where it is small, what kind of value it is where not."""
    if isinstance(seen, str):
        return quote(seen)
    if isinstance(seen, dict):
        return f"an object of {len(seen)} members"
    if isinstance(seen, list):
        return f"an array of {len(seen)} items"
    if isinstance(seen, int | float) and abs(seen) > _LARGEST_SHOWN:
        return "a very large number"
    if json_type(seen) == "unreadable":
        return "not read"
    return WORDS[seen] if seen is None or isinstance(seen, bool) else str(seen)
