"""Commands that need no parser: files to validate or lint, or a server behind `--`.

Most are typed like that, and to import the parser takes as long as Python's own start. Whatever
else is typed or configured is left to it, and so is all that it would refuse.
"""

from __future__ import annotations

import gc
import os

from mcp_assay.client.project_config import is_configured

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from msgspec import Struct

PROGRAM = "mcp-assay"
COMPLETION_VARIABLE = "_MCP_ASSAY_COMPLETE"
"""Where a shell says that it wants completions instead of a run; click looks for this name."""
HISTORY_VARIABLE = "MCP_ASSAY_HISTORY"
"""Where a user says in which history runs are remembered."""
FLAGS = {
    "--no-color": "no_color",
    "--no-input": "no_input",
    "--quiet": "quiet",
    "--verbose": "verbose",
}
"""Options without a value that plain commands may have."""
NEVER_PLAIN = ("-", "http://", "https://")
"""So begin other options, standard input and addresses."""


def run_plain(arguments: Sequence[str]) -> int | None:
    """Do what a plain command says and give its exit code; None where it must be parsed."""
    given = given_plainly(arguments)
    variables = COMPLETION_VARIABLE, HISTORY_VARIABLE
    if given is None or any(map(os.environ.get, variables)) or is_configured():
        return None
    from mcp_assay.cli.options import CommandLine, option_names, taken

    kind, work = _loaded(arguments[0])
    if not option_names(kind).issuperset(given):
        return None
    typed = tuple(word for word in _before_server(arguments[1:]) if word in FLAGS)
    line = CommandLine(f"{PROGRAM} {arguments[0]}", typed, frozenset(map(FLAGS.__getitem__, typed)))
    all_is_loaded()
    return work(line, taken(kind, given))


def given_plainly(arguments: Sequence[str]) -> dict[str, Any] | None:
    """What the words of a plain command mean, by the names of options; None for any other."""
    name, *words = arguments or [""]
    ours = _before_server(words)
    server = tuple(words[len(ours) + 1 :])
    files = tuple(word for word in ours if word not in FLAGS)
    flags = {FLAGS[word]: True for word in ours if word in FLAGS}
    if any(file.startswith(NEVER_PLAIN) for file in files):
        return None
    if name in ("assess", "lint") and server and not files:
        return {**flags, "server": server}
    if name == "lint" and len(files) == 1 and "--" not in words:
        return {**flags, "words": files}
    return {**flags, "files": files} if name == "validate" and files and "--" not in words else None


def all_is_loaded() -> None:
    """Let the search for garbage begin, and leave out what is loaded: that stays to the end."""
    gc.freeze()
    gc.enable()


def _before_server(words: Sequence[str]) -> Sequence[str]:
    return words[: words.index("--")] if "--" in words else words


def _loaded(name: str) -> tuple[type[Struct], Callable[..., int]]:
    """What a command takes, and what does its work."""
    from mcp_assay.cli import options

    if name == "validate":
        from mcp_assay.cli.validate import validate_all

        return options.ValidateArguments, validate_all
    if name == "lint":
        from mcp_assay.cli.lint import lint_one

        return options.LintArguments, lint_one
    from mcp_assay.cli.assess import assess_one

    return options.AssessArguments, assess_one
