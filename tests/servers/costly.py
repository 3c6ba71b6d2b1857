"""Servers whose failures take long: each call that is made in vain costs the user time."""

from __future__ import annotations

import os
import queue
import threading
import time

from tests.servers.base import Server
from tests.servers.planting import Family
from tests.servers.things import Object, Tool, accepts, found, lookup, refusal, text

SERVERS = Family("costly")
plant = SERVERS.plant
TEXT = {"type": "string"}
UNREACHABLE_TOOLS = 50
EMMA = {"title": "Emma"}
QUICK = ("--timeout", "1")


class OneAtATime(Server):
    """A server that answers all else while it works on calls, which wait for one another."""

    def __init__(self, *tools: Tool) -> None:
        super().__init__(*tools)
        self._waiting = queue.Queue[bytes]()
        threading.Thread(target=self._work, daemon=True).start()

    def hear(self, line: bytes) -> None:
        if b'"tools/call"' in line:
            self._waiting.put(line)
        else:
            super().hear(line)

    def _work(self) -> None:
        while True:
            super().hear(self._waiting.get())

    def run(self) -> int:
        super().run()
        os._exit(0)


@plant(
    "queue-behind-a-call",
    "A call that is never answered keeps all other calls waiting; pings are answered.",
    "RESP-009",
    tools={"find_archive": "broken", "find_book": "fully_working"},
    options=QUICK,
)
def queue_behind_a_call() -> Server:
    return OneAtATime(Tool("find_archive", lambda given: _sleep(3600)), lookup(found))


@plant("six-readers", "Six tools work, and one of them adds notes.", correct=True)
def six_readers() -> Server:
    notes: list[str] = []

    def add(given: Object) -> Object:
        notes.append(given["title"])
        return text(f"Note {len(notes)} was added.")

    readers = [lookup(found, name=f"find_in_branch_{n}") for n in range(4)]
    counter = Tool("count_notes", lambda given: text(f"{len(notes)} notes"), accepts(page=TEXT))
    adder = Tool("add_note", add, accepts("title", title=TEXT), EMMA, annotations=None)
    return Server(adder, counter, *readers)


SECONDS = {"type": "number", "minimum": 0, "maximum": 3600}


@plant(
    "waits-as-long-as-asked",
    "A tool waits for as many seconds as it is told to.",
    tools={"wait_for_delivery": "fully_working"},
    options=("--timeout", "5"),
    spared=("RESP-009",),
)
def waits_as_long_as_asked() -> Server:
    schema = accepts("seconds", seconds=SECONDS, shelf=TEXT)
    return Server(
        Tool("wait_for_delivery", lambda given: _sleep(given["seconds"]), schema, {"seconds": 0})
    )


@plant(
    "waits-by-design",
    "A tool waits for something that does not come; the other works.",
    tools={"wait_for_delivery": "unproven", "find_book": "fully_working"},
    options=QUICK,
    spared=("RESP-009",),
)
def waits_by_design() -> Server:
    return OneAtATime(Tool("wait_for_delivery", lambda given: _sleep(3600)), lookup(found))


def _sleep(seconds: float) -> Object:
    time.sleep(seconds)
    return text(f"It came after {seconds} seconds.")


@plant(
    "five-tools-of-the-sdk",
    "Two of five tools on the official SDK crash, slowly.",
    "RESP-004",
    tools={
        "find_book": "partially_working",
        "count_pages": "fully_working",
        "list_branches": "fully_working",
        "average_rating": "broken",
        "get_loan": "broken",
    },
)
class FiveTools(Server):
    """The SDK prints a traceback with every exception, which takes about a second."""

    tools = (
        Tool("average_rating", found, sample=EMMA),
        Tool("get_loan", found, sample={"number": 1}),
        Tool("find_book", found, sample=EMMA),
        Tool("count_pages", found, sample=EMMA),
        Tool("list_branches", found),
    )

    def run(self) -> int:
        """Serve until standard input ends."""
        from mcp.server.mcpserver import MCPServer  # noqa: PLC0415  no other server needs it
        from mcp.types import ToolAnnotations  # noqa: PLC0415

        server = MCPServer("five-tools", version="1.0.0")
        for tool in (find_book, count_pages, list_branches, average_rating, get_loan):
            server.tool(annotations=ToolAnnotations(read_only_hint=True))(tool)
        server.run(transport="stdio")
        return 0


def find_book(title: str, limit: int = 10) -> str:
    """Find books by their title."""
    return f"{limit} books match {title!r}."


def count_pages(title: str) -> int:
    """Count the pages of a book."""
    return 100 + len(title)


def list_branches(city: str = "") -> list[str]:
    """List the branches of the library in a city."""
    return [f"{city} {name}".strip() for name in ("North", "South")]


def average_rating(title: str, since: int = 2000) -> float:
    """Average the ratings of a book."""
    ratings: list[float] = []
    return sum(ratings) / len(ratings)


def get_loan(number: int) -> str:
    """Get a loan by its number."""
    loans: list[dict[str, str]] = [{"title": "Emma"}]
    return loans[0]["borrower"]


@plant(
    "unreachable-fifty-tools",
    "Every one of fifty tools needs a service that is not there.",
    "RESP-007",
    tools={f"find_part_{n}": "connectivity_only" for n in range(UNREACHABLE_TOOLS)},
    exit_code=3,
)
class UnreachableFiftyTools(Server):
    def __init__(self) -> None:
        super().__init__(
            *(
                Tool(f"find_part_{n}", unreachable, accepts("query", query=TEXT, page=TEXT))
                for n in range(UNREACHABLE_TOOLS)
            )
        )


def unreachable(given: Object) -> Object:
    """What a tool says whose service does not answer, after it has tried for a while."""
    time.sleep(0.05)
    return refusal("connect ECONNREFUSED 127.0.0.1:9: the catalogue service is unreachable")
