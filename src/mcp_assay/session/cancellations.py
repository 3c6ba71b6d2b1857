"""Which requests were cancelled by those who sent them."""

from __future__ import annotations

from typing import Final

from mcp_assay.model.message import Direction
from mcp_assay.session.ids import Id

MOST_KEPT: Final = 10_000
"""Cancellations that one session remembers."""


class Cancellations:
    """The requests that their senders have cancelled."""

    __slots__ = ("_ids",)

    def __init__(self) -> None:
        self._ids: Final[set[tuple[Direction | None, Id]]] = set()

    def add(self, sender: Direction | None, id: Id) -> None:
        """Note that a side has cancelled its own request."""
        if len(self._ids) < MOST_KEPT:
            self._ids.add((sender, id))

    def has(self, sender: Direction | None, id: Id) -> bool:
        """Whether a side has cancelled this request of its own."""
        return (sender, id) in self._ids
