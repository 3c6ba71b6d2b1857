"""The difference of two texts in the unified format, in bounded time, as `git apply` takes it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

CONTEXT = 3
MOST_PAIRS = 40_000
"""So many pairs of lines are compared; of larger differences the whole middle is replaced."""
UNENDED = "\n\\ No newline at end of file\n"

Block = tuple[int, int, int, int]
"""Lines of the old text from and to, and those of the new text that take their place."""


def is_text(content: bytes) -> bool:
    """Whether a person could read it: UTF-8 without zero bytes."""
    if b"\x00" in content:
        return False
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True


def unified(old: str, new: str) -> str:
    """The hunks that make the new text of the old one; empty where both are the same."""
    before, after = _lines(old), _lines(new)
    blocks = list(_blocks(before, after))
    return "".join(line for hunk in _hunks(blocks) for line in _hunk(hunk, before, after))


def _lines(text: str) -> list[str]:
    """The lines with their ends: only a line feed ends one."""
    lines = text.split("\n")
    ended = [f"{line}\n" for line in lines[:-1]]
    return [*ended, lines[-1]] if lines[-1] else ended


def _blocks(before: Sequence[str], after: Sequence[str]) -> Iterator[Block]:
    """What is replaced by what; equal beginnings and ends are found first, which costs little."""
    start, shorter = 0, min(len(before), len(after))
    while start < shorter and before[start] == after[start]:
        start += 1
    end = 0
    while end < shorter - start and before[-1 - end] == after[-1 - end]:
        end += 1
    old, new = before[start : len(before) - end], after[start : len(after) - end]
    if not old and not new:
        return
    if len(old) * len(new) > MOST_PAIRS:
        yield start, start + len(old), start, start + len(new)
        return
    for tag, *numbers in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            first, last, begin, stop = (start + number for number in numbers)
            yield first, last, begin, stop


def _hunks(blocks: Sequence[Block]) -> Iterator[list[Block]]:
    """Blocks that share their context, together."""
    hunk: list[Block] = []
    for block in blocks:
        if hunk and block[0] - hunk[-1][1] > 2 * CONTEXT:
            yield hunk
            hunk = []
        hunk.append(block)
    if hunk:
        yield hunk


def _hunk(hunk: Sequence[Block], before: Sequence[str], after: Sequence[str]) -> Iterator[str]:
    first = max(0, hunk[0][0] - CONTEXT)
    last = min(len(before), hunk[-1][1] + CONTEXT)
    begin = hunk[0][2] - (hunk[0][0] - first)
    stop = hunk[-1][3] + (last - hunk[-1][1])
    yield f"@@ -{_range(first, last)} +{_range(begin, stop)} @@\n"
    at = first
    for old, old_end, new, new_end in hunk:
        yield from _marked(" ", before[at:old])
        yield from _marked("-", before[old:old_end])
        yield from _marked("+", after[new:new_end])
        at = old_end
    yield from _marked(" ", before[at:last])


def _range(first: int, last: int) -> str:
    """Where lines are, counted from one; an empty range names the line before it."""
    length = last - first
    return f"{first + 1 if length else first},{length}"


def _marked(sign: str, lines: Sequence[str]) -> Iterator[str]:
    for line in lines:
        yield f"{sign}{line}" if line.endswith("\n") else f"{sign}{line}{UNENDED}"
