"""Messages by topic, each built from pieces that a rule might object to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from hypothesis import strategies as st

from mcp_assay.rules.engine.samples import CLIENT_META, PREFIX, SERVER_META
from mcp_assay.spec.revisions import R2024_11_05, R2025_06_18, R2025_11_25, R2026_07_28
from tests.rules.engine import pieces as p
from tests.rules.engine.pieces import Values, mostly, optional
from tests.rules.engine.verdicts import Case

MODERN_CAPABILITIES: Final = st.fixed_dictionaries(
    {},
    optional={
        "extensions": st.dictionaries(
            p.META_KEYS, mostly({}, {"on": True}, odd=p.ANY_TYPE), max_size=2
        ),
        "experimental": st.just({"com.example/x": {}}),
        "elicitation": mostly({}, {"form": {}}, odd=p.ANY_TYPE),
        "roots": mostly({}, odd=st.sampled_from([{"listChanged": True}, [], {"list_changed": 1}])),
    },
)
INFO: Final = st.fixed_dictionaries(
    {"name": p.NAMES, "version": mostly("1.0", odd=p.JUST_TEXT)},
    optional={"title": p.JUST_TEXT, "websiteUrl": p.URIS, "Title": p.JUST_TEXT},
)


class Topic(NamedTuple):
    """A kind of message: its params, result or error, made for a revision."""

    kind: str
    method: str | None
    body: Callable[[str], Values]
    since: str = R2024_11_05
    until: str = R2026_07_28


def cases(topic: Topic, revision: str) -> Values:
    """Messages of the topic in the revision."""
    return st.builds(
        lambda id, body, extra: Case(_message(topic, id, body, extra), revision, topic.method),
        p.IDS,
        topic.body(revision),
        mostly({}, odd=st.sampled_from([{"x": 1}, {"ID": 1}, {"result": {}}, {"error": None}])),
    )


def _message(topic: Topic, id: Any, body: Any, extra: dict[str, Any]) -> dict[str, Any]:
    envelope = {"jsonrpc": "2.0", **extra}
    if topic.kind == "notification":
        return {**envelope, "method": topic.method, "params": body}
    if topic.kind == "request":
        return {**envelope, "id": id, "method": topic.method, "params": body}
    return {**envelope, "id": id, topic.kind: body}


def _request_meta(revision: str) -> Values:
    members: dict[str, Values] = {"progressToken": p.IDS, **p.TRACE_CONTEXT}
    needed: dict[str, Values] = {}
    if revision >= R2026_07_28:
        needed = {
            f"{PREFIX}protocolVersion": p.VERSIONS,
            f"{PREFIX}clientCapabilities": MODERN_CAPABILITIES,
            f"{PREFIX}clientInfo": INFO,
        }
    own = st.fixed_dictionaries(needed, optional=members)
    others = st.dictionaries(p.META_KEYS, p.ANY_TYPE, max_size=2)
    return st.builds(lambda mine, more: {**more, **mine}, own, others)


def _asking(revision: str, **members: Values) -> Values:
    """The params of a client's request."""
    meta = {"_meta": _request_meta(revision)}
    if revision >= R2026_07_28:
        return st.fixed_dictionaries({**members, **meta})
    return st.fixed_dictionaries(members, optional=meta)


def _answering(revision: str, needed: dict[str, Values], **members: Values) -> Values:
    """The result of a client's request."""
    if revision >= R2026_07_28:
        needed = {
            "_meta": mostly(SERVER_META, odd=p.META),
            "resultType": mostly(
                "complete", odd=st.sampled_from(["input_required", "Complete", 1])
            ),
            **needed,
        }
    return st.fixed_dictionaries(needed, optional=members)


def _listing(revision: str, **needed: Values) -> Values:
    if revision >= R2026_07_28:
        needed |= {"ttlMs": mostly(0, 6000, odd=p.NUMBERS), "cacheScope": st.just("private")}
    return _answering(revision, needed, nextCursor=mostly("page-2", odd=p.ANY_TYPE))


ANNOTATIONS: Final = optional(
    {
        "priority": p.NUMBERS,
        "audience": st.lists(mostly("user", "assistant", odd=p.ANY_TYPE), max_size=2),
        "lastModified": p.TIMESTAMPS,
    }
)
ICONS: Final = st.lists(
    st.fixed_dictionaries({"src": p.URIS}, optional={"theme": st.sampled_from(["dark", "Dark"])}),
    max_size=1,
)
LINKED: Final = st.fixed_dictionaries(
    {"uri": p.URIS, "name": p.NAMES},
    optional={
        "mimeType": p.MEDIA_TYPES,
        "size": p.NUMBERS,
        "annotations": ANNOTATIONS,
        "title": p.JUST_TEXT,
        "icons": ICONS,
        "_meta": p.META,
        "mime_type": p.JUST_TEXT,
    },
)
CONTENTS: Final = st.fixed_dictionaries(
    {"uri": p.URIS},
    optional={"text": p.JUST_TEXT, "blob": p.BASE64, "mimeType": p.MEDIA_TYPES, "_meta": p.META},
)
TEXT_BLOCK: Final = st.fixed_dictionaries(
    {"type": st.just("text"), "text": p.JUST_TEXT},
    optional={"annotations": ANNOTATIONS, "_meta": p.META, "Text": p.JUST_TEXT},
)
MEDIA_BLOCK: Final = st.fixed_dictionaries(
    {"type": st.sampled_from(["image", "audio"]), "data": p.BASE64, "mimeType": p.MEDIA_TYPES}
)
LINK_BLOCK: Final = LINKED.map(lambda members: {"type": "resource_link", **members})
EMBEDDED_BLOCK: Final = CONTENTS.map(lambda resource: {"type": "resource", "resource": resource})
BLOCKS: Final = st.one_of(TEXT_BLOCK, MEDIA_BLOCK, LINK_BLOCK, EMBEDDED_BLOCK)
TOOL_BLOCKS: Final = st.one_of(
    TEXT_BLOCK,
    st.fixed_dictionaries(
        {
            "type": st.just("tool_use"),
            "id": mostly("u-1", "u-2", odd=p.ANY_TYPE),
            "name": p.NAMES,
            "input": st.just({}),
        }
    ),
    st.fixed_dictionaries(
        {
            "type": st.just("tool_result"),
            "toolUseId": mostly("u-1", "u-2", odd=p.ANY_TYPE),
            "content": st.lists(BLOCKS, max_size=1),
        }
    ),
)


def _called(revision: str) -> Values:
    return _answering(
        revision,
        {"content": st.lists(BLOCKS, max_size=2)},
        structuredContent=mostly({"notes": 3}, odd=p.ANY_TYPE),
        isError=mostly(True, False, odd=p.ANY_TYPE),
    )


def _prompted(revision: str) -> Values:
    message = st.fixed_dictionaries(
        {"role": mostly("user", "assistant", odd=st.just("User")), "content": BLOCKS}
    )
    return _answering(revision, {"messages": st.lists(message, max_size=2)})


def _sampling(revision: str) -> Values:
    content = st.one_of(TEXT_BLOCK, TEXT_BLOCK, TOOL_BLOCKS, st.lists(TOOL_BLOCKS, max_size=2))
    turn = st.fixed_dictionaries(
        {"role": st.sampled_from(["user", "assistant"]), "content": content}
    )
    return st.fixed_dictionaries(
        {"messages": st.lists(turn, max_size=3), "maxTokens": mostly(200, odd=p.NUMBERS)},
        optional={
            "temperature": p.NUMBERS,
            "includeContext": st.sampled_from(["none", "thisServer", "allservers"]),
            "modelPreferences": optional({"costPriority": p.NUMBERS, "cost_priority": p.NUMBERS}),
            "toolChoice": st.just({"mode": "auto"}),
        },
    )


INPUTS: Final = st.one_of(
    st.fixed_dictionaries(
        {"type": st.sampled_from(["string", "number", "integer", "boolean"])},
        optional={
            "title": st.one_of(p.JUST_TEXT, p.SECRET_NAMES),
            "default": p.ANY_TYPE,
            "minLength": p.NUMBERS,
            "minimum": p.NUMBERS,
            "format": st.sampled_from(["email", "Email"]),
        },
    ),
    st.fixed_dictionaries(
        {"type": st.just("string"), "enum": st.just(["a", "b"])},
        optional={"enumNames": st.just(["A", "B"]), "title": p.SECRET_NAMES, "oneOf": st.just([])},
    ),
    st.fixed_dictionaries(
        {"type": st.just("string"), "oneOf": st.just([{"const": "a", "title": "A"}])},
        optional={"title": p.SECRET_NAMES, "enum": st.just(["a"])},
    ),
    st.just({"type": "array", "items": {"type": "string", "enum": ["a"]}}),
    st.just({"type": "array", "items": {"anyOf": [{"const": "a", "title": "A"}]}}),
)


def _form(revision: str) -> Values:
    names = mostly("city", "days", odd=st.one_of(p.SECRET_NAMES, p.JUST_TEXT))
    schema = st.fixed_dictionaries(
        {"type": st.just("object"), "properties": st.dictionaries(names, INPUTS, max_size=2)},
        optional={"required": st.just(["city"]), "$schema": p.JUST_TEXT, "title": p.JUST_TEXT},
    )
    return st.fixed_dictionaries(
        {"message": p.JUST_TEXT, "requestedSchema": schema},
        optional={
            "mode": mostly("form", odd=st.sampled_from(["Form", None])),
            "Message": st.just(""),
        },
    )


def _page(revision: str) -> Values:
    known = {} if revision >= R2026_07_28 else {"elicitationId": p.NAMES}
    return st.fixed_dictionaries(
        {"mode": st.just("url"), "message": p.JUST_TEXT, "url": p.WEB_ADDRESSES, **known}
    )


def _input_required(revision: str) -> Values:
    entry = st.builds(
        lambda method, params, more: {"method": method, "params": params, **more},
        mostly("elicitation/create", odd=st.sampled_from(["roots/list", "sampling/createMessage"])),
        st.one_of(_form(revision), _page(revision), _sampling(revision)),
        mostly({}, odd=st.sampled_from([{"id": 1}, {"jsonrpc": "2.0"}, {"Params": {}}])),
    )
    return st.fixed_dictionaries(
        {"_meta": st.just(SERVER_META), "resultType": st.just("input_required")},
        optional={
            "inputRequests": st.dictionaries(p.JUST_TEXT, entry, max_size=2),
            "requestState": p.JUST_TEXT,
            "ttlMs": st.just(0),
            "content": st.just([]),
        },
    )


def _task(revision: str) -> dict[str, Values]:
    return {
        "taskId": p.NAMES,
        "status": mostly("working", odd=st.sampled_from(["Working", "running"])),
        "createdAt": p.TIMESTAMPS,
        "lastUpdatedAt": p.TIMESTAMPS,
        "ttl": mostly(60000, None, odd=p.NUMBERS),
    }


def _unknown_result(revision: str) -> Values:
    members = dict.fromkeys(("inputRequests", "requestState", "ttlMs", "tools"), p.ANY_TYPE)
    types = mostly("complete", odd=st.sampled_from(["input_required", "inputRequired", "task", 7]))
    if revision < R2026_07_28:
        return optional({"_meta": p.META, **members})
    needed = {"_meta": mostly(SERVER_META, odd=p.META), "resultType": types}
    return st.fixed_dictionaries(needed, optional=members)


def _completion(revision: str) -> Values:
    values = st.lists(p.JUST_TEXT, max_size=4) | st.just(["x"] * 101) | st.just(["x"] * 100)
    completion = st.fixed_dictionaries(
        {"values": values},
        optional={"total": st.integers(0, 5) | p.NUMBERS, "hasMore": st.booleans()},
    )
    return _answering(revision, {"completion": completion})


def _error(revision: str) -> Values:
    page = _page(revision).map(lambda params: {"elicitations": [params]})
    versions = st.fixed_dictionaries({"supported": st.lists(p.VERSIONS), "requested": p.VERSIONS})
    needs = MODERN_CAPABILITIES.map(lambda needed: {"requiredCapabilities": needed})
    return st.fixed_dictionaries(
        {"code": p.ERROR_CODES, "message": p.ERROR_TEXTS},
        optional={"data": st.one_of(p.ANY_TYPE, page, versions, needs), "Code": st.just(1)},
    )


def _special_error(revision: str) -> Values:
    """Errors whose code gives their data a shape of its own."""
    bodies = st.sampled_from(
        [
            (-32042, {"elicitations": []}),
            (-32021, {"requiredCapabilities": {"elicitation": {}}}),
            (-32022, {"supported": [R2026_07_28], "requested": "2099-01-01"}),
        ]
    )
    return st.builds(
        lambda body, text: {"code": body[0], "message": text, "data": body[1]},
        bodies,
        p.ERROR_TEXTS | p.ODD_ERROR_TEXTS,
    )


def _traced(revision: str) -> Values:
    """Requests that are clean but for their trace context."""
    context = optional({name: p.TRACE_CONTEXT[name] | odd for name, odd in p.ODD_TRACES.items()})
    return context.map(lambda members: {"_meta": {**CLIENT_META, **members}})


def _one_input(revision: str) -> Values:
    """Forms with a single input that may be called like a secret."""
    names = st.sampled_from(["city", "days"]) | p.SECRET_NAMES
    kinds = st.sampled_from(["string", "number", "integer", "boolean"])
    inputs = st.builds(lambda kind, title: {"type": kind, "title": title}, kinds, names)
    properties = st.dictionaries(names, inputs, min_size=1, max_size=1)
    return properties.map(
        lambda members: {
            "message": "Who are you?",
            "requestedSchema": {"type": "object", "properties": members},
        }
    )


def _ended_subscription(revision: str) -> Values:
    own = {f"{PREFIX}subscriptionId": p.IDS, f"{PREFIX}serverInfo": INFO}
    return st.fixed_dictionaries(
        {"resultType": st.just("complete"), "_meta": st.fixed_dictionaries(own)}
    )


def _initialize(revision: str) -> Values:
    return st.fixed_dictionaries(
        {"protocolVersion": p.VERSIONS, "capabilities": MODERN_CAPABILITIES, "clientInfo": INFO},
        optional={"_meta": _request_meta(revision)},
    )


TOPICS: Final[dict[str, Topic]] = {
    "read": Topic("request", "resources/read", lambda r: _asking(r, uri=p.URIS)),
    "call": Topic(
        "request",
        "tools/call",
        lambda r: _asking(r, name=p.NAMES, arguments=optional({"x": p.FREE_JSON})),
    ),
    "initialize": Topic("request", "initialize", _initialize, until=R2025_11_25),
    "resources": Topic(
        "result",
        "resources/list",
        lambda r: _listing(r, resources=st.lists(LINKED, max_size=2)),
    ),
    "templates": Topic(
        "result",
        "resources/templates/list",
        lambda r: _listing(
            r,
            resourceTemplates=st.lists(
                st.fixed_dictionaries({"uriTemplate": p.URI_TEMPLATES, "name": p.NAMES}), max_size=2
            ),
        ),
    ),
    "contents": Topic(
        "result",
        "resources/read",
        lambda r: _listing(r, contents=st.lists(CONTENTS, max_size=2)),
    ),
    "called": Topic("result", "tools/call", _called),
    "prompted": Topic("result", "prompts/get", _prompted),
    "completed": Topic("result", "completion/complete", _completion),
    "roots": Topic(
        "result",
        "roots/list",
        lambda r: st.fixed_dictionaries(
            {"roots": st.lists(st.fixed_dictionaries({"uri": p.FILE_URIS}), max_size=2)}
        ),
        until=R2025_11_25,
    ),
    "log": Topic(
        "notification",
        "notifications/message",
        lambda r: st.fixed_dictionaries(
            {"level": mostly("info", odd=st.sampled_from(["warn", "INFO"])), "data": p.LOG_DATA}
        ),
    ),
    "progress": Topic(
        "notification",
        "notifications/progress",
        lambda r: st.fixed_dictionaries(
            {"progressToken": p.IDS, "progress": p.NUMBERS},
            optional={"total": p.NUMBERS, "_meta": p.META, "message": p.JUST_TEXT},
        ),
    ),
    "cancelled": Topic(
        "notification",
        "notifications/cancelled",
        lambda r: st.fixed_dictionaries({"requestId": p.IDS}, optional={"reason": p.JUST_TEXT}),
    ),
    "sampling": Topic("request", "sampling/createMessage", _sampling, until=R2025_11_25),
    "form": Topic("request", "elicitation/create", _form, R2025_06_18, R2025_11_25),
    "page": Topic("request", "elicitation/create", _page, R2025_11_25, R2025_11_25),
    "input required": Topic("result", "tools/call", _input_required, R2026_07_28),
    "task": Topic(
        "result",
        "tasks/get",
        lambda r: st.fixed_dictionaries(_task(r), optional={"_meta": p.META}),
        R2025_11_25,
        R2025_11_25,
    ),
    "subscription": Topic("result", "subscriptions/listen", _ended_subscription, R2026_07_28),
    "unknown result": Topic("result", None, _unknown_result),
    "error": Topic("error", None, _error),
    "special error": Topic("error", None, _special_error, R2025_11_25),
    "traced": Topic("request", "tools/list", _traced, R2026_07_28),
    "one input": Topic("request", "elicitation/create", _one_input, R2025_06_18, R2025_11_25),
}
