"""`python -m tools.real_servers`: assess the real servers, and write docs/real-servers.md anew.

Every finding was looked at by hand; the tables here say why those that remain are true.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from mcp_assay.model.finding import Finding, Severity
from mcp_assay.model.report import Report
from tools.real_subjects import ERAS, SUBJECTS, Subject, assessed
from tools.servers import ROOT

UNSEEN: Final = "Nobody has looked at this yet."
PAGE: Final = ROOT / "docs" / "real-servers.md"
HEAD: Final = """\
<!-- Written by `python -m tools.real_servers`; change that instead. -->
# Real servers

What `mcp-assay assess` says about servers that people use, and why it is true. `make servers`
installs them from pinned files; each works in an empty folder of its own, and the tools that change
something were allowed only where that folder is all they can change. The shelf is a small server of
ours, the same on three libraries: the low level and MCPServer of the official SDK, and FastMCP.

| server | version | revision | tools succeeded, called, listed | errors | warnings | infos |
|---|---|---|---|---|---|---|
"""

SERVED_FROM_ELSEWHERE: Final = "A POST whose Origin is a page of another site is served."
TRUE_ERRORS: Final[Mapping[str, Mapping[str, str]]] = {
    "mcp-server-sqlite": {
        "JSONRPC-033": "The server uses version 1 of the SDK, which answers an unknown method "
        "as if its parameters were wrong.",
        "CAP-006": "append_insight sends notifications/resources/updated, and the capabilities "
        "that the server declared have no resources.subscribe.",
    },
    "server-everything over HTTP": {
        "HTTP-024": "A session that was ended is answered with status 400, as if its id were "
        "missing; only 404 tells a client to start a new session.",
        "HTTP-039": f"{SERVED_FROM_ELSEWHERE} It allows every origin.",
        "HTTP-019": "Its event store repeats whatever came after the given event, of every stream.",
    },
    **{
        f"shelf on fastmcp over http, {era}": {
            "HTTP-039": f"{SERVED_FROM_ELSEWHERE} FastMCP looks at Origin only where "
            "host_origin_protection is set."
        }
        for era in ERAS
    },
}
"""For each server: rules that it breaks, and what shows it. No other error may be found."""

TRUE_INFOS: Final[Mapping[str, str]] = {
    "LEAK-002": "get-env shows the whole environment; a refusal of the time server names the file "
    "of its time zones.",
    "LIFE-015": "The TypeScript SDK serves lists before initialize; clients should not ask.",
    "LINT-104": "trigger-long-running-operation declares itself read-only; the word is doubtful.",
    "LINT-105": "Some arguments have no description.",
    "LINT-106": "None of its tools has annotations.",
    "LINT-109": "count_books counts the books: its description says no more than its name.",
    "PAGE-002": "A server that never gives a cursor takes any, and lists everything.",
    "RESP-001": "git_branch answers with an empty text where no branch has what was asked for.",
    "RESP-004": "describe_table puts the name into its SQL as it comes: a table called "
    'another-example gives the error near "-": syntax error, and worse could be sent.',
    "RESP-008": "get-resource-reference tells the time of the call.",
    "RESP-011": "The error is empty, or says only that something failed.",
    "SCEN-001": "No commit, branch or tag has the name made up for git_diff; move_file needs a "
    "free name.",
    "SCEN-002": "What was left out is said: very large values, or more scenarios than calls.",
    "TOOL-018": "idempotentHint says something only of tools that are not read-only.",
}
"""What these servers are only told, and what shows it."""

TRUE_WARNINGS: Final[Mapping[str, str]] = {
    "CALL-004": "read_media_file answers with structuredContent, and with no text that repeats it.",
    "CALL-008": "read_media_file embeds resources, and the server declares no resources.",
    "CALL-006": "The libraries answer a call to an unknown tool with a result.",
    "CALL-007": 'The call with a converted value succeeds: "3" for an integer.',
    "COMP-003": "The TypeScript SDK answers wrong parameters with an internal error, -32603.",
    "DRIFT-003": 'pydantic takes "3" where the schema says integer, unless a model is strict.',
    "HTTP-040": "A POST that names a foreign Host is served by a server on this machine.",
    "JSONRPC-013": "What is refused before its id is looked at is answered with an id of null.",
    "JSONRPC-015": "The message is a list of faults written out as JSON, over several lines.",
    "JSONRPC-031": "Over stdio the libraries do not respond to invalid JSON.",
    "JSONRPC-032": "Over stdio nothing is answered to a request whose method is a number, over "
    "HTTP -32602 or -32700.",
    "JSONRPC-034": "The TypeScript SDK answers wrong parameters with an internal error, -32603.",
    "LOG-005": "The TypeScript SDK answers wrong parameters with an internal error, -32603.",
    "PROMPT-003": "The Python libraries answer with error 0 or -32603, not with -32602.",
    "PROMPT-004": "The Python libraries answer with error 0 or -32603, not with -32602.",
    "RES-006": "Before 2026-07-28 the code for a resource that does not exist is -32002.",
    "RESP-003": "All that the text says is that something failed, and isError is not set.",
    "TASK-008": "A tool without tasks is refused with -32602; -32601 is recommended.",
    "TOOL-019": "The libraries write an empty object without additionalProperties: false.",
}
"""Rules of severity warning that these servers do not follow, and what shows it."""


def main() -> None:
    """Assess every server and write the page."""
    with tempfile.TemporaryDirectory() as folder:
        reports = {name: _report(name, it, Path(folder)) for name, it in SUBJECTS.items()}
    PAGE.write_text(page(reports), "utf-8")


def _report(name: str, subject: Subject, folder: Path) -> Report:
    print(name, file=sys.stderr)
    return assessed(subject, folder / "server")[0]


def page(reports: Mapping[str, Report]) -> str:
    """The page about these reports."""
    rows = "".join(_row(name, report) for name, report in reports.items())
    errors = "".join(_errors(reports))
    warnings = "".join(_by_rule(reports, "warning", TRUE_WARNINGS))
    infos = "".join(_by_rule(reports, "info", TRUE_INFOS))
    return f"{HEAD}{rows}\n## Errors\n\n{errors}\n## Warnings\n\n{warnings}\n## Infos\n\n{infos}"


def _row(name: str, report: Report) -> str:
    said = report.summary
    tools = f"{said.tools_succeeded}, {said.tools_called}, {said.tools_listed}"
    counted = f"{said.errors} | {said.warnings} | {said.infos}"
    return f"| {name} | {SUBJECTS[name].version} | {report.revision} | {tools} | {counted} |\n"


def _errors(reports: Mapping[str, Report]) -> Iterator[str]:
    for name, report in reports.items():
        for found in _of(report, "error"):
            reason = TRUE_ERRORS.get(name, {}).get(found.rule, UNSEEN)
            times = f", {found.count} times" if found.count > 1 else ""
            yield f"- **{name}**, {_link(found)}{times}: {found.message} {reason}\n"


def _by_rule(
    reports: Mapping[str, Report], severity: Severity, reasons: Mapping[str, str]
) -> Iterator[str]:
    """One line for each rule, with the servers that do not follow it."""
    reported: dict[str, dict[str, Finding]] = {}
    for name, report in reports.items():
        for found in _of(report, severity):
            reported.setdefault(found.rule, {}).setdefault(name.split(",")[0], found)
    for rule, servers in sorted(reported.items()):
        reason = reasons.get(rule, UNSEEN)
        yield f"- {_link(next(iter(servers.values())))}, {', '.join(servers)}: {reason}\n"


def _of(report: Report, severity: Severity) -> list[Finding]:
    return [found for found in report.findings if found.severity == severity]


def _link(found: Finding) -> str:
    return f"[{found.rule}](rules/{found.rule}.md) {found.name}"


if __name__ == "__main__":
    main()
