"""What a server announces: that it validates calls, how, and how far."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Self

from msgspec import Struct, convert, field, to_builtins
from msgspec import ValidationError as WrongType

from mcp_assay.spec.revisions import R2026_07_28, require_revision

EXPERIMENTAL: Final = ("experimental", "toolValidation")
EXTENSION: Final = "io.github.mcp-assay/tool-validation"
EXTENDED: Final = ("extensions", EXTENSION)
DEFAULT_METHOD: Final = "validate"
DEFAULT_BATCH: Final = 10
LEVELS: Final = ("syntax", "semantic", "runtime", "security")
"""How deep a check may go, from the shape of the arguments to what policy allows."""
TOOL_UPDATE: Final = "tool_update"
RESOURCE_CHANGE: Final = "resource_change"
EVENTS: Final = (RESOURCE_CHANGE, TOOL_UPDATE)
"""What can make a verdict stale."""


class Caching(Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """How long a verdict may be kept."""

    enabled: bool = False
    ttl: float = 0
    """Seconds."""
    invalidate_on: list[str] = field(default_factory=list)
    """What ends it before: resource_change, tool_update."""


class ToolValidationCapability(
    Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True
):
    """What a server says about its validation of calls."""

    supported: bool = False
    method: str = DEFAULT_METHOD
    """The name of the tool that validates."""
    version: str | None = None
    is_async: bool = field(name="async", default=False)
    streaming: bool = False
    context_aware: bool = False
    """Whether a call may be checked in a context that the client tells."""
    cacheable: bool = False
    levels: dict[str, bool] = field(default_factory=dict)
    batch_validation: bool = False
    max_batch_size: int = DEFAULT_BATCH
    caching: Caching = Caching()

    @classmethod
    def from_capabilities(cls, capabilities: object) -> Self:
        """What the capabilities of a server say; what is malformed counts as not said."""
        announced = announced_in(capabilities)
        known = {name: value for name, value in announced.items() if _is_well_formed(name, value)}
        return convert({**known, "supported": announced.get("supported") is True}, cls)

    def to_capabilities(self, revision: str) -> dict[str, Any]:
        """The part of a server's capabilities that announces this."""
        require_revision(revision)
        members = to_builtins(self)
        experimental, name = EXPERIMENTAL
        announced: dict[str, Any] = {experimental: {name: members}}
        if revision >= R2026_07_28:
            announced["extensions"] = {EXTENSION: members}
        return announced

    def offers(self, level: str) -> bool:
        """Whether calls are checked as deep as that."""
        return self.levels.get(level) is True

    @property
    def seconds(self) -> float:
        """How long a verdict may be kept, 0 where it may not."""
        return self.caching.ttl if self.caching.enabled and self.caching.ttl > 0 else 0


def has_capability(capabilities: object, path: str | Sequence[str]) -> bool:
    """Whether the member at a dotted path, or behind these keys, is literally true."""
    return _at(capabilities, path.split(".") if isinstance(path, str) else path) is True


def announced_in(capabilities: object) -> Mapping[str, Any]:
    """The announcement as it stands in a server's capabilities; the extension counts first."""
    for path in (EXTENDED, EXPERIMENTAL):
        found = _at(capabilities, path)
        if isinstance(found, Mapping) and found.get("supported") is True:
            return found
    found = _at(capabilities, EXPERIMENTAL)
    return found if isinstance(found, Mapping) else {}


def _at(value: object, path: Sequence[str]) -> object:
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def _is_well_formed(name: str, value: object) -> bool:
    try:
        convert({name: value}, ToolValidationCapability)
    except WrongType:
        return False
    return name != "maxBatchSize" or (isinstance(value, int) and value > 0)
