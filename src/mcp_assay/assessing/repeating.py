"""What a person needs to repeat a failing call: the smallest input, commands, the last words."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeAlias

from msgspec.structs import replace

from mcp_assay.assessing.commands import Commands
from mcp_assay.assessing.dossier import Dossier
from mcp_assay.assessing.typed import typed
from mcp_assay.drive.manner import encode
from mcp_assay.drive.target import Command
from mcp_assay.judge.errors.gist import gist
from mcp_assay.model.call import Call, Trial
from mcp_assay.model.finding import Finding
from mcp_assay.report.plain import shorten
from mcp_assay.rules.behaviour.causes import repeats
from mcp_assay.rules.behaviour.judging import judge_trial
from mcp_assay.rules.behaviour.texts import texts_of
from mcp_assay.rules.words import REDACTED
from mcp_assay.schema.checking import Schemas
from mcp_assay.spec.secrets import holds_secret
from mcp_assay.transport.environment import named_in
from mcp_assay.transport.redaction import Redactor

LONGEST_ANSWER: Final = 200
LOUD: Final = frozenset({"crashed", "died", "no_content", "timed_out", "environment"})
"""Troubles about which a server may have written to standard error."""
SPOKEN: Final = frozenset({"crashed", "environment"})
"""Troubles that an answer tells of in words."""

Way: TypeAlias = tuple[str | None, bool | None]
"""How a call fails: its trouble, and whether its arguments were valid."""


def way_of(call: Call) -> Way:
    """The way in which a call fails."""
    return call.verdict.trouble, call.scenario.valid


class Repeater:
    """Says how calls of one server are repeated."""

    def __init__(self, dossier: Dossier) -> None:
        self._dossier: Final = dossier
        self._commands: Final = Commands(dossier)
        self._schemas: Final = Schemas()
        self._redactor: Final = Redactor(_secrets(dossier))

    def with_repeat(self, finding: Finding, trial: Trial, smallest: Mapping[Way, Call]) -> Finding:
        """The finding with the smallest call that shows it, and the commands that repeat it."""
        call = next((one for one in trial.calls if one.number == finding.where.call), None)
        if call is None:
            return finding
        known = smallest.get(way_of(call))
        alone = (known,) if call.verdict.trouble == "died" else (known, call)
        for one in alone:
            if one is not None and self._shows(finding, trial, one):
                return self._told(finding, one)
        return self._told(finding, call, is_alone=False)

    def with_repeats(self, findings: list[Finding]) -> Iterator[Finding]:
        """What was found in the messages of calls, with the smallest of them that shows it."""
        calls = {call.number: call for it in self._dossier.all_trials() for call in it.calls}
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
        told = {tool: self._told(finding, call) for tool, call in of_tool.items()}
        first, *more = told.values()
        if not more:
            return first
        known = repeats((tool, one.details) for tool, one in told.items())
        return replace(first, details={**(first.details or {}), "repeats": known})

    def _shows(self, finding: Finding, trial: Trial, call: Call) -> bool:
        """Whether this call, typed and made alone, would be told of in the same way."""
        alone = replace(call, scenario=typed(trial.tool, call.scenario.arguments, self._schemas))
        judged = judge_trial(
            Trial(tool=trial.tool, calls=[alone], places=trial.places), finding.revision
        )
        return any(one.rule == finding.rule for one in judged)

    def _told(self, finding: Finding, call: Call, *, is_alone: bool = True) -> Finding:
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
        if trouble in LOUD and (line := gist(call.answer.stderr)):
            yield "stderr", self._safe(line)
        if call.answer.exit_code is not None:
            yield "exit", _exit(call.answer.exit_code)

    def _without_secrets(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """The arguments as they were sent, but for secrets of the user's."""
        text = json.dumps(arguments)
        shown = self._redactor.line(text)
        return arguments if shown == text else json.loads(shown)

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


def _secrets(dossier: Dossier) -> Iterator[str]:
    target = dossier.target
    named = named_in(target.environment) if isinstance(target, Command) else target.headers
    yield from named.values()
