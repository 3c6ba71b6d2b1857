"""The official JSON Schema of a revision as an oracle: the messages it knows, and its verdicts."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

import jsonschema_rs
import pytest

from mcp_assay.spec.revisions import (
    R2024_11_05,
    R2025_06_18,
    R2025_11_25,
    R2026_07_28,
    between,
    require_revision,
)

Schema: TypeAlias = dict[str, Any]
Kind: TypeAlias = Literal["request", "notification", "result", "error"]

SPEC: Final = Path(__file__).resolve().parents[3] / "shared" / "spec"
"""Where the official files lie: beside the project, never inside it."""

needs_spec: Final = pytest.mark.skipif(
    not SPEC.is_dir(), reason="the official schemas are not here: ../shared/spec is absent"
)
"""For tests that ask the oracle."""

ENVELOPES: Final[dict[Kind, tuple[str, ...]]] = {
    "request": ("JSONRPCRequest",),
    "notification": ("JSONRPCNotification",),
    "result": ("JSONRPCResultResponse", "JSONRPCResponse"),
    "error": ("JSONRPCErrorResponse", "JSONRPCError"),
}
"""The definition of each kind's envelope; the first name that a revision has is its own."""

ANSWERS: Final[dict[str, dict[str, str | None]]] = {
    R2025_11_25: {"result": None, "alt_result": "task"},
    R2026_07_28: {"result": "complete", "alt_result": "input_required"},
}
"""Per revision: which variant of an answer each member of methods.json stands for."""

PLAIN_ANSWER: Final[dict[str, str | None]] = {"result": None}
OPPOSITE: Final = {"c2s": "s2c", "s2c": "c2s"}

CANONICAL_BASE64: Final = re.compile(
    r"(?:[A-Za-z0-9+/]{4})*"
    r"(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?"
)
"""Whole groups of four, padded, and no bit set that the padding cuts off; nothing is valid too."""


@dataclass(frozen=True)
class Erratum:
    """A place where an official file says what the specification does not mean."""

    name: str
    revisions: tuple[str, ...]
    reason: str
    apply: Callable[[Schema], None]
    """Corrects the definitions in place."""


@dataclass(frozen=True)
class Unit:
    """One thing that a message can be in a revision.

    `definition` is the method's own: of the whole message for requests, notifications and errors,
    of the member `result` for results. `envelope` is JSON-RPC's part, which holds as well.
    `variant` is the resultType of a result of 2026-07-28 ("complete", "input_required"), "task"
    for the answer of 2025-11-25 to a request with a task, the definition of an error that has its
    own, and None otherwise. `directions` are those in which the message may travel.
    """

    kind: Kind
    method: str | None
    definition: str
    envelope: str
    directions: frozenset[str]
    variant: str | None = None

    @property
    def key(self) -> tuple[str, str | None]:
        """Kind and method: what all variants of a unit share."""
        return self.kind, self.method

    def __str__(self) -> str:
        return " ".join(part for part in (self.kind, self.method, self.variant) if part)


class Official:
    """The official schema of one revision.

    `units()` lists what a message can be, `verdict(unit, message)` asks the schema about one.
    Without `errata` all that are known are put right.
    """

    def __init__(self, revision: str, errata: Iterable[Erratum] | None = None) -> None:
        self.revision = require_revision(revision)
        self._table = _load("methods.json")[revision]
        self._defs_key: str = self._table["defs_key"]
        self.unpatched: Schema = _load(f"schemas/{revision}/schema.json")[self._defs_key]
        self.definitions: Schema = corrected(
            self.unpatched, revision, ERRATA if errata is None else errata
        )
        self._validators: dict[tuple[Unit, bool], jsonschema_rs.Validator] = {}

    def units(self) -> tuple[Unit, ...]:
        """Every unit of the revision: requests, notifications, results, errors."""
        return self._units

    def unit(self, kind: Kind, method: str | None, variant: str | None = None) -> Unit:
        """The unit of that kind, method and variant."""
        wanted = (kind, method, variant)
        return next(u for u in self._units if (u.kind, u.method, u.variant) == wanted)

    def schema(self, unit: Unit) -> Schema:
        """The schema of a whole message of `unit`, to be read beside the definitions."""
        own = self._ref(unit.definition)
        part = {"properties": {"result": own}} if unit.kind == "result" else own
        return {"allOf": [self._ref(unit.envelope), part]}

    def dispatch(self, unit: Unit, message: Any) -> Unit:
        """The unit that `message`, sent as `unit`, says it is by its resultType or error code."""
        if unit.kind == "result":
            result_type = _member(message, "result", "resultType")
            asked = "input_required" if result_type == "input_required" else "complete"
            return self._answers.get((unit.method, asked), unit)
        if unit.kind == "error":
            code = _member(message, "error", "code")
            plain = self._errors[None]
            return self._errors.get(code, plain) if isinstance(code, int | float) else plain
        return unit

    def verdict(self, unit: Unit, message: Any, *, errata: bool = True) -> bool:
        """Whether the schema accepts the whole message as `unit`; `errata=False`: as published.

        A result of 2026-07-28 is judged by the resultType it has, an error by its code, whatever
        variant `unit` is. A request or notification is judged as `unit`, so it is rejected where
        its method is another one, even if that exists too.
        """
        key = self.dispatch(unit, message), errata
        if key not in self._validators:
            self._validators[key] = self._compile(*key)
        return self._validators[key].is_valid(message)

    @cached_property
    def _units(self) -> tuple[Unit, ...]:
        units = [unit for method in self._table["methods"] for unit in self._of_method(method)]
        askers = {way for unit in units if unit.kind == "request" for way in unit.directions}
        return (*units, *self._error_units(_reversed(askers)))

    @cached_property
    def _answers(self) -> dict[tuple[str | None, str], Unit]:
        by_result_type = self.revision == R2026_07_28
        results = [unit for unit in self._units if unit.kind == "result" and by_result_type]
        return {(unit.method, unit.variant): unit for unit in results if unit.variant}

    @cached_property
    def _errors(self) -> dict[Any, Unit]:
        codes = {name: code for code, name in error_definitions(self.unpatched)}
        return {codes.get(unit.definition): unit for unit in self._units if unit.kind == "error"}

    def _of_method(self, method: str) -> Iterator[Unit]:
        entry = self._table["methods"][method]
        kind, directions = entry["kind"], frozenset(entry["directions"])
        if kind not in ENVELOPES:
            return
        yield Unit(kind, method, entry["definition"], self._envelope(kind), directions)
        envelope, back = self._envelope("result"), _reversed(directions)
        for member, variant in ANSWERS.get(self.revision, PLAIN_ANSWER).items():
            if member in entry:
                yield Unit("result", method, entry[member], envelope, back, variant)

    def _error_units(self, directions: frozenset[str]) -> Iterator[Unit]:
        envelope = self._envelope("error")
        yield Unit("error", None, envelope, envelope, directions)
        for _, name in error_definitions(self.unpatched):
            yield Unit("error", None, name, envelope, directions, name)

    def _envelope(self, kind: Kind) -> str:
        return next(name for name in ENVELOPES[kind] if name in self.unpatched)

    def _ref(self, definition: str) -> Schema:
        return {"$ref": f"#/{self._defs_key}/{definition}"}

    def _compile(self, unit: Unit, errata: bool) -> jsonschema_rs.Validator:
        document = {
            "$schema": self._table["dialect"],
            self._defs_key: self.definitions if errata else self.unpatched,
            **self.schema(unit),
        }
        formats = {"byte": is_canonical_base64}
        return jsonschema_rs.validator_for(
            document, formats=formats, validate_formats=True, offline=True
        )


@cache
def official(revision: str) -> Official:
    """The oracle of `revision`, loaded once."""
    return Official(revision)


def is_canonical_base64(text: str) -> bool:
    """Whether `text` is base64 in the one way that RFC 4648 writes those bytes."""
    return CANONICAL_BASE64.fullmatch(text) is not None


def error_definitions(definitions: Schema) -> list[tuple[int, str]]:
    """The codes that have a definition of the whole error message, each with its name."""
    bodies = [
        (name, _member(schema, "properties", "error")) for name, schema in definitions.items()
    ]
    return [
        (part["properties"]["code"]["const"], name)
        for name, body in bodies
        for part in (body or {}).get("allOf", ())
        if "properties" in part
    ]


def corrected(definitions: Schema, revision: str, errata: Iterable[Erratum]) -> Schema:
    """A copy of the definitions with those of the errata that `revision` has put right."""
    patched = copy.deepcopy(definitions)
    for erratum in errata:
        if revision in erratum.revisions:
            erratum.apply(patched)
    return patched


def _numbers_in_form_answers(definitions: Schema) -> None:
    values = definitions["ElicitResult"]["properties"]["content"]["additionalProperties"]
    _retype(values, ["string", "number", "boolean"])


def _numbers_and_null_in_values(definitions: Schema) -> None:
    _retype(definitions["JSONValue"], ["string", "number", "boolean", "null"])


def _boolean_property_schemas(definitions: Schema) -> None:
    for name in ("inputSchema", "outputSchema"):
        schema = definitions["Tool"]["properties"].get(name)
        if schema is not None:
            schema["properties"]["properties"]["additionalProperties"]["type"] = [
                "object",
                "boolean",
            ]


def _retype(schema: Schema, types: list[str]) -> None:
    wrong = ["string", "integer", "boolean"]
    branch = next(part for part in schema.get("anyOf", [schema]) if part.get("type") == wrong)
    branch["type"] = types


ERRATA: Final = (
    Erratum(
        "elicit-content-number",
        between(R2025_06_18, R2026_07_28),
        "an answer in a form may be any number, the file allows integers only",
        _numbers_in_form_answers,
    ),
    Erratum(
        "json-value-number-null",
        (R2026_07_28,),
        "a JSON value may be any number or null, the file allows neither fractions nor null",
        _numbers_and_null_in_values,
    ),
    Erratum(
        "tool-property-schema-boolean",
        between(R2024_11_05, R2025_11_25),
        "true and false are JSON Schemas too, the file wants an object for every property",
        _boolean_property_schemas,
    ),
)
"""What is put right before the schema is asked; `verdict(..., errata=False)` goes without."""


def _reversed(directions: frozenset[str] | set[str]) -> frozenset[str]:
    return frozenset(OPPOSITE[way] for way in directions)


def _member(value: Any, *path: str) -> Any:
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value


@cache
def _load(name: str) -> Any:
    return json.loads((SPEC / name).read_text(encoding="utf-8"))
