"""The worker: right where it can be, stopped where it must be, and ready for the next check."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import Any, Final

import orjson
import pytest

from mcp_assay.client.schema_worker import GIVEN_UP, NOT_STARTED, WORN_OUT, Budget, SchemaWorker
from mcp_assay.schema.checker import Schemas
from mcp_assay.schema.messages import VALID, SchemaVerdict
from tests.patience import LONGEST
from tests.schema.bombs import chain, doubling, nested

ROOT: Final = Path(__file__).resolve().parents[2]
SHORT: Final = Budget(seconds=1, start_seconds=LONGEST)
AMPLE: Final = Budget(seconds=5, start_seconds=LONGEST)
SLACK: Final = 30.0
"""Seconds for a new child to start, and for a busy machine; what is not stopped takes hours."""

LOOK_AHEAD: Final = orjson.dumps({"pattern": "^(?=a)a"})
ENDLESS: Final = orjson.dumps(doubling(40))

BOMBS: Final[dict[str, tuple[Any, Any, set[str]]]] = {
    "allOf doubled 28 times": (doubling(28), "a", {"undecided"}),
    "oneOf doubled 28 times": (
        doubling(28, {"type": "string"}, "oneOf"),
        "a",
        {"undecided", "invalid"},
    ),
    "anyOf doubled 28 times, and a fault": (
        doubling(28, {"type": "string"}, "anyOf"),
        1,
        {"undecided", "invalid"},
    ),
    "allOf doubled 16 times, and a fault": (doubling(16), 1, {"invalid"}),
    "growth with the depth of the value": (
        {"allOf": [{"items": {"$ref": "#"}}, {"items": {"$ref": "#"}}]},
        nested(lambda inner: [inner], 100),
        {"valid", "undecided"},
    ),
    "a chain of references": (chain(4_000), "a", {"valid", "undecided"}),
    "too long a chain of references": (chain(10_000), "a", {"undecided"}),
    "a deep value": (
        {"items": {"$ref": "#"}},
        nested(lambda inner: [inner], 40_000),
        {"undecided"},
    ),
    "nested plusses": ({"pattern": "^(a+)+$"}, "a" * 100_000 + "b", {"invalid"}),
    "look-ahead": ({"pattern": r"^(?=a)(a|aa)+\1$"}, "a" * 60 + "b", {"undecided", "invalid"}),
    "look-ahead that backtracks": (
        {"pattern": "^(?=a)(?:(?=a)a+)+$"},
        "a" * 40 + "b",
        {"undecided"},
    ),
    "look-ahead under not": (
        {"not": {"pattern": "^(?=a)(?:(?=a)a+)+$"}},
        "a" * 40 + "b",
        {"undecided"},
    ),
    "counted repetitions": ({"pattern": "((a{100}){100}){100}"}, "a", {"undecided"}),
    "counted repetitions that are slow": (
        {"pattern": "(?:[ab]{0,2000}a)*c"},
        "ab" * 100_000,
        {"undecided"},
    ),
    "a pattern of 10 MB": ({"pattern": "a" * 10_000_000}, "a", {"undecided"}),
    "unique items": ({"uniqueItems": True}, [{"a": n} for n in range(50_000)], {"valid"}),
    "a million faults": ({"items": {"type": "string"}}, [1] * 1_000_000, {"invalid"}),
}
"""Each with the outcomes that are right: a quick machine may come to the end of some."""


@pytest.fixture
def worker() -> Iterator[SchemaWorker]:
    with SchemaWorker(AMPLE) as worker:
        yield worker


@pytest.fixture
def hasty_worker() -> Iterator[SchemaWorker]:
    with SchemaWorker(SHORT) as worker:
        yield worker


def ended(pid: int) -> bool:
    """Whether a process ends soon, or has ended."""
    if not hasattr(os, "pidfd_open"):
        pytest.skip("this platform cannot wait for the process of another one")
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        poll = select.poll()
        poll.register(handle, select.POLLIN)
        return bool(poll.poll(LONGEST * 1000))
    finally:
        os.close(handle)


@pytest.mark.parametrize("what", BOMBS)
def test_a_bomb_costs_no_more_than_the_budget_and_the_next_check_works(what: str) -> None:
    schema, value, outcomes = BOMBS[what]
    with SchemaWorker(SHORT if "undecided" in outcomes else AMPLE) as worker:
        schemas = Schemas(worker)
        begin = monotonic()
        verdict = schemas.prepare(schema).check(value)
        assert monotonic() - begin < SHORT.seconds + SLACK
        assert verdict.outcome in outcomes
        assert worker.check(LOOK_AHEAD, b'"a"') == VALID


def test_patterns_with_look_around_are_matched(worker: SchemaWorker) -> None:
    assert worker.check(LOOK_AHEAD, b'"ab"') == VALID
    assert worker.check(LOOK_AHEAD, b'"ba"').outcome == "invalid"


def test_the_first_fault_is_reported_where_all_would_be_too_many(worker: SchemaWorker) -> None:
    verdict = worker.check(b'{"items": {"type": "string"}}', orjson.dumps([1] * 300_000))
    assert verdict.outcome == "invalid"
    assert verdict.problems[0].path == (0,)
    assert verdict.problems[0].text == "is an integer, the schema says string"


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        (b'{"$ref": "https://example.invalid/"}', "which is remote and not fetched"),
        (b'{"pattern": "("}', "invalid or too large pattern at /pattern"),
        (b'{"pattern": "(?=a)", "type": 1}', "not valid in its dialect"),
        (b"[", "is not valid JSON"),
    ],
)
def test_the_child_refuses_what_cannot_be_used(
    schema: bytes, words: str, worker: SchemaWorker
) -> None:
    assert words in str(worker.check(schema, b"1").reason)


@pytest.mark.parametrize("value", [b"{\n}", b"\n1\n", b'"' + b"a" * 5_000_000 + b'"'])
def test_any_json_text_goes_through(value: bytes, worker: SchemaWorker) -> None:
    assert worker.check(b'{\n"$dynamicRef": "#/$defs/a",\n"$defs": {"a": true}}', value) == VALID


def test_a_value_that_is_no_json_is_undecided(worker: SchemaWorker) -> None:
    assert worker.check(b"true", b"[").outcome == "undecided"
    assert worker.check(b"true", b"[]") == VALID


def test_no_child_is_started_before_the_first_check(worker: SchemaWorker) -> None:
    assert worker.pid is None
    worker.check(LOOK_AHEAD, b"1")
    assert worker.pid is not None


def test_one_child_serves_many_checks(worker: SchemaWorker) -> None:
    pids = {worker.pid for _ in range(10) if worker.check(LOOK_AHEAD, b"1") == VALID}
    assert len(pids) == 1


def test_a_stopped_child_is_replaced(hasty_worker: SchemaWorker) -> None:
    hasty_worker.check(LOOK_AHEAD, b"1")
    first = hasty_worker.pid
    assert first is not None
    verdict = hasty_worker.check(ENDLESS, b'"a"')
    assert "took more than 1 seconds" in str(verdict.reason)
    assert hasty_worker.pid is None
    assert hasty_worker.check(LOOK_AHEAD, b"1") == VALID
    assert hasty_worker.pid != first
    assert ended(first)


def test_a_child_that_died_by_itself_is_replaced(worker: SchemaWorker) -> None:
    worker.check(LOOK_AHEAD, b"1")
    assert worker.pid is not None
    os.kill(worker.pid, signal.SIGKILL)
    assert ended(worker.pid)
    assert worker.check(LOOK_AHEAD, b"1") == VALID


def test_a_closed_worker_leaves_no_process_behind(worker: SchemaWorker) -> None:
    worker.check(LOOK_AHEAD, b"1")
    pid = worker.pid
    assert pid is not None
    worker.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    worker.close()
    assert worker.check(LOOK_AHEAD, b"1") == VALID


def test_a_schema_that_was_stopped_twice_is_not_tried_again(hasty_worker: SchemaWorker) -> None:
    reasons = [hasty_worker.check(ENDLESS, b'"a"').reason for _ in range(3)]
    assert GIVEN_UP not in reasons[:2]
    assert hasty_worker.check(ENDLESS, b'"b"') == SchemaVerdict("undecided", reason=GIVEN_UP)
    assert hasty_worker.check(LOOK_AHEAD, b"1") == VALID


def test_after_many_stops_nothing_is_tried_again() -> None:
    with SchemaWorker(Budget(seconds=0.1, stops=2)) as worker:
        for times in (40, 41):
            assert worker.check(orjson.dumps(doubling(times)), b'"a"').reason != WORN_OUT
        assert worker.check(LOOK_AHEAD, b"1") == SchemaVerdict("undecided", reason=WORN_OUT)


def test_memory_is_limited() -> None:
    lists = b"[" + b"[]," * 4_000_000 + b"[]]"
    with SchemaWorker(Budget(seconds=LONGEST, memory=200 * 1024 * 1024)) as worker:
        begin = monotonic()
        assert worker.check(b"true", lists).outcome == "undecided"
        assert monotonic() - begin < LONGEST
        assert worker.check(b"true", b"[]") == VALID


def test_a_child_that_cannot_be_started_leaves_the_value_undecided(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for missing in ("/nowhere/python", "/bin/false"):
        monkeypatch.setattr(sys, "executable", missing)
        with SchemaWorker() as worker:
            assert worker.check(LOOK_AHEAD, b"1") == SchemaVerdict("undecided", reason=NOT_STARTED)


ORPHAN: Final = """
import os, sys
from mcp_assay.client.schema_worker import Budget, SchemaWorker

worker = SchemaWorker(Budget(seconds=1))
worker.check(b"true", b"1")
print(worker.pid, flush=True)
if sys.argv[1:]:
    child = worker._child
    child._send(b"%d 3\\n%b" % (len(sys.argv[1]), sys.argv[1].encode()) + b'"a"')
os._exit(0)
"""


@pytest.mark.parametrize("schema", [[], [ENDLESS]], ids=["idle", "at work"])
def test_the_child_ends_when_its_parent_is_gone(schema: list[bytes]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", ORPHAN, *schema],
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        check=True,
    )
    assert ended(int(done.stdout))
