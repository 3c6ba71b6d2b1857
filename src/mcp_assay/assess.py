"""A server -> its definitions, its answers -> Report: what `mcp-assay assess` does.

Connect, list, judge the definitions, call what may be called, judge what comes back, shrink what
fails, and say what was not tried.
"""

from __future__ import annotations

import asyncio
import json
import shlex
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from typing import Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from mcp_assay import __version__
from mcp_assay.drive.answer import Kind
from mcp_assay.drive.connection import Connection, connect
from mcp_assay.drive.gate import Calls, Gate, Permission
from mcp_assay.drive.target import AUTO, Bounds, Command, Options, Target
from mcp_assay.drive.trying import SHRUNK, Trier
from mcp_assay.intake.late_worker import LateWorker
from mcp_assay.intake.profiles import KNOWN_RULES
from mcp_assay.judge.status import judge_tool
from mcp_assay.model.call import Call, Trial
from mcp_assay.model.finding import Finding
from mcp_assay.model.report import (
    Limit,
    Report,
    ReportSubject,
    RunOutcome,
    Summary,
    Timing,
    ToolVersion,
)
from mcp_assay.model.scenario import Scenario
from mcp_assay.model.verdict import JudgedCall, ToolVerdict
from mcp_assay.report.checks import Scope, checks
from mcp_assay.report.selection import chosen, require_rules
from mcp_assay.report.tally import DEFAULT_MAX_FINDINGS, Tally
from mcp_assay.responses import Judge
from mcp_assay.rules.behaviour.judging import judge_trial
from mcp_assay.rules.behaviour.trial import RULES
from mcp_assay.rules.definitions.judging import Linter
from mcp_assay.rules.definitions.size import measure
from mcp_assay.rules.definitions.surface import Surface
from mcp_assay.scenario.ordering import listing_first
from mcp_assay.scenario.values import Values
from mcp_assay.schema.checking import Schemas
from mcp_assay.transport.links import NotReached

__all__ = ["AssessOptions", "Assessment", "NotReached", "Told", "assess"]

KINDS: Final[tuple[Kind, ...]] = ("tools", "resources", "templates", "prompts")
NOT_ASKED: Final = "no probe asks for it"
NOT_CALLED: Final = "no tool was called"
MOST_SHRINKS: Final = 40
"""So many calls are made to find the smallest one that fails in the same way."""

Ask: TypeAlias = Callable[[list[tuple[str, Permission]]], Iterable[str]]
"""Shows the tools that are not called, and gives the names of those that may be."""
Told: TypeAlias = Callable[[Call], None]
Way: TypeAlias = tuple[str | None, bool | None]
"""How a call fails: its trouble, and whether its arguments were valid."""


class AssessOptions(Struct, frozen=True, kw_only=True):
    """How to assess a server, and what to report."""

    revision: str = AUTO
    calls: Calls = "safe"
    allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()
    seed: int = 0
    max_calls: int = 50
    timeout: float = 10.0
    max_time: float = 120.0
    only: str | None = None
    args: dict[str, Any] | None = None
    dry_run: bool = False
    shrink: bool = True
    examples: Mapping[str, Any] = {}
    """What the user says about tools, by name: valid, invalid and values."""
    answers: Mapping[str, Any] = {}
    """Results for what the server may ask of a client, by method."""
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    max_findings: int = DEFAULT_MAX_FINDINGS
    fail_on: Literal["error", "warning", "never"] = "error"


def assess(
    target: Target, options: AssessOptions | None = None, judge: Judge | None = None
) -> Report:
    """Assess a server and report what really works; raises NotReached where there is none.

    Nothing that a server does makes this raise otherwise.
    """
    run = Assessment(target, options or AssessOptions(), judge)
    asyncio.run(run.run())
    return run.report()


class Assessment:
    """One assessment under way: run it, and take its report at any time."""

    def __init__(self, target: Target, options: AssessOptions, judge: Judge | None = None) -> None:
        require_rules((*options.select, *options.ignore), KNOWN_RULES)
        self.options: Final = options
        self.trials: Final[dict[str, Trial]] = {}
        self.permissions: Final[dict[str, Permission]] = {}
        self.interrupted = False
        self.cut = False
        """Whether --max-time ended the run."""
        self._target: Final = target
        self._judge: Final = judge
        self._surface = Surface()
        self._tally: Final = Tally(options.max_findings)
        self._wanted: Final = chosen(KNOWN_RULES, options.select, options.ignore)
        self._linter: Linter | None = None
        self._connection: Connection | None = None
        self._limits: list[Limit] = []
        self._server_info: dict[str, Any] | None = None
        self._revision: str | None = None
        self._offered: list[str] = []
        self._consent: dict[str, Any] | None = None
        self._started: Final = time.time(), time.perf_counter()

    async def run(self, ask: Ask | None = None, told: Told | None = None) -> None:
        """Do all that the options ask for; what was found before an end stays."""
        with closing(LateWorker()) as worker:
            self._linter = Linter(worker=worker)
            connection = await connect(self._target, self._driving())
            self._connection = connection
            try:
                async with connection:
                    await self._within_time(connection, worker, ask, told)
            finally:  # an interruption loses nothing that was heard before it
                self._take(connection)

    async def _within_time(
        self, connection: Connection, worker: LateWorker, ask: Ask | None, told: Told | None
    ) -> None:
        """List, ask and try; the time that the user takes to answer does not count."""
        try:
            async with asyncio.timeout(self.options.max_time):
                await self._list(connection, worker)
            self._permit(ask)
            async with asyncio.timeout(self.options.max_time):
                await self._try_all(connection, worker, told or _nobody)
        except TimeoutError:
            self.cut = True
            effect = "tools that were not called until then, and calls not made"
            name, value = "max-time", int(self.options.max_time)
            self._limits.append(Limit(name=name, value=value, count=1, effect=effect))

    def _driving(self) -> Options:
        return Options(
            revision=self.options.revision,
            bounds=Bounds(call_seconds=self.options.timeout),
            answers=self.options.answers,
        )

    async def _list(self, connection: Connection, worker: LateWorker) -> None:
        """Hear what the server has, and judge its definitions."""
        lists: dict[Kind, list[Any]] = {}
        for kind in KINDS:
            declared = connection.declares(kind)
            lists[kind] = (await connection.list_all(kind)).items if declared else []
        self._surface = Surface(
            tools=lists["tools"],
            resources=lists["resources"],
            templates=lists["templates"],
            prompts=lists["prompts"],
        )
        self._revision = connection.revision
        self._server_info = connection.opened.server_info or None
        self._offered = connection.opened.offered
        self._linter = Linter(connection.revision, worker)
        self._keep(self._linter.findings(self._surface))

    def _permit(self, ask: Ask | None) -> None:
        """Find out which tools may be called; the user may be asked about the rest."""
        options = self.options
        gate = Gate(calls=options.calls, allow=options.allow, deny=options.deny)
        for tool in self._tools():
            self.permissions[tool["name"]] = gate.permission(tool)
        if options.only is not None:
            self._permit_only(options.only)
        closed = [(name, it) for name, it in self.permissions.items() if not it.allowed]
        if ask is not None and closed and options.only is None and not options.dry_run:
            chosen_names = list(ask(closed))
            self._consent = {"allowed": chosen_names}
            for name in chosen_names:
                self.permissions[name] = Permission(True, "allowed on the terminal")

    def _permit_only(self, only: str) -> None:
        given = self.options.args is not None
        for name, known in self.permissions.items():
            if name != only:
                self.permissions[name] = Permission(False, "left out by --only")
            elif given:
                self.permissions[name] = Permission(True, "typed with its arguments")
            else:
                self.permissions[name] = known

    def _tools(self) -> list[dict[str, Any]]:
        """The tools that can be called at all, each name once, those that list first."""
        named = {
            tool["name"]: tool
            for tool in self._surface.tools
            if isinstance(tool, dict) and isinstance(tool.get("name"), str)
        }
        return listing_first(named.values())

    async def _try_all(self, connection: Connection, worker: LateWorker, told: Told) -> None:
        if self.options.dry_run:
            return
        judge = self._judge or Judge(worker=worker)
        trier = Trier(connection, judge.validate_response, Schemas(worker))
        trier.values = Values.given(self.options.examples)
        for tool in self._tools():
            if self.permissions[tool["name"]].allowed:
                await self._try(tool, trier, told)

    async def _try(self, tool: dict[str, Any], trier: Trier, told: Told) -> None:
        """Try a tool; what its calls showed before an interruption is kept."""
        trial = self.trials[tool["name"]] = Trial(tool=tool)
        smallest: dict[Way, Call] = {}
        try:
            await self._call(trial, trier, told)
            smallest = await self._shrunk(trial, trier)
        finally:
            for finding in judge_trial(trial, self._revision or ""):
                self._keep([self._with_repeat(finding, trial, smallest)])

    async def _call(self, trial: Trial, trier: Trier, told: Told) -> None:
        options = self.options
        if options.args is None:
            await trier.try_out(trial, seed=options.seed, budget=options.max_calls, told=told)
        else:
            scenario = _typed(trial.tool, options.args, Schemas())
            trial.calls.append(await trier.called(trial.tool, scenario))

    async def _shrunk(self, trial: Trial, trier: Trier) -> dict[Way, Call]:
        """For each way in which calls of a trial fail the smallest one that does."""
        found: dict[Way, Call] = {}
        for call in trial.calls:
            if call.verdict.trouble not in SHRUNK or _way(call) in found:
                continue
            found[_way(call)] = call
            if self.options.shrink and self.options.args is None:
                found[_way(call)] = await trier.smallest(trial.tool, call, MOST_SHRINKS)
        return found

    def _with_repeat(self, finding: Finding, trial: Trial, smallest: Mapping[Way, Call]) -> Finding:
        """The finding with the smallest call that shows it, and the command that repeats it."""
        if finding.where.call is None:
            return finding
        call = next(one for one in trial.calls if one.number == finding.where.call)
        call = smallest.get(_way(call), call)
        arguments = json.dumps(call.scenario.arguments, ensure_ascii=False)
        details = {"smallest": call.scenario.arguments, "repeat": self._command(trial, arguments)}
        return replace(finding, details=details)

    def _command(self, trial: Trial, arguments: str) -> str:
        ours = ["mcp-assay", "assess", "--only", trial.name, "--args", arguments]
        if isinstance(self._target, Command):
            return shlex.join([*ours, "--", *self._target.command])
        return shlex.join([*ours, self._target.url])

    def _keep(self, findings: Iterable[Finding]) -> None:
        for finding in findings:
            if finding.rule in self._wanted:
                self._tally.add(finding)

    def _take(self, connection: Connection) -> None:
        """What the whole conversation showed, once it is over."""
        self._keep(connection.findings())
        self._limits += connection.limits()

    def report(self) -> Report:
        """What was found out up to now."""
        size, counted = measure(self._surface), self._tally.severities
        tools = [self._tool_report(tool) for tool in self._tools()]
        return Report(
            tool=ToolVersion(name="mcp-assay", version=__version__),
            subject=replace(self._named(), surface_sha256=size.sha256),
            revision=self._revision,
            revisions_offered=self._offered,
            options=msgspec.to_builtins(self.options),
            seed=self.options.seed,
            consent=self._consent,
            summary=Summary(
                outcome=self._outcome(),
                errors=counted["error"],
                warnings=counted["warning"],
                infos=counted["info"],
                messages=self._connection.overheard.messages if self._connection else 0,
                sessions=self._connection.starts if self._connection else 0,
                confidence=_mean(tools),
                tools_listed=len(self._surface.tools),
                tools_called=sum(bool(trial.calls) for trial in self.trials.values()),
                tools_succeeded=sum(tool["succeeded"] > 0 for tool in tools),
            ),
            findings=self._tally.kept,
            checks=list(checks(KNOWN_RULES.values(), self._scope(), self._tally)),
            causes=self._tally.causes(),
            tools=tools,
            surface=msgspec.to_builtins(size),
            calls=[_call_report(call) for trial in self.trials.values() for call in trial.calls],
            limits=[*self._limits, *self._tally.limits()],
            timing=self._timing(),
        )

    def _named(self) -> ReportSubject:
        named = ReportSubject(kind="server", server_info=self._server_info)
        if isinstance(self._target, Command):
            return replace(named, command=list(self._target.command))
        return replace(named, url=self._target.url)

    def _tool_report(self, tool: dict[str, Any]) -> dict[str, Any]:
        name = tool["name"]
        trial = self.trials.get(name)
        permission = self.permissions.get(name, Permission(False, "the run ended before"))
        verdict = _status(trial, permission)
        told: dict[str, Any] = msgspec.to_builtins(verdict)
        scenarios = [
            {"name": call.scenario.name, "outcome": call.verdict.outcome} for call in _calls(trial)
        ]
        return {"name": name, **told, "scenarios": scenarios, "coverage": _coverage(trial)}

    def _outcome(self) -> RunOutcome:
        if self.is_incomplete:
            return "incomplete"
        counted = self._tally.severities
        fatal = counted["error"] + (counted["warning"] if self.options.fail_on == "warning" else 0)
        return "fail" if fatal else "pass"

    @property
    def is_incomplete(self) -> bool:
        """Whether the run did not show what it was to show."""
        if self.cut or self.interrupted or self._connection is None:
            return True
        if self.options.calls == "none" or self.options.dry_run or not self._surface.tools:
            return False
        return not any(
            call.verdict.succeeded for trial in self.trials.values() for call in trial.calls
        )

    def _scope(self) -> Scope:
        left_open: Counter[tuple[str, str]] = Counter()
        decided: set[str] = set()
        if self._connection is not None:
            decided |= set(self._connection.overheard.ledger.decided())
        if self._linter is not None:
            decided |= self._linter.decided
        if any(trial.calls for trial in self.trials.values()):
            decided |= {rule.id for rule in RULES}
        reason = NOT_ASKED if self.trials else NOT_CALLED
        left_open.update((entry, reason) for entry in KNOWN_RULES if entry not in decided)
        return Scope(
            revisions=[self._revision] if self._revision else [],
            decided=decided,
            wanted=self._wanted,
            messages=1,
            duplicates=True,
            session_rules=decided,
            left_open=left_open,
        )

    def _timing(self) -> Timing:
        started, clock = self._started
        moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(started))
        return Timing(started=moment, seconds=round(time.perf_counter() - clock, 6))


def _way(call: Call) -> Way:
    return call.verdict.trouble, call.scenario.valid


def _nobody(_: Call) -> None:
    """Tell nobody."""


def _typed(tool: dict[str, Any], arguments: dict[str, Any], schemas: Schemas) -> Scenario:
    outcome = schemas.prepare(tool.get("inputSchema", {})).check(arguments).outcome
    valid = None if outcome == "undecided" else outcome == "valid"
    category: Final = "happy_path" if valid else "error_case"
    name = str(tool.get("name", ""))
    return Scenario(tool=name, name="typed", category=category, arguments=arguments, valid=valid)


def _status(trial: Trial | None, permission: Permission) -> ToolVerdict:
    calls = [
        JudgedCall(
            valid_arguments=bool(call.scenario.valid),
            ending=call.answer.ending,
            result=call.result,
            error_code=call.answer.error.get("code") if call.answer.error else None,
        )
        for call in _calls(trial)
        if call.scenario.valid is not None
    ]
    return judge_tool(calls, permission.reason)


def _calls(trial: Trial | None) -> list[Call]:
    return trial.calls if trial else []


def _coverage(trial: Trial | None) -> dict[str, Any]:
    """What the calls of a tool reached, and what they did not."""
    calls = _calls(trial)
    return {
        "valid_calls": sum(bool(call.scenario.valid) for call in calls),
        "invalid_calls": sum(call.scenario.valid is False for call in calls),
        "not_reached": trial.gaps if trial else [],
    }


def _call_report(call: Call) -> dict[str, Any]:
    return {
        "number": call.number,
        "tool": call.scenario.tool,
        "scenario": call.scenario.name,
        "arguments": call.scenario.arguments,
        "valid": call.scenario.valid,
        "outcome": call.verdict.outcome,
        "trouble": call.verdict.trouble,
    }


def _mean(tools: list[dict[str, Any]]) -> float | None:
    known = [tool["confidence"] for tool in tools if tool["confidence"] is not None]
    return round(sum(known) / len(known), 1) if known else None
