"""The rules: what is wrong with a message, said once, in words and in code."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from importlib import import_module
from typing import Final

from mcp_assay.rules.engine.rule import REGISTRY, Rule, RuleSubject
from mcp_assay.rules.index import INDEX
from mcp_assay.spec.selection import INPUT_RULES, KNOWN_RULES, names

MODULES: Final[Mapping[RuleSubject, tuple[str, ...]]] = {
    "message": (
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
        "sampling",
        "elicitation",
        "patterns",
    ),
    "session": (
        "http_exchanges",
        "responses",
        "lifecycle",
        "negotiation",
        "versions",
        "extensions",
        "capabilities",
        "declared_capabilities",
        "client_capabilities",
        "tools",
        "definitions",
        "list_changes",
        "resource_sizes",
        "pagination",
        "resources",
        "progress",
        "cancellation",
        "after_cancellation",
        "logging",
        "elicitation",
        "tasks",
        "cache_hints",
        "input_required",
        "subscriptions",
        "stdio",
        "http_sessions",
        "http_requests",
        "http_headers",
        "http_responses",
        "http_errors",
        "http_versions",
        "http_streams",
        "http_request_streams",
        "http_resumption",
        "http_sse",
        "authorization",
    ),
    "envelope": (
        "content",
        "outcome",
    ),
    "definition": (
        "tools",
        "schemas",
        "values",
        "enums",
        "descriptions",
        "headers",
        "icons",
        "resources",
    ),
    "behaviour": (
        "results",
        "listed_values",
        "schema_drift",
        "item_limits",
        "hints",
        "changed_tools",
        "effects_on_files",
        "effects_beyond_files",
        "error_forms",
        "invalid_arguments",
        "pace",
        "leaks",
        "missing_values",
        "coverage",
    ),
    "probe": (
        "jsonrpc",
        "malformed",
        "batches",
        "handshake",
        "versions",
        "capabilities",
        "unknown_names",
        "lists",
        "list_changes",
        "tasks",
        "path_traversal",
        "input_required",
        "reads",
        "http_origins",
        "http_sessions",
        "http_headers",
        "authorization",
        "tool_validation",
        "stdio",
    ),
}
"""The modules that hold the rules about each subject, in the order in which they are loaded.

Probes are made in this order: the last one ends the server.
"""


@cache
def load(*subjects: RuleSubject) -> Mapping[str, Rule]:
    """The rules about these subjects by their ids, about all where none is named.

    The modules that hold them are imported on the first call.
    """
    wanted = subjects or tuple(MODULES)
    for subject in wanted:
        load_modules(f"{subject}.{module}" for module in MODULES[subject])
    return {id: rule for id, rule in REGISTRY.items() if rule.subject in wanted}


def load_modules(modules: Iterable[str]) -> None:
    """Import some modules of rules."""
    for module in modules:
        import_module(f"{__name__}.{module}")


def rule_name(id: str) -> str | None:
    """The name of a rule, None where nothing decides it yet; no rule is loaded."""
    rule = INPUT_RULES.get(id) or INDEX.get(id)
    return rule.name if rule else None


def rule_id(text: str) -> str:
    """The id of the rule that a text names: by the id, the name, or a name that it once had.

    Everything else is returned in capital letters, as ids and families are written.
    """
    id, name = text.strip().upper(), text.strip().lower()
    if any(names(id, known) for known in KNOWN_RULES):
        return id
    renamed = (known.id for known in KNOWN_RULES.values() if name in known.aliases)
    by_name = (known for known in KNOWN_RULES if name == rule_name(known))
    return next(renamed, None) or next(by_name, id)


def load_rule(id: str) -> Rule | None:
    """The rule with this id, None where nothing decides it; only its module is imported."""
    if id not in REGISTRY and id in INDEX:
        load_modules((INDEX[id].module,))
    return REGISTRY.get(id)
