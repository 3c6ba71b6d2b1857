"""Why an assessment says nothing about a rule: what would have shown it did not occur."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from mcp_assay.assessing.dossier import Dossier
from mcp_assay.drive.target import Command
from mcp_assay.intake.faults import INPUT_RULES
from mcp_assay.intake.profiles import rules_of
from mcp_assay.model.probe import Open
from mcp_assay.spec.catalogue import Entry
from mcp_assay.spec.revisions import R2026_07_28

ABOUT_CLIENTS: Final = "it is about clients, and mcp-assay is the client here"
NOT_SEEN: Final = "nothing that it concerns was seen"
NOT_CALLED: Final = "no tool was called"
NOT_LET_IN: Final = "there was no conversation"
OF_CALLERS: Final = frozenset({"LINT-002", "LINT-003", "LINT-004"})
"""What only callers of the Python API ask for."""
OF_CALLS: Final = frozenset({"CALL", "RESP", "SCEN", "DRIFT", "LEAK"})
"""The families that calls of tools decide."""

TRANSPORTS: Final[Mapping[str, str]] = {
    "HTTP": "http",
    "SSE": "http",
    "AUTH": "http",
    "STDIO": "stdio",
}
"""The families that only servers reached in this way show."""

CAPABILITIES: Final[Mapping[str, str]] = {
    "TOOL": "tools",
    "CALL": "tools",
    "RES": "resources",
    "PROMPT": "prompts",
    "COMP": "completions",
    "LOG": "logging",
    "TASK": "tasks",
}
"""The families that only servers with this capability show."""

REQUESTS: Final[Mapping[str, str]] = {
    "ROOT": "roots",
    "SAMP": "a message of a model",
    "ELIC": "input of the user",
}
"""The families about what a server asks its client for."""


def rules_for_servers() -> list[Entry]:
    """The rules that an assessment can decide, or say why it does not."""
    others = INPUT_RULES.keys() | OF_CALLERS
    return [entry for id, entry in rules_of("mcp").items() if id not in others]


def unseen(dossier: Dossier) -> Iterator[Open]:
    """Why each rule is open that nothing else decides."""
    for entry in rules_for_servers():
        yield _about_clients(entry) or _not_shown(entry, dossier)


def is_beyond_messages(rule: Open) -> bool:
    """Whether messages without a fault show nothing here: they are ours, or of no task."""
    is_of_no_task = rule.outcome == "not_declared" and rule.rule.startswith("TASK-")
    return rule.reason == ABOUT_CLIENTS or is_of_no_task


def _about_clients(entry: Entry) -> Open | None:
    return Open(entry.id, "not_testable", ABOUT_CLIENTS) if entry.subject == "client" else None


def _not_shown(entry: Entry, dossier: Dossier) -> Open:
    if dossier.revision is None:
        return Open(entry.id, "undecided", NOT_LET_IN)
    family = entry.id.partition("-")[0]
    transport = TRANSPORTS.get(family, _transport(dossier))
    if transport != _transport(dossier):
        reason = f"only a server that is reached over {transport} shows it"
        return Open(entry.id, "not_testable", reason)
    capability = CAPABILITIES.get(family)
    if capability is not None and not _declares(dossier, capability):
        return Open(entry.id, "not_declared", f"the server does not declare {capability}")
    return Open(entry.id, "undecided", _undecided(family, dossier))


def _undecided(family: str, dossier: Dossier) -> str:
    if family in REQUESTS:
        return f"the server did not ask for {REQUESTS[family]}"
    return NOT_CALLED if family in OF_CALLS and not dossier.trials else NOT_SEEN


def _transport(dossier: Dossier) -> str:
    return "stdio" if isinstance(dossier.target, Command) else "http"


def _declares(dossier: Dossier, capability: str) -> bool:
    """Whether it may have this: in 2026-07-28 some are extensions, which have other names."""
    declared = dossier.capabilities
    if declared is None or (capability == "tasks" and (dossier.revision or "") >= R2026_07_28):
        return True
    return declared.get(capability) not in (None, False)
