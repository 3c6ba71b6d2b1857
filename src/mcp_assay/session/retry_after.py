"""When a server that has no room now wants to be asked again: its header Retry-After."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

MOST_DIGITS: Final = 9
LONGEST_DATE: Final = 64


def retry_after_in(headers: Mapping[str, str]) -> str:
    """The header among those of a response, empty where there is none."""
    return next((it for name, it in headers.items() if name.lower() == "retry-after"), "")


def seconds_until(retry_after: str, now: float) -> float | None:
    """How many seconds from now (since the epoch) that is; None where it cannot be read."""
    text = retry_after.strip()
    if text.isascii() and text.isdigit():
        return float(text) if len(text) <= MOST_DIGITS else None
    if not text or len(text) > LONGEST_DATE:
        return None
    from email.utils import parsedate_to_datetime  # noqa: PLC0415  seldom needed, and long to load

    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - now)
    except (ValueError, OverflowError):
        return None
