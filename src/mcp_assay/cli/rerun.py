"""`mcp-assay assess --like REPORT`: a run is repeated, and held against the report on it."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from mcp_assay.assess.examples import Examples
from mcp_assay.assess.permissions import Ask, Closed
from mcp_assay.assess.rerun import NotRepeatable, RerunOptions, like
from mcp_assay.cli.diff import loaded
from mcp_assay.cli.options import AssessArguments, CommandLine, WorldOptions, inside
from mcp_assay.cli.output import UsageError, complain, show
from mcp_assay.cli.questions import may_ask
from mcp_assay.cli.targets import Named, named_server
from mcp_assay.compare import compare
from mcp_assay.drift.reports import likeness
from mcp_assay.model.report import Report
from mcp_assay.model.tool import Consent
from mcp_assay.report.as_json import to_json
from mcp_assay.report.diff_text import likeness_text
from mcp_assay.report.formats import TEXT
from mcp_assay.report.report_file import read_report
from mcp_assay.text.lines import as_plain_text
from mcp_assay.text.safe import plain

FROM_REPORT = (
    *("revision", "calls", "deny", "seed", "max_calls", "timeout", "max_time", "only"),
    "dry_run",
)
"""Options that the report gives where nobody types them."""
ABOUT_FINDINGS = ("select", "ignore", "max_findings")
"""Those of them that choose what is reported."""


def repetition(line: CommandLine, arguments: AssessArguments, path: str) -> Repetition:
    """The run that --like names; its options take the place of those that were not typed."""
    report = loaded(path)
    try:
        its = like(report)
    except NotRepeatable as refusal:
        raise UsageError(f"--like: {path} {plain(str(refusal))}.") from None
    return Repetition(path, report, its, line, arguments)


class Repetition:
    """A run that is made again."""

    def __init__(
        self,
        path: str,
        report: Report,
        its: RerunOptions,
        line: CommandLine,
        typed: AssessArguments,
    ) -> None:
        self._path: Final = path
        self._report: Final = report
        self._its: Final = its
        self._line: Final = line
        self._require_typed_call()
        self.arguments: Final = self._filled_in(typed)
        """What was typed, and for the rest what the report says."""
        self._print_gaps()

    def _filled_in(self, typed: AssessArguments) -> AssessArguments:
        """Take from the report what was not typed, but for permissions: those must be typed."""
        options, world = self._its.options, self._world(typed)
        known = {
            **{name: getattr(options, name) for name in FROM_REPORT},
            "allow": self._own_permissions(typed),
            "no_shrink": not options.shrink,
        }
        if world.is_disposable:
            known |= {"calls": self._its.calls, "allow": self._its.permitted}
        of_report = {name: getattr(options, name) for name in ABOUT_FINDINGS}
        reporting = replace(typed.report, **self._untyped(of_report))
        return replace(typed, report=reporting, world=world, **self._untyped(known))

    def _world(self, typed: AssessArguments) -> WorldOptions:
        """Where the server runs: in a world if it did, but with nothing that opens it."""
        is_chosen = typed.world.sandbox is not None
        return typed.world if is_chosen or not self._its.in_world else inside(typed.world)

    def _untyped(self, known: Mapping[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in known.items() if not self._line.has(name)}

    def known(self, configured: Examples) -> Examples:
        """The examples of the report, unless others were typed."""
        if self._line.has("examples"):
            return configured
        return Examples(tools=self._its.options.examples, answers=self._its.options.answers)

    def named(self) -> Named:
        """The server that was typed, or else the one of the report."""
        target = self.arguments.target
        if target.is_typed or target.config or target.words:
            return named_server(self._line, target)
        self._require_server()
        target = replace(target, server=self._its.command, url=self._its.url)
        named = named_server(self._line, target)
        if self._its.url is not None:
            complain(f"{self._path} contains this server: {self._its.url}")
        return named._replace(file=self._path)

    def asking(self, ask: Ask | None) -> Ask | None:
        """The same question, about no more tools than were called then."""
        permitted = self._its.permitted
        if ask is None or not permitted:
            return None

        def asked(closed: Closed) -> Consent | None:
            wanted = [(name, why) for name, why in closed if name in permitted]
            return ask(wanted) if wanted else None

        return asked

    def concluded(self, report: Report, code: int) -> int:
        """Say whether the report is confirmed; the exit code with that taken into account."""
        options = self.arguments.report
        written = read_report(to_json(report).encode())  # as the other report was
        comparison = compare(
            self._report,
            written,
            files=(self._path, None),
            select=options.select,
            ignore=options.ignore,
        )
        lines = list(likeness_text(self._path, comparison, verbose=options.verbose))
        if options.format == TEXT and not options.quiet:
            show(lines, color=not options.no_color)
        else:
            complain(as_plain_text(lines))
        return code or int(likeness(comparison) != "same")

    def _own_permissions(self, typed: AssessArguments) -> tuple[str, ...]:
        """The tools of the report that the reviewer's own configuration allows."""
        permitted = self._its.permitted
        if typed.calls == "all":
            return () if self._line.has("calls") else permitted
        return tuple(name for name in permitted if name in typed.allow)

    def _print_gaps(self) -> None:
        """Say what comes from the report and what it cannot give, before anything is started."""
        if not self._line.has("examples"):
            self._print_examples()
        arguments, answers = self.arguments, self.arguments.answers
        if self._its.hosts and not arguments.world.sandbox_allow:
            options = shlex.join(w for host in self._its.hosts for w in ("--sandbox-allow", host))
            words = "let the server reach hosts that only you can allow"
            complain(plain(f"mcp-assay: the run of {self._path} {words}: {options}"))
        is_open = arguments.calls == "all" or arguments.world.is_disposable
        allowed = self._its.permitted if is_open else arguments.allow
        needed = [name for name in self._its.permitted if name not in allowed]
        if needed and not may_ask(answers) and not answers.yes:
            options = shlex.join(word for name in needed for word in ("--allow", name))
            words = "called tools that need your permission"
            complain(f"mcp-assay: the run of {self._path} {words}: {options}")

    def _print_examples(self) -> None:
        options = self._its.options
        if names := [*options.examples, *options.answers]:
            complain(f"mcp-assay: the examples for {', '.join(names)} come from {self._path}.")
        for lack in self._its.lacks:
            complain(f"mcp-assay: {self._path}: {lack}")

    def _require_typed_call(self) -> None:
        """A single call is permitted by typing it, the tool and its arguments."""
        options, line = self._its.options, self._line
        if line.has("args") and not line.has("only"):
            raise UsageError("--args needs --only TOOL.")
        if options.args is None or line.has("args"):
            return
        arguments = msgspec.json.encode(options.args).decode()
        words = shlex.join(["--only", str(options.only), "--args", arguments])
        raise UsageError(
            f"--like: {self._path} is about one call, which you permit by typing it: {words}"
        )

    def _require_server(self) -> None:
        its, answers = self._its, self.arguments.answers
        typed = f"mcp-assay assess --like {shlex.quote(self._path)} -- COMMAND, or a URL"
        if not its.command and its.url is None:
            raise UsageError(
                f"{self._path} does not contain the complete server command; add it: {typed}."
            )
        if its.command and not (answers.yes or answers.no_input or may_ask(answers)):
            command = plain(shlex.join(its.command))
            raise UsageError(
                f"{self._path} contains the command {command}; type it ({typed}), or add "
                "--no-input."
            )
