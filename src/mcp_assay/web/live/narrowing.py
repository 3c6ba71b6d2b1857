"""A form -> the options of a run, which may be narrower than what was typed, never wider."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import isfinite
from typing import Any, Final

from msgspec import Struct

from mcp_assay.model.tool import Calls
from mcp_assay.web.live.servers import CALLS, LiveServer, RunLimits

SERVER: Final = "server"
FIELDS: Final = (SERVER, "calls", "max_calls", "max_time", "only", "deny", "dry_run")
"""What a form may say."""
LONGEST_NAME: Final = 300
MOST_NAMES: Final = 100


class WrongForm(ValueError):
    """A form that no page of ours sends, or that asks for more; the text is a sentence."""


class RunOptions(Struct, frozen=True, kw_only=True):
    """How one run is narrower than its limits."""

    calls: Calls
    max_calls: int
    max_time: float
    only: str | None = None
    deny: tuple[str, ...] = ()
    dry_run: bool = False


def narrowed(limits: RunLimits, form: Mapping[str, Any]) -> RunOptions:
    """The options of a form; raises WrongForm where they would widen the limits."""
    _require_known(form)
    given = {name: str(value).strip() for name, value in form.items()}
    only = _names(given.get("only", ""), "only")
    if len(only) > 1:
        raise WrongForm("Only one tool can be named to be called alone.")
    return RunOptions(
        calls=_calls(limits, given.get("calls")),
        max_calls=int(_number(given.get("max_calls"), "--max-calls", limits.max_calls)),
        max_time=_number(given.get("max_time"), "--max-time", limits.max_time),
        only=only[0] if only else None,
        deny=_names(given.get("deny", ""), "deny"),
        dry_run="dry_run" in given,
    )


def child_words(server: LiveServer, limits: RunLimits, wanted: RunOptions) -> list[str]:
    """The arguments of the process that assesses a server."""
    return list(_child_words(server, limits, wanted))


def _child_words(server: LiveServer, limits: RunLimits, wanted: RunOptions) -> Iterator[str]:
    yield from ("assess", f"--config={server.config}", f"--server={server.name}", "--no-input")
    yield from ("--format=jsonl", "--verbose", "--history")
    yield from (f"--calls={wanted.calls}", f"--max-calls={wanted.max_calls}")
    yield from (f"--max-time={wanted.max_time:g}", f"--timeout={limits.timeout:g}")
    # a tool that --allow names, or a configuration, is called whatever --calls says
    option = "--deny" if wanted.calls == "none" else "--allow"
    yield from (f"{option}={name}" for name in limits.allow)
    yield from (f"--deny={name}" for name in (*limits.deny, *wanted.deny))
    if limits.sandbox is not None:
        yield f"--sandbox={limits.sandbox}"
    if wanted.only is not None:
        yield f"--only={wanted.only}"
    if wanted.dry_run:
        yield "--dry-run"


def _require_known(form: Mapping[str, Any]) -> None:
    for name, value in form.items():
        if name not in FIELDS or not isinstance(value, str):
            raise WrongForm(f"A form of these pages has {', '.join(FIELDS)}, and nothing else.")


def _calls(limits: RunLimits, given: str | None) -> Calls:
    wanted = next((one for one in CALLS if one == (given or limits.calls)), None)
    if wanted is None:
        raise WrongForm(f"Which tools are called is one of {', '.join(CALLS)}.")
    if CALLS.index(wanted) > CALLS.index(limits.calls):
        words = f"--calls {wanted} would call more tools than --calls {limits.calls}"
        raise WrongForm(f"{words}, with which the pages were started.")
    return wanted


def _number(given: str | None, option: str, most: float) -> float:
    """A number from 1 to the most that was typed, which is meant where nothing is said."""
    try:
        number = float(given) if given else most
    except ValueError:
        number = 0.0
    if not isfinite(number) or number < 1:
        raise WrongForm(f"{option} is a number from 1 to {most:g}.")
    if number > most:
        raise WrongForm(
            f"{option} {number:g} is more than the {most:g} with which the pages were started."
        )
    return number


def _names(given: str, field: str) -> tuple[str, ...]:
    """The names of tools, each on a line of its own."""
    names = tuple(line.strip() for line in given.splitlines() if line.strip())
    if len(names) > MOST_NAMES or any(len(name) > LONGEST_NAME for name in names):
        raise WrongForm(
            f"{field} names at most {MOST_NAMES} tools, each by at most {LONGEST_NAME} characters."
        )
    if any("\0" in name for name in names):
        raise WrongForm("No name of a tool has a null character.")
    return names
