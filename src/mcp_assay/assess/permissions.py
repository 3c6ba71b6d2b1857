"""Which tools may be called: the gate, the user's options, and one question on a terminal."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from mcp_assay.assess.options import AssessOptions
from mcp_assay.assess.state import Listed, Permitted
from mcp_assay.model.tool import Calls, Consent, NotCalled, Permission
from mcp_assay.text.changing_verbs import changing_verb_in
from mcp_assay.text.lookalikes import mixes_alphabets
from mcp_assay.text.safe import plain

MOST_KNOWN_NAMED: Final = 10
"""So many tools are named where one does not exist."""
READ_ONLY: Final = Permission(True, "read_only", "declared read-only")
LIKELY: Final = Permission(True, "calls_likely", "no hint; only reads by name and description")
ALLOWED: Final = Permission(True, "allow_option", "allowed by --allow")
IN_WORLD: Final = Permission(True, "disposable_world", "called in a disposable world")
ALL_ALLOWED: Final = Permission(True, "calls_all", "allowed by --calls all")
TYPED: Final = Permission(True, "typed_arguments", "allowed by --only with --args")
DENIED: Final = Permission(False, "deny_option", NotCalled.DENIED.value)
SWITCHED_OFF: Final = Permission(False, "calls_none", "calls are switched off")
LEFT_OUT: Final = Permission(False, "only_option", NotCalled.NOT_CHOSEN.value)
DESTRUCTIVE: Final = Permission(False, "destructive", "destructiveHint: true")
NO_HINT: Final = Permission(False, "no_read_only_hint", NotCalled.NO_HINT.value)
NOT_READ_ONLY: Final = Permission(False, "not_read_only", NotCalled.NOT_READ_ONLY.value)
LIKELY_READER: Final = Permission(False, "likely_reader", NO_HINT.text)
"""A tool that --calls likely opens."""
BY_DEFINITION: Final = frozenset({READ_ONLY.kind, LIKELY.kind})
"""Why tools are called that nobody named: what they say of themselves."""
MIXED: Final = Permission(False, "mixed_alphabets", "its name mixes alphabets")

Closed: TypeAlias = list[tuple[str, Permission]]
"""The tools that are not called, and why."""
Ask: TypeAlias = Callable[[Closed], Consent | None]
"""Who answers for the tools that are not called; None where there was nothing to answer."""


class NoSuchTool(ValueError):
    """A tool that was to be called alone, and that the server does not list."""


class PermissionWithdrawn(Exception):
    """A tool that may not be called any more, or not by the definition that was known of it."""


class CallGate(Struct, frozen=True, kw_only=True):
    """What the user permits."""

    calls: Calls = "safe"
    allow: Collection[str] = ()
    deny: Collection[str] = ()
    is_disposable: bool = False
    """Whether nothing lasts that a tool does: it runs in a world of its own, without a network."""

    def permission(self, tool: dict[str, Any]) -> Permission:
        """Whether this tool may be called: only literally true opens, and all like it shuts."""
        name = str(tool.get("name", ""))
        if name in self.deny:
            return DENIED
        if name in self.allow:
            return ALLOWED
        if self.calls == "none":
            return SWITCHED_OFF
        if self.calls == "all":
            return IN_WORLD if self.is_disposable else ALL_ALLOWED
        permission = _safe(tool)
        is_opened = self.calls == "likely" and permission is LIKELY_READER
        return LIKELY if is_opened else permission


def _safe(tool: dict[str, Any]) -> Permission:
    hints = tool.get("annotations")
    hints = hints if isinstance(hints, dict) else {}
    if hints.get("destructiveHint") not in (None, False):
        return DESTRUCTIVE
    if hints.get("readOnlyHint") is not True:
        return _unhinted(tool) if hints.get("readOnlyHint") is None else NOT_READ_ONLY
    name = str(tool.get("name", ""))
    if mixes_alphabets(name):
        return MIXED
    word = changing_verb_in(name)
    if word is not None:
        return Permission(False, "changing_name", f"its name says {word!r}")
    return READ_ONLY


def _unhinted(tool: dict[str, Any]) -> Permission:
    """What is said of a tool without a readOnlyHint."""
    from mcp_assay.text.reading_tools import (  # noqa: PLC0415  nothing is listed at the start
        declares_no_hint,
        only_reads,
    )

    return LIKELY_READER if declares_no_hint(tool) and only_reads(tool) else NO_HINT


def permit(
    listed: Listed, options: AssessOptions, ask: Ask | None, *, is_disposable: bool = False
) -> Permitted:
    """Find out which tools may be called; the user may be asked about the rest.

    Raises NoSuchTool where only a tool that does not exist may be.
    """
    gate = _gate(options, is_disposable)
    permitted = Permitted(permissions=_gated(listed, options, gate, {}))
    if options.only is not None and options.only not in permitted.permissions:
        near = near_names(options.only, permitted)
        raise NoSuchTool(f"the server has no tool {options.only!r}; {near}")
    closed = closed_tools(options, permitted)
    is_open = bool(closed) and options.only is None and not options.dry_run
    if ask is not None and is_open and (consent := ask(closed)):
        agreed = dict.fromkeys(consent.allowed, _agreed(consent))
        return Permitted(permissions={**permitted.permissions, **agreed}, consent=consent)
    return permitted


def permit_anew(
    listed: Listed, options: AssessOptions, before: Permitted, *, is_disposable: bool = False
) -> Permitted:
    """Find out once more which tools may be called, by what is listed now; nobody is asked again.

    A tool that the user has named stays allowed. An answer for all of them did not mean what is
    destructive, unless it was about a disposable world.
    """
    gate = _gate(options, is_disposable)
    permissions = _gated(listed, options, gate, before.permissions)
    consent = before.consent
    for name in consent.allowed if consent else ():
        assert consent is not None
        is_meant = consent.answer == "choose" or consent.in_world
        if is_meant or permissions[name].kind != "destructive":
            permissions[name] = _agreed(consent)
    return replace(before, permissions=permissions)


def strangers(options: AssessOptions, permitted: Permitted) -> dict[str, str]:
    """The names that no tool has, each with the option it stands in.

    Examples of the configuration may be for other servers, those of a file that was named not.
    """
    exemplified = options.examples if options.examples_file is not None else ()
    named = {
        **dict.fromkeys(exemplified, "--examples"),
        **dict.fromkeys(options.allow, "--allow"),
        **dict.fromkeys(options.deny, "--deny"),
    }
    return {name: option for name, option in named.items() if name not in permitted.permissions}


def near_names(name: str, permitted: Permitted) -> str:
    """Words that help to find the tool that was meant."""
    known = [plain(one) for one in permitted.permissions]
    from difflib import get_close_matches  # noqa: PLC0415  slow to import, seldom needed

    near = get_close_matches(name, known, 3)
    if near:
        return f"did you mean {' or '.join(near)}?"
    if not known:
        return "it lists none."
    more = f" and {len(known) - MOST_KNOWN_NAMED} more" if len(known) > MOST_KNOWN_NAMED else ""
    return f"it lists {', '.join(known[:MOST_KNOWN_NAMED])}{more}."


def closed_tools(options: AssessOptions, permitted: Permitted) -> Closed:
    """The tools that a yes could open: what the user has refused stays refused."""
    if options.calls == "none":
        return []
    return [
        (name, it)
        for name, it in permitted.permissions.items()
        if not it.allowed and name not in options.deny
    ]


def remembered(consent: Consent, asked: Closed) -> Ask:
    """What the user said of these tools, for when the server is started again.

    What it lists then and did not list before, or not so, nobody has agreed to.
    """
    known = dict(asked)

    def ask(closed: Closed) -> Consent:
        same = [name for name, permission in closed if known.get(name) == permission]
        return replace(consent, allowed=[name for name in same if name in consent.allowed])

    return ask


def _gate(options: AssessOptions, is_disposable: bool) -> CallGate:
    calls, allow, deny = options.calls, options.allow, options.deny
    return CallGate(calls=calls, allow=allow, deny=deny, is_disposable=is_disposable)


def _gated(
    listed: Listed, options: AssessOptions, gate: CallGate, before: Mapping[str, Permission]
) -> dict[str, Permission]:
    """Every tool judged by its definition and the user's options."""
    permissions = {**before, **{tool["name"]: gate.permission(tool) for tool in listed.tools()}}
    permissions.update(_unsafe_definitions(listed, gate))
    if options.only is None:
        return permissions
    return {name: _with_only(name, it, options) for name, it in permissions.items()}


def _unsafe_definitions(listed: Listed, gate: CallGate) -> dict[str, Permission]:
    """What a definition shuts: where a name is listed twice, nobody knows which one is called."""
    named = (tool for tool in listed.surface.tools if isinstance(tool, dict))
    return {
        tool["name"]: permission
        for tool in named
        if isinstance(tool.get("name"), str) and not (permission := gate.permission(tool)).allowed
    }


def _with_only(name: str, permission: Permission, options: AssessOptions) -> Permission:
    if name != options.only:
        return LEFT_OUT
    return TYPED if options.args is not None and name not in options.deny else permission


def _agreed(consent: Consent) -> Permission:
    by = "on the terminal" if consent.given_by == "terminal" else f"by {consent.given_by}"
    where = ", in a disposable world" if consent.in_world else ""
    return Permission(True, "consent", f"allowed {by}{where}")
