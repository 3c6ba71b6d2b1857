"""Inside a compound a word that may be a deed or a thing is a thing; else the gate stays shut."""

from __future__ import annotations

import pytest

from mcp_assay.assess.permissions import CallGate
from mcp_assay.text.changing_verbs import changing_verb_in

THINGS = [
    "order_status",
    "orderStatus",
    "commit_history",
    "git_commit_log",
    "address_book",
    "share_price",
    "order_book",
    "order_list",
    "call_log",
    "build_info",
    "trade_history",
    "shop.order.details",
    "transfer_state",
    "purchase_order_status",
    "order_payment_status",
    "vote_count",
    "comment_count",
    "post_count",
    "post_history",
    "book_price",
    "login_history",
    "sync_status",
    "run-status",
    "import_progress",
    "upgrade_availability",
    "market_share",
    "sort_order",
    "latest_commit",
    "last_order",
    "recent_post",
    "guestBook",
    "refund_total",
]
DEEDS = [
    "order",
    "commit",
    "git_commit",
    "execute_order",
    "delete_history",
    "send_status_report",
    "place_order_status",
    "process_order_list",
    "update_status",
    "set_price",
    "reset_count",
    "save_history",
    "post_status",
    "post_list",
    "share_list",
    "share_info",
    "email_details",
    "tweet_status",
    "archive_list",
    "import_list",
    "store_info",
    "draft_status",
    "schedule_report",
    "run_report",
    "transfer_balance",
    "charge_fee",
    "hotel_book",
    "flight.book",
    "stripe_charge",
    "twitter_post",
    "http_post",
    "redis_set",
    "memory_store",
    "file_share",
    "force_push",
    "npm_run",
    "order_and_get_status",
    "order_now_status",
    "bulk_order_status",
    "order_cancel_status",
    "order_update_status",
    "commit_move_history",
    "close_list",
    "copy_list",
    "merge_list",
    "change_status",
    "start_log",
    "cancel_order_status",
    "order_pizza",
    "book_flight_status_change",
    "call_function",
    "ORDER",
    "latest_commit_push",
]


@pytest.mark.parametrize("name", THINGS)
def test_a_thing_is_called(name: str) -> None:
    assert changing_verb_in(name) is None
    permission = CallGate().permission({"name": name, "annotations": {"readOnlyHint": True}})
    assert permission.allowed


@pytest.mark.parametrize("name", THINGS)
def test_without_the_hint_a_thing_is_not_called(name: str) -> None:
    assert not CallGate().permission({"name": name}).allowed


@pytest.mark.parametrize("name", DEEDS)
def test_a_deed_is_not_called_whatever_its_hint_says(name: str) -> None:
    assert changing_verb_in(name) is not None
    permission = CallGate().permission({"name": name, "annotations": {"readOnlyHint": True}})
    assert not permission.allowed
