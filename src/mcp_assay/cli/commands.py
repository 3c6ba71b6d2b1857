"""The commands as they are typed: their options, and what loads the work that each begins."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial, wraps
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource as Source

from mcp_assay import __version__
from mcp_assay.cli.bare_options import BareOptionsCommand
from mcp_assay.cli.history_parameters import history_option, history_options
from mcp_assay.cli.parameters import (
    HELP_OPTIONS,
    NO_COLOR,
    TYPED,
    Decorator,
    answer_options,
    calls_options,
    config_option,
    engine_options,
    enough,
    fail_on_option,
    format_option,
    is_typed,
    max_calls_option,
    max_time_option,
    only_options,
    pairs_options,
    report_file,
    report_option,
    reporting_options,
    revision_option,
    rules_beginning_with,
    rules_option,
    sample_options,
    seed_option,
    server_options,
    several_options,
    timeout_option,
    together,
    trace_map,
    wants_all,
)
from mcp_assay.cli.plain_commands import COMPLETION_VARIABLE, all_is_loaded
from mcp_assay.cli.sandbox_parameters import (
    SandboxLintCommand,
    SandboxServerCommand,
    sandbox_option,
    sandbox_options,
)
from mcp_assay.report.formats import DIFF_FORMATS
from mcp_assay.spec.revisions import DEFAULT_REVISION, REVISIONS

if TYPE_CHECKING:
    from mcp_assay.cli.options import CommandLine

MOST_JOBS = 256
SHELLS = ("bash", "zsh", "fish")


def declared(*parts: Decorator) -> Callable[[Callable[..., Any]], Callable[[], click.Command]]:
    """A command made of these parts when it is asked for: to make all takes as long as one runs."""

    def declare(work: Callable[..., Any]) -> Callable[[], click.Command]:
        def made() -> click.Command:
            decorate: Decorator = together(*parts)
            own = wraps(work)(partial(work))  # click notes options on what it decorates
            command: click.Command = decorate(own)
            # click keeps the first help option that it makes, whichever context asks for it
            command.get_help_option(click.Context(command, help_option_names=list(HELP_OPTIONS)))
            return command

        return cache(made)

    return declare


def _line(context: click.Context) -> CommandLine:
    """The command line as click has read it."""
    from mcp_assay.cli.options import CommandLine

    options = (one.name for one in context.command.params if isinstance(one, click.Option))
    sources = {name: context.get_parameter_source(name) for name in options if name}
    return CommandLine(
        context.command_path,
        tuple(context.meta.get(TYPED, ())),
        frozenset(name for name, source in sources.items() if source == Source.COMMANDLINE),
        frozenset(name for name, source in sources.items() if source == Source.DEFAULT_MAP),
    )


@declared(
    click.command("assess", cls=SandboxServerCommand),
    click.argument("words", nargs=-1, metavar=""),
    revision_option("MCP revision to use; auto negotiates it with the server."),
    calls_options,
    seed_option,
    max_calls_option,
    timeout_option("Timeout per call in seconds."),
    max_time_option(),
    click.option(
        "--min-tools",
        metavar="N|P%",
        callback=enough,
        help="Fail if fewer tools succeed: a number, or a percentage of those listed.",
    ),
    click.option(
        "--examples",
        metavar="FILE",
        help=("TOML or JSON file with tool arguments and answers to the server's requests."),
    ),
    only_options,
    click.option("--dry-run", is_flag=True, help="Connect, list and lint, but call no tools."),
    click.option("--no-shrink", is_flag=True, help="Do not search for the smallest failing call."),
    click.option(
        "--like",
        metavar="REPORT",
        help="Repeat the run of a JSON report with its options and compare the results.",
    ),
    click.option("--record", metavar="FILE", help="Write all messages to FILE as a trace."),
    sandbox_options,
    several_options,
    server_options,
    reporting_options,
    history_options,
    click.pass_context,
)
def assess(context: click.Context, /, **given: Any) -> int:
    """Connect to a server, check its definitions and messages, and call its tools.

    The server is a command after --, a URL, or an entry of a client configuration (--config).
    By default only tools declared read-only are called.
    """
    from mcp_assay.cli.options import AssessArguments, taken

    arguments = taken(AssessArguments, given)
    if wants_all(context, arguments.target, arguments.several):
        from mcp_assay.cli.several import assess_all as work
    else:
        from mcp_assay.cli.assess import assess_one as work
    all_is_loaded()
    return work(_line(context), arguments)


@declared(
    click.command("lint", cls=SandboxLintCommand),
    click.argument("words", nargs=-1, metavar=""),
    revision_option(f"MCP revision to check against; auto means {DEFAULT_REVISION} for a file."),
    timeout_option("Timeout per request in seconds."),
    max_time_option(),
    sandbox_options,
    several_options,
    server_options,
    reporting_options,
    history_options,
    click.pass_context,
)
def lint(context: click.Context, /, **given: Any) -> int:
    """Check the definitions that a server lists, or those in FILE (- is stdin).

    Nothing is called. FILE is a saved result of tools/list, a JSON-RPC response with it, or an
    object with any of tools, resources, resourceTemplates and prompts.
    """
    from mcp_assay.cli.options import LintArguments, taken

    arguments = taken(LintArguments, given)
    if not arguments.target.words and wants_all(context, arguments.target, arguments.several):
        from mcp_assay.cli.several import lint_all as work
    else:
        from mcp_assay.cli.lint import lint_one as work
    all_is_loaded()
    return work(_line(context), arguments)


@declared(
    click.command("validate", cls=BareOptionsCommand),
    click.argument("files", nargs=-1, metavar="[SOURCE]..."),
    click.option(
        "--profile",
        type=click.Choice(["mcp", "envelope"]),
        default="mcp",
        show_default=True,
        help=(
            "mcp checks every message; envelope checks tool responses against the envelope profile."
        ),
    ),
    revision_option("MCP revision; auto uses the negotiated one."),
    click.option(
        "--direction",
        type=click.Choice(["c2s", "s2c"]),
        help="Direction of messages that have none: client to server, or server to client.",
    ),
    click.option(
        "--dialect",
        type=click.Choice(["mcp", "erlmcp"]),
        default="mcp",
        show_default=True,
        help="erlmcp accepts that library's method names, error codes and null ids.",
    ),
    click.option("--partial", is_flag=True, help="Sessions may begin or end outside the files."),
    click.option(
        "--map",
        "map",
        metavar="FIELD=POINTER",
        callback=trace_map,
        multiple=True,
        help="For other trace formats: JSON Pointer to a trace field; repeatable.",
    ),
    click.option(
        "--jobs",
        type=click.IntRange(min=1, max=MOST_JOBS),
        metavar="N",
        help="Number of processes; default: one per CPU core for large inputs.",
    ),
    engine_options,
    sample_options,
    click.option(
        "--fast",
        is_flag=True,
        help=("Skip the check for duplicate JSON members (JSONRPC-018 stays undecided)."),
    ),
    reporting_options,
    history_options,
    click.pass_context,
)
def validate(context: click.Context, /, **given: Any) -> int:
    """Check every message in the SOURCEs, or on stdin if SOURCE is - or omitted.

    A SOURCE is a file, a folder, a pattern or the address of either in an object store. A file
    holds one JSON value, or one message or trace entry per line.
    """
    from mcp_assay.cli.options import ValidateArguments, taken
    from mcp_assay.cli.validate import validate_all

    all_is_loaded()
    return validate_all(_line(context), taken(ValidateArguments, given))


@declared(
    click.command("proxy", cls=SandboxServerCommand),
    click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="-- COMMAND ... | URL"),
    config_option("Read the server from a client configuration."),
    click.option(
        "--listen",
        metavar="HOST:PORT",
        help="Address to listen on, for a URL; port 0 picks a free port.",
    ),
    click.option(
        "--record",
        metavar="FILE",
        help="Append all messages to FILE as a trace, with secrets redacted.",
    ),
    click.option(
        "--ui",
        "is_shown",
        is_flag=True,
        help="Show the traffic in a running `mcp-assay ui`, with secrets redacted.",
    ),
    click.option(
        "--enforce",
        is_flag=True,
        help="Block messages that break a rule: answer with an error instead of forwarding them.",
    ),
    revision_option("MCP revision; auto uses the negotiated one."),
    report_option("Write a report to a file at the end; repeatable."),
    fail_on_option(
        "Lowest severity that fails the run if the server itself exits with 0.", "never"
    ),
    rules_option("--select", "Report only these rules or families; repeatable."),
    rules_option("--ignore", "Do not report these rules or families; repeatable."),
    pairs_options(
        "NAME=VALUE",
        "Environment variable for the server; @FILE reads the value from FILE.",
        "'NAME: VALUE'",
        "Header for every request to the URL; @FILE reads the value from FILE.",
    ),
    sandbox_options,
    click.option(
        "--dangerously-listen-on-network",
        "on_network",
        is_flag=True,
        help="Allow connections from other machines.",
    ),
    click.pass_context,
)
def proxy(context: click.Context, /, **given: Any) -> int:
    """Forward all traffic between a client and a server, and report protocol violations.

    With a COMMAND, use this as the server's command in the client's configuration. With a URL, give
    the client the address that is printed. Findings go to stderr.
    """
    from mcp_assay.cli.options import ProxyArguments, taken
    from mcp_assay.cli.proxy import stand_between

    all_is_loaded()
    return stand_between(_line(context), taken(ProxyArguments, given))


def _typed_files(
    context: click.Context, option: click.Parameter, given: tuple[str, ...]
) -> tuple[tuple[str, str], ...]:
    """The format and path of each FORMAT=PATH that was typed.

    Those of a configuration are for reports: a diff must not be written over them.
    """
    if not is_typed(context, str(option.name)):
        return ()
    return tuple(report_file(context, option, text, DIFF_FORMATS) for text in given)


@declared(
    click.command("diff"),
    click.argument("old", metavar="OLD"),
    click.argument("new", metavar="NEW"),
    format_option(DIFF_FORMATS, "Output format on stdout."),
    report_option("Also write the comparison to a file; repeatable.", _typed_files),
    fail_on_option(
        "Lowest severity of a new finding that fails the comparison; never: nothing does."
    ),
    rules_option("--select", "Compare only findings of these rules or families; repeatable."),
    rules_option("--ignore", "Ignore findings of these rules or families; repeatable."),
    click.option("--quiet", is_flag=True, help="Print only one line per difference."),
    click.option("--verbose", is_flag=True, help="Print every difference."),
    NO_COLOR,
)
def diff(**given: Any) -> int:
    """Compare two JSON reports, OLD and NEW, of assess, lint or validate.

    Each is a file, plain or compressed (.gz, .zst); one of them may be - for stdin. Reports on
    several servers (--all) are compared server by server. The exit code is 1 if NEW has a new
    finding, a tool that works worse than in OLD, or a definition change that breaks clients.
    """
    from mcp_assay.cli.diff import compare_files
    from mcp_assay.cli.options import DiffArguments, taken

    all_is_loaded()
    return compare_files(taken(DiffArguments, given))


@declared(
    click.command("demo", cls=BareOptionsCommand),
    seed_option,
    only_options,
    sandbox_options,
    reporting_options,
    history_options,
    click.pass_context,
)
def demo(context: click.Context, /, **given: Any) -> int:
    """Assess the built-in demo server; its deliberate bugs do not fail the command."""
    from mcp_assay.cli.demo import assess_demo
    from mcp_assay.cli.options import DemoArguments, taken

    all_is_loaded()
    return assess_demo(_line(context), taken(DemoArguments, given))


@declared(
    click.command("ui", cls=BareOptionsCommand),
    history_option("Which history the pages are about; default: your own."),
    click.option(
        "--config",
        "configs",
        metavar="FILE",
        multiple=True,
        help="Client configuration whose servers can be assessed from the pages; repeatable.",
    ),
    click.option(
        "--trace",
        "traces",
        metavar="FILE",
        multiple=True,
        help="Trace file to show under Traffic, of any size; repeatable.",
    ),
    click.option(
        "--listen",
        metavar="HOST:PORT",
        help="Address to listen on; default: this machine alone, at a free port.",
    ),
    click.option("--tls-cert", metavar="FILE", help="Certificate (PEM), to serve over https."),
    click.option("--tls-key", metavar="FILE", help="Key of the certificate (PEM)."),
    click.option("--link", is_flag=True, help="Print another link to the pages you serve already."),
    click.option("--open", is_flag=True, help="Open the pages in your browser."),
    calls_options,
    max_calls_option,
    timeout_option("Timeout per call in seconds."),
    max_time_option(),
    sandbox_option,
    answer_options,
    click.pass_context,
)
def ui(context: click.Context, /, **given: Any) -> int:
    """Serve pages about the servers of the history and what is running, until interrupted.

    The link that is printed works once and lets one browser in. Nothing leaves this machine.
    Runs that are started from the pages can do less than these options allow, never more.
    """
    from mcp_assay.cli.options import UiArguments, taken
    from mcp_assay.cli.ui import serve_pages

    all_is_loaded()
    return serve_pages(_line(context), taken(UiArguments, given))


def fleet() -> click.Command:
    """The group of commands about fleets."""
    from mcp_assay.cli.fleet_commands import fleet_group

    return fleet_group()


def history() -> click.Command:
    """The group of commands about the history."""
    from mcp_assay.cli.history_commands import history_group

    return history_group()


@declared(
    click.command("rules"),
    click.option(
        "--revision", type=click.Choice(REVISIONS), help=("List only rules of this MCP revision.")
    ),
    rules_option("--select", "List only these rules or families."),
    format_option(["text", "json"], "Output format."),
    NO_COLOR,
)
def rules(revision: str | None, select: tuple[str, ...], format: str, no_color: bool) -> int:
    """List the rules: severity, responsible side, revisions, and how they are decided."""
    from mcp_assay.cli.rules import list_rules

    all_is_loaded()
    return list_rules(revision, select, format, color=not no_color)


@declared(
    click.command("explain"),
    click.argument("rule", metavar="RULE", shell_complete=rules_beginning_with),
    click.option(
        "--revision",
        type=click.Choice(REVISIONS),
        default=DEFAULT_REVISION,
        show_default=True,
        help="Link to the page of this MCP revision.",
    ),
    NO_COLOR,
)
def explain(rule: str, revision: str, no_color: bool) -> int:
    """Explain RULE, given by id or name: JSONRPC-005 or null-request-id."""
    from mcp_assay.cli.rules import explain_rule

    all_is_loaded()
    return explain_rule(rule, revision, color=not no_color)


@declared(
    click.command("sandbox"),
    format_option(["text", "json"], "Output format."),
    NO_COLOR,
)
def sandbox(format: str, no_color: bool) -> int:
    """Find out which disposable worlds can be made on this machine, by making one.

    Where none can be made, say why and which command would help; the exit code is 2 then.
    """
    from mcp_assay.cli.sandbox import show_worlds

    all_is_loaded()
    return show_worlds(format, color=not no_color)


@declared(
    click.command("completion"),
    click.argument("shell", metavar="SHELL", type=click.Choice(SHELLS)),
    click.pass_context,
)
def completion(context: click.Context, /, shell: str) -> int:
    """Print the script that completes mcp-assay in SHELL: bash, zsh or fish.

    Add this to the startup file of the shell: eval "$(mcp-assay completion bash)".
    """
    from click.shell_completion import ShellComplete, get_completion_class

    from mcp_assay.cli.output import write

    known, root = get_completion_class(shell), context.find_root()
    assert known is not None
    completes = known(root.command, {}, str(root.info_name), COMPLETION_VARIABLE)
    write(ShellComplete.source(completes) + "\n")  # bash is not started to ask for its version
    return 0


@declared(
    click.command("version"),
)
def version() -> int:
    """Print the version of mcp-assay."""
    from mcp_assay.cli.output import write

    write(f"mcp-assay {__version__}\n")
    return 0
