"""The rules: what is wrong with a message, said once, in words and in code."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Final

from mcp_assay.rules.rule import REGISTRY, Rule

MESSAGE_FAMILIES: Final = (
    "json_text",
    "jsonrpc",
    "error_codes",
    "batch",
    "method_names",
    "schema",
    "meta",
    "lifecycle",
    "tools",
    "prompts",
    "utilities",
    "roots",
    "sampling",
    "elicitation",
    "tasks",
    "input_required",
    "subscriptions",
    "limits",
)
"""The modules that hold rules about one message."""

SESSION_FAMILIES: Final = (
    "sessions.answers",
    "sessions.lifecycle",
    "sessions.negotiation",
    "sessions.versions",
    "sessions.capabilities",
    "sessions.permitted",
    "sessions.client_capabilities",
    "sessions.refusals",
    "sessions.tools",
    "sessions.paging",
    "sessions.resources",
    "sessions.progress",
    "sessions.cancellation",
    "sessions.after_cancellation",
    "sessions.logging",
    "sessions.elicitation",
    "sessions.tasks",
    "sessions.caching",
    "sessions.input_required",
    "sessions.subscriptions",
    "sessions.stdio",
    "sessions.http_requests",
    "sessions.http_headers",
    "sessions.http_responses",
    "sessions.http_errors",
    "sessions.http_sessions",
    "sessions.http_versions",
    "sessions.http_streams",
    "sessions.http_request_streams",
    "sessions.http_resumption",
    "sessions.http_sse",
    "sessions.authorization",
)
"""The modules that hold rules about a conversation."""

RESPONSE_FAMILIES: Final = (
    "envelope.content",
    "envelope.outcome",
)
"""The modules that hold rules about the responses of tools."""

DEFINITION_FAMILIES: Final = (
    "definitions.tools",
    "definitions.schemas",
    "definitions.values",
    "definitions.enums",
    "definitions.headers",
    "definitions.icons",
    "definitions.resources",
)
"""The modules that hold rules about what servers list."""

BEHAVIOUR_FAMILIES: Final = (
    "behaviour.answers",
    "behaviour.listed",
    "behaviour.drift",
    "behaviour.hints",
    "behaviour.relisting",
    "behaviour.refusing",
    "behaviour.pace",
    "behaviour.leaks",
    "behaviour.coverage",
)
"""The modules that hold rules about how tools behave."""

PROBE_FAMILIES: Final = (
    "probes.jsonrpc",
    "probes.malformed",
    "probes.batches",
    "probes.handshake",
    "probes.versions",
    "probes.capabilities",
    "probes.unknown",
    "probes.lists",
    "probes.changes",
    "probes.tasks",
    "probes.climbing",
    "probes.inputs",
    "probes.reading",
    "probes.http_doors",
    "probes.http_sessions",
    "probes.http_modern",
    "probes.authorization",
    "probes.tool_validation",
    "probes.stdio",
)
"""The modules that hold rules about what a server does when it is asked; the last one ends it."""


@cache
def load_message_rules() -> Mapping[str, Rule]:
    """The rules about one message by their ids, at least; imported on the first call."""
    for family in MESSAGE_FAMILIES:
        import_module(f"mcp_assay.rules.{family}")
    return REGISTRY


@cache
def load() -> Mapping[str, Rule]:
    """Every rule by its id; the modules that hold them are imported on the first call."""
    load_message_rules()
    families = (*RESPONSE_FAMILIES, *DEFINITION_FAMILIES, *BEHAVIOUR_FAMILIES, *PROBE_FAMILIES)
    for family in (*SESSION_FAMILIES, *families):
        import_module(f"mcp_assay.rules.{family}")
    return REGISTRY
