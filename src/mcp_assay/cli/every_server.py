"""All servers of a client's configuration: whom to assess, whom to skip, and what each is given."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from msgspec.structs import replace

from mcp_assay.cli.options import CommandLine, ServerOptions, WorldOptions
from mcp_assay.cli.output import CommandError, UsageError
from mcp_assay.cli.several_files import file_names
from mcp_assay.cli.targets import (
    Named,
    completed,
    named_in_config,
    pairs,
    require_server,
    retyped,
)
from mcp_assay.cli.worlds import require_world, world_of
from mcp_assay.client.client_configs import (
    ConfigServer,
    WrongClientConfig,
    client_server,
    read_client_config,
    why_skipped,
)
from mcp_assay.client.sandbox.admission import NotForWorld, put_into_world
from mcp_assay.client.sandbox.options import SandboxOptions
from mcp_assay.model.reports import SkippedServer


class ConfiguredServer(NamedTuple):
    """A server of a configuration: how it is reached, or why it cannot be."""

    name: str
    named: Named | None
    problem: str | None = None


class Every(NamedTuple):
    """All servers of a configuration, in its order."""

    file: str
    entries: list[ConfiguredServer]
    skipped: list[SkippedServer]


def every_server(line: CommandLine, options: ServerOptions) -> Every:
    """The servers of --config; a usage error where there is none."""
    path = options.config
    if not path:
        raise UsageError("--all needs --config FILE.")
    require_server(line, options)
    try:
        found = read_client_config(path)
    except WrongClientConfig as refusal:
        raise CommandError(str(refusal)) from None
    skipped = {name: why for name, entry in found.items() if (why := why_skipped(entry))}
    wanted = {name: entry for name, entry in found.items() if name not in skipped}
    if not wanted:
        raise UsageError(f"{path} contains no server{' that is enabled' if skipped else ''}.")
    return Every(
        path,
        list(_entries(path, wanted, options)),
        [SkippedServer(name=name, reason=why) for name, why in skipped.items()],
    )


def all_in_world(line: CommandLine, every: Every, options: WorldOptions) -> Every:
    """The servers in worlds of their own, if that is wanted; one that cannot be is not started."""
    wanted = world_of(line, options)
    if wanted is None:
        return every
    require_world(wanted)
    names = file_names(entry.name for entry in every.entries)
    own = [_in_world(entry, wanted, names[entry.name]) for entry in every.entries]
    return every._replace(entries=own)


def _in_world(entry: ConfiguredServer, wanted: SandboxOptions, name: str) -> ConfiguredServer:
    if entry.named is None:
        return entry
    keep = os.path.join(wanted.keep, name) if wanted.keep else None
    try:
        target = put_into_world(entry.named.target, replace(wanted, keep=keep))
    except NotForWorld as refusal:
        return ConfiguredServer(entry.name, None, f"--sandbox: {refusal}")
    return entry._replace(named=entry.named._replace(target=target))


def _entries(
    path: str, found: Mapping[str, Mapping[str, Any]], options: ServerOptions
) -> Iterator[ConfiguredServer]:
    """Each server, with those of the typed variables and headers that its entry names."""
    pairs(options.env, "=", "--env", os.environ)  # a slip of the user is no server's problem
    pairs(options.header, ":", "--header")
    servers = {name: _server(path, name, entry) for name, entry in found.items()}
    known = [one for one in servers.values() if isinstance(one, ConfigServer)]
    _require_named("--env", options.env, "=", (one.environment for one in known), path)
    _require_named("--header", options.header, ":", (one.headers for one in known), path)
    for name, server in servers.items():
        if isinstance(server, str):
            yield ConfiguredServer(name, None, server)
        else:
            yield _entry(server, path, options)


def _server(path: str, name: str, entry: Mapping[str, Any]) -> ConfigServer | str:
    """The server that an entry describes, or why it describes none."""
    try:
        return client_server(path, name, entry, os.environ)
    except WrongClientConfig as refusal:
        return str(refusal)


def _entry(server: ConfigServer, path: str, options: ServerOptions) -> ConfiguredServer:
    variables = _those_named(options.env, "=", server.environment)
    headers = _those_named(options.header, ":", server.headers)
    try:
        whole = completed(server, path, variables, headers)
    except UsageError as refusal:
        return ConfiguredServer(server.name, None, str(refusal))
    return ConfiguredServer(server.name, named_in_config(whole, path, retyped(variables, headers)))


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
            raise UsageError(f"{option} {name}: {words}, or use --server NAME.")


def _name(text: str, sign: str) -> str:
    return text.partition(sign)[0].strip()


def _as_compared(name: str, sign: str) -> str:
    """A name as it is looked for: headers may be spelt in any way, variables may not."""
    return name.lower() if sign == ":" else name
