"""What became of a call, in the words of the reports for people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from mcp_assay.model.tool import UNFLAGGED_ERROR, CallRow
from mcp_assay.report.tool_table import BREAKDOWNS

TROUBLE_WORDS: Final[Mapping[str, str]] = {
    "accepted": "accepted invalid arguments",
    "crashed": "crashed",
    "died": "crashed",
    "timed_out": "timed out",
    "environment": "dependency unavailable",
    "faulty_answer": "faulty result",
    "no_content": "no usable content",
}
UNFLAGGED: Final = "error without isError"
PAINTS_OF_CALLS: Final[Mapping[str, str]] = {
    "passed": "w",
    "rejected": "w",
    "dependency unavailable": "d",
    "not decided": "u",
    UNFLAGGED: "p",
}
"""The class of each outcome, as the heat map has them for statuses."""
BAD: Final = "b"
"""That of all others."""


def outcome_of(call: CallRow) -> str:
    """What became of a call, in a word or two."""
    if call.sign == UNFLAGGED_ERROR and call.trouble not in BREAKDOWNS:
        return UNFLAGGED
    if call.trouble:
        return TROUBLE_WORDS.get(call.trouble, call.trouble.replace("_", " "))
    if call.outcome == "undecided":
        return "not decided"
    return "passed" if call.outcome == "passed" and call.valid is not False else "rejected"
