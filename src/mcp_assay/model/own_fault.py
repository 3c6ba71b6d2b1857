"""Faults of mcp-assay itself: where they happened, while the rest of a run goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final, TypeAlias, TypeVar

from msgspec import Struct

OnFault: TypeAlias = Callable[[str, Exception], None]
"""Hears where we ourselves went wrong, and how."""
About = TypeVar("About")
Made = TypeVar("Made")
LONGEST_WORDS: Final = 300


class OwnFault(Struct, frozen=True):
    """A fault of ours."""

    stage: str
    """The rule, probe, tool or stage in which it happened."""
    words: str
    """What happened, and in which line of which file."""

    def __str__(self) -> str:
        return f"internal error in {self.stage}: {self.words}"


def own_fault(stage: str, fault: Exception) -> OwnFault:
    """What is kept of an exception that is our fault."""
    said = f"{type(fault).__name__}: {fault}"
    return OwnFault(stage, f"{said[:LONGEST_WORDS]}{place_of(fault)}")


def place_of(fault: BaseException) -> str:
    """Where an exception was raised: function, file and line, in brackets."""
    trace = fault.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    if trace is None:
        return ""
    code = trace.tb_frame.f_code
    file = code.co_filename.replace("\\", "/").rpartition("/")[2]
    return f" ({code.co_name} in {file}, line {trace.tb_lineno})"


def surviving(
    stage: str, on_fault: OnFault | None, make: Callable[[About], Iterable[Made]], about: About
) -> Iterator[Made]:
    """What is made of something, as far as it comes; who hears of a fault lets the rest go on."""
    try:
        yield from make(about)
    except Exception as fault:
        if on_fault is None:
            raise
        on_fault(stage, fault)
