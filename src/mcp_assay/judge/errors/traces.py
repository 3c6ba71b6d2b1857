"""Stack traces inside a text: their frames, and the exceptions of a chain, taken apart."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Final

FRAME_STARTS: Final = ("at ", 'File "', "from ", "goroutine ", "--> ", "... ", "Stack trace:")
"""How a frame begins, once its indentation is taken away; "from " only in Ruby's form."""
FRAME_PARTS: Final = (".rb:", ".go:", ".rs:", ".php:", ".php(", ".exs:", ".ex:")
"""What a frame of other languages holds: a source file and the beginning of a line number."""
BOX: Final = "│"
BOX_POINTER: Final = "❱"
"""How rich draws a trace, and how it points at the line that failed."""
DELIBERATE: Final = ("raise ", "throw ")
PYTHON_FRAME: Final = 'File "'
_CARETS: Final = frozenset("^~ ")


class Trace:
    """The lines of a text that are frames of a stack trace."""

    def __init__(self, text: str) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []
        self.is_deliberate = False
        """Whether the innermost frame shows a statement that raises on purpose."""
        shows_code = False
        for start, line in _lines(text):
            shows_code = self._take(start, line, line.strip(), shows_code)

    def __bool__(self) -> bool:
        return bool(self._starts)

    @property
    def end(self) -> int:
        """Where the last frame ends."""
        return self._ends[-1]

    def holds(self, place: int) -> bool:
        """Whether this place of the text lies in a frame."""
        index = bisect_right(self._starts, place) - 1
        return index >= 0 and place < self._ends[index]

    def _take(self, start: int, line: str, bare: str, shows_code: bool) -> bool:
        """Note a line if it is a frame; whether the next one shows the code of this frame."""
        if shows_code and line.startswith("    ") and not bare.startswith(PYTHON_FRAME):
            if not _CARETS.issuperset(bare):
                self.is_deliberate = bare.startswith(DELIBERATE)
            self._note(start, line)
            return True
        if bare.startswith(BOX):
            self._note(start, line)
            if BOX_POINTER in bare:
                self.is_deliberate = any(word in bare for word in DELIBERATE)
        elif is_frame(line, bare):
            self._note(start, line)
            return bare.startswith(PYTHON_FRAME)
        return False

    def _note(self, start: int, line: str) -> None:
        self._starts.append(start)
        self._ends.append(start + len(line))


def is_frame(line: str, bare: str) -> bool:
    """Whether a line is a frame of a stack trace in one of the forms that languages give it."""
    if bare.startswith("from "):
        return ".rb:" in bare
    if bare.startswith(FRAME_STARTS):
        return line[:1].isspace() or not bare.startswith("at ")
    if bare.startswith("#") and bare[1:2].isdecimal():
        return True
    names_a_file = any(part in bare for part in FRAME_PARTS)
    return names_a_file and (line[:1].isspace() or ":in " in bare)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    start = 0
    for line in text.splitlines(keepends=True):
        yield start, line
        start += len(line)


TRACE: Final = "Traceback (most recent call last"
_CHAIN: Final = re.compile(
    r"The above exception was the direct cause of the following exception:"
    r"|During handling of the above exception, another exception occurred:"
)
_BOXES: Final = (BOX, "╭", "╰")
_MARGIN: Final = " " * 12
"""Loggers that draw boxes indent so far, and break lines where the terminal ends."""


def causes(text: str) -> list[str]:
    """The exceptions of the last chain in a text, each with its trace, the outermost first."""
    if TRACE not in text:
        return [text]
    *earlier, last = _CHAIN.split(_unbroken(text))
    found = [last[max(last.find(TRACE), 0) :]] if earlier else [last]
    for part in reversed(earlier):
        found.append(part[max(part.rfind(TRACE), 0) :])
        if part.count(TRACE) > 1:
            break
    return found


def _unbroken(text: str) -> str:
    """The text without the line breaks that a logger put into its sentences."""
    if BOX not in text:
        return text
    lines: list[str] = []
    for line in text.splitlines():
        bare = line.strip()
        follows = lines and lines[-1] and not lines[-1].startswith(_BOXES)
        if line.startswith(_MARGIN) and follows and not bare.startswith(_BOXES):
            lines[-1] = f"{lines[-1]} {bare}" if bare else lines[-1] + "\n"
        else:
            lines.append(bare)
    return "\n".join(lines)
