"""Verdicts that are kept as long as the server says, and no longer."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from mcp_assay.model.tool_check import ToolCheck
from mcp_assay.spec.tool_validation import (
    RESOURCE_CHANGE,
    TOOL_UPDATE,
    ToolValidationCapability,
)

MOST_KEPT: Final = 1000
SIGNS: Final[Mapping[str, str]] = {
    "notifications/tools/list_changed": TOOL_UPDATE,
    "notifications/resources/list_changed": RESOURCE_CHANGE,
    "notifications/resources/updated": RESOURCE_CHANGE,
}
"""The event that each notification is a sign of."""


class Verdicts:
    """Verdicts by call; the oldest go first."""

    def __init__(self, announced: ToolValidationCapability, clock: Callable[[], float]) -> None:
        self._seconds: Final = announced.seconds
        self._events: Final = announced.caching.invalidate_on
        self._clock: Final = clock
        self._hears = True
        self._kept: Final[OrderedDict[str, tuple[float, ToolCheck]]] = OrderedDict()

    def get(self, call: Mapping[str, Any]) -> ToolCheck | None:
        """The verdict on a call, where there is one that still counts."""
        until, check = self._kept.get(_key(call), (0.0, None))
        if check is None or until <= self._clock():
            return None
        return replace(check, cached=True)

    def put(self, call: Mapping[str, Any], check: ToolCheck) -> None:
        """Keep a verdict of the server's; what we found ourselves costs nothing to find again."""
        if not self._seconds or check.method != "native" or (self._events and not self._hears):
            return
        self._kept[_key(call)] = self._clock() + self._seconds, check
        if len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)

    def hears(self, hears: bool) -> None:
        """Whether anybody would tell that something changed; else nothing may be kept for long."""
        self._hears = hears
        if self._events and not hears:
            self._kept.clear()

    def on_notification(self, notification: str) -> None:
        """Drop everything where the server says that it may have changed."""
        if SIGNS.get(notification) in self._events:
            self._kept.clear()


def _key(call: Mapping[str, Any]) -> str:
    return json.dumps(call, sort_keys=True, default=repr)
