"""The report of an assessment -> the options that repeat it, and what a reviewer must add.

What an author was permitted to call is no permission for anybody else.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from mcp_assay.assess.examples import require_examples
from mcp_assay.assess.options import AssessOptions
from mcp_assay.assess.permissions import CallGate
from mcp_assay.client.project_config import WrongConfiguration
from mcp_assay.drift.decided import called
from mcp_assay.drift.surfaces import held_tools, listed
from mcp_assay.model.report import Report
from mcp_assay.model.tool import Calls
from mcp_assay.spec.revisions import AUTO, REVISIONS
from mcp_assay.text.words import REDACTED

__all__ = ["NotRepeatable", "RerunOptions", "like"]

REPEATED: Final = (
    *("revision", "calls", "deny", "seed", "max_calls", "timeout", "max_time", "only", "args"),
    *("dry_run", "shrink", "examples", "answers", "select", "ignore", "max_findings"),
)
"""The options that a run is repeated with; those that permit calls are not among them."""
LEAST: Final[Mapping[str, float]] = {"max_calls": 1, "timeout": 0.1, "max_time": 1}
"""The least value that an option may have."""
ADDRESSES: Final = ("http://", "https://")
HIDDEN_IN_ADDRESSES: Final = "redacted"


class NotRepeatable(ValueError):
    """A report whose run cannot be repeated; its text goes on after a file's name."""


class RerunOptions(Struct, frozen=True, kw_only=True):
    """How to repeat a run."""

    options: AssessOptions
    """As they were, but that only safe tools are called."""
    calls: Calls = "safe"
    """Which tools were called; that is no permission for anybody else."""
    permitted: tuple[str, ...]
    """The tools that were called although nobody may call them without permission."""
    in_world: bool = False
    """Whether the server ran in a disposable world."""
    hosts: tuple[str, ...] = ()
    """The hosts that it might reach from there: nobody else has agreed to that."""
    command: tuple[str, ...] = ()
    url: str | None = None
    """The server, where the report holds its command or its address whole."""
    lacks: tuple[str, ...] = ()
    """What the report does not hold of its run, in sentences."""


def like(report: Report) -> RerunOptions:
    """How to repeat the run of a report; raises NotRepeatable."""
    command = report.command
    if command != "assess":
        raise NotRepeatable(f"is a report of {command}; only runs of assess can be repeated")
    options = _options(report)
    words, url = tuple(report.subject.command or ()), report.subject.url or ""
    is_whole = not any(REDACTED in word or "\0" in word for word in words)
    is_address = url.startswith(ADDRESSES) and HIDDEN_IN_ADDRESSES not in url
    return RerunOptions(
        options=replace(options, calls="safe" if options.calls == "all" else options.calls),
        calls=options.calls,
        in_world=report.options.get("sandbox") is not None,
        hosts=tuple(map(str, report.options.get("sandbox_allow") or ())),
        permitted=_permitted(report),
        command=words if is_whole else (),
        url=url if is_address else None,
        lacks=tuple(_lacks(options)),
    )


def _options(report: Report) -> AssessOptions:
    taken = {name: report.options[name] for name in REPEATED if name in report.options}
    try:
        options = msgspec.convert(taken, AssessOptions)
        require_examples({"tools": options.examples})
    except (msgspec.ValidationError, WrongConfiguration) as fault:
        raise NotRepeatable(f"has options that no run can have ({fault})") from None
    if options.revision not in (AUTO, *REVISIONS):
        words = f"was made with revision {options.revision!r}, which this version does not know"
        raise NotRepeatable(words)
    for name, least in LEAST.items():
        if getattr(options, name) < least:
            raise NotRepeatable(f"has options that no run can have ({name} below {least:g})")
    return options


def _permitted(report: Report) -> tuple[str, ...]:
    """The tools that were called, and that the default would not have called."""
    surface, gate = listed(report), CallGate()
    held: dict[str, Any] = held_tools(surface) if surface else {}
    return tuple(
        name
        for name in sorted(called(report))
        if name not in held or not gate.permission(held[name]).allowed
    )


def _lacks(options: AssessOptions) -> list[str]:
    secret = REDACTED.encode()
    known = (("examples", options.examples), ("answers", options.answers))
    return [
        f"Its {name} are incomplete because secrets were redacted. Add --examples FILE."
        for name, value in known
        if secret in msgspec.json.encode(value)
    ]
