"""Messages in, findings kept: each is judged by the lanes of its conversation."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Any, Final

from mcp_assay.intake.bare_runs import BareRun, Messages
from mcp_assay.intake.conversations import Conversations, Followed, Listener
from mcp_assay.intake.keeping import Keeper, Place, Tell
from mcp_assay.intake.late_worker import LateWorker
from mcp_assay.intake.options import Options
from mcp_assay.intake.packed import Damaged
from mcp_assay.intake.plain_lines import names_twice
from mcp_assay.intake.shares import Share
from mcp_assay.intake.trace import Entry
from mcp_assay.model.finding import Finding
from mcp_assay.model.message import Direction
from mcp_assay.model.report import Limit
from mcp_assay.report.tally import Tally
from mcp_assay.rules.lanes import Lanes, Refused
from mcp_assay.rules.reach import Ledger
from mcp_assay.session.ids import MOST_UNORDERED


class Judge:
    """Judges messages in their conversations; a fault of ours is said, and ends nothing."""

    def __init__(
        self, options: Options, wanted: Collection[str], share: Share, tell: Tell | None
    ) -> None:
        self.options: Final = options
        self.worker: Final = LateWorker()
        self.ledger: Final = Ledger(self.worker)
        self.conversations: Final = Conversations(self._begin, partial=options.partial, share=share)
        self.keeper: Final = Keeper(Tally(options.max_findings), wanted, tell)
        self.messages = 0

    def judge_text(
        self,
        followed: Followed,
        text: bytes,
        direction: Direction | None,
        number: int,
        place: Place,
    ) -> None:
        """Judge a text that is a message, or should be one."""
        self._count(followed, 1)
        judging = partial(followed.lanes.check, text, direction, number)
        self._keep(judging, followed, number, text, place)

    def judge_entry(
        self, followed: Followed, entry: Entry, number: int, place: Place
    ) -> list[Finding]:
        """Judge what a trace line says, with a message or without."""
        lanes, direction = followed.lanes, entry.direction
        if entry.text is None:
            judging = partial(lanes.hear, direction, number, entry.line)
            return self._keep(judging, followed, number, b"", place)
        self._count(followed, 1)
        judging = partial(self._judge_line, lanes, entry, entry.text, number)
        return self._keep(judging, followed, number, entry.text, place)

    def _judge_line(
        self, lanes: Listener, entry: Entry, text: bytes, number: int
    ) -> Sequence[Finding]:
        """What is wrong with a line as a message and as a line, each thing told once."""
        found = lanes.check(text, entry.direction, number, entry.line)
        return self.keeper.each_once(found, text) if found else found

    def judge_run(self, followed: Followed, run: BareRun) -> None:
        """Judge bare messages that follow one another."""
        messages = iter(run)
        try:
            while self._breaks_down(followed, messages, run):
                pass
        finally:
            self._count(followed, run.length)

    def passes(
        self,
        followed: Followed,
        line: bytes,
        direction: Direction,
        number: int,
        members: dict[str, Any],
    ) -> bool:
        """Whether nothing is to be said about the message of a plain line; else `explain` it."""
        self._count(followed, 1)
        try:
            passes = followed.lanes.passes(members["message"], direction, number, len(line))
        except Exception as fault:  # noqa: BLE001  one message must not end the run
            self.keeper.apologize(fault, followed, number)
            return True
        return passes and not (self.options.duplicates and names_twice(line, members))

    def explain(self, followed: Followed, refused: Refused, place: Place) -> None:
        """Say what there is to say about a message that did not pass."""
        judging = partial(followed.lanes.explain, refused)
        self._keep(judging, followed, refused.place, refused.raw, place)

    def limits(self) -> list[Limit]:
        """Every limit that cut something."""
        limits = [*self.keeper.tally.limits(), *self.conversations.limits()]
        if refused := self.ledger.room.refused:
            effect = "ids were not remembered; whether they were used again is undecided"
            value = MOST_UNORDERED
            limits.append(Limit(name="remembered-ids", value=value, count=refused, effect=effect))
        return limits

    def _begin(self, partial: bool, is_session: bool) -> Listener:
        options = self.options
        if options.profile == "envelope":
            return _response_lanes(self.ledger, options)
        return Lanes(
            options.revision,
            duplicates=options.duplicates,
            dialect=options.dialect,
            ledger=self.ledger,
            partial=partial,
            sessions=is_session,
        )

    def _breaks_down(self, followed: Followed, messages: Messages, run: BareRun) -> bool:
        """Judge messages up to their end, or up to a fault of ours."""
        lanes, keeper = followed.lanes, self.keeper
        try:
            for refused in lanes.refused(messages):
                place = partial(keeper.line, refused.place)
                keeper.keep(lanes.explain(refused), followed, refused.place, refused.raw, place)
        except Damaged:
            raise
        except Exception as fault:  # noqa: BLE001  one message must not end the run
            keeper.apologize(fault, followed, run.number)
            return True
        return False

    def _keep(
        self,
        judging: Callable[[], Sequence[Finding]],
        followed: Followed,
        number: int,
        text: bytes,
        place: Place,
    ) -> list[Finding]:
        try:
            found = judging()
        except Exception as fault:  # noqa: BLE001  one message must not end the run
            return self.keeper.apologize(fault, followed, number)
        return self.keeper.keep(found, followed, number, text, place)

    def _count(self, followed: Followed, messages: int) -> None:
        followed.count.messages += messages
        self.messages += messages


def _response_lanes(ledger: Ledger, options: Options) -> Listener:
    from mcp_assay.rules.envelope.lanes import ResponseLanes  # noqa: PLC0415  seldom needed

    return ResponseLanes(ledger, duplicates=options.duplicates)
