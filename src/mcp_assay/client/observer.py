"""Everything that passes -> findings of the session rules, and lines of a recording."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Final

from msgspec.structs import replace

from mcp_assay.client.timeline import Timeline
from mcp_assay.client.trace_file import Recording
from mcp_assay.findings.collector import FoldedFindings
from mcp_assay.model.entry import Entry
from mcp_assay.model.finding import NOWHERE, Finding, Where
from mcp_assay.model.own_fault import OwnFault, own_fault
from mcp_assay.model.report import Limit
from mcp_assay.rules.engine.checker import SessionChecker
from mcp_assay.rules.engine.decided import DecidedRules
from mcp_assay.rules.engine.findings import is_of_every_response
from mcp_assay.rules.session.stdio import each_cause_once, folded_rules
from mcp_assay.text.redaction import Redactor
from mcp_assay.wire.pointer import tokens

MOST_UNJUDGED: Final = 16
LONGEST_UNJUDGED: Final = 64 * 1024
"""So many messages, each so long, wait at most until there is time to judge them."""
MOST_JUDGED: Final = 5_000
"""So many messages of the server are judged while one request waits: more of them are a flood."""
MOST_BYTES_JUDGED: Final = 4 * 1024 * 1024
"""So many bytes of them."""
MOST_JUDGED_IN_ALL: Final = 50_000
"""So many in one session, beside those that may come with any answer."""
FEW_EXPECTED: Final = 100
"""So many may come with any answer, and are no part of a flood."""
FLOOD: Final = "judged-messages"
NOT_JUDGED: Final = "further messages that came while a request waited were counted, not checked"
MOST_FAULTS: Final = 20
"""Faults of ours that are kept."""
TOO_LONG: Final = "undecoded-messages"
NOT_DECODED: Final = "longer messages were not decoded and not checked"
NOT_KEPT: Final = "further kinds of findings were not kept"


class Observations:
    """What was found in all sessions of a run, equal findings folded."""

    def __init__(
        self,
        redactor: Redactor,
        decided_rules: DecidedRules | None = None,
        recording: Recording | None = None,
        *,
        most: int,
        largest: int,
        as_session: bool = True,
    ) -> None:
        self.decided_rules: Final = decided_rules or DecidedRules()
        """Which rules were decided."""
        self.messages = 0
        self.timeline: Final = Timeline() if as_session else Timeline(0)
        self.own_faults: Final[list[OwnFault]] = []
        """Faults of ours while judging: what was judged then is open."""
        self.unsaid: Final[dict[str, str]] = {}
        """Rules that a line broke too but that do not report it, each with the rule that does."""
        self._redactor: Final = redactor
        self._recording: Final = recording
        self._most: Final = most
        self._largest: Final = largest
        self.as_session: Final = as_session
        """Whether each message is judged by all that went before."""
        self._lines = recording.lines if recording else 0
        self.found: Final = FoldedFindings(most=most)
        self._long = 0
        """Messages that were too long to be decoded."""
        self._unjudged = 0
        """Messages of floods, which nobody judged."""
        self._latest: SessionObserver | None = None

    def begin(self, session: str) -> SessionObserver:
        """Begin another session."""
        self._latest = SessionObserver(self, session)
        return self._latest

    def findings(self, subject: str = "server") -> list[Finding]:
        """What was found up to now that the server has to answer for, or else the client."""
        if self._latest is not None:
            self._latest.catch_up()
        theirs = (subject, None) if subject == "server" else (subject,)
        return [finding for finding in self.found if finding.subject in theirs]

    def limits(self) -> list[Limit]:
        """Every limit that cut something."""
        cut = [
            ("max-findings", self._most, self.found.dropped, NOT_KEPT),
            (TOO_LONG, self._largest, self._long, NOT_DECODED),
            (FLOOD, MOST_JUDGED, self._unjudged, NOT_JUDGED),
        ]
        own = [
            Limit(name=name, value=value, count=count, effect=effect)
            for name, value, count, effect in cut
            if count
        ]
        return [*own, *self.timeline.limits()]

    @property
    def is_recorded(self) -> bool:
        """Whether there is a recording whose lines can be looked up."""
        return self._recording is not None

    def is_long(self, entry: Entry) -> bool:
        """Whether a message is too long to be decoded."""
        return entry.unread > 0 or len(entry.text or b"") > self._largest

    def note(self, entry: Entry, session: str, *, is_long: bool) -> int:
        """Record an entry; give the number of its line."""
        self._lines += 1
        self.messages += entry.text is not None or entry.unread > 0
        self._long += is_long
        self.timeline.add(entry)
        if self._recording is not None:
            self._recording.add(entry, session)
        return self._lines

    def pass_over(self) -> None:
        """Count a message that nobody judges."""
        self._lines += 1
        self.messages += 1
        self._unjudged += 1

    def apologize(self, fault: Exception) -> None:
        """Note a fault of ours."""
        noted = own_fault("a rule about messages", fault)
        if len(self.own_faults) < MOST_FAULTS and noted not in self.own_faults:
            self.own_faults.append(noted)

    def keep(self, findings: Iterable[Finding], where: Where) -> None:
        """Keep what was found at a place."""
        for finding in findings:
            tool = finding.where.tool or where.tool
            is_of_tool = not is_of_every_response(tuple(tokens(finding.pointer)))
            place = replace(where, tool=tool) if is_of_tool else NOWHERE
            self.found.add(replace(finding, where=place), self._shown)

    def _shown(self, finding: Finding) -> Finding:
        """The finding without the secrets that were given."""
        evidence = finding.evidence
        return replace(
            finding,
            message=self._redactor.line(finding.message),
            evidence=None if evidence is None else self._redactor.line(evidence),
        )


class SessionObserver:
    """One session under way: each line is judged by all that went before."""

    def __init__(self, all: Observations, session: str) -> None:
        self.about = NOWHERE
        """The tool, scenario and call under way, for the places of findings."""
        self._all: Final = all
        self._session: Final = session
        self._checker: Final = SessionChecker(decided=all.decided_rules, sessions=all.as_session)
        self._is_open = True
        self._has_order = True
        self.unfair: Collection[str] = ()
        """The rules that what we sent may have made the server break."""
        self._unjudged: list[tuple[Entry, bool, Where, Collection[str]]] = []
        self._while_waiting = 0
        self._bytes_while_waiting = 0
        self._in_all = 0
        self._before: Final = all.found.so_far()
        self._decided_before: Final = all.decided_rules.so_far()

    def begin_waiting(self) -> None:
        """Note that a request is sent: the messages until its answer are counted anew."""
        self._while_waiting = self._bytes_while_waiting = 0

    @property
    def is_flooded(self) -> bool:
        """Whether more came than is judged, while one request waits or in the whole session."""
        return (
            self._while_waiting >= MOST_JUDGED
            or self._bytes_while_waiting >= MOST_BYTES_JUDGED
            or self._in_all >= MOST_JUDGED_IN_ALL
        )

    def pass_over(self) -> None:
        """Count a message of a flood."""
        self._all.pass_over()

    def hear(self, entry: Entry, *, is_judged: bool = True) -> bool:
        """Take an entry; give whether its message may be decoded.

        An answer is judged after the next request was sent, while the server works on that.
        """
        size, is_long = len(entry.text or b""), self._all.is_long(entry)
        self._while_waiting += 1
        self._bytes_while_waiting += size
        self._in_all += self._while_waiting > FEW_EXPECTED
        if not is_judged:
            self.catch_up()
            self._all.note(entry, self._session, is_long=is_long)
            return size > 0 and not is_long
        self._unjudged.append((entry, is_long, self.about, self.unfair))
        is_short = 0 < size <= LONGEST_UNJUDGED and len(self._unjudged) < MOST_UNJUDGED
        if entry.direction == "c2s" or not is_short:
            self.catch_up()
        return size > 0 and not is_long

    def catch_up(self) -> None:
        """Judge and record all that came."""
        unjudged, self._unjudged = self._unjudged, []
        for entry, is_long, about, unfair in unjudged:
            self._judge(entry, about, unfair, is_long=is_long)

    def _judge(self, entry: Entry, about: Where, unfair: Collection[str], *, is_long: bool) -> None:
        number = self._all.note(entry, self._session, is_long=is_long)
        try:
            found = self._judged(entry, number, is_long)
        except Exception as fault:  # noqa: BLE001  one message must not end the session
            self._all.apologize(fault)
        else:
            self._has_order = self._has_order and entry.exchange is None
            if found:
                fair = [finding for finding in found if finding.rule not in unfair]
                self._all.keep(fair, self._where(about, number, entry.exchange))

    def discard(self) -> None:
        """End the session and forget all that was found and decided in it."""
        self.catch_up()
        self._is_open = False
        self._all.found.go_back_to(self._before)
        self._all.decided_rules.go_back_to(self._decided_before)

    def close(self) -> None:
        """End the session; say what is left to say."""
        if self._is_open:
            self.catch_up()
            self._is_open = False
            for number, finding in self._checker.close():
                self._all.keep([finding], self._where(NOWHERE, number, None))

    def _judged(self, entry: Entry, number: int, is_long: bool) -> Sequence[Finding]:
        if entry.text is None or is_long:
            unread = entry.unread or (len(entry.text or b"") if is_long else 0)
            return self._checker.hear(entry.direction, number, replace(entry, unread=unread))
        found = self._checker.check(entry.text, entry.direction, number, entry)
        if not found or entry.transport != "stdio" or entry.direction != "s2c":
            return found
        alone_in = None if self._all.as_session else self._checker.revision
        kept = each_cause_once(found, entry.text, alone_in=alone_in)
        self._all.unsaid.update(folded_rules(found, kept))
        return kept

    def _where(self, about: Where, number: int, exchange: str | int | None) -> Where:
        """The place of a line: in the recording, or in the one that could be made of it.

        Over HTTP lines have an order only where it was written down; probes are never recorded.
        """
        would_be_the_same = self._has_order and self._all.as_session
        line = number if number and (would_be_the_same or self._all.is_recorded) else None
        return replace(about, session=self._session, line=line, exchange=exchange)
