"""Hosts of ours that lead nowhere: that a tool cannot reach them is no fault of its world."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from mcp_assay.judge.errors.patterns import FAIR
from mcp_assay.model.effect import Effects
from mcp_assay.model.verdict import ValidationResult
from mcp_assay.text.secrets import texts_in

NOWHERE: Final = re.compile(
    r"[\w-]\.(?:invalid|example|test)\.?(?![\w.-])"
    r"|(?<![\d.])(?:192\.0\.2|198\.51\.100|203\.0\.113)\.\d{1,3}(?![\d.])",
    re.IGNORECASE,
)
"""Names and addresses that are kept free for examples (RFC 2606, RFC 5737)."""
ELSEWHERE: Final = re.compile(
    r"\b(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|0\.0\.0\.0|\[?::1\]?):\d{2,5}\b|\b\w{1,80}\.sock\b"
)
"""An address of the machine itself: a service that the tool depends on."""
OTHER_SOURCES: Final = frozenset(
    (
        *("programs", "clouds", "databases", "files", "settings of the server", "own parts"),
        *(
            "what is set up on the machine",
            "identity and tools of the machine",
            "parts that are down",
        ),
    )
)
"""Tables of wordings that are about other things than a host that was asked for."""


def was_fed(effects: Effects | None) -> bool:
    """Whether a page of ours was read for a call: what a tool makes of it may be owed to that."""
    return effects is not None and bool(effects.requests)


def is_owed_to_our_host(
    arguments: Mapping[str, Any],
    said: object,
    result: ValidationResult | None,
    *,
    is_fed: bool = False,
) -> bool:
    """Whether a call with an example host in it failed only because nobody can reach that.

    Or because a page of ours, which it was fed, was not what it had to be.
    """
    if not is_fed and not any(NOWHERE.search(text) for _, text in texts_in(arguments)):
        return False
    if any(ELSEWHERE.search(text) for _, text in texts_in(said)):
        return False
    factors = result.error_verdict.factors if result and result.error_verdict else []
    return not any(
        factor.speaks_for == "environment"
        and factor.weight >= FAIR
        and (factor.source in OTHER_SOURCES or factor.name == "setting of its own")
        for factor in factors
    )
