"""Report -> a test file that repeats each failure: it runs anywhere with pytest and mcp-assay."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import PurePath
from shlex import quote
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from mcp_assay.model.finding import Finding, Where
from mcp_assay.model.outcome import failing
from mcp_assay.model.report import Report
from mcp_assay.report.rerun_command import REDACTED, Rerun, rerun_of
from mcp_assay.spec.catalogue import CATALOGUE
from mcp_assay.text.safe import plain, shorten

LONGEST_MESSAGE: Final = 300
LONGEST_TOOL_IN_TEST: Final = 40
"""Characters of a tool's name in the name of a test."""
LONGEST_ARGUMENTS: Final = 20_000
LONGEST_TYPED: Final = 1_000
"""Characters of a tool's name that can be typed."""
NOT_WANTED: Final = "it is below --fail-on"
NOT_TYPED: Final = "the tool's name cannot be typed"
NOT_KNOWN: Final = "it is not known how to repeat it for this tool"
UNKNOWN: Final = {"repeat": ""}
"""The details of a fault where only for other tools that have it is known what repeats it."""


class Test(Struct, frozen=True):
    """One test: what it does, and the findings that it is for."""

    step: str
    findings: list[Finding]


def to_pytest(report: Report, home: str = ".") -> str:
    """The report as tests; `home` is the folder of the run, as seen from the file."""
    tests: dict[str, Test] = {}
    left: list[str] = []
    rerun = rerun_of(report)
    for finding in (part for one in report.findings for part in _tool_by_tool(one)):
        step, reason = _step(finding, report, rerun)
        if step is None:
            left.append(_left_out(finding, reason))
        else:
            tests.setdefault(step, Test(step, [])).findings.append(finding)
    parts = ["\n".join(_head(report, rerun, home))]
    parts += _named(list(tests.values()))
    if left:
        parts.append("\n".join(("# Not repeated here:", *left)))
    return "\n\n\n".join(parts) + "\n"


def _tool_by_tool(finding: Finding) -> Iterator[Finding]:
    """A finding that several tools share once for each of them, with what repeats it there."""
    details = finding.details or {}
    repeats = details.get("repeats")
    if not isinstance(repeats, list):
        yield finding
        return
    known = {it["tool"]: it for it in repeats}
    for tool in details.get("tools") or known:
        where = Where(tool=tool)
        yield replace(finding, where=where, examples=[], details=known.get(tool, UNKNOWN))


def _head(report: Report, rerun: Rerun, home: str) -> Iterator[str]:
    yield f'"""What mcp-assay {report.tool.version} found in {_quoted(_subject(report))}, as tests.'
    yield ""
    yield "Each test fails until its problem is fixed. What cannot be"
    yield "decided is skipped, with the reason. All that the tests need is pytest and mcp-assay."
    yield '"""'
    yield ""
    yield "from pathlib import Path"
    yield ""
    yield "from mcp_assay.repeat import Repeat"
    yield ""
    yield "RUN = Repeat("
    yield f"    {', '.join(map(literal, (rerun.command, *rerun.subject)))},"
    for name in ("options", "talking"):
        if words := getattr(rerun, name):
            yield f"    {name}=[{', '.join(map(literal, words))}],"
    if rerun.headers:
        pairs = (f"{literal(name)}: {literal(it)}" for name, it in rerun.headers.items())
        yield f"    headers={{{', '.join(pairs)}}},  # the values are in these variables"
    if rerun.secrets:
        yield f"    secrets=[{', '.join(map(literal, rerun.secrets))}],  # as these variables hold"
    is_absolute = PurePath(home).is_absolute()
    yield f"    folder={f'Path({literal(home)})' if is_absolute else _beside(home)},"
    yield ")"


def _beside(home: str) -> str:
    return f"Path(__file__).parent / {literal(home)}"


def _subject(report: Report) -> str:
    info = report.subject.server_info or {}
    named = " ".join(str(info[key]) for key in ("name", "version") if info.get(key))
    files = report.options.get("files") or []
    return named or report.subject.url or " ".join(report.subject.command or files or ["messages"])


def _step(finding: Finding, report: Report, rerun: Rerun) -> tuple[str | None, str]:
    """What shows a finding again as the body of a test; else None, and the reason."""
    if finding.severity not in _fatal(report):
        return None, NOT_WANTED
    if rerun.against:
        return None, rerun.against
    if "repeat" in (finding.details or {}) and rerun.command == "assess":
        return _call(finding, finding.details or {})
    entry = CATALOGUE.get(finding.rule)
    is_listed = rerun.command == "assess" and entry and "definitions" in entry.observable
    run = "listed" if is_listed else "whole"
    return f"RUN.{run}().must_keep({literal(finding.rule)}, {literal(finding.fingerprint)})", ""


def _call(finding: Finding, details: dict[str, Any]) -> tuple[str | None, str]:
    """The one call that shows a finding, or else all calls of its tool."""
    if not details["repeat"]:
        return None, NOT_KNOWN
    tool, rule = _tool(finding, details), literal(finding.rule)
    if tool is None:
        return None, NOT_TYPED
    if arguments := _arguments(details):
        return f"RUN.call({literal(tool)}, {literal(arguments)}).must_keep({rule})", ""
    return f"RUN.calls({literal(tool)}).must_keep({rule})", ""


def _fatal(report: Report) -> tuple[str, ...]:
    return failing(report.options.get("fail_on"))


def _tool(finding: Finding, details: dict[str, Any]) -> str | None:
    """The tool that the finding's command calls; None where nobody could type it."""
    repeat = f"{details['repeat']} "
    for where in (finding.where, *finding.examples):
        name = where.tool
        if name and _can_be_typed(name) and f"--only {quote(name)} " in repeat:
            return name
    return None


def _can_be_typed(name: str) -> bool:
    return len(name) <= LONGEST_TYPED and "\0" not in name and not _holds_lone(name)


def _holds_lone(text: str) -> bool:
    """Whether a lone surrogate is in the text, which no system takes."""
    return not text.isascii() and re.search("[\ud800-\udfff]", text) is not None


def _arguments(details: dict[str, Any]) -> str | None:
    """The arguments of the one call that shows a finding, None where there is no such call."""
    if "smallest" not in details:
        return None
    text = json.dumps(details["smallest"], ensure_ascii=False)
    if _holds_lone(text):
        text = json.dumps(details["smallest"])
    return None if len(text) > LONGEST_ARGUMENTS or REDACTED in text else text


def _named(tests: list[Test]) -> Iterator[str]:
    """The tests, each under a name of its own."""
    taken: dict[str, int] = {}
    for test in tests:
        name = _name(test.findings[0])
        taken[name] = taken.get(name, 0) + 1
        number = f"_{taken[name]}" if taken[name] > 1 else ""
        yield "\n".join(_function(f"{name}{number}", test))


def _name(finding: Finding) -> str:
    words = [finding.rule, shorten(finding.where.tool or "", LONGEST_TOOL_IN_TEST)]
    return "_".join(["test", *re.findall("[a-z0-9]+", " ".join(words).lower())])


def _function(name: str, test: Test) -> Iterator[str]:
    first = test.findings[0]
    prints = ", ".join(dict.fromkeys(finding.fingerprint for finding in test.findings))
    yield f"def {name}() -> None:"
    yield f'    """{_quoted(first.message)}'
    yield ""
    yield f"    {first.rule} {first.name}, fingerprint {prints}"
    yield '    """'
    yield f"    {test.step}"


def _left_out(finding: Finding, reason: str) -> str:
    tool = f" {shorten(finding.where.tool, LONGEST_TOOL_IN_TEST)}" if finding.where.tool else ""
    head = f"{finding.severity} {finding.rule} {finding.fingerprint}{tool}"
    return plain(f"# {head}: {shorten(finding.message, LONGEST_MESSAGE)} ({reason})")


def _quoted(text: str) -> str:
    """Text of others inside a docstring, which it cannot end."""
    shown = plain(shorten(text, LONGEST_MESSAGE))
    return shown.replace("\\", "\\\\").replace('"""', r"\"\"\"")


def literal(text: str) -> str:
    """The text as a Python literal on one line, with nothing hidden in it."""
    mark = "'" if '"' in text and "'" not in text else '"'
    escaped = text.replace("\\", "\\\\").replace(mark, f"\\{mark}")
    return f"{mark}{plain(escaped)}{mark}"
