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
        from mcp_assay.cli.application import run

        return run(arguments)
    finally:
        gc.enable()


def _shows_stored(arguments: list[str]) -> bool:
    """Show the page that the arguments ask for, if it is stored."""
    if arguments[-1:] in (["-h"], ["--help"]):
        from mcp_assay.cli.stored_pages import shows_help

        return shows_help(arguments[:-1])
    if arguments[:1] in (["rules"], ["explain"]):
        from mcp_assay.cli.stored_pages import shows_rules

        return shows_rules(arguments)
    return False
