"""Findings as they are made -> counted, placed where anybody will see it, and told at once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final, TypeAlias

from mcp_assay.intake.conversations import Followed
from mcp_assay.intake.faults import OUR_FAULT, InputRule, input_finding
from mcp_assay.intake.numbering import Numbering
from mcp_assay.intake.places import TextPlace, placed
from mcp_assay.model.finding import Finding
from mcp_assay.report.tally import Tally
from mcp_assay.rules.sessions.stdio import each_cause_once, untold

Tell: TypeAlias = Callable[[Finding], object]
"""Told each finding that is kept as soon as it is made."""
Place: TypeAlias = Callable[[], TextPlace]
"""Finds out where a text stands, for those findings that are worth it."""


class Keeper:
    """Keeps the findings of a run that are wanted."""

    def __init__(self, tally: Tally, wanted: Collection[str], tell: Tell | None) -> None:
        self.tally: Final = tally
        self.numbering: Final = Numbering()
        self.is_live = False
        """Whether every finding is looked at, also when there are too many to keep."""
        self.own_faults = 0
        self.unsaid: Final[dict[str, str]] = {}
        """Rules that a line broke too, by which its fault is not told; and the rule that tells."""
        self._wanted: Final = wanted
        self._tell: Final = tell

    def each_once(self, found: Sequence[Finding], text: bytes) -> Sequence[Finding]:
        """What is wanted of the findings on a line, without what tells of the same fault twice."""
        wanted = [finding for finding in found if finding.rule in self._wanted]
        kept = each_cause_once(wanted, text) or wanted
        self.note_unsaid(untold(wanted, kept))
        return kept

    def note_unsaid(self, unsaid: Mapping[str, str]) -> None:
        """Note what is not told, and the rule that tells: of several the first by its name.

        So it does not matter in which order, or in which share of a run, lines are judged.
        """
        for rule, telling in unsaid.items():
            self.unsaid[rule] = min(telling, self.unsaid.get(rule, telling))

    def keep(
        self,
        found: Sequence[Finding],
        followed: Followed | None,
        number: int,
        text: bytes = b"",
        place: Place | None = None,
    ) -> list[Finding]:
        """Count findings about a line, and about `text` at a place; those that are wanted."""
        wanted = [finding for finding in found if finding.rule in self._wanted]
        if wanted and place and (self.is_live or self.tally.needs(wanted, number)):
            wanted = placed(wanted, text, place())
        for finding in wanted:
            is_new = followed is not None and followed.count.add(finding)
            is_kept = self.tally.add(finding, number, new_to_session=is_new)
            if is_kept and self._tell:
                self._tell(finding)
        return wanted

    def keep_about_input(self, rule: InputRule, words: str) -> None:
        """Count a finding about the input, at the place up to which it was read."""
        number = self.numbering.next()
        self.keep([input_finding(rule, words, self.numbering.where(number))], None, number)

    def apologize(self, fault: Exception, followed: Followed, number: int) -> list[Finding]:
        """Say that a line could not be judged by a fault of ours."""
        self.own_faults += 1
        words = f"mcp-assay failed on this message: {type(fault).__name__}: {fault}."
        where = self.numbering.where(number, followed.name)
        return self.keep([input_finding(OUR_FAULT, words, where)], followed, number)

    def line(self, number: int) -> TextPlace:
        """The place of the line that has the number."""
        where = self.numbering.where(number)
        return TextPlace(file=where.file or "", line=where.line or 1)
