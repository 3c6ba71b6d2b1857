"""Report -> what must be typed to make the same run again, without any secret."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from msgspec import Struct

from mcp_assay.model.report import CommandName, Report
from mcp_assay.text.words import REDACTED

__all__ = ["REDACTED", "Rerun", "rerun_of"]

HIDDEN: Final = "redacted"
"""What stands in an address, with or without brackets, where there was a secret."""
STANDARD_INPUT: Final = "-"
CONNECTION_OPTIONS: Final[Mapping[str, Any]] = {
    "revision": "auto",
    "timeout": 10.0,
    "config": None,
    "server": None,
    "env": [],
    "sandbox": None,
    "sandbox_allow": [],
    "sandbox_show": [],
    "world": None,
}
"""The options of assess and lint that say how to reach a server, and their defaults."""
CALLING: Final[Mapping[str, Any]] = {
    "calls": "safe",
    "allow": [],
    "deny": [],
    "seed": 0,
    "max_calls": 50,
    "max_time": 120.0,
    "examples_file": None,
}
"""The options of assess that decide which calls are made."""
JUDGING: Final[Mapping[str, Any]] = {
    "profile": "mcp",
    "revision": "auto",
    "direction": None,
    "dialect": "mcp",
    "partial": False,
    "map": {},
    "fast": False,
}
"""The options of validate that decide what is found."""
LINTING: Final[Mapping[str, Any]] = {"revision": "auto"}
SPELT: Final = {"examples_file": "examples"}
NOT_KEPT: Final = "its messages came from stdin"
LONGEST_WORD: Final = 100_000
"""Characters of a word that a system takes."""
TOO_LONG: Final = "its command is too long"
LIVE: Final = "its messages were live traffic; use --record and validate the file"


class Rerun(Struct, frozen=True, kw_only=True):
    """A run to be made again."""

    command: CommandName
    subject: list[str]
    """The words that name the server, or the files."""
    talking: list[str] = []
    options: list[str] = []
    headers: dict[str, str] = {}
    """For each header the variable that holds its value."""
    secrets: list[str] = []
    """The variables that stand as ${NAME} in the words of the subject."""
    against: str = ""
    """Why it cannot be made again, where it cannot."""


def rerun_of(report: Report) -> Rerun:
    """How the run of a report is made again."""
    rerun = _of_server(report) if report.subject.kind == "server" else _of_files(report)
    words = (*rerun.subject, *rerun.talking, *rerun.options, *rerun.headers)
    if any(len(word) > LONGEST_WORD for word in words):
        return Rerun(command=rerun.command, subject=[], against=TOO_LONG)
    return rerun


def _of_files(report: Report) -> Rerun:
    options = report.options
    files = [f"./{file}" if file.startswith("-") else file for file in options.get("files") or ()]
    against = LIVE if not files else NOT_KEPT if STANDARD_INPUT in options["files"] else ""
    words = list(_words(options, JUDGING if report.command == "validate" else LINTING))
    return Rerun(command=report.command, subject=files, options=words, against=against)


def _of_server(report: Report) -> Rerun:
    options, secrets = report.options, list[str]()
    is_assessment = report.command == "assess"
    headers = {name: f"MCP_ASSAY_HEADER_{_upper(name)}" for name in options.get("header") or ()}
    return Rerun(
        command=report.command,
        subject=[] if options.get("config") else list(_server(report, secrets)),
        talking=list(_words(options, CONNECTION_OPTIONS)),
        options=[*_calling(options), *_consented(report)] if is_assessment else [],
        headers=headers,
        secrets=secrets,
    )


def _consented(report: Report) -> list[str]:
    """The options for what was answered; those of its world are among the other options."""
    consent = report.consent or {}
    if not consent.get("in_world"):
        return list(map(str, consent.get("options") or ()))
    return [word for name in consent.get("allowed") or () for word in ("--allow", str(name))]


def _calling(options: Mapping[str, Any]) -> Iterator[str]:
    """The options that decide which calls are made; a world without network is open to all."""
    is_open = options.get("sandbox") is not None and not options.get("sandbox_allow")
    return _words(options, {**CALLING, "calls": "all"} if is_open else CALLING)


def _server(report: Report, secrets: list[str]) -> Iterator[str]:
    """The words that name a server; what was hidden of them is left to variables."""
    subject = report.subject
    if subject.command is None:
        url = subject.url or ""
        yield _variable("MCP_ASSAY_URL", secrets) if HIDDEN in url else url
        return
    yield "--"
    for number, word in enumerate(subject.command):
        is_hidden = REDACTED in word
        yield _variable(f"MCP_ASSAY_WORD_{number}", secrets) if is_hidden else word


def _variable(name: str, secrets: list[str]) -> str:
    secrets.append(name)
    return f"${{{name}}}"


def _upper(name: str) -> str:
    return re.sub("[^A-Z0-9]+", "_", name.upper())


def _words(options: Mapping[str, Any], table: Mapping[str, Any]) -> Iterator[str]:
    """The options that are not as they are by default, as they are typed."""
    for key, default in table.items():
        value = options.get(key, default)
        name = f"--{SPELT.get(key, key).replace('_', '-')}"
        if value is None or value == default or value == ():
            continue
        if key == "sandbox":
            yield name if value == "auto" else f"{name}={value}"
        elif value is True:
            yield name
        elif isinstance(value, Mapping):
            yield from (word for pair in value.items() for word in (name, "=".join(pair)))
        elif isinstance(value, list | tuple):
            yield from (word for one in value for word in (name, str(one)))
        else:
            yield from (name, f"{value:g}" if isinstance(value, float) else str(value))
