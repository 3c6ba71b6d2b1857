"""Truths of the catalogue that no assessment can see without asking for more than it lists."""

from __future__ import annotations

NEED_A_PROBE = frozenset(
    """
    answers-notifications echoes-any-version declares-resources-in-vain
    undeclared-prompts undeclared-tools
    silent-ping wordy-ping cursor-loops any-cursor-accepted
    dies-on-malformed-line dies-on-notification malformed-line-ignored serves-before-handshake
    unknown-tool-succeeds lists-what-cannot-be-read prompt-without-its-argument no-discover
    serves-any-version unsupported-without-data remembers-the-sender insists-on-client-info
    answers-removed-ping unknown-resource-is-empty order-changes
    tools-appear-later resource-of-other-size stays-after-eof blank-lines
    """.split()  # noqa: SIM905  a list of names reads better as prose
)
"""What the server does when it is asked something that no ordinary client asks."""

OPEN = NEED_A_PROBE
