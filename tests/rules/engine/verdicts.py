"""What each check says about one message, without the warm-up that the checks begin with."""

from __future__ import annotations

from typing import Any, NamedTuple

from mcp_assay.model.entry import Direction
from mcp_assay.rules.engine.checker import SessionChecker
from mcp_assay.rules.engine.fast import Checks, fast_checks
from mcp_assay.rules.engine.slow import Setting, asked_by, judge
from mcp_assay.rules.engine.strict_shapes import Accepts
from mcp_assay.spec.methods import methods_in
from mcp_assay.wire.reader import Reading


class Case(NamedTuple):
    """A message and what is known about it; `method` is what a response answers."""

    message: Any
    revision: str
    method: str | None = None
    direction: Direction | None = None


def accepted(case: Case) -> bool:
    """Whether the fast check accepts the message."""
    message = case.message
    if not isinstance(message, dict):
        return False
    has_plain_id = type(message.get("id")) in (int, str)
    return (has_plain_id or "id" not in message) and _check(case)(message)


def findings(case: Case) -> list[str]:
    """What the slow check finds, short enough for an assertion."""
    setting = Setting(
        revision=case.revision,
        direction=case.direction,
        request_of=asked_by(case.method, case.revision),
    )
    found = judge(Reading(case.message), setting)
    return [f"{one.rule} {one.pointer}: {one.message}" for one in found]


def objections(case: Case) -> list[str]:
    """What the slow check finds in a message that the fast check accepts."""
    return findings(case) if accepted(case) else []


def _check(case: Case) -> Accepts:
    message, checks = case.message, fast_checks(case.revision)
    if "error" in message and "method" not in message:
        return _compiled(checks.errors, None, case.revision)
    if "method" not in message:
        return _compiled(checks.results, case.method, case.revision)
    kind = checks.requests if "id" in message else checks.notifications
    return _compiled(kind[case.direction], message["method"], case.revision)


def _compiled(checks: Checks, name: object, revision: str) -> Accepts:
    """The compiled check at once: the first messages of a method are not to be refused here."""
    known = name if isinstance(name, str) and name in methods_in(revision) else None
    return checks.get(known) or checks.compile(known)


def accepts(checker: SessionChecker, raw: bytes, direction: Direction | None = None) -> bool:
    """Whether the session has nothing to say about its next message."""
    return next(checker.suspects([(raw, direction, 0)]), None) is None
