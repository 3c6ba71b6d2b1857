"""The JSON report and the events as a page: every record, its members, and what they say."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from mcp_assay.model import baseline, effect, event, finding, report, surface, tool

NOTE = "<!-- Written by `make docs` from the records themselves; change those instead. -->\n"
HEAD = """# The JSON report

`--format json` and `--report json=PATH` write one object of the form `mcp-assay/report/1`; its JSON
Schema is `mcp_assay/report/report.schema.json` in the package. Every member is always there, but
for those of places (`where`) and of baselines. [Reports](reports.md) shows all forms of a report.
"""
EVENTS = """# The events

`--format jsonl` and `--report jsonl=PATH` write one of these objects a line, of the form
`mcp-assay/events/1`; their JSON Schema is `mcp_assay/report/events.schema.json`. The member `event`
says which it is. `begin` and `summary` are always there; findings and calls come as they are made.
`mcp-assay fleet run` writes `begin` and the events of fleets, the last five, to standard error
where that is no terminal.
"""
WORDS: Mapping[str, str] = {
    "Report.schema": "the form of the report",
    "Report.tool": "who wrote it",
    "Report.subject": "what was judged",
    "Report.revision": "the revision that was spoken, null where there were none or several",
    "Report.revisions_offered": "the revisions that the server offers",
    "Report.options": "the options of the run; of variables and headers the names alone",
    "Report.seed": "what chose the calls",
    "Report.consent": "what was answered to the question about tools, and the options that say so",
    "Report.summary": "the verdict",
    "Report.findings": "all that was found, at most --max-findings",
    "Report.checks": "what became of each rule",
    "Report.causes": "findings of one rule and side, counted together",
    "Report.tools": "name, status and reason of each tool, and the numbers behind them",
    "Report.resources": "each resource that is listed",
    "Report.templates": "each resource template that is listed",
    "Report.prompts": "each prompt that is listed",
    "Report.surface": "what the server lists: its size, its hashes, the definitions",
    "Report.calls": "each call: its tool, scenario, arguments, outcome and answer",
    "Report.sandbox": "the disposable world that the server ran in, null where there was none",
    "Report.limits": "every limit that cut something",
    "Report.baseline": "what became of the findings that the project accepts",
    "Report.timing": "when and how long",
    "BeginEvent.tool": "who writes them",
    "SummaryEvent.subject": "what was judged",
    "ToolEvent.tool": "its row, as in the report",
    "CallEvent.call": "its row, as in the report",
    "ServerEndEvent.errors": "how many errors it has",
    "ServerEndEvent.warnings": "how many warnings it has",
    "ServerEndEvent.verdict": "the verdict in a word",
    "ToolVersion.name": "mcp-assay",
    "Finding.name": "the name of the rule",
    "Offer.reason": "why it has this status",
    "Limit.name": "the name of the limit",
    "ReportSubject.command": "the words that start the server, without secrets",
    "ReportSubject.server_info": "what the server says of itself",
    "ReportSubject.surface_sha256": "the hash of all that it lists",
    "Summary.outcome": "the verdict in a word",
    "Summary.confidence": "how sure it is that the tools work, from 0 to 100",
    "Summary.tools_succeeded": "tools of which a valid call succeeded",
    "Finding.rule": "the id in the catalogue; `mcp-assay explain` says more",
    "Finding.subject": "who is at fault",
    "Finding.message": "what is wrong and where, in a sentence",
    "Finding.pointer": "the JSON Pointer into the message, empty for all of it",
    "Finding.where": "where it was seen",
    "Finding.statement": "the rule in our words",
    "Finding.url": "where the specification says it",
    "Finding.reason": "a stable word for programs, where there is one",
    "Finding.details": "more, such as the smallest call that shows it, and how it is repeated",
    "Finding.evidence": "what was seen, short and without secrets",
    "Finding.fix": "what to do",
    "Finding.cause": "equal for findings that one fix removes",
    "Finding.count": "how often it was seen, where repeats are folded",
    "Finding.examples": "further places, at most three",
    "Finding.fingerprint": "what it is known again by, in other runs too",
    "Where.line": "from 1",
    "Where.column": "from 1, in characters",
    "Where.offset": "in bytes",
    "Where.exchange": "the id of a request, or of an HTTP exchange",
    "Where.call": "the number of the call",
    "Check.reason": "why it was not decided",
    "Cause.first": "where it was seen first",
    "SessionSummary.partial": "whether it begins or ends outside what was seen",
    "FileChange.before": "what stood there; null where nothing did",
    "FileChange.after": "what stands there now; null where nothing does",
    "ProgramRun.argv": "the words of its command",
    "ProcessLeft.argv": "the words of its command",
    "ConnectionTry.address": "its address; the sandbox gives each name one of its own",
    "SecretRead.path": "where it was planted",
    "Limit.effect": "what it cut",
    "Limit.count": "how often it cut",
    "PhaseEvent.phase": "what is done from now on",
    "ProgressEvent.called": "how many calls were made of it",
    "ProgressEvent.succeeded": "how many of them passed",
    "ProgressEvent.rejected": "how many were rejected, and should be",
    "ProgressEvent.failed": "how many did not end as they should",
    "ProgressEvent.unproven": "how many show nothing",
    "BaselineOutcome.accepted": "findings accepted by the baseline; they are not among the others",
}
"""What members mean that say neither by their names nor in the code."""
EVERYWHERE: Mapping[str, str] = {
    "event": "which event it is",
    "errors": "how many of this severity",
    "warnings": "how many of this severity",
    "infos": "how many of this severity",
    "messages": "how many messages were judged",
    "sessions": "in how many conversations",
    "rule": "the id of the rule",
    "name": "its name",
    "severity": "how grave it is",
    "subject": "who is at fault",
    "revision": "the revision of MCP",
    "tool": "the name of the tool",
    "server": "the name of the server in the fleet",
    "file": "the file",
    "session": "the conversation",
    "scenario": "what was tried",
    "url": "the address of the server",
    "version": "its version",
    "outcome": "what became of it",
    "status": "whether it works",
    "reason": "why",
    "number": "the number of the finding in this run",
    "seconds": "how long it took",
    "fingerprint": "what a finding is known again by",
    "tools_listed": "how many tools are listed",
    "tools_called": "how many were called",
    "findings": "how many findings",
    "key": "what it is known by",
    "value": "the limit",
    "kind": "what it is",
    "entry": "the entry of the baseline",
    "why": "what is wrong with it",
    "tools": "how many tools",
    "resources": "how many resources",
    "templates": "how many resource templates",
    "prompts": "how many prompts",
    "allowed": "whether it may be called",
    "server_info": "what the server says of itself",
    "revisions_offered": "the revisions that the server offers",
    "schema": "the form of these events",
    "call": "the call",
    "finding": "the finding",
    "limit": "the limit",
    "overdue": "the entry, and why",
    "check": "the check",
    "seed": "what chose the calls",
    "summary": "the verdict",
    "started": "when it began, in UTC",
    "messages_left_out": "how many further messages are not listed",
    "files_left_out": "how many further files are not listed",
    "direction": "from client to server, or from server to client",
    "id": "the id of the request, as it is or as it is answered",
    "bytes": "how long the message is",
}
"""What members mean that have this name, where nothing else is said of one."""
SIMPLE = {"object": "object", "string": "text", "integer": "integer", "number": "number"}
SIMPLE |= {"boolean": "true or false", "null": "null"}


def page(report_schema: dict[str, Any], events_schema: dict[str, Any]) -> str:
    """The page for the report and the events."""
    known = report_schema["$defs"]
    events = {name: it for name, it in events_schema["$defs"].items() if name not in known}
    parts = [NOTE + HEAD, *(_section(name, it) for name, it in known.items())]
    return "\n".join([*parts, EVENTS, *(_section(name, it) for name, it in events.items())])


def _section(name: str, record: dict[str, Any]) -> str:
    tag = record["properties"].get("event", {}).get("enum")
    title = f"The event `{tag[0]}`" if tag else name
    lines = [
        f"## {title}\n",
        f"{record['description']}\n",
        "| member | is | meaning |",
        "|---|---|---|",
    ]
    docs = {**EVERYWHERE, **_docstrings(name), **_own(name)}
    for member, schema in record["properties"].items():
        lines.append(f"| `{member}` | {_kind(schema)} | {docs.get(member, '')} |")
    return "\n".join(lines) + "\n"


def _own(name: str) -> dict[str, str]:
    return {key.partition(".")[2]: it for key, it in WORDS.items() if key.startswith(f"{name}.")}


def _docstrings(name: str) -> dict[str, str]:
    """What the code says of the members of a record, behind each."""
    for module in (report, tool, effect, surface, finding, baseline, event):
        if record := getattr(module, name, None):
            (tree,) = ast.parse(inspect.getsource(record)).body
            assert isinstance(tree, ast.ClassDef)
            return dict(_behind(tree.body))
    return {}


def _behind(body: list[ast.stmt]) -> Iterator[tuple[str, str]]:
    for statement, after in pairwise(body):
        if isinstance(statement, ast.AnnAssign) and isinstance(after, ast.Expr):
            assert isinstance(statement.target, ast.Name)
            assert isinstance(after.value, ast.Constant)
            words = " ".join(str(after.value.value).split()).removesuffix(".")
            yield statement.target.id, words[:1].lower() + words[1:].replace("None", "null")


def _kind(schema: dict[str, Any]) -> str:
    """What a member is, in a few words."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "anyOf" in schema:
        return " or ".join(map(_kind, schema["anyOf"]))
    if "enum" in schema:
        return ", ".join(f"`{value}`" if value is not None else "null" for value in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {_kind(schema.get('items', {}))}"
    return SIMPLE.get(schema.get("type", ""), "any value")
