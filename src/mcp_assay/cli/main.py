"""The way in: `mcp-assay version` is answered at once, everything else by the application."""

from __future__ import annotations

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
    gc.disable()  # what is loaded now stays: looking for garbage in it is time lost
    try:
        from mcp_assay.cli.application import run

        return run(arguments)
    finally:
        gc.enable()
