"""What the stages of an assessment find, decide and leave open, gathered as they come to it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from typing import Final, TypeAlias

from msgspec.structs import replace

from mcp_assay.client.links import NotReached
from mcp_assay.findings.collector import Collector, FoldedFindings, same_fault
from mcp_assay.findings.tally import Tally
from mcp_assay.model.event import Listener
from mcp_assay.model.finding import Finding
from mcp_assay.model.own_fault import OwnFault, own_fault
from mcp_assay.model.probe import OpenStep
from mcp_assay.model.report import Limit
from mcp_assay.spec.client_reactions import CLIENTS
from mcp_assay.text.redaction import Redactor

DEFINING: Final = ("TOOL-", "RES-", "PROMPT-")
"""The rules about definitions, which know more about their places than the shapes of messages."""

MOST_OWN_FAULTS: Final = 20
SameMessage: TypeAlias = tuple[str, str, str | None, str | None, str, str]
"""What findings have in common that say the same of the same place."""


class RuleOutcomes:
    """The findings of all stages, the rules that were decided or left open, and the limits."""

    def __init__(
        self, wanted: frozenset[str], redactor: Redactor, listener: Listener, most: int
    ) -> None:
        self.wanted: Final = wanted
        self.tally: Final = Tally(most)
        self.limits: Final[list[Limit]] = []
        self.own_faults: Final[list[OwnFault]] = []
        """Where we ourselves went wrong."""
        self.decided: Final[set[str]] = set()
        """The rules that were really judged."""
        self.open: Final[dict[str, OpenStep]] = {}
        """The rules that could not be decided, and why."""
        self._redactor: Final = redactor
        self._collector: Final = Collector(
            wanted, self.tally, change=self._shown, on_finding=listener.find
        )
        self._linted: Final[set[str]] = set()
        self._defined: Final[set[str]] = set()
        """The places of definitions of which a rule has said what is wrong, indexes as *."""

    def keep(self, findings: Iterable[Finding]) -> None:
        """Keep those findings that the user wants, without the secrets that were given."""
        self._collector.keep(findings)

    def keep_definitions(self, findings: Iterable[Finding]) -> None:
        """Keep what the rules about definitions say, and remember of which places.

        What was said of definitions that were listed before is not said again.
        """
        found = [finding for finding in findings if finding.fingerprint not in self._linted]
        self._linted.update(finding.fingerprint for finding in found)
        self.keep(found)
        for finding in self._collector.select(found):
            if finding.rule.startswith(DEFINING):
                self._defined.add(_any_index(finding.pointer))

    def keep_observed(self, findings: Iterable[Finding]) -> None:
        """Keep what the messages show, but nothing twice that was said of a definition."""
        self.keep(finding for finding in findings if not self._is_defined(finding))

    def note_fault(self, stage: str, fault: Exception) -> None:
        """Note a fault of ours; the run goes on, and is not complete."""
        self.keep_faults([own_fault(stage, fault)])

    def keep_faults(self, faults: Iterable[OwnFault]) -> None:
        """Keep faults of ours, each once."""
        for fault in faults:
            if fault not in self.own_faults and len(self.own_faults) < MOST_OWN_FAULTS:
                self.own_faults.append(fault)

    @contextmanager
    def surviving(self, stage: str) -> Iterator[None]:
        """Do something that our own faults in it do not end the run."""
        try:
            yield
        except NotReached:
            raise
        except Exception as fault:  # noqa: BLE001  what was found before is worth a report
            self.note_fault(stage, fault)

    def leave_open(self, rules: Iterable[OpenStep]) -> None:
        """Note what could not be decided; what another probe decides is decided."""
        for rule in rules:
            self.open[rule.rule] = rule

    def _is_defined(self, finding: Finding) -> bool:
        place = _any_index(finding.pointer.removeprefix("/result"))
        return finding.rule.startswith("SCHEMA-") and place in self._defined

    def _shown(self, finding: Finding) -> Finding:
        """The finding without secrets, with what clients do about it where that is known."""
        clean = self._redactor.finding(finding)
        if clean.rule not in CLIENTS:
            return clean
        return replace(clean, details={**(clean.details or {}), "clients": CLIENTS[clean.rule]})


def each_once(
    observed: Iterable[Finding], probing: Iterable[Finding], tools: Collection[str]
) -> list[Finding]:
    """What messages showed, also in the conversations of probes, each thing once.

    What answers to several methods show in the same way is one thing; what calls of several tools
    show is one for each tool. A tool that a probe made up, or left out of its call, is none.
    """
    found, of_none = FoldedFindings(_same_message), list[Finding]()
    for finding in observed:
        is_made_up = finding.where.tool is not None and finding.where.tool not in tools
        (of_none.append if is_made_up else found.add)(finding)
    known = {same_fault(finding) for finding in found}
    for finding in probing:
        if finding.where.tool not in tools:
            of_none.append(finding)
        elif same_fault(finding) not in known:
            found.add_new(finding)
    said = {_same_anywhere(finding) for finding in found}
    for finding in of_none:
        if same_fault(finding) not in known and _same_anywhere(finding) not in said:
            found.add_new(replace(finding, where=replace(finding.where, tool=None)))
    return list(found)


def _same_anywhere(finding: Finding) -> tuple[str, str, str | None, str, str]:
    rule, severity, subject, _, place, text = _same_message(finding)
    return rule, severity, subject, place, text


def _any_index(pointer: str) -> str:
    """The place with all indexes alike: a list that came in pages counts them anew on each."""
    return "/".join("*" if step.isdecimal() else step for step in pointer.split("/"))


def _same_message(finding: Finding) -> SameMessage:
    return (
        finding.rule,
        finding.severity,
        finding.subject,
        finding.where.tool,
        finding.pointer,
        finding.message,
    )
