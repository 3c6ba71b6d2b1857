"""What servers are built with, told by how they behave, and the findings that it decides.

Every line was seen with the versions named here: mcp 1.30 and 2.3, FastMCP 4.1, and
@modelcontextprotocol/sdk 1.32. What an author's own handler may have said is never a library's.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from mcp_assay.model.finding import DECIDED_BY, Finding
from mcp_assay.rules.behaviour.texts import texts_of
from mcp_assay.text.words import with_article

NO_CURE: Final = "nothing you can do in your server"
LONGEST_SIGN: Final = 400
MOST_SIGNS: Final = 200
"""So much of an answer, and so many different ones, are looked at."""


class Decided(Struct, frozen=True):
    """A rule that a library decides for every server that is built with it."""

    rule: str
    cure: str = NO_CURE
    """The version or the option that changes it."""
    answer: str = ""
    """What the server must have answered, as a regular expression: others are the author's."""
    message: str = ""
    """What the finding must say, in the same way."""


class Library(Struct, frozen=True):
    """What servers are built with: how it is known, and what it decides."""

    name: str
    package: str
    """What its registry calls it."""
    signs: tuple[str, ...]
    """Regular expressions of signs; one that is seen is enough."""
    decides: tuple[Decided, ...]
    versions: Mapping[str, str] = {}
    """By a regular expression of a sign, the versions that give it."""


class BuiltWith(Struct, frozen=True):
    """The library of one server, and its version as far as it is known."""

    library: Library
    version: str


_OF_TRANSPORT: Final = (Decided("JSONRPC-031"), Decided("JSONRPC-032"))
"""How stdio transports treat what is no message: they log it and read on."""
_OF_MCP: Final = (
    *_OF_TRANSPORT,
    Decided("JSONRPC-033", "mcp 2 or later cures it", r'"message": "Invalid request parameters"'),
)
_MCP_VERSIONS: Final = {
    r'^error .*"data": "mcp-assay/no-such-method", "message": "Method not found"': "2.x",
    r"^broken JSONRPC-033$": "1.x",
}
_ZOD: Final = r'"message": "\[\\n +\{'
_OF_TYPESCRIPT: Final = (
    *_OF_TRANSPORT,
    Decided("LIFE-015"),
    *(Decided(rule, answer=_ZOD) for rule in ("JSONRPC-034", "COMP-003", "LOG-005", "TASK-008")),
    Decided("JSONRPC-015", answer=r"^\"(?:\[\\n|MCP error -32)"),
    Decided("TASK-008", answer=r"MCP error -32602: Invalid task creation result"),
)

_EMPTY_LIST: Final = Decided(
    "CALL-004",
    "a tool that returns an object with the list in it always has a text",
    message="^The result is an empty list",
)
"""Both libraries for Python make a text of each item of a list, and so none of an empty one."""

LIBRARIES: Final = (
    Library(
        "FastMCP",
        "fastmcp",
        (r"^tool _meta _?fastmcp$", r"^isError .{0,40}validation errors? for call\["),
        (
            *_OF_MCP,
            _EMPTY_LIST,
            Decided("PAGE-002", "FastMCP(…, list_page_size=100) cures it"),
            Decided(
                "CALL-006",
                "a middleware whose on_call_tool raises MCPError(-32602, …) cures it",
                r"\"Unknown tool: '",
            ),
        ),
    ),
    Library(
        "Python SDK",
        "mcp",
        (
            r"^tool inputSchema titled NAMEArguments$",
            r"^isError .{0,40}validation errors? for \w{1,200}Arguments\b",
        ),
        (
            *_OF_MCP,
            _EMPTY_LIST,
            Decided("PAGE-002"),
            Decided("CALL-006", answer=r'"Unknown tool: '),
            Decided("PROMPT-003", answer=r'"message": "(?:Internal server error|Unknown prompt: )'),
        ),
        _MCP_VERSIONS,
    ),
    Library(
        "Python SDK",
        "mcp",
        (
            r'^error .*"data": "", "message": "Invalid request parameters"',
            r'^error .*"data": "[^"]+", "message": "Method not found"',
        ),
        _OF_MCP,
        _MCP_VERSIONS,
    ),
    Library(
        "TypeScript SDK",
        "@modelcontextprotocol/sdk",
        (r"^isError MCP error -32602: (?:Tool .* not found|Input validation error)",),
        (
            *_OF_TYPESCRIPT,
            Decided("PAGE-002"),
            Decided("CALL-006", answer=r"MCP error -32602: Tool "),
            Decided("RES-006", answer=r"MCP error -32602: Resource "),
        ),
        {"": "1.x"},
    ),
    Library(
        "TypeScript SDK",
        "@modelcontextprotocol/sdk",
        (rf"^error .*{_ZOD}",),
        _OF_TYPESCRIPT,
        {"": "1.x"},
    ),
)
"""The libraries, those first that are built on others: of an SDK the part that lists tools by
itself, then the part for which authors write every handler."""


def signs_of_answer(result: Any, error: Any) -> Iterator[str]:
    """What an answer says in the words of whoever wrote the code that refuses."""
    if isinstance(error, dict):
        yield f"error {json.dumps(error, sort_keys=True)[:LONGEST_SIGN]}"
    elif isinstance(result, dict) and result.get("isError") is True:
        yield from (f"isError {text[:LONGEST_SIGN]}" for text in texts_of(result)[:1])


def signs_of_tools(tools: Iterable[Any]) -> Iterator[str]:
    """What definitions hold that authors do not write themselves."""
    for tool in tools:
        if not isinstance(tool, dict):
            continue
        schema, meta = tool.get("inputSchema"), tool.get("_meta")
        if isinstance(meta, dict):
            yield from (f"tool _meta {key[:LONGEST_SIGN]}" for key in list(meta)[:MOST_SIGNS])
        if isinstance(schema, dict) and schema.get("title") == f"{tool.get('name')}Arguments":
            yield "tool inputSchema titled NAMEArguments"


def built_with(signs: Iterable[str]) -> BuiltWith | None:
    """The library that the signs show."""
    seen = list(dict.fromkeys(signs))
    for library in LIBRARIES:
        if any(_is_seen(form, seen) for form in library.signs):
            known = (version for form, version in library.versions.items() if _is_seen(form, seen))
            return BuiltWith(library, next(known, ""))
    return None


def _is_seen(form: str, signs: Iterable[str]) -> bool:
    return any(re.search(form, sign) for sign in signs)


def with_library(finding: Finding, built: BuiltWith | None) -> Finding:
    """The finding with the library that decides it, and what changes that, where one does."""
    decided = _decision(finding, built.library) if built else None
    if built is None or decided is None:
        return finding
    told = {"library": built.library.name, "package": built.library.package, "cure": decided.cure}
    versioned = {**told, "version": built.version} if built.version else told
    details = {**(finding.details or {}), DECIDED_BY: versioned}
    return replace(finding, details=details, fix=_fix(built, decided))


def _decision(finding: Finding, library: Library) -> Decided | None:
    """The line of the table that the finding fits."""
    said = _answer(finding)
    fitting = (
        one
        for one in library.decides
        if one.rule == finding.rule
        and re.search(one.answer, said[:LONGEST_SIGN])
        and re.search(one.message, finding.message)
    )
    return next(fitting, None)


def _answer(finding: Finding) -> str:
    """What the server answered at last, or the text that the finding shows."""
    dialogue = (finding.details or {}).get("dialogue")
    if isinstance(dialogue, list) and dialogue:
        return str(dialogue[-1].get("came", ""))
    return finding.evidence or ""


def _fix(built: BuiltWith, decided: Decided) -> str:
    name = f"{built.library.name} {built.version}".rstrip()
    return f"Decided by {with_article(name)}: {decided.cure}."
