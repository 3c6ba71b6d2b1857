"""What the pages call outcomes, statuses and severities, by which sign, and how each is painted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from mcp_assay.history import pages
from mcp_assay.history.recorder import NO_RUN
from mcp_assay.report.footer import SEVERITY_WORDS
from mcp_assay.report.html.tables import TONES as STATUS_TONES
from mcp_assay.report.tool_table import STATUS_WORDS

VERDICTS: Final[Mapping[str, str]] = {**pages.VERDICTS, NO_RUN: pages.NO_RUN}
SIGNS: Final[Mapping[str, str]] = {"fail": "✕", "incomplete": "?", "pass": "✓", NO_RUN: "·"}
"""No colour stands alone: beside it are a sign and a word."""
UNSURE: Final = "unsure"
TONES: Final[Mapping[str, str]] = {
    "fail": "bad",
    "incomplete": UNSURE,
    "pass": "good",
    NO_RUN: UNSURE,
    **STATUS_TONES,
}
PAINTS: Final[Mapping[str, str]] = {
    "fully_working": "w",
    "partially_working": "p",
    "unproven": "u",
    "connectivity_only": "d",
    "broken": "b",
    "not_called": "n",
}
"""The class of each status where there are thousands; the style gives it colour and sign."""
OUTCOME_PAINTS: Final[Mapping[str, str]] = {"pass": "w", "fail": "b", "incomplete": "u"}
WORDS: Final[Mapping[str, Mapping[Any, str]]] = {
    "VERDICTS": VERDICTS,
    "SIGNS": SIGNS,
    "PAINTS": PAINTS,
    "OUTCOME_PAINTS": OUTCOME_PAINTS,
    "TONES": TONES,
    "STATUS_WORDS": STATUS_WORDS,
    "SEVERITY_WORDS": SEVERITY_WORDS,
}
"""Under these names templates have them."""
