"""Which tools may be called: the gate, the user's options, and one question on a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from mcp_assay.assessing.dossier import Dossier
from mcp_assay.drive.gate import Gate, Permission

Ask: TypeAlias = Callable[[list[tuple[str, Permission]]], Iterable[str]]
"""Shows the tools that are not called, and gives the names of those that may be."""


def permit(dossier: Dossier, ask: Ask | None) -> None:
    """Find out which tools may be called; the user may be asked about the rest."""
    options, permissions = dossier.options, dossier.permissions
    gate = Gate(calls=options.calls, allow=options.allow, deny=options.deny)
    for tool in dossier.tools():
        permissions[tool["name"]] = gate.permission(tool)
    if options.only is not None:
        _permit_only(dossier, options.only)
    closed = [(name, it) for name, it in permissions.items() if not it.allowed]
    if ask is not None and closed and options.only is None and not options.dry_run:
        allowed = list(ask(closed))
        dossier.consent = {"allowed": allowed}
        permissions.update((name, Permission(True, "allowed on the terminal")) for name in allowed)


def _permit_only(dossier: Dossier, only: str) -> None:
    for name in dossier.permissions:
        if name != only:
            dossier.permissions[name] = Permission(False, "left out by --only")
        elif dossier.options.args is not None:
            dossier.permissions[name] = Permission(True, "typed with its arguments")
