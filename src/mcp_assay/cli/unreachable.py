"""A server that could not be started or reached, and what its last words say to do about it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from typing import Final

from mcp_assay.client.links import NotReached
from mcp_assay.client.target import Command, Target

MISSING: Final = (
    ("python", re.compile(r"No module named '?([\w.]+)'?")),
    ("node", re.compile(r"Cannot find (?:module|package) '([^'\s]+)'")),
)
"""How runtimes report a missing module; the first that matches counts."""
LONGEST_READ: Final = 16 * 1024
"""So much of the last words is read, from their end."""
MOST_VARIABLES: Final = 5
OWN_PYTHON: Final = (
    (".venv/bin/python", ".venv/bin/python"),
    ("venv/bin/python", "venv/bin/python"),
    (".venv/Scripts/python.exe", r".venv\Scripts\python"),
    ("uv.lock", "uv run python"),
    ("poetry.lock", "poetry run python"),
)
"""What a project's folder holds, and how its own interpreter is called then."""
WANTS_AUTHORITY: Final = (401, 403)
_NAME: Final = re.compile(r"(?<![A-Za-z0-9_])[A-Z][A-Z0-9_]{2,63}(?![A-Za-z0-9_])")


def words_about(refusal: NotReached, target: Target) -> str:
    """What happened, and what may help, in lines."""
    return "\n".join([str(refusal), *_advice(refusal, target)])


def _advice(refusal: NotReached, target: Target) -> Iterator[str]:
    last_words = refusal.ending.stderr[-LONGEST_READ:] if refusal.ending else ""
    if isinstance(target, Command):
        yield from _variables(last_words, target.environment)
        yield from _modules(last_words, target)
    elif refusal.status in WANTS_AUTHORITY:
        yield (
            'It requires authentication: add --header "Authorization: VALUE" (@FILE reads a file).'
        )


def _variables(last_words: str, passed: Mapping[str, str]) -> Iterator[str]:
    """Variables that the server speaks of, that we have, and that it did not get."""
    spoken = dict.fromkeys(_NAME.findall(last_words))
    held_back = [name for name in spoken if name in os.environ and name not in passed]
    if held_back:
        options = " ".join(f"--env {name}" for name in held_back[:MOST_VARIABLES])
        noun = "a variable that was" if len(held_back) == 1 else "variables that were"
        yield f"It mentions {noun} not passed on: add {options}."


def _modules(last_words: str, target: Command) -> Iterator[str]:
    for runtime, pattern in MISSING:
        found = pattern.findall(last_words)
        if found:
            hint = (
                _for_python(target) if runtime == "python" else ("install it where the server runs")
            )
            yield f"The module {found[-1]} is missing: {hint}."
            return


def _for_python(target: Command) -> str:
    """How to run the server with the interpreter that has its modules."""
    own = next((name for mark, name in OWN_PYTHON if os.path.exists(mark)), None)
    if own is None or os.path.normpath(target.command[0]) == os.path.normpath(own):
        own = "uv run python or .venv/bin/python"
    return f"run the server with the project's own interpreter ({own}), or install it"
