"""The environment of a server: only what it needs, and what the user names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

PASSED_ON: Final = ("PATH", "HOME", "LANG", "TMPDIR")
SET: Final[Mapping[str, str]] = {"COLUMNS": "200", "NO_COLOR": "1"}
"""Wide lines without colours: what a server writes is read by programs and shown in reports."""


def allowed(ours: Mapping[str, str], named: Mapping[str, str]) -> dict[str, str]:
    """The environment for a server, from that of this process and what was named for it."""
    passed = {name: ours[name] for name in PASSED_ON if name in ours}
    return {**passed, **SET, **named}


def named_in(environment: Mapping[str, str]) -> dict[str, str]:
    """What was named for a server, in the environment that was made for it."""
    usual = {*PASSED_ON, *SET}
    return {name: value for name, value in environment.items() if name not in usual}
