"""What a disposable world refuses that the machine itself would not, as errors word it.

An overlay renames no folder (EXDEV) and copies no file of a foreign owner (EOVERFLOW), and the
filter of system calls knows neither io_uring nor namespaces: no tool is to blame for that.
"""

from __future__ import annotations

from typing import Final

from mcp_assay.judge.errors.patterns import CERTAIN, OWN, Pattern

PHRASES: Final = (
    "EXDEV",
    "cross device link",
    "[errno 18]",
    "(os error 18)",
    "EOVERFLOW",
    "value too large for defined data type",
    "[errno 75]",
    "(os error 75)",
    "ENOSYS",
    "function not implemented",
    "[errno 38]",
    "(os error 38)",
    "io_uring … not implemented",
    "io_uring … not permitted",
    "io_uring … denied",
    "no usable sandbox",
    "move to new namespace",
    "user namespace*",
    "creating new namespace",
    "create new namespace",
    "create namespace",
    "unshare … operation not permitted",
    "clone … operation not permitted",
    "setns … operation not permitted",
    "SUID sandbox helper",
)
LOUDER: Final = 3.0
"""How much louder they are than what is known of all machines: they were heard inside."""


def world_patterns() -> list[Pattern]:
    """The patterns for a server that runs in a disposable world."""
    weight = LOUDER * CERTAIN
    return [Pattern(one, "environment", weight, "disposable world", OWN) for one in PHRASES]
