"""Which messages need which capability, and what it means to have declared one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct

MODES: Final = ("form", "url")
"""The ways to ask the user something."""

Holder: TypeAlias = Literal["server", "client", "receiver"]
"""Who must have declared a capability."""


class Need(Struct, frozen=True):
    """A capability that somebody must have declared, and the rule that says so."""

    holder: Holder
    capability: str
    """The names on the way to it, with dots between them."""
    rule: str = ""
    """The rule about whoever sends or answers it, "" where none is about this alone."""


SERVED: Final[Mapping[str, Need]] = {
    "tools/list": Need("server", "tools", "CAP-001"),
    "tools/call": Need("server", "tools", "CAP-001"),
    "prompts/list": Need("server", "prompts", "CAP-002"),
    "prompts/get": Need("server", "prompts", "CAP-002"),
    "resources/list": Need("server", "resources", "CAP-003"),
    "resources/templates/list": Need("server", "resources", "CAP-003"),
    "resources/read": Need("server", "resources", "CAP-003"),
    "completion/complete": Need("server", "completions", "CAP-005"),
    "logging/setLevel": Need("server", "logging"),
}
"""What a client may ask for, and a server answers, only where the server declares it."""

SENT: Final[Mapping[str, Need]] = {
    "notifications/message": Need("server", "logging", "CAP-004"),
    "resources/subscribe": Need("server", "resources.subscribe", "CAP-006"),
    "notifications/resources/updated": Need("server", "resources.subscribe", "CAP-006"),
    "notifications/tools/list_changed": Need("server", "tools.listChanged", "CAP-007"),
    "notifications/prompts/list_changed": Need("server", "prompts.listChanged", "CAP-007"),
    "notifications/resources/list_changed": Need("server", "resources.listChanged", "CAP-007"),
    "roots/list": Need("client", "roots", "CAP-008"),
    "sampling/createMessage": Need("client", "sampling", "CAP-009"),
    "elicitation/create": Need("client", "elicitation", "CAP-010"),
    "tasks/get": Need("receiver", "tasks", "CAP-014"),
    "tasks/result": Need("receiver", "tasks", "CAP-014"),
    "tasks/list": Need("receiver", "tasks.list", "CAP-014"),
    "tasks/cancel": Need("receiver", "tasks.cancel", "CAP-014"),
    "notifications/roots/list_changed": Need("client", "roots.listChanged", "CAP-016"),
}
"""What nobody sends unless the capability is declared."""

AS_TASKS: Final[Mapping[str, Need]] = {
    "tools/call": Need("receiver", "tasks.requests.tools.call", "CAP-014"),
    "sampling/createMessage": Need("receiver", "tasks.requests.sampling.createMessage", "CAP-014"),
    "elicitation/create": Need("receiver", "tasks.requests.elicitation.create", "CAP-014"),
}
"""What a request needs that asks to be run as a task."""

EXTRAS: Final[Mapping[str, tuple[tuple[str, tuple[str, ...], Need], ...]]] = {
    "sampling/createMessage": (
        ("tools", (), Need("client", "sampling.tools", "CAP-011")),
        ("toolChoice", (), Need("client", "sampling.tools", "CAP-011")),
        (
            "includeContext",
            ("thisServer", "allServers"),
            Need("client", "sampling.context", "CAP-013"),
        ),
    ),
}
"""Members of params, the values (none: any) with which they need something, and what they need."""


def declares(capabilities: Mapping[str, Any], capability: str) -> bool:
    """Whether a capability is declared; in a declaration that makes no sense it may be meant."""
    value: Any = capabilities
    for name in capability.split("."):
        if not isinstance(value, Mapping):
            return True
        value = value.get(name)
        if value is None or value is False:
            return False
    return True


def takes_mode(capabilities: Mapping[str, Any], mode: str) -> bool:
    """Whether a client that can be asked takes questions of this mode: forms, unless it says so."""
    if mode == "form":
        return declares(capabilities, "elicitation.form") or not declares(
            capabilities, "elicitation.url"
        )
    return declares(capabilities, f"elicitation.{mode}")


def mode_of(params: Mapping[str, Any]) -> str | None:
    """The mode of a question to the user, None where no such mode exists."""
    mode = params.get("mode", "form")
    return mode if mode in MODES else None
