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

    def tell(self, method: str, params: Params = None, direction: Direction = "s2c") -> None:
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
    talk = Conversation(material, session, ids)
    _open(talk)
    steps = [step for step, mean in STEPS.items() for _ in range(_count(material, mean))]
    material.rng.shuffle(steps)
    for step in steps:
        step(talk)
    return talk.drafts


def _count(material: Material, mean: float) -> int:
    return int(mean + material.rng.random())


def _open(talk: Conversation) -> None:
    request = talk.ask(
        "initialize",
        {
            "protocolVersion": REVISION,
            "capabilities": {"roots": {"listChanged": True}, "sampling": {}, "elicitation": {}},
            "clientInfo": _implementation(talk.material, "client"),
        },
    )
    talk.answer(
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
            "serverInfo": _implementation(talk.material, "server"),
            "instructions": talk.material.sentence(25),
        },
    )
    talk.tell("notifications/initialized", direction="c2s")
    listing = talk.ask("tools/list", {})
    talk.answer(listing, {"tools": [tool.definition for tool in talk.tools]})


def _implementation(material: Material, role: str) -> dict[str, Any]:
    word = material.word()
    return {
        "name": f"{word}-{role}",
        "title": f"{word} {role}".capitalize(),
        "version": f"{material.rng.randrange(5)}.{material.rng.randrange(20)}.0",
    }


def _call(talk: Conversation) -> None:
    """A tool call: progress and log messages may come before the answer, or a cancellation."""
    material = talk.material
    tool = material.rng.choice(talk.tools)
    params: dict[str, Any] = {
        "name": tool.definition["name"],
        "arguments": arguments(material, tool.action),
    }
    watched = material.chance(0.12)
    if watched:
        params["_meta"] = {"progressToken": f"call-{talk.session}-{len(talk.drafts)}"}
    request = talk.ask("tools/call", params)
    if watched:
        _progress(talk, params["_meta"]["progressToken"])
    if material.chance(0.17):
        _log(talk)
    if material.chance(0.01):
        _cancel(talk, request)
    elif material.chance(0.053):
        talk.refuse(request, *material.rng.choice(ERRORS))
    else:
        talk.answer(request, content.tool_result(material, tool.action))


ERRORS: Final = (
    (-32602, "The argument 'limit' has to be at most 100"),
    (-32602, "Unknown argument 'colour'"),
    (-32602, "The argument 'path' has to name a file of the project"),
    (-32602, "No tool of this name is here any more"),
)


def _progress(talk: Conversation, token: str) -> None:
    total = talk.material.rng.randrange(2, 5)
    for done in range(1, total + 1):
        params = {"progressToken": token, "progress": done, "total": total}
        if talk.material.chance(0.5):
            params["message"] = talk.material.sentence(4)
        talk.tell("notifications/progress", params)


def _log(talk: Conversation) -> None:
    material = talk.material
    data = {"event": material.word(), "elapsed": material.rng.randrange(900), "at": material.path()}
    talk.tell(
        "notifications/message",
        {
            "level": max(material.rng.choice(LEVELS), talk.level, key=LEVELS.index),
            "logger": material.word(),
            "data": material.rng.choice((data, material.sentence(12))),
        },
    )


def _cancel(talk: Conversation, request: Draft) -> None:
    params = {"requestId": request.message["id"], "reason": talk.material.sentence(5)}
    talk.tell("notifications/cancelled", params, direction="c2s")


def _ping(talk: Conversation) -> None:
    talk.answer(talk.ask("ping", direction=talk.material.rng.choice(("c2s", "s2c"))), {})


def _set_level(talk: Conversation) -> None:
    talk.level = talk.material.rng.choice(LEVELS)
    talk.answer(talk.ask("logging/setLevel", {"level": talk.level}), {})


def _list_resources(talk: Conversation) -> None:
    entries = range(talk.material.rng.randrange(2, 20))
    result: dict[str, Any] = {"resources": [content.resource(talk.material) for _ in entries]}
    if talk.material.chance(0.3):
        result["nextCursor"] = talk.material.base64(24)
    talk.answer(talk.ask("resources/list", {}), result)


def _list_templates(talk: Conversation) -> None:
    templates = [content.resource_template(talk.material) for _ in range(3)]
    talk.answer(talk.ask("resources/templates/list"), {"resourceTemplates": templates})


def _read_resource(talk: Conversation) -> None:
    material = talk.material
    contents = content.resource_contents(material, material.size(300, 40_000))
    request = talk.ask("resources/read", {"uri": contents["uri"]})
    if material.chance(0.05):
        talk.refuse(request, -32002, "No resource lives at this address")
    else:
        talk.answer(request, {"contents": [contents]})


def _watch_resource(talk: Conversation) -> None:
    uri = talk.material.uri()
    talk.answer(talk.ask("resources/subscribe", {"uri": uri}), {})
    for _ in range(talk.material.rng.randrange(1, 4)):
        talk.tell("notifications/resources/updated", {"uri": uri})


def _list_prompts(talk: Conversation) -> None:
    prompts = [content.prompt(talk.material) for _ in range(talk.material.rng.randrange(1, 12))]
    talk.answer(talk.ask("prompts/list"), {"prompts": prompts})


def _get_prompt(talk: Conversation) -> None:
    material = talk.material
    asked = {"name": f"{material.word()}_review", "arguments": {"topic": material.sentence(3)}}
    messages = content.prompt_messages(material)
    talk.answer(
        talk.ask("prompts/get", asked), {"description": material.sentence(6), "messages": messages}
    )


def _complete(talk: Conversation) -> None:
    material = talk.material
    reference = {"type": "ref/prompt", "name": f"{material.word()}_review"}
    argument = {"name": "topic", "value": material.word()[:2]}
    request = talk.ask("completion/complete", {"ref": reference, "argument": argument})
    talk.answer(request, {"completion": content.completion(material)})


def _list_roots(talk: Conversation) -> None:
    root = {"uri": f"file:///home/{talk.material.word()}/work", "name": talk.material.word()}
    talk.answer(talk.ask("roots/list", direction="s2c"), {"roots": [root]})


def _sample(talk: Conversation) -> None:
    material = talk.material
    question = {
        "role": "user",
        "content": content.text_block(material.text(material.size(80, 900))),
    }
    request = talk.ask(
        "sampling/createMessage", {"messages": [question], "maxTokens": 400}, direction="s2c"
    )
    talk.answer(
        request,
        {
            "role": "assistant",
            "content": content.text_block(material.text(material.size(80, 2_000))),
            "model": f"{material.word()}-large",
            "stopReason": "endTurn",
        },
    )


def _elicit(talk: Conversation) -> None:
    form = {"type": "object", "properties": {"folder": {"type": "string", "title": "Folder"}}}
    params = {"message": talk.material.sentence(8), "requestedSchema": form}
    request = talk.ask("elicitation/create", params, direction="s2c")
    talk.answer(request, {"action": "accept", "content": {"folder": talk.material.word()}})


def _lists_change(talk: Conversation) -> None:
    listed = talk.material.rng.choice(("tools", "resources", "prompts"))
    talk.tell(f"notifications/{listed}/list_changed")


def _roots_change(talk: Conversation) -> None:
    talk.tell("notifications/roots/list_changed", direction="c2s")


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
