"""How a person makes a call again: with mcp-assay, with a raw line, or with curl. No secrets."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from mcp_assay.assessing.dossier import Dossier
from mcp_assay.assessing.options import AssessOptions
from mcp_assay.drive.gate import READ_ONLY
from mcp_assay.drive.manner import Manner, message
from mcp_assay.drive.secrets import shown_url, shown_words
from mcp_assay.drive.target import AUTO, Command, Target
from mcp_assay.report.plain import as_typed, plain_json_text
from mcp_assay.rules.words import REDACTED
from mcp_assay.spec.revisions import R2024_11_05, R2026_07_28
from mcp_assay.transport.environment import named_in

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
    f"send initialize first and put its Mcp-Session-Id in place of {SESSION}; "
    "leave that header out where none was given"
)


class Commands:
    """Says how calls of one server are made again."""

    def __init__(self, dossier: Dossier) -> None:
        self._dossier: Final = dossier
        self._manner: Final = Manner(dossier.revision or R2024_11_05, dossier.options.answers)
        self._manner.learn(list(dossier.surface.tools))

    def call(self, tool: str, arguments: Mapping[str, Any]) -> str:
        """The command that makes one call."""
        text = plain_json_text(json.dumps(arguments, ensure_ascii=False))
        return self._line("--only", tool, "--args", text)

    def all_calls(self, tool: str) -> str:
        """The command that makes all calls of a tool, for what one call does not show."""
        return self._line("--only", tool, *self._to_try(tool))

    def raw(self, tool: str, arguments: Mapping[str, Any]) -> dict[str, str]:
        """The same call without mcp-assay, by the names that the details of a finding have."""
        params = self._manner.params({"name": tool, "arguments": arguments}, None)
        text = plain_json_text(message("tools/call", params, 1).decode(errors="replace"))
        target, revision = self._dossier.target, self._manner.revision
        is_stateless = revision >= R2026_07_28
        if isinstance(target, Command):
            return {"raw": text} if is_stateless else {"raw": text, "needs": AFTER_HANDSHAKE}
        if revision == R2024_11_05:
            return {"raw": text}
        headers = {**POSTED, **self._manner.headers("tools/call", params)}
        headers |= {} if is_stateless else {"Mcp-Session-Id": SESSION}
        headers |= dict.fromkeys(target.headers, REDACTED)
        given = [word for name, value in headers.items() for word in ("-H", f"{name}: {value}")]
        words = ["curl", "-sS", "-N", shown_url(target.url), *given, "--data-raw", text]
        return {"curl": as_typed(*words)} | ({} if is_stateless else {"needs": IN_SESSION})

    def _line(self, *what: str) -> str:
        before, after = _server(self._dossier.target)
        options = self._dossier.options
        talk: list[str] = []
        if options.revision != AUTO:
            talk += ["--revision", options.revision]
        if options.timeout != DEFAULT.timeout:
            talk += ["--timeout", f"{options.timeout:g}"]
        return as_typed("mcp-assay", *before, *what, *talk, *after)

    def _to_try(self, tool: str) -> Iterator[str]:
        """The options without which other calls would be made, or none."""
        options, permission = self._dossier.options, self._dossier.permissions.get(tool)
        if permission is not None and permission.reason != READ_ONLY:
            yield from ("--allow", tool)
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
    """The options that name a server, for its report: of variables and headers the names alone."""
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
