from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import jsonschema_rs
import orjson
import pytest

from bench.corpus import MESSAGES, REVISION, Line, build
from bench.traffic.faults import FAULTS
from bench.traffic.styles import STYLES

ROOT = Path(__file__).parents[2]
SPEC = ROOT.parent / "shared" / "spec"


@pytest.fixture(scope="module")
def lines() -> list[Line]:
    return build()


def _digest(lines: Iterable[Line]) -> str:
    return hashlib.sha256(b"\n".join(line.raw for line in lines)).hexdigest()


def _share(lines: list[Line], kind: str, method: str = "") -> float:
    hits = [line for line in lines if line.kind == kind and method in ("", line.method)]
    return len(hits) / len(lines)


def test_the_same_seed_gives_the_same_bytes_in_every_process() -> None:
    script = "import test_corpus as t; print(t._digest(t.build(500, seed=7)))"
    folders = [str(ROOT), str(ROOT / "src"), str(Path(__file__).parent)]
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path[:0] = {folders!r}; {script}"],
        env={**os.environ, "PYTHONHASHSEED": "1"},
        capture_output=True,
        check=True,
        text=True,
    )
    assert done.stdout.strip() == _digest(build(500, seed=7)) == _digest(build(500, seed=7))


def test_another_seed_gives_other_bytes() -> None:
    assert _digest(build(500, seed=7)) != _digest(build(500, seed=8))


def test_there_are_20000_messages_in_about_39_megabytes(lines: list[Line]) -> None:
    assert len(lines) == MESSAGES == 20_000
    assert 38e6 < sum(len(line.raw) for line in lines) < 40e6


@pytest.mark.parametrize(
    ("kind", "method", "low", "high"),
    [
        ("request", "tools/call", 0.28, 0.32),
        ("result", "tools/call", 0.26, 0.30),
        ("result", "tools/list", 0.009, 0.012),
        ("notification", "", 0.18, 0.22),
        ("error", "", 0.012, 0.021),
    ],
)
def test_kinds_of_messages_keep_their_proportions(
    lines: list[Line], kind: str, method: str, low: float, high: float
) -> None:
    assert low < _share(lines, kind, method) < high


def test_one_message_in_twenty_is_broken(lines: list[Line]) -> None:
    broken = sum(line.fault is not None for line in lines)
    assert 0.047 <= broken / len(lines) <= 0.053


def test_every_kind_of_fault_occurs(lines: list[Line]) -> None:
    assert {line.fault for line in lines} - {None} == {fault.name for fault in FAULTS}


def test_faults_have_names_of_their_own() -> None:
    assert max(Counter(fault.name for fault in FAULTS).values()) == 1


def test_about_58_percent_of_the_bytes_are_as_orjson_would_write_them(lines: list[Line]) -> None:
    whole = [line.raw for line in lines if line.fault is None]
    canonical = [raw for raw in whole if orjson.dumps(orjson.loads(raw)) == raw]
    assert 0.55 < sum(map(len, canonical)) / sum(map(len, whole)) < 0.61


def test_the_styles_share_all_bytes() -> None:
    assert sum(style.share for style in STYLES) == pytest.approx(1)


def test_a_message_is_one_line(lines: list[Line]) -> None:
    assert not any(b"\n" in line.raw for line in lines)


def test_every_response_follows_its_request_and_no_id_is_used_twice(lines: list[Line]) -> None:
    asked: set[int | str] = set()
    answered: set[int | str] = set()
    for line in _whole_exchanges(lines):
        message = json.loads(line.raw)
        if line.kind == "request":
            assert message["id"] not in asked
            asked.add(message["id"])
        elif line.kind in ("result", "error"):
            assert message["id"] in asked
            assert message["id"] not in answered
            answered.add(message["id"])
    assert len(answered) > 7_000


def _whole_exchanges(lines: list[Line]) -> list[Line]:
    """The whole messages, without the answers to broken requests."""
    whole = [line for line in lines if line.fault is None]
    ids = {json.loads(line.raw)["id"] for line in whole if line.kind == "request"}
    return [
        line
        for line in whole
        if line.kind not in ("result", "error") or json.loads(line.raw)["id"] in ids
    ]


def test_sessions_begin_with_the_handshake(lines: list[Line]) -> None:
    methods = [(line.kind, line.method) for line in lines]
    starts = [index for index, pair in enumerate(methods) if pair == ("request", "initialize")]
    assert len(starts) > 200
    for start in starts[:-1]:
        assert methods[start + 1 : start + 3] == [
            ("result", "initialize"),
            ("notification", "notifications/initialized"),
        ]


def test_the_official_schema_accepts_every_whole_message(lines: list[Line]) -> None:
    accepts = _official_schema()
    refused = [
        line.raw
        for line in lines
        if line.fault is None and not accepts(line, orjson.loads(line.raw))
    ]
    assert refused == []


def _official_schema() -> Callable[[Line, Any], bool]:
    """The official judgement of a message, from the definition of its kind and method."""
    if not SPEC.exists():
        pytest.skip("the official schemas are not at ../shared/spec")
    schema = orjson.loads((SPEC / "schemas" / REVISION / "schema.json").read_bytes())
    methods = orjson.loads((SPEC / "methods.json").read_bytes())[REVISION]["methods"]
    validators: dict[tuple[str, str], Any] = {}

    def compiled(kind: str, method: str) -> Any:
        known = methods[method]
        definition = {"error": "JSONRPCErrorResponse", "result": "JSONRPCResultResponse"}.get(
            kind, known["definition"]
        )
        root: dict[str, Any] = {**schema, "$ref": f"#/$defs/{definition}"}
        if kind == "result":
            root["properties"] = {"result": {"$ref": f"#/$defs/{known['result']}"}}
        return jsonschema_rs.validator_for(root, validate_formats=True)

    def accepts(line: Line, message: Any) -> bool:
        key = (line.kind, line.method)
        validator = validators.get(key) or validators.setdefault(key, compiled(*key))
        return bool(validator.is_valid(message))

    return accepts
