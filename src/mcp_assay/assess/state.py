"""The parts that the stages of an assessment make, each frozen, and all of them together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from mcp_assay.assess.options import AssessOptions
from mcp_assay.assess.rule_outcomes import RuleOutcomes
from mcp_assay.client.connection import Connection
from mcp_assay.client.deadline import Deadline
from mcp_assay.client.links import NotOpened
from mcp_assay.client.target import Target
from mcp_assay.client.target_secrets import secrets_of
from mcp_assay.model.call import Call, ToolRun
from mcp_assay.model.effect_proof import EffectRecord
from mcp_assay.model.event import Listener, Nobody
from mcp_assay.model.finding import Finding
from mcp_assay.model.tool import Consent, HintOutcome, Permission, ProposedAnnotations
from mcp_assay.rules.definition.surface import Surface
from mcp_assay.spec.selection import chosen, require_rules
from mcp_assay.text.redaction import Redactor
from mcp_assay.validate.options import KNOWN_RULES

if TYPE_CHECKING:
    from mcp_assay.rules.probe.reads import ReadOutcome


class AssessmentContext(Struct, frozen=True, kw_only=True):
    """What every stage of an assessment works with: whom, how, and where its results go."""

    target: Target
    options: AssessOptions
    redactor: Redactor
    listener: Listener
    """Hears of everything as it happens."""
    outcomes: RuleOutcomes
    deadline: Deadline
    """When all of it must be over."""
    free_runs: tuple[ToolRun, ...] = ()
    """The calls of a run that nothing restricted, where this one is held to the least policy."""


class Connected(Struct, frozen=True, kw_only=True):
    """Whom we are connected to."""

    revision: str
    server_info: dict[str, Any] | None = None
    capabilities: dict[str, Any] | None = None
    """What the server says that it has; None where it was never asked with success."""
    offered: tuple[str, ...] = ()


class Listed(Struct, frozen=True, kw_only=True):
    """What the server lists."""

    surface: Surface = Surface()
    tool_pages: int = 0
    """In how many pages the tools were listed."""
    unlisted: Mapping[str, str] = {}
    """Why a list did not come whole, by what it lists."""

    def tools(self) -> list[dict[str, Any]]:
        """The tools that can be called at all, each name once, those that list first."""
        from mcp_assay.scenario.plan import listing_first  # noqa: PLC0415  loaded by a stage

        return listing_first(self.definitions().values())

    def is_duplicate(self, name: str) -> bool:
        """Whether several tools have this name."""
        known = [one for one in self.surface.tools if isinstance(one, dict)]
        return len([one for one in known if one.get("name") == name]) > 1

    def definitions(self) -> dict[str, dict[str, Any]]:
        """The latest definition of every tool that has a name."""
        return by_name(self.surface.tools)


class Permitted(Struct, frozen=True, kw_only=True):
    """Which tools may be called, and what the user answered about that."""

    permissions: Mapping[str, Permission] = {}
    consent: Consent | None = None

    def may_call(self, tool: str) -> bool:
        """Whether a tool may be called."""
        permission = self.permissions.get(tool)
        return permission is not None and permission.allowed


class Probed(Struct, frozen=True, kw_only=True):
    """What single messages showed in the conversations of probes."""

    observed: tuple[Finding, ...] = ()
    signs: frozenset[str] = frozenset()
    """What answers to probes show of the library that the server is built with."""


class Read(Struct, frozen=True, kw_only=True):
    """What came of each resource, template and prompt, by its kind and what it is had by."""

    outcomes: Mapping[tuple[str, str], ReadOutcome] = {}


class Called(Struct, frozen=True, kw_only=True):
    """What came of the calls of tools."""

    listed: Listed | None = None
    """What the server lists now, where tools were called: they may have become others."""
    permitted: Permitted | None = None
    """Which of them may be called now."""
    runs: tuple[ToolRun, ...] = ()
    """The calls of each tool by its latest definition."""
    earlier: tuple[ToolRun, ...] = ()
    """Those by definitions that changed during the run."""
    hints: Mapping[str, Mapping[str, HintOutcome]] = {}
    """By tool, what came of each hint that could be held against what others see."""
    proposed: Mapping[str, ProposedAnnotations] = {}
    """By tool, the annotations that its calls support."""
    compared: tuple[Call, ...] = ()
    """Calls that were made to see what others change."""


class Proved(Struct, frozen=True, kw_only=True):
    """What calls do to the machine for certain: in fresh worlds, twice, and not without them."""

    records: tuple[EffectRecord, ...] = ()
    """By tool, the calls that have shown something; without a tool, the start."""
    unproven: Mapping[str, str] = {}
    """By rule, why it is not known of some tools whether they break it."""
    tried: frozenset[str] = frozenset()
    """The rules for which calls were made that would have shown a fault."""


class RunEnding(Struct, frozen=True, kw_only=True):
    """What ended a run before it was through."""

    cut_after: float | None = None
    """The seconds after which --max-time ended the run, where it did."""
    is_interrupted: bool = False
    lost: str | None = None
    """Why a server that had died could not be started again, where it could not."""
    unreached: str | None = None
    """Why no session could be opened with the server, where none could."""
    not_opened: NotOpened = "not_reached"
    """Whether it did not answer then, or answered otherwise."""


class StageParts(Struct, frozen=True, kw_only=True):
    """The parts that the stages have made up to now."""

    listed: Listed = Listed()
    permitted: Permitted = Permitted()
    probed: Probed = Probed()
    read: Read = Read()
    called: Called = Called()
    proved: Proved = Proved()


class AssessmentState(StageParts, frozen=True, kw_only=True):
    """What was found out about one server up to now."""

    context: AssessmentContext
    connection: Connection | None = None
    """Who counted the messages, where there was a connection at all."""
    connected: Connected | None = None
    ending: RunEnding = RunEnding()

    @property
    def options(self) -> AssessOptions:
        """How the server is assessed."""
        return self.context.options

    @property
    def target(self) -> Target:
        """Whom we assess."""
        return self.context.target

    @property
    def outcomes(self) -> RuleOutcomes:
        """What the stages found, decided and left open."""
        return self.context.outcomes

    @property
    def capabilities(self) -> dict[str, Any] | None:
        """What the server says that it has; None where it was never asked with success."""
        return self.connected.capabilities if self.connected else None

    @property
    def revision(self) -> str | None:
        """The revision that both sides speak, None where nothing was agreed on."""
        return self.connected.revision if self.connected else None

    @property
    def permissions(self) -> Mapping[str, Permission]:
        """Which tools may be called, and why."""
        return self.permitted.permissions

    def all_runs(self) -> list[ToolRun]:
        """The calls of all tools, also those by definitions that changed during the run."""
        return [*self.called.earlier, *self.called.runs]

    @property
    def tools_succeeded(self) -> int:
        """How many tools had a valid call that succeeded."""
        calls = (call for run in self.all_runs() for call in run.calls)
        return len({call.scenario.tool for call in calls if call.verdict.succeeded})

    @property
    def has_too_few(self) -> bool:
        """Whether fewer tools succeeded than the user wants."""
        return self.tools_succeeded < self.options.tools_wanted(len(self.listed.surface.tools))

    @property
    def is_incomplete(self) -> bool:
        """Whether the run did not show what it was to show."""
        ending, surface = self.ending, self.listed.surface
        if self.outcomes.own_faults:
            return True
        if ending.cut_after is not None or ending.is_interrupted or ending.lost:
            return True
        if self.connected is None or surface.is_unlisted:
            return True
        if self.options.calls == "none" or self.options.dry_run or not surface.tools:
            return False
        return not self.tools_succeeded


def context_of(
    target: Target,
    options: AssessOptions,
    listener: Listener | None = None,
    free_runs: Iterable[ToolRun] = (),
) -> AssessmentContext:
    """What the stages work with; raises ValueError where the options name no rule."""
    require_rules((*options.select, *options.ignore), KNOWN_RULES)
    wanted = chosen(KNOWN_RULES, options.select, options.ignore)
    redactor = Redactor((*options.secrets, *secrets_of(target)))
    listener = listener or Nobody()
    return AssessmentContext(
        target=target,
        options=options,
        redactor=redactor,
        listener=listener,
        outcomes=RuleOutcomes(wanted, redactor, listener, options.max_findings),
        deadline=Deadline(options.max_time),
        free_runs=tuple(free_runs),
    )


def by_name(tools: Iterable[Any]) -> dict[str, dict[str, Any]]:
    """The definitions that have a name; of those with the same, the last."""
    return {
        tool["name"]: tool
        for tool in tools
        if isinstance(tool, dict) and isinstance(tool.get("name"), str)
    }
