"""Truths of the catalogue that no assessment can see without asking for more than it lists."""

from __future__ import annotations

NEED_A_PROBE = frozenset(
    """
    cursor-loops any-cursor-accepted unknown-tool-succeeds lists-what-cannot-be-read
    prompt-without-its-argument unknown-resource-is-empty order-changes
    tools-appear-later resource-of-other-size
    """.split()  # noqa: SIM905  a list of names reads better as prose
)
"""What the server does when it is asked something that no ordinary client asks."""

NEED_A_COMPARISON = frozenset(
    """
    rejection-lists-more rejection-without-a-list read-only-tool-changes idempotent-tool-adds-up
    """.split()  # noqa: SIM905  a list of names reads better as prose
)
"""What shows only where the answers of several calls are held against each other."""

OPEN = NEED_A_PROBE | NEED_A_COMPARISON
