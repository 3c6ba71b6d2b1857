"""All servers of a client's configuration: whom to assess, whom to skip, and what each is given."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import reduce
from typing import Any, NamedTuple, TypeVar

import click

from mcp_assay.cli.servers import is_typed, pairs, require_server
from mcp_assay.cli.targets import Named, completed, named_in_config, retyped
from mcp_assay.intake.client_configs import (
    ClientServer,
    WrongClientConfig,
    client_server,
    read_client_config,
    why_skipped,
)
from mcp_assay.model.reports import SkippedServer

Decorated = TypeVar("Decorated", bound=Callable[..., Any])

OPTIONS = (
    click.option(
        "--all",
        "all_servers",
        is_flag=True,
        is_eager=True,
        help="Take every server of --config, side by side.",
    ),
    click.option(
        "--jobs",
        type=click.IntRange(min=1),
        metavar="N",
        help="With --all: how many servers at a time; by default what the processors can bear.",
    ),
)


def several_options(command: Decorated) -> Decorated:
    """Give a command the options for all servers of a configuration."""
    return reduce(lambda wrapped, option: option(wrapped), reversed(OPTIONS), command)


class Entry(NamedTuple):
    """A server of a configuration: how it is reached, or why it cannot be."""

    name: str
    named: Named | None
    problem: str | None = None


class Every(NamedTuple):
    """All servers of a configuration, in its order."""

    file: str
    entries: list[Entry]
    skipped: list[SkippedServer]


def wants_all(context: click.Context, given: Mapping[str, Any]) -> bool:
    """Whether all servers are meant; a server that was typed goes before a configured --all."""
    if is_typed(context, "jobs") and not given["all_servers"]:
        words = "one server is asked one thing after the other, as a client would"
        raise click.UsageError(f"--jobs needs --config FILE --all: {words}.")
    if not given["all_servers"]:
        return False
    if is_typed(context, "all_servers"):
        if is_typed(context, "server_name"):
            raise click.UsageError("--all and --server NAME exclude each other.")
        return True
    is_one = given["url"] or given["server"] or given["server_name"] is not None
    return not is_one and given["config"] is not None


def every_server(context: click.Context, given: Mapping[str, Any]) -> Every:
    """The servers of --config; a usage error where there is none."""
    if not given["config"]:
        raise click.UsageError("--all needs --config FILE.")
    require_server(context)
    path = given["config"]
    try:
        found = read_client_config(path)
    except WrongClientConfig as refusal:
        raise click.ClickException(str(refusal)) from None
    skipped = {name: why for name, entry in found.items() if (why := why_skipped(entry))}
    wanted = {name: entry for name, entry in found.items() if name not in skipped}
    if not wanted:
        raise click.UsageError(f"{path} names no server{' that is enabled' if skipped else ''}.")
    return Every(
        path,
        list(_entries(path, wanted, given)),
        [SkippedServer(name=name, reason=why) for name, why in skipped.items()],
    )


def _entries(
    path: str, found: Mapping[str, Mapping[str, Any]], given: Mapping[str, Any]
) -> Iterator[Entry]:
    """Each server, with those of the typed variables and headers that its entry names."""
    pairs(given["env"], "=", "--env", os.environ)  # a slip of the user is no server's problem
    pairs(given["header"], ":", "--header")
    servers = {name: _server(path, name, entry) for name, entry in found.items()}
    known = [one for one in servers.values() if isinstance(one, ClientServer)]
    _require_named("--env", given["env"], "=", (one.environment for one in known), path)
    _require_named("--header", given["header"], ":", (one.headers for one in known), path)
    for name, server in servers.items():
        if isinstance(server, str):
            yield Entry(name, None, server)
        else:
            yield _entry(server, path, given)


def _server(path: str, name: str, entry: Mapping[str, Any]) -> ClientServer | str:
    """The server that an entry describes, or why it describes none."""
    try:
        return client_server(path, name, entry, os.environ)
    except WrongClientConfig as refusal:
        return str(refusal)


def _entry(server: ClientServer, path: str, given: Mapping[str, Any]) -> Entry:
    variables = _those_named(given["env"], "=", server.environment)
    headers = _those_named(given["header"], ":", server.headers)
    try:
        whole = completed(server, path, variables, headers)
    except click.UsageError as refusal:
        return Entry(server.name, None, refusal.message)
    return Entry(server.name, named_in_config(whole, path, retyped(variables, headers)))


def _those_named(texts: Iterable[str], sign: str, named: Mapping[str, str]) -> list[str]:
    """What was typed for names that an entry has: a secret of one server is no other's business."""
    known = {_as_compared(name, sign) for name in named}
    return [text for text in texts if _as_compared(_name(text, sign), sign) in known]


def _require_named(
    option: str, texts: Iterable[str], sign: str, named: Iterable[Mapping[str, str]], path: str
) -> None:
    """Refuse a variable or header that no entry names: it would go to everybody, or nobody."""
    known = {_as_compared(name, sign) for one in named for name in one}
    for name in (_name(text, sign) for text in texts):
        if _as_compared(name, sign) not in known:
            words = f"no server of {path} names it; write it into the entry that needs it"
            raise click.UsageError(f"{option} {name}: {words}, or use --server NAME.")


def _name(text: str, sign: str) -> str:
    return text.partition(sign)[0].strip()


def _as_compared(name: str, sign: str) -> str:
    """A name as it is looked for: headers may be spelt in any way, variables may not."""
    return name.lower() if sign == ":" else name
