"""How a client refuses what it has not declared."""

from __future__ import annotations

from collections.abc import Iterable

from mcp_assay.model.message import Message
from mcp_assay.rules.examples import error
from mcp_assay.rules.rule import Found, session_rule
from mcp_assay.rules.scripts import broken, talk
from mcp_assay.rules.sessions.client_capabilities import (
    DECLINED,
    FORM,
    INVALID_PARAMS,
    LINK,
    METHOD_NOT_FOUND,
    ROOTS,
    UNKNOWN,
    asked,
)
from mcp_assay.rules.watching import watch
from mcp_assay.session.talk import Talk
from mcp_assay.spec.capabilities import declares, mode_of, takes_mode
from mcp_assay.spec.revisions import R2025_11_25

session_rule(
    "ROOT-002",
    "roots-refused-otherwise",
    """A client without roots that answers roots/list with anything but the error -32601.

    Why: the server cannot tell a client without roots from one whose roots failed or are none.
    Instead: answer -32601, or declare roots.
    """,
    reason="wrong_error_code",
    good=[talk(asked({"roots": {}}, "roots/list", None, ROOTS))],
    bad=[
        broken(
            asked({}, "roots/list", None, error(-32603, "Internal error")),
            pointer="/error/code",
            also=((3, "CAP-008", "/method"),),
        ),
        broken(
            asked({}, "roots/list", None, ROOTS),
            pointer="/result",
            also=((3, "CAP-008", "/method"),),
        ),
    ],
)

session_rule(
    "ELIC-011",
    "mode-refused-otherwise",
    """A client that answers a question in a mode it has not declared with anything but -32602.

    Why: the server cannot tell a mode that the client lacks from a user who does not want to.
    Instead: answer -32602 where the mode is not declared.
    """,
    reason="wrong_error_code",
    good=[talk(asked({"elicitation": {}}, "elicitation/create", FORM, DECLINED))],
    bad=[
        broken(
            asked({"elicitation": {}}, "elicitation/create", LINK, DECLINED),
            pointer="/result",
            also=((3, "CAP-012", "/params/mode"),),
        ),
        broken(
            asked({"elicitation": {}}, "elicitation/create", LINK, UNKNOWN),
            pointer="/error/code",
            also=((3, "CAP-012", "/params/mode"),),
        ),
    ],
)


@watch("result", "error", methods=("roots/list",), until=R2025_11_25)
def refuses_roots(session: Talk, message: Message) -> Iterable[Found]:
    """Decide ROOT-002."""
    declared = session.client_capabilities(message)
    if declared is None or message.direction == "s2c":
        return ()
    session.decide("ROOT-002")
    if declares(declared, "roots"):
        return ()
    return _unless_refused(message, METHOD_NOT_FOUND, "roots", "ROOT-002")


@watch("result", "error", methods=("elicitation/create",), since=R2025_11_25, until=R2025_11_25)
def refuses_modes(session: Talk, message: Message) -> Iterable[Found]:
    """Decide ELIC-011."""
    declared = session.client_capabilities(message)
    mode = mode_of(message.answers.params) if message.answers else None
    if declared is None or mode is None or message.direction == "s2c":
        return ()
    session.decide("ELIC-011")
    if takes_mode(declared, mode) or not declares(declared, "elicitation"):
        return ()
    return _unless_refused(message, INVALID_PARAMS, f"the mode {mode}", "ELIC-011")


def _unless_refused(message: Message, code: int, what: str, rule: str) -> Iterable[Found]:
    """The fault of an answer other than the error `code` to what the client cannot do."""
    if message.kind == "error" and message.error.get("code") == code:
        return ()
    text = f"The client did not declare {what}, but answers otherwise than with the error {code}."
    path = ("error", "code") if message.kind == "error" else ("result",)
    return (Found(path, text, rule),)
