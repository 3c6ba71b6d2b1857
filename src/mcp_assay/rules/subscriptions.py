"""Subscriptions of 2026-07-28: the result that ends one."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, Final

from mcp_assay.model.message import Message
from mcp_assay.rules.examples import PREFIX, SERVER_META, bad, good, modern_result
from mcp_assay.rules.jsonrpc import type_of
from mcp_assay.rules.rule import Found, On, rule
from mcp_assay.spec.revisions import R2026_07_28

SUBSCRIPTION: Final = f"{PREFIX}subscriptionId"


good_end = partial(good, revision=R2026_07_28, method="subscriptions/listen")
bad_end = partial(
    bad,
    pointer="/result/_meta/io.modelcontextprotocol~1subscriptionId",
    revision=R2026_07_28,
    method="subscriptions/listen",
)


def _ended(subscription: Any, *, id: Any = 7) -> dict[str, Any]:
    return modern_result({"_meta": {**SERVER_META, SUBSCRIPTION: subscription}}, id=id)


@rule(
    "SUB-007",
    "wrong-subscription-id",
    reason="invalid_result",
    good=[good_end(_ended(7)), good_end(_ended("sub-7", id="sub-7"))],
    bad=[bad_end(modern_result({}, id=7)), bad_end(_ended(8)), bad_end(_ended("7"))],
    on=On(("result",), ("subscriptions/listen",)),
    residue=lambda message: not _is_another(message["result"]["_meta"], message),
)
def wrong_subscription_id(message: Message) -> Iterator[Found]:
    """A subscriptions/listen result whose subscriptionId is missing or is not its own id.

    Why: the client matches the end of a subscription by this id, and would keep waiting.
    Instead: repeat the id of the request as the subscriptionId, with the same value and type.
    """
    meta = message.result.get("_meta")
    if isinstance(meta, dict) and _is_another(meta, message.value):
        text = "The subscriptionId is not the id of the response."
        yield Found(("result", "_meta", SUBSCRIPTION), text)


def _is_another(meta: dict[str, Any], response: dict[str, Any]) -> bool:
    """Whether both ids are well-formed and differ."""
    types = type_of(meta, SUBSCRIPTION), type_of(response, "id")
    if not {*types} <= {"integer", "string"}:
        return False
    return types[0] != types[1] or bool(meta[SUBSCRIPTION] != response["id"])
