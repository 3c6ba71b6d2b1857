"""The options that have a run remembered, as they are typed.

Nothing but click is loaded here: whoever asks for help, or presses the tab key, waits for it.
"""

from __future__ import annotations

from typing import Any

import click

from mcp_assay.cli.bare_options import DEFAULT_STORE, HISTORY, BareOption
from mcp_assay.cli.parameters import Decorator, together
from mcp_assay.cli.plain_commands import HISTORY_VARIABLE

URL = "sqlite:///FILE, postgresql://HOST/DATABASE, or @FILE with one in it"


class HistoryOption(BareOption):
    """`--history`, alone or with the URL of a store behind it."""

    usage = f"{HISTORY} [URL]"
    values = "true or false, or a text"
    bare = DEFAULT_STORE


def _store(context: click.Context, option: click.Parameter, given: str | None) -> str | None:
    """What was typed; where that is the bare option, what is set or configured."""
    if given != DEFAULT_STORE:
        return given or None
    import os

    configured: Any = context.lookup_default(str(option.name))
    return os.environ.get(HISTORY_VARIABLE) or configured or given


def history_option(help: str) -> Decorator:
    """`--history`, which store is meant."""
    return click.option(
        HISTORY,
        cls=HistoryOption,
        envvar=HISTORY_VARIABLE,
        metavar="[URL]",
        callback=_store,
        help=help,
    )


history_options = together(
    history_option(f"Remember this run in your history, or in the one at URL ({URL})."),
    click.option(
        "--against",
        metavar="last|approved|RUN",
        help="Compare with an earlier run in the history; the exit code is that of diff.",
    ),
    click.option(
        "--server-id",
        metavar="NAME",
        help="Name of the server in the history; default: its name in --config, URL or command.",
    ),
)
"""Whether a run is remembered, and what it is compared with."""
