"""Options from a configuration file: what the file says takes the place of an option's default."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any

import click

from mcp_assay.configuration import Configuration, WrongConfiguration

TABLES = ("elicitation", "errors", "roots", "sampling", "tools")
"""Keys that are no options: tables that other parts read."""


def defaults(configuration: Configuration, group: click.Group) -> dict[str, dict[str, Any]]:
    """For each command the defaults that a configuration sets; raises WrongConfiguration."""
    context = click.Context(group)
    commands = {name: group.get_command(context, name) for name in group.list_commands(context)}
    options = {name: dict(_options(command)) for name, command in commands.items() if command}
    _require_known(configuration, {*TABLES, *(key for known in options.values() for key in known)})
    return {name: _defaults(configuration.table, known) for name, known in options.items()}


def _require_known(configuration: Configuration, known: set[str]) -> None:
    for key in configuration.table:
        if key not in known:
            near = get_close_matches(key, sorted(known), 1)
            hint = f"; did you mean {near[0]}?" if near else "."
            raise WrongConfiguration(f"{configuration.path}: there is no option {key!r}{hint}")


def _options(command: click.Command) -> Iterator[tuple[str, click.Option]]:
    """The long options of a command, by the name that is their key."""
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            for name in parameter.opts:
                if name.startswith("--"):
                    yield name.removeprefix("--"), parameter


def _defaults(table: Mapping[str, Any], known: Mapping[str, click.Option]) -> dict[str, Any]:
    chosen = {known[key]: value for key, value in table.items() if key in known}
    return {str(option.name): _as_given(option, value) for option, value in chosen.items()}


def _as_given(option: click.Option, value: Any) -> Any:
    """The value as click wants it: an option that may be repeated takes a list, or one value."""
    return [value] if option.multiple and not isinstance(value, list) else value
