"""Which server a command line names: behind --, by its URL or in a client's configuration."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from mcp_assay.cli.options import CommandLine, ServerOptions
from mcp_assay.cli.output import CommandError, UsageError, complain
from mcp_assay.client.client_configs import (
    ConfigServer,
    WrongClientConfig,
    client_server,
    placeholders,
    read_client_config,
)
from mcp_assay.client.target import Command, Endpoint, Target, WrongPair, allowed, secrets_in
from mcp_assay.client.target import pairs as read_pairs

INTERPRETERS: Mapping[str, tuple[str, ...]] = {
    ".py": ("python",),
    ".js": ("node",),
    ".mjs": ("node",),
    ".cjs": ("node",),
    ".ts": ("npx", "tsx"),
    ".sh": ("sh",),
}
"""What runs a file, by the end of its name."""


def require_server(line: CommandLine, options: ServerOptions) -> None:
    """Raise a usage error that says what to type, unless exactly one server was named."""
    if options.words:
        meant = to_type(line, options.words)
        raise UsageError(f"put -- before the server's command: {meant}")
    if options.url and options.server:
        raise UsageError("name either a URL or a command, not both.")
    if options.is_typed and line.has("config"):
        raise UsageError("name either a server or --config FILE, not both.")
    if not options.is_typed and not options.config:
        raise UsageError(f"name a server: {line.command} -- COMMAND, or a URL.")


def pairs(
    texts: Iterable[str], sign: str, option: str, known: Mapping[str, str] | None = None
) -> dict[str, str]:
    """What intake.pairs reads; what it refuses is wrong usage."""
    try:
        return read_pairs(texts, sign, option, known)
    except WrongPair as refusal:
        raise UsageError(str(refusal)) from None


def to_type(line: CommandLine, words: Sequence[str]) -> str:
    """The command line that was meant."""
    options = line.words[: -len(words)]
    return shlex.join([*line.command.split(), *options, "--", *_meant(words)])


def _meant(words: Sequence[str]) -> Sequence[str]:
    program, ending = words[0], os.path.splitext(words[0])[1]
    if len(words) > 1 and not ending:
        return words
    module, colon, name = program.partition(":")
    if colon and all(part.isidentifier() for part in (*module.split("."), name)):
        return ["python", "-c", f"from {module} import {name}; {name}.run()"]
    return [*INTERPRETERS.get(ending, ()), *words]


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
    name: str | None = None
    """What it is called there."""


def named_server(line: CommandLine, options: ServerOptions) -> Named:
    """The server that was named; a usage error says what to type where there is not one."""
    require_server(line, options)
    if not options.is_typed:
        path = str(options.config)
        typed = retyped(options.env, options.header)
        return named_in_config(configured_server(path, options), path, typed)
    if line.has("server_name"):
        raise UsageError("--server needs --config FILE.")
    its = ConfigServer(
        name="",
        command=options.server,
        url=options.url,
        environment=pairs(options.env, "=", "--env", os.environ),
        headers=pairs(options.header, ":", "--header"),
    )
    return Named(_target(its), secrets_of(its))


def configured_server(path: str, options: ServerOptions) -> ConfigServer:
    """The server of --config, with the variables and headers that were typed."""
    try:
        entries = read_client_config(path)
        name = _chosen(path, list(entries), options.server_name)
        its = client_server(path, name, entries[name], os.environ)
    except WrongClientConfig as refusal:
        raise CommandError(str(refusal)) from None
    return completed(its, path, options.env, options.header)


def completed(
    its: ConfigServer, path: str, variables: Iterable[str], headers: Iterable[str]
) -> ConfigServer:
    """A server of a configuration with what was typed; a usage error says what it still lacks."""
    its = replace(
        its,
        environment=its.environment | pairs(variables, "=", "--env", os.environ),
        headers=_with_headers(its.headers, pairs(headers, ":", "--header")),
    )
    _require_filled(its, path)
    for key in its.unheeded:
        complain(f"mcp-assay: {path}: {key} of {its.name!r} is not supported; {INSTEAD[key]}.")
    return its


def named_in_config(its: ConfigServer, path: str, typed: Iterable[str]) -> Named:
    """A server of a configuration, with the words that name it on a command line."""
    words = ("assess", "--config", path, "--server", its.name, *typed)
    return Named(_target(its, words), secrets_of(its), path, its.name)


def secrets_of(its: ConfigServer) -> tuple[str, ...]:
    """What must not be shown of a server."""
    return secrets_in((*its.environment.values(), *its.headers.values(), *its.filled))


def _require_bare(url: str) -> None:
    """A user and a password belong into a header; what holds them is not repeated."""
    authority = url.partition("://")[2].partition("/")[0].partition("?")[0]
    if "@" in authority:
        raise UsageError("the URL holds a user name or password; give it as --header instead.")


def _target(its: ConfigServer, named: tuple[str, ...] = ()) -> Target:
    if its.url is not None:
        _require_bare(its.url)
        return Endpoint(url=its.url, headers=its.headers, named=named)
    environment = allowed(os.environ, its.environment)
    return Command(command=its.command, environment=environment, named=named)


def _chosen(path: str, names: list[str], wanted: str | None) -> str:
    """The name of the server that is meant."""
    if not names:
        raise UsageError(f"{path} contains no server.")
    if wanted is None and len(names) == 1:
        return names[0]
    listed = ", ".join(names)
    if wanted is None:
        raise UsageError(f"{path} contains {len(names)} servers; add --server NAME: {listed}.")
    if wanted not in names:
        from difflib import get_close_matches

        near = get_close_matches(wanted, names, 1)
        hint = f"did you mean {near[0]}?" if near else f"it contains {listed}."
        raise UsageError(f"{path} contains no server {wanted!r}; {hint}")
    return wanted


def _with_headers(ours: Mapping[str, str], typed: Mapping[str, str]) -> dict[str, str]:
    """All headers; a typed one takes the place of its like, however that is spelt."""
    names = {name.lower() for name in typed}
    return {**{name: value for name, value in ours.items() if name.lower() not in names}, **typed}


def _require_filled(its: ConfigServer, path: str) -> None:
    """Refuse a server with gaps, and say which option fills each."""
    needs = [
        *(f"--env {name}=VALUE for {gap}" for name, gap in _gaps(its.environment)),
        *(f'--header "{name}: VALUE" for {gap}' for name, gap in _gaps(its.headers)),
    ]
    if needs:
        raise UsageError(f"{path}: {its.name!r} has placeholders; add {', '.join(needs)}.")
    for word in (*its.command, its.url or ""):
        for gap in placeholders(word):
            if gap.startswith(FOR_EDITORS):
                words = f"{gap} is part of its command or url; type the server without --config."
                raise UsageError(f"{path}: {its.name!r} has placeholders; {words}")


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
