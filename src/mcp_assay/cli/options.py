"""What was typed for each command, as frozen values: made once, from what was read.

`assess`, `lint` and `validate` have their defaults here too, for command lines that are read
without click (`plain_commands.py`); a test holds that they are those of `commands.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from mcp_assay.findings import DEFAULT_MAX_FINDINGS
from mcp_assay.report.formats import TEXT
from mcp_assay.spec.revisions import AUTO

if TYPE_CHECKING:
    from mcp_assay.client.sandbox.options import Wanted
    from mcp_assay.model.entry import Direction
    from mcp_assay.model.outcome import FailOn
    from mcp_assay.model.tool import Calls
    from mcp_assay.spec.dialects import Dialect
    from mcp_assay.validate.options import Profile

Taken = TypeVar("Taken", bound=Struct)


class CommandLine(Struct, frozen=True):
    """The command as it was typed."""

    command: str
    """The program and the command."""
    words: tuple[str, ...] = ()
    """What stands behind it, up to the server's own command."""
    typed: frozenset[str] = frozenset()
    """The options that stand there themselves."""
    configured: frozenset[str] = frozenset()
    """Those that a configuration has chosen."""

    def has(self, name: str) -> bool:
        """Whether an option was typed."""
        return name in self.typed

    def chooses(self, name: str) -> bool:
        """Whether an option was typed or configured."""
        return name in self.typed or name in self.configured


class ReportOptions(Struct, frozen=True, kw_only=True):
    """What to report, in which form, and where it goes."""

    format: str = TEXT
    reports: tuple[tuple[str, str], ...] = ()
    """The format and the path of each file."""
    fail_on: FailOn = "error"
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    max_findings: int = DEFAULT_MAX_FINDINGS
    baseline: str | None = None
    update_baseline: bool = False
    quiet: bool = False
    verbose: bool = False
    no_color: bool = False


class ServerOptions(Struct, frozen=True, kw_only=True):
    """Which server is meant, and what it is given."""

    words: tuple[str, ...] = ()
    """What stands where neither an option nor a server was expected."""
    url: str | None = None
    server: tuple[str, ...] = ()
    config: str | None = None
    server_name: str | None = None
    env: tuple[str, ...] = ()
    header: tuple[str, ...] = ()

    @property
    def is_typed(self) -> bool:
        """Whether the command line names a server itself."""
        return self.url is not None or bool(self.server)


class AnswerOptions(Struct, frozen=True, kw_only=True):
    """Who answers questions: a person, `--yes`, or nobody."""

    no_input: bool = False
    yes: bool = False


class SeveralOptions(Struct, frozen=True, kw_only=True):
    """Whether all servers of a configuration are meant, and how many at a time."""

    all_servers: bool = False
    jobs: int | None = None


class WorldOptions(Struct, frozen=True, kw_only=True):
    """Whether the server runs in a disposable world, and what of this machine reaches into it."""

    sandbox: Wanted | None = None
    sandbox_allow: tuple[str, ...] = ()
    sandbox_show: tuple[str, ...] = ()
    keep_world: str | None = None
    own_world: str | None = None

    @property
    def is_disposable(self) -> bool:
        """Whether nothing lasts that the server does: no network leads out of its world."""
        return self.sandbox is not None and not self.sandbox_allow


class HistoryOptions(Struct, frozen=True, kw_only=True):
    """Whether the run is remembered, as whose, and what it is compared with."""

    history: str | None = None
    """The URL of a store, @FILE with one in it, or the word for the user's own."""
    against: str | None = None
    server_id: str | None = None

    @property
    def is_given(self) -> bool:
        """Whether anything was said about a history."""
        return self != HistoryOptions()


def inside(options: WorldOptions) -> WorldOptions:
    """The same options, with a world."""
    return replace(options, sandbox="auto")


class AssessArguments(Struct, frozen=True, kw_only=True):
    """What was typed for `assess`."""

    report: ReportOptions
    target: ServerOptions
    answers: AnswerOptions
    several: SeveralOptions
    world: WorldOptions
    remembered: HistoryOptions = HistoryOptions()
    revision: str = AUTO
    calls: Calls = "safe"
    allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()
    seed: int = 0
    max_calls: int = 50
    timeout: float = 10.0
    max_time: float = 120.0
    min_tools: str | None = None
    examples: str | None = None
    only: str | None = None
    args: str | None = None
    dry_run: bool = False
    no_shrink: bool = False
    like: str | None = None
    record: str | None = None


class LintArguments(Struct, frozen=True, kw_only=True):
    """What was typed for `lint`."""

    report: ReportOptions
    target: ServerOptions
    answers: AnswerOptions
    several: SeveralOptions
    world: WorldOptions
    remembered: HistoryOptions = HistoryOptions()
    revision: str = AUTO
    timeout: float = 10.0
    max_time: float = 120.0


class ValidateArguments(Struct, frozen=True, kw_only=True):
    """What was typed for `validate`."""

    report: ReportOptions
    remembered: HistoryOptions = HistoryOptions()
    files: tuple[str, ...] = ()
    profile: Profile = "mcp"
    revision: str = AUTO
    direction: Direction | None = None
    dialect: Dialect = "mcp"
    partial: bool = False
    map: dict[str, str] = {}
    jobs: int | None = None
    fast: bool = False
    engine: str = "local"
    engine_insecure: bool = False
    sample: float | None = None
    seed: int = 0


class FleetArguments(Struct, frozen=True, kw_only=True):
    """What was typed for `fleet run`."""

    report: ReportOptions
    fleet: str
    history: str | None
    engine: str
    engine_insecure: bool
    jobs: int | None
    resume: bool
    since: str | None
    dry_run: bool
    no_sandbox: bool
    env: tuple[str, ...]
    include: tuple[str, ...]
    exclude: tuple[str, ...]
    kinds: tuple[str, ...]
    most: int | None
    revision: str
    seed: int
    max_calls: int
    timeout: float
    max_time: float
    job_time: float | None
    job_memory: int
    job_disk: int
    job_processes: int


class ProxyArguments(Struct, frozen=True, kw_only=True):
    """What was typed for `proxy`."""

    target: ServerOptions
    world: WorldOptions
    listen: str | None
    record: str | None
    is_shown: bool
    enforce: bool
    revision: str
    reports: tuple[tuple[str, str], ...]
    fail_on: FailOn
    select: tuple[str, ...]
    ignore: tuple[str, ...]
    on_network: bool


class DiffArguments(Struct, frozen=True, kw_only=True):
    """What was typed for `diff`."""

    old: str
    new: str
    format: str
    reports: tuple[tuple[str, str], ...]
    fail_on: FailOn
    select: tuple[str, ...]
    ignore: tuple[str, ...]
    quiet: bool
    verbose: bool
    no_color: bool


class DemoArguments(Struct, frozen=True, kw_only=True):
    """What was typed for `demo`."""

    report: ReportOptions
    world: WorldOptions
    remembered: HistoryOptions
    seed: int
    only: str | None
    args: str | None


class HistoryView(Struct, frozen=True, kw_only=True):
    """Which history is asked, and how its answer is shown."""

    history: str | None
    format: str
    no_color: bool


class LiveOptions(Struct, frozen=True, kw_only=True):
    """What may be assessed from the pages, and how far runs may go."""

    answers: AnswerOptions
    configs: tuple[str, ...] = ()
    calls: Calls = "safe"
    allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()
    max_calls: int = 50
    timeout: float = 10.0
    max_time: float = 120.0
    sandbox: Wanted | None = None


class UiArguments(Struct, frozen=True, kw_only=True):
    """What was typed for `ui`."""

    live: LiveOptions

    history: str | None
    listen: str | None
    tls_cert: str | None
    tls_key: str | None
    traces: tuple[str, ...]
    link: bool
    open: bool


BLOCKS: Final[Mapping[str, type[Struct]]] = {
    "report": ReportOptions,
    "target": ServerOptions,
    "answers": AnswerOptions,
    "several": SeveralOptions,
    "world": WorldOptions,
    "remembered": HistoryOptions,
    "live": LiveOptions,
}
"""The parts that commands have in common, by the name of the field that holds each."""


def taken(kind: type[Taken], given: Mapping[str, Any]) -> Taken:
    """The options of a command, or a block of them, out of all that was read."""
    fields = kind.__struct_fields__
    blocks = {name: taken(BLOCKS[name], given) for name in fields if name in BLOCKS}
    return kind(**blocks, **{name: given[name] for name in fields if name in given})


def option_names(kind: type[Struct]) -> set[str]:
    """The names of all options that a command has, those in its blocks too."""
    fields = kind.__struct_fields__
    return set(fields).union(*(option_names(BLOCKS[name]) for name in fields if name in BLOCKS))
