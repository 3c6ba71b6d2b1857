"""Is it a response as the profile has it?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from mcp_assay.envelope.results import members_of
from mcp_assay.envelope.values import Unfit, json_value
from mcp_assay.rules.envelope.folding import unfolded
from mcp_assay.rules.envelope.judging import judge_response, judge_text
from mcp_assay.wire.examining import examine

if TYPE_CHECKING:
    from mcp_assay.model.finding import Finding

PLAIN: Final = (dict, list, tuple, str, int, float, bytes, bytearray, type(None))
"""What is judged as it is: a date within a dict is no JSON, and somebody should know."""


def validate_mcp_response(response: object) -> list[Finding]:
    """Everything there is to say about a response; each finding's details say what it breaks.

    Errors break the profile. What breaks MCP alone is a warning. Models, data classes and result
    objects are judged by what they become when they are sent.
    """
    reading = examine(as_sent(response))
    findings = judge_text(reading)
    if reading.readable:
        findings += judge_response(reading.value, reading).findings
    return findings


def as_sent(response: object) -> Any:
    """What an object becomes when it is sent; anything else, and what cannot be sent, as it is."""
    if isinstance(response, PLAIN):
        return response
    try:
        return unfolded(json_value(response, members_of))
    except Unfit:
        return response
