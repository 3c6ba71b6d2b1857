"""What a server wrote to its standard error during a call: traces and errors, and their gist."""

from __future__ import annotations

import re
from typing import Final

from mcp_assay.judge.errors.traces import TRACE, causes

MOST_READ: Final = 40_000
SHORTEST_MESSAGE: Final = 4
ALARMS: Final = ("error", "exception", "fatal", "panic", "traceback", "caused by")
CHATTER: Final = ("warn", "info", "debug", "notice", "trace", "[warn", "[info", "[debug", "[notice")
"""How lines begin, once a date is taken away, that belong to no failure."""
_DATE: Final = "0123456789-:.,/ TZ+[]"


def last_words(stderr: str) -> str:
    """The last trace on, or else the lines that report an error."""
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


LONGEST: Final = 300
_FILE: Final = r"(?P<file>[^\"\n│()]{1,400})"
_LINE: Final = r"(?P<line>\d{1,9})"
_FRAMES: Final = tuple(
    re.compile(form, re.MULTILINE)
    for form in (
        rf'^\s{{0,40}}File "{_FILE}", line {_LINE}, in (?P<name>\S{{1,200}})',
        rf"^\s{{0,40}}│ {_FILE}:{_LINE} in (?P<name>\S{{1,200}})",
        rf"^\s{{0,40}}at (?P<name>[^\s(]{{1,200}}) \({_FILE}:{_LINE}:\d{{1,9}}\)",
    )
)
"""The frames of Python, of Python as rich draws it, and of JavaScript."""
_INNERMOST_FIRST: Final = _FRAMES[2]
_SIGNATURE: Final = re.compile(
    r"^(?:[\w.]{0,200}(?:Error|Exception|Exit|Interrupt)\b|panic:|thread ')"
)
"""How the line begins that names what was raised."""
_PASSING: Final = re.compile(r"0x[0-9a-fA-F]{4,32}")
"""What differs from run to run: the addresses of objects."""
_DATE_AHEAD: Final = re.compile(
    r"^[\[(]?\d{2,4}[-/]\d{2}[-/]\d{2,4}[ T]?[\d:.,]{0,40}(?:Z|[+-]\d\d:?\d\d)?[\])]?\s{0,40}"
)


def gist(stderr: str) -> str | None:
    """The exception that ends the last trace and the frame that raised it; else the last line."""
    words = last_words(stderr)
    if not words.strip():
        return _last_line(stderr)
    innermost = causes(words)[-1] if TRACE in words else words
    raised = _raised(innermost) or _last_line(innermost)
    place = _place(innermost)
    return f"{raised} ({place})" if raised and place else raised


def _raised(text: str) -> str | None:
    lines = [_undated(line) for line in text.splitlines()]
    named = [line for line in lines if _SIGNATURE.match(line)]
    return _clean(named[0] if _INNERMOST_FIRST.search(text) else named[-1]) if named else None


def _place(text: str) -> str | None:
    """The innermost frame, its file without the folders of the machine."""
    for form in _FRAMES:
        if found := list(form.finditer(text)):
            frame = found[0 if form is _INNERMOST_FIRST else -1]
            file = re.split(r"[/\\]", frame["file"])[-1]
            return f"{file}:{frame['line']} in {frame['name']}"
    return None


def _last_line(text: str) -> str | None:
    lines = [line for line in text.splitlines() if line.strip(" \t│╭╰─╮╯")]
    return _clean(_undated(lines[-1])) if lines else None


def _undated(line: str) -> str:
    return _DATE_AHEAD.sub("", line.strip())


def _clean(line: str) -> str | None:
    line = _PASSING.sub("0x…", line.strip())
    return (line if len(line) <= LONGEST else line[: LONGEST - 1] + "…") or None
