"""`mcp-assay assess --like REPORT`: a run is repeated, and held against the report on it."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

import click
import msgspec

from mcp_assay.assessing.permitting import Ask, Closed, Consent
from mcp_assay.cli.asking import may_ask
from mcp_assay.cli.diff import loaded
from mcp_assay.cli.output import complain, show
from mcp_assay.cli.servers import is_typed
from mcp_assay.cli.targets import Named, named_server
from mcp_assay.compare import compare
from mcp_assay.drift.likeness import likeness
from mcp_assay.examples import Examples
from mcp_assay.like import Like, NotRepeatable, like
from mcp_assay.model.report import Report
from mcp_assay.report.as_json import to_json
from mcp_assay.report.diff_text import likeness_text
from mcp_assay.report.formats import TEXT
from mcp_assay.report.lines import as_plain_text
from mcp_assay.report.plain import plain
from mcp_assay.report.reading import read_report

FROM_REPORT = (
    *("revision", "calls", "deny", "seed", "max_calls", "timeout", "max_time", "only"),
    *("dry_run", "select", "ignore", "max_findings"),
)
"""Options that the report gives where nobody types them."""


def repetition(context: click.Context, given: dict[str, Any]) -> Repetition:
    """The run that --like names; its options take the place of those that were not typed."""
    path = given["like"]
    report = loaded(path)
    try:
        repeated = Repetition(path, report, like(report), context)
    except NotRepeatable as refusal:
        raise click.UsageError(f"--like: {path} {plain(str(refusal))}.") from None
    repeated.fill_in(given)
    return repeated


class Repetition:
    """A run that is made again."""

    def __init__(self, path: str, report: Report, its: Like, context: click.Context) -> None:
        self._path = path
        self._report = report
        self._its = its
        self._context = context

    def fill_in(self, given: dict[str, Any]) -> None:
        """Take from the report what was not typed, but for permissions: those must be typed."""
        options = self._its.options
        self._require_typed_call()
        if not is_typed(self._context, "allow"):
            given["allow"] = self._own_permissions(given)
        for name in FROM_REPORT:
            if not is_typed(self._context, name):
                given[name] = getattr(options, name)
        if not is_typed(self._context, "no_shrink"):
            given["no_shrink"] = not options.shrink
        self._tell_gaps(given)

    def known(self, configured: Examples) -> Examples:
        """The examples of the report, unless others were typed."""
        if is_typed(self._context, "examples"):
            return configured
        return Examples(tools=self._its.options.examples, answers=self._its.options.answers)

    def named(self, given: dict[str, Any]) -> Named:
        """The server that was typed, or else the one of the report."""
        if any((given["url"], given["server"], given["config"], self._context.params["words"])):
            return named_server(self._context, given)
        self._require_server(given)
        for name, value in (("server", self._its.command), ("url", self._its.url)):
            given[name] = self._context.params[name] = value
        named = named_server(self._context, given)
        if self._its.url is not None:
            complain(f"{self._path} names this server: {self._its.url}")
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

    def concluded(self, report: Report, given: Mapping[str, Any], code: int) -> int:
        """Say whether the report is confirmed; the exit code with that taken into account."""
        chosen = {name: given[name] for name in ("select", "ignore")}
        written = read_report(to_json(report).encode())  # as the other report was
        comparison = compare(self._report, written, files=(self._path, None), **chosen)
        lines = list(likeness_text(self._path, comparison, verbose=given["verbose"]))
        if given["format"] == TEXT and not given["quiet"]:
            show(lines, color=not given["no_color"])
        else:
            complain(as_plain_text(lines))
        return code or int(likeness(comparison) != "same")

    def _own_permissions(self, given: Mapping[str, Any]) -> tuple[str, ...]:
        """The tools of the report that the reviewer's own configuration allows."""
        permitted = self._its.permitted
        if given["calls"] == "all":
            return () if is_typed(self._context, "calls") else permitted
        return tuple(name for name in permitted if name in given["allow"])

    def _tell_gaps(self, given: Mapping[str, Any]) -> None:
        """Say what comes from the report and what it cannot give, before anything is started."""
        if not is_typed(self._context, "examples"):
            self._tell_of_examples()
        allowed = self._its.permitted if given["calls"] == "all" else given["allow"]
        needed = [name for name in self._its.permitted if name not in allowed]
        if needed and not may_ask(given) and not given["yes"]:
            options = shlex.join(word for name in needed for word in ("--allow", name))
            words = "called tools that you have to allow yourself"
            complain(f"mcp-assay: the run of {self._path} {words}: {options}")

    def _tell_of_examples(self) -> None:
        options = self._its.options
        if names := [*options.examples, *options.answers]:
            complain(f"mcp-assay: the examples for {', '.join(names)} come from {self._path}.")
        for lack in self._its.lacks:
            complain(f"mcp-assay: {self._path}: {lack}")

    def _require_typed_call(self) -> None:
        """A single call is permitted by typing it, the tool and its arguments."""
        options, context = self._its.options, self._context
        if is_typed(context, "args") and not is_typed(context, "only"):
            raise click.UsageError("--args needs --only TOOL.")
        if options.args is None or is_typed(context, "args"):
            return
        arguments = msgspec.json.encode(options.args).decode()
        words = shlex.join(["--only", str(options.only), "--args", arguments])
        raise click.UsageError(
            f"--like: {self._path} is about one call, which you permit by typing it: {words}"
        )

    def _require_server(self, given: Mapping[str, Any]) -> None:
        its = self._its
        typed = f"mcp-assay assess --like {shlex.quote(self._path)} -- COMMAND, or a URL"
        if not its.command and its.url is None:
            raise click.UsageError(
                f"{self._path} does not hold its server whole; name it: {typed}."
            )
        if its.command and not (given["yes"] or given["no_input"] or may_ask(given)):
            command = plain(shlex.join(its.command))
            raise click.UsageError(
                f"{self._path} names the command {command}; type it ({typed}), or add --no-input."
            )
