"""Whole sessions in the order in which they happen: every response follows its request."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from bench.traffic import content
from bench.traffic.material import Material
from bench.traffic.tools import arguments, tool_list

REVISION: Final = "2025-11-25"
LEVELS: Final = ("debug", "info", "info", "notice", "warning", "error")
"""From the least urgent on; what is listed twice is logged twice as often."""

Direction: TypeAlias = Literal["c2s", "s2c"]
Kind: TypeAlias = Literal["request", "notification", "result", "error"]
Params: TypeAlias = dict[str, Any] | None

OPPOSITE: Final[dict[Direction, Direction]] = {"c2s": "s2c", "s2c": "c2s"}


@dataclass(slots=True)
class Draft:
    """One message before it is written down, and what it answers."""

    message: dict[str, Any]
    direction: Direction
    kind: Kind
    method: str
    session: int
    answers: Draft | None = None


class Conversation:
    """One session between a client and a server, told message by message."""

    def __init__(self, material: Material, session: int, ids: Iterator[int]) -> None:
        self.material = material
        self.session = session
        self.drafts: list[Draft] = []
        self.tools = tool_list(material)
        self.level = LEVELS[0]
        """The least urgent level that the client wants to see."""
        self._ids = ids
        self._id_prefix = material.rng.choice(("", "", "", "req-", "c0ffee-"))

    def ask(self, method: str, params: Params = None, direction: Direction = "c2s") -> Draft:
        """Send a request."""
        message = {"jsonrpc": "2.0", "id": self._next_id(), "method": method}
        return self._send(message, params, Draft({}, direction, "request", method, self.session))

    def answer(self, request: Draft, result: dict[str, Any]) -> None:
        """Answer a request with its result."""
        self._reply(request, "result", result)

    def refuse(self, request: Draft, code: int, message: str) -> None:
        """Answer a request with an error."""
        self._reply(request, "error", {"code": code, "message": message})

    def notify(self, method: str, params: Params = None, direction: Direction = "s2c") -> None:
        """Send a notification."""
        message = {"jsonrpc": "2.0", "method": method}
        self._send(message, params, Draft({}, direction, "notification", method, self.session))

    def _next_id(self) -> int | str:
        number = next(self._ids)
        return f"{self._id_prefix}{number:06d}" if self._id_prefix else number

    def _send(self, message: dict[str, Any], params: Params, draft: Draft) -> Draft:
        draft.message = message if params is None else {**message, "params": params}
        self.drafts.append(draft)
        return draft

    def _reply(self, request: Draft, kind: Kind, body: dict[str, Any]) -> None:
        message = {"jsonrpc": "2.0", "id": request.message["id"], kind: body}
        direction = OPPOSITE[request.direction]
        self.drafts.append(
            Draft(message, direction, kind, request.method, self.session, answers=request)
        )


def converse(material: Material, session: int, ids: Iterator[int]) -> list[Draft]:
    """One complete session of about ninety messages."""
    conversation = Conversation(material, session, ids)
    _open(conversation)
    steps = [step for step, mean in STEPS.items() for _ in range(_count(material, mean))]
    material.rng.shuffle(steps)
    for step in steps:
        step(conversation)
    return conversation.drafts


def _count(material: Material, mean: float) -> int:
    return int(mean + material.rng.random())


def _open(conversation: Conversation) -> None:
    request = conversation.ask(
        "initialize",
        {
            "protocolVersion": REVISION,
            "capabilities": {"roots": {"listChanged": True}, "sampling": {}, "elicitation": {}},
            "clientInfo": _implementation(conversation.material, "client"),
        },
    )
    conversation.answer(
        request,
        {
            "protocolVersion": REVISION,
            "capabilities": {
                "logging": {},
                "completions": {},
                "prompts": {"listChanged": True},
                "resources": {"subscribe": True, "listChanged": True},
                "tools": {"listChanged": True},
            },
            "serverInfo": _implementation(conversation.material, "server"),
            "instructions": conversation.material.sentence(25),
        },
    )
    conversation.notify("notifications/initialized", direction="c2s")
    listing = conversation.ask("tools/list", {})
    conversation.answer(listing, {"tools": [tool.definition for tool in conversation.tools]})


def _implementation(material: Material, role: str) -> dict[str, Any]:
    word = material.word()
    return {
        "name": f"{word}-{role}",
        "title": f"{word} {role}".capitalize(),
        "version": f"{material.rng.randrange(5)}.{material.rng.randrange(20)}.0",
    }


def _call(conversation: Conversation) -> None:
    """A tool call: progress and log messages may come before the answer, or a cancellation."""
    material = conversation.material
    tool = material.rng.choice(conversation.tools)
    params: dict[str, Any] = {
        "name": tool.definition["name"],
        "arguments": arguments(material, tool.action),
    }
    watched = material.chance(0.12)
    if watched:
        params["_meta"] = {
            "progressToken": f"call-{conversation.session}-{len(conversation.drafts)}"
        }
    request = conversation.ask("tools/call", params)
    if watched:
        _progress(conversation, params["_meta"]["progressToken"])
    if material.chance(0.17):
        _log(conversation)
    if material.chance(0.01):
        _cancel(conversation, request)
    elif material.chance(0.053):
        conversation.refuse(request, *material.rng.choice(ERRORS))
    else:
        conversation.answer(request, content.tool_result(material, tool.action))


ERRORS: Final = (
    (-32602, "The argument 'limit' has to be at most 100"),
    (-32602, "Unknown argument 'colour'"),
    (-32602, "The argument 'path' has to name a file of the project"),
    (-32602, "No tool of this name is here any more"),
)


def _progress(conversation: Conversation, token: str) -> None:
    total = conversation.material.rng.randrange(2, 5)
    for done in range(1, total + 1):
        params = {"progressToken": token, "progress": done, "total": total}
        if conversation.material.chance(0.5):
            params["message"] = conversation.material.sentence(4)
        conversation.notify("notifications/progress", params)


def _log(conversation: Conversation) -> None:
    material = conversation.material
    data = {"event": material.word(), "elapsed": material.rng.randrange(900), "at": material.path()}
    conversation.notify(
        "notifications/message",
        {
            "level": max(material.rng.choice(LEVELS), conversation.level, key=LEVELS.index),
            "logger": material.word(),
            "data": material.rng.choice((data, material.sentence(12))),
        },
    )


def _cancel(conversation: Conversation, request: Draft) -> None:
    params = {"requestId": request.message["id"], "reason": conversation.material.sentence(5)}
    conversation.notify("notifications/cancelled", params, direction="c2s")


def _ping(conversation: Conversation) -> None:
    conversation.answer(
        conversation.ask("ping", direction=conversation.material.rng.choice(("c2s", "s2c"))), {}
    )


def _set_level(conversation: Conversation) -> None:
    conversation.level = conversation.material.rng.choice(LEVELS)
    conversation.answer(conversation.ask("logging/setLevel", {"level": conversation.level}), {})


def _list_resources(conversation: Conversation) -> None:
    entries = range(conversation.material.rng.randrange(2, 20))
    result: dict[str, Any] = {
        "resources": [content.resource(conversation.material) for _ in entries]
    }
    if conversation.material.chance(0.3):
        result["nextCursor"] = conversation.material.base64(24)
    conversation.answer(conversation.ask("resources/list", {}), result)


def _list_templates(conversation: Conversation) -> None:
    templates = [content.resource_template(conversation.material) for _ in range(3)]
    conversation.answer(
        conversation.ask("resources/templates/list"), {"resourceTemplates": templates}
    )


def _read_resource(conversation: Conversation) -> None:
    material = conversation.material
    contents = content.resource_contents(material, material.size(300, 40_000))
    request = conversation.ask("resources/read", {"uri": contents["uri"]})
    if material.chance(0.05):
        conversation.refuse(request, -32002, "No resource lives at this address")
    else:
        conversation.answer(request, {"contents": [contents]})


def _watch_resource(conversation: Conversation) -> None:
    uri = conversation.material.uri()
    conversation.answer(conversation.ask("resources/subscribe", {"uri": uri}), {})
    for _ in range(conversation.material.rng.randrange(1, 4)):
        conversation.notify("notifications/resources/updated", {"uri": uri})


def _list_prompts(conversation: Conversation) -> None:
    prompts = [
        content.prompt(conversation.material)
        for _ in range(conversation.material.rng.randrange(1, 12))
    ]
    conversation.answer(conversation.ask("prompts/list"), {"prompts": prompts})


def _get_prompt(conversation: Conversation) -> None:
    material = conversation.material
    asked = {"name": f"{material.word()}_review", "arguments": {"topic": material.sentence(3)}}
    messages = content.prompt_messages(material)
    conversation.answer(
        conversation.ask("prompts/get", asked),
        {"description": material.sentence(6), "messages": messages},
    )


def _complete(conversation: Conversation) -> None:
    material = conversation.material
    reference = {"type": "ref/prompt", "name": f"{material.word()}_review"}
    argument = {"name": "topic", "value": material.word()[:2]}
    request = conversation.ask("completion/complete", {"ref": reference, "argument": argument})
    conversation.answer(request, {"completion": content.completion(material)})


def _list_roots(conversation: Conversation) -> None:
    root = {
        "uri": f"file:///home/{conversation.material.word()}/work",
        "name": conversation.material.word(),
    }
    conversation.answer(conversation.ask("roots/list", direction="s2c"), {"roots": [root]})


def _sample(conversation: Conversation) -> None:
    material = conversation.material
    question = {
        "role": "user",
        "content": content.text_block(material.text(material.size(80, 900))),
    }
    request = conversation.ask(
        "sampling/createMessage", {"messages": [question], "maxTokens": 400}, direction="s2c"
    )
    conversation.answer(
        request,
        {
            "role": "assistant",
            "content": content.text_block(material.text(material.size(80, 2_000))),
            "model": f"{material.word()}-large",
            "stopReason": "endTurn",
        },
    )


def _elicit(conversation: Conversation) -> None:
    form = {"type": "object", "properties": {"folder": {"type": "string", "title": "Folder"}}}
    params = {"message": conversation.material.sentence(8), "requestedSchema": form}
    request = conversation.ask("elicitation/create", params, direction="s2c")
    conversation.answer(
        request, {"action": "accept", "content": {"folder": conversation.material.word()}}
    )


def _lists_change(conversation: Conversation) -> None:
    listed = conversation.material.rng.choice(("tools", "resources", "prompts"))
    conversation.notify(f"notifications/{listed}/list_changed")


def _roots_change(conversation: Conversation) -> None:
    conversation.notify("notifications/roots/list_changed", direction="c2s")


STEPS: Final[dict[Callable[[Conversation], None], float]] = {
    _call: 28.6,
    _ping: 0.7,
    _set_level: 0.2,
    _list_resources: 0.8,
    _list_templates: 0.2,
    _read_resource: 2.6,
    _watch_resource: 0.6,
    _list_prompts: 0.4,
    _get_prompt: 0.8,
    _complete: 0.5,
    _list_roots: 0.3,
    _sample: 0.3,
    _elicit: 0.3,
    _lists_change: 1.1,
    _roots_change: 0.3,
}
"""What happens in a session, and how often on average."""
