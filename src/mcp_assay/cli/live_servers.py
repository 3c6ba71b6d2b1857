"""The servers that pages may have assessed: shown on the terminal, and confirmed there."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from mcp_assay.cli.every_server import ConfiguredServer, Every, every_server
from mcp_assay.cli.history_keeper import identity_of_target
from mcp_assay.cli.options import CommandLine, LiveOptions, ServerOptions, WorldOptions
from mcp_assay.cli.output import CommandError, UsageError, complain
from mcp_assay.cli.questions import confirm, may_ask
from mcp_assay.cli.worlds import require_world, world_of
from mcp_assay.client.client_configs import read_client_config
from mcp_assay.client.sandbox.admission import NotForWorld, put_into_world
from mcp_assay.client.sandbox.options import SandboxOptions
from mcp_assay.client.target import Command
from mcp_assay.history.location import BY_DEFAULT
from mcp_assay.text.safe import plain
from mcp_assay.web.live.servers import LiveServer, LiveSettings, RunLimits, entry_digest


def confirmed_servers(line: CommandLine, options: LiveOptions, history: str | None) -> LiveSettings:
    """What may be assessed from the pages; raises CommandError where it is not confirmed."""
    wanted = world_of(line, WorldOptions(sandbox=options.sandbox))
    if wanted is not None:
        require_world(wanted)
    every = [every_server(line, ServerOptions(config=path)) for path in options.configs]
    _confirm(every, options)
    return LiveSettings(
        servers=[server for one in every for server in _servers(one, wanted)],
        limits=_limits(line, options),
        history=history or BY_DEFAULT,
    )


def _limits(line: CommandLine, options: LiveOptions) -> RunLimits:
    """What runs may do at most; where nothing lasts and nobody chose otherwise, call all tools."""
    is_chosen = options.sandbox is None or line.chooses("calls")
    return RunLimits(
        calls=options.calls if is_chosen else "all",
        allow=options.allow,
        deny=options.deny,
        max_calls=options.max_calls,
        timeout=options.timeout,
        max_time=options.max_time,
        sandbox=options.sandbox,
    )


def _confirm(every: list[Every], options: LiveOptions) -> None:
    """Show all commands, and ask once whether pages may have them started."""
    commands = [(one.file, entry) for one in every for entry in one.entries if _command(entry)]
    if not commands or options.answers.yes or options.answers.no_input:
        return
    if not may_ask(options.answers):
        words = "their commands cannot be shown and confirmed without a terminal"
        raise UsageError(f"--config: {words}; --yes confirms them.")
    for file in dict.fromkeys(file for file, _ in commands):
        complain(f"{file} contains these commands:")
        for name, command in ((it.name, _command(it)) for its, it in commands if its == file):
            complain(f"    {plain(name)}: {shlex.join(command)}")
    if not confirm("May they be started from the pages?"):
        raise CommandError("nothing was confirmed; without --config the pages start nothing.")


def _command(entry: ConfiguredServer) -> tuple[str, ...]:
    """The command of a server; none where it is an address, or cannot be started."""
    target = entry.named.target if entry.named else None
    return tuple(target.command) if isinstance(target, Command) else ()


def _servers(every: Every, wanted: SandboxOptions | None) -> Iterator[LiveServer]:
    entries = read_client_config(every.file)
    for it in every.entries:
        problem = it.problem or _problem(it, wanted)
        yield LiveServer(
            name=it.name,
            config=every.file,
            shown=_shown(it),
            digest=entry_digest(entries.get(it.name, {})),
            problem=f"{problem} Assess it on the command line." if problem else None,
        )


def _shown(entry: ConfiguredServer) -> str:
    if entry.named is None:
        return ""
    about = identity_of_target(entry.named, None).about
    return shlex.join(about.command) if about.command else about.url or ""


def _problem(entry: ConfiguredServer, wanted: SandboxOptions | None) -> str | None:
    """Why a server cannot be put into the world that is wanted."""
    if wanted is None or entry.named is None:
        return None
    try:
        put_into_world(entry.named.target, wanted)
    except NotForWorld as refusal:
        return f"--sandbox: {refusal}"
    return None
