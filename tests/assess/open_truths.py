"""Truths of the catalogue that no assessment can see without asking for more than it lists."""

from __future__ import annotations

NEED_A_PROBE = frozenset(
    """
    answers-notifications echoes-any-version declares-resources-in-vain
    undeclared-prompts undeclared-tools
    silent-ping wordy-ping
    dies-on-malformed-line dies-on-notification malformed-line-ignored serves-before-handshake
    no-discover
    serves-any-version unsupported-without-data remembers-the-sender insists-on-client-info
    answers-removed-ping stays-after-eof
    http-any-origin http-any-session http-any-version-header http-unknown-method-200
    http-headers-unread http-wrong-id-in-errors http-401-without-metadata
    """.split()  # noqa: SIM905  a list of names reads better as prose
)
"""What the server does when it is asked something that no ordinary client asks."""

OPEN = NEED_A_PROBE
