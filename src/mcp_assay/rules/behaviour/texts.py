"""The words of a result, and the marks of stack traces in them."""

from __future__ import annotations

from typing import Any, Final

TRACES: Final = (
    "Traceback (most recent call last)",
    "\n    at ",
    "\n\tat ",
    "goroutine 1 [running]",
    "stack backtrace:",
    "Stack trace:\n#0 ",
)


def texts_of(result: Any) -> list[str]:
    """The texts of the blocks of a result, in order."""
    content = result.get("content") if isinstance(result, dict) else None
    items = content if isinstance(content, list) else ()
    return [
        item["text"]
        for item in items
        if isinstance(item, dict) and isinstance(item.get("text"), str)
    ]
