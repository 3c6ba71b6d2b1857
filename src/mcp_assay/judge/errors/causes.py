"""Exceptions that came of exceptions: a text with a chain of traces, taken apart."""

from __future__ import annotations

import re
from typing import Final

from mcp_assay.judge.errors.trace import BOX

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
