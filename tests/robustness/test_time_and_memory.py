"""Long hostile texts take bounded time; large messages and floods of names bounded memory."""

from __future__ import annotations

import sys
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import orjson
import pytest

from mcp_assay.rules.engine.checker import SessionChecker
from mcp_assay.rules.engine.fast import fast_checks
from mcp_assay.rules.engine.samples import error, notification, request, result
from mcp_assay.spec.methods import methods_in
from mcp_assay.spec.revisions import R2025_11_25, REVISIONS
from tests.patience import LONGEST
from tests.robustness.hostile import run

MOST_SECONDS: Final = 3.0
MOST_MEGABYTES: Final = 900
FLOOD: Final = 20_000
MOST_KEPT_BYTES: Final = 6_000_000


def test_no_pattern_takes_more_than_linear_time_on_long_texts() -> None:
    slowest = run("from tests.robustness.long_texts import main; main()", LONGEST)
    assert float(slowest.split("\t")[0]) < MOST_SECONDS, slowest


LARGE: Final = {
    "one string": ("tools/call", '"content":[{"type":"text","text":"%s"}]', "tea ", ""),
    "many blocks": ("tools/call", '"content":[%s]', '{"type":"text","text":"tea"}', ","),
    "many wrong blocks": ("tools/call", '"content":[%s]', '{"type":"txt","text":"tea"}', ","),
    "many wrong roles": ("prompts/get", '"messages":[%s]', '{"role":"User"}', ","),
}
"""Results of nearly 16 MiB: the method they answer, their members, what is repeated and how."""

JUDGE_LARGE: Final = """
from pathlib import Path
from mcp_assay.rules.engine.checker import SessionChecker
from mcp_assay.wire.notes import MAX_MESSAGE_BYTES

method, members, item, separator = {large!r}
room = MAX_MESSAGE_BYTES - 200
items = separator.join([item] * (room // (len(item) + len(separator))))
raw = ('{{"jsonrpc":"2.0","id":1,"result":{{' + members.replace("%s", items) + "}}}}").encode()
checker = SessionChecker("2025-11-25")
found = []
for _ in range({rounds}):
    checker.check(b'{{"jsonrpc":"2.0","id":1,"method":"%s"}}' % method.encode(), "c2s")
    found = checker.check(raw, "s2c")
status = Path("/proc/self/status").read_text().splitlines()
(peak,) = [line.split()[1] for line in status if line.startswith("VmHWM:")]
print(len(found), int(peak) // 1024)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="/proc tells no peak memory")
@pytest.mark.parametrize("what", LARGE)
def test_a_message_of_16_mib_is_judged_in_bounded_memory(what: str) -> None:
    is_wrong = "wrong" in what
    code = JUDGE_LARGE.format(large=LARGE[what], rounds=1 if is_wrong else 4)
    found, megabytes = run(code, LONGEST).split()
    assert int(found) == (101 if is_wrong else 0)
    assert int(megabytes) < MOST_MEGABYTES


def flood(start: int) -> Iterator[tuple[str, Any]]:
    """Messages that have nothing in common but their hostility."""
    for number in range(start, start + FLOOD // 4):
        yield "c2s", request(f"unheard-of/{number}", {f"member{number}": 1}, id=number)
        yield "s2c", result({f"member{number}": number, "_meta": {f"key{number}": 1}}, id=number)
        yield "s2c", error(number, f"Failure {number}", id=f"id{number}")
        yield "c2s", notification(f"notifications/unheard-of{number}")


def caches() -> dict[str, Any]:
    """Every cache of the package, by its name."""
    return {
        f"{module.__name__}.{name}": thing
        for module in [*sys.modules.values()]
        if module.__name__.startswith("mcp_assay")
        for name, thing in vars(module).items()
        if hasattr(thing, "cache_info") and thing.__module__ == module.__name__
    }


def unbounded_sizes() -> dict[str, int]:
    infos = {name: cache.cache_info() for name, cache in caches().items()}
    return {name: info.currsize for name, info in infos.items() if info.maxsize is None}


def feed(checker: SessionChecker, messages: Iterator[tuple[str, Any]]) -> None:
    for direction, message in messages:
        checker.check(orjson.dumps(message), "c2s" if direction == "c2s" else "s2c")


def kept_by(checker: SessionChecker, messages: Iterator[tuple[str, Any]]) -> int:
    """How many bytes are held after the messages that were not held before."""
    tracemalloc.start()
    try:
        feed(checker, messages)
        return tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()


def test_unknown_names_do_not_pile_up() -> None:
    checker = SessionChecker(R2025_11_25)
    feed(checker, flood(0))
    sizes = unbounded_sizes()
    assert kept_by(checker, flood(FLOOD)) < MOST_KEPT_BYTES
    assert unbounded_sizes() == sizes
    most = len(methods_in(R2025_11_25)) + 1
    checks = fast_checks(R2025_11_25)
    tables = [*checks.requests.values(), *checks.notifications.values(), checks.results]
    assert all(len(table) <= most and len(table.seen) <= most for table in tables)


MEGABYTE: Final = 1_000_000
ROUNDS: Final = 40


def bulky(rounds: int) -> Iterator[tuple[str, Any]]:
    """Messages with a megabyte of text at every place that something might remember."""
    for number in range(rounds):
        text = f"{number:09}{rounds:09}" + "x" * MEGABYTE
        yield "c2s", request("ping", id=text)
        yield "c2s", request(text, id=number)
        yield "c2s", request("tools/call", {text: 1, "Name": text})
        yield "c2s", request("tools/call", {"name": "x", "_meta": {text: text}})
        yield "c2s", {**request("ping"), text: 1}
        yield "s2c", error(1, text)
        yield "s2c", result({"content": [{"type": text}]})
        yield (
            "s2c",
            notification("notifications/progress", {"progressToken": text, "progress": text}),
        )
        yield "s2c", notification(f"notifications/{text}")


@pytest.mark.parametrize("revision", REVISIONS[-2:])
def test_long_names_and_values_are_not_remembered(revision: str) -> None:
    checker = SessionChecker(revision)
    feed(checker, bulky(1))
    assert kept_by(checker, bulky(ROUNDS)) < MOST_KEPT_BYTES
