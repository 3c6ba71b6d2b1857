"""Is it a response as the profile has it?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcp_assay.rules.envelope.judging import judge_response, judge_text
from mcp_assay.wire.examining import examine

if TYPE_CHECKING:
    from mcp_assay.model.finding import Finding


def validate_mcp_response(response: object) -> list[Finding]:
    """Everything there is to say about a response; each finding's details say what it breaks.

    Errors break the profile. What breaks MCP alone is a warning.
    """
    reading = examine(response)
    findings = judge_text(reading)
    if reading.readable:
        findings += judge_response(reading.value, reading).findings
    return findings
