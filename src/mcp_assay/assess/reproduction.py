"""What a person needs to repeat a failing call: the smallest input, commands, the last words."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, TypeAlias

from msgspec.structs import replace

from mcp_assay.assess.options import AssessOptions
from mcp_assay.client.era import Era, encode, message
from mcp_assay.client.sandbox.admission import is_disposable, options_shown, typed_words
from mcp_assay.client.target import Command, Target, named_in
from mcp_assay.client.target_secrets import shown_url, shown_words
from mcp_assay.model.call import Call, ToolRun
from mcp_assay.model.finding import Finding
from mcp_assay.model.scenario import Scenario
from mcp_assay.model.tool import Permission
from mcp_assay.rules.behaviour.causes import repeats
from mcp_assay.rules.behaviour.rule import judge_tool_run
from mcp_assay.rules.behaviour.texts import texts_of
from mcp_assay.schema.checker import SchemaProblem, Schemas
from mcp_assay.spec.revisions import AUTO, R2024_11_05, R2026_07_28
from mcp_assay.text.redaction import Redactor
from mcp_assay.text.safe import as_typed, plain_json_text, shorten
from mcp_assay.text.secrets import holds_secret
from mcp_assay.text.words import REDACTED
from mcp_assay.wire.pointer import pointer

TYPED: Final = "typed"
DIED_LATER: Final = (
    "Catch the errors of what earlier calls left running, such as a promise that is rejected later."
)
TRIED: Final[Mapping[str, str]] = {
    "Type": "wrong type",
    "Enum": "outside the listed values",
    "Constant": "outside the listed values",
    "Required": "required, but missing",
    "AdditionalProperties": "unknown argument",
    "UnevaluatedProperties": "unknown argument",
    "Pattern": "against the pattern",
    "Minimum": "limit: minimum",
    "Maximum": "limit: maximum",
    "ExclusiveMinimum": "limit: exclusiveMinimum",
    "ExclusiveMaximum": "limit: exclusiveMaximum",
    "MultipleOf": "limit: multipleOf",
    "MinLength": "limit: minLength",
    "MaxLength": "limit: maxLength",
    "MinItems": "limit: minItems",
    "MaxItems": "limit: maxItems",
    "UniqueItems": "limit: uniqueItems",
    "MinProperties": "limit: minProperties",
    "MaxProperties": "limit: maxProperties",
}
"""What arguments try that do not fit their schema, by what is wrong with them; the names begin as
those of the scenarios that are made."""


def typed(tool: Mapping[str, Any], arguments: dict[str, Any], schemas: Schemas) -> Scenario:
    """The scenario of these arguments: valid, or wrong in the way that comes first."""
    verdict = schemas.prepare(tool.get("inputSchema", {})).check(arguments)
    valid = None if verdict.outcome == "undecided" else verdict.outcome == "valid"
    problem = verdict.problems[0] if verdict.problems else SchemaProblem((), "")
    return Scenario(
        tool=str(tool.get("name", "")),
        name=TRIED.get(problem.kind, TYPED),
        category="happy_path" if valid else "error_case",
        arguments=arguments,
        valid=valid,
        pointer=pointer(problem.path),
        is_typed=True,
    )


FROM_FILE: Final = "@FILE"
"""Stands for a header's value, which nobody wants on a screen: mcp-assay reads it from a file."""
SESSION: Final = "SESSION"
POSTED: Final[Mapping[str, str]] = {
    "Content-Type": "application/json",
    "Accept": "application/json, text/event-stream",
}
DEFAULT: Final = AssessOptions()
ONE_VALUE: Final = ("--config", "--server")
AFTER_HANDSHAKE: Final = "after initialize and notifications/initialized, on the same pipe"
IN_SESSION: Final = (
    f"send initialize first and replace {SESSION} with its Mcp-Session-Id; omit the header if "
    "there is none"
)


class RepeatCommands:
    """Says how calls of one server are made again."""

    def __init__(
        self,
        target: Target,
        options: AssessOptions,
        revision: str | None,
        tools: Iterable[Any],
        permission_of: Callable[[str], Permission | None],
    ) -> None:
        self._target: Final = target
        self._options: Final = options
        self._permission_of: Final = permission_of
        self._era: Final = Era(revision or R2024_11_05, options.answers)
        self._era.learn(list(tools))

    def call(self, tool: str, arguments: Mapping[str, Any]) -> str:
        """The command that makes one call."""
        text = plain_json_text(json.dumps(arguments, ensure_ascii=False))
        return self._line("--only", tool, "--args", text)

    def all_calls(self, tool: str) -> str:
        """The command that makes all calls of a tool, for what one call does not show."""
        return self._line("--only", tool, *self._to_try(tool))

    def whole_run(self) -> str:
        """The command that makes the calls of all tools that may be called."""
        calls = ("--calls", "likely") if self._options.calls == "likely" else ()
        return self._line(*calls, *self._amount())

    def raw(self, tool: str, arguments: Mapping[str, Any]) -> dict[str, str]:
        """The same call without mcp-assay, by the names that the details of a finding have."""
        params = self._era.params({"name": tool, "arguments": arguments}, None)
        text = plain_json_text(message("tools/call", params, 1).decode(errors="replace"))
        target, revision = self._target, self._era.revision
        is_stateless = revision >= R2026_07_28
        if isinstance(target, Command):
            return {"raw": text} if is_stateless else {"raw": text, "needs": AFTER_HANDSHAKE}
        if revision == R2024_11_05:
            return {"raw": text}
        headers = {**POSTED, **self._era.headers("tools/call", params)}
        headers |= {} if is_stateless else {"Mcp-Session-Id": SESSION}
        headers |= dict.fromkeys(target.headers, REDACTED)
        given = [word for name, value in headers.items() for word in ("-H", f"{name}: {value}")]
        words = ["curl", "-sS", "-N", shown_url(target.url), *given, "--data-raw", text]
        return {"curl": as_typed(*words)} | ({} if is_stateless else {"needs": IN_SESSION})

    def _line(self, *what: str) -> str:
        before, after = _server(self._target)
        options, messages = self._options, list[str]()
        if options.revision != AUTO:
            messages += ["--revision", options.revision]
        if options.timeout != DEFAULT.timeout:
            messages += ["--timeout", f"{options.timeout:g}"]
        world = typed_words(self._target)
        return as_typed("mcp-assay", *before, *world, *what, *messages, *after)

    def _to_try(self, tool: str) -> Iterator[str]:
        """The options without which other calls would be made, or none."""
        options, permission = self._options, self._permission_of(tool)
        is_open = is_disposable(self._target) and options.calls == "all"
        if permission is not None and permission.kind != "read_only" and not is_open:
            yield from ("--allow", tool)
        yield from self._amount()

    def _amount(self) -> Iterator[str]:
        """The options that choose among the calls of a tool."""
        options = self._options
        if options.seed != DEFAULT.seed:
            yield from ("--seed", str(options.seed))
        if options.max_calls != DEFAULT.max_calls:
            yield from ("--max-calls", str(options.max_calls))


def _server(target: Target) -> tuple[list[str], list[str]]:
    """What stands before the options of a call, and what after them."""
    if target.named:
        return list(target.named), []
    if isinstance(target, Command):
        names = [word for name in named_in(target.environment) for word in ("--env", name)]
        return ["assess", *names], ["--", *shown_words(target.command)]
    headers = [w for name in target.headers for w in ("--header", f"{name}: {FROM_FILE}")]
    return ["assess", *headers], [shown_url(target.url)]


def naming_options(target: Target) -> dict[str, Any]:
    """The options that name a server and its world, for its report.

    Of variables and headers the names alone are shown.
    """
    return {**_naming_options(target), **options_shown(target)}


def _naming_options(target: Target) -> dict[str, Any]:
    typed = list(zip(target.named[1::2], target.named[2::2], strict=False))
    if not typed:
        if isinstance(target, Command):
            return {"env": list(named_in(target.environment))}
        return {"header": list(target.headers)}
    return {
        **{option.removeprefix("--"): value for option, value in typed if option in ONE_VALUE},
        "env": [value.partition("=")[0] for option, value in typed if option == "--env"],
        "header": [value.partition(":")[0] for option, value in typed if option == "--header"],
    }


LONGEST_ANSWER: Final = 200
LOUD: Final = frozenset({"crashed", "died", "no_content", "timed_out", "environment"})
"""Troubles about which a server may have written to standard error."""
SPOKEN: Final = frozenset({"crashed", "environment"})
"""Troubles that an answer reports in words."""

Way: TypeAlias = tuple[str | None, bool | None, tuple[str, str] | None]
"""How a call fails: its trouble, whether its arguments were valid, and the bug, where known."""


def way_of(call: Call) -> Way:
    """The way in which a call fails."""
    raised = call.answer.raised if call.verdict.trouble == "crashed" else None
    return call.verdict.trouble, call.scenario.valid, raised.bug if raised else None


class Repeater:
    """Says how calls of one server are repeated."""

    def __init__(self, commands: RepeatCommands, target: Target) -> None:
        self._commands: Final = commands
        self._schemas: Final = Schemas()
        self._redactor: Final = Redactor(_secrets(target))

    def with_repeat(self, finding: Finding, run: ToolRun, smallest: Mapping[Way, Call]) -> Finding:
        """The finding with the smallest call that shows it, and the commands that repeat it."""
        call = next((one for one in run.calls if one.number == finding.where.call), None)
        if call is None:
            return finding
        known = smallest.get(way_of(call))
        alone = (known,) if call.verdict.trouble == "died" else (known, call)
        for one in alone:
            if one is not None and self._shows(finding, run, one):
                return self._with_reproduction(finding, one)
        shown = self._with_reproduction(finding, call, is_alone=False)
        if call.verdict.trouble != "died":
            return shown
        message = f"{finding.message.removesuffix('.')}; the same call alone did not crash it."
        return replace(shown, message=message, fix=DIED_LATER)

    def with_repeats(
        self, findings: Iterable[Finding], runs: Iterable[ToolRun]
    ) -> Iterator[Finding]:
        """What was found in the messages of calls, with the smallest of them that shows it."""
        calls = {call.number: call for run in runs for call in run.calls}
        for finding in findings:
            places = (finding.where, *finding.examples)
            shown = [calls[one.call] for one in places if one.call in calls]
            yield self._by_calls(finding, sorted(shown, key=_size)) if shown else finding

    def _by_calls(self, finding: Finding, calls: list[Call]) -> Finding:
        """The finding with the first of these calls, and with that of each tool, if there are more.

        The smallest comes first.
        """
        of_tool: dict[str, Call] = {}
        for call in calls:
            of_tool.setdefault(call.scenario.tool, call)
        by_tool = {tool: self._with_reproduction(finding, call) for tool, call in of_tool.items()}
        first, *more = by_tool.values()
        if not more:
            return first
        known = repeats((tool, one.details) for tool, one in by_tool.items())
        return replace(first, details={**(first.details or {}), "repeats": known})

    def _shows(self, finding: Finding, run: ToolRun, call: Call) -> bool:
        """Whether this call, typed and made alone, would be reported in the same way."""
        alone = replace(call, scenario=typed(run.tool, call.scenario.arguments, self._schemas))
        judged = judge_tool_run(
            ToolRun(tool=run.tool, calls=(alone,), places=run.places), finding.revision
        )
        return any(one.rule == finding.rule for one in judged)

    def _with_reproduction(self, finding: Finding, call: Call, *, is_alone: bool = True) -> Finding:
        """The finding with its call; one that shows nothing alone is repeated with all others."""
        tool, commands = call.scenario.tool, self._commands
        arguments = self._without_secrets(call.scenario.arguments)
        details = {
            **(finding.details or {}),
            "smallest" if is_alone else "input": arguments,
            "repeat": commands.call(tool, arguments) if is_alone else commands.all_calls(tool),
            **commands.raw(tool, arguments),
            **dict(self._last_words(call)),
        }
        return replace(finding, details=details)

    def _last_words(self, call: Call) -> Iterator[tuple[str, str]]:
        """What the tool and its server said about the trouble that they were in."""
        trouble = call.verdict.trouble
        if trouble in SPOKEN and (said := _said(call)):
            yield "answer", self._safe(shorten(said, LONGEST_ANSWER))
        if trouble in LOUD and call.answer.raised:
            yield "stderr", self._safe(str(call.answer.raised))
        if call.answer.exit_code is not None:
            yield "exit", _exit(call.answer.exit_code)

    def _without_secrets(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """The arguments as they were sent, but for secrets of the user's."""
        shown: dict[str, Any] = self._redactor.lines(arguments)
        return shown

    def _safe(self, text: str) -> str:
        return REDACTED if holds_secret(text) else self._redactor.line(text)


def _said(call: Call) -> str:
    """What an answer says, on one line."""
    message = call.answer.error.get("message") if call.answer.error else None
    texts = [message] if isinstance(message, str) else texts_of(call.answer.result)
    return " ".join(" ".join(texts[:1]).split())


def _exit(code: int) -> str:
    return f"signal {-code}" if code < 0 else f"exit code {code}"


def _size(call: Call) -> int:
    return len(encode(call.scenario.arguments))


def _secrets(target: Target) -> Iterator[str]:
    named = named_in(target.environment) if isinstance(target, Command) else target.headers
    yield from named.values()
