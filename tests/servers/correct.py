"""Servers without a fault, in different styles: none of them may get an error finding."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

from tests.servers.base import A_HANDSHAKE, STATELESS, Server
from tests.servers.planting import Family, Maker
from tests.servers.things import (
    Object,
    Prompt,
    Resource,
    Tool,
    accepts,
    answers,
    found,
    lookup,
    refusal,
    structured,
    text,
)

SERVERS = Family("correct")
GENRES = ["novel", "poetry", "drama", "essay"]
SHELVES = {"A1": "Middlemarch", "B2": "Emma"}


def correct(name: str, truth: str, **expected: Any) -> Callable[[Maker], Maker]:
    """Plant a server in which nothing is wrong."""
    return SERVERS.plant(name, truth, correct=True, exit_code=0, **expected)


WORKS = {"find_book": "fully_working"}


@correct("both-eras", "Speaks 2025-11-25 and 2026-07-28 and checks its arguments.", tools=WORKS)
def both_eras() -> Server:
    return Server(lookup(found))


@correct("handshake-only", "Speaks 2025-11-25 alone.", tools=WORKS)
def handshake_only() -> Server:
    return Server(lookup(found), revisions=(A_HANDSHAKE,))


@correct("stateless-only", "Speaks 2026-07-28 alone.", tools=WORKS)
def stateless_only() -> Server:
    return Server(lookup(found), revisions=(STATELESS,))


@correct("first-revision", "Speaks 2024-11-05, which has no hints.", options=("--calls=all",))
def first_revision() -> Server:
    return Server(lookup(found, annotations=None), revisions=("2024-11-05",))


@correct("middle-revision", "Speaks 2025-06-18 alone.", tools=WORKS)
def middle_revision() -> Server:
    return Server(lookup(found), revisions=("2025-06-18",))


@correct("nothing-at-all", "Has no tools, no resources and no prompts, and says so.")
def nothing_at_all() -> Server:
    return Server()


@correct("no-arguments", "Its tools take no arguments.", tools={"opening_hours": "fully_working"})
def no_arguments() -> Server:
    return Server(Tool("opening_hours", answers("9 to 17")), Tool("address", answers("1 Main St")))


@correct(
    "many-enums",
    "All arguments are enums, all values work.",
    tools={"shelf": "fully_working"},
)
def many_enums() -> Server:
    schema = accepts(
        "genre",
        genre={"type": "string", "enum": GENRES},
        order={"enum": ["title", "author", None]},
        volume={"type": "integer", "enum": [1, 2, 3]},
    )
    sample = {"genre": "novel", "volume": 2}
    return Server(Tool("shelf", lambda given: text(f"shelf {given['genre']}"), schema, sample))


@correct("nested-schema", "Arguments nest, refer to each other and have alternatives.")
def nested_schema() -> Server:
    schema = accepts(
        "filter",
        filter={
            "type": "object",
            "properties": {
                "years": {"type": "array", "items": {"$ref": "#/$defs/year"}, "maxItems": 3},
                "author": {"oneOf": [{"type": "string", "minLength": 1}, {"type": "null"}]},
            },
            "required": ["years"],
            "additionalProperties": False,
        },
    )
    schema["$defs"] = {"year": {"type": "integer", "minimum": 1450, "maximum": 2026}}
    sample = {"filter": {"years": [1871], "author": "Eliot"}}
    return Server(Tool("search", lambda given: text(f"{len(given)} filter"), schema, sample))


@correct("output-schema", "Answers with structured content that fits its outputSchema.")
def output_schema() -> Server:
    shape = {
        "type": "object",
        "properties": {"title": {"type": "string"}, "copies": {"type": "integer", "minimum": 0}},
        "required": ["title", "copies"],
    }
    return Server(
        lookup(
            lambda given: structured({"title": given["title"], "copies": 3}),
            more={"outputSchema": shape},
        )
    )


@correct("resources-and-prompts", "Has resources, a template and prompts beside its tool.")
def resources_and_prompts() -> Server:
    return Server(
        lookup(found),
        resources=(Resource("library://hours", "hours"), Resource("library://rules", "rules")),
        templates=({"uriTemplate": "library://books/{shelfmark}", "name": "book"},),
        prompts=(Prompt("recommend", ("mood",)), Prompt("surprise")),
    )


@correct("resources-without-tools", "Has resources and nothing else.")
def resources_without_tools() -> Server:
    return Server(resources=(Resource("library://hours", "hours"),))


@correct("five-pages", "Lists its tools on five pages.")
def five_pages() -> Server:
    return Server(*(Tool(f"shelf_{n}", answers(f"shelf {n}")) for n in range(10)), page_size=2)


@correct("numbers-of-all-kinds", "Has every kind of numeric limit and keeps them all.")
def numbers_of_all_kinds() -> Server:
    schema = accepts(
        "price",
        price={"type": "number", "exclusiveMinimum": 0, "maximum": 1000},
        pages={"type": "integer", "multipleOf": 4, "minimum": 4},
        weights={"type": "array", "items": {"type": "number"}, "uniqueItems": True, "minItems": 1},
    )
    return Server(Tool("estimate", answers("an estimate"), schema, {"price": 9.5, "pages": 8}))


@correct("ids-from-a-list", "One tool takes only the ids that the other one lists.")
def ids_from_a_list() -> Server:
    def get(given: Object) -> Object:
        title = SHELVES.get(given["shelf_id"])
        return text(title) if title else refusal("There is no shelf with this shelf_id.")

    ids = structured({"shelves": [{"shelf_id": shelf} for shelf in SHELVES]})
    schema = accepts("shelf_id", shelf_id={"type": "string", "description": "From list_shelves."})
    return Server(
        Tool("list_shelves", lambda given: ids), Tool("get_shelf", get, schema, {"shelf_id": "A1"})
    )


@correct("blocks-of-all-kinds", "Answers with text, an image, a sound, a link and a resource.")
def blocks_of_all_kinds() -> Server:
    data = "UklGRg=="
    inside = {"uri": "library://hours", "mimeType": "text/plain", "text": "9 to 17"}
    blocks = [
        {"type": "text", "text": "a cover"},
        {"type": "image", "data": data, "mimeType": "image/webp"},
        {"type": "audio", "data": data, "mimeType": "audio/wav"},
        {"type": "resource_link", "uri": "library://hours", "name": "hours"},
        {"type": "resource", "resource": inside},
    ]
    cover = Tool("cover", lambda given: {"content": blocks})
    return Server(cover, resources=(Resource("library://hours", "hours"),))


@correct("text-in-many-scripts", "Names, descriptions and answers are in many scripts.")
def text_in_many_scripts() -> Server:
    words = "книга 書 كتاب 📚"
    tool = lookup(answers(words), description=f"Find {words}.")
    info = {"name": "small-library", "title": words, "version": "1.0.0"}
    return Server(tool, info=info, escapes=False)


@correct("slow-start", "Needs a second before it reads its first line.", tools=WORKS)
class SlowStart(Server):
    """A server that loads its books first."""

    def __init__(self) -> None:
        super().__init__(lookup(found))

    def run(self) -> int:
        """Serve a second late."""
        time.sleep(1)
        return super().run()


@correct("talkative-stderr", "Writes a line to standard error for each message.", tools=WORKS)
class TalkativeStderr(Server):
    """A server that logs where it should."""

    def __init__(self) -> None:
        super().__init__(lookup(found))

    def hear(self, line: bytes) -> None:
        """Log that a line came."""
        print(f"INFO a line of {len(line)} bytes", file=sys.stderr, flush=True)
        super().hear(line)
