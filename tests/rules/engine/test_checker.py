"""The checker over a session: who asked what, which revision is spoken, verdicts that stay."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Final

import orjson
import pytest

from bench.corpus import build
from mcp_assay.model.entry import Direction
from mcp_assay.model.finding import Finding
from mcp_assay.rules.engine.checker import SessionChecker
from mcp_assay.rules.engine.fast import FastChecks, fast_checks
from mcp_assay.rules.engine.samples import (
    CLIENT_META,
    PREFIX,
    error,
    modern_request,
    modern_result,
    notification,
    request,
    result,
)
from mcp_assay.session.correlation import (
    LARGEST_WHOLE,
    LONGEST_KEPT,
    MOST_PENDING,
    Pending,
    RequestOutline,
)
from mcp_assay.spec.revisions import (
    DEFAULT_REVISION,
    R2024_11_05,
    R2025_03_26,
    R2025_06_18,
    R2025_11_25,
    R2026_07_28,
    REVISIONS,
)
from tests.oracle import mutants
from tests.rules.engine.verdicts import accepts

HANDSHAKES: Final = (R2024_11_05, R2025_03_26, R2025_06_18, R2025_11_25)
WRONG_TOOLS: Final = {"tools": [{"name": 7}]}
"""Wrong as an answer to tools/list; to nobody knows what, it is fine."""


def initialize(version: str, *, id: Any = 1) -> dict[str, Any]:
    info = {"name": "inspector", "version": "1.0"}
    return request(
        "initialize", {"protocolVersion": version, "capabilities": {}, "clientInfo": info}, id=id
    )


def initialized(version: str, *, id: Any = 1) -> dict[str, Any]:
    info = {"name": "notes", "version": "1.0"}
    return result({"protocolVersion": version, "capabilities": {}, "serverInfo": info}, id=id)


def say(
    checker: SessionChecker, direction: Direction | None, message: Any
) -> list[tuple[str, str]]:
    return brief(checker.check(orjson.dumps(message), direction))


def brief(found: Sequence[Finding]) -> list[tuple[str, str]]:
    return [(one.rule, one.pointer) for one in found]


def test_a_response_is_judged_by_the_request_that_it_answers() -> None:
    checker = SessionChecker(R2025_11_25)
    assert say(checker, "c2s", request("tools/list", id=7)) == []
    assert say(checker, "s2c", result(WRONG_TOOLS, id=7)) == [
        ("SCHEMA-002", "/result/tools/0/inputSchema"),
        ("SCHEMA-002", "/result/tools/0/name"),
    ]


@pytest.mark.parametrize(
    ("asker", "asked", "answerer", "answered"),
    [
        ("c2s", 7, "s2c", "7"),
        ("c2s", "7", "s2c", 7),
        ("c2s", 7, "c2s", 7),
        ("s2c", 7, "s2c", 7),
        ("c2s", 7, None, 7),
        (None, 7, "s2c", 7),
        ("c2s", 7, "s2c", 8),
    ],
)
def test_only_the_other_side_answers_and_with_the_same_id_of_the_same_type(
    asker: Direction | None, asked: Any, answerer: Direction | None, answered: Any
) -> None:
    checker = SessionChecker(R2025_11_25)
    say(checker, asker, request("ping", id=asked))
    assert say(checker, answerer, result({"status": "ok"}, id=answered)) == []


@pytest.mark.parametrize(("asker", "answerer"), [("c2s", "s2c"), ("s2c", "c2s"), (None, None)])
def test_both_sides_ask_and_ids_of_one_do_not_meet_those_of_the_other(
    asker: Direction | None, answerer: Direction | None
) -> None:
    checker = SessionChecker(R2025_11_25)
    say(checker, asker, request("ping", id=7))
    assert say(checker, answerer, result({"status": "ok"}, id=7)) == [("PING-001", "/result")]


def test_a_request_is_answered_once() -> None:
    checker = SessionChecker(R2025_11_25)
    say(checker, "c2s", request("ping", id=7))
    assert say(checker, "s2c", result({"status": "ok"}, id=7)) == [("PING-001", "/result")]
    assert say(checker, "s2c", result({"status": "ok"}, id=7)) == []


@pytest.mark.parametrize(
    "malformed",
    [
        b'{"id":7,"method":"ping"}',
        b'{"jsonrpc":"2.0","id":7,"method":"ping","params":[]}',
        b'{"jsonrpc":"2.0","id":7,"id":7,"method":"ping"}',
        b'{"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":"\\ud800"}}',
        b'{"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":1e999}}',
        b'\xef\xbb\xbf{"jsonrpc":"2.0","id":7,"method":"ping"}',
    ],
)
def test_the_answer_to_a_malformed_but_legible_request_is_judged_by_its_method(
    malformed: bytes,
) -> None:
    checker = SessionChecker(R2025_11_25)
    assert checker.check(malformed, "c2s")
    assert say(checker, "s2c", result({"status": "ok"}, id=7)) == [("PING-001", "/result")]


@pytest.mark.parametrize(
    "malformed",
    [
        b'{"jsonrpc":"2.0","id":7,"id":7,"result":{"status":"ok"}}',
        b'{"jsonrpc":"2.0","id":7,"result":{"status":"\\ud800"}}',
        b'{"jsonrpc":"1.0","id":7,"result":{"status":"ok"}}',
    ],
)
def test_a_malformed_answer_is_judged_by_its_method_too(malformed: bytes) -> None:
    checker = SessionChecker(R2025_11_25)
    say(checker, "c2s", request("ping", id=7))
    assert ("PING-001", "/result") in brief(checker.check(malformed, "s2c"))


@pytest.mark.parametrize("id", [b"1e30", b"1180591620717411303424", b"null", b"[]"])
def test_an_answer_with_an_unusable_id_is_not_judged_by_an_earlier_request(id: bytes) -> None:
    checker = SessionChecker(R2025_11_25)
    say(checker, "c2s", request("ping", id=7))
    say(checker, "s2c", result({}, id=7))
    found = brief(checker.check(b'{"jsonrpc":"2.0","id":%b,"result":{"status":"ok"}}' % id, "s2c"))
    assert found
    assert ("PING-001", "/result") not in found


def test_a_null_method_does_not_use_up_a_request_of_the_other_side() -> None:
    checker = SessionChecker(R2025_11_25)
    say(checker, "s2c", request("ping", id=7))
    say(checker, "c2s", {"jsonrpc": "2.0", "id": 7, "method": None})
    assert say(checker, "c2s", result({"status": "ok"}, id=7)) == [("PING-001", "/result")]


@pytest.mark.parametrize("version", HANDSHAKES)
def test_a_conversation_follows_what_is_negotiated(version: str) -> None:
    checker = SessionChecker()
    assert checker.revision == DEFAULT_REVISION
    assert say(checker, "c2s", initialize(version)) == []
    assert say(checker, "s2c", initialized(version)) == []
    assert checker.revision == version


@pytest.mark.parametrize("asked", HANDSHAKES)
@pytest.mark.parametrize("settled", HANDSHAKES)
def test_the_answer_to_initialize_has_the_last_word(asked: str, settled: str) -> None:
    checker = SessionChecker()
    say(checker, "c2s", initialize(asked))
    assert checker.revision == asked
    say(checker, "s2c", initialized(settled))
    assert checker.revision == settled


@pytest.mark.parametrize("version", ["2026-07-28", "1.0", 5, None])
def test_a_version_that_has_no_handshake_changes_nothing(version: Any) -> None:
    checker = SessionChecker()
    say(checker, "c2s", initialize(R2024_11_05))
    say(checker, "s2c", initialized(version))
    assert checker.revision == R2024_11_05


def test_a_request_that_names_2026_07_28_in_its_meta_is_judged_by_it() -> None:
    checker = SessionChecker()
    assert say(checker, "c2s", modern_request("server/discover")) == []
    assert checker.revision == R2026_07_28


def test_a_client_of_both_eras_falls_back_to_initialize() -> None:
    checker = SessionChecker()
    say(checker, "c2s", modern_request("server/discover", id=1))
    say(checker, "s2c", error(-32601, "Method not found", id=1))
    assert say(checker, "c2s", initialize(R2025_06_18, id=2)) == []
    assert say(checker, "s2c", initialized(R2025_06_18, id=2)) == []
    assert checker.revision == R2025_06_18
    assert say(checker, "c2s", request("tools/list", id=3)) == []


@pytest.mark.parametrize("start", HANDSHAKES)
def test_a_modern_request_is_recognised_in_every_older_conversation(start: str) -> None:
    checker = SessionChecker()
    for _ in range(5):
        say(checker, "c2s", initialize(start))
        assert say(checker, "c2s", modern_request("ping")) == [("SCHEMA-003", "/method")]
        assert checker.revision == R2026_07_28


@pytest.mark.parametrize("version", HANDSHAKES)
def test_only_2026_07_28_is_named_in_meta(version: str) -> None:
    checker = SessionChecker()
    say(checker, "c2s", modern_request("tools/list"))
    meta = {**CLIENT_META, f"{PREFIX}protocolVersion": version}
    for _ in range(5):
        assert say(checker, "c2s", request("tools/list", {"_meta": meta})) == []
        assert checker.revision == R2026_07_28


@pytest.mark.parametrize("revision", REVISIONS)
def test_a_given_revision_is_kept(revision: str) -> None:
    checker = SessionChecker(revision)
    say(checker, "c2s", initialize(R2024_11_05))
    say(checker, "s2c", initialized(R2024_11_05))
    say(checker, "c2s", modern_request("server/discover"))
    assert checker.revision == revision


@pytest.mark.parametrize("revision", ["", "2025-11-26", "auto"])
def test_an_unknown_revision_is_refused_by_name(revision: str) -> None:
    with pytest.raises(ValueError, match="2025-11-25, 2026-07-28"):
        SessionChecker(revision)


@pytest.mark.parametrize(
    "answer", [result({"tools": [], "ttlMs": 1}, id=1), error(-32002, "Not found", id=1)]
)
def test_a_late_answer_is_judged_by_the_revision_of_its_request(answer: dict[str, Any]) -> None:
    for _ in range(5):
        checker = SessionChecker()
        say(checker, "c2s", initialize(R2025_11_25, id=0))
        say(checker, "c2s", request("tools/list", id=1))
        say(checker, "c2s", modern_request("server/discover", id=2))
        found = checker.check(orjson.dumps(answer), "s2c")
        assert {one.revision for one in found} <= {R2025_11_25}
        assert brief(found) == ([("SCHEMA-005", "/result/ttlMs")] if "result" in answer else [])


DOUBLED: Final = b'{"jsonrpc":"2.0","id":1,"method":"ping","id":1}'


def test_members_that_occur_twice_are_found_unless_nobody_looks() -> None:
    assert brief(SessionChecker().check(DOUBLED)) == [("JSONRPC-018", "/id")]
    assert brief(SessionChecker(duplicates=False).check(DOUBLED)) == []
    assert brief(SessionChecker(duplicates=False).check(b"\xef\xbb\xbf" + DOUBLED)) == [
        ("JSONRPC-019", "")
    ]


def test_neither_check_accepts_a_doubled_member_where_somebody_looks() -> None:
    checker, blind = SessionChecker(), SessionChecker(duplicates=False)
    verdicts = [(accepts(checker, DOUBLED), accepts(blind, DOUBLED)) for _ in range(5)]
    assert verdicts[-1] == (False, True)


MESSAGES: Final[tuple[Any, ...]] = (
    request("tools/list"),
    request("tools/call", {"name": "search", "Arguments": {}}),
    request("resources/read", {"uri": "no uri"}),
    request("nobody/knows"),
    request("ping", id=1.0),
    request("ping", id=2**53),
    notification("notifications/progress", {"progressToken": 7, "progress": 6, "total": 5}),
    notification("notifications/initialized"),
    notification("notifications/unheard-of"),
    result({"tools": [], "_meta": {"com.example/x": 1, "_": 2}}),
    error(-32603, "Internal error"),
    error(-32604, "two\nlines"),
    modern_request("tools/list"),
    modern_result({"tools": []}),
    {"jsonrpc": "2.0"},
    [request("ping")],
    7,
)


@pytest.mark.parametrize("revision", [*REVISIONS, None])
@pytest.mark.parametrize("message", MESSAGES)
def test_the_hundredth_message_is_judged_like_the_first(message: Any, revision: str | None) -> None:
    raw = orjson.dumps(message)
    checker = SessionChecker(revision)
    checker.check(raw, "c2s")
    first = checker.check(raw, "c2s")
    assert all(list(checker.check(raw, "c2s")) == list(first) for _ in range(98))


def test_what_is_accepted_has_no_finding_in_the_traffic_of_the_benchmark() -> None:
    accepting, checking = SessionChecker(R2025_11_25), SessionChecker(R2025_11_25)
    accepted = 0
    lines = build(3_000)
    for line in lines:
        passes = accepts(accepting, line.raw, line.direction)
        found = checking.check(line.raw, line.direction)
        assert not (passes and found), (line, found)
        accepted += passes
    assert accepted >= 0.85 * len(lines)


def test_what_is_accepted_has_no_finding_in_spoilt_traffic() -> None:
    rng = Random(7)
    accepting, checking = SessionChecker(), SessionChecker()
    verdicts = []
    for line in build(1_500):
        message = orjson.loads(line.raw) if line.fault is None else None
        for _, spoilt in zip(range(3), mutants(rng, message), strict=False):
            raw = orjson.dumps(spoilt[1])
            passes = accepts(accepting, raw, line.direction)
            found = checking.check(raw, line.direction)
            assert not (passes and found), raw
            verdicts.append(passes)
    assert sum(verdicts) >= 0.02 * len(verdicts)


def test_a_stream_is_judged_like_its_messages_one_by_one() -> None:
    lines = [(line.raw, line.direction, place) for place, line in enumerate(build(3_000))]
    one_by_one, streaming = SessionChecker(), SessionChecker()
    reported = [found for line in lines if (found := list(one_by_one.check(*line)))]
    streamed = [list(streaming.explain(one)) for one in streaming.suspects(lines)]
    assert [found for found in streamed if found] == reported
    assert len(reported) >= 0.03 * len(lines)


def waiting(pending: Pending[FastChecks]) -> int:
    return sum(pending.answered("s2c", id) is not None for id in range(3 * MOST_PENDING))


def test_requests_that_are_never_answered_are_forgotten_the_oldest_first() -> None:
    pending: Pending[FastChecks] = Pending()
    for id in range(2 * MOST_PENDING):
        pending.ask("c2s", ("ping", fast_checks(R2025_11_25), {"id": id}, id))
    assert pending.answered("s2c", 0) is None
    last = 2 * MOST_PENDING - 1
    assert pending.answered("s2c", last) == ("ping", fast_checks(R2025_11_25), {"id": last}, last)
    assert pending.forgetful
    assert MOST_PENDING // 2 <= waiting(pending) < MOST_PENDING


def test_an_id_or_method_of_absurd_length_is_not_remembered() -> None:
    pending: Pending[FastChecks] = Pending()
    long = "x" * (LONGEST_KEPT + 1)
    under = fast_checks(R2025_11_25)
    pending.ask("c2s", ("ping", under, {"id": long}, 1))
    pending.ask("c2s", (long, under, {"id": 1}, 2))
    pending.ask("c2s", ("ping", under, {"id": long[1:]}, 3))
    answers = [pending.answered("s2c", id) for id in (long, 1, long[1:])]
    assert answers == [None, None, ("ping", under, {"id": long[1:]}, 3)]


def test_a_large_request_is_remembered_in_outline() -> None:
    pending: Pending[FastChecks] = Pending()
    meta = {"progressToken": 7, "io.example/tags": ["a"]}
    params = {"name": "save", "arguments": {"text": "tea"}, "_meta": meta}
    request = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    pending.ask("c2s", ("tools/call", fast_checks(R2025_11_25), request, 1), LARGEST_WHOLE + 1)
    asked = pending.answered("s2c", 1)
    assert asked is not None
    assert asked[2] == {**request, "params": {"name": "save", "_meta": {"progressToken": 7}}}
    assert isinstance(asked[2], RequestOutline)


def test_each_answer_in_a_batch_is_judged_by_its_own_request() -> None:
    checker = SessionChecker(R2025_03_26)
    assert say(checker, "c2s", [request("ping", id=1), request("tools/list", id=2)]) == []
    answers = [result(WRONG_TOOLS, id=2), result({"status": "ok"}, id=1), result({"a": 1}, id=3)]
    assert say(checker, "s2c", answers) == [
        ("SCHEMA-002", "/0/result/tools/0/inputSchema"),
        ("SCHEMA-002", "/0/result/tools/0/name"),
        ("PING-001", "/1/result"),
    ]


def test_a_batch_with_a_doubled_member_is_still_matched() -> None:
    checker = SessionChecker(R2025_03_26)
    checker.check(b'[{"jsonrpc":"2.0","id":1,"id":1,"method":"ping"}]', "c2s")
    found = checker.check(b'[{"jsonrpc":"2.0","id":1,"id":1,"result":{"a":1}}]', "s2c")
    assert brief(found) == [("JSONRPC-018", "/0/id"), ("PING-001", "/0/result")]


def test_a_large_id_in_a_batch_is_read_exactly() -> None:
    batch = b'[{"jsonrpc":"2.0","id":1180591620717411303424,"method":"ping"}]'
    assert brief(SessionChecker(R2025_03_26).check(batch)) == [("JSONRPC-020", "/0/id")]


ERLMCP_SESSION: Final[tuple[Any, ...]] = (
    request("logging/set_level", {"level": "info"}),
    request("tasks/create", ["a"]),
    request("ping", id=None),
    notification("notifications/resourcesupdated", {"uri": "notes://7"}),
    result({}, id=None),
    error(-32604, "Refused", id=None),
)


@pytest.mark.parametrize("message", ERLMCP_SESSION)
def test_the_dialect_lets_pass_what_its_document_has(message: Any) -> None:
    assert say(SessionChecker(dialect="erlmcp"), "c2s", message) == []
    assert say(SessionChecker(), "c2s", message) != []


@pytest.mark.parametrize(
    "message",
    [
        request("logging/set-level"),
        notification("requests/cancel"),
        request("ping", id=True),
        request("ping", "text"),
        error(-32600.5, "Refused"),
    ],
)
def test_the_dialect_lets_nothing_else_pass(message: Any) -> None:
    assert (
        say(SessionChecker(dialect="erlmcp"), "c2s", message)
        == say(SessionChecker(), "c2s", message)
        != []
    )
