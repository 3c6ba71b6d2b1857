"""What was sent to a server and what came of it, step by step, as a report shows it."""

from __future__ import annotations

import json
from collections import deque
from typing import Any, Final

import msgspec

from mcp_assay.model.probe import Reply, Step
from mcp_assay.transport.redaction import CUT, Redactor

MOST_STEPS: Final = 4
LONGEST_SHOWN: Final = 2 * 1024
"""Characters of what was sent, or came, in one step."""
UNTOLD: Final = ("headers", "strays")
"""What may hold secrets or the time of day, or came by chance."""
TOO_DEEP: Final = '"It is nested too deeply to be shown."'


class Dialogue:
    """The last steps of a conversation."""

    def __init__(self) -> None:
        self._steps: Final = deque[tuple[Step, Reply]](maxlen=MOST_STEPS)

    def add(self, step: Step, reply: Reply) -> None:
        """Remember a step."""
        self._steps.append((step, reply))

    def clear(self) -> None:
        """Begin another conversation."""
        self._steps.clear()

    def shown(self, redactor: Redactor) -> list[dict[str, str]]:
        """What was sent and what came, as JSON texts without secrets, none of them long."""
        return [
            {"sent": _text(step, redactor), "came": _text(reply, redactor)}
            for step, reply in self._steps
        ]


def _text(value: Step | Reply, redactor: Redactor) -> str:
    try:
        told: dict[str, Any] = msgspec.to_builtins(value)
        clean, _ = redactor.value({name: it for name, it in told.items() if name not in UNTOLD})
        text = json.dumps(clean, ensure_ascii=False)
    except RecursionError:
        return TOO_DEEP
    return text if len(text) <= LONGEST_SHOWN else text[:LONGEST_SHOWN] + CUT
