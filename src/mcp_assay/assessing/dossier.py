"""All that is known about a server up to now: each stage of an assessment adds its part."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, TypeAlias

from msgspec.structs import replace

from mcp_assay.assessing.options import AssessOptions
from mcp_assay.drive.connection import Connection
from mcp_assay.drive.gate import Permission
from mcp_assay.drive.secrets import secrets_of
from mcp_assay.drive.target import Target
from mcp_assay.intake.profiles import KNOWN_RULES
from mcp_assay.model.call import Call, Trial
from mcp_assay.model.event import Listener, Nobody
from mcp_assay.model.finding import Finding
from mcp_assay.model.probe import Open
from mcp_assay.model.report import HintOutcome, Limit
from mcp_assay.report.selection import chosen, require_rules
from mcp_assay.report.tally import Tally
from mcp_assay.rules.behaviour.causes import folded
from mcp_assay.rules.clients import CLIENTS
from mcp_assay.rules.definitions.surface import Surface
from mcp_assay.rules.probes.reading import Had
from mcp_assay.scenario.ordering import listing_first
from mcp_assay.transport.redaction import Redactor

DEFINING: Final = ("TOOL-", "RES-", "PROMPT-")
"""The rules about definitions, which know more about their places than the shapes of messages."""


MOST_EXAMPLES: Final = 3
Thing: TypeAlias = tuple[str, str, str | None, str, str]
"""What findings have in common that say the same of the same place."""


class Dossier:
    """What was found out about one server; whoever reports reads it, at any time."""

    def __init__(
        self, target: Target, options: AssessOptions, listener: Listener | None = None
    ) -> None:
        require_rules((*options.select, *options.ignore), KNOWN_RULES)
        self.target: Final = target
        self.options: Final = options
        self.listener: Final[Listener] = listener or Nobody()
        """Hears of everything as it happens."""
        self.wanted: Final = chosen(KNOWN_RULES, options.select, options.ignore)
        self.tally: Final = Tally(options.max_findings)
        self.redactor: Final = Redactor((*options.secrets, *secrets_of(target)))
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
        self.capabilities: dict[str, Any] | None = None
        """What the server says that it has; None where it was never asked with success."""
        self.offered: list[str] = []
        self.surface = Surface()
        self.tool_pages = 0
        """In how many pages the tools were listed."""
        self.told: Final[set[str]] = set()
        """The places of definitions of which a rule has said what is wrong, indexes as *."""
        self._linted: Final[set[str]] = set()
        self.permissions: Final[dict[str, Permission]] = {}
        self.consent: dict[str, Any] | None = None
        self.trials: Final[dict[str, Trial]] = {}
        """The calls of each tool by its latest definition."""
        self.earlier: Final[list[Trial]] = []
        """Those by definitions that changed during the run."""
        self.outdated: Final[set[str]] = set()
        """The tools whose definition has changed since their trial began."""
        self.had: Final[dict[tuple[str, str], Had]] = {}
        """What came of each resource, template and prompt, by its kind and what it is had by."""
        self.hints: Final[dict[str, dict[str, HintOutcome]]] = {}
        """By tool, what came of each hint that could be held against what others see."""
        self.compared: Final[list[Call]] = []
        """Calls that were made to see what others change."""
        self.cut_after: float | None = None
        """The seconds after which --max-time ended the run, where it did."""
        self.is_interrupted = False
        self.unlisted: Final[dict[str, str]] = {}
        """Why a list did not come whole, by what it lists."""
        self.lost: str | None = None
        """Why a server that had died could not be started again, where it could not."""
        self.unreached: str | None = None
        """Why the server could not be started or reached, where it could not."""

    def meet(self, connection: Connection) -> None:
        """Note whom we talk to."""
        self.connection = connection
        self.revision = connection.revision
        self.server_info = connection.opened.server_info or None
        self.capabilities = connection.opened.capabilities
        self.offered = connection.opened.offered

    def keep_definitions(self, findings: Iterable[Finding]) -> None:
        """Keep what the rules about definitions say, and remember of which places.

        What was said of definitions that were listed before is not said again.
        """
        found = [finding for finding in findings if finding.fingerprint not in self._linted]
        self._linted.update(finding.fingerprint for finding in found)
        self.keep(folded(found))
        for finding in found:
            if finding.rule in self.wanted and finding.rule.startswith(DEFINING):
                self.told.add(_any_index(finding.pointer))

    def keep_heard(self, findings: Iterable[Finding]) -> None:
        """Keep what the messages show, but nothing twice that was said of a definition."""
        self.keep(finding for finding in findings if not self._is_told(finding))

    def _is_told(self, finding: Finding) -> bool:
        place = _any_index(finding.pointer.removeprefix("/result"))
        return finding.rule.startswith("SCHEMA-") and place in self.told

    def leave_open(self, rules: Iterable[Open]) -> None:
        """Note what could not be decided; what another probe decides is decided."""
        for rule in rules:
            self.open[rule.rule] = rule

    def keep(self, findings: Iterable[Finding]) -> None:
        """Keep those findings that the user wants, without the secrets that we were told."""
        for finding in findings:
            if finding.rule in self.wanted:
                known = _with_clients(self.redactor.finding(finding))
                if self.tally.add(known):
                    self.listener.find(known)

    def each_heard_once(self, findings: Iterable[Finding]) -> list[Finding]:
        """What messages showed, also in the conversations of probes, each thing once.

        What answers to several methods show in the same way is one thing.
        """
        heard: dict[Thing, Finding] = {}
        for one in findings:
            known = heard.get(_thing(one))
            heard[_thing(one)] = one if known is None else _together(known, one)
        told = {_kind(one) for one in heard.values()}
        for one in self.heard_probing:
            if _kind(one) not in told:
                heard.setdefault(_thing(one), one)
        return list(heard.values())

    def tools(self) -> list[dict[str, Any]]:
        """The tools that can be called at all, each name once, those that list first."""
        return listing_first(self.definitions().values())

    def definitions(self) -> dict[str, dict[str, Any]]:
        """The latest definition of every tool that has a name."""
        return by_name(self.surface.tools)

    def may_call(self, tool: str) -> bool:
        """Whether a tool may be called, by its latest definition."""
        permission = self.permissions.get(tool)
        return permission is not None and permission.allowed

    def all_trials(self) -> list[Trial]:
        """The calls of all tools, also those by definitions that changed during the run."""
        return [*self.earlier, *self.trials.values()]

    def calls_of(self, tool: str) -> list[Call]:
        """All calls of a tool."""
        return [call for trial in self.all_trials() if trial.name == tool for call in trial.calls]

    @property
    def tools_succeeded(self) -> int:
        """How many tools had a valid call that succeeded."""
        calls = (call for trial in self.all_trials() for call in trial.calls)
        return len({call.scenario.tool for call in calls if call.verdict.succeeded})

    @property
    def has_too_few(self) -> bool:
        """Whether fewer tools succeeded than the user wants."""
        return self.tools_succeeded < self.options.tools_wanted(len(self.surface.tools))

    @property
    def is_cut(self) -> bool:
        """Whether --max-time ended the run."""
        return self.cut_after is not None

    @property
    def is_incomplete(self) -> bool:
        """Whether the run did not show what it was to show."""
        if self.is_cut or self.is_interrupted or self.lost or self.revision is None:
            return True
        if self.surface.is_unheard:
            return True
        if self.options.calls == "none" or self.options.dry_run or not self.surface.tools:
            return False
        return not self.tools_succeeded


def by_name(tools: Iterable[Any]) -> dict[str, dict[str, Any]]:
    """The definitions that have a name; of those with the same, the last."""
    return {
        tool["name"]: tool
        for tool in tools
        if isinstance(tool, dict) and isinstance(tool.get("name"), str)
    }


def _with_clients(finding: Finding) -> Finding:
    """The finding with what clients do about it, where that is known."""
    if finding.rule not in CLIENTS:
        return finding
    return replace(finding, details={**(finding.details or {}), "clients": CLIENTS[finding.rule]})


def _any_index(pointer: str) -> str:
    """The place with all indexes alike: a list that came in pages counts them anew on each."""
    return "/".join("*" if step.isdecimal() else step for step in pointer.split("/"))


def _thing(finding: Finding) -> Thing:
    return (
        finding.rule,
        finding.severity,
        finding.subject,
        finding.pointer,
        finding.message,
    )


def _kind(finding: Finding) -> tuple[str, str, str | None]:
    """What findings share that a conversation folds, whatever text they show."""
    return finding.fingerprint, finding.severity, finding.subject


def _together(one: Finding, other: Finding) -> Finding:
    """A finding that was made once more, elsewhere."""
    places = [*one.examples, other.where, *other.examples]
    return replace(one, count=one.count + other.count, examples=places[:MOST_EXAMPLES])
