"""What a server wrote to its standard error during a call: traces and errors, and their gist."""

from __future__ import annotations

import re
from typing import Final

from mcp_assay.judge.errors.traces import TRACE, causes
from mcp_assay.model.call import Raised

MOST_READ: Final = 40_000
SHORTEST_MESSAGE: Final = 4
ALARMS: Final = (
    "error", "exception", "fatal", "panic", "traceback", "caused by", "failed", "not found",
    "denied", "refused", "timed out", "unable to", "could not", "cannot",
)  # fmt: skip
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
_PACKAGE: Final = re.compile(
    r"[/\\](?:site-packages|dist-packages|node_modules)[/\\]"
    r"(?P<package>@[^/\\]{1,200}[/\\][^/\\]{1,200}|[^/\\]{1,200})"
)
_OF_LANGUAGE: Final = re.compile(
    r"^<|^node:|[/\\]lib[/\\]python\d[.\d]{0,8}[/\\]|[/\\](?:bin|Scripts)[/\\][^/\\]{1,200}$"
)
"""Files of the language, and the programs by which installed packages are started."""
_PLUMBING: Final = frozenset(
    [
        *("", "mcp", "fastmcp", "anyio", "starlette", "uvicorn", "pydantic", "pydantic_core"),
        *("@modelcontextprotocol/sdk", "@modelcontextprotocol/server", "zod"),
    ]
)
"""Packages whose frames stand above those of a tool: what servers are built with."""
_SIGNATURE: Final = re.compile(
    r"^(?:[\w.]{0,200}(?:Error|Exception|Exit|Interrupt)\b|panic:|thread ')"
)
"""How the line begins that names what was raised."""
OUTSIDE: Final = "."
"""Stands for the package of a file that belongs to none: the author's own."""
_PASSING: Final = re.compile(r"0x[0-9a-fA-F]{4,32}")
"""What differs from run to run: the addresses of objects."""
_DATE_AHEAD: Final = re.compile(
    r"^[\[(]?\d{2,4}[-/]\d{2}[-/]\d{2,4}[ T]?[\d:.,]{0,40}(?:Z|[+-]\d\d:?\d\d)?[\])]?\s{0,40}"
)


def raised_in(stderr: str) -> Raised | None:
    """The exception that began the last chain and the author's frame in it; else the last line."""
    words = last_words(stderr)
    if not words.strip():
        last = _last_line(stderr)
        return Raised(last) if last else None
    innermost = causes(words)[-1] if TRACE in words else words
    what = _what(innermost) or _last_line(innermost)
    return Raised(what, _place(innermost) or "") if what else None


def _what(text: str) -> str | None:
    lines = [_undated(line) for line in text.splitlines()]
    named = [line for line in lines if _SIGNATURE.match(line)]
    return _clean(named[0] if _INNERMOST_FIRST.search(text) else named[-1]) if named else None


def _place(text: str) -> str | None:
    """The author's innermost frame, its file without the folders of the machine."""
    for form in _FRAMES:
        if found := list(form.finditer(text)):
            outermost_first = found[::-1] if form is _INNERMOST_FIRST else found
            frame = _of_author(outermost_first)
            file = re.split(r"[/\\]", frame["file"])[-1]
            return f"{file}:{frame['line']} in {frame['name']}{_whose(frame['file'])}"
    return None


def _whose(file: str) -> str:
    """Whose a file is that the author did not write; a trace may hide the author's frames."""
    package = _package(file)
    if package not in _PLUMBING or file.startswith("<"):
        return ""
    language = "Node.js" if file.startswith("node:") else "Python"
    return f", part of {package or language}"


def _of_author(frames: list[re.Match[str]]) -> re.Match[str]:
    """The innermost frame outside all packages; else of the first that no server is built with.

    A server that is installed stands among packages itself.
    """
    packages = [_package(frame["file"]) for frame in frames]
    installed = (one for one in packages if one not in _PLUMBING)
    own = OUTSIDE if OUTSIDE in packages else next(installed, None)
    return next(
        (frame for frame, one in zip(frames[::-1], packages[::-1], strict=True) if one == own),
        frames[-1],
    )


def _package(file: str) -> str:
    """The package of a file; "" for those of the language."""
    if found := _PACKAGE.search(file):
        return found["package"].replace("\\", "/")
    return "" if _OF_LANGUAGE.search(file) else OUTSIDE


def _last_line(text: str) -> str | None:
    lines = [line for line in text.splitlines() if line.strip(" \t│╭╰─╮╯")]
    return _clean(_undated(lines[-1])) if lines else None


def _undated(line: str) -> str:
    return _DATE_AHEAD.sub("", line.strip())


def _clean(line: str) -> str | None:
    line = _PASSING.sub("0x…", line.strip())
    return (line if len(line) <= LONGEST else line[: LONGEST - 1] + "…") or None
