"""All that is reported about one message, with what programs read in it."""

from __future__ import annotations

import json
from typing import Any, TypeAlias

from mcp_assay.model.entry import Direction
from mcp_assay.model.finding import Finding
from mcp_assay.rules.engine.slow import Setting, asked_by, judge
from mcp_assay.spec.revisions import DEFAULT_REVISION
from mcp_assay.wire.reader import read

Reported: TypeAlias = tuple[str, str, str, str | None, dict[str, Any] | None]
"""Rule, severity, pointer, reason and details of a finding."""


def findings(
    message: Any,
    revision: str = DEFAULT_REVISION,
    method: str | None = None,
    direction: Direction | None = None,
) -> list[Finding]:
    """What is found in a message, which answers a request of `method` if it is a response."""
    raw = message if isinstance(message, bytes) else json.dumps(message).encode()
    setting = Setting(revision=revision, direction=direction, request_of=asked_by(method, revision))
    return judge(read(raw), setting)


def reported(
    message: Any, revision: str = DEFAULT_REVISION, method: str | None = None
) -> list[Reported]:
    """The same, as programs read it."""
    found = findings(message, revision, method)
    return [(one.rule, one.severity, one.pointer, one.reason, one.details) for one in found]
