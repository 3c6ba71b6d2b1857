"""Report -> a badge: a small picture for a README, or the JSON that shields.io makes one of."""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import Final

from mcp_assay.model.outcome import RunOutcome
from mcp_assay.model.report import Report
from mcp_assay.report.as_json import json_text

LABEL: Final = "mcp-assay"
WORDS: Final[Mapping[RunOutcome, str]] = {
    "pass": "passed",
    "fail": "failed",
    "incomplete": "incomplete",
}
COLORS: Final = ((90, "brightgreen"), (75, "green"), (50, "yellow"), (0, "orange"))
"""By the least score, the colour of a run that passed."""
HUES: Final[Mapping[str, str]] = {
    "brightgreen": "#3c8527",
    "green": "#5d7a12",
    "yellow": "#8a6d00",
    "orange": "#b3541e",
    "red": "#b33a2b",
    "lightgrey": "#6b6b6b",
}
"""The colours as the picture has them, dark enough for white text."""
PER_LETTER, PADDING, HEIGHT = 7, 10, 20


def to_badge(report: Report) -> str:
    """The badge as SVG; it loads nothing."""
    message, hue = html.escape(_message(report)), HUES[_color(report)]
    left, right = _width(LABEL), _width(_message(report))
    return f"""\
<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="{HEIGHT}" role="img" \
aria-label="{LABEL}: {message}">
<title>{LABEL}: {message}</title>
<rect width="{left}" height="{HEIGHT}" fill="#444"/>
<rect x="{left}" width="{right}" height="{HEIGHT}" fill="{hue}"/>
<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">
<text x="{left / 2:g}" y="14">{LABEL}</text>
<text x="{left + right / 2:g}" y="14">{message}</text>
</g>
</svg>
"""


def to_shield(report: Report) -> str:
    """The badge as an endpoint of shields.io has it."""
    told = {"schemaVersion": 1, "label": LABEL, "message": _message(report)}
    return json_text({**told, "color": _color(report)})


def _message(report: Report) -> str:
    """The score, and a verdict that is no pass beside it."""
    word, score = WORDS[report.summary.outcome], report.summary.score
    if score is None:
        return word
    return f"{score}/100" if report.summary.outcome == "pass" else f"{word} · {score}/100"


def _color(report: Report) -> str:
    if report.summary.outcome != "pass":
        return "red" if report.summary.outcome == "fail" else "lightgrey"
    score = report.summary.score
    if score is None:
        return "green"
    return next(color for least, color in COLORS if score >= least)


def _width(text: str) -> int:
    return PER_LETTER * len(text) + PADDING
