"""What a client does for a server: it samples from its model, and names its roots."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, pairwise
from typing import Any, Final

from mcp_assay.model.entry import Message
from mcp_assay.rules.engine.rule import Found, rule, table_rule
from mcp_assay.rules.engine.samples import bad, good, modern_request, request, result
from mcp_assay.rules.message.patterns import (
    ASKING_OR_REQUEST,
    asked,
    asking,
    bad_asking,
    input_requests,
)
from mcp_assay.spec.revisions import R2024_11_05, R2025_06_18, R2026_07_28

SAMPLING: Final = "sampling/createMessage"
DEPRECATED_CONTEXTS: Final = ("thisServer", "allServers")
DEPRECATED_METHODS: Final = {
    "roots/list": "Take paths as arguments.",
    SAMPLING: "Call a model yourself.",
}
"""What results should not ask for any more, and what to do instead."""

_NO_TOOLS = {"properties": {"type": {"not": {"enum": ["tool_use", "tool_result"]}}}}
WITHOUT_TOOLS: Final = {
    "SamplingMessage": {"properties": {"content": {**_NO_TOOLS, "items": _NO_TOOLS}}}
}
"""The fast check leaves conversations with tools to the slow check."""

QUESTION = {"role": "user", "content": {"type": "text", "text": "Will it rain in Paris?"}}
USE = {"type": "tool_use", "id": "call-1", "name": "weather", "input": {"city": "Paris"}}
ANSWER = {
    "type": "tool_result",
    "toolUseId": "call-1",
    "content": [{"type": "text", "text": "18 degrees, cloudy"}],
}
USED = {"role": "assistant", "content": [USE]}
ANSWERED = {"role": "user", "content": [ANSWER]}
PROMPT = {"messages": [QUESTION], "maxTokens": 200}


def _sample(*messages: dict[str, Any], **members: Any) -> dict[str, Any]:
    return request(SAMPLING, {**PROMPT, "messages": list(messages or [QUESTION]), **members})


def _inside_result(*messages: dict[str, Any], **members: Any) -> dict[str, Any]:
    return asking(model={"method": SAMPLING, "params": _sample(*messages, **members)["params"]})


_DEPRECATED = (("SAMP-006", "/result/inputRequests/model/method"),)

table_rule(
    "SAMP-001",
    "incomplete-sampling-request",
    """A sampling request has no messages or no integer maxTokens.

    Why: the client does not know what to ask the model, or how long the response may be.
    Instead: send messages as an array and maxTokens as an integer.
    """,
    reason="invalid_params",
    good=lambda: [good(_sample()), good(_sample(systemPrompt="Be brief."), revision=R2024_11_05)],
    bad=lambda: [
        bad(request(SAMPLING, {"messages": [QUESTION]}), "/params/maxTokens"),
        bad(_sample(maxTokens="200"), "/params/maxTokens"),
        bad(request(SAMPLING, {"maxTokens": 200}), "/params/messages", revision=R2024_11_05),
        bad_asking(
            _inside_result(maxTokens=None),
            "/result/inputRequests/model/params/maxTokens",
            also=_DEPRECATED,
        ),
    ],
)

table_rule(
    "SAMP-002",
    "sampling-content-not-one-block",
    """A sampling message's content is not a single block, in a revision before 2025-11-25.

    Why: only 2025-11-25 and later allow arrays here; older peers reject the message.
    Instead: send one block per message, and several messages if needed.
    """,
    reason="invalid_params",
    good=lambda: [
        good(_sample(), revision=R2025_06_18),
        good(_sample({**QUESTION, "content": [QUESTION["content"]]})),
    ],
    bad=lambda: [
        bad(
            _sample({**QUESTION, "content": [QUESTION["content"]]}),
            "/params/messages/0/content",
            revision=R2025_06_18,
        ),
        bad(
            result({**QUESTION, "role": "assistant", "content": [], "model": "m-1"}),
            "/result/content",
            revision=R2024_11_05,
            method=SAMPLING,
        ),
    ],
)

table_rule(
    "SAMP-005",
    "priority-out-of-range",
    """A model priority is not a number between 0 and 1.

    Why: clients weigh cost, speed and intelligence against each other, and need the same scale.
    Instead: send a number from 0 (not important) to 1 (most important).
    """,
    reason="invalid_params",
    good=lambda: [good(_sample(modelPreferences={"costPriority": 0.3, "speedPriority": 1}))],
    bad=lambda: [
        bad(
            _sample(modelPreferences={"costPriority": 30}), "/params/modelPreferences/costPriority"
        ),
        bad(
            _sample(modelPreferences={"intelligencePriority": "high"}),
            "/params/modelPreferences/intelligencePriority",
            revision=R2024_11_05,
        ),
    ],
)


def _turns(params: dict[str, Any]) -> list[Any]:
    messages = params.get("messages")
    return messages if isinstance(messages, list) else []


def _role(turn: object) -> object:
    return turn.get("role") if isinstance(turn, dict) else None


def _blocks(turn: object) -> list[dict[str, Any]]:
    content = turn.get("content") if isinstance(turn, dict) else None
    blocks = content if isinstance(content, list) else [content]
    return [block for block in blocks if isinstance(block, dict)]


def _ids(turn: object, type: str, member: str) -> set[str]:
    ids = (block.get(member) for block in _blocks(turn) if block.get("type") == type)
    return {id for id in ids if isinstance(id, str)}


@rule(
    "SAMP-003",
    "tool-result-mixed-with-other-content",
    reason="invalid_params",
    good=lambda: [good(_sample(QUESTION, USED, ANSWERED)), good(_sample())],
    bad=lambda: [
        bad(
            _sample(QUESTION, USED, {"role": "user", "content": [ANSWER, QUESTION["content"]]}),
            "/params/messages/2/content",
        ),
        bad_asking(
            _inside_result(
                QUESTION, USED, {"role": "user", "content": [QUESTION["content"], ANSWER]}
            ),
            "/result/inputRequests/model/params/messages/2/content",
            also=_DEPRECATED,
        ),
    ],
    on=ASKING_OR_REQUEST,
    patch=WITHOUT_TOOLS,
)
def tool_result_mixed_with_other_content(message: Message) -> Iterator[Found]:
    """A user message mixes tool_result blocks with other types.

    Why: several model APIs reject messages that mix tool results with other content.
    Instead: send the tool results in one message and everything else in the next.
    """
    for path, params in asked(message, SAMPLING):
        for index, turn in enumerate(_turns(params)):
            results = [block.get("type") == "tool_result" for block in _blocks(turn)]
            if _role(turn) == "user" and any(results) and not all(results):
                text = "A user message has tool_result blocks and blocks of other types."
                yield Found((*path, "messages", index, "content"), text)


@rule(
    "SAMP-004",
    "tool-use-without-matching-result",
    reason="invalid_params",
    good=lambda: [
        good(_sample(QUESTION, USED, ANSWERED)),
        good(_sample(QUESTION, {"role": "assistant", "content": USE}, ANSWERED, QUESTION)),
    ],
    bad=lambda: [
        bad(_sample(QUESTION, USED, QUESTION), "/params/messages/1"),
        bad(_sample(QUESTION, USED), "/params/messages/1"),
        bad(
            _sample(
                QUESTION, USED, {"role": "user", "content": [{**ANSWER, "toolUseId": "call-2"}]}
            ),
            "/params/messages/1",
        ),
        bad_asking(
            _inside_result(QUESTION, USED),
            "/result/inputRequests/model/params/messages/1",
            also=_DEPRECATED,
        ),
    ],
    on=ASKING_OR_REQUEST,
    patch=WITHOUT_TOOLS,
)
def tool_use_without_matching_result(message: Message) -> Iterator[Found]:
    """The results of tool_use blocks do not follow in the next message.

    Why: model APIs reject a conversation in which a tool call has no result, or the wrong one.
    Instead: send a user message directly after it, with one tool_result for each id.
    """
    for path, params in asked(message, SAMPLING):
        for index, pair in enumerate(pairwise(chain(_turns(params), (None,)))):
            fault = _imbalance(*pair)
            if fault is not None:
                yield Found((*path, "messages", index), fault)


def _imbalance(turn: object, following: object) -> str | None:
    used = _ids(turn, "tool_use", "id") if _role(turn) == "assistant" else set()
    answered = _ids(following, "tool_result", "toolUseId")
    if not used or (_role(following) == "user" and used == answered):
        return None
    if _role(following) != "user":
        return "An assistant message with tool_use blocks is not followed by a user message."
    if used - answered:
        return "The message after tool_use blocks lacks a tool_result for one of their ids."
    return "The message after tool_use blocks has a tool_result for an id that they do not have."


@rule(
    "SAMP-006",
    "deprecated-client-feature",
    reason="invalid_params",
    good=lambda: [
        good(_sample(includeContext="none")),
        good(_sample(includeContext="thisServer"), revision=R2025_06_18),
    ],
    bad=lambda: [
        bad(_sample(includeContext="allServers"), "/params/includeContext"),
        bad_asking(_inside_result(), "/result/inputRequests/model/method"),
        bad_asking(
            _inside_result(includeContext="thisServer"),
            "/result/inputRequests/model/params/includeContext",
            also=_DEPRECATED,
        ),
        bad_asking(asking(where={"method": "roots/list"}), "/result/inputRequests/where/method"),
    ],
    on=ASKING_OR_REQUEST,
    patch={
        "CreateMessageRequestParams": {"properties": {"includeContext": {"const": "none"}}},
        "SamplingInputRequest": {"not": {}},
        "RootsInputRequest": {"not": {}},
    },
)
def deprecated_client_feature(message: Message) -> Iterator[Found]:
    """A deprecated feature is used: includeContext or, since 2026-07-28, sampling or roots.

    Why: deprecated features will be removed, and many clients never had them. Log messages are also
    deprecated in 2026-07-28, but not reported to avoid noise.
    Instead: put the needed context into the messages, call a model yourself, and take paths as
    arguments.
    """
    for path, params in asked(message, SAMPLING):
        if params.get("includeContext") in DEPRECATED_CONTEXTS:
            text = "includeContext asks for the context of servers, which is deprecated."
            fix = "Put the needed context into the messages."
            yield Found((*path, "includeContext"), text, fix=fix)
    for path, entry in input_requests(message):
        method = entry.get("method")
        instead = DEPRECATED_METHODS.get(method) if isinstance(method, str) else None
        if instead is not None:
            text = f"The result asks for {method}, which is deprecated."
            yield Found((*path, "method"), text, grade="deprecated feature", fix=instead)


NOTES = {"uri": "file:///home/ada/notes", "name": "Notes"}
SITE = {"roots": [{"uri": "https://example.com/notes"}]}

table_rule(
    "ROOT-001",
    "root-not-a-file-uri",
    """A root's uri does not begin with file://.

    Why: servers turn roots into file system paths, which is not possible for other URIs.
    Instead: send an absolute file URI, such as file:///home/ada/notes.
    """,
    reason="invalid_result",
    good=lambda: [
        good(result({"roots": [NOTES]}), method="roots/list"),
        good(
            modern_request(
                "tools/call", {"name": "sync", "inputResponses": {"where": {"roots": [NOTES]}}}
            ),
            revision=R2026_07_28,
        ),
    ],
    bad=lambda: [
        bad(result(SITE), "/result/roots/0/uri", method="roots/list"),
        bad(
            result({"roots": [NOTES, {"uri": "FILE:/home/ada"}]}),
            "/result/roots/1/uri",
            revision=R2024_11_05,
            method="roots/list",
        ),
        bad(
            modern_request("tools/call", {"name": "sync", "inputResponses": {"where": SITE}}),
            "/params/inputResponses/where/roots/0/uri",
            revision=R2026_07_28,
        ),
    ],
)
