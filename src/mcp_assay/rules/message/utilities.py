"""What serves every feature: completion, pages, log messages, progress and cache hints."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import Any, Final, TypeGuard

from mcp_assay.model.entry import Message
from mcp_assay.rules.engine.rule import Found, MapKey, On, rule, table_rule
from mcp_assay.rules.engine.samples import (
    CLIENT_META,
    PREFIX,
    bad,
    good,
    modern_request,
    modern_result,
    notification,
    request,
    result,
)
from mcp_assay.rules.message.patterns import ASKING, asks_for_input
from mcp_assay.spec.revisions import R2024_11_05, R2025_06_18, R2026_07_28
from mcp_assay.text.secrets import innocent, secrets_in

LEVELS_SEARCHED_FAST: Final = 4
"""Log data nested deeper than this is left to the slow check."""
MOST_SECRETS_REPORTED: Final = 10

CITY = {"name": "city", "value": "par"}
TEMPLATE = {"type": "ref/resource", "uri": "weather://{city}/today"}
FRESH = {"ttlMs": 60000, "cacheScope": "public"}
FAKE_TOKEN = "ghp_" + "a1B2" * 9


good_completion = partial(good, method="completion/complete")
bad_completion = partial(bad, method="completion/complete")
good_list = partial(good, revision=R2026_07_28, method="prompts/list")
bad_list = partial(bad, revision=R2026_07_28, method="prompts/list")
good_read = partial(good, revision=R2026_07_28, method="resources/read")
bad_read = partial(bad, revision=R2026_07_28, method="resources/read")


def _completion(**members: Any) -> dict[str, Any]:
    return result({"completion": {"values": ["Paris", "Parma"], **members}})


def _log(data: Any, level: str = "info") -> dict[str, Any]:
    return notification("notifications/message", {"level": level, "data": data})


def _cached(**members: Any) -> dict[str, Any]:
    return modern_result({"prompts": [], **FRESH, **members})


def _asking(**members: Any) -> dict[str, Any]:
    return modern_result({"requestState": "step-2", **members}, result_type="input_required")


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


table_rule(
    "COMP-001",
    "too-many-completions",
    """A completion has more than 100 values.

    Why: clients show them while the user types, and may reject or truncate longer lists.
    Instead: send the 100 best values, and use total and hasMore to say that there are more.
    """,
    reason="invalid_result",
    good=lambda: [
        good_completion(_completion()),
        good_completion(_completion(values=[f"Paris {n}" for n in range(100)])),
    ],
    bad=lambda: [
        bad_completion(
            _completion(values=[f"Paris {n}" for n in range(101)]), "/result/completion/values"
        )
    ],
)

table_rule(
    "COMP-002",
    "wrong-completion-reference",
    """A completion request's ref is neither a prompt nor a resource template.

    Why: the server does not know which argument to complete.
    Instead: send {"type": "ref/prompt", "name": ...} or {"type": "ref/resource", "uri": ...}.
    """,
    reason="invalid_params",
    good=lambda: [
        good(
            request(
                "completion/complete",
                {"ref": {"type": "ref/prompt", "name": "forecast"}, "argument": CITY},
            )
        ),
        good(
            modern_request("completion/complete", {"ref": TEMPLATE, "argument": CITY}),
            revision=R2026_07_28,
        ),
    ],
    bad=lambda: [
        bad(
            request(
                "completion/complete",
                {"ref": {"type": "prompt", "name": "forecast"}, "argument": CITY},
            ),
            "/params/ref/type",
        ),
        bad(
            request("completion/complete", {"ref": {"type": "ref/prompt"}, "argument": CITY}),
            "/params/ref/name",
        ),
        bad(request("completion/complete", {"ref": "forecast", "argument": CITY}), "/params/ref"),
    ],
)


def _adds_up(message: dict[str, Any]) -> bool:
    completion = message["result"]["completion"]
    if "total" not in completion:
        return True
    sent, total = len(completion["values"]), completion["total"]
    return not any(_contradictions(sent, total, completion.get("hasMore")))


@rule(
    "COMP-004",
    "contradictory-completion-total",
    reason="invalid_result",
    good=lambda: [
        good_completion(_completion(total=2, hasMore=False)),
        good_completion(_completion(total=40, hasMore=True)),
    ],
    bad=lambda: [
        bad_completion(_completion(total=1), "/result/completion/total"),
        bad_completion(_completion(total=40, hasMore=False), "/result/completion/hasMore"),
        bad_completion(_completion(total=2, hasMore=True), "/result/completion/hasMore"),
    ],
    on=On(("result",), ("completion/complete",)),
    fast_check=_adds_up,
)
def contradictory_completion_total(message: Message) -> Iterator[Found]:
    """A completion's total, hasMore and number of values contradict each other.

    Why: clients use these members to decide whether there are more values, and show the wrong
    number.
    Instead: count all matches in total, and set hasMore exactly if not all of them are sent.
    """
    completion = message.result.get("completion")
    if not isinstance(completion, dict):
        return
    values, total = completion.get("values"), completion.get("total")
    if isinstance(values, list) and _is_number(total):
        yield from _contradictions(len(values), total, completion.get("hasMore"))


def _contradictions(sent: int, total: float, more: object) -> Iterator[Found]:
    path, details = ("result", "completion"), {"values": sent}
    if total < sent:
        text = f"The total is smaller than the number of values, which is {sent}."
        yield Found((*path, "total"), text, details=details)
    elif total > sent and more is False:
        text = f"hasMore is false although only {sent} of the total are sent."
        yield Found((*path, "hasMore"), text, details=details)
    elif total == sent and more is True:
        text = f"hasMore is true although all {sent} of the total are sent."
        yield Found((*path, "hasMore"), text, details=details)


table_rule(
    "PAGE-001",
    "next-cursor-not-a-string",
    """A nextCursor is not a string.

    Why: null and numbers make some clients stop and others request the same page forever.
    Instead: send a string, and omit nextCursor on the last page.
    """,
    reason="invalid_result",
    good=lambda: [
        good(result({"tools": [], "nextCursor": "page-2"}), method="tools/list"),
        good(result({"resources": []}), method="resources/list"),
    ],
    bad=lambda: [
        bad(result({"tools": [], "nextCursor": None}), "/result/nextCursor", method="tools/list"),
        bad_list(_cached(nextCursor=2), "/result/nextCursor"),
    ],
)

table_rule(
    "LOG-001",
    "unknown-log-level",
    """A log level is not one of the eight syslog levels.

    Why: levels are compared by their order; an unknown one is rejected or lost.
    Instead: use debug, info, notice, warning, error, critical, alert or emergency.
    """,
    reason="invalid_params",
    good=lambda: [
        good(_log("Index rebuilt", level="notice")),
        good(request("logging/setLevel", {"level": "warning"})),
    ],
    bad=lambda: [
        bad(_log("Index rebuilt", level="warn"), "/params/level"),
        bad(request("logging/setLevel", {"level": "WARNING"}), "/params/level"),
        bad(
            request("tools/list", {"_meta": {**CLIENT_META, f"{PREFIX}logLevel": "trace"}}),
            "/params/_meta/io.modelcontextprotocol~1logLevel",
            revision=R2026_07_28,
        ),
    ],
)


@rule(
    "LOG-006",
    "secret-in-log-data",
    reason="invalid_params",
    good=lambda: [
        good(_log({"event": "login", "user": 7, "password": "***"})),
        good(_log("Invalid password: too short", level="warning"), revision=R2026_07_28),
    ],
    bad=lambda: [
        bad(_log({"user": "ada", "password": "hunter2"}, level="debug"), "/params/data/password"),
        bad(_log(f"Cloning with {FAKE_TOKEN}"), "/params/data", revision=R2026_07_28),
        bad(
            _log({"argv": ["sync", "--api-key=4f9a7c21"]}),
            "/params/data/argv/1",
            revision=R2024_11_05,
        ),
    ],
    on=On(("notification",), ("notifications/message",)),
    patch={
        "LoggingMessageNotificationParams": {"properties": {"data": innocent(LEVELS_SEARCHED_FAST)}}
    },
)
def secret_in_log_data(message: Message) -> Iterator[Found]:
    """Log data seems to contain a password, a key or a token.

    Why: clients store log messages and show them to people and models, so the secret spreads. The
    check looks for token formats and names such as password; it cannot find everything.
    Instead: remove or mask secrets in log messages, and rotate those that were sent.
    """
    for path, kind in islice(secrets_in(message.params.get("data")), MOST_SECRETS_REPORTED):
        steps = tuple(MapKey(step) if isinstance(step, str) else step for step in path)
        text = f"The log data seems to contain {kind}."
        yield Found(("params", "data", *steps), text, details={"kind": kind})


def _within_total(message: dict[str, Any]) -> bool:
    params = message["params"]
    return "total" not in params or bool(params["progress"] <= params["total"])


@rule(
    "PROG-005",
    "progress-beyond-total",
    reason="invalid_params",
    good=lambda: [
        good(
            notification(
                "notifications/progress", {"progressToken": "p-7", "progress": 5, "total": 5}
            )
        ),
        good(
            notification("notifications/progress", {"progressToken": 7, "progress": 0.5}),
            revision=R2026_07_28,
        ),
    ],
    bad=lambda: [
        bad(
            notification(
                "notifications/progress", {"progressToken": "p-7", "progress": 6, "total": 5}
            ),
            "/params/progress",
        ),
        bad(
            notification(
                "notifications/progress", {"progressToken": 7, "progress": 50, "total": 1.0}
            ),
            "/params/progress",
            revision=R2025_06_18,
        ),
    ],
    on=On(("notification",), ("notifications/progress",)),
    fast_check=_within_total,
)
def progress_beyond_total(message: Message) -> Iterator[Found]:
    """A progress notification's progress exceeds its total.

    Why: progress bars overflow, and it is unclear how much is left.
    Instead: use the same unit for progress and total, and omit total if it is not known.
    """
    progress, total = message.params.get("progress"), message.params.get("total")
    if _is_number(progress) and _is_number(total) and progress > total:
        yield Found(("params", "progress"), "The progress is greater than the total.")


table_rule(
    "CACHE-001",
    "no-cache-hints",
    """A complete result of server/discover, a list or resources/read lacks ttlMs or cacheScope.

    Why: clients need both to know how long, and for whom, they may cache the result.
    Instead: send ttlMs and cacheScope; {"ttlMs": 0, "cacheScope": "private"} forbids reuse.
    """,
    reason="invalid_result",
    good=lambda: [good_list(_cached()), good(result({"tools": []}), method="tools/list")],
    bad=lambda: [
        bad_list(modern_result({"prompts": [], "cacheScope": "public"}), "/result/ttlMs"),
        bad_read(modern_result({"contents": [], "ttlMs": 60000}), "/result/cacheScope"),
    ],
)

table_rule(
    "CACHE-002",
    "wrong-cache-hint",
    """A ttlMs is not an integer of 0 or more, or a cacheScope is neither public nor private.

    Why: clients cannot tell how long or for whom they may cache the result, and may reject it.
    Instead: give ttlMs in whole milliseconds, and cacheScope as "public" or "private".
    """,
    reason="invalid_result",
    good=lambda: [good_list(_cached(ttlMs=0, cacheScope="private"))],
    bad=lambda: [
        bad_list(_cached(ttlMs=-1), "/result/ttlMs"),
        bad_list(_cached(ttlMs="60s"), "/result/ttlMs"),
        bad_list(_cached(cacheScope="shared"), "/result/cacheScope"),
    ],
)


@rule(
    "CACHE-004",
    "cache-hint-on-unfinished-result",
    reason="invalid_result",
    good=lambda: [good_read(_asking())],
    bad=lambda: [
        bad_read(_asking(ttlMs=60000), "/result/ttlMs"),
        bad_read(_asking(cacheScope="private"), "/result/cacheScope"),
    ],
    on=ASKING,
    patch={},
)
def cache_hint_on_unfinished_result(message: Message) -> Iterator[Found]:
    """An input_required result has ttlMs or cacheScope.

    Why: it is not a complete result; a cache that stores it would ask for the same input again and
    again.
    Instead: send cache hints with the complete result only.
    """
    if asks_for_input(message):
        for name in ("ttlMs", "cacheScope"):
            if name in message.result:
                text = f"The result asks for input but has {name}."
                yield Found(("result", name), text)
