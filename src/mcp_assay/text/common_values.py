"""Values of settings that are no secrets: taking them out of a report would only garble it."""

from __future__ import annotations

import re
from typing import Final

from mcp_assay.text.names import word_set
from mcp_assay.text.secrets import SHORTEST_SECRET

COMMON_VALUES: Final = word_set(
    """
    true false yes none null undefined enabled disabled enable disable default auto always never
    trace debug verbose info information notice warn warning warnings error errors critical fatal
    silent quiet
    dev develop development test tests testing stage staging prod production release local remote
    main master latest stable beta
    stdio http https streamable-http localhost 127.0.0.1 0.0.0.0 ::1
    json text plain html yaml utf-8 utf8 ascii c.utf-8 en_us.utf-8 posix
    """
)
"""Switches, log levels, stages of a project, transports, hosts and formats, in small letters."""
_QUANTITY: Final = r"(?i)[+-]?\d{1,5}(?:\.\d{1,3})?\s?(?:%|[a-z]{1,2})?"
"""A small number, a port, a share, a time or a size with its unit."""


def may_be_secret(value: str) -> bool:
    """Whether a value that a user gave may be a secret by its looks: neither short nor common."""
    bare = value.strip()
    if len(bare) < SHORTEST_SECRET or bare.lower() in COMMON_VALUES:
        return False
    return re.fullmatch(_QUANTITY, bare) is None
