"""The commands about fleets as they are typed, and what loads the work that each begins."""

from __future__ import annotations

from typing import Any

import click

from mcp_assay.cli.bare_options import BareOptionsCommand
from mcp_assay.cli.history_parameters import history_option
from mcp_assay.cli.parameters import (
    HELP_OPTIONS,
    NO_COLOR,
    engine_options,
    fail_on_option,
    format_option,
    is_typed,
    max_calls_option,
    report_file,
    report_option,
    revision_option,
    rules_option,
    seed_option,
    timeout_option,
    together,
)
from mcp_assay.findings import DEFAULT_MAX_FINDINGS

FORMATS = ("text", "json", "markdown", "html")
KINDS = ("pypi", "npm", "oci", "other", "command", "remote")
MOST_JOBS = 256
MEGABYTES = click.IntRange(min=1, max=1 << 20)


def _typed_files(
    context: click.Context, option: click.Parameter, given: tuple[str, ...]
) -> tuple[tuple[str, str], ...]:
    """The format and path of each FORMAT=PATH that was typed: those of a configuration are for
    reports on one server."""
    if not is_typed(context, str(option.name)):
        return ()
    return tuple(report_file(context, option, text, FORMATS) for text in given)


def _names(
    context: click.Context, option: click.Parameter, given: tuple[str, ...]
) -> tuple[str, ...]:
    """Names of variables: a value would travel to workers."""
    for text in given:
        if not text.isidentifier():
            words = f"{text.partition('=')[0]!r} must be a name alone; workers look its value up."
            raise click.BadParameter(words, context, option)
    return given


filter_options = together(
    click.option(
        "--include",
        metavar="PATTERN",
        multiple=True,
        help="Only servers with such a name, as in 'io.github.*'; repeatable.",
    ),
    click.option(
        "--exclude",
        metavar="PATTERN",
        multiple=True,
        help="No servers with such a name; repeatable.",
    ),
    click.option(
        "--kind",
        "kinds",
        type=click.Choice(KINDS),
        multiple=True,
        help="Only servers that are had like this; repeatable.",
    ),
    click.option(
        "--most",
        type=click.IntRange(min=1),
        metavar="N",
        help="At most so many servers, the first in FLEET.",
    ),
)
limit_options = together(
    click.option(
        "--job-time",
        type=click.FloatRange(min=1),
        metavar="S",
        help="Time limit for installing and assessing a server; default: --max-time and 180.",
    ),
    click.option(
        "--job-memory",
        type=MEGABYTES,
        default=2048,
        show_default=True,
        metavar="MB",
        help="Most memory of a server with all that it starts.",
    ),
    click.option(
        "--job-disk",
        type=MEGABYTES,
        default=1024,
        show_default=True,
        metavar="MB",
        help="Most that a server may write.",
    ),
    click.option(
        "--job-processes",
        type=click.IntRange(min=32, max=1024),
        default=256,
        show_default=True,
        metavar="N",
        help="Most processes of a server at a time, those of mcp-assay included.",
    ),
)
assess_options = together(
    revision_option("MCP revision to use; auto negotiates it with each server."),
    seed_option,
    max_calls_option,
    timeout_option("Timeout per call in seconds."),
    click.option(
        "--max-time",
        type=click.FloatRange(min=1),
        default=120.0,
        show_default=True,
        metavar="S",
        help="Time limit for assessing a server in seconds.",
    ),
)
report_options = together(
    format_option(FORMATS, "Report format on stdout."),
    report_option("Also write the report to a file; repeatable.", _typed_files),
    fail_on_option("Lowest severity that fails the run."),
    rules_option("--select", "Report only these rules or families; repeatable."),
    rules_option("--ignore", "Do not report these rules or families; repeatable."),
    click.option(
        "--max-findings",
        type=click.IntRange(min=0),
        default=DEFAULT_MAX_FINDINGS,
        show_default=True,
        metavar="N",
        help="Maximum findings of a server to include; all are counted.",
    ),
    click.option("--quiet", is_flag=True, help="Show no progress."),
    click.option("--verbose", is_flag=True, help="Print every server, cause and example."),
    NO_COLOR,
)
run_options = together(
    click.argument("fleet", metavar="FLEET"),
    history_option("The history that gets each run; default: your own."),
    engine_options,
    click.option(
        "--jobs",
        type=click.IntRange(min=1, max=MOST_JOBS),
        metavar="N",
        help="Servers at a time on this machine; default: one per CPU core.",
    ),
    click.option(
        "--resume",
        is_flag=True,
        help="Go on with the last run of this fleet: what is done is not done again.",
    ),
    click.option(
        "--since",
        metavar="DATE|7d",
        help="Only servers that were not assessed since then, or that have changed in FLEET.",
    ),
    click.option(
        "--dry-run",
        is_flag=True,
        help="Only say what would be done, in which order, and how long it may take.",
    ),
    click.option(
        "--no-sandbox",
        is_flag=True,
        help="Run servers with the rights of the workers; only safe tools are called then.",
    ),
    click.option(
        "--env",
        metavar="NAME",
        callback=_names,
        multiple=True,
        help="Variable of the workers that servers from a registry may have; repeatable.",
    ),
)


class FleetGroup(click.Group):
    """The actions; the only one is made when it is called."""

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments, of which the first names an action."""
        if not args:
            raise click.UsageError("name an action: run.", context)
        return super().parse_args(context, args)

    def resolve_command(
        self, context: click.Context, arguments: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The action that is named, or a usage error that says which there is."""
        if arguments[0] == "run" or arguments[0].startswith("-"):
            return super().resolve_command(context, arguments)
        raise click.UsageError(f"unknown command {arguments[0]!r}; did you mean run?", context)

    def list_commands(self, _: click.Context) -> list[str]:
        """The names of all actions."""
        return ["run"]

    def get_command(self, _: click.Context, name: str) -> click.Command | None:
        """The action of this name, made now."""
        return _run() if name == "run" else None


def fleet_group() -> click.Group:
    """The command `fleet`."""

    def fleet() -> None:
        pass

    fleet.__doc__ = """Assess many servers, here or on a Dask cluster, into the history."""
    settings = {"help_option_names": list(HELP_OPTIONS)}
    made = click.group("fleet", cls=FleetGroup, context_settings=settings)(fleet)
    # click keeps the first help option that it makes, whichever context asks for it
    made.get_help_option(click.Context(made, help_option_names=list(HELP_OPTIONS)))
    return made


def _run() -> click.Command:
    def run(context: click.Context, /, **given: Any) -> int:
        from mcp_assay.cli.fleet import run_fleet
        from mcp_assay.cli.options import FleetArguments, taken
        from mcp_assay.cli.plain_commands import all_is_loaded

        del context
        all_is_loaded()
        return run_fleet(taken(FleetArguments, given))

    run.__doc__ = """Assess every server that FLEET names, and report on all of them.

    FLEET is a TOML file, a client's configuration, or a saved page of the MCP registry. Packages
    are installed, then each server runs in a disposable world; a remote one gets only safe calls.
    """
    parts = (run_options, filter_options, assess_options, limit_options, report_options)
    made = click.command("run", cls=BareOptionsCommand)(together(*parts)(click.pass_context(run)))
    assert isinstance(made, click.Command)
    made.get_help_option(click.Context(made, help_option_names=list(HELP_OPTIONS)))
    return made
