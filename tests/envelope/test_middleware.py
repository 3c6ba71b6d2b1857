"""The middleware on raw ASGI: what it looks at, what it leaves alone, what it replaces."""

from __future__ import annotations

import asyncio
import gzip
import json
from typing import Any, Literal

import pytest

from mcp_assay.envelope import ResponseFormatMiddleware, validate_mcp_response
from mcp_assay.envelope.middleware import Message, Receive, Scope, Send
from mcp_assay.rules.envelope.rule import IMAGE, failure, success
from tests.envelope.asgi import JSON_TYPE, Answer, ask, saying, sized

Events = list[dict[str, Any]]
BROKEN = {"ok": True}
UNTRUE = (
    b"Cache-Control",
    b"Content-Disposition",
    b"Content-Language",
    b"Content-Location",
    b"Digest",
    b"Expires",
    b"Last-Modified",
    b"Location",
)
"""Headers that told of the body that is no longer there."""


def dumped(value: Any) -> bytes:
    return json.dumps(value).encode()


def replacing(application: Any, **options: Any) -> ResponseFormatMiddleware:
    return ResponseFormatMiddleware(application, on_invalid="replace", **options)


def reporting(application: Any, events: Events, **options: Any) -> ResponseFormatMiddleware:
    return ResponseFormatMiddleware(application, sink=events.append, **options)


def is_untouched(application: Any, answer: Answer) -> bool:
    return answer.messages == ask(application).messages


def test_a_broken_response_is_reported_and_passes_as_it_is() -> None:
    events: Events = []
    application = saying(dumped(BROKEN), headers=sized(BROKEN))
    answer = ask(reporting(application, events))
    assert is_untouched(application, answer)
    assert [event["toolName"] for event in events] == ["/tools/search"]
    assert events[0]["issues"][0] == "Missing success field"


def test_a_broken_response_is_replaced_by_a_failure_that_says_so() -> None:
    cookie = (b"set-cookie", b"a=b")
    untrue = [(name, b"x") for name in UNTRUE]
    headers = [*untrue, *sized(BROKEN), cookie, (b"ETag", b'"1"')]
    answer = ask(replacing(saying(dumped(BROKEN), headers=headers)))
    envelope = json.loads(answer.body)
    assert answer.status == 500
    assert answer.headers == {
        b"set-cookie": b"a=b",
        b"content-type": b"application/json",
        b"content-length": str(len(answer.body)).encode(),
    }
    assert validate_mcp_response(envelope) == []
    assert envelope["error"]["code"] == "INVALID_RESPONSE_FORMAT"
    assert envelope["error"]["message"].startswith("Missing success field; Missing content array")


@pytest.mark.parametrize("response", [success(), failure(), success(IMAGE)])
@pytest.mark.parametrize("on_invalid", ["report", "replace"])
def test_a_response_that_keeps_the_profile_is_never_changed(
    response: Any, on_invalid: Literal["report", "replace"]
) -> None:
    application = saying(dumped(response), headers=sized(response))
    assert is_untouched(
        application, ask(ResponseFormatMiddleware(application, on_invalid=on_invalid))
    )


@pytest.mark.parametrize("body", [b"null", b"3", b'"text"', b"[]", b"{}", b'{"success": NaN}'])
def test_every_json_value_that_is_no_response_is_replaced(body: bytes) -> None:
    assert ask(replacing(saying(body))).status == 500


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        (b"<html>", [(b"content-type", b"text/html")]),
        (b"<html>", [JSON_TYPE]),
        (b"", [JSON_TYPE]),
        (b"{", [JSON_TYPE]),
        (b"\xff\xfe", [JSON_TYPE]),
        (b"{}", []),
        (b"{}", [(b"content-type", b"text/plain")]),
        (b"data: {}\n\n", [(b"content-type", b"text/event-stream")]),
        (b"{}\n{}\n", [(b"content-type", b"application/jsonl")]),
        (gzip.compress(b"{}", mtime=0), [JSON_TYPE, (b"content-encoding", b"gzip")]),
    ],
)
def test_what_is_not_plain_json_passes_untouched(body: bytes, headers: Any) -> None:
    events: Events = []
    application = saying(body, headers=headers)
    assert is_untouched(application, ask(replacing(application, sink=events.append)))
    assert events == []


@pytest.mark.parametrize("kind", [b"application/json; charset=utf-8", b"APPLICATION/JSON"])
def test_json_is_known_by_its_type_however_it_is_written(kind: bytes) -> None:
    assert ask(replacing(saying(b"{}", headers=[(b"Content-Type", kind)]))).status == 500


def test_a_body_in_several_parts_is_judged_as_a_whole() -> None:
    response = dumped(success())
    application = saying(response[:10], response[10:], b"", headers=sized(success()))
    assert is_untouched(application, ask(replacing(application)))
    broken = saying(b'{"ok"', b": true}", headers=sized(BROKEN))
    assert ask(replacing(broken)).status == 500


def test_a_stream_of_unknown_length_passes_at_once_and_is_only_reported() -> None:
    events: Events = []
    application = saying(b'{"ok"', b": true}")
    assert is_untouched(application, ask(replacing(application, sink=events.append)))
    assert len(events) == 1


def test_a_stream_is_not_held_up() -> None:
    seen: list[str] = []

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": [JSON_TYPE]})
        await send({"type": "http.response.body", "body": b"[1", "more_body": True})
        seen.append("still speaking")
        await send({"type": "http.response.body", "body": b"]"})

    async def send(message: Message) -> None:
        seen.append(message["type"])

    async def receive() -> Message:
        return {"type": "http.request"}

    scope = {"type": "http", "method": "GET", "path": "/"}
    asyncio.run(replacing(application)(scope, receive, send))
    body = "http.response.body"
    assert seen == ["http.response.start", body, "still speaking", body]


def test_a_long_body_passes_unread() -> None:
    events: Events = []
    body = dumped({"ok": "x" * 100})
    for parts in ([body], [body[:90], body[90:]]):
        application = saying(*parts, headers=sized({"ok": "x" * 100}))
        assert is_untouched(
            application, ask(replacing(application, sink=events.append, max_body=50))
        )
    assert events == []
    assert ask(replacing(application, max_body=len(body))).status == 500


@pytest.mark.parametrize("status", [303, 404, 500])
def test_what_is_no_ordinary_answer_is_reported_and_keeps_its_status(status: int) -> None:
    events: Events = []
    application = saying(b'{"detail": "Not Found"}', status=status)
    answer = ask(replacing(application, sink=events.append))
    assert is_untouched(application, answer)
    assert len(events) == 1


def test_json_under_another_name_is_reported_and_never_replaced() -> None:
    events: Events = []
    application = saying(b"{}", headers=[(b"content-type", b"application/problem+json")])
    assert is_untouched(application, ask(replacing(application, sink=events.append)))
    assert len(events) == 1


def test_head_requests_pass_untouched() -> None:
    application = saying(b"", headers=sized(BROKEN))
    assert ask(replacing(application), method="HEAD").headers == dict(sized(BROKEN))


@pytest.mark.parametrize(
    ("path", "covered"),
    [
        ("/tools", True),
        ("/tools/search", True),
        ("/toolshed", False),
        ("/", False),
        ("/mcp", True),
    ],
)
def test_only_the_named_paths_are_looked_at(path: str, covered: bool) -> None:
    application = replacing(saying(b"{}"), paths=["/tools/", "/mcp"])
    assert (ask(application, path=path).status == 500) is covered


def test_one_path_may_be_given_alone() -> None:
    assert ask(replacing(saying(b"{}"), paths="/tools")).status == 500
    assert ask(replacing(saying(b"{}"), paths="/mcp")).status == 200


@pytest.mark.parametrize(
    ("path", "root", "covered"),
    [
        ("/api/tools/search", "/api", True),
        ("/api/tools/search", "/api/", True),
        ("/tools/search", "/api", True),
        ("/api/tools/search", "", False),
        ("/apitools/search", "/api", False),
    ],
)
def test_paths_are_those_of_the_application_wherever_it_is_mounted(
    path: str, root: str, covered: bool
) -> None:
    application = replacing(saying(b"{}"), paths=["/tools"])
    assert (ask(application, path=path, root=root).status == 500) is covered


@pytest.mark.parametrize(
    "options",
    [
        {"max_body": -1},
        {"max_body": "1 MiB"},
        {"max_body": True},
        {"max_body": None},
        {"paths": ["tools"]},
        {"paths": "tools"},
        {"paths": [3]},
        {"paths": 3},
        {"paths": b"/tools"},
    ],
)
def test_options_that_mean_nothing_are_refused_at_once(options: Any) -> None:
    with pytest.raises(ValueError, match="allowed: "):
        ResponseFormatMiddleware(saying(b""), **options)


def test_other_scopes_pass() -> None:
    seen: list[str] = []

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        seen.append(scope["type"])

    async def nothing(*_: Any) -> Any:
        return None

    asyncio.run(replacing(application)({"type": "lifespan"}, nothing, nothing))
    assert seen == ["lifespan"]


def test_an_unknown_option_is_refused() -> None:
    with pytest.raises(ValueError, match="allowed: report, replace"):
        ResponseFormatMiddleware(saying(b""), on_invalid="repair")  # type: ignore[arg-type]


def test_a_sink_that_fails_breaks_no_response() -> None:
    def fail(event: dict[str, Any]) -> None:
        raise RuntimeError("no monitoring today")

    assert ask(ResponseFormatMiddleware(saying(b"{}"), sink=fail)).body == b"{}"
    assert ask(replacing(saying(b"{}"), sink=fail)).status == 500


CALL = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "search"}}
LIST = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}


def test_the_result_of_a_tool_call_is_audited_under_its_name_and_never_replaced() -> None:
    events: Events = []
    body = dumped({"jsonrpc": "2.0", "id": 1, "result": {"found": 3}})
    application = replacing(saying(body), sink=events.append)
    answer = ask(application, dumped(CALL)[:20], dumped(CALL)[20:])
    assert (answer.status, answer.body) == (200, body)
    assert [event["toolName"] for event in events] == ["search"]


def test_other_answers_in_json_rpc_are_nobodys_business() -> None:
    events: Events = []
    body = dumped({"jsonrpc": "2.0", "id": 2, "result": {"content": []}})
    assert ask(reporting(saying(body), events), dumped(LIST)).body == body
    assert events == []


def test_each_answer_of_a_batch_is_looked_at() -> None:
    events: Events = []
    results: list[Any] = [{"jsonrpc": "2.0", "id": id, "result": {"content": []}} for id in (1, 2)]
    ask(replacing(saying(dumped(results)), sink=events.append), dumped([CALL, LIST]))
    assert [event["toolName"] for event in events] == ["search"]


def test_an_application_that_fails_before_its_answer_is_whole_has_sent_nothing() -> None:
    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": sized(BROKEN)})
        raise RuntimeError("out of tea")

    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": "http.request"}

    scope = {"type": "http", "method": "GET", "path": "/"}
    with pytest.raises(RuntimeError, match="out of tea"):
        asyncio.run(replacing(application)(scope, receive, send))
    assert sent == []
