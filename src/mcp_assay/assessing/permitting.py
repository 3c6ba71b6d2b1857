"""Which tools may be called: the gate, the user's options, and one question on a terminal."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from typing import Final, Literal, TypeAlias

import msgspec
from msgspec import Struct

from mcp_assay.assessing.dossier import Dossier
from mcp_assay.drive.gate import DESTRUCTIVE, Gate, Permission
from mcp_assay.report.plain import plain

MOST_NAMED: Final = 10
"""So many tools are named where one does not exist."""

Closed: TypeAlias = list[tuple[str, Permission]]
"""The tools that are not called, and why."""


class Consent(Struct, frozen=True, kw_only=True):
    """What was answered to the question about tools that are not called by default."""

    answer: Literal["yes", "no", "choose"]
    allowed: list[str]
    given_by: Literal["terminal", "--yes"] = "terminal"


Ask: TypeAlias = Callable[[Closed], Consent | None]
"""Who answers for the tools that are not called; None where there was nothing to answer."""


class NoSuchTool(ValueError):
    """A tool that was to be called alone, and that the server does not list."""


def permit(dossier: Dossier, ask: Ask | None) -> None:
    """Find out which tools may be called; the user may be asked about the rest.

    Raises NoSuchTool where only a tool that does not exist may be.
    """
    options = dossier.options
    _gate(dossier)
    if options.only is not None and options.only not in dossier.permissions:
        near = near_names(options.only, dossier)
        raise NoSuchTool(f"the server has no tool {options.only!r}; {near}")
    closed = closed_tools(dossier)
    is_open = bool(closed) and options.only is None and not options.dry_run
    if ask is not None and is_open and (consent := ask(closed)):
        _agree(dossier, consent)


def permit_anew(dossier: Dossier) -> None:
    """Find out once more which tools may be called, by what is listed now; nobody is asked again.

    A tool that the user has named stays allowed. An answer for all of them did not mean what is
    destructive.
    """
    _gate(dossier)
    consent = dossier.consent or {}
    for name in consent.get("allowed", ()):
        is_named = consent["answer"] == "choose"
        if is_named or dossier.permissions[name].reason != DESTRUCTIVE:
            dossier.permissions[name] = _agreed(consent["given_by"])


def strangers(dossier: Dossier) -> dict[str, str]:
    """The names that no tool has, each with the option it stands in.

    Examples of the configuration may be for other servers, those of a file that was named not.
    """
    options, known = dossier.options, dossier.permissions
    exemplified = options.examples if options.examples_file is not None else ()
    named = {
        **dict.fromkeys(exemplified, "--examples"),
        **dict.fromkeys(options.allow, "--allow"),
        **dict.fromkeys(options.deny, "--deny"),
    }
    return {name: option for name, option in named.items() if name not in known}


def near_names(name: str, dossier: Dossier) -> str:
    """Words that help to find the tool that was meant."""
    known = [plain(one) for one in dossier.permissions]
    near = get_close_matches(name, known, 3)
    if near:
        return f"did you mean {' or '.join(near)}?"
    if not known:
        return "it lists none."
    more = f" and {len(known) - MOST_NAMED} more" if len(known) > MOST_NAMED else ""
    return f"it lists {', '.join(known[:MOST_NAMED])}{more}."


def _gate(dossier: Dossier) -> None:
    """Judge every tool by its definition and the user's options."""
    options, permissions = dossier.options, dossier.permissions
    gate = Gate(calls=options.calls, allow=options.allow, deny=options.deny)
    permissions.update((tool["name"], gate.permission(tool)) for tool in dossier.tools())
    _heed_every_definition(dossier, gate)
    if options.only is not None:
        _permit_only(dossier, options.only)


def _heed_every_definition(dossier: Dossier, gate: Gate) -> None:
    """Where a name is listed twice, nobody knows which of the two is called: both must be safe."""
    for tool in dossier.surface.tools:
        name = tool.get("name") if isinstance(tool, dict) else None
        if not isinstance(name, str):
            continue
        permission = gate.permission(tool)
        if not permission.allowed:
            dossier.permissions[name] = permission


def closed_tools(dossier: Dossier) -> Closed:
    """The tools that a yes could open: what the user has refused stays refused."""
    options, permissions = dossier.options, dossier.permissions
    if options.calls == "none":
        return []
    return [
        (name, it)
        for name, it in permissions.items()
        if not it.allowed and name not in options.deny
    ]


def _agree(dossier: Dossier, consent: Consent) -> None:
    """Note what the user answered, and the options that say the same."""
    options = [word for name in consent.allowed for word in ("--allow", name)]
    dossier.consent = {**msgspec.to_builtins(consent), "options": options}
    for name in consent.allowed:
        dossier.permissions[name] = _agreed(consent.given_by)


def _agreed(given_by: str) -> Permission:
    by = "on the terminal" if given_by == "terminal" else f"by {given_by}"
    return Permission(True, f"allowed {by}")


def _permit_only(dossier: Dossier, only: str) -> None:
    for name in dossier.permissions:
        if name != only:
            dossier.permissions[name] = Permission(False, "left out by --only")
        elif dossier.options.args is not None and name not in dossier.options.deny:
            dossier.permissions[name] = Permission(True, "typed with its arguments")
