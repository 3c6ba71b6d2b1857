"""The dialect of erlmcp as it is documented: its names of methods and its ranges of error codes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct

from mcp_assay.model.finding import Finding
from mcp_assay.spec.methods import MethodKind

Dialect: TypeAlias = Literal["mcp", "erlmcp"]

DIALECTS: Final[tuple[Dialect, ...]] = ("mcp", "erlmcp")
"""Every dialect; the first one is the specification itself."""

ERLMCP_METHODS: Final = frozenset(
    {
        "initialize",
        "ping",
        "resources/list",
        "resources/read",
        "resources/templates/list",
        "resources/subscribe",
        "resources/unsubscribe",
        "tools/list",
        "tools/call",
        "tasks/create",
        "tasks/list",
        "tasks/get",
        "tasks/result",
        "tasks/cancel",
        "prompts/list",
        "prompts/get",
        "completion/complete",
        "requests/cancel",
        "logging/set_level",
        "roots/list",
        "sampling/create_message",
    }
)
ERLMCP_NOTIFICATIONS: Final = frozenset(
    {
        "notifications/initialized",
        "notifications/progress",
        "notifications/resourcesupdated",
        "notifications/resources/list_changed",
        "notifications/tools/list_changed",
        "notifications/prompts/list_changed",
        "notifications/roots/list_changed",
        "notifications/tasks/status",
        "notifications/cancelled",
        "notifications/message",
    }
)


class Spelling(Struct, frozen=True):
    """The method that a name of the dialect stands for."""

    official: str
    same: bool = True
    """Whether it is the same message under another name, so that its params can be judged."""
    fix: str | None = None
    """What to do, where another name alone does not help."""


SPELLINGS: Final[dict[str, Spelling]] = {
    "logging/set_level": Spelling("logging/setLevel"),
    "sampling/create_message": Spelling("sampling/createMessage"),
    "notifications/resourcesupdated": Spelling("notifications/resources/updated"),
    "requests/cancel": Spelling(
        "notifications/cancelled",
        same=False,
        fix="Send notifications/cancelled with the request's id as requestId, and no id.",
    ),
    "tasks/create": Spelling(
        "tools/call",
        same=False,
        fix="Call the tool with tools/call; in 2025-11-25 the member task in its params runs "
        "the call as a task.",
    ),
}
"""The names of the dialect that are not MCP's."""


class CodeRange(Struct, frozen=True):
    """A range of error codes, both ends included."""

    name: str
    first: int
    last: int

    def holds(self, code: float) -> bool:
        """Whether the code lies in this range."""
        return self.first <= code <= self.last


ERLMCP_ERROR_CODES: Final = (
    CodeRange("JSON-RPC standard", -32700, -32600),
    CodeRange("JSON-RPC server", -32099, -32000),
    CodeRange("MCP", -32113, -32000),
    CodeRange("refusal", 1001, 1089),
)
"""The ranges that the dialect registers; the specification leaves all other integers free."""


def require_dialect(dialect: str) -> Dialect:
    """Give `dialect` back, or raise ValueError naming the allowed ones."""
    for known in DIALECTS:
        if dialect == known:
            return known
    raise ValueError(f"unknown dialect {dialect!r}; allowed: {', '.join(DIALECTS)}")


def is_erlmcp_name(name: str, kind: MethodKind) -> bool:
    """Whether the dialect has a request or notification of this name."""
    return name in (ERLMCP_METHODS if kind == "request" else ERLMCP_NOTIFICATIONS)


def official_name(name: str) -> str:
    """MCP's own name of the same message; a name that MCP has no other for is given back."""
    spelling = SPELLINGS.get(name)
    return spelling.official if spelling and spelling.same else name


def registered_error_code(code: float) -> bool:
    """Whether the code lies in one of the dialect's ranges."""
    return any(known.holds(code) for known in ERLMCP_ERROR_CODES)


__all__ = ["Dialect", "tolerates", "untolerated"]


def _has_name(details: Mapping[str, Any], reason: str | None) -> bool:
    name = details.get("method", "")
    return is_erlmcp_name(name, "request" if reason == "unknown_method" else "notification")


def _has_code(details: Mapping[str, Any], reason: str | None) -> bool:
    return registered_error_code(details["code"])


def _is_null(details: Mapping[str, Any], reason: str | None) -> bool:
    return details.get("actual") == "null"


def _is_array(details: Mapping[str, Any], reason: str | None) -> bool:
    return details.get("actual") == "array"


ERLMCP: Final[Mapping[str, Callable[[Mapping[str, Any], str | None], bool]]] = {
    "SCHEMA-003": _has_name,
    "JSONRPC-005": _is_null,
    "JSONRPC-007": _is_array,
    "JSONRPC-011": _is_null,
    "JSONRPC-012": _is_null,
    "JSONRPC-013": _is_null,
    "JSONRPC-027": _has_code,
    "JSONRPC-028": _has_code,
    "JSONRPC-029": _has_code,
    "JSONRPC-030": _has_code,
}
"""The rules that erlmcp does not have, each with the details under which it lets a message pass."""


def tolerates(dialect: Dialect, finding: Finding) -> bool:
    """Whether the dialect has nothing against what the finding reports."""
    if dialect == "mcp" or finding.rule not in ERLMCP:
        return False
    return ERLMCP[finding.rule](finding.details or {}, finding.reason)


def untolerated(findings: Sequence[Finding], dialect: Dialect) -> Sequence[Finding]:
    """The findings that the dialect leaves."""
    if dialect == "mcp":
        return findings
    return [finding for finding in findings if not tolerates(dialect, finding)]
