"""How much of all answers is kept: what would take too much memory is judged, and let go."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from mcp_assay.model.call import Answer, Call, Trial
from mcp_assay.model.report import Limit

MOST: Final = 32 * 1024 * 1024
"""About so many bytes of memory may be taken by the answers that are kept."""
OF_A_MEMBER: Final = 64
"""What a member of an array or object costs at least, beside its text."""
LONGEST_STDERR: Final = 4 * 1024
"""So much of what a server wrote to standard error is kept with a call, once that is judged."""
LONGEST_SHOWN: Final = 2 * 1024
"""So much of an answer is shown to people, however long it is."""
EFFECT: Final = "these answers were judged, but not compared with others, nor searched for leaks"


class Keeping:
    """Decides for each answer whether it can be kept until all calls of its tool are judged."""

    def __init__(self) -> None:
        self._held = 0
        self._let_go = 0
        self._judged: Final[list[Trial]] = []

    def kept(self, answer: Answer, text: bytes | None) -> Answer:
        """The answer with as much of it as can be kept; `text` is what it was read from."""
        if len(answer.stderr) > LONGEST_STDERR:
            answer = replace(answer, stderr=answer.stderr[-LONGEST_STDERR:])
        cost = _cost(text or b"")
        if self._held + cost <= MOST:
            self._held += cost
            return answer
        self._let_go += 1
        return replace(answer, result=None, error=None)

    def release(self, trial: Trial) -> None:
        """Let go of the answers of all tools that are judged, where room is getting short."""
        self._judged.append(trial)
        if self._held > MOST // 2:
            for one in self._judged:
                one.calls[:] = map(_without_result, one.calls)
            self._judged.clear()
            self._held = 0

    def limits(self) -> list[Limit]:
        """The limit, where it cut something."""
        if not self._let_go:
            return []
        return [Limit(name="kept-answers", value=MOST, count=self._let_go, effect=EFFECT)]


def _cost(text: bytes) -> int:
    """About how much memory a JSON text takes once it is decoded."""
    members = text.count(b",") + text.count(b"[") + text.count(b"{")
    return len(text) + OF_A_MEMBER * members


def _without_result(call: Call) -> Call:
    return replace(call, answer=replace(call.answer, result=None))
