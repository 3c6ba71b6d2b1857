"""Servers with a fault that shows only where one looks twice, named by a word."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from itertools import count, cycle
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.servers.base import WRONG_PARAMS, Asked, Fault, Server
from tests.servers.things import Object, Tool, accepts, answers, refusal, structured, text

CRASH = "Traceback (most recent call last):\n  File hours.py, line 3\nKeyError: 'monday'"
CITY = accepts("city", city={"type": "string", "minLength": 2})
QUESTION = accepts("tool", "arguments", tool={"type": "string"}, arguments={"type": "object"})
CHANGES = {"readOnlyHint": False, "destructiveHint": False}
LIED_ABOUT = "show_rain"


class InTurns(Server):
    """Lists one tool more at every second request."""

    def __init__(self) -> None:
        super().__init__(Tool("hours", answers("9 to 17")))
        self.turns = cycle(((), (Tool("days", answers("Monday")),)))

    def list_tools(self, asked: Asked) -> Object:
        """The tools, as another instance of the server has them."""
        own = self.tools or ()
        self.tools = (*own, *next(self.turns))
        try:
            return super().list_tools(asked)
        finally:
            self.tools = own


class Connected(Server):
    """Takes no call before its tools were listed on the same connection."""

    is_listed = False

    def list_tools(self, asked: Asked) -> Object:
        """The tools; from now on they can be called."""
        self.is_listed = True
        return super().list_tools(asked)

    def call_tool(self, asked: Asked) -> Object:
        """A call, which needs the list before it."""
        if not self.is_listed:
            raise Fault(WRONG_PARAMS, "List the tools first.")
        return super().call_tool(asked)


class Validating(Server):
    """Validates calls of the tools that it lists, and is wrong about one of them."""

    def capabilities(self) -> Object:
        """What is declared, with the announcement."""
        announced = {"supported": True}
        return {**super().capabilities(), "experimental": {"toolValidation": announced}}


def validated(asked: Object) -> Object:
    """The verdict on a call; a tool that does not exist is refused."""
    if asked["tool"] not in [tool.name for tool in weather()]:
        return refusal(f"There is no tool {asked['tool']!r}.")
    city = asked["arguments"].get("city")
    is_valid = (isinstance(city, str) and len(city) > 1) or asked["tool"] == LIED_ABOUT
    errors = [] if is_valid else ["The city must be a name."]
    return structured({"valid": is_valid, "errors": errors, "warnings": [], "suggestions": []})


def weather() -> Sequence[Tool]:
    """Tools that all take a city."""
    names = ("show_wind", LIED_ABOUT, "show_snow")
    return [Tool(name, lambda it: text(f"None in {it['city']}."), CITY) for name in names]


def flaky() -> Server:
    """A tool without arguments, of which every fifth call crashes."""
    calls = count(1)
    return Server(
        Tool("hours", lambda _: refusal(CRASH) if next(calls) % 5 == 0 else text("9 to 17"))
    )


def notes() -> Server:
    """Notes that are listed, counted, found and added."""
    kept: list[str] = []

    def add(given: Object) -> Object:
        kept.append(given["words"])
        return text("Added.")

    words = accepts("words", words={"type": "string"})
    return Server(
        Tool("list_notes", lambda _: text(f"{len(kept)} notes")),
        Tool("count_notes", lambda _: text(str(len(kept)))),
        Tool("find_note", lambda given: text(f"Nothing with {given['words']!r}."), words),
        Tool("add_note", add, words, annotations=CHANGES),
    )


SERVERS: dict[str, Callable[[], Server]] = {
    "flaky": flaky,
    "notes": notes,
    "in-turns": InTurns,
    "connected": lambda: Connected(Tool("hours", answers("9 to 17"))),
    "steady": lambda: Server(Tool("hours", answers("9 to 17")), Tool("days", answers("All."))),
    "validating": lambda: Validating(*weather(), Tool("validate", validated, QUESTION)),
}

if __name__ == "__main__":
    sys.exit(SERVERS[sys.argv[1]]().run())
