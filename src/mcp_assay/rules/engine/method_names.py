"""The names of methods: which a revision has, who may send them, and what was probably meant."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from mcp_assay.model.entry import Direction
from mcp_assay.rules.engine.rule import Found
from mcp_assay.rules.engine.samples import PREFIX
from mcp_assay.spec.dialects import SPELLINGS, Spelling
from mcp_assay.spec.meta_keys import is_prefixed_key
from mcp_assay.spec.methods import (
    INPUT_METHODS,
    METHODS,
    Method,
    MethodKind,
    methods_in,
    windows,
)
from mcp_assay.spec.revisions import R2026_07_28, between
from mcp_assay.text.secrets import holds_secret
from mcp_assay.text.words import LONGEST_NAME_COMPARED, LONGEST_SEARCHED, REDACTED, nearest, quote

TASKS: Final = f"{PREFIX}tasks"
"""The extension that has the task methods since 2026-07-28."""
EXTENSION_NAMES: Final[Mapping[str, MethodKind]] = {
    "tasks/get": "request",
    "tasks/update": "request",
    "tasks/cancel": "request",
    "notifications/tasks": "notification",
    "notifications/tasks/status": "notification",
}
"""What that extension defines: 2026-07-28 itself does not know these names."""
DROPPED_TASK_METHODS: Final = {
    "tasks/list": "Keep the ids of the tasks that you start.",
    "tasks/result": "Poll tasks/get: its result carries the outcome once the task is done.",
}
"""Task methods of 2025-11-25 that the extension does not have, each with what to do instead."""

_ASK = "Ask for it in the inputRequests of a result whose resultType is input_required."
REPLACED: Final = {
    "initialize": "Omit it: every request has its version and capabilities in _meta, and "
    "server/discover returns what the server supports.",
    "notifications/initialized": "Omit it: there is no handshake since 2026-07-28.",
    "ping": "Omit it; to check that the server responds, send server/discover.",
    "logging/setLevel": f"Set {PREFIX}logLevel in the _meta of each request.",
    "resources/subscribe": "Send subscriptions/listen with the URIs as resourceSubscriptions.",
    "resources/unsubscribe": "Cancel the subscriptions/listen request.",
    "notifications/roots/list_changed": "Omit it: servers ask for roots when they need them.",
    "notifications/elicitation/complete": "Omit it: the client repeats its request.",
    **dict.fromkeys(INPUT_METHODS, _ASK),
}
"""What 2026-07-28 has in place of the methods that it removed."""

NAMES: Final = frozenset(method.name for method in METHODS)
"""Every name of every revision."""
SENDERS: Final = {"c2s": "the client", "s2c": "the server"}
UNKNOWN: Final[Mapping[MethodKind, str]] = {
    "request": "unknown_method",
    "notification": "unknown_notification",
}
WRONG_KIND: Final[Mapping[MethodKind, tuple[str, str]]] = {
    "request": ("is a request; it needs an id", "Add an id."),
    "notification": ("is a notification; it has no id", "Omit the id."),
}
"""What is said of a method that is of this kind but was sent as the other, and what to do."""
METHOD: Final = ("method",)


def method_faults(
    name: str, kind: MethodKind, revision: str, direction: Direction | None
) -> tuple[Found, ...]:
    """What is wrong with the name of a request or notification, and with who sends it."""
    method = methods_in(revision).get(name)
    if method is not None and method.kind == kind:
        if direction is None or direction in method.senders:
            return ()
        return (_wrong_direction(method, direction, revision),)
    if revision >= R2026_07_28 and name in DROPPED_TASK_METHODS:
        return (_dropped_task_method(name, kind),)
    return () if _defined_elsewhere(name, kind, revision) else (unknown_name(name, kind, revision),)


def is_namespaced(name: str) -> bool:
    """Whether the name has a vendor's prefix in reverse-DNS form, such as com.example/thing."""
    vendor, slash, _ = name.removeprefix("notifications/").partition("/")
    return bool(slash) and "." in vendor and is_prefixed_key(f"{vendor}/")


def _defined_elsewhere(name: str, kind: MethodKind, revision: str) -> bool:
    extension = revision >= R2026_07_28 and EXTENSION_NAMES.get(name) == kind
    return extension or is_namespaced(name)


def _wrong_direction(method: Method, direction: Direction, revision: str) -> Found:
    progress = revision >= R2026_07_28 and method.name == "notifications/progress"
    (sender,) = method.senders
    return Found(
        METHOD,
        f"{method.name} is sent by {SENDERS[sender]}, not by {SENDERS[direction]}.",
        "PROG-006" if progress else "SCHEMA-004",
        reason="wrong_direction",
        details={"method": method.name, "expected": sender, "actual": direction},
    )


def _dropped_task_method(name: str, kind: MethodKind) -> Found:
    return Found(
        METHOD,
        f"{name} is not part of {TASKS}, the extension that has the tasks in {R2026_07_28}.",
        "TASK-010",
        reason=UNKNOWN[kind],
        details={"method": name, "defined_in": _revisions_with(name)},
        fix=DROPPED_TASK_METHODS[name],
    )


def unknown_name(name: str, kind: MethodKind, revision: str) -> Found:
    """What is to be said of a name that the revision itself does not define."""
    real_kind = _kind_in(name, revision)
    if real_kind is not None:
        words, fix = WRONG_KIND[real_kind]
        return _unknown_name(name, kind, f"{name} {words}.", {"expected": real_kind}, fix)
    if name in NAMES:
        return _of_other_revisions(name, kind, revision)
    return _of_no_revision(name, kind, revision)


def _of_other_revisions(name: str, kind: MethodKind, revision: str) -> Found:
    text = f"{name} is not a {kind} of {revision}; {_home(name, revision)}."
    details = {"defined_in": _revisions_with(name)}
    return _unknown_name(name, kind, text, details, _advice(name, revision))


def _of_no_revision(name: str, kind: MethodKind, revision: str) -> Found:
    text = f"{quote(name)} is not a {kind} of {revision}"
    spelling = SPELLINGS.get(name) or _nearest_spelling(name, kind, revision)
    if spelling is None:
        return _unknown_name(name, kind, f"{text}, nor of any other revision.", {})
    meant = spelling.official
    fix = spelling.fix or _advice(meant, revision)
    return _unknown_name(name, kind, f"{text}; did you mean {meant}?", {"did_you_mean": meant}, fix)


def _unknown_name(
    name: str, kind: MethodKind, text: str, details: dict[str, Any], fix: str | None = None
) -> Found:
    short = name[:LONGEST_NAME_COMPARED]
    shown = {"method": REDACTED if holds_secret(name[:LONGEST_SEARCHED]) else short, **details}
    return Found(METHOD, text, "SCHEMA-003", reason=UNKNOWN[kind], details=shown, fix=fix)


def _kind_in(name: str, revision: str) -> MethodKind | None:
    method = methods_in(revision).get(name)
    if method is not None:
        return method.kind
    return EXTENSION_NAMES.get(name) if revision >= R2026_07_28 else None


def _home(name: str, revision: str) -> str:
    if revision >= R2026_07_28 and name in INPUT_METHODS:
        return "there it is used only in the inputRequests of a result"
    home = _revisions_with(name)
    return f"{home[0]} to {home[-1]} have it" if len(home) > 1 else f"only {home[0]} has it"


def _revisions_with(name: str) -> list[str]:
    """The revisions that have one of the NAMES."""
    window = windows(name)
    return list(between(*window)) if window else []


def _advice(name: str, revision: str) -> str:
    home = _revisions_with(name)
    if revision in home:
        return f"Send {name}."
    if revision < home[0]:
        return f"Omit it unless both sides support {home[0]}."
    return REPLACED.get(name, "Omit it.")


def _nearest_spelling(name: str, kind: MethodKind, revision: str) -> Spelling | None:
    """The method of the revision that comes closest, compared without what all names share."""
    bare = {
        _bare(method.name): method.name
        for method in methods_in(revision).values()
        if method.kind == kind
    }
    near = nearest(_bare(name), bare)
    return Spelling(bare[near]) if near else None


def _bare(name: str) -> str:
    return name.removeprefix("notifications/").removeprefix("notification/")
