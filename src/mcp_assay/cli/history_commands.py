"""The commands about the history as they are typed, and what loads the work that each begins."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from mcp_assay.cli.bare_options import spelt_out
from mcp_assay.cli.history_parameters import history_option
from mcp_assay.cli.parameters import HELP_OPTIONS, NO_COLOR, Decorator, fail_on_option, together

FORMATS = ("text", "json", "markdown")
TRANSFER = "history_transfer"
"""Where the work of those actions is that are no questions."""
VIEW = ("history", "format", "no_color")
"""The options that all of them have."""
ACTIONS = {
    "approve": "Approve what a server lists, as its latest run shows it.",
    "backup": "Copy the whole history to a new SQLite file.",
    "diff": "Compare two runs.",
    "export": "Write runs with their reports, to be imported elsewhere.",
    "findings": "Show what is new, fixed, oldest, or comes and goes.",
    "import": "Take in reports and exports.",
    "merge": "Make two servers one that are the same.",
    "prune": "Remove old runs.",
    "rename": "Call a server otherwise.",
    "revoke": "Take back an approval.",
    "show": "Show the runs, tools and findings of a server.",
    "tool": "Show a tool over time, and when it changed.",
}
"""What can be asked or done, besides the list of all servers."""

FORMAT = click.option(
    "--format",
    "format",
    type=click.Choice(FORMATS),
    default="text",
    show_default=True,
    help="Output format on stdout.",
)
STORE = history_option("Which history; default: your own.")
LIMIT = click.option(
    "--limit",
    type=click.IntRange(min=1, max=10_000),
    default=20,
    show_default=True,
    metavar="N",
    help="How many to show, the latest first.",
)
WHY = click.option("--why", metavar="TEXT", default="", help="Why; kept in the history.")
WHO = click.option("--who", metavar="NAME", help="Who; default: your user name.")
SERVER = click.argument("server", metavar="SERVER")
common = together(STORE, FORMAT, NO_COLOR)


class HistoryAction(click.Command):
    """A command about the history; its own --history goes before that of the group."""

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments."""
        return super().parse_args(context, spelt_out(args))


class HistoryGroup(click.Group):
    """The actions, each made when it is called; without one, all servers are listed."""

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments."""
        return super().parse_args(context, spelt_out(args))

    def list_commands(self, _: click.Context) -> list[str]:
        """The names of all actions."""
        return list(ACTIONS)

    def get_command(self, _: click.Context, name: str) -> click.Command | None:
        """The action of this name, made now."""
        make = MADE.get(name)
        return make() if make else None

    def format_commands(self, _: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what each action does."""
        with formatter.section("Commands"):
            formatter.write_dl(list(ACTIONS.items()))

    def resolve_command(
        self, context: click.Context, arguments: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The action that is named, or a usage error that suggests one."""
        if arguments[0] in ACTIONS or arguments[0].startswith("-"):
            return super().resolve_command(context, arguments)
        from difflib import get_close_matches

        near = get_close_matches(arguments[0], ACTIONS)
        hint = f"did you mean {near[0]}?" if near else f"choose one of {', '.join(ACTIONS)}."
        raise click.UsageError(f"unknown command {arguments[0]!r}; {hint}", context)


def history_group() -> click.Group:
    """The command `history`."""

    def listed(context: click.Context, /, **given: Any) -> int | None:
        if context.invoked_subcommand is not None:
            context.obj = given
            return None
        return _run("listed", given)

    listed.__doc__ = """List the servers of the history: latest verdict and trend of each.

    Runs come into the history by --history of assess, lint, validate, demo and the pytest plugin.
    SERVER is a name or an id of this list, RUN the number of a run or SERVER@DATE.
    """
    made = click.group(
        "history",
        cls=HistoryGroup,
        invoke_without_command=True,
        context_settings={"help_option_names": list(HELP_OPTIONS)},
    )(common(click.pass_context(listed)))
    assert isinstance(made, click.Group)
    # click keeps the first help option that it makes, whichever context asks for it
    made.get_help_option(click.Context(made, help_option_names=list(HELP_OPTIONS)))
    return made


def _run(action: str, given: dict[str, Any]) -> int:
    from importlib import import_module

    from mcp_assay.cli.options import HistoryView, taken
    from mcp_assay.cli.plain_commands import all_is_loaded

    all_is_loaded()
    module, _, name = f"history.{action}".rpartition(".")
    home = import_module(f"mcp_assay.cli.{module.rpartition('.')[2]}")
    work: Callable[..., int] = getattr(home, name)
    own = {name: value for name, value in given.items() if name not in VIEW}
    return work(taken(HistoryView, given), **own)


def _action(name: str, words: str, *parts: Decorator, work: str | None = None) -> click.Command:
    """An action; what the group was told holds for it, too, unless it is told otherwise."""

    @click.pass_context
    def run(context: click.Context, /, **given: Any) -> int:
        above = context.parent.params if context.parent else {}
        for option in VIEW:
            source = context.get_parameter_source(option)
            is_own = source == click.core.ParameterSource.COMMANDLINE
            if option in given and not is_own and above.get(option):
                given[option] = above[option]
        return _run(work or name, given)

    run.__doc__ = words
    made = click.command(name, cls=HistoryAction)(together(*parts, common)(run))
    assert isinstance(made, click.Command)
    return made


def _show() -> click.Command:
    words = """Show SERVER: what is approved, its runs, its tools and its open findings."""
    return _action("show", words, SERVER, LIMIT, work="show_server")


def _tool() -> click.Command:
    words = """Show TOOL of SERVER over time, and what else changed when its verdict did."""
    tool = click.argument("tool", metavar="TOOL")
    return _action("tool", words, SERVER, tool, LIMIT, work="show_tool")


def _findings() -> click.Command:
    words = """Show findings that are new, fixed, oldest, or come and go; of all servers or of one.

    A finding counts as fixed when a run would have found it and did not.
    """
    since = click.option(
        "--since",
        metavar="DATE|7d",
        default="7d",
        show_default=True,
        help="Since when findings are new or fixed: a date, or so long ago (7d, 2w, 12h).",
    )
    server = click.argument("server", metavar="[SERVER]", required=False)
    return _action("findings", words, server, since, LIMIT)


def _diff() -> click.Command:
    words = """Compare the runs OLD and NEW, each a number or SERVER@DATE, as diff does reports.

    Texts of definitions that changed are shown side by side, with hidden characters visible.
    """
    old, new = click.argument("old", metavar="OLD"), click.argument("new", metavar="NEW")
    fail_on = fail_on_option("Lowest severity of a new finding that fails the comparison.")
    verbose = click.option("--verbose", is_flag=True, help="Print every difference.")
    return _action("diff", words, old, new, fail_on, verbose)


def _approve() -> click.Command:
    words = """Approve all definitions that SERVER lists, as its latest run shows them.

    A later run whose definitions differ says what changed; with --against approved it fails.
    """
    run = click.option("--run", metavar="RUN", help="The run that shows them; default: the latest.")
    return _action("approve", words, SERVER, run, WHO, WHY)


def _revoke() -> click.Command:
    return _action("revoke", """Take back what is approved of SERVER.""", SERVER, WHO, WHY)


def _rename() -> click.Command:
    name = click.argument("name", metavar="NAME")
    words = """Call SERVER NAME from now on; later runs are still known to be its own."""
    return _action("rename", words, SERVER, name)


def _merge() -> click.Command:
    into = click.argument("into", metavar="INTO")
    words = """Make SERVER and INTO one server: all runs of SERVER, also later ones, are INTO's."""
    return _action("merge", words, SERVER, into)


def _export() -> click.Command:
    words = """Write all runs with their reports and approvals to FILE (- is stdout).

    FILE is compressed where its name ends in .zst or .gz.
    """
    file = click.argument("file", metavar="FILE")
    server = click.option("--server", metavar="SERVER", help="Only runs of this server.")
    return _action("export", words, file, server, work=f"{TRANSFER}.export")


def _import() -> click.Command:
    words = """Take in the FILEs: JSON reports, or what export wrote (.gz, .zst; - is stdin).

    What is there already is skipped; a file or line that is no report is named and skipped.
    """
    files = click.argument("files", metavar="FILE...", nargs=-1, required=True)
    server_id = click.option("--server-id", metavar="NAME", help="Whose reports these are.")
    return _action("import", words, files, server_id, work=f"{TRANSFER}.imported_files")


def _backup() -> click.Command:
    file = click.argument("file", metavar="FILE")
    words = (
        """Copy the whole history to FILE, a new SQLite store, while others may go on writing."""
    )
    return _action("backup", words, file, work=f"{TRANSFER}.backup")


def _prune() -> click.Command:
    words = """Remove runs that --keep does not name; approved and latest ones stay."""
    keep = click.option(
        "--keep",
        metavar="N|90d",
        required=True,
        help="Keep so many runs of each server, or those of so many days.",
    )
    server = click.option("--server", metavar="SERVER", help="Only runs of this server.")
    dry_run = click.option("--dry-run", is_flag=True, help="Only say what would be removed.")
    return _action("prune", words, keep, server, dry_run, work=f"{TRANSFER}.prune_runs")


MADE: dict[str, Callable[[], click.Command]] = {
    "approve": _approve,
    "backup": _backup,
    "diff": _diff,
    "export": _export,
    "findings": _findings,
    "import": _import,
    "merge": _merge,
    "prune": _prune,
    "rename": _rename,
    "revoke": _revoke,
    "show": _show,
    "tool": _tool,
}
