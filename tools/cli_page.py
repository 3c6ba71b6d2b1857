"""The command line as a page: every command with its arguments and options."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from mcp_assay.cli.application import application
from mcp_assay.cli.bare_options import BareOption

NOTE = "<!-- Written by `make docs` from the commands themselves; change those instead. -->\n"


def page() -> str:
    """The page for all commands."""
    context = click.Context(application, info_name="mcp-assay")
    names = application.list_commands(context)
    commands = [application.get_command(context, name) for name in names]
    sections = "\n".join("\n".join(_sections(command, context)) for command in commands if command)
    return f"{NOTE}# The command line\n\n{_EXIT_CODES}\n{sections}"


def _sections(
    command: click.Command, context: click.Context, above: str = "mcp-assay"
) -> Iterator[str]:
    """What is said of a command, and of those that it groups."""
    yield from _section(command, above)
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            if inner is not None:
                yield from _sections(inner, context, f"{above} {command.name}")


def _section(command: click.Command, above: str) -> Iterator[str]:
    arguments = [
        str(param.metavar) for param in command.params if isinstance(param, click.Argument)
    ]
    yield f"## {' '.join([above, str(command.name), *arguments])}\n"
    yield " ".join((command.help or "").split()) + "\n"
    options = [param for param in command.params if isinstance(param, click.Option)]
    if options:
        yield "| option | meaning |\n|---|---|"
        yield from (f"| `{_usage(option)}` | {_meaning(option)} |" for option in options)
    yield ""


def _usage(option: click.Option) -> str:
    return " ".join([", ".join(option.opts), *_value(option)]).replace("|", "\\|")


def _value(option: click.Option) -> list[str]:
    if option.is_flag:
        return []
    if isinstance(option, BareOption) and option.metavar:
        return [option.metavar]
    if isinstance(option.type, click.Choice):
        return ["|".join(option.type.choices)]
    return [option.metavar or option.type.name.upper()]


def _meaning(option: click.Option) -> str:
    default: Any = option.default if option.show_default else None
    shown = f" Default: {default}." if default is not None else ""
    return f"{option.help}{shown}"


_EXIT_CODES = """| exit code | meaning |
|---|---|
| 0 | nothing was found at or above `--fail-on` |
| 1 | something was found |
| 2 | wrong usage, or nothing that could be read |
| 3 | incomplete: a server could not be started or reached, or could not be assessed to the end |
| 4 | a fault of mcp-assay itself |
| 130 | interrupted |

The report goes to standard output, everything else to standard error.
"""
