"""Elicitation: answers that fit the form, and notices about pages that were really opened."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, TypeAlias

from mcp_assay.model.entry import Message
from mcp_assay.rules.engine.rule import Found, MapKey, session_rule
from mcp_assay.rules.engine.samples import (
    broken,
    c2s,
    declaring,
    error,
    kept,
    modern_request,
    modern_result,
    notification,
    opening,
    request,
    s2c,
)
from mcp_assay.rules.engine.samples import result as answer
from mcp_assay.rules.engine.session_rules import watch
from mcp_assay.schema.messages import SchemaProblem
from mcp_assay.session.correlation import LARGEST_WHOLE, RequestOutline
from mcp_assay.session.state import STARTED_BEFORE, SessionState
from mcp_assay.spec.revisions import R2025_06_18, R2025_11_25, R2026_07_28
from mcp_assay.text.words import glimpse, spot
from mcp_assay.wire.pointer import Path

CREATE: Final = "elicitation/create"
URL_REQUIRED: Final = -32042
INPUT_METHODS: Final = ("tools/call", "prompts/get", "resources/read")
"""The requests that may be answered by asking for input."""
MOST_QUESTIONS: Final = 64
"""Open questions of one session that are remembered."""
MOST_PAGES: Final = 1000
"""Pages to open of one session that are remembered."""
LONGEST_KEPT: Final = 256
"""A key or elicitationId with more characters than this is not remembered."""

FORGOTTEN: Final = "too many elicitations to remember them all"
NOT_SEEN: Final = "the request was not seen"
NOT_KEPT: Final = "the request was too large to keep"
UNCHECKED: Final = "the requestedSchema cannot be used for validation"

Params: TypeAlias = dict[str, Any]

FORMS: Final[dict[str, Any]] = {"elicitation": {"form": {}, "url": {}}}
FORM: Final[dict[str, Any]] = {
    "mode": "form",
    "message": "How many?",
    "requestedSchema": {
        "type": "object",
        "properties": {"count": {"type": "integer", "minimum": 1}},
        "required": ["count"],
    },
}
PAGE: Final[dict[str, Any]] = {
    "mode": "url",
    "message": "Please pay.",
    "url": "https://shop.example/pay",
    "elicitationId": "pay-1",
}
PAID: Final = notification("notifications/elicitation/complete", {"elicitationId": "pay-1"})
TEXT: Final[dict[str, Any]] = {"content": [{"type": "text", "text": "3 notes"}]}


class Questions:
    """What servers asked since 2026-07-28, by the method and key under which they did.

    None stands where two open questions have the same key.
    """

    __slots__ = ("open",)

    def __init__(self) -> None:
        self.open: Final[dict[tuple[str, str], Params | None]] = {}


class OpenedPages:
    """The elicitationIds of the pages that the client was asked to open."""

    __slots__ = ("forgetful", "ids")

    def __init__(self) -> None:
        self.ids: Final[set[str]] = set()
        self.forgetful = False
        """Whether an id could not be remembered."""

    def add(self, id: object) -> None:
        """Remember an id, if it is one."""
        if not isinstance(id, str) or len(self.ids) >= MOST_PAGES or len(id) > LONGEST_KEPT:
            self.forgetful = True
        else:
            self.ids.add(id)


def _answered(params: Params, given: dict[str, Any]) -> list[Any]:
    return [opening(client=FORMS), s2c(request(CREATE, params)), c2s(answer(given))]


def _retried(given: dict[str, Any]) -> list[Any]:
    """A round of 2026-07-28 in which the client answers a question of the server."""
    asked = {"inputRequests": {"how-many": {"method": CREATE, "params": FORM}}}
    params = declaring(FORMS, name="search")
    again = {**params, "inputResponses": {"how-many": given}}
    return [
        c2s(modern_request("tools/call", params, id=1)),
        s2c(modern_result(asked, id=1, result_type="input_required")),
        c2s(modern_request("tools/call", again, id=2)),
        s2c(modern_result(TEXT, id=2)),
    ]


session_rule(
    "ELIC-006",
    "unfitting-content",
    """An elicitation result has unexpected content, or content that violates the requestedSchema.

    Why: the server relies on content that matches its requestedSchema.
    Instead: validate the form before sending it; omit content if the user did not accept, or for
    mode "url".
    """,
    reason="invalid_content",
    good=lambda: [
        kept(*_answered(FORM, {"action": "accept", "content": {"count": 3}})),
        kept(*_answered(FORM, {"action": "decline"})),
        kept(*_answered(PAGE, {"action": "accept"})),
        kept(*_retried({"action": "accept", "content": {"count": 3}})),
    ],
    bad=lambda: [
        broken(
            *_answered(FORM, {"action": "accept", "content": {"count": "three"}}),
            pointer="/result/content/count",
        ),
        broken(
            *_answered(FORM, {"action": "accept"}),
            pointer="/result",
        ),
        broken(
            *_answered(FORM, {"action": "cancel", "content": {"count": 3}}),
            pointer="/result/content",
        ),
        broken(
            *_answered(PAGE, {"action": "accept", "content": {}}),
            pointer="/result/content",
        ),
        broken(
            *_retried({"action": "accept", "content": {"count": 0}}),
            at=2,
            pointer="/params/inputResponses/how-many/content/count",
        ),
    ],
)

session_rule(
    "ELIC-009",
    "unknown-elicitation-done",
    """notifications/elicitation/complete has an unknown elicitationId.

    Why: the client cannot match it to the page that it opened.
    Instead: send the elicitationId of the elicitation/create request or of the error -32042.
    """,
    reason="unknown_elicitation",
    good=lambda: [
        kept(*_answered(PAGE, {"action": "accept"}), s2c(PAID)),
        kept(
            opening(client=FORMS, server={"tools": {}}),
            c2s(request("tools/call", {"name": "pay"})),
            s2c(error(URL_REQUIRED, "Please pay first.", {"elicitations": [PAGE]})),
            s2c(PAID),
        ),
        kept(s2c(PAID), partial=True),
    ],
    bad=lambda: [
        broken(opening(client=FORMS), s2c(PAID), pointer="/params/elicitationId"),
    ],
)


@watch("result", methods=[CREATE], since=R2025_06_18, until=R2025_11_25)
def unfitting_content(session: SessionState, message: Message) -> Iterable[Found]:
    """Decide ELIC-006 up to 2025-11-25."""
    asked = message.answers
    if asked is None or asked.value.__class__ is RequestOutline:
        session.leave_open("ELIC-006", NOT_SEEN if asked is None else NOT_KEPT)
        return ()
    return _judged(session, asked.params, message.result, ("result",))


@watch("result", methods=INPUT_METHODS, since=R2026_07_28)
def remember_questions(session: SessionState, message: Message) -> Iterable[Found]:
    """Remember what the server asks the client to ask."""
    result: Any = message.value.get("result")
    asked = result.get("inputRequests") if result.__class__ is dict else None
    if isinstance(asked, dict) and (session.size or 0) <= LARGEST_WHOLE:
        for key, question in asked.items():
            _remember(session.recall(Questions).open, (str(message.method), key), question)
    return ()


def _remember(
    questions: dict[tuple[str, str], Params | None], at: tuple[str, str], question: Any
) -> None:
    params = question.get("params") if isinstance(question, dict) else None
    if not isinstance(params, dict) or question.get("method") != CREATE:
        return
    if at in questions:
        questions[at] = params if questions[at] == params else None
    elif len(questions) < MOST_QUESTIONS and len(at[1]) <= LONGEST_KEPT:
        questions[at] = params


@watch("request", methods=INPUT_METHODS, since=R2026_07_28)
def unfitting_input_response(session: SessionState, message: Message) -> Iterable[Found]:
    """Decide ELIC-006 since 2026-07-28."""
    params: Any = message.value.get("params")
    given = params.get("inputResponses") if params.__class__ is dict else None
    if not isinstance(given, dict):
        return ()
    return tuple(_each(session, str(message.method), given))


def _each(session: SessionState, method: str, given: dict[str, Any]) -> Iterator[Found]:
    questions = session.recall(Questions).open
    for key, reply in given.items():
        params = questions.pop((method, key), None)
        if params is not None and isinstance(reply, dict):
            path = ("params", "inputResponses", MapKey(key))
            yield from _judged(session, params, reply, path)
        elif isinstance(reply, dict) and "action" in reply:
            session.leave_open("ELIC-006", NOT_SEEN)


def _judged(
    session: SessionState, params: Params, given: dict[str, Any], path: Path
) -> tuple[Found, ...]:
    action, content = given.get("action"), given.get("content")
    if content and action in ("decline", "cancel"):
        return _unasked(session, path, "only an accepted form has content.")
    if content is not None and params.get("mode") == "url":
        return _unasked(session, path, 'mode "url" has no content.')
    if action != "accept" or params.get("mode", "form") != "form":
        return ()
    if "content" not in given:
        return _checked(session, params.get("requestedSchema"), {}, path)
    if isinstance(content, dict):
        return _checked(session, params.get("requestedSchema"), content, (*path, "content"))
    return ()


def _unasked(session: SessionState, path: Path, why: str) -> tuple[Found, ...]:
    session.decide("ELIC-006")
    return (Found((*path, "content"), f"Unexpected content: {why}", "ELIC-006"),)


def _checked(session: SessionState, schema: Any, content: Params, path: Path) -> tuple[Found, ...]:
    if not isinstance(schema, dict):
        return ()
    verdict = session.schemas.prepare(schema).check(content)
    if verdict.outcome == "undecided":
        session.leave_open("ELIC-006", UNCHECKED)
        return ()
    session.decide("ELIC-006")
    return tuple(_misfit(problem, path) for problem in verdict.problems)


def _misfit(problem: SchemaProblem, path: Path) -> Found:
    place = f" at {spot(problem.path)}" if problem.path else ""
    free = (MapKey(step) if isinstance(step, str) else step for step in problem.path)
    return Found((*path, *free), f"The content{place} {problem.text}.", "ELIC-006")


@watch("request", methods=[CREATE], since=R2025_11_25, until=R2025_11_25)
def remember_page(session: SessionState, message: Message) -> Iterable[Found]:
    """Remember the page that the client is asked to open."""
    if "elicitationId" in message.params:
        session.recall(OpenedPages).add(message.params["elicitationId"])
    return ()


@watch("error", since=R2025_11_25, until=R2025_11_25)
def remember_needed_pages(session: SessionState, message: Message) -> Iterable[Found]:
    """Remember the pages that the client has to open before it asks again."""
    data = message.error.get("data")
    asked = data.get("elicitations") if isinstance(data, dict) else None
    if message.error.get("code") == URL_REQUIRED and isinstance(asked, list):
        for one in asked:
            session.recall(OpenedPages).add(
                one.get("elicitationId") if isinstance(one, dict) else None
            )
    return ()


@watch(
    "notification",
    methods=["notifications/elicitation/complete"],
    since=R2025_11_25,
    until=R2025_11_25,
)
def unknown_elicitation_done(session: SessionState, message: Message) -> Iterable[Found]:
    """Decide ELIC-009."""
    id, pages = message.params.get("elicitationId"), session.recall(OpenedPages)
    if not isinstance(id, str):
        return ()
    if id in pages.ids:
        session.decide("ELIC-009")
        return ()
    if session.partial or pages.forgetful:
        session.leave_open("ELIC-009", STARTED_BEFORE if session.partial else FORGOTTEN)
        return ()
    text = f"No elicitation of this session has the elicitationId {glimpse(id)}."
    return (Found(("params", "elicitationId"), text, "ELIC-009"),)
