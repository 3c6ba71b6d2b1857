"""Everything that passes -> findings of the session rules, and lines of a recording."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Final, TypeAlias

from msgspec.structs import replace

from mcp_assay.drive.timeline import Timeline
from mcp_assay.model.finding import NOWHERE, Finding, Where
from mcp_assay.model.report import Limit
from mcp_assay.rules.lanes import Lanes
from mcp_assay.rules.reach import Ledger
from mcp_assay.rules.sessions.stdio import each_cause_once, untold
from mcp_assay.session.line import Line
from mcp_assay.transport.frames import Heard
from mcp_assay.transport.recording import Recording
from mcp_assay.transport.redaction import Redactor

MOST_EXAMPLES: Final = 3
MOST_UNJUDGED: Final = 16
LONGEST_UNJUDGED: Final = 64 * 1024
"""So many messages, each so long, wait at most until there is time to judge them."""
MOST_FAULTS: Final = 20
"""Faults of ours that are kept."""
TOO_LONG: Final = "undecoded-messages"


Found: TypeAlias = dict[tuple[str, str, str | None], Finding]
"""Findings by what makes them equal."""


class Overheard:
    """What was found in all conversations of a run, equal findings folded."""

    def __init__(
        self,
        redactor: Redactor,
        ledger: Ledger | None = None,
        recording: Recording | None = None,
        *,
        most: int,
        largest: int,
        as_session: bool = True,
    ) -> None:
        self.ledger: Final = ledger or Ledger()
        """Which rules were decided."""
        self.messages = 0
        self.timeline: Final = Timeline()
        self.own_faults: Final[list[str]] = []
        """Faults of ours while judging: what was judged then is open."""
        self.unsaid: Final[dict[str, str]] = {}
        """Rules that a line broke too, by which its fault is not told; and the rule that tells."""
        self._redactor: Final = redactor
        self._recording: Final = recording
        self._most: Final = most
        self._largest: Final = largest
        self.as_session: Final = as_session
        """Whether each message is judged by all that went before."""
        self._lines = recording.lines if recording else 0
        self._found: Final[Found] = {}
        self._cut: Final = Counter[str]()
        self._latest: Conversation | None = None

    def begin(self, session: str) -> Conversation:
        """Begin another conversation."""
        self._latest = Conversation(self, session)
        return self._latest

    def findings(self, subject: str = "server") -> list[Finding]:
        """What was found up to now that the server has to answer for, or else the client."""
        if self._latest is not None:
            self._latest.catch_up()
        theirs = (subject, None) if subject == "server" else (subject,)
        return [finding for finding in self._found.values() if finding.subject in theirs]

    def so_far(self) -> Found:
        """What was found up to now, to go back to."""
        return dict(self._found)

    def go_back_to(self, found: Found) -> None:
        """Forget what was found since then."""
        self._found.clear()
        self._found.update(found)

    def limits(self) -> list[Limit]:
        """Every limit that cut something."""
        words = {
            "max-findings": (self._most, "further kinds of findings were not kept"),
            TOO_LONG: (self._largest, "longer messages were not decoded; what is in them is open"),
        }
        own = [
            Limit(name=name, value=value, count=self._cut[name], effect=effect)
            for name, (value, effect) in words.items()
            if self._cut[name]
        ]
        return [*own, *self.timeline.limits()]

    @property
    def is_recorded(self) -> bool:
        """Whether there is a recording whose lines can be looked up."""
        return self._recording is not None

    def is_long(self, heard: Heard) -> bool:
        """Whether a message is too long to be decoded."""
        return heard.unread > 0 or len(heard.text or b"") > self._largest

    def note(self, heard: Heard, session: str, *, is_long: bool) -> int:
        """Record what was heard; give the number of its line."""
        self._lines += 1
        self.messages += heard.text is not None or heard.unread > 0
        if is_long:
            self._cut[TOO_LONG] += 1
        self.timeline.add(heard)
        if self._recording is not None:
            self._recording.add(heard, session)
        return self._lines

    def apologize(self, fault: Exception) -> None:
        """Note a fault of ours."""
        if len(self.own_faults) < MOST_FAULTS:
            self.own_faults.append(f"{type(fault).__name__}: {fault}")

    def keep(self, findings: Iterable[Finding], where: Where) -> None:
        """Keep what was found at a place."""
        for finding in findings:
            self._keep(finding, where)

    def _keep(self, finding: Finding, where: Where) -> None:
        key = (finding.fingerprint, finding.severity, finding.subject)
        known = self._found.get(key)
        if known is not None:
            examples = known.examples
            if len(examples) < MOST_EXAMPLES:
                examples = [*examples, where]
            self._found[key] = replace(known, count=known.count + 1, examples=examples)
        elif len(self._found) < self._most:
            self._found[key] = self._shown(finding, where)
        else:
            self._cut["max-findings"] += 1

    def _shown(self, finding: Finding, where: Where) -> Finding:
        """The finding at its place, without the secrets that we were told."""
        evidence = finding.evidence
        return replace(
            finding,
            where=where,
            message=self._redactor.line(finding.message),
            evidence=None if evidence is None else self._redactor.line(evidence),
        )


class Conversation:
    """One conversation under way: each line is judged by all that went before."""

    def __init__(self, all: Overheard, session: str) -> None:
        self.about = NOWHERE
        """The tool, scenario and call under way, for the places of findings."""
        self._all: Final = all
        self._session: Final = session
        self._lanes: Final = Lanes(ledger=all.ledger, sessions=all.as_session)
        self._is_open = True
        self._has_order = True
        self.unfair: Collection[str] = ()
        """The rules that what we sent may have made the server break."""
        self._unjudged: list[tuple[Heard, bool, Where, Collection[str]]] = []
        self._before: Final = all.so_far()

    def hear(self, heard: Heard, *, is_judged: bool = True) -> bool:
        """Take what was heard; give whether its message may be decoded.

        An answer is judged after the next request was sent, while the server works on that.
        """
        size, is_long = len(heard.text or b""), self._all.is_long(heard)
        if not is_judged:
            self.catch_up()
            self._all.note(heard, self._session, is_long=is_long)
            return size > 0 and not is_long
        self._unjudged.append((heard, is_long, self.about, self.unfair))
        is_short = 0 < size <= LONGEST_UNJUDGED and len(self._unjudged) < MOST_UNJUDGED
        if heard.direction == "c2s" or not is_short:
            self.catch_up()
        return size > 0 and not is_long

    def catch_up(self) -> None:
        """Judge and record all that was heard."""
        unjudged, self._unjudged = self._unjudged, []
        for heard, is_long, about, unfair in unjudged:
            self._judge(heard, about, unfair, is_long=is_long)

    def _judge(self, heard: Heard, about: Where, unfair: Collection[str], *, is_long: bool) -> None:
        number = self._all.note(heard, self._session, is_long=is_long)
        try:
            found = self._judged(heard, number, is_long)
        except Exception as fault:  # noqa: BLE001  one message must not end the conversation
            self._all.apologize(fault)
        else:
            self._has_order = self._has_order and heard.exchange is None
            if found:
                fair = [finding for finding in found if finding.rule not in unfair]
                self._all.keep(fair, self._where(about, number, heard.exchange))

    def discard(self) -> None:
        """End the conversation and forget all that was found in it."""
        self.catch_up()
        self._is_open = False
        self._all.go_back_to(self._before)

    def close(self) -> None:
        """End the conversation; say what is left to say."""
        if self._is_open:
            self.catch_up()
            self._is_open = False
            for number, finding in self._lanes.close():
                self._all.keep([finding], self._where(NOWHERE, number, None))

    def _judged(self, heard: Heard, number: int, is_long: bool) -> Sequence[Finding]:
        line = Line(
            at=heard.at,
            transport=heard.transport,
            exchange=heard.exchange,
            http=heard.http,
            sse=heard.sse,
            end=heard.end,
            gap=is_long,
            exact=True,
        )
        if heard.text is None or is_long:
            return self._lanes.hear(heard.direction, number, line)
        found = self._lanes.check(heard.text, heard.direction, number, line)
        if not found or heard.transport != "stdio" or heard.direction != "s2c":
            return found
        alone_in = None if self._all.as_session else self._lanes.revision
        kept = each_cause_once(found, heard.text, alone_in=alone_in)
        self._all.unsaid.update(untold(found, kept))
        return kept

    def _where(self, about: Where, number: int, exchange: int | None) -> Where:
        """The place of a line: in the recording, or in the one that could be made of it.

        Over HTTP lines have an order only where it was written down; probes are never recorded.
        """
        would_be_the_same = self._has_order and self._all.as_session
        line = number if number and (would_be_the_same or self._all.is_recorded) else None
        return replace(about, session=self._session, line=line, exchange=exchange)
