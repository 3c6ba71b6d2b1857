"""How to judge what comes in, and what to report."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, get_args

from msgspec import Struct

from mcp_assay.model.message import Direction
from mcp_assay.report.tally import DEFAULT_MAX_FINDINGS
from mcp_assay.rules.dialect import Dialect

Profile: TypeAlias = Literal["mcp", "envelope"]
"""What is judged: every message by MCP, or the responses of tools by the envelope's profile."""
PROFILES: Final = get_args(Profile)


class Options(Struct, frozen=True, kw_only=True):
    """How to judge and what to report."""

    profile: Profile = "mcp"
    revision: str | None = None
    direction: Direction | None = None
    dialect: Dialect = "mcp"
    duplicates: bool = True
    partial: bool = False
    """Whether sessions may begin or end outside the inputs."""
    map: dict[str, str] = {}
    """For traces of another format: a member of a trace line, and the JSON Pointer to it."""
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    max_findings: int = DEFAULT_MAX_FINDINGS
    fail_on: Literal["error", "warning", "never"] = "error"
