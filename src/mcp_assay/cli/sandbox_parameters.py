"""The options that put a server into a disposable world, as they are typed.

Nothing but click is loaded here: whoever asks for help, or presses the tab key, waits for it.
"""

from __future__ import annotations

import os
import re
from typing import Any

import click

from mcp_assay.cli.bare_options import IN_WORLD, SANDBOX, BareOption, spelt_out
from mcp_assay.cli.parameters import ServerCommand, together

KINDS = (IN_WORLD, "sudo")
"""How a world may be made."""
HOST = r"(?:[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,251}[A-Za-z0-9_])?|\[[0-9A-Fa-f:.]{2,45}\])"
LARGEST_PORT = 65_535


class SandboxOption(BareOption):
    """`--sandbox`, alone or with a value behind `=`: the word behind a blank is never its value."""

    usage = f"{SANDBOX}[=sudo]"
    values = 'true or false, `"sudo"`'
    bare = IN_WORLD


class SandboxServerCommand(ServerCommand):
    """A command with `--sandbox` that is given a server."""

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; the words of the server stay as they are."""
        end = args.index("--") if "--" in args else len(args)
        return super().parse_args(context, [*spelt_out(args[:end]), *args[end:]])


class SandboxLintCommand(SandboxServerCommand):
    """The same, where a file may be named in place of a server."""

    words_end_options = False
    server_usage = "(FILE | URL | --config FILE | -- COMMAND [ARG]...)"


def _hosts(
    context: click.Context, option: click.Parameter, given: tuple[str, ...]
) -> tuple[str, ...]:
    """Each HOST or HOST:PORT."""
    for text in given:
        if not _is_host(text):
            words = f"{text!r} is not HOST or HOST:PORT, such as api.example.com:443."
            raise click.BadParameter(words, context, option)
    return given


def _is_host(text: str) -> bool:
    found = re.match(HOST, text)
    rest = text[found.end() :] if found else "?"
    if not rest:
        return True
    port = rest.removeprefix(":")
    is_number = port != rest and port.isascii() and port.isdigit() and len(port) <= 5
    return is_number and 0 < int(port) <= LARGEST_PORT


def _folder(context: click.Context, option: click.Parameter, given: Any) -> Any:
    """A folder that is there, or that can be made."""
    above = os.path.dirname(os.path.abspath(given)) if given else ""
    is_other = bool(given) and os.path.exists(given) and not os.path.isdir(given)
    if given and (is_other or not os.path.isdir(above)):
        words = f"{given!r} is no folder; name one in a folder that exists."
        raise click.BadParameter(words, context, option)
    return given


sandbox_option = click.option(
    SANDBOX,
    cls=SandboxOption,
    type=click.Choice(KINDS),
    help="Run the server in a disposable world, where all tools may be called (Linux).",
)

sandbox_options = together(
    sandbox_option,
    click.option(
        "--sandbox-allow",
        metavar="HOST[:PORT]",
        callback=_hosts,
        multiple=True,
        help="With --sandbox: a host that the server may reach; repeatable.",
    ),
    click.option(
        "--sandbox-show",
        metavar="PATH",
        multiple=True,
        help="With --sandbox: a secret place that the server may see; repeatable.",
    ),
    click.option(
        "--keep-world",
        metavar="DIR",
        callback=_folder,
        help="With --sandbox: keep what changed in the world as a patch in DIR.",
    ),
    click.option(
        "--world",
        "own_world",
        metavar="DIR",
        type=click.Path(exists=True, file_okay=False, readable=True),
        help="With --sandbox: what an empty working folder holds in the world; DIR is copied.",
    ),
)
"""What puts a server into a disposable world."""
