"""The way in: version, help and rules are answered at once, everything else by the application."""

from __future__ import annotations

import atexit
import gc
import sys

from mcp_assay import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and give its exit code."""
    arguments = sys.argv[1:] if argv is None else list(argv)
    if arguments in (["version"], ["--version"]):
        print(f"mcp-assay {__version__}")
        return 0
    if _shows_stored(arguments):
        return 0
    gc.disable()  # what is loaded now stays: looking for garbage in it is time lost
    atexit.register(gc.freeze)  # nor is there any use for it when the process ends
    try:
        from mcp_assay.cli.plain_commands import run_plain

        code = run_plain(arguments)
        if code is None:
            from mcp_assay.cli.application import run

            code = run(arguments)
        return code
    except (Exception, KeyboardInterrupt) as fault:  # noqa: BLE001  nothing but a code comes out
        return _failed(fault, arguments)
    finally:
        gc.enable()


def _failed(fault: Exception | KeyboardInterrupt, arguments: list[str]) -> int:
    """Say in a sentence why a command failed, and give the exit code for that."""
    from mcp_assay.cli.output import (
        CommandError,
        Unanswered,
        UsageError,
        apology,
        complain,
        one_line,
    )
    from mcp_assay.model.outcome import INTERRUPTED, OUR_FAULT

    if isinstance(fault, KeyboardInterrupt | Unanswered):
        complain("mcp-assay: interrupted")
        return INTERRUPTED
    if isinstance(fault, CommandError):
        command = next((word for word in arguments if not word.startswith("-")), "")
        help = f"mcp-assay {command}" if isinstance(fault, UsageError) else ""
        complain(f"mcp-assay: {one_line(str(fault), help)}")
        return fault.code
    from mcp_assay.model.own_fault import own_fault

    stage, *_ = getattr(fault, "__notes__", ["the command"])
    complain(apology(str(own_fault(stage, fault))))
    return OUR_FAULT


def _shows_stored(arguments: list[str]) -> bool:
    """Show the page that the arguments ask for, if it is stored."""
    if arguments[-1:] in (["-h"], ["--help"]):
        from mcp_assay.cli.stored_pages import shows_help

        return shows_help(arguments[:-1])
    if arguments[:1] in (["rules"], ["explain"]):
        from mcp_assay.cli.stored_pages import shows_rules

        return shows_rules(arguments)
    return False
