"""Whether a run is to be remembered: where it is, what keeps it; nothing is loaded where not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mcp_assay.cli.options import CommandLine, HistoryOptions, ReportOptions
from mcp_assay.cli.output import UsageError

if TYPE_CHECKING:
    from mcp_assay.cli.history_keeper import Keeper
    from mcp_assay.cli.targets import Named

NEEDING = {"against": "--against", "server_id": "--server-id"}
"""Options that mean nothing without a history."""


def is_remembered(line: CommandLine, options: HistoryOptions) -> bool:
    """Whether there is a history; a usage error where only what belongs to one was typed."""
    if options.history is not None:
        return True
    for name, option in NEEDING.items():
        if line.has(name):
            raise UsageError(f"{option} needs --history.")
    return False


def keeper_of_server(
    line: CommandLine, options: HistoryOptions, reporting: ReportOptions, named: Named
) -> Keeper | None:
    """What remembers the run on a server; None where nothing is to be remembered."""
    if not is_remembered(line, options):
        return None
    from mcp_assay.cli.history_keeper import Keeper, identity_of_target

    return Keeper(options, reporting, identity_of_target(named, options.server_id))


def keeper_of(
    line: CommandLine, options: HistoryOptions, reporting: ReportOptions, name: str
) -> Keeper | None:
    """The same for a server that we have a name for."""
    if not is_remembered(line, options):
        return None
    from mcp_assay.cli.history_keeper import Keeper
    from mcp_assay.history.identity import named

    return Keeper(options, reporting, named(options.server_id or name))


def keeper_of_files(
    line: CommandLine, options: HistoryOptions, reporting: ReportOptions, files: Sequence[str]
) -> Keeper | None:
    """The same for what files hold."""
    if not is_remembered(line, options):
        return None
    from mcp_assay.cli.history_keeper import Keeper, identity_of_files

    return Keeper(options, reporting, identity_of_files(files, options.server_id))


def keeper_of_all(
    line: CommandLine, options: HistoryOptions, reporting: ReportOptions
) -> Keeper | None:
    """The same for several servers, who show only when the run is over."""
    if not is_remembered(line, options):
        return None
    from mcp_assay.cli.history_keeper import Keeper

    return Keeper(options, reporting)
