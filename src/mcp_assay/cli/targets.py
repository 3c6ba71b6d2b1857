"""Which server a command line names, behind --, by its URL or in a client's configuration."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from functools import reduce
from typing import Any, NamedTuple, TypeVar

import click
from msgspec.structs import replace

from mcp_assay.cli.output import complain
from mcp_assay.cli.servers import is_typed, pairs, require_server
from mcp_assay.drive.target import Command, Endpoint, Target
from mcp_assay.intake.client_configs import (
    ClientServer,
    WrongClientConfig,
    client_server,
    placeholders,
    read_client_config,
)
from mcp_assay.intake.pairs import secrets_in
from mcp_assay.transport.environment import allowed

Decorated = TypeVar("Decorated", bound=Callable[..., Any])

OPTIONS = (
    click.option(
        "--config",
        metavar="FILE",
        help="Take the server from a client's configuration (mcpServers or servers).",
    ),
    click.option(
        "--server", "server_name", metavar="NAME", help="Which server of --config, if it has more."
    ),
    click.option(
        "--env",
        metavar="NAME[=VALUE]",
        multiple=True,
        help="A variable for the server; a name alone passes yours on; repeatable.",
    ),
    click.option(
        "--header", metavar='"NAME: VALUE"', multiple=True, help="A header for HTTP; repeatable."
    ),
    click.option("--no-input", is_flag=True, help="Ask nothing, also on a terminal."),
    click.option("--yes", is_flag=True, help="Answer yes to what would be asked on a terminal."),
)
FOR_EDITORS = ("${input:", "${env:", "${config:", "${command:")
"""How placeholders begin that no program would understand."""
INSTEAD = {
    "cwd": "run mcp-assay in that folder",
    "envFile": "name its variables with --env",
}
"""What to do about what a configuration says and we do not follow."""


class Named(NamedTuple):
    """A server that the user named, and what must not be shown of it."""

    target: Target
    secrets: tuple[str, ...]
    file: str | None = None
    """The configuration that it comes from."""


def server_options(command: Decorated) -> Decorated:
    """Give a command the options that name a server."""
    return reduce(lambda wrapped, option: option(wrapped), reversed(OPTIONS), command)


def named_server(context: click.Context, given: Mapping[str, Any]) -> Named:
    """The server that was named; a usage error says what to type where there is not one."""
    require_server(context)
    typed = retyped(given["env"], given["header"])
    if not given["url"] and not given["server"]:
        its = configured_server(given, given["env"], given["header"])
        return named_in_config(its, given["config"], typed)
    if is_typed(context, "server_name"):
        raise click.UsageError("--server needs --config FILE.")
    its = ClientServer(
        name="",
        command=given["server"],
        url=given["url"],
        environment=pairs(given["env"], "=", "--env", os.environ),
        headers=pairs(given["header"], ":", "--header"),
    )
    return Named(_target(its), secrets_of(its))


def configured_server(
    given: Mapping[str, Any], variables: Iterable[str], headers: Iterable[str]
) -> ClientServer:
    """The server of --config, with the variables and headers that were typed."""
    path = given["config"]
    try:
        entries = read_client_config(path)
        name = _chosen(path, list(entries), given["server_name"])
        its = client_server(path, name, entries[name], os.environ)
    except WrongClientConfig as refusal:
        raise click.ClickException(str(refusal)) from None
    return completed(its, path, variables, headers)


def completed(
    its: ClientServer, path: str, variables: Iterable[str], headers: Iterable[str]
) -> ClientServer:
    """A server of a configuration with what was typed; a usage error says what it still lacks."""
    its = replace(
        its,
        environment=its.environment | pairs(variables, "=", "--env", os.environ),
        headers=_with_headers(its.headers, pairs(headers, ":", "--header")),
    )
    _require_filled(its, path)
    for key in its.unheeded:
        complain(f"mcp-assay: {path}: {key} of {its.name!r} is not followed; {INSTEAD[key]}.")
    return its


def named_in_config(its: ClientServer, path: str, typed: Iterable[str]) -> Named:
    """A server of a configuration, with the words that name it on a command line."""
    words = ("assess", "--config", path, "--server", its.name, *typed)
    return Named(_target(its, words), secrets_of(its), path)


def secrets_of(its: ClientServer) -> tuple[str, ...]:
    """What must not be shown of a server."""
    return secrets_in((*its.environment.values(), *its.headers.values(), *its.filled))


def _target(its: ClientServer, named: tuple[str, ...] = ()) -> Target:
    if its.url is not None:
        return Endpoint(url=its.url, headers=its.headers, named=named)
    environment = allowed(os.environ, its.environment)
    return Command(command=its.command, environment=environment, named=named)


def _chosen(path: str, names: list[str], wanted: str | None) -> str:
    """The name of the server that is meant."""
    if not names:
        raise click.UsageError(f"{path} names no server.")
    if wanted is None and len(names) == 1:
        return names[0]
    listed = ", ".join(names)
    if wanted is None:
        raise click.UsageError(f"{path} names {len(names)} servers; add --server NAME: {listed}.")
    if wanted not in names:
        near = get_close_matches(wanted, names, 1)
        hint = f"did you mean {near[0]}?" if near else f"it names {listed}."
        raise click.UsageError(f"{path} names no server {wanted!r}; {hint}")
    return wanted


def _with_headers(ours: Mapping[str, str], typed: Mapping[str, str]) -> dict[str, str]:
    """All headers; a typed one takes the place of its like, however that is spelt."""
    names = {name.lower() for name in typed}
    return {**{name: value for name, value in ours.items() if name.lower() not in names}, **typed}


def _require_filled(its: ClientServer, path: str) -> None:
    """Refuse a server with gaps, and say which option fills each."""
    needs = [
        *(f"--env {name}=VALUE for {gap}" for name, gap in _gaps(its.environment)),
        *(f'--header "{name}: VALUE" for {gap}' for name, gap in _gaps(its.headers)),
    ]
    if needs:
        raise click.UsageError(f"{path}: {its.name!r} has placeholders; add {', '.join(needs)}.")
    for word in (*its.command, its.url or ""):
        for gap in placeholders(word):
            if gap.startswith(FOR_EDITORS):
                words = f"{gap} stands in its command or url; type the server without --config."
                raise click.UsageError(f"{path}: {its.name!r} has placeholders; {words}")


def _gaps(values: Mapping[str, str]) -> list[tuple[str, str]]:
    return [(name, gap) for name, value in values.items() for gap in placeholders(value)]


def retyped(variables: Iterable[str], headers: Iterable[str]) -> list[str]:
    """The typed variables and headers as they may be shown."""
    return [*_retyped("--env", variables, "="), *_retyped("--header", headers, ":")]


def _retyped(option: str, texts: Iterable[str], sign: str) -> list[str]:
    """The option as it may be shown: values that are not in files are left to be filled in."""
    words: list[str] = []
    for text in texts:
        name, found, value = text.partition(sign)
        is_harmless = not found or value.strip().startswith("@")
        words += [option, text if is_harmless else f"{name}{sign}VALUE"]
    return words
