"""What a person needs to repeat a failing call: the smallest input, and the command for it."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from msgspec.structs import replace

from mcp_assay.drive.target import Command, Target
from mcp_assay.model.call import Call, Trial
from mcp_assay.model.finding import Finding

Way: TypeAlias = tuple[str | None, bool | None]
"""How a call fails: its trouble, and whether its arguments were valid."""


def way_of(call: Call) -> Way:
    """The way in which a call fails."""
    return call.verdict.trouble, call.scenario.valid


class Repeater:
    """Says how calls of one server are repeated."""

    def __init__(self, target: Target) -> None:
        self._target: Final = target

    def with_repeat(self, finding: Finding, trial: Trial, smallest: Mapping[Way, Call]) -> Finding:
        """The finding with the smallest call that shows it, and the command that repeats it."""
        if finding.where.call is None:
            return finding
        call = next(one for one in trial.calls if one.number == finding.where.call)
        arguments = smallest.get(way_of(call), call).scenario.arguments
        repeat = self._command(trial.name, arguments)
        return replace(finding, details={"smallest": arguments, "repeat": repeat})

    def _command(self, tool: str, arguments: dict[str, Any]) -> str:
        typed = json.dumps(arguments, ensure_ascii=False)
        ours = ["mcp-assay", "assess", "--only", tool, "--args", typed]
        if self._target.typed:
            return shlex.join([*ours, *self._target.typed])
        if isinstance(self._target, Command):
            return shlex.join([*ours, "--", *self._target.command])
        return shlex.join([*ours, self._target.url])
