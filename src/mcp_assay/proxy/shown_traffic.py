"""Entries and findings of the inspector -> news for those who look at the traffic."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from mcp_assay.client.trace_file import trace_line
from mcp_assay.model.entry import Entry
from mcp_assay.model.finding import Finding
from mcp_assay.proxy.feed_news import (
    BEGINNING,
    LONGEST_LINE,
    MOST_FINDINGS,
    FoundLateNews,
    FoundNews,
    PassedNews,
    in_few_words,
)
from mcp_assay.proxy.traffic_feed import TrafficFeed
from mcp_assay.text.redaction import Redactor


class ShownTraffic:
    """Offers the traffic of one proxy to the pages of this user, without its secrets."""

    def __init__(self, name: str, session: str, redactor: Redactor) -> None:
        """Raises NoSocket where no page could find it."""
        self._redactor: Final = redactor
        self._feed: Final = TrafficFeed(redactor.line(name), redactor.line(session), None)

    def show(
        self, entry: Entry, session: str, number: int, line: bytes, findings: Sequence[Finding]
    ) -> None:
        """Show an entry, the line that a recording has of it, and what was found with it."""
        first, *others = self._portions(findings, number) or [()]
        if len(line) <= LONGEST_LINE:
            self._feed.passed(PassedNews(number, line, len(line), found=first))
        else:
            without = replace(entry, text=None, unread=len(entry.text or b""))
            short = trace_line(without, session, self._redactor)
            self._feed.passed(PassedNews(number, short, len(line), line[:BEGINNING], first))
        for found in others:
            self._feed.found_late(FoundLateNews(found))

    def end(self, findings: Sequence[Finding], how: str) -> None:
        """Show what was found at the end, and that it is over."""
        for found in self._portions(findings, 0):
            self._feed.found_late(FoundLateNews(found))
        self._feed.close(how)

    def _portions(self, findings: Sequence[Finding], number: int) -> list[tuple[FoundNews, ...]]:
        starts = range(0, len(findings), MOST_FINDINGS)
        return [
            tuple(
                in_few_words(self._redactor.finding(one), number)
                for one in findings[start : start + MOST_FINDINGS]
            )
            for start in starts
        ]
