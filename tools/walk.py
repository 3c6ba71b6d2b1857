"""`python -m tools.walk`: the way from the command line to the verdict on one call, as it was run.

tests/meta/test_walk.py says which of the numbers are promises.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from itertools import pairwise
from types import FrameType
from typing import Final, NamedTuple

from mcp_assay.cli.main import main as run_command
from tests.meta.test_layers import LAYERS, layer
from tools.consoles import ROOT

VERDICTS: Final = frozenset(
    {"mcp_assay.judge.response.judge_response", "mcp_assay.judge.status.judge_call"}
)
"""Where a response, and then the call that it answers, is judged."""
ASSESS_DEMO: Final = (
    *("assess", "--quiet", "--no-input", "--env", f"PYTHONPATH={ROOT / 'src'}"),
    *("--", sys.executable, "-m", "mcp_assay.demo_server"),
)


class Step(NamedTuple):
    """A function of ours on the way."""

    module: str
    function: str

    @property
    def folder(self) -> str:
        """The layer that it belongs to."""
        return layer(self.module) or ""


class Walk(NamedTuple):
    """A stack of our functions, the outermost first."""

    steps: tuple[Step, ...]

    @property
    def changes(self) -> list[tuple[str, str]]:
        """Each step from one folder into another."""
        folders = (step.folder for step in self.steps)
        return [(one, other) for one, other in pairwise(folders) if one != other]

    @property
    def uphill(self) -> list[tuple[str, str]]:
        """Those that lead into a folder which may not be imported from there."""
        return [
            (one, other) for one, other in self.changes if LAYERS.index(other) > LAYERS.index(one)
        ]


def walks(arguments: Sequence[str] = ASSESS_DEMO) -> set[Walk]:
    """Every way on which a command comes to a verdict; what it prints is not shown."""
    found: set[Walk] = set()

    def look(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and f"{_module(frame)}.{frame.f_code.co_name}" in VERDICTS:
            found.add(Walk(tuple(_steps(frame))[::-1]))

    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        sys.setprofile(look)
        try:
            run_command(arguments)
        finally:
            sys.setprofile(None)
    return found


def _steps(frame: FrameType | None) -> Iterator[Step]:
    """Our functions from here outwards."""
    while frame is not None:
        if layer(_module(frame)) is not None:
            yield Step(_module(frame), frame.f_code.co_qualname)
        frame = frame.f_back


def _module(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__", ""))


def as_text(walk: Walk) -> str:
    """A walk, a line for each step, and its three numbers."""
    lines = [f"{step.module.removeprefix('mcp_assay.')}: {step.function}" for step in walk.steps]
    changes = ", ".join(f"{one} > {other}" for one, other in walk.changes)
    return "\n".join(
        (
            *lines,
            f"frames {len(walk.steps)}",
            f"folder changes {len(walk.changes)} ({changes})",
            f"uphill {len(walk.uphill)}",
        )
    )


def main() -> int:
    """Print the longest way to a verdict."""
    print(as_text(max(walks(), key=lambda walk: len(walk.steps))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
