"""A life of a server that is kept in reserve: for some servers each start takes a second or two."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from mcp_assay.client.connection import Connection
from mcp_assay.client.links import NotReached
from mcp_assay.client.target import Command, ConnectionOptions, Target
from mcp_assay.model.probe import STRAIGHT, Anew, Ask, Reply, Step
from mcp_assay.rules.probe.rule import Known


class Standby:
    """At most one life, on which nothing was said yet, or nothing but what changes nothing.

    Only processes are kept: over HTTP a connection costs next to nothing.
    """

    def __init__(self, target: Target, options: ConnectionOptions) -> None:
        self._target: Final = target
        self._options: Final = options
        self._kept: Connection | None = None
        self.is_silent = False
        """Whether nothing at all was said on it before it was kept."""
        self._is_as_new = False
        """Whether the connection that was begun last is as good as a new one."""

    async def start(self, known: Known) -> None:
        """Start a life ahead; whoever wants one learns why there is none."""
        if isinstance(self._target, Command):
            connection = Connection(self._target, self._options)
            with suppress(NotReached):
                await connection.start_silently(known.revision)
                self._kept, self.is_silent = connection, True

    def take(self, step: Anew, known: Known) -> Connection | None:
        """What is kept, if a probe may begin with it: since 2026-07-28 there is no handshake."""
        self._is_as_new = known.is_modern
        suits = known.is_modern if step.with_handshake else self.is_silent
        if not suits or self._kept is None or not self._kept.is_alive:
            return None
        return self.give_up()

    def note(self, step: Step, reply: Reply) -> None:
        """Note what was said on the connection that was begun last."""
        self._is_as_new = self._is_as_new and _changes_nothing(step) and reply.is_result

    def keep(self, connection: Connection) -> bool:
        """Keep a connection for the next probe, if it is as good as a new one; say whether."""
        is_wanted = isinstance(self._target, Command) and self._kept is None
        is_kept = is_wanted and self._is_as_new and connection.is_alive
        if is_kept:
            self._kept, self.is_silent = connection, False
        return is_kept

    def give_up(self) -> Connection | None:
        """What is kept; it is kept no longer."""
        kept, self._kept = self._kept, None
        return kept


def _changes_nothing(step: Step) -> bool:
    """Whether a step is what any client says at first: it asks for the beginning of a list."""
    if not isinstance(step, Ask) or step.bend != STRAIGHT:
        return False
    return step.params is None and step.method.endswith("/list")
