"""A server whose tool works once, until another one puts things back."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.servers.base import Server
from tests.servers.things import Object, Tool, accepts, refusal, text

TAKEN: list[Any] = []
SEAT = accepts("row", row={"type": "integer", "minimum": 1, "maximum": 9})


def take(arguments: Object) -> Object:
    """Take a seat, if none is taken."""
    if TAKEN:
        return refusal("You have a seat already; free it first.")
    TAKEN.append(arguments["row"])
    return text("Taken")


def free(_: Object) -> Object:
    """Free all seats."""
    TAKEN.clear()
    return text("Freed")


if __name__ == "__main__":
    hints = {"readOnlyHint": False}
    server = Server(
        Tool("take_seat", take, SEAT, annotations=hints),
        Tool("free_seats", free, annotations=hints),
    )
    sys.exit(server.run())
