"""The least that a server must be allowed, as far as a run in a disposable world has shown."""

from __future__ import annotations

from typing import Any, Final, Literal

from msgspec import Struct, field

from mcp_assay.model.effect import PolicyCheck

TEMPORARY: Final = "/tmp"
POLICY: Final = "mcp-assay/policy/1"


class NeededHost(Struct, frozen=True, kw_only=True):
    """A host that the server asked for."""

    host: str
    """Its name, or its address where it was reached without a name."""
    ports: list[int] = field(default_factory=list)
    """The ports that it was to be reached at."""


class Needs(Struct, frozen=True, kw_only=True):
    """What a server did in calls that succeeded, at its start, and between its calls."""

    write: list[str] = field(default_factory=list)
    """Folders and files that it wrote to; what lies below a folder is meant, too."""
    new_folders: list[str] = field(default_factory=list)
    """Those of them that were not there before, and are folders."""
    new_files: list[str] = field(default_factory=list)
    """Those that were not there before, and are files."""
    temporary: list[str] = field(default_factory=lambda: [TEMPORARY])
    """Folders for temporary files. One is always there: what a call makes and removes again leaves
    no trace, so nobody can tell that it is not needed."""
    hosts: list[NeededHost] = field(default_factory=list)
    hosts_of_arguments: bool = False
    """Whether it also reached hosts that arguments name, which are not listed."""
    programs: list[str] = field(default_factory=list)
    """Programs that it started."""


class Sandboxed(Struct, frozen=True, kw_only=True):
    """A command that starts the server with no more than it needs."""

    prepare: list[list[str]] = field(default_factory=list)
    """What to do before the first start."""
    command: list[str]
    line: str
    """All of it, as it is typed in a shell."""


class Policy(Struct, frozen=True, kw_only=True):
    """What a server needs, in three forms; null where no disposable world has watched it."""

    schema: Literal["mcp-assay/policy/1"] = POLICY
    name: str
    """What the server is called in a configuration."""
    command: list[str] | None
    calls: int
    """How many valid calls that succeeded are behind it."""
    tools_succeeded: int
    tools_listed: int
    needs: Needs | None = None
    hidden: list[str] = field(default_factory=list)
    """Secret places of the user, which the server did without."""
    checked: PolicyCheck | None = None
    """What an assessment under it has shown; null where none was made."""
    vscode: dict[str, Any] | None = None
    """An mcp.json of VS Code."""
    bwrap: Sandboxed | None = None
    """A command line of bubblewrap."""
    limits: list[str] = field(default_factory=list)
    """What this does not show, in sentences."""
