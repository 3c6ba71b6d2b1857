"""All that is known about a server up to now: each stage of an assessment adds its part."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from mcp_assay.assessing.options import AssessOptions
from mcp_assay.drive.connection import Connection
from mcp_assay.drive.gate import Permission
from mcp_assay.drive.target import Target
from mcp_assay.intake.profiles import KNOWN_RULES
from mcp_assay.model.call import Trial
from mcp_assay.model.finding import Finding
from mcp_assay.model.probe import Open
from mcp_assay.model.report import Limit
from mcp_assay.report.selection import chosen, require_rules
from mcp_assay.report.tally import Tally
from mcp_assay.rules.definitions.surface import Surface
from mcp_assay.scenario.ordering import listing_first


class Dossier:
    """What was found out about one server; whoever reports reads it, at any time."""

    def __init__(self, target: Target, options: AssessOptions) -> None:
        require_rules((*options.select, *options.ignore), KNOWN_RULES)
        self.target: Final = target
        self.options: Final = options
        self.wanted: Final = chosen(KNOWN_RULES, options.select, options.ignore)
        self.tally: Final = Tally(options.max_findings)
        self._kept: Final[set[tuple[object, ...]]] = set()
        self.limits: Final[list[Limit]] = []
        self.decided: Final[set[str]] = set()
        """The rules that were really judged."""
        self.open: Final[dict[str, Open]] = {}
        """The rules that could not be decided, and why."""
        self.heard_probing: Final[list[Finding]] = []
        """What single messages showed in the conversations of probes."""
        self.connection: Connection | None = None
        self.revision: str | None = None
        self.server_info: dict[str, Any] | None = None
        self.offered: list[str] = []
        self.surface = Surface()
        self.has_unread_tools = False
        """Whether the server lists tools, and none of them could be read."""
        self.permissions: Final[dict[str, Permission]] = {}
        self.consent: dict[str, Any] | None = None
        self.trials: Final[dict[str, Trial]] = {}
        self.is_cut = False
        """Whether --max-time ended the run."""
        self.is_interrupted = False
        self.lost: str | None = None
        """Why the server could not be reached, or not be started again after it had died."""

    def meet(self, connection: Connection) -> None:
        """Note whom we talk to."""
        self.connection = connection
        self.revision = connection.revision
        self.server_info = connection.opened.server_info or None
        self.offered = connection.opened.offered

    def leave_open(self, rules: Iterable[Open]) -> None:
        """Note what could not be decided; what another probe decides is decided."""
        for rule in rules:
            self.open[rule.rule] = rule

    def keep(self, findings: Iterable[Finding]) -> None:
        """Keep those findings that the user wants; what a probe found too is kept once."""
        for finding in findings:
            if finding.rule in self.wanted and _identity(finding) not in self._kept:
                self._kept.add(_identity(finding))
                self.tally.add(finding)

    def keep_heard(self, findings: Iterable[Finding]) -> None:
        """Keep what messages showed: once, though the conversations of probes showed it too."""
        heard: dict[tuple[str, str, str | None], Finding] = {}
        for one in (*findings, *self.heard_probing):
            heard.setdefault((one.fingerprint, one.severity, one.subject), one)
        self.keep(heard.values())

    def tools(self) -> list[dict[str, Any]]:
        """The tools that can be called at all, each name once, those that list first."""
        named = {
            tool["name"]: tool
            for tool in self.surface.tools
            if isinstance(tool, dict) and isinstance(tool.get("name"), str)
        }
        return listing_first(named.values())

    @property
    def is_incomplete(self) -> bool:
        """Whether the run did not show what it was to show."""
        if self.is_cut or self.is_interrupted or self.lost is not None or self.revision is None:
            return True
        if self.has_unread_tools:
            return True
        if self.options.calls == "none" or self.options.dry_run or not self.surface.tools:
            return False
        return not any(call.verdict.succeeded for it in self.trials.values() for call in it.calls)


def _identity(finding: Finding) -> tuple[object, ...]:
    """What makes a finding one of its own, whichever conversation showed it."""
    where = finding.where
    place = (finding.pointer, where.tool, where.scenario, where.call)
    return (finding.fingerprint, finding.severity, finding.message, *place)
