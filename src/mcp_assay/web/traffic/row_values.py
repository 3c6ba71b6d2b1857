"""Rows as the page and its script get them: short texts in which all that is hidden is visible."""

from __future__ import annotations

import time
from typing import Any, Final

from mcp_assay.model.finding import Severity
from mcp_assay.proxy.feed_news import FoundNews
from mcp_assay.report.footer import SEVERITY_WORDS
from mcp_assay.spec.catalogue.row import address
from mcp_assay.spec.revisions import DEFAULT_REVISION
from mcp_assay.spec.selection import KNOWN_RULES
from mcp_assay.text.safe import plain, shorten
from mcp_assay.web.traffic.filters import DIRECTION_WORDS
from mcp_assay.web.traffic.rows import KIND_WORDS, LONGEST_NAME, TrafficRow

SIGNS: Final[dict[Severity, str]] = {"error": "✕", "warning": "!", "info": "i"}
"""What stands beside a severity, for those who see no colours."""
ARROWS: Final = {"c2s": "→", "s2c": "←"}
KILOBYTE: Final = 1_000
UNITS: Final = ("bytes", "kB", "MB", "GB", "TB")


def row_value(row: TrafficRow) -> dict[str, Any]:
    """What a row shows."""
    return {
        "number": row.number,
        "at": clock(row.at),
        "direction": DIRECTION_WORDS[row.direction] if row.direction else "",
        "arrow": ARROWS[row.direction] if row.direction else "",
        "session": _name(row.session),
        "kind": KIND_WORDS[row.kind],
        "method": _name(row.method),
        "tool": _name(row.tool),
        "size": sized(row.size),
        "shown": row.shown,
        "is_cut": row.is_cut,
        "found": [found_value(one) for one in row.found],
    }


def found_value(found: FoundNews) -> dict[str, Any]:
    """What is shown of a finding; a rule that we do not know leads nowhere."""
    rule = KNOWN_RULES.get(found.rule)
    return {
        "number": found.number,
        "sign": SIGNS[found.severity],
        "severity": found.severity,
        "word": SEVERITY_WORDS[found.severity],
        "rule": _name(found.rule),
        "url": address(rule.page, DEFAULT_REVISION) if rule else "",
        "words": plain(found.words),
        "pointer": plain(found.pointer),
    }


def clock(at: float | None) -> str:
    """A moment as the time of day in UTC, with milliseconds; "" where none is known."""
    if at is None:
        return ""
    try:
        return f"{time.strftime('%H:%M:%S', time.gmtime(at))}.{int(at * 1000) % 1000:03}"
    except (OverflowError, OSError, ValueError):
        return ""


def sized(size: int) -> str:
    """A number of bytes for people."""
    value, unit = float(size), 0
    while value >= KILOBYTE and unit < len(UNITS) - 1:
        value, unit = value / KILOBYTE, unit + 1
    return f"{value:.0f} {UNITS[unit]}" if unit == 0 else f"{value:.1f} {UNITS[unit]}"


def _name(text: str) -> str:
    return plain(shorten(text, LONGEST_NAME))
