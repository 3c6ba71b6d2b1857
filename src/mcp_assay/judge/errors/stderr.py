"""What a server wrote to its standard error during a call: traces and errors, not its chatter."""

from __future__ import annotations

from typing import Final

from mcp_assay.judge.errors.causes import TRACE

MOST_READ: Final = 40_000
SHORTEST_MESSAGE: Final = 4
ALARMS: Final = ("error", "exception", "fatal", "panic", "traceback", "caused by")
CHATTER: Final = ("warn", "info", "debug", "notice", "trace", "[warn", "[info", "[debug", "[notice")
"""How lines begin, once a date is taken away, that belong to no failure."""
_DATE: Final = "0123456789-:.,/ TZ+[]"


def last_words(stderr: str) -> str:
    """The last trace on, or else the lines that tell of an error."""
    tail = stderr[-MOST_READ:].encode("utf-8", "replace").decode()
    start = tail.find(TRACE)
    if start >= 0:
        return tail[start:]
    return "".join(line for line in tail.splitlines(keepends=True) if _is_alarm(line))


def message_of(trace: str) -> str:
    """What the exception at the end of a trace says; "" where there is nothing to compare."""
    lines = [line for line in trace.splitlines() if line.strip() and not line[:1].isspace()]
    message = lines[-1].partition(": ")[2].strip() if lines else ""
    return message if len(message) >= SHORTEST_MESSAGE else ""


def _is_alarm(line: str) -> bool:
    bare = line.lstrip(_DATE).lower()
    if bare.startswith(CHATTER) and not bare.startswith("traceback"):
        return False
    return line[:1].isspace() or any(word in bare for word in ALARMS)
