"""The options that commands share, what they take besides plain words, and what a wrong value gets.

Nothing but click is loaded here: whoever asks for help, or presses the tab key, waits for it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any, TypeVar

import click

from mcp_assay.findings import DEFAULT_MAX_FINDINGS
from mcp_assay.model.outcome import FAIL_ON
from mcp_assay.report.formats import FORMATS, REPORTED, TEXT
from mcp_assay.spec.revisions import AUTO, REVISIONS

if TYPE_CHECKING:
    from mcp_assay.cli.options import ServerOptions, SeveralOptions

HELP_OPTIONS = ("--help", "-h")
RANDOM = "random"
LARGEST_SEED = 2**31
URL_SCHEMES = ("http://", "https://")
TYPED = "mcp_assay.typed"
"""Under this name a context keeps what stood before `--`."""

Command = TypeVar("Command", bound=Callable[..., Any])
Decorator = Callable[[Any], Any]


def is_typed(context: click.Context, name: str) -> bool:
    """Whether an option stands on the command line itself."""
    return context.get_parameter_source(name) == click.core.ParameterSource.COMMANDLINE


def wants_all(context: click.Context, one: ServerOptions, several: SeveralOptions) -> bool:
    """Whether all servers are meant; a server that was typed goes before a configured --all."""
    if is_typed(context, "jobs") and not several.all_servers:
        words = "requests to one server are always sequential"
        raise click.UsageError(f"--jobs needs --config FILE --all: {words}.")
    if not several.all_servers:
        return False
    if is_typed(context, "all_servers"):
        if is_typed(context, "server_name"):
            raise click.UsageError("--all and --server NAME exclude each other.")
        return True
    is_one = one.is_typed or one.server_name is not None
    return not is_one and one.config is not None


def seed(context: click.Context, option: click.Parameter, given: str) -> int:
    """The number that chooses the calls; the word random has one drawn."""
    if given == RANDOM:
        import random

        return random.SystemRandom().randrange(LARGEST_SEED)
    try:
        return int(given)
    except ValueError:
        words = f"{given!r} is neither a number nor {RANDOM!r}."
        raise click.BadParameter(words, context, option) from None


def enough(context: click.Context, option: click.Parameter, given: str | None) -> str | None:
    """How many tools must succeed: N, or P% of those that are listed."""
    if given is not None and not _is_enough(given):
        words = f"{given!r} is neither a number of tools nor a share like 80%."
        raise click.BadParameter(words, context, option)
    return given


def _is_enough(text: str) -> bool:
    """Whether a text is a number of tools of at most six digits, or a share of them."""
    number = text.removesuffix("%")
    if not (number.isascii() and number.isdigit()):
        return False
    return len(number) <= 6 if number == text else len(number) <= 2 or number == "100"


def rule_names(
    context: click.Context, option: click.Parameter, given: tuple[str, ...]
) -> tuple[str, ...]:
    """The rule ids and families of all occurrences of an option; names of rules as their ids."""
    if not given:
        return ()
    from mcp_assay.rules import rule_id
    from mcp_assay.spec.selection import KNOWN_RULES, require_rules

    wanted = tuple(rule_id(part) for text in given for part in text.split(","))
    try:
        require_rules(wanted, KNOWN_RULES)
    except ValueError as refusal:
        raise click.BadParameter(str(refusal), context, option) from None
    return wanted


def trace_map(
    context: click.Context, option: click.Parameter, given: tuple[str, ...]
) -> dict[str, str]:
    """The JSON Pointer of each FIELD=POINTER."""
    if not given:
        return {}
    from mcp_assay.validate.trace import require_pointers

    pointers = dict(text.partition("=")[::2] for text in given)
    try:
        require_pointers(pointers)
    except ValueError as refusal:
        raise click.BadParameter(f"{refusal}.", context, option) from None
    return pointers


def report_files(
    context: click.Context, option: click.Parameter, given: tuple[str, ...]
) -> tuple[tuple[str, str], ...]:
    """The format and the path of each FORMAT=PATH."""
    return tuple(report_file(context, option, text, REPORTED) for text in given)


def report_file(
    context: click.Context, option: click.Parameter, text: str, forms: Sequence[str]
) -> tuple[str, str]:
    """The format, one of these, and the path of FORMAT=PATH."""
    form, _, path = text.partition("=")
    if form not in forms or not path:
        words = f"{text!r} is not FORMAT=PATH, where FORMAT is {' or '.join(forms)}."
        raise click.BadParameter(words, context, option)
    if context.params.get("all_servers"):
        return form, path
    if os.path.isdir(path) or not os.path.isdir(os.path.dirname(path) or "."):
        words = f"{path!r} cannot be written; name a file in a folder that exists."
        raise click.BadParameter(words, context, option)
    return form, path


def together(*options: Decorator) -> Callable[[Command], Command]:
    """A block of options, given to a command in this order."""

    def decorate(command: Command) -> Command:
        return reduce(lambda wrapped, option: option(wrapped), reversed(options), command)

    return decorate


def revision_option(help: str) -> Decorator:
    """`--revision`, where the revision may be found out."""
    choices = click.Choice([AUTO, *REVISIONS])
    return click.option("--revision", type=choices, default=AUTO, show_default=True, help=help)


def format_option(forms: Sequence[str], help: str) -> Decorator:
    """`--format`, the form of what goes to standard output."""
    choices = click.Choice(forms)
    return click.option(
        "--format", "format", type=choices, default=TEXT, show_default=True, help=help
    )


def report_option(help: str, callback: Callable[..., Any] = report_files) -> Decorator:
    """`--report`, files for what the command has to say."""
    return click.option(
        "--report", "reports", metavar="FORMAT=PATH", callback=callback, multiple=True, help=help
    )


def fail_on_option(help: str, default: str = "error") -> Decorator:
    """`--fail-on`, what makes the exit code 1."""
    choices = click.Choice(FAIL_ON)
    return click.option("--fail-on", type=choices, default=default, show_default=True, help=help)


def rules_option(name: str, help: str) -> Decorator:
    """An option that names rules or families of rules."""
    return click.option(
        name,
        metavar="RULE[,...]",
        callback=rule_names,
        multiple=True,
        help=help,
        shell_complete=rules_beginning_with,
    )


def rules_beginning_with(_: click.Context, __: click.Parameter, begun: str) -> list[str]:
    """The ids of rules that go on where somebody stopped typing, behind the last comma."""
    from mcp_assay.spec.catalogue import CATALOGUE

    before, comma, begun = begun.rpartition(",")
    wanted = begun.strip().upper()
    return [f"{before}{comma}{rule}" for rule in CATALOGUE if rule.startswith(wanted)]


def config_option(help: str) -> Decorator:
    """`--config` and which of its servers is meant."""
    return together(
        click.option("--config", metavar="FILE", help=help),
        click.option(
            "--server",
            "server_name",
            metavar="NAME",
            help="Which server of --config, if there are several.",
        ),
    )


def pairs_options(variable: str, about_env: str, header: str, about_header: str) -> Decorator:
    """`--env` and `--header`, by what each takes and what is said of it."""
    return together(
        click.option("--env", metavar=variable, multiple=True, help=about_env),
        click.option("--header", metavar=header, multiple=True, help=about_header),
    )


NO_COLOR = click.option("--no-color", is_flag=True, help="Do not use colors.")

reporting_options = together(
    format_option(FORMATS, "Report format on stdout."),
    report_option("Also write the report to a file; repeatable."),
    fail_on_option("Lowest severity that fails the run."),
    rules_option("--select", "Report only these rules or families; repeatable."),
    rules_option("--ignore", "Do not report these rules or families; repeatable."),
    click.option(
        "--max-findings",
        type=click.IntRange(min=0),
        default=DEFAULT_MAX_FINDINGS,
        show_default=True,
        metavar="N",
        help="Maximum findings to include; all are counted.",
    ),
    click.option(
        "--baseline",
        metavar="FILE",
        help="File of accepted findings; stale and expired entries fail the run.",
    ),
    click.option(
        "--update-baseline",
        is_flag=True,
        help="Write all findings of this run to the baseline.",
    ),
    click.option("--quiet", is_flag=True, help="Print only one line per finding."),
    click.option("--verbose", is_flag=True, help="Print every occurrence and every check."),
    NO_COLOR,
)
"""What every reporting command has."""

answer_options = together(
    click.option("--no-input", is_flag=True, help="Never prompt."),
    click.option("--yes", is_flag=True, help="Answer yes to all prompts."),
)
"""Who answers questions."""

server_options = together(
    config_option("Read the server from a client configuration (mcpServers or servers)."),
    pairs_options(
        "NAME[=VALUE]",
        "Environment variable for the server; NAME alone passes yours on; repeatable.",
        '"NAME: VALUE"',
        "HTTP header; repeatable.",
    ),
    answer_options,
)
"""What names a server, and who answers for it."""

several_options = together(
    click.option(
        "--all",
        "all_servers",
        is_flag=True,
        is_eager=True,
        help="Use every server of --config, in parallel.",
    ),
    click.option(
        "--jobs",
        type=click.IntRange(min=1),
        metavar="N",
        help="With --all: servers run in parallel; default: one per CPU core (2-8).",
    ),
)
"""What concerns all servers of a configuration."""

seed_option = click.option(
    "--seed",
    metavar="N|random",
    default="0",
    show_default=True,
    callback=seed,
    help="Seed for generated arguments; the same seed makes the same calls.",
)

calls_options = together(
    click.option(
        "--calls",
        type=click.Choice(["safe", "likely", "none", "all"]),
        default="safe",
        show_default=True,
        help=(
            "Which tools to call: those declared read-only (safe), also those without hints that "
            "only read by name and description (likely), none, or all."
        ),
    ),
    click.option("--allow", metavar="TOOL", multiple=True, help="Also call this tool; repeatable."),
    click.option("--deny", metavar="TOOL", multiple=True, help="Never call this tool; repeatable."),
)
"""Which tools are called."""

max_calls_option = click.option(
    "--max-calls",
    type=click.IntRange(min=1),
    default=50,
    show_default=True,
    metavar="N",
    help="Maximum scenarios per tool, not counting calls that repeat or shrink one.",
)


def percentage(context: click.Context, option: click.Parameter, given: str | None) -> float | None:
    """The number of P%, more than 0 and at most 100."""
    if given is None:
        return None
    number = given.removesuffix("%")
    is_plain = number.isascii() and number.replace(".", "", 1).isdigit() and len(number) <= 9
    if number == given or not is_plain or not 0 < float(number) <= 100:
        raise click.BadParameter(f"{given!r} is not a share like 5%.", context, option)
    return float(number)


def engine(context: click.Context, option: click.Parameter, given: str) -> str:
    """An engine as it is named, once it is clear that this names one."""
    from mcp_assay.engine.address import engine_choice

    try:
        engine_choice(given)
    except ValueError as refusal:
        raise click.BadParameter(f"{refusal}.", context, option) from None
    return given


engine_options = together(
    click.option(
        "--engine",
        metavar="ENGINE",
        default="local",
        show_default=True,
        callback=engine,
        help="Where to work: local, dask (a cluster on this machine), or dask://HOST:PORT.",
    ),
    click.option(
        "--engine-insecure",
        is_flag=True,
        help="Use a scheduler on another machine without TLS; who reaches it can run code.",
    ),
)

sample_options = together(
    click.option(
        "--sample",
        metavar="P%",
        callback=percentage,
        help="Check only this share of the sessions, chosen by their keys and --seed.",
    ),
    click.option(
        "--seed",
        metavar="N|random",
        default="0",
        show_default=True,
        callback=seed,
        help="Seed for --sample; the same seed chooses the same sessions.",
    ),
)


def call_arguments(context: click.Context, _: click.Parameter, given: str | None) -> str | None:
    """The arguments of one call; those of a configuration are for the tool that it names itself."""
    is_for_another = is_typed(context, "only") and not is_typed(context, "args")
    return None if is_for_another else given


only_options = together(
    click.option("--only", metavar="TOOL", help="Call only this tool."),
    click.option(
        "--args",
        metavar="JSON",
        callback=call_arguments,
        help="With --only: make exactly this call.",
    ),
)
"""What chooses one tool, or one call of it."""


def timeout_option(help: str) -> Decorator:
    """`--timeout`, how long an answer may take."""
    return click.option(
        "--timeout",
        type=click.FloatRange(min=0.1),
        default=10.0,
        show_default=True,
        metavar="S",
        help=help,
    )


def max_time_option() -> Decorator:
    """`--max-time`, how long a whole run may take."""
    return click.option(
        "--max-time",
        type=click.FloatRange(min=1),
        default=120.0,
        show_default=True,
        metavar="S",
        help="Time limit for the whole run in seconds.",
    )


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
