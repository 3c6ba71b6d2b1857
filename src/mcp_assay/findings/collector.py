"""Findings as they are made -> those that are wanted, equal ones folded, counted and reported."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from typing import Final, TypeAlias

from msgspec.structs import replace

from mcp_assay.findings.tally import SessionCount, Tally
from mcp_assay.model.finding import MOST_EXAMPLES, Finding

Change: TypeAlias = Callable[[Finding], Finding]
"""Makes a finding fit to be shown, by taking secrets out of it for example."""
OnFinding: TypeAlias = Callable[[Finding], object]
"""Is told each finding that is kept as soon as it is made."""
Place: TypeAlias = Callable[[list[Finding]], list[Finding]]
"""Finds out where findings stand; asked only where anybody will see it."""
Key: TypeAlias = Callable[[Finding], Hashable]
"""What findings have in common that are folded into one."""


class Collector:
    """Keeps the findings of a run that are wanted, counts them and reports them at once."""

    def __init__(
        self,
        wanted: Collection[str],
        tally: Tally,
        *,
        change: Change | None = None,
        on_finding: OnFinding | None = None,
    ) -> None:
        self.wanted: Final = wanted
        """The rules that the user did not leave out."""
        self.tally: Final = tally
        self.is_live = False
        """Whether every finding is looked at, also when there are too many to keep."""
        self.own_faults = 0
        """How often something could not be judged by a fault of ours."""
        self.folded_rules: Final[dict[str, str]] = {}
        """Rules that a line broke too but that do not report it, each with the rule that does."""
        self._change: Final = change
        self._on_finding: Final = on_finding

    def keep(
        self,
        findings: Iterable[Finding],
        number: int = 0,
        *,
        session: SessionCount | None = None,
        place: Place | None = None,
    ) -> list[Finding]:
        """Count findings about the line of a number; those that are wanted, as they are shown."""
        kept = self.select(findings)
        if kept and place and (self.is_live or self.tally.needs(kept, number)):
            kept = place(kept)
        if self._change:
            kept = list(map(self._change, kept))
        for finding in kept:
            is_new = session is not None and session.add(finding)
            is_listed = self.tally.add(finding, number, new_to_session=is_new)
            if is_listed and self._on_finding:
                self._on_finding(finding)
        return kept

    def select(self, findings: Iterable[Finding]) -> list[Finding]:
        """Those of the findings that are wanted."""
        return [finding for finding in findings if finding.rule in self.wanted]

    def note_folded(self, folded_rules: Mapping[str, str]) -> None:
        """Note what is not reported, and the rule that does: of several the first by its name.

        So it does not matter in which order, or in which share of a run, lines are judged.
        """
        for rule, kept_rule in folded_rules.items():
            self.folded_rules[rule] = min(kept_rule, self.folded_rules.get(rule, kept_rule))


class FoldedFindings:
    """Findings of which equal ones are one, which counts them and names some of their places."""

    def __init__(self, key: Key | None = None, most: int | None = None) -> None:
        self._key: Final = key or same_fault
        self._most: Final = most
        self._found: Final[dict[Hashable, Finding]] = {}
        self.dropped = 0
        """Findings that would have been one more than there may be."""

    def __iter__(self) -> Iterator[Finding]:
        return iter(self._found.values())

    def add(self, finding: Finding, change: Change | None = None) -> None:
        """Take a finding; `change` makes the first of its kind fit to be shown."""
        key = self._key(finding)
        known = self._found.get(key)
        if known is not None:
            self._found[key] = folded_into(known, finding)
        elif self._most is None or len(self._found) < self._most:
            self._found[key] = change(finding) if change else finding
        else:
            self.dropped += 1

    def add_new(self, finding: Finding) -> None:
        """Take a finding unless one is known that equals it."""
        self._found.setdefault(self._key(finding), finding)

    def so_far(self) -> dict[Hashable, Finding]:
        """What was found up to now, to go back to."""
        return dict(self._found)

    def go_back_to(self, found: Mapping[Hashable, Finding]) -> None:
        """Forget what was found since then."""
        self._found.clear()
        self._found.update(found)


def same_fault(finding: Finding) -> tuple[str, str, str | None]:
    """What findings share that a session folds, whatever text they show."""
    return finding.fingerprint, finding.severity, finding.subject


def folded_into(known: Finding, other: Finding) -> Finding:
    """The finding that is known, made once more elsewhere."""
    places = [*known.examples, other.where, *other.examples]
    return replace(known, count=known.count + other.count, examples=places[:MOST_EXAMPLES])
