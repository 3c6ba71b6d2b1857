"""The commands, each loaded when it is called, and the exit code that each kind of ending has."""

from __future__ import annotations

import gc
from importlib import import_module

import click

from mcp_assay import __version__
from mcp_assay.cli.output import complain

COMMANDS = {
    "assess": "mcp_assay.cli.assess",
    "demo": "mcp_assay.cli.demo",
    "diff": "mcp_assay.cli.diff",
    "explain": "mcp_assay.cli.explain",
    "lint": "mcp_assay.cli.lint",
    "proxy": "mcp_assay.cli.proxy",
    "rules": "mcp_assay.cli.rules",
    "validate": "mcp_assay.cli.validate",
    "version": "mcp_assay.cli.version",
}
"""Each command and the module that holds it under the name `command`."""

HELP = frozenset({"-h", "--help"})
USAGE = 2
OUR_FAULT = 4
INTERRUPTED = 130


class Commands(click.Group):
    """A group that imports a command only when it is needed."""

    def list_commands(self, _: click.Context) -> list[str]:
        """The names of all commands."""
        return list(COMMANDS)

    def get_command(self, _: click.Context, name: str) -> click.Command | None:
        """The command of this name, imported now."""
        if name not in COMMANDS:
            return None
        command = import_module(COMMANDS[name]).command
        gc.freeze()
        gc.enable()
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, context: click.Context, arguments: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the first argument names, or a usage error that suggests one."""
        if arguments[0] in COMMANDS or arguments[0].startswith("-"):
            return super().resolve_command(context, arguments)
        from difflib import get_close_matches

        near = get_close_matches(arguments[0], COMMANDS)
        hint = f"did you mean {near[0]}?" if near else f"choose one of {', '.join(COMMANDS)}."
        raise click.UsageError(f"there is no command {arguments[0]!r}; {hint}", context)


@click.group(
    "mcp-assay",
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": sorted(HELP)},
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
    from mcp_assay.configuration import WrongConfiguration, find_configuration

    try:
        found = find_configuration()
        if not found.table:
            return {}
        from mcp_assay.cli.configured import defaults

        return defaults(found, application)
    except WrongConfiguration as refusal:
        raise click.ClickException(str(refusal)) from None


def run(arguments: list[str]) -> int:
    """Run the command that the arguments name; nothing but an exit code comes out."""
    try:
        asks_for_help = not HELP.isdisjoint(arguments)
        code = application.main(arguments, "mcp-assay", standalone_mode=False, obj=asks_for_help)
    except click.ClickException as refusal:
        complain(f"mcp-assay: {_sentence(refusal)}")
        return USAGE if refusal.exit_code == 1 else refusal.exit_code
    except (KeyboardInterrupt, click.Abort):
        complain("mcp-assay: interrupted")
        return INTERRUPTED
    except Exception as fault:  # noqa: BLE001  whatever we got wrong, the user gets a sentence
        complain(_apology(fault))
        return OUR_FAULT
    return code if isinstance(code, int) else 0


def _sentence(refusal: click.ClickException) -> str:
    message = refusal.format_message()
    message = message[:1].lower() + message[1:]
    if isinstance(refusal, click.BadParameter) and _is_configured(refusal):
        return f"in the configuration: {message}"
    if not isinstance(refusal, click.UsageError) or refusal.ctx is None:
        return message
    return f"{message.removesuffix('.')} (see {refusal.ctx.command_path} --help)"


def _is_configured(refusal: click.BadParameter) -> bool:
    context, option = refusal.ctx, refusal.param
    if context is None or option is None or option.name is None:
        return False
    return context.get_parameter_source(option.name) == click.core.ParameterSource.DEFAULT_MAP


def _apology(fault: Exception) -> str:
    place = _place(fault)
    return (
        f"mcp-assay: sorry, this is a fault of mcp-assay itself: {type(fault).__name__}: {fault}"
        f"{place}. Please report it with this line, the command, the version and, if you may "
        "share it, the input."
    )


def _place(fault: Exception) -> str:
    trace = fault.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    if trace is None:
        return ""
    file = trace.tb_frame.f_code.co_filename.replace("\\", "/").rpartition("/")[2]
    return f" ({file}, line {trace.tb_lineno})"
