"""What a server wrote to its standard error during a call."""

from __future__ import annotations

from typing import Final

MOST_READ: Final = 40_000
SHORTEST_MESSAGE: Final = 4


def last_words(stderr: str) -> str:
    """The end of what was written, without warnings, which belong to no call."""
    lines = stderr[-MOST_READ:].encode("utf-8", "replace").decode().splitlines(keepends=True)
    return "".join(line for line in lines if "warn" not in line.lower())


def message_of(trace: str) -> str:
    """What the exception at the end of a trace says; "" where there is nothing to compare."""
    lines = [line for line in trace.splitlines() if line.strip() and not line[:1].isspace()]
    message = lines[-1].partition(": ")[2].strip() if lines else ""
    return message if len(message) >= SHORTEST_MESSAGE else ""
