"""The judge of a conversation by the profile of the envelope: it hears tools' responses alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from mcp_assay.model.finding import Finding
from mcp_assay.model.message import Direction
from mcp_assay.rules.engine import NOTE_RULES
from mcp_assay.rules.envelope.answers import ToolCalls, ToolResponse, is_jsonrpc
from mcp_assay.rules.envelope.judging import judge_response, judge_text
from mcp_assay.rules.lanes import NOTHING, Refused
from mcp_assay.rules.reach import Ledger
from mcp_assay.session.line import NO_LINE, Line
from mcp_assay.spec.revisions import DEFAULT_REVISION
from mcp_assay.wire.markers import UNREAD
from mcp_assay.wire.reading import Reading, read

TEXT_RULES: Final = frozenset({*NOTE_RULES.values(), "LIMIT-003"})
"""The rules about the text of a response, whatever it says."""
DUPLICATES: Final = frozenset({NOTE_RULES["duplicate"]})


class ResponseLanes:
    """One conversation, or one file of responses.

    It stands where `Lanes` stands, but lets nothing pass unread: there is no fast way to be right.
    """

    revision: Final = DEFAULT_REVISION

    def __init__(self, ledger: Ledger, *, duplicates: bool = True) -> None:
        self._decided: Final = ledger.session_rules
        self._duplicates: Final = duplicates
        self._text_rules: Final = TEXT_RULES if duplicates else TEXT_RULES - DUPLICATES
        self._calls: Final = ToolCalls()

    def check(
        self,
        raw: bytes,
        direction: Direction | None = None,
        place: int = 0,
        line: Line = NO_LINE,
    ) -> Sequence[Finding]:
        """Everything there is to say about a response, or about those in a message."""
        reading = read(raw, duplicates=self._duplicates)
        responses = self._responses(reading, direction)
        if reading.readable and not responses:
            return NOTHING
        findings = judge_text(reading, [response.path for response in responses])
        self._decided.update(self._text_rules)
        for response in responses:
            judged = judge_response(response.value, reading, response.path, response.tool)
            self._decided.update(judged.decided)
            findings += judged.findings
        return findings

    def _responses(self, reading: Reading, direction: Direction | None) -> list[ToolResponse]:
        if is_jsonrpc(reading.value):
            return list(self._calls.responses(reading.value, direction))
        return [ToolResponse(reading.value, ())] if reading.readable else []

    def passes(self, value: object, direction: Direction | None, place: int, size: int) -> bool:
        """Whether nothing is to be said: that only `explain` finds out."""
        return False

    def refused(self, messages: Iterable[tuple[bytes, Direction | None, int]]) -> Iterator[Refused]:
        """The messages of a stream, as they come; give each to `explain`."""
        for raw, direction, place in messages:
            yield Refused(raw, direction, UNREAD, place)

    def explain(self, refused: Refused) -> Sequence[Finding]:
        """Everything there is to say about a message that was not passed."""
        return self.check(refused.raw, refused.direction, refused.place)

    def hear(self, direction: Direction, place: int = 0, line: Line = NO_LINE) -> Sequence[Finding]:
        """What there is to say about a line without a message: nothing."""
        return NOTHING

    def close(self) -> list[tuple[int, Finding]]:
        """What is left to say at the end: nothing."""
        return []
