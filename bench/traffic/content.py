"""What servers answer with: tool results, resources, prompts and completions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import orjson

from bench.traffic.material import Material
from bench.traffic.tools import Action

SMALLEST: Final = 200
LARGEST: Final = 20_000
PICTURES: Final = ("image/png", "image/jpeg", "image/webp")
SOUNDS: Final = ("audio/wav", "audio/mpeg", "audio/ogg")
REFUSALS: Final = (
    "No entry with this number exists",
    "The title is longer than the project allows",
    "The folder is locked by another user until tomorrow",
)

Json = dict[str, Any]


def tool_result(material: Material, action: Action) -> Json:
    """The result of calling a tool of this kind: 200 bytes to 20 KB, small ones most often."""
    if material.chance(0.03):
        return {"content": [text_block(material.rng.choice(REFUSALS))], "isError": True}
    answer = ANSWERS[action.verb](material, material.size(SMALLEST, LARGEST))
    if material.chance(0.5):
        answer["isError"] = False
    if material.chance(0.05):
        answer["_meta"] = {"com.example/elapsed": material.rng.randrange(2_000)}
    return answer


def text_block(text: str) -> Json:
    """A text block."""
    return {"type": "text", "text": text}


def _rows(material: Material, size: int) -> Json:
    """Entries as structuredContent and, as the specification asks, as text too."""
    row_bytes = 150
    items = [_row(material) for _ in range(max(1, size // (2 * row_bytes)))]
    content = {"total": len(items) + material.rng.randrange(50), "items": items}
    return {
        "content": [text_block(orjson.dumps(content).decode())],
        "structuredContent": content,
    }


def _row(material: Material) -> Json:
    return {
        "id": material.rng.randrange(1, 99_999),
        "title": material.sentence(5),
        "open": material.chance(0.5),
        "score": round(material.rng.random(), 4),
        "updated": material.moment(),
        "labels": material.words(2),
    }


def _prose(material: Material, size: int) -> Json:
    count = material.rng.choice((1, 1, 1, 2, 3))
    return {"content": [_annotated(material, size // count) for _ in range(count)]}


def _annotated(material: Material, size: int) -> Json:
    block = text_block(material.text(size))
    if material.chance(0.15):
        block["annotations"] = {
            "audience": [material.rng.choice(("user", "assistant"))],
            "priority": round(material.rng.random(), 2),
            "lastModified": material.moment(),
        }
    return block


def _picture_or_sound(material: Material, size: int) -> Json:
    picture = material.chance(0.75)
    media = {
        "type": "image" if picture else "audio",
        "data": material.base64(size),
        "mimeType": material.rng.choice(PICTURES if picture else SOUNDS),
    }
    return {"content": [media]}


def _embedded(material: Material, size: int) -> Json:
    if material.chance(0.4):
        return _prose(material, size)
    return {"content": [{"type": "resource", "resource": resource_contents(material, size)}]}


def _links(material: Material, size: int) -> Json:
    links = [_link(material) for _ in range(material.rng.randrange(1, 6))]
    return {"content": [*links, text_block(material.text(max(40, size - 200 * len(links))))]}


def _link(material: Material) -> Json:
    return {
        "type": "resource_link",
        "uri": material.uri(),
        "name": material.word(),
        "description": material.sentence(6),
        "mimeType": "text/markdown",
        "size": material.rng.randrange(10, 900_000),
    }


ANSWERS: Final[dict[str, Callable[[Material, int], Json]]] = {
    "search": _rows,
    "read": _embedded,
    "create": _prose,
    "update": _prose,
    "render": _picture_or_sound,
    "collect": _links,
}


def resource_contents(material: Material, size: int) -> Json:
    """The contents of one resource: text mostly, sometimes a blob."""
    if material.chance(0.25):
        return {
            "uri": material.uri(),
            "mimeType": "application/pdf",
            "blob": material.base64(size),
        }
    return {"uri": material.uri(), "mimeType": "text/markdown", "text": material.text(size)}


def resource(material: Material) -> Json:
    """One entry of a resource list."""
    return {
        "uri": material.uri(),
        "name": material.word(),
        "title": material.sentence(3),
        "description": material.sentence(9),
        "mimeType": "text/markdown",
        "size": material.rng.randrange(10, 90_000),
        "annotations": {"audience": ["user"], "lastModified": material.moment()},
    }


def resource_template(material: Material) -> Json:
    """One entry of a list of resource templates."""
    return {
        "uriTemplate": f"notes://{material.word()}/{{path}}",
        "name": material.word(),
        "description": material.sentence(9),
        "mimeType": "text/markdown",
    }


def prompt(material: Material) -> Json:
    """One entry of a prompt list."""
    return {
        "name": f"{material.word()}_review",
        "title": material.sentence(3),
        "description": material.sentence(10),
        "arguments": [
            {"name": "topic", "description": material.sentence(5), "required": True},
            {"name": "tone", "description": material.sentence(4)},
        ],
    }


def prompt_messages(material: Material) -> list[Json]:
    """The messages of one prompt."""
    return [
        {"role": "user", "content": text_block(material.text(material.size(200, 9_000)))},
        {"role": "assistant", "content": text_block(material.text(200))},
    ]


def completion(material: Material) -> Json:
    """A page of completions."""
    values = material.words(material.rng.randrange(1, 21))
    total = len(values) + material.rng.choice((0, 0, 30))
    return {"values": values, "total": total, "hasMore": total > len(values)}
