"""What was typed for each command, as frozen values: made once, from what click has read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, TypeVar

from msgspec import Struct
from msgspec.structs import replace

if TYPE_CHECKING:
    from mcp_assay.client.sandbox.options import Wanted
    from mcp_assay.model.entry import Direction
    from mcp_assay.model.outcome import FailOn
    from mcp_assay.model.tool import Calls
    from mcp_assay.spec.dialects import Dialect
    from mcp_assay.validate.options import Profile

Taken = TypeVar("Taken", bound=Struct)


class ReportOptions(Struct, frozen=True, kw_only=True):
    """What to report, in which form, and where it goes."""

    format: str
    reports: tuple[tuple[str, str], ...]
    """The format and the path of each file."""
    fail_on: FailOn
    select: tuple[str, ...]
    ignore: tuple[str, ...]
    max_findings: int
    baseline: str | None
    update_baseline: bool
    quiet: bool
    verbose: bool
    no_color: bool


class ServerOptions(Struct, frozen=True, kw_only=True):
    """Which server is meant, and what it is given."""

    words: tuple[str, ...]
    """What stands where neither an option nor a server was expected."""
    url: str | None
    server: tuple[str, ...]
    config: str | None
    server_name: str | None
    env: tuple[str, ...]
    header: tuple[str, ...]

    @property
    def is_typed(self) -> bool:
        """Whether the command line names a server itself."""
        return self.url is not None or bool(self.server)


class AnswerOptions(Struct, frozen=True, kw_only=True):
    """Who answers questions: a person, `--yes`, or nobody."""

    no_input: bool
    yes: bool


class SeveralOptions(Struct, frozen=True, kw_only=True):
    """Whether all servers of a configuration are meant, and how many at a time."""

    all_servers: bool
    jobs: int | None


class WorldOptions(Struct, frozen=True, kw_only=True):
    """Whether the server runs in a disposable world, and what of this machine reaches into it."""

    sandbox: Wanted | None
    sandbox_allow: tuple[str, ...]
    sandbox_show: tuple[str, ...]
    keep_world: str | None

    @property
    def is_disposable(self) -> bool:
        """Whether nothing lasts that the server does: no network leads out of its world."""
        return self.sandbox is not None and not self.sandbox_allow


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
    revision: str
    calls: Calls
    allow: tuple[str, ...]
    deny: tuple[str, ...]
    seed: int
    max_calls: int
    timeout: float
    max_time: float
    min_tools: str | None
    examples: str | None
    only: str | None
    args: str | None
    dry_run: bool
    no_shrink: bool
    like: str | None
    record: str | None


class LintArguments(Struct, frozen=True, kw_only=True):
    """What was typed for `lint`."""

    report: ReportOptions
    target: ServerOptions
    answers: AnswerOptions
    several: SeveralOptions
    world: WorldOptions
    revision: str
    timeout: float
    max_time: float


class ValidateArguments(Struct, frozen=True, kw_only=True):
    """What was typed for `validate`."""

    report: ReportOptions
    files: tuple[str, ...]
    profile: Profile
    revision: str
    direction: Direction | None
    dialect: Dialect
    partial: bool
    map: dict[str, str]
    jobs: int | None
    fast: bool


class ProxyArguments(Struct, frozen=True, kw_only=True):
    """What was typed for `proxy`."""

    target: ServerOptions
    world: WorldOptions
    listen: str | None
    record: str | None
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
    seed: int
    only: str | None
    args: str | None


BLOCKS: Final[Mapping[str, type[Struct]]] = {
    "report": ReportOptions,
    "target": ServerOptions,
    "answers": AnswerOptions,
    "several": SeveralOptions,
    "world": WorldOptions,
}
"""The parts that commands have in common, by the name of the field that holds each."""


def taken(kind: type[Taken], given: Mapping[str, Any]) -> Taken:
    """The options of a command, or a block of them, out of all that click has read."""
    return kind(**{name: _value(name, given) for name in kind.__struct_fields__})


def _value(name: str, given: Mapping[str, Any]) -> Any:
    return taken(BLOCKS[name], given) if name in BLOCKS else given[name]
