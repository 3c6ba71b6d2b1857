"""Small projects with a server and tests, in which pytest is run."""

from __future__ import annotations

import shutil
from collections.abc import Iterable

import fastmcp  # noqa: F401  what runs need is loaded once: pytester forgets what they load
import mcp.server.mcpserver
import mcp.server.stdio  # noqa: F401
import pytest

import mcp_assay.client.memory_link
import mcp_assay.client.schema_worker  # noqa: F401
from mcp_assay.responses import Judge, ValidationContext
from mcp_assay.rules import load

load()
Judge().validate_response(ValidationContext(tool={}, input={}, response={"isError": True}))

NOTES = '''
from typing import Annotated, Literal
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations
from pydantic import Field

server = MCPServer("notes")
READS = ToolAnnotations(readOnlyHint=True)
KINDS = ("todo", "idea")
NOTES = [{"id": "n1", "kind": "todo", "text": "tea"}, {"id": "n2", "kind": "idea", "text": "sea"}]

@server.tool(annotations=READS)
def list_notes(kind: Literal["todo", "idea"] | None = None) -> dict:
    """List the notes."""
    return {"notes": [note for note in NOTES if kind in (None, note["kind"])]}

@server.tool(annotations=READS)
def get_note(id: str) -> dict:
    """Get one note."""
    for note in NOTES:
        if note["id"] == id:
            return note
    raise ToolError(f"there is no note {id!r}")

@server.tool()
def delete_note(id: str) -> str:
    """Delete a note."""
    NOTES[:] = [note for note in NOTES if note["id"] != id]
    return f"deleted {id}"
'''


RAN: dict[tuple[object, ...], pytest.RunResult] = {}
"""What came of runs, by the files of their projects and their arguments."""


class Project:
    """A folder in which pytest runs on a server that is an object."""

    def __init__(self, pytester: pytest.Pytester) -> None:
        self._pytester = pytester
        self._files: dict[str, str] = {}
        pytester.makeini("[pytest]\nmcp_assay_server = shop:server\n")
        pytester.syspathinsert()

    def write(self, **files: str) -> None:
        """Write Python files."""
        self._files |= files
        self._pytester.makepyfile(**files)
        # Bytecode counts as current for a file that changes within a second and keeps its size.
        shutil.rmtree(self._pytester.path / "__pycache__", ignore_errors=True)

    def configure(self, text: str) -> None:
        """Write mcp-assay.toml."""
        self.put("mcp-assay.toml", text)

    def put(self, name: str, text: str) -> None:
        """Write any file."""
        self._files[name] = text
        (self._pytester.path / name).write_text(text)

    def read(self, name: str) -> str:
        """A file of the project."""
        return (self._pytester.path / name).read_text()

    def run(self, *arguments: str) -> pytest.RunResult:
        """Run pytest here, in this process."""
        return self._pytester.runpytest_inprocess("--mcp-assay", *arguments)

    def ran(self, *arguments: str) -> pytest.RunResult:
        """The same, for those who only look: whoever asks the same again gets the same."""
        key = (*sorted(self._files.items()), *arguments)
        if key not in RAN:
            RAN[key] = self.run(*arguments)
        return RAN[key]

    def run_plain(self, *arguments: str) -> pytest.RunResult:
        """The same, where --mcp-assay is not typed."""
        return self._pytester.runpytest_inprocess(*arguments)


def outcomes(result: pytest.RunResult) -> dict[str, str]:
    """The outcome of each item of a verbose run, by its id."""
    found = {}
    for line in result.outlines:
        words = line.split()
        if len(words) > 1 and words[1] in (
            "PASSED",
            "FAILED",
            "SKIPPED",
            "XFAIL",
            "XPASS",
            "ERROR",
        ):
            found[words[0].removeprefix("mcp-assay::")] = words[1].lower()
    return found


def failed(result: pytest.RunResult) -> set[str]:
    """The ids of what failed."""
    return {id for id, what in outcomes(result).items() if what == "failed"}


def says(result: pytest.RunResult, *parts: str) -> bool:
    """Whether each part is somewhere on the screen."""
    screen = " ".join(" ".join(result.outlines).split())
    return all(part in screen for part in parts)


def missing(result: pytest.RunResult, parts: Iterable[str]) -> list[str]:
    """The parts that are nowhere on the screen."""
    return [part for part in parts if not says(result, part)]
