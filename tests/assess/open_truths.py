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

OPEN = NEED_A_PROBE
