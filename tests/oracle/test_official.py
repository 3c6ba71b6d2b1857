"""The oracle itself: its units, its verdicts, and the errata that it puts right."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any, Final

import pytest

from mcp_assay.spec.revisions import R2025_11_25, R2026_07_28, REVISIONS
from tests.oracle import ERRATA, SPEC, Erratum, Unit, needs_spec, official, systematic
from tests.oracle.official import is_canonical_base64

pytestmark = needs_spec
every_revision = pytest.mark.parametrize("revision", REVISIONS)

ERRATUM_EXAMPLES: Final[dict[str, tuple[str, Any]]] = {
    "elicit-content-number": (
        "elicitation/create",
        {"action": "accept", "content": {"height": 1.75}},
    ),
    "json-value-number-null": (
        "server/discover",
        {
            "supportedVersions": ["2026-07-28"],
            "capabilities": {"experimental": {"com.example/x": {"ratio": 0.5, "limit": None}}},
            "resultType": "complete",
            "ttlMs": 0,
            "cacheScope": "private",
        },
    ),
    "tool-property-schema-boolean": (
        "tools/list",
        {"tools": [{"name": "t", "inputSchema": {"type": "object", "properties": {"x": True}}}]},
    ),
}


@pytest.mark.parametrize(
    ("erratum", "revision"),
    [(erratum, revision) for erratum in ERRATA for revision in erratum.revisions],
    ids=lambda value: value.name if isinstance(value, Erratum) else value,
)
def test_an_erratum_lets_pass_what_the_published_file_rejects(
    erratum: Erratum, revision: str
) -> None:
    method, result = ERRATUM_EXAMPLES[erratum.name]
    unit, message = answer_to(revision, method, result)
    assert official(revision).verdict(unit, message)
    assert not official(revision).verdict(unit, message, errata=False)


def answer_to(revision: str, method: str, result: Any) -> tuple[Unit, Any]:
    """The answer as a message; in 2026-07-28 a form's answer travels in the next request."""
    if revision == R2026_07_28 and method == "elicitation/create":
        unit = official(revision).unit("request", "tools/call")
        message = next(
            case.message
            for case in systematic(official(revision))
            if case.unit == unit and case.valid
        )
        params = {**message["params"], "inputResponses": {"height": result}}
        return unit, {**message, "params": params}
    variant = "complete" if revision == R2026_07_28 else None
    unit = official(revision).unit("result", method, variant)
    return unit, {"jsonrpc": "2.0", "id": 1, "result": result}


@every_revision
def test_errata_only_ever_allow_more(revision: str) -> None:
    oracle = official(revision)
    changed = [
        oracle.verdict(case.unit, case.message)
        for case in systematic(official(revision))
        if oracle.verdict(case.unit, case.message)
        != oracle.verdict(case.unit, case.message, errata=False)
    ]
    assert set(changed) == {True}


@pytest.mark.parametrize(
    ("revision", "requests", "notifications", "results", "errors"),
    [
        ("2024-11-05", 15, 9, 15, 1),
        ("2025-03-26", 15, 9, 15, 1),
        ("2025-06-18", 16, 9, 16, 1),
        ("2025-11-25", 20, 11, 23, 2),
        ("2026-07-28", 10, 8, 13, 4),
    ],
)
def test_each_revision_has_its_number_of_units(
    revision: str, requests: int, notifications: int, results: int, errors: int
) -> None:
    kinds = Counter(unit.kind for unit in official(revision).units())
    assert kinds == {
        "request": requests,
        "notification": notifications,
        "result": results,
        "error": errors,
    }


def test_answers_travel_against_their_requests() -> None:
    assert official(R2025_11_25).unit("result", "tools/call").directions == {"s2c"}
    assert official(R2025_11_25).unit("result", "roots/list").directions == {"c2s"}
    assert official(R2025_11_25).unit("error", None).directions == {"c2s", "s2c"}
    assert official(R2026_07_28).unit("error", None).directions == {"s2c"}


def test_a_result_is_judged_by_the_result_type_it_has() -> None:
    oracle = official(R2026_07_28)
    complete, asking = (
        official(R2026_07_28).unit("result", "tools/call", variant)
        for variant in ("complete", "input_required")
    )
    message = {"jsonrpc": "2.0", "id": 1, "result": {"resultType": "input_required"}}
    assert oracle.verdict(complete, message)
    message["result"] = {"resultType": "complete"}
    assert not oracle.verdict(asking, message)


def test_an_error_is_judged_by_its_code() -> None:
    plain = official(R2025_11_25).unit("error", None)
    needs_url = {"code": -32042, "message": "Open the page first."}
    message = {"jsonrpc": "2.0", "id": 1, "error": needs_url}
    assert not official(R2025_11_25).verdict(plain, message)
    assert official(R2026_07_28).verdict(official(R2026_07_28).unit("error", None), message)


READ_WITHOUT_CACHE_HINTS: Final = "read-resource-result-response.json"
"""Passes the official union only as an answer that asks for input, which it is not."""


def test_the_official_examples_of_whole_messages_are_accepted_but_for_one() -> None:
    oracle = official(R2026_07_28)
    rejected, seen = [], 0
    for unit in oracle.units():
        name = f"{unit.definition}Response" if unit.kind == "result" else unit.definition
        for file in sorted((SPEC / "examples-2026-07-28" / name).glob("*.json")):
            seen += 1
            if not oracle.verdict(unit, json.loads(file.read_text(encoding="utf-8"))):
                rejected.append(file.name)
    assert seen >= 30
    assert rejected == [READ_WITHOUT_CACHE_HINTS]


@pytest.mark.parametrize("text", ["", "QQ==", "QUI=", "QUJD", "+/+/", "QUJDRA=="])
def test_canonical_base64_is_recognised(text: str) -> None:
    assert is_canonical_base64(text)


@pytest.mark.parametrize("text", ["QQ", "QR==", "QUJ=", "QQ==\n", "Q===", "-_-_", "QQ==QQ==", " "])
def test_other_text_is_not_canonical_base64(text: str) -> None:
    assert not is_canonical_base64(text)
