"""The commands, each loaded when it is called, and the exit code that each kind of ending has."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mcp_assay import __version__
from mcp_assay.cli.output import CommandError, Unanswered, one_line
from mcp_assay.cli.parameters import HELP_OPTIONS
from mcp_assay.cli.plain_commands import PROGRAM
from mcp_assay.model.outcome import CLEAN

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

COMMANDS = {
    "assess": "Connect to a server, call its tools and report what works.",
    "completion": "Print a completion script for a shell.",
    "demo": "Assess a built-in demo server with deliberate bugs.",
    "diff": "Compare two reports: new, fixed and changed findings.",
    "explain": "Explain why a rule exists and how to fix violations.",
    "fleet": "Assess many servers, here or on a Dask cluster.",
    "history": "Ask what earlier runs found, and what changed since.",
    "lint": "Check the definitions of tools, resources and prompts.",
    "proxy": "Forward traffic between a client and a server, and check it live.",
    "rules": "List the rules.",
    "sandbox": "Find out which disposable worlds can be made here.",
    "ui": "Look at servers, runs and traffic in a browser.",
    "validate": "Check messages or traces from files or stdin.",
    "version": "Print the version.",
}
"""Each command and what it does, for whoever looks for one: none is loaded for that."""


class CommandGroup(click.Group):
    """A group that loads its commands only when one is called."""

    def list_commands(self, _: click.Context) -> list[str]:
        """The names of all commands."""
        return list(COMMANDS)

    def get_command(self, _: click.Context, name: str) -> click.Command | None:
        """The command of this name, made now."""
        if name not in COMMANDS:
            return None
        from mcp_assay.cli import commands

        command = getattr(commands, name)()
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, _: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what each command does."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def shell_complete(self, context: click.Context, incomplete: str) -> list[CompletionItem]:
        """The commands that begin so, and the options before any command."""
        from click.shell_completion import CompletionItem as Item

        begun = [name for name in COMMANDS if name.startswith(incomplete)]
        options = click.Command.shell_complete(self, context, incomplete)
        return [*(Item(name, help=COMMANDS[name]) for name in begun), *options]

    def resolve_command(
        self, context: click.Context, arguments: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the first argument names, or a usage error that suggests one."""
        if arguments[0] in COMMANDS or arguments[0].startswith("-"):
            return super().resolve_command(context, arguments)
        from difflib import get_close_matches

        near = get_close_matches(arguments[0], COMMANDS)
        hint = f"did you mean {near[0]}?" if near else f"choose one of {', '.join(COMMANDS)}."
        raise click.UsageError(f"unknown command {arguments[0]!r}; {hint}", context)


@click.group(
    "mcp-assay",
    cls=CommandGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": list(HELP_OPTIONS)},
)
@click.version_option(__version__, message="mcp-assay %(version)s")
@click.pass_context
def application(context: click.Context) -> None:
    """Find out what an MCP server really does."""
    if context.invoked_subcommand is None:
        raise click.UsageError(f"name a command: {', '.join(COMMANDS)}.", context)
    if not context.obj:  # a broken configuration keeps nobody from reading the help
        context.default_map = _configured()


def _configured() -> dict[str, dict[str, object]]:
    """What the project's configuration says, by command."""
    from mcp_assay.client.project_config import WrongConfiguration, find_configuration

    try:
        found = find_configuration()
        if not found.table:
            return {}
        from mcp_assay.cli.configuration import defaults

        return defaults(found, application)
    except WrongConfiguration as refusal:
        raise click.ClickException(str(refusal)) from None


def run(arguments: list[str]) -> int:
    """Run the command that the arguments name, and give its exit code."""
    try:
        asks_for_help = not set(HELP_OPTIONS).isdisjoint(arguments)
        code = application.main(arguments, PROGRAM, standalone_mode=False, obj=asks_for_help)
    except click.ClickException as refusal:
        raise CommandError(_sentence(refusal)) from None
    except click.Abort:
        raise Unanswered from None
    return code if isinstance(code, int) else CLEAN


def _sentence(refusal: click.ClickException) -> str:
    message = refusal.format_message()
    if isinstance(refusal, click.BadParameter) and _is_configured(refusal):
        return f"in the configuration: {one_line(message)}"
    context = refusal.ctx if isinstance(refusal, click.UsageError) else None
    return one_line(message, context.command_path if context else "")


def _is_configured(refusal: click.BadParameter) -> bool:
    context, option = refusal.ctx, refusal.param
    if context is None or option is None or option.name is None:
        return False
    return context.get_parameter_source(option.name) == click.core.ParameterSource.DEFAULT_MAP
