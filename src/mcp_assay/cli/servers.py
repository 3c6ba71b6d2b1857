"""How a command line names a server: a URL, or a command behind `--`."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Mapping, Sequence

import click

from mcp_assay.intake.pairs import WrongPair
from mcp_assay.intake.pairs import pairs as read_pairs

INTERPRETERS: Mapping[str, tuple[str, ...]] = {
    ".py": ("python",),
    ".js": ("node",),
    ".mjs": ("node",),
    ".cjs": ("node",),
    ".ts": ("npx", "tsx"),
    ".sh": ("sh",),
}
"""What runs a file, by the end of its name."""

URL_SCHEMES = ("http://", "https://")
TYPED = "mcp_assay.typed"
"""Under this name a context keeps what stood before `--`."""


class ServerCommand(click.Command):
    """A command that gets `url` or `server`: what the user typed to name the server.

    Options end where the server's own command begins, so that its options are never taken for ours.
    """

    words_end_options = True
    """Whether a word that is no option begins the server's command, its -- forgotten."""
    server_usage = "(URL | --config FILE | -- COMMAND [ARG]...)"

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        """Take the server out of the arguments, then parse what is left."""
        context.allow_interspersed_args = not self.words_end_options
        end = args.index("--") if "--" in args else len(args)
        ours, server = args[:end], tuple(args[end + 1 :])
        url = next((word for word in ours if word.startswith(URL_SCHEMES)), None)
        context.params |= {"url": url, "server": server}
        context.meta[TYPED] = ours
        return super().parse_args(context, [word for word in ours if word != url])

    def collect_usage_pieces(self, context: click.Context) -> list[str]:
        """How the command is used."""
        return ["[OPTIONS]", self.server_usage]


def require_server(context: click.Context) -> None:
    """Raise a usage error that says what to type, unless exactly one server was named."""
    url, server, words = (context.params[name] for name in ("url", "server", "words"))
    if words:
        raise click.UsageError(f"put -- before the server's command: {to_type(context, words)}")
    if url and server:
        raise click.UsageError("name either a URL or a command, not both.")
    if (url or server) and is_typed(context, "config"):
        raise click.UsageError("name either a server or --config FILE, not both.")
    if not url and not server and not context.params.get("config"):
        raise click.UsageError(f"name a server: {context.command_path} -- COMMAND, or a URL.")


def is_typed(context: click.Context, name: str) -> bool:
    """Whether an option stands on the command line itself."""
    return context.get_parameter_source(name) == click.core.ParameterSource.COMMANDLINE


def pairs(
    texts: Iterable[str], sign: str, option: str, known: Mapping[str, str] | None = None
) -> dict[str, str]:
    """What intake.pairs reads; what it refuses is wrong usage."""
    try:
        return read_pairs(texts, sign, option, known)
    except WrongPair as refusal:
        raise click.UsageError(str(refusal)) from None


def to_type(context: click.Context, words: Sequence[str]) -> str:
    """The command line that was meant."""
    options = context.meta[TYPED][: -len(words)]
    return shlex.join([*context.command_path.split(), *options, "--", *_meant(words)])


def _meant(words: Sequence[str]) -> Sequence[str]:
    program, ending = words[0], os.path.splitext(words[0])[1]
    if len(words) > 1 and not ending:
        return words
    module, colon, name = program.partition(":")
    if colon and all(part.isidentifier() for part in (*module.split("."), name)):
        return ["python", "-c", f"from {module} import {name}; {name}.run()"]
    return [*INTERPRETERS.get(ending, ()), *words]
