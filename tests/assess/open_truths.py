"""Truths of the catalogue that no assessment can see without asking for more than it lists."""

from __future__ import annotations

NEED_A_PROBE = frozenset(
    """
    no-discover
    http-any-origin http-any-session http-any-version-header http-unknown-method-200
    http-headers-unread http-wrong-id-in-errors http-401-without-metadata
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
