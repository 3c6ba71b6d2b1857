"""A small server on the library `mcp` that asks its client: for a form, a message, its roots.

In 2026-07-28 it asks with input_required, before that with requests of its own.
"""

# The library reads the annotations of tools as they are: no postponed ones here.

from typing import Annotated

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.resolve import Elicit, ListRoots, Resolve, Sample
from mcp_types import (
    CreateMessageResult,
    ListRootsResult,
    SamplingMessage,
    TextContent,
    ToolAnnotations,
)
from pydantic import BaseModel

READ_ONLY = ToolAnnotations(read_only_hint=True)

server = MCPServer("asking", version="1.0.0")


class Shelf(BaseModel):
    """What the form asks for."""

    shelf: str


def which_shelf() -> Elicit[Shelf]:
    """Ask the user."""
    return Elicit("Which shelf?", Shelf)


def a_title() -> Sample:
    """Ask the model."""
    words = TextContent(type="text", text="Name a book.")
    return Sample([SamplingMessage(role="user", content=words)], max_tokens=20)


def folders() -> ListRoots:
    """Ask for the roots."""
    return ListRoots()


@server.tool(annotations=READ_ONLY)
def books_on_shelf(answer: Annotated[Shelf, Resolve(which_shelf)]) -> str:
    """List the books on the shelf that the user names."""
    return f"Nothing on {answer.shelf}"


@server.tool(annotations=READ_ONLY)
def suggest_title(answer: Annotated[CreateMessageResult, Resolve(a_title)]) -> str:
    """Suggest a title."""
    return f"Read {answer.content.text}" if answer.content.type == "text" else "Read on"


@server.tool(annotations=READ_ONLY)
def find_folder(answer: Annotated[ListRootsResult, Resolve(folders)]) -> str:
    """Find the folder of the books."""
    return f"In {answer.roots[0].uri}"


if __name__ == "__main__":
    server.run(transport="stdio")
