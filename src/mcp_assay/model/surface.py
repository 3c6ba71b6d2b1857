"""What a server lists, as a report holds it: how large it is, its hashes, the definitions."""

from __future__ import annotations

from typing import Any, Final

from msgspec import Struct, field


class DefinitionSize(Struct, frozen=True, kw_only=True):
    """One definition as compact JSON with sorted members."""

    name: str | None = None
    bytes: int = 0
    """How long it is."""
    tokens_estimated: int = 0
    """How much a model reads, by a quarter of the bytes."""
    sha256: str | None = None
    """None where the definition is nested too deep to be written."""


class ListedDefinitions(Struct, frozen=True, kw_only=True):
    """What a server lists, as it came: by it another run is compared with this one."""

    tools: list[Any] = field(default_factory=list)
    """The definitions of the tools."""
    resources: list[Any] = field(default_factory=list)
    """Those of the resources."""
    templates: list[Any] = field(default_factory=list)
    """Those of the resource templates."""
    prompts: list[Any] = field(default_factory=list)
    """Those of the prompts."""
    left_out: int = 0
    """How many are not here: nested too deep, with numbers that no reader takes, or too long."""


NOT_HELD: Final = ListedDefinitions(left_out=1)
"""Where a report holds no definitions, nobody can say that there are none."""


class SurfaceSize(Struct, frozen=True, kw_only=True):
    """All that a server lists: its tools measured one by one, the rest counted."""

    bytes: int = 0
    """How long all definitions are together."""
    tokens_estimated: int = 0
    """How much a model reads, by a quarter of the bytes."""
    sha256: str = ""
    """Changes when a definition does, not with their order."""
    tools: list[DefinitionSize] = field(default_factory=list)
    """Each tool, measured."""
    resources: int = 0
    templates: int = 0
    prompts: int = 0
    definitions: ListedDefinitions = NOT_HELD
    """The definitions themselves, as far as a report has room for them."""

    @property
    def hashes(self) -> dict[str, str | None]:
        """The tools that are listed, with the hashes of their definitions."""
        return {tool.name: tool.sha256 for tool in self.tools if tool.name is not None}
