"""What is known about a server before it is probed."""

from __future__ import annotations

from typing import Any

from msgspec import Struct, field

from mcp_assay.spec.revisions import DEFAULT_REVISION, R2026_07_28


class Sample(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Arguments of a tool that its inputSchema admits, and such that it does not."""

    valid: dict[str, Any] | None = None
    invalid: dict[str, Any] | None = None


class Known(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a server declared and listed, and how it is reached."""

    revision: str = DEFAULT_REVISION
    is_http: bool = False
    is_old_http: bool = False
    """Whether it speaks the transport of 2024-11-05 over HTTP, with its one stream."""
    has_session: bool = False
    """Whether it gave a session id, over HTTP."""
    has_credentials: bool = False
    """Whether the user gave headers that let us in."""
    is_closed: bool = False
    """Whether it refused to talk to us with status 401 or 403."""
    forbidden: str = ""
    """The challenge with which it refused our own token with status 403."""
    url: str | None = None
    capabilities: dict[str, Any] = field(default_factory=dict)
    offered: list[str] = field(default_factory=list)
    """The revisions that it names as its own."""
    tools: list[dict[str, Any]] = field(default_factory=list)
    resources: list[dict[str, Any]] = field(default_factory=list)
    templates: list[dict[str, Any]] = field(default_factory=list)
    prompts: list[dict[str, Any]] = field(default_factory=list)
    unheard: list[str] = field(default_factory=list)
    """The lists that it declares, and that did not come, by their names in results."""
    callable: list[str] = field(default_factory=list)
    """The names of tools that may be called."""

    samples: dict[str, Sample] = field(default_factory=dict)
    """For tools that may be called: arguments that were made for them, where anybody needs them."""

    def arguments_for(self, tool: dict[str, Any]) -> dict[str, Any] | None:
        """Arguments with which a tool may be called; None where it may not, or none were made."""
        name, schema = tool.get("name"), tool.get("inputSchema")
        if name not in self.callable or not isinstance(schema, dict):
            return None
        if not schema.get("required"):
            return {}
        return self.samples[name].valid if name in self.samples else None

    @property
    def is_modern(self) -> bool:
        """Whether it is spoken to without a handshake."""
        return self.revision >= R2026_07_28

    @property
    def has_both_eras(self) -> bool:
        """Whether it names revisions with a handshake and without."""
        return len({revision >= R2026_07_28 for revision in self.offered}) > 1

    def declares(self, *path: str) -> bool:
        """Whether this member of its capabilities is there, and not false."""
        value: Any = self.capabilities
        for name in path:
            if not isinstance(value, dict) or name not in value:
                return False
            value = value[name]
        return value is not None and value is not False
