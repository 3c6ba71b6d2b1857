"""`mcp-assay proxy`: stand between a client and a server, and say what goes wrong between them."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from mcp_assay.cli.options import CommandLine, ProxyArguments
from mcp_assay.cli.output import UsageError, complain, require_writable
from mcp_assay.cli.targets import configured_server, pairs, require_server
from mcp_assay.cli.worlds import sandboxed, world_of
from mcp_assay.client.frames import MessageGate
from mcp_assay.client.sandbox.options import SandboxOptions
from mcp_assay.client.target import Command, Endpoint, secrets_in
from mcp_assay.model.outcome import CLEAN, FOUND, INCOMPLETE, OUR_FAULT
from mcp_assay.proxy.run import (
    Ending,
    NotStarted,
    Settings,
    proxy_http,
    proxy_stdio,
    server_name,
    session_name,
)
from mcp_assay.spec.revisions import AUTO

if TYPE_CHECKING:
    from mcp_assay.proxy.http_listener import Address

ANY_PORT = "127.0.0.1:0"


def stand_between(line: CommandLine, arguments: ProxyArguments) -> int:
    """Forward between a client and the server that was named, until either goes away."""
    target = arguments.target
    require_server(line, target)
    wanted = world_of(line, arguments.world)
    if not target.is_typed:
        return _from_config(str(target.config), arguments, wanted)
    variables = pairs(target.env, "=", "--env", os.environ)
    headers = pairs(target.header, ":", "--header")
    if target.url is None:
        return _over_stdio(target.server, variables, arguments, wanted)
    return _over_http(target.url, headers, arguments, wanted)


def _from_config(path: str, arguments: ProxyArguments, wanted: SandboxOptions | None) -> int:
    """Stand before a server of a client's configuration."""
    its = configured_server(path, arguments.target)
    if its.url is None:
        return _over_stdio(its.command, its.environment, arguments, wanted)
    return _over_http(its.url, its.headers, arguments, wanted)


def _over_stdio(
    server: tuple[str, ...],
    variables: dict[str, str],
    arguments: ProxyArguments,
    wanted: SandboxOptions | None,
) -> int:
    if arguments.listen or arguments.target.header or arguments.on_network:
        raise UsageError("--listen and --header are for a URL, not for a command.")
    settings = _settings(server_name(server), variables, arguments)
    target = Command(command=server, environment=os.environ | variables)
    target = sandboxed(target, wanted) if wanted else target
    return _ended(settings, lambda: proxy_stdio(target, settings, _gate(arguments)))


def _over_http(
    url: str,
    headers: dict[str, str],
    arguments: ProxyArguments,
    wanted: SandboxOptions | None,
) -> int:
    from mcp_assay.proxy.http_proxy import Route

    if wanted is not None:
        sandboxed(Endpoint(url=url), wanted)

    if arguments.target.env:
        raise UsageError("--env is for a command, not for a URL.")
    settings = _settings(urlsplit(url).netloc.rpartition("@")[2], headers, arguments)
    on_network = arguments.on_network
    route = Route(url=url, listen=_listen(arguments), headers=headers, on_network=on_network)
    say = partial(_say, settings)
    return _ended(settings, lambda: proxy_http(route, settings, say, _gate(arguments)))


def _listen(arguments: ProxyArguments) -> Address:
    from mcp_assay.proxy.http_listener import listen_address

    try:
        return listen_address(arguments.listen or ANY_PORT, on_network=arguments.on_network)
    except ValueError as refusal:
        raise UsageError(f"--listen: {refusal}.") from None


def _ended(settings: Settings, run: Callable[[], Ending]) -> int:
    """Run to the end; give the exit code."""
    try:
        ending = run()
    except NotStarted as refusal:
        complain(f"mcp-assay: {refusal}.")
        return INCOMPLETE
    if ending.accident:
        complain(f"mcp-assay[{settings.name}] end: {ending.accident}, {ending.how}")
    return exit_code(ending, settings)


def _say(settings: Settings, url: str) -> None:
    complain(f"mcp-assay[{settings.name}] listening: give clients the URL {url}")


def exit_code(ending: Ending, settings: Settings) -> int:
    """The server's own code, unless it is 0 and the run should fail."""
    if ending.server or settings.fail_on == "never":
        return ending.server
    if not ending.is_sure:
        return OUR_FAULT
    return FOUND if ending.failed else CLEAN


def _settings(name: str, secrets: dict[str, str], arguments: ProxyArguments) -> Settings:
    if arguments.record is not None:
        require_writable(arguments.record)
    return Settings(
        name=name,
        session=session_name(name),
        revision=_revision(arguments),
        select=arguments.select,
        ignore=arguments.ignore,
        record=arguments.record,
        is_shown=arguments.is_shown,
        reports=arguments.reports,
        fail_on=arguments.fail_on,
        secrets=secrets_in(secrets.values()),
    )


def _revision(arguments: ProxyArguments) -> str | None:
    return None if arguments.revision == AUTO else arguments.revision


def _gate(arguments: ProxyArguments) -> MessageGate | None:
    """What holds messages back; the rules are loaded only where it is wanted."""
    if not arguments.enforce:
        return None
    from mcp_assay.proxy.enforcement import Enforcement

    return Enforcement(_revision(arguments))
