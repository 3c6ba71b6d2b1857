"""Options from a configuration file: what the file says takes the place of an option's default."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any, TypeAlias

import click

from mcp_assay.assess.examples import require_examples
from mcp_assay.cli.bare_options import BareOption
from mcp_assay.client.project_config import Configuration, WrongConfiguration
from mcp_assay.judge.errors.user_patterns import WrongPattern, own_patterns

TABLES = ("contract", "elicitation", "errors", "roots", "sampling", "tools")
"""Keys that are no options: tables that other parts read."""

Options: TypeAlias = dict[str, click.Option]


def defaults(configuration: Configuration, group: click.Group) -> dict[str, dict[str, Any]]:
    """For each command the defaults that a configuration sets; raises WrongConfiguration."""
    context = click.Context(group)
    commands = {name: group.get_command(context, name) for name in group.list_commands(context)}
    options = {name: dict(options_of(command)) for name, command in commands.items() if command}
    try:
        _require_tables(configuration.table)
        known = {key for its in options.values() for key in its}
        chosen = {key: value for key, value in configuration.table.items() if key not in TABLES}
        for key, value in chosen.items():
            _require_known(key, known)
            _require_taken(key, value, [its[key] for its in options.values() if key in its])
    except (WrongConfiguration, WrongPattern) as refusal:
        raise WrongConfiguration(f"{configuration.path}: {refusal}") from None
    return {name: _defaults(chosen, its) for name, its in options.items()}


def options_of(command: click.Command) -> Iterator[tuple[str, click.Option]]:
    """The long options of a command, by the name that is their key."""
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            for name in parameter.opts:
                if name.startswith("--"):
                    yield name.removeprefix("--"), parameter


def _require_tables(table: Mapping[str, Any]) -> None:
    for key in TABLES:
        if not isinstance(table.get(key, {}), dict):
            raise WrongConfiguration(f"{key} must be a table.")
    own_patterns(table.get("errors", {}))
    require_examples(table)


def _require_known(key: str, known: set[str]) -> None:
    if key not in known:
        near = get_close_matches(key, sorted({*known, *TABLES}), 1)
        hint = f"; did you mean {near[0]}?" if near else "."
        raise WrongConfiguration(f"unknown option {key!r}{hint}")


def _require_taken(key: str, value: Any, options: list[click.Option]) -> None:
    """Refuse a value that no command takes for this option."""
    if not any(_takes(option, value) for option in options):
        choices = next((one.type for one in options if isinstance(one.type, click.Choice)), None)
        allowed = f"; use one of {', '.join(choices.choices)}" if choices else ""
        raise WrongConfiguration(f"{key} cannot be {value!r}{allowed}.")


def _takes(option: click.Option, value: Any) -> bool:
    """Whether an option may have this value, as far as its type tells."""
    if option.multiple:
        values = value if isinstance(value, list) else [value]
        return all(isinstance(one, str) for one in values)
    if option.is_flag:
        return isinstance(value, bool)
    if isinstance(option, BareOption) and isinstance(value, bool):
        return True
    if isinstance(option.type, click.Choice):
        return value in option.type.choices
    if isinstance(option.type, click.types.IntParamType):
        return type(value) is int
    return isinstance(value, str | int | float) and not isinstance(value, bool)


def _defaults(table: Mapping[str, Any], known: Options) -> dict[str, Any]:
    """What a command gets: the values that its own options take."""
    chosen = {
        known[key]: value
        for key, value in table.items()
        if key in known and _takes(known[key], value)
    }
    return {str(option.name): _as_given(option, value) for option, value in chosen.items()}


def _as_given(option: click.Option, value: Any) -> Any:
    """The value as click wants it: an option that may be repeated takes a list, or one value."""
    if isinstance(option, BareOption) and isinstance(value, bool):
        return option.bare if value else None
    return [value] if option.multiple and not isinstance(value, list) else value
