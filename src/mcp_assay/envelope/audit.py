"""Responses looked at in passing: what is wrong with them is reported, and nothing is changed."""

from __future__ import annotations

import functools
import inspect
import json
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, ParamSpec, TypeAlias

from mcp_assay.envelope.schema import as_sent, validate_mcp_response
from mcp_assay.envelope.wrap import LOG, is_async, require_callable
from mcp_assay.rules.envelope.content import EMPTY_CONTENT, NO_CONTENT, NO_TYPE
from mcp_assay.rules.envelope.outcome import NO_ERROR, NO_SUCCESS, NO_TIMESTAMP
from mcp_assay.rules.envelope.results import unfolded
from mcp_assay.text.redaction import Redactor
from mcp_assay.text.words import REDACTED
from mcp_assay.wire.notes import Marker
from mcp_assay.wire.python_values import examine

if TYPE_CHECKING:
    from mcp_assay.model.finding import Finding

Parameters = ParamSpec("Parameters")
Sink: TypeAlias = Callable[[dict[str, Any]], object]
"""Told of each response with issues, for a monitoring system."""

EVENT: Final = "mcp_response_format_issue"
MOST_RESPONSE_SHOWN: Final = 10_000
"""So many bytes of a response are shown."""

ISSUES: Final = {
    NO_SUCCESS: "Missing success field",
    NO_CONTENT: "Missing content array",
    EMPTY_CONTENT: "Empty content array",
    NO_TYPE: "Content item {} missing type field",
    NO_TIMESTAMP: "Missing timestamp",
    NO_ERROR: "Error response missing error object",
}
"""The issues that have fixed names, in the order in which they are reported; others follow."""
OF_NO_OBJECT: Final = (NO_SUCCESS, NO_CONTENT, NO_TIMESTAMP)


def audit_mcp_response(tool_name: str, response: object, sink: Sink | None = None) -> list[Finding]:
    """Everything there is to say about a response; errors are logged and reported to the sink."""
    findings = validate_mcp_response(response)
    if issues := issues_of(findings):
        report_issues(tool_name, issues, response, sink)
    return findings


def wrap_with_audit(
    tool_name: str, fn: Callable[Parameters, Any], sink: Sink | None = None
) -> Callable[Parameters, Any]:
    """The function as it is, each of whose responses is audited."""
    require_callable(fn)

    async def finished(coming: Awaitable[Any]) -> Any:
        return _audited(tool_name, await coming, sink)

    @functools.wraps(fn)
    def audited(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Any:
        returned = fn(*args, **kwargs)
        if inspect.isawaitable(returned):
            return finished(returned)
        return _audited(tool_name, returned, sink)

    @functools.wraps(fn)
    async def awaited(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Any:
        return await finished(fn(*args, **kwargs))

    return awaited if is_async(fn) else audited


def issues_of(findings: Iterable[Finding]) -> list[str]:
    """The issues of a response, in words that monitoring systems can count."""
    known, others = [], []
    for finding in findings:
        if finding.severity != "error":
            continue
        if finding.reason == NO_CONTENT and finding.pointer == "":
            return [ISSUES[reason] for reason in OF_NO_OBJECT]
        if finding.reason in ISSUES:
            known.append((list(ISSUES).index(finding.reason), _issue(finding)))
        else:
            others.append(finding.message)
    known.sort(key=lambda issue: issue[0])
    return [*(words for _, words in known), *others]


def report_issues(tool_name: str, issues: list[str], response: object, sink: Sink | None) -> None:
    """Log the issues of a response and tell them to the sink; neither can break anything."""
    with suppress(Exception):
        LOG.warning("MCP response format issues in %s: %s", tool_name, issues)
    if sink is not None:
        with suppress(Exception):
            shown = {"toolName": tool_name, "issues": issues, "response": shown_text(response)}
            sink({"event": EVENT, **shown})


def shown_text(response: object) -> str:
    """A response as JSON without its secrets, cut where it is long."""
    try:
        clean, _ = Redactor().value(examine(as_sent(response)).value)
        return json.dumps(clean, default=_marker_text)[:MOST_RESPONSE_SHOWN]
    except (RecursionError, ValueError):
        return REDACTED


def _audited(tool_name: str, returned: Any, sink: Sink | None) -> Any:
    with suppress(Exception):  # a look at an object of somebody's own runs their code
        audit_mcp_response(tool_name, unfolded(as_sent(returned)), sink)
    return returned


def _marker_text(marker: Marker) -> str:
    """What stands for something that JSON has no form for."""
    return f"[{marker.value}]"


def _issue(finding: Finding) -> str:
    """The name of the issue, with the number of the content item that has it."""
    index = finding.pointer.removeprefix("/content/").partition("/")[0]
    return ISSUES[str(finding.reason)].format(index)
