"""A server as the specification wants it, played to the dialogues of probes: step in, reply out."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from mcp_assay.model.probe import (
    OUR_SESSION,
    Anew,
    Ask,
    End,
    Http,
    Listen,
    Notify,
    Raw,
    Reply,
    Step,
)
from mcp_assay.rules.message.meta import CAPABILITIES, VERSION
from mcp_assay.rules.probe.rule import ArgumentSample, Known, StartDialogue, Verdicts
from mcp_assay.session.exchanges import in_base64
from mcp_assay.spec.methods import ACKNOWLEDGED
from mcp_assay.spec.revisions import R2025_03_26, R2025_11_25, R2026_07_28, REVISIONS

UNKNOWN, INVALID, UNREADABLE, BROKEN = -32601, -32602, -32700, -32600
MISMATCH, UNSUPPORTED, MISSING = -32020, -32022, -32021
URL = "http://127.0.0.1:8000/mcp"
READS = {"readOnlyHint": True}
STREAM = {"content-type": "text/event-stream"}


def tool(name: str, **more: Any) -> dict[str, Any]:
    """A tool without arguments."""
    return {"name": name, "inputSchema": {"type": "object"}, **more}


CITY = {"type": "object", "required": ["city"], "properties": {"city": {"type": "string"}}}
TOOLS: list[dict[str, Any]] = [
    tool("list_notes", annotations=READS),
    tool("add_note", execution={"taskSupport": "optional"}),
    tool("export", execution={"taskSupport": "required"}),
    tool("ask_user"),
    {"name": "weather", "annotations": READS, "inputSchema": {**CITY, "properties": {
        "city": {"type": "string", "x-mcp-header": "City"}}}},
    {"name": "validate", "annotations": READS, "inputSchema": {"type": "object"}},
]  # fmt: skip
VALIDATION = {"supported": True, "batchValidation": True, "maxBatchSize": 2}


def known(revision: str = R2025_11_25, **more: Any) -> Known:
    """A server that has everything."""
    is_modern = revision == R2026_07_28
    tasks: dict[str, Any] = {"list": {}, "cancel": {}, "requests": {"tools": {"call": {}}}}
    old = {"tools": {}, "logging": {}, "tasks": tasks}
    extra: dict[str, Any] = {"tools": {"listChanged": True}} if is_modern else old
    capabilities = {
        "resources": {} if is_modern else {"subscribe": True},
        "prompts": {},
        "completions": {},
        "experimental": {"toolValidation": VALIDATION},
        **extra,
    }
    given: dict[str, Any] = {
        "revision": revision,
        "offered": [revision],
        "capabilities": capabilities,
        "tools": TOOLS,
        "resources": [{"uri": "file:///notes/1.md", "name": "one"}],
        "templates": [{"uriTemplate": "file:///notes/{name}", "name": "any"}],
        "prompts": [{"name": "greet", "arguments": [{"name": "who", "required": True}]}],
        "callable": [one["name"] for one in TOOLS],
        "samples": {
            "list_notes": ArgumentSample(valid={}, invalid={"x": 1}),
            "add_note": ArgumentSample(valid={}, invalid={"x": 1}),
            "weather": ArgumentSample(valid={"city": "Oslo"}, invalid={"city": 5}),
        },
    }
    return Known(**{**given, **more})


def failing(code: int, **data: Any) -> Reply:
    """A JSON-RPC error."""
    return Reply(error={"code": code, "message": "No.", **({"data": data} if data else {})})


def text(words: str, **more: Any) -> Reply:
    """The result of a call."""
    return Reply(result={"content": [{"type": "text", "text": words}], **more})


class ModelServer:
    """Answers every step as it should be answered."""

    def __init__(self, known: Known) -> None:
        self._known = known
        self._is_greeted = True
        self._is_ended = False
        self._strays: list[Any] = []
        self._notes = 0
        self._tasks: dict[str, str] = {}
        self._notifications: list[Any] = []

    def reply(self, step: Step) -> Reply:
        """What comes of a step."""
        reply = Reply()
        match step:
            case Anew():
                self._is_greeted, self._is_ended = step.with_handshake, False
            case Ask():
                reply = self._asked(step)
            case Notify():
                reply = Reply(status=202) if self._known.is_http else Reply()
            case Raw():
                reply = self._raw(step.text)
            case Http():
                reply = self._http(step)
            case Listen():
                granted = {"method": ACKNOWLEDGED, "params": {"notifications": dict(step.kinds)}}
                reply = Reply(notifications=[granted])
            case End():
                reply = Reply(stopped_by="end of input")
        return reply

    def _asked(self, step: Ask) -> Reply:
        answer = self._with_status(self._answer(step))
        strays, self._strays = self._strays, []
        told, self._notifications = self._notifications, []
        return replace(answer, strays=strays, notifications=told)

    def _with_status(self, answer: Reply) -> Reply:
        if not self._known.is_http:
            return answer
        statuses = {UNKNOWN: 404, INVALID: 400, MISMATCH: 400, UNSUPPORTED: 400}
        code = answer.code if self._known.is_modern else None
        return replace(answer, status=statuses.get(code, 200) if code else 200)

    def _answer(self, step: Ask) -> Reply:
        params = dict(step.params or {})
        refused = self._bent(step, params) if self._known.is_modern else None
        if refused is not None:
            return refused
        if step.method == "initialize":
            return self._greeting(str(params.get("protocolVersion")))
        if not self._is_greeted and not self._known.is_modern and step.method != "ping":
            return failing(INVALID)
        handler = self._handlers().get(step.method)
        return handler(params) if handler else failing(UNKNOWN)

    def _greeting(self, version: str) -> Reply:
        if self._known.is_modern:
            return failing(UNSUPPORTED, supported=[R2026_07_28], requested=version)
        self._is_greeted = True
        ours = version if version in REVISIONS and version <= R2025_11_25 else R2025_11_25
        info = {"name": "notes", "version": "1"}
        return Reply(result={"protocolVersion": ours, "capabilities": {}, "serverInfo": info})

    def _bent(self, step: Ask, params: dict[str, Any]) -> Reply | None:
        """What is wrong with the metadata of a request of 2026-07-28."""
        meta, headers = step.bend.meta, {k.lower(): v for k, v in step.bend.headers.items()}
        if step.method == "initialize":
            return None
        if self._known.is_http:
            expected = {"mcp-method": step.method, "mcp-name": params.get("name")}
            if meta.get(VERSION, R2026_07_28) == R2026_07_28:
                expected["mcp-protocol-version"] = R2026_07_28
            if params.get("name") == "weather":
                city = params.get("arguments", {}).get("city")
                expected["mcp-param-city"] = city
                if headers.get("mcp-param-city") == in_base64(str(city)):
                    headers.pop("mcp-param-city")
            if any(name in headers and headers[name] != it for name, it in expected.items()):
                return failing(MISMATCH)
        if meta.get(VERSION, R2026_07_28) is None or meta.get(CAPABILITIES, {}) is None:
            return failing(INVALID)
        if meta.get(VERSION, R2026_07_28) != R2026_07_28:
            return failing(UNSUPPORTED, supported=[R2026_07_28], requested=meta[VERSION])
        self._client = meta.get(CAPABILITIES, {})
        return None

    def _handlers(self) -> Mapping[str, Callable[[dict[str, Any]], Reply]]:
        old: dict[str, Callable[[dict[str, Any]], Reply]] = {
            "ping": lambda _: Reply(result={}),
            "logging/setLevel": self._level,
            "resources/subscribe": lambda _: Reply(result={}),
            "resources/unsubscribe": lambda _: Reply(result={}),
            "tasks/list": lambda _: Reply(result={"tasks": []}),
            "tasks/get": self._task,
            "tasks/result": self._finish,
            "tasks/cancel": self._cancel,
        }  # fmt: skip
        new: dict[str, Callable[[dict[str, Any]], Reply]] = {
            "server/discover": lambda _: Reply(result={"supportedVersions": [R2026_07_28]})
        }
        return {
            "tools/list": lambda it: self._list("tools", self._tools(), it),
            "prompts/list": lambda it: self._list("prompts", self._known.prompts, it),
            "resources/list": lambda it: self._list("resources", self._known.resources, it),
            "resources/templates/list": lambda it: self._list(
                "resourceTemplates", self._known.templates, it
            ),
            "resources/read": lambda _: failing(INVALID if self._known.is_modern else -32002),
            "prompts/get": lambda _: failing(INVALID),
            "completion/complete": self._complete,
            "tools/call": self._call,
            **(new if self._known.is_modern else old),
        }  # fmt: skip

    def _level(self, params: dict[str, Any]) -> Reply:
        return Reply(result={}) if params.get("level") == "info" else failing(INVALID)

    def _tools(self) -> list[dict[str, Any]]:
        added = [tool("extra")] if self._notes and self._known.is_modern else []
        return [*added, *self._known.tools]

    def _list(self, member: str, items: list[Any], params: dict[str, Any]) -> Reply:
        """Two pages of tools, one of anything else."""
        cursor = params.get("cursor")
        if cursor not in (None, "2") or (cursor and member != "tools"):
            return failing(INVALID)
        if member != "tools":
            return Reply(result={member: items})
        half = len(items) // 2
        if cursor:
            return Reply(result={member: items[half:]})
        return Reply(result={member: items[:half], "nextCursor": "2"})

    def _complete(self, params: dict[str, Any]) -> Reply:
        ref = params.get("ref", {})
        if ref.get("name") != "greet" or params.get("argument", {}).get("name") != "who":
            return failing(INVALID)
        return Reply(result={"completion": {"values": ["you"]}})

    def _call(self, params: dict[str, Any]) -> Reply:
        name, arguments = params.get("name"), params.get("arguments", {})
        if name not in [one["name"] for one in self._known.tools]:
            return failing(INVALID) if not isinstance(name, str) else Reply(
                error={"code": INVALID, "message": f"Unknown tool: {name}"})  # fmt: skip
        if name == "ask_user":
            return self._input(params)
        if name == "validate":
            return self._validated(arguments)
        if "task" in params or name == "export":
            return self._begun(str(name), params)
        if name == "add_note":
            self._notes += 1
            self._notifications.append({"method": "notifications/tools/list_changed"})
        if (name == "weather") is not isinstance(arguments.get("city"), str):
            return text("No.", isError=True)
        return text(f"{self._notes} notes" if name == "list_notes" else "Done.")

    def _validated(self, arguments: dict[str, Any]) -> Reply:
        def verdict(call: dict[str, Any]) -> dict[str, Any]:
            given = call.get("arguments", {})
            good = {"city": "Oslo"} if call.get("tool") == "weather" else {}
            return {"valid": given == good, "errors": [] if given == good else ["No."]}

        calls = arguments.get("calls")
        said = {"results": [*map(verdict, calls)]} if calls is not None else verdict(arguments)
        return Reply(result={"structuredContent": said, "content": []})

    def _input(self, params: dict[str, Any]) -> Reply:
        if not getattr(self, "_client", {"elicitation": {}}):
            return failing(MISSING)
        given, state = params.get("inputResponses"), params.get("requestState", "signed")
        if state != "signed" or (given and not all(isinstance(it, dict) for it in given.values())):
            return failing(INVALID)
        if given:
            return text("Thanks.")
        asked = {"q": {"method": "elicitation/create", "params": {}}}
        return Reply(result={"resultType": "input_required", "requestState": "signed",
                             "inputRequests": asked})  # fmt: skip

    def _begun(self, name: str, params: dict[str, Any]) -> Reply:
        if ("task" in params) is not (name in ("export", "add_note")):
            return failing(UNKNOWN)
        id = f"t-{len(self._tasks)}"
        self._tasks[id] = "working"
        return Reply(result={"task": {"taskId": id, "status": "working"}})

    def _task(self, params: dict[str, Any]) -> Reply:
        status = self._tasks.get(str(params.get("taskId")))
        return Reply(result={"status": status}) if status else failing(INVALID)

    def _finish(self, params: dict[str, Any]) -> Reply:
        if params.get("taskId") not in self._tasks:
            return failing(INVALID)
        self._tasks[params["taskId"]] = "completed"
        return text("Done.")

    def _cancel(self, params: dict[str, Any]) -> Reply:
        if self._tasks.get(str(params.get("taskId"))) != "working":
            return failing(INVALID)
        self._tasks[params["taskId"]] = "cancelled"
        return Reply(result={"status": "cancelled"})

    def _raw(self, words: str) -> Reply:
        answers = self._to_raw(words)
        if self._known.is_http:
            return Reply(status=400 if answers and "error" in answers[0] else 202, messages=answers)
        self._strays += answers
        return Reply()

    def _to_raw(self, words: str) -> list[Any]:
        def error(code: int) -> list[Any]:
            return [{"jsonrpc": "2.0", "error": {"code": code, "message": "No."}}]

        if any("\udc80" <= letter <= "\udcff" for letter in words):
            return error(UNREADABLE)
        try:
            value = json.loads(words)
        except ValueError:
            return error(UNREADABLE)
        if isinstance(value, list) and self._known.revision == R2025_03_26:
            return [
                {"jsonrpc": "2.0", "id": one["id"], "result": {}} for one in value if "id" in one
            ]
        return error(BROKEN)

    def _http(self, step: Http) -> Reply:
        headers = {name.lower(): it for name, it in step.headers.items()}
        modern = self._known.is_modern
        if step.path is not None:
            return Reply(
                status=200, messages=[{"authorization_servers": ["https://login.example"]}]
            )
        if self._known.is_closed:
            return Reply(status=401, headers={"www-authenticate": 'Bearer scope="notes"'})
        if headers.get("origin") or headers.get("host"):
            return Reply(status=403 if headers.get("origin") else 421)
        return self._modern_http(step, headers) if modern else self._old_http(step, headers)

    def _modern_http(self, step: Http, headers: Mapping[str, str]) -> Reply:
        if step.verb != "POST":
            return Reply(status=405)
        if "initialize" in (step.body or ""):
            return Reply(status=400)
        is_taken = "event-stream" in headers["accept"]
        return Reply(status=200, headers=STREAM) if is_taken else Reply(status=406)

    def _old_http(self, step: Http, headers: Mapping[str, str]) -> Reply:
        session = headers.get("mcp-session-id")
        if session is None:
            return Reply(status=400)
        is_known = session == OUR_SESSION and not self._is_ended
        return self._in_session(step, headers) if is_known else Reply(status=404)

    def _in_session(self, step: Http, headers: Mapping[str, str]) -> Reply:
        if step.verb == "DELETE":
            self._is_ended = True
            return Reply(status=200)
        if headers.get("mcp-protocol-version") not in REVISIONS:
            return Reply(status=400)
        if "text/event-stream" not in headers["accept"]:
            return Reply(status=406)
        return Reply(status=200, headers=STREAM)


Fault = Callable[[Step, Reply], Reply]


def conversation(
    start: StartDialogue, known: Known, fault: Fault = lambda _, reply: reply
) -> tuple[list[Step], Verdicts]:
    """A dialogue with such a server, whose replies may be tampered with; its steps and verdicts."""
    server, steps, dialogue = ModelServer(known), list[Step](), start(known)
    try:
        step = next(dialogue)
        while len(steps) < 500:
            steps.append(step)
            step = dialogue.send(fault(step, server.reply(step)))
    except StopIteration as end:
        return steps, end.value
    raise AssertionError("the dialogue has no end")
