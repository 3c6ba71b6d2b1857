"""Servers that do not do what their inputSchema says."""

from __future__ import annotations

from tests.servers.base import Server
from tests.servers.planting import Family
from tests.servers.things import Object, Tool, accepts, found, lookup, refusal, text

SERVERS = Family("drift")
plant = SERVERS.plant
ADVERTISED = ["novel", "poetry", "drama"]


def genres(*served: str, advertised: list[str] = ADVERTISED) -> Server:
    """A server that advertises these genres, and serves those."""

    def run(given: Object) -> Object:
        if given["genre"] in served:
            return text(f"shelf of {given['genre']}")
        return refusal(f"Invalid genre. Allowed values: {', '.join(served)}.")

    kind = {"type": "string", "enum": advertised, "description": "The genre."}
    tool = Tool("shelf", run, accepts("genre", genre=kind), {"genre": advertised[0]})
    return Server(tool._replace(unchecked=("enum",)))


@plant("enum-value-rejected", "Rejects a value of its enum.", "DRIFT-001")
def enum_value_rejected() -> Server:
    return genres("novel", "poetry")


@plant("value-outside-enum-accepted", "Accepts values outside its enum.", "DRIFT-002")
def value_outside_enum_accepted() -> Server:
    return Server(
        Tool(
            "shelf",
            lambda given: text(f"shelf of {given['genre']}"),
            accepts("genre", genre={"type": "string", "enum": ADVERTISED}),
            {"genre": "novel"},
            unchecked=("enum",),
        )
    )


@plant("rejection-lists-more", "Its rejection allows a value that is not advertised.", "DRIFT-006")
def rejection_lists_more() -> Server:
    return genres(*ADVERTISED, "essay")


@plant("wrong-type-accepted", "Accepts a text for a number.", "DRIFT-003")
def wrong_type_accepted() -> Server:
    return Server(lookup(found, unchecked=("type",)))


@plant("required-not-enforced", "Answers without its required argument.", "DRIFT-004")
def required_not_enforced() -> Server:
    return Server(lookup(found, unchecked=("required",)))


@plant("maximum-not-enforced", "Accepts more than its maximum.", "DRIFT-005")
def maximum_not_enforced() -> Server:
    return Server(lookup(found, unchecked=("maximum",)))


@plant("length-not-enforced", "Accepts texts longer than its maxLength.", "DRIFT-005")
def length_not_enforced() -> Server:
    return Server(lookup(found, unchecked=("maxLength",)))


@plant("pattern-not-enforced", "Accepts texts that break its pattern.", "DRIFT-005")
def pattern_not_enforced() -> Server:
    isbn = {"type": "string", "pattern": "^[0-9]{13}$"}
    sample = {"isbn": "9780141439549"}
    tool = Tool("by_isbn", lambda given: text("Middlemarch"), accepts("isbn", isbn=isbn), sample)
    return Server(tool._replace(unchecked=("pattern",)))


@plant("items-not-enforced", "Accepts longer arrays than its maxItems.", "DRIFT-005")
def items_not_enforced() -> Server:
    years = {"type": "array", "items": {"type": "integer"}, "minItems": 1, "maxItems": 3}
    tool = Tool("by_year", lambda given: text("2 books"), accepts("years", years=years))
    return Server(tool._replace(sample={"years": [1871]}, unchecked=("maxItems",)))


@plant("unknown-argument-accepted", "Accepts arguments that its schema forbids.", "DRIFT-007")
def unknown_argument_accepted() -> Server:
    return Server(lookup(found, unchecked=("additionalProperties",)))


@plant(
    "rejection-without-a-list",
    "Rejects values of its enum and names none that it takes.",
    "DRIFT-001",
)
def rejection_without_a_list() -> Server:
    def run(given: Object) -> Object:
        language = given["language"]
        return text("3 books") if language == "en" else refusal(f"Unsupported language: {language}")

    language = {"type": "string", "enum": ["en", "fr", "de"]}
    return Server(
        Tool("by_language", run, accepts("language", language=language), {"language": "en"})
    )
