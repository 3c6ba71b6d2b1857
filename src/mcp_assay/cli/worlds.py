"""Which server is started in a disposable world, as it was typed."""

from __future__ import annotations

import os
import sys
from typing import Final

from msgspec.structs import replace

from mcp_assay.cli.options import AssessArguments, CommandLine, WorldOptions
from mcp_assay.cli.output import CommandError, UsageError
from mcp_assay.cli.targets import Named
from mcp_assay.client.sandbox.admission import NotForWorld, put_into_world
from mcp_assay.client.sandbox.options import SandboxOptions
from mcp_assay.client.target import Command, Target

OF_WORLDS: Final = {
    "sandbox_allow": "--sandbox-allow",
    "sandbox_show": "--sandbox-show",
    "keep_world": "--keep-world",
    "own_world": "--world",
}
"""Options that say something about a world, as they are typed."""


def world_of(line: CommandLine, options: WorldOptions) -> SandboxOptions | None:
    """The world that the options ask for, None where they ask for none."""
    if options.sandbox is None:
        for name, typed in OF_WORLDS.items():
            if line.has(name):
                raise UsageError(f"{typed} needs --sandbox.")
        return None
    own = None if options.own_world is None else os.path.realpath(options.own_world)
    if own is not None:
        _require_small(own)
    return SandboxOptions(
        backend=options.sandbox,
        allow=options.sandbox_allow,
        show=options.sandbox_show,
        keep=os.path.abspath(options.keep_world) if options.keep_world else None,
        prepare_from=own,
    )


def _require_small(folder: str) -> None:
    """Refuse a folder of the user's own that cannot be copied into each world."""
    from mcp_assay.client.sandbox.copies import is_small
    from mcp_assay.client.sandbox.specification import LIMITS

    size, files = LIMITS["copy_bytes"], LIMITS["copy_files"]
    if not is_small(folder, size, files):
        raise UsageError(
            f"--world: {folder} has more than {size >> 20} MB or {files:,} files; name a smaller "
            "folder, which is copied into each world."
        )


def require_world(wanted: SandboxOptions) -> None:
    """Refuse where such a world cannot be made here."""
    from mcp_assay.client.sandbox.availability import try_backends
    from mcp_assay.client.sandbox.refusal import NoSandbox

    try:
        try_backends(wanted).required()
    except NoSandbox as refusal:
        raise CommandError(f"{refusal}.") from None


def is_possible() -> bool:
    """Whether a disposable world can be made here, which is tried."""
    if sys.platform != "linux":
        return False
    from mcp_assay.client.sandbox.availability import try_backends

    return try_backends().backend is not None


def inside(target: Target) -> Command | None:
    """A server in a world, None where it cannot be put into one, or is in one already."""
    if isinstance(target, Command) and target.sandbox is not None:
        return None
    try:
        return put_into_world(target, SandboxOptions())
    except NotForWorld:
        return None


def fits_into_world(target: Target) -> bool:
    """Whether a server that is not in a world could be started in one here."""
    return inside(target) is not None and is_possible()


def in_world(line: CommandLine, named: Named, options: WorldOptions) -> Named:
    """The server, in the world that the options ask for, if any."""
    wanted = world_of(line, options)
    return named if wanted is None else named._replace(target=sandboxed(named.target, wanted))


def sandboxed(target: Target, wanted: SandboxOptions) -> Command:
    """The server, to be started in a world; where that cannot be, nothing is started."""
    try:
        server = put_into_world(target, wanted)
    except NotForWorld as refusal:
        raise UsageError(f"--sandbox: {refusal}") from None
    require_world(wanted)
    return server


def with_calls(line: CommandLine, arguments: AssessArguments) -> AssessArguments:
    """The arguments; where nothing lasts and nobody chose otherwise, all tools are called."""
    if line.chooses("calls") or not arguments.world.is_disposable:
        return arguments
    return replace(arguments, calls="all")
