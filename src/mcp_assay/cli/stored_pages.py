"""Pages that are stored as they are shown, so that next to nothing is loaded for them.

`make docs` writes them from what the application shows. Where a stored page would not be the same,
none is shown: then the application makes it anew.
"""

from __future__ import annotations

import os
import sys

from mcp_assay.cli.output import forgiving, wants_color

HELP_WIDTH = 80
"""The columns of a terminal that the pages of help are made for; more are not used."""
HELP_PAGES = os.path.join(os.path.dirname(__file__), "help.txt")
"""The help of all commands."""
RULE_PAGES = os.path.join(os.path.dirname(__file__), "rules.txt")
"""The list of all rules, then what is said of each, painted; the first line tells its names."""
PAGE_END = "\f\n"


def shows_help(words: list[str]) -> bool:
    """Show the help of a command, if it is stored."""
    if len(words) > 1 or _columns() < HELP_WIDTH:
        return False
    usage = f"Usage: {' '.join(('mcp-assay', *words))} [OPTIONS]"
    return _try_show(next((one for one in _pages(HELP_PAGES) if one.startswith(usage)), ""))


def shows_rules(words: list[str]) -> bool:
    """Show what `rules` or `explain RULE` says, where neither an option nor a file changes it."""
    command, *names = words
    from mcp_assay.client.project_config import is_configured

    if len(names) != (command == "explain") or is_configured():
        return False
    rules, *stories = _pages(RULE_PAGES) or [""]
    page = _story(stories, names[0]) if names else rules
    return _try_show(page if wants_color() else unpainted(page))


def _try_show(page: str) -> bool:
    """Show a page; False where there is none, or where the application has to say what failed."""
    try:
        forgiving(sys.stdout).write(page)
        sys.stdout.flush()
    except OSError:
        return False
    return bool(page)


def unpainted(page: str) -> str:
    """A painted page without its colours, and without the blanks at the ends of its lines."""
    import re

    lines = re.sub("\x1b\\[[0-9;]*m", "", page).split("\n")
    return "\n".join(line.rstrip() for line in lines)


def _story(stories: list[str], name: str) -> str:
    """The page that begins with a line in which the rule's id or name stands."""
    wanted = name.strip().lower()
    split = (story.partition("\n") for story in stories)
    return next((page for names, _, page in split if wanted in names.lower().split()), "")


def _pages(path: str) -> list[str]:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read().split(PAGE_END)
    except OSError:
        return []


def _columns() -> int:
    """How wide the terminal is, or is said to be."""
    given = os.environ.get("COLUMNS", "")
    if given.isdecimal() and int(given):
        return int(given)
    try:
        return os.get_terminal_size(1).columns or HELP_WIDTH
    except OSError:
        return HELP_WIDTH
