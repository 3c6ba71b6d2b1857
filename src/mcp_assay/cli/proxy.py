"""`mcp-assay proxy`: stand between a client and a server, and say what goes wrong between them."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import click

from mcp_assay.cli.application import OUR_FAULT
from mcp_assay.cli.output import complain
from mcp_assay.cli.servers import ServerCommand, pairs, require_server
from mcp_assay.intake.pairs import secrets_in
from mcp_assay.proxy import (
    Ending,
    NotStarted,
    Settings,
    proxy_http,
    proxy_stdio,
    server_name,
    session_name,
)
from mcp_assay.spec.revisions import REVISIONS
from mcp_assay.transport.frames import Gate

if TYPE_CHECKING:
    from mcp_assay.transport.http_door import Address

ANY_PORT = "127.0.0.1:0"
AUTO = "auto"
NEVER = "never"
INCOMPLETE = 3


def _rule_names(
    context: click.Context, option: click.Parameter, given: tuple[str, ...]
) -> tuple[str, ...]:
    """The rules that are named; the catalogue is loaded only where some are."""
    if not given:
        return ()
    from mcp_assay.cli.parameters import rule_names

    return rule_names(context, option, given)


def _report_files(
    context: click.Context, option: click.Parameter, given: tuple[str, ...]
) -> tuple[tuple[str, str], ...]:
    if not given:
        return ()
    from mcp_assay.cli.parameters import report_files

    return report_files(context, option, given)


@click.command("proxy", cls=ServerCommand, short_help="Stand between a client and a server.")
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="-- COMMAND ... | URL")
@click.option("--config", metavar="FILE", help="Take the server from a client's configuration.")
@click.option(
    "--server", "server_name", metavar="NAME", help="Which server of --config, if it has more."
)
@click.option(
    "--listen",
    metavar="HOST:PORT",
    help="Where to listen, for a URL; port 0 stands for any that is free.",
)
@click.option(
    "--record",
    metavar="FILE",
    help="Append all messages to FILE as a trace, without their secrets.",
)
@click.option(
    "--enforce",
    is_flag=True,
    help="Hold each message, and answer one that breaks a rule instead of forwarding it.",
)
@click.option(
    "--revision",
    type=click.Choice([AUTO, *REVISIONS]),
    default=AUTO,
    show_default=True,
    help="The revision of MCP; auto finds out what was negotiated.",
)
@click.option(
    "--report",
    "reports",
    metavar="FORMAT=PATH",
    callback=_report_files,
    multiple=True,
    help="Write a report to a file at the end; may be repeated.",
)
@click.option(
    "--fail-on",
    type=click.Choice(["error", "warning", NEVER]),
    default=NEVER,
    show_default=True,
    help="The least severity that makes the exit code 1 where the server's own is 0.",
)
@click.option(
    "--select",
    metavar="RULE[,...]",
    callback=_rule_names,
    multiple=True,
    help="Report these rules or families only; may be repeated.",
)
@click.option(
    "--ignore",
    metavar="RULE[,...]",
    callback=_rule_names,
    multiple=True,
    help="Do not report these rules or families; may be repeated.",
)
@click.option(
    "--env",
    "variables",
    metavar="NAME=VALUE",
    multiple=True,
    help="Set a variable of the server's environment; @FILE as VALUE is read from FILE.",
)
@click.option(
    "--header",
    "headers",
    metavar="'NAME: VALUE'",
    multiple=True,
    help="Set a header of every request to the URL; @FILE as VALUE is read from FILE.",
)
@click.option(
    "--dangerously-listen-on-network",
    "on_network",
    is_flag=True,
    help="Let other machines use the server through this proxy.",
)
@click.pass_context
def command(
    context: click.Context, /, url: str | None, server: tuple[str, ...], **given: Any
) -> int:
    """Forward every byte between a client and a server, and report what breaks the protocol.

    With a COMMAND, use this as the server's command in the client's configuration. With a URL, give
    the client the address that is shown. Findings go to standard error.
    """
    require_server(context)
    if url is None and not server:
        return _from_config(given)
    variables = pairs(given["variables"], "=", "--env", os.environ)
    headers = pairs(given["headers"], ":", "--header")
    if url is None:
        return _over_stdio(server, variables, given)
    return _over_http(url, headers, given)


def _from_config(given: dict[str, Any]) -> int:
    """Stand before a server of a client's configuration; what reads that is loaded only here."""
    from mcp_assay.cli.targets import configured_server

    its = configured_server(given, given["variables"], given["headers"])
    if its.url is None:
        return _over_stdio(its.command, its.environment, given)
    return _over_http(its.url, its.headers, given)


def _over_stdio(server: tuple[str, ...], variables: dict[str, str], given: dict[str, Any]) -> int:
    if given["listen"] or given["headers"] or given["on_network"]:
        raise click.UsageError("--listen and --header are for a URL, not for a command.")
    settings = _settings(server_name(server), variables, given)
    environment = os.environ | variables
    return _ended(settings, lambda: proxy_stdio(server, environment, settings, _gate(given)))


def _over_http(url: str, headers: dict[str, str], given: dict[str, Any]) -> int:
    from mcp_assay.transport.http_proxy import Route

    if given["variables"]:
        raise click.UsageError("--env is for a command, not for a URL.")
    settings = _settings(urlsplit(url).netloc.rpartition("@")[2], headers, given)
    on_network = given["on_network"]
    route = Route(url=url, listen=_listen(given), headers=headers, on_network=on_network)
    say = partial(_say, settings)
    return _ended(settings, lambda: proxy_http(route, settings, say, _gate(given)))


def _listen(given: dict[str, Any]) -> Address:
    from mcp_assay.transport.http_door import listen_address

    try:
        return listen_address(given["listen"] or ANY_PORT, on_network=given["on_network"])
    except ValueError as refusal:
        raise click.UsageError(f"--listen: {refusal}.") from None


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
    if ending.server or settings.fail_on == NEVER:
        return ending.server
    if not ending.is_sure:
        return OUR_FAULT
    return 1 if ending.failed else 0


def _require_writable(path: str | None) -> None:
    try:
        with open(path or os.devnull, "ab"):
            return
    except OSError as fault:
        raise click.UsageError(f"{path} cannot be written: {fault.strerror}.") from None


def _settings(name: str, secrets: dict[str, str], given: dict[str, Any]) -> Settings:
    _require_writable(given["record"])
    return Settings(
        name=name,
        session=session_name(name),
        revision=_revision(given),
        select=given["select"],
        ignore=given["ignore"],
        record=given["record"],
        reports=given["reports"],
        fail_on=given["fail_on"],
        secrets=secrets_in(secrets.values()),
    )


def _revision(given: dict[str, Any]) -> str | None:
    return None if given["revision"] == AUTO else str(given["revision"])


def _gate(given: dict[str, Any]) -> Gate | None:
    """What holds messages back; the rules are loaded only where it is wanted."""
    if not given["enforce"]:
        return None
    from mcp_assay.enforcement import Enforcement

    return Enforcement(_revision(given))
