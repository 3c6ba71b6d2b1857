"""The way in: version and help are answered at once, everything else by the application."""

from __future__ import annotations

import gc
import os
import sys

from mcp_assay import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

HELP = ("-h", "--help")
WIDTH = 80
"""The columns of a terminal that the stored pages of help are made for; more are not used."""
PAGES = os.path.join(os.path.dirname(__file__), "help.txt")
"""The help of all commands as the application shows it; `make docs` writes it from them."""
PAGE_END = "\f\n"


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and give its exit code."""
    arguments = sys.argv[1:] if argv is None else list(argv)
    if arguments in (["version"], ["--version"]):
        print(f"mcp-assay {__version__}")
        return 0
    if arguments[-1:] in ([HELP[0]], [HELP[1]]) and _shows_help(arguments[:-1]):
        return 0
    gc.disable()  # what is loaded now stays: looking for garbage in it is time lost
    try:
        from mcp_assay.cli.application import run

        return run(arguments)
    finally:
        gc.enable()


def _shows_help(words: list[str]) -> bool:
    """Show the stored help of a command; where that cannot be, the application makes it anew."""
    if len(words) > 1 or _columns() < WIDTH:
        return False
    usage = f"Usage: {' '.join(('mcp-assay', *words))} [OPTIONS]"
    try:
        with open(PAGES, encoding="utf-8") as file:
            pages = file.read().split(PAGE_END)
        page = next((one for one in pages if one.startswith(usage)), "")
        sys.stdout.write(page)
        sys.stdout.flush()
    except OSError:
        return False
    return bool(page)


def _columns() -> int:
    """How wide the terminal is, or is said to be."""
    told = os.environ.get("COLUMNS", "")
    if told.isdecimal() and int(told):
        return int(told)
    try:
        return os.get_terminal_size(1).columns or WIDTH
    except OSError:
        return WIDTH
