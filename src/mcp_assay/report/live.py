"""Findings as they happen -> one line each; a repeat is counted and reported now and then."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from msgspec import Struct

from mcp_assay.model.finding import Finding
from mcp_assay.report.footer import SEVERITY_WORDS
from mcp_assay.text.lines import counted
from mcp_assay.text.safe import plain, shorten

QUIET: Final = 60.0
"""Seconds for which the repeats of a finding are only counted."""
MOST_FOLLOWED: Final = 1_000
"""So many different findings are reported; the others are counted together."""
LONGEST: Final = 500
"""Characters of a line."""


class _Repeats(Struct):
    rule: str
    shown_at: float
    count: int = 0


class LiveLines:
    """What is said of the traffic of one server while it flows."""

    def __init__(self, name: str, clock: Callable[[float], str]) -> None:
        self._name: Final = name
        self._clock: Final = clock
        self._followed: Final[dict[str, _Repeats]] = {}
        self._causes: Final[set[str]] = set()
        self._unlisted = 0

    @property
    def error_causes(self) -> int:
        """How many different errors were found."""
        return len(self._causes)

    def finding(self, finding: Finding, about: str, at: float) -> Iterator[str]:
        """The line about a finding, or about its repeats, where it is time for one."""
        repeats = self._followed.get(finding.fingerprint)
        if repeats is not None:
            repeats.count += 1
            yield from self._repeated(repeats, at, QUIET)
        elif len(self._followed) < MOST_FOLLOWED:
            self._followed[finding.fingerprint] = _Repeats(finding.rule, at)
            if finding.severity == "error":
                self._causes.add(finding.fingerprint)
            yield self.notice(_sentence(finding, about), at)
        else:
            self._unlisted += 1

    def notice(self, text: str, at: float) -> str:
        """A line with the time."""
        return self.line(f"{self._clock(at)} {text}")

    def line(self, text: str) -> str:
        """A line that says whose traffic it is about; nothing in it is obeyed by a terminal."""
        return shorten(plain(f"mcp-assay[{self._name}] {text}"), LONGEST)

    def last_repeats(self, at: float) -> Iterator[str]:
        """The repeats that were not reported yet."""
        for repeats in self._followed.values():
            yield from self._repeated(repeats, at, 0)
        if self._unlisted:
            yield self.line(f"and {counted(self._unlisted, 'other finding')}")

    def _repeated(self, repeats: _Repeats, at: float, pause: float) -> Iterator[str]:
        passed = at - repeats.shown_at
        if repeats.count and passed >= pause:
            text = f"repeated {repeats.rule} x{repeats.count:,} in {passed:,.0f} s"
            repeats.shown_at, repeats.count = at, 0
            yield self.notice(text, at)


def _sentence(finding: Finding, about: str) -> str:
    words = [SEVERITY_WORDS[finding.severity], finding.rule, finding.subject, about]
    return f"{' '.join(word for word in words if word)}: {finding.message}"
