"""What only an extension allows, since 2026-07-28: both sides must have advertised it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from mcp_assay.model.entry import Message
from mcp_assay.rules.engine.method_names import EXTENSION_NAMES, TASKS
from mcp_assay.rules.engine.rule import Found
from mcp_assay.rules.engine.session_rules import watch
from mcp_assay.session.state import SessionState
from mcp_assay.spec.revisions import R2026_07_28
from mcp_assay.text.words import folded, quote

DEFINED: Final = ("complete", "input_required")
MISSPELT: Final = frozenset(map(folded, DEFINED))
"""What the message alone is judged by."""
TASK: Final = "task"
RESULT_TYPE: Final = ("result", "resultType")
UNSEEN: Final = "the extensions that both sides advertise were not seen"
FIX_OF_TYPE: Final = 'Use "complete" or "input_required", unless both sides advertise one.'
OF_AN_EXTENSION: Final = "an advertised extension may define the resultType"


@watch("result", since=R2026_07_28)
def result_type_of_no_extension(session: SessionState, message: Message) -> Iterable[Found]:
    """Decide META-013, and TASK-010 for results, by what both sides advertise."""
    type = message.result.get("resultType")
    if message.direction != "s2c" or not isinstance(type, str):
        return ()
    if type in DEFINED or folded(type) in MISSPELT:
        session.decide("META-013")
        return ()
    return _undefined(session, message, type)


@watch("request", since=R2026_07_28)
def task_method_without_extension(session: SessionState, message: Message) -> Iterable[Found]:
    """Decide TASK-010 for methods: the message itself shows only what the client advertises."""
    if EXTENSION_NAMES.get(message.method or "") != "request" or message.direction != "c2s":
        return ()
    server = _extensions(session.handshake.server_capabilities)
    if server is None:
        session.withhold("TASK-010", UNSEEN)
        return ()
    session.decide("TASK-010")
    if TASKS in server:
        return ()
    return (_unadvertised(message),)


@watch("notification", methods=(None,), since=R2026_07_28)
def task_notification_without_extension(session: SessionState, message: Message) -> Iterable[Found]:
    """Decide TASK-010 for what a server reports about tasks that it does not advertise."""
    if EXTENSION_NAMES.get(message.method or "") != "notification" or message.direction != "s2c":
        return ()
    server = _extensions(session.handshake.server_capabilities)
    if server is None or TASKS in server:
        session.withhold("TASK-010", UNSEEN)
        return ()
    session.decide("TASK-010")
    return (_unadvertised(message),)


def _unadvertised(message: Message) -> Found:
    text = f"{message.method} needs the extension {TASKS}, which the server does not advertise."
    return Found(("method",), text, "TASK-010", key="server")


def _undefined(session: SessionState, message: Message, type: str) -> Iterable[Found]:
    """What is wrong with a resultType that the revision itself does not define."""
    rule = "TASK-010" if type == TASK else "META-013"
    client = _extensions(session.client_capabilities(message))
    server = _extensions(session.handshake.server_capabilities)
    lacking = [
        side for side, known in (("client", client), ("server", server)) if _lacks(known, type)
    ]
    if lacking:
        session.decide(rule)
        named = TASKS if type == TASK else "any"
        return (_needless(type, rule, f"{_nobody(lacking)} advertised {named}"),)
    if client is not None and server is not None and client.keys().isdisjoint(server):
        session.decide(rule)
        return (_needless(type, rule, "no extension is advertised by both sides"),)
    if type == TASK and client is not None and server is not None:
        session.decide(rule)
        return ()
    session.withhold(rule, UNSEEN if None in (client, server) else OF_AN_EXTENSION)
    return ()


def _needless(type: str, rule: str, but: str) -> Found:
    text = f"The resultType {quote(type)} needs an extension, but {but}."
    return Found(RESULT_TYPE, text, rule, key="extension", fix=FIX_OF_TYPE)


def _lacks(extensions: dict[str, Any] | None, type: str) -> bool:
    """Whether a side is known to have advertised nothing that could define the type."""
    if extensions is None:
        return False
    return TASKS not in extensions if type == TASK else not extensions


def _nobody(lacking: list[str]) -> str:
    return "neither side has" if len(lacking) > 1 else f"the {lacking[0]} has not"


def _extensions(capabilities: dict[str, Any] | None) -> dict[str, Any] | None:
    """The extensions that a side advertises, None where that was not seen or cannot be read."""
    found = {} if capabilities is None else capabilities.get("extensions", {})
    return None if capabilities is None or not isinstance(found, dict) else found
