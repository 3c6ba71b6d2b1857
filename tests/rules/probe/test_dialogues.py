"""Where a reply may mean more than one thing, a probe asks again before it blames."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from mcp_assay.model.probe import Anew, Ask, OpenStep, Raw, Reply
from mcp_assay.rules import load
from mcp_assay.rules.probe import (
    batches,
    capabilities,
    handshake,
    jsonrpc,
    malformed,
    stdio,
    versions,
)
from mcp_assay.rules.probe.rule import Known, StartDialogue, findings, replayed

load()
TOOLS = Known(capabilities={"tools": {}})
WEB = Known(capabilities={"tools": {}}, is_http=True)
MODERN = Known(capabilities={"tools": {}}, revision="2026-07-28", offered=["2026-07-28"])
MODERN_WEB = Known(
    capabilities={"tools": {}}, revision="2026-07-28", offered=["2026-07-28"], is_http=True
)
DUAL = Known(
    capabilities={"tools": {}}, revision="2026-07-28", offered=["2025-11-25", "2026-07-28"]
)
OLD = Known(capabilities={"tools": {}}, revision="2025-06-18")
BATCHING = Known(capabilities={"tools": {}}, revision="2025-03-26", is_http=True)

LISTED = Reply(result={"tools": []})
SILENT = Reply(ending="timed_out")
DEAD = Reply(ending="died")
NEW = Reply()


def refused(code: object, **data: object) -> Reply:
    return Reply(error={"code": code, "message": "No", **data})


UNKNOWN, WRONG, UNSUPPORTED = refused(-32601), refused(-32602), refused(-32022)


def reported(conversation: StartDialogue, known: Known, replies: Sequence[Reply]) -> dict[str, str]:
    """What a dialogue says of each rule that is not simply kept."""
    _, verdicts = replayed(conversation, known, replies)
    broken = {one.rule: one.message for one in findings(verdicts, known.revision)}
    return {**{one.rule: one.outcome for one in verdicts if isinstance(one, OpenStep)}, **broken}


@pytest.mark.parametrize(
    ("replies", "outcome"),
    [
        ([SILENT, SILENT, NEW, SILENT], "undecided"),
        ([SILENT, LISTED, UNKNOWN], "undecided"),
        ([DEAD, LISTED, UNKNOWN], "undecided"),
        ([refused("-32601")], "undecided"),
        ([DEAD, LISTED, DEAD], "The server crashes on"),
        ([SILENT, SILENT, NEW, LISTED, SILENT], "The server does not respond to"),
    ],
)
def test_a_silence_counts_where_it_comes_again(replies: list[Reply], outcome: str) -> None:
    assert reported(jsonrpc.unknown_method, TOOLS, replies)["JSONRPC-033"].startswith(outcome)


def test_late_responses_of_ours_are_no_answers_to_a_notification() -> None:
    late = Reply(result={"tools": []}, strays=[{"jsonrpc": "2.0", "id": 3, "result": {}}])
    assert reported(jsonrpc.unknown_notification, TOOLS, [NEW, late]) == {}


def test_a_response_to_nothing_that_comes_once_is_no_answer() -> None:
    once = Reply(result={}, strays=[{"jsonrpc": "2.0", "error": {"code": -32700}}])
    replies = [NEW, once, NEW, LISTED, LISTED]
    assert reported(jsonrpc.unknown_notification, TOOLS, replies) == {"JSONRPC-036": "undecided"}


def test_over_http_a_notification_may_be_refused() -> None:
    replies = [Reply(status=400, messages=[{"jsonrpc": "2.0", "error": {"code": -32600}}]), LISTED]
    assert reported(jsonrpc.unknown_notification, WEB, replies) == {"JSONRPC-036": "undecided"}


def test_over_http_a_notification_is_not_answered() -> None:
    answered = Reply(status=200, messages=[{"jsonrpc": "2.0", "id": None, "result": {}}])
    replies = [answered, LISTED, answered, LISTED]
    assert "answers" in reported(jsonrpc.unknown_notification, WEB, replies)["JSONRPC-036"]


def test_headers_that_cannot_name_anything_decide_nothing_about_params() -> None:
    assert reported(jsonrpc.wrong_params, MODERN_WEB, [refused(-32020)]) == {
        "JSONRPC-034": "undecided"
    }


def _malformed(known: Known, came: Sequence[Reply]) -> dict[str, str]:
    return reported(malformed.malformed_input, known, list(came) * len(malformed.MALFORMED))


def test_a_status_without_a_message_refuses_text_in_its_own_way() -> None:
    assert _malformed(WEB, [Reply(status=400), LISTED]) == {
        "JSONRPC-031": "undecided",
        "JSONRPC-032": "undecided",
    }


def test_text_that_is_accepted_over_http_is_reported() -> None:
    assert set(_malformed(WEB, [Reply(status=202), LISTED])) == {"JSONRPC-031", "JSONRPC-032"}


def test_before_2025_11_25_a_parse_error_has_no_form_over_stdio() -> None:
    assert _malformed(OLD, [NEW, LISTED, LISTED])["JSONRPC-031"] == "undecided"


def test_a_code_that_cannot_be_read_is_reported_elsewhere() -> None:
    odd = Reply(result={}, strays=[{"jsonrpc": "2.0", "error": {"code": "-32700"}}])
    assert _malformed(TOOLS, [NEW, odd])["JSONRPC-031"] == "undecided"


def test_a_server_that_falls_once_is_not_blamed() -> None:
    replies = [NEW, DEAD, NEW, LISTED, NEW, LISTED, LISTED]
    assert reported(malformed.malformed_input, TOOLS, replies) == dict.fromkeys(
        ["JSONRPC-031", "JSONRPC-032", "JSONRPC-035"], "undecided"
    )


def test_bytes_are_sent_that_are_no_utf_8() -> None:
    steps, _ = replayed(malformed.malformed_input, TOOLS, [NEW, LISTED, LISTED] * 5)
    sent = [step.text for step in steps if isinstance(step, Raw)]
    assert any("\udcff" in text for text in sent)


def test_a_batch_of_notifications_gets_202_over_http() -> None:
    both: list[Any] = [{"jsonrpc": "2.0", "id": id, "result": {}} for id in batches.IDS]
    taken = [Reply(status=200, messages=[both]), LISTED]
    assert reported(batches.batches, BATCHING, [*taken, Reply(status=202), LISTED]) == {}
    assert (
        "HTTP status 200"
        in reported(batches.batches, BATCHING, [*taken, Reply(status=200), LISTED])["BATCH-005"]
    )


def test_a_server_without_sessions_knows_of_no_handshake() -> None:
    agreed = Reply(result={"protocolVersion": "2025-11-25"})
    assert reported(handshake.first_words, WEB, [NEW, agreed, agreed]) == {
        "LIFE-015": "not_testable"
    }


def test_a_second_handshake_may_be_refused() -> None:
    agreed = Reply(result={"protocolVersion": "2025-11-25"})
    assert reported(handshake.first_words, TOOLS, [NEW, WRONG, agreed, WRONG, NEW, agreed]) == {}


def test_an_offer_that_is_not_kept_is_reported() -> None:
    agreed, other = (Reply(result={"protocolVersion": it}) for it in ("2025-11-25", "2025-06-18"))
    replies = [NEW, WRONG, agreed, other, NEW, other]
    assert set(reported(handshake.first_words, TOOLS, replies)) == {"LIFE-007"}


def test_a_server_that_cannot_be_reached_anew_leaves_all_open() -> None:
    outcomes = reported(handshake.first_words, TOOLS, [Reply(ending="http_status", status=503)])
    assert set(outcomes.values()) == {"undecided"}


def test_an_empty_list_may_be_mere_courtesy() -> None:
    replies = [LISTED, Reply(result={"prompts": []}), UNKNOWN, UNKNOWN]
    assert reported(capabilities.declared_and_served, TOOLS, replies) == {"CAP-002": "undecided"}


def test_who_is_silent_about_one_list_is_not_asked_for_another() -> None:
    steps, _ = replayed(capabilities.declared_and_served, TOOLS, [LISTED, SILENT, UNKNOWN])
    asked = [step.method for step in steps if isinstance(step, Ask)]
    assert asked == ["tools/list", "prompts/list", "completion/complete"]


def test_small_capabilities_are_asked_for_where_they_are_declared() -> None:
    declared = {"logging": {}, "resources": {"subscribe": True}}
    known = Known(capabilities=declared, resources=[{"uri": "notes://1"}])
    listed = Reply(result={"resources": [{"uri": "notes://1"}]})
    replies = [UNKNOWN, UNKNOWN, listed, UNKNOWN, NEW, UNKNOWN, NEW]
    (message,) = reported(capabilities.declared_and_served, known, replies).values()
    assert "resources/subscribe" in message


def test_a_request_without_meta_may_belong_to_the_other_era() -> None:
    replies = [LISTED, LISTED, WRONG, LISTED, UNSUPPORTED]
    assert reported(versions.bent_requests, DUAL, replies) == {"VER-007": "undecided"}


def test_a_server_may_speak_the_other_era_without_saying_so() -> None:
    greeted = Reply(result={"protocolVersion": "2025-11-25"})
    replies = [LISTED, LISTED, WRONG, LISTED, NEW, greeted, NEW, UNSUPPORTED]
    assert reported(versions.bent_requests, MODERN, replies) == {"VER-007": "undecided"}


def test_a_slow_start_is_no_state_of_a_connection() -> None:
    replies = [LISTED, NEW, SILENT, NEW, SILENT, NEW, LISTED]
    assert reported(versions.fresh_connection, MODERN, replies) == {"VER-014": "undecided"}


def test_over_http_a_cursor_is_followed_on_another_connection() -> None:
    page = Reply(result={"tools": [], "nextCursor": "2"})
    replies = [page, NEW, LISTED, NEW, LISTED]
    steps, verdicts = replayed(versions.fresh_connection, MODERN_WEB, replies)
    assert steps[1:3] == [Anew(with_handshake=False), Ask("tools/list", {"cursor": "2"})]
    assert [it.outcome for it in verdicts if isinstance(it, OpenStep)] == ["undecided"]


def test_removed_methods_refused_as_any_other_are_reported_elsewhere() -> None:
    replies = [refused(-32050)] * 6
    assert reported(versions.removed_methods, MODERN, replies) == {"VER-012": "undecided"}


def test_a_refusal_of_initialize_may_name_versions_in_its_words() -> None:
    reply = Reply(error={"code": -32600, "message": "Only 2026-07-28 is spoken here"})
    assert reported(versions.greeting_of_old, MODERN, [reply]) == {}


def test_what_is_no_code_is_not_repeated() -> None:
    (message,) = reported(versions.greeting_of_old, MODERN, [refused("x" * 10_000)]).values()
    assert message.startswith("The server returns an error for initialize")


@pytest.mark.parametrize(
    ("message", "outcome"),
    [
        (f"Unknown tool: {stdio.MARK}{stdio.FOREIGN}", {}),
        ("Unknown tool", {"STDIO-007": "undecided"}),
        (f"Unknown tool: {stdio.MARK}…", {"STDIO-007": "undecided"}),
        (f"Unknown tool: {stdio.MARK}\\xe9", {"STDIO-007": "undecided"}),
    ],
)
def test_only_letters_that_are_mistaken_are_reported(message: str, outcome: dict[str, str]) -> None:
    replies = [LISTED, Reply(error={"code": -32602, "message": message})]
    assert reported(stdio.long_and_foreign, MODERN, replies) == outcome


def test_a_server_that_ends_late_once_is_not_blamed() -> None:
    late, in_time = Reply(stopped_by="SIGTERM"), Reply(stopped_by="end of input")
    replies = [LISTED, late, NEW, LISTED, in_time]
    assert reported(stdio.end_of_input, MODERN, replies) == {"STDIO-006": "undecided"}
