"""A server is taken at its word, and what hangs or fails after the greeting ends nothing."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.truth.http_peer import (
    EVENTS,
    JSON,
    TOOL,
    Asked,
    Handler,
    Peer,
    assessed,
    response,
    run,
    serving,
)
from tests.truth.test_endings import sends

NEW, OLD = "2026-07-28", "2024-11-05"


def refusing(
    data: Any = None, *, code: int = -32022, status: int = 400, as_stream: bool = False
) -> Handler:
    """Refuse with an error that has these data."""

    async def handler(asked: Asked) -> None:
        error = {"code": code, "message": "no"} | ({} if data is None else {"data": data})
        body = json.dumps({"jsonrpc": "2.0", "id": asked.message["id"], "error": error}).encode()
        if as_stream:
            asked.respond(status, b"data: " + body + b"\n\n", Content_Type=EVENTS)
        else:
            asked.respond(status, body, Content_Type=JSON)

    return handler


def speaking(version: str) -> Handler:
    """Take initialize in one version alone, and refuse it in the others with that one's name."""

    async def handler(asked: Asked) -> None:
        if asked.message["params"]["protocolVersion"] == version:
            asked.answer({**Peer({}).greeting(), "protocolVersion": version})
        else:
            await refusing({"supported": [version]}, code=-32602)(asked)

    return handler


async def modern_list(asked: Asked) -> None:
    if "_meta" in (asked.message.get("params") or {}):
        member = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
        asked.answer({"tools": [TOOL], **member})
    else:
        asked.answer({"tools": [TOOL]})


def named(*versions: str) -> dict[str, Any]:
    return {"supported": list(versions), "requested": "2025-11-25"}


TAKEN: dict[str, tuple[Handler, str]] = {
    "with a status": (refusing(named(NEW)), NEW),
    "with a success": (refusing(named(NEW), status=200), NEW),
    "on a stream": (refusing(named(NEW), status=200, as_stream=True), NEW),
    "with the error for wrong params": (refusing(named(NEW), code=-32602), NEW),
    "among versions to come": (refusing(named("2030-01-01", NEW)), NEW),
    "among earlier ones": (refusing(named("2025-06-18", NEW)), NEW),
    "an earlier one": (speaking(OLD), OLD),
    "another earlier one": (speaking("2025-03-26"), "2025-03-26"),
}
REFUSED: dict[str, tuple[Handler, str]] = {
    "a version to come": (refusing(named("2030-01-01")), "it supports 2030-01-01"),
    "none": (refusing(named()), "-32022"),
    "no list": (refusing({"supported": NEW}), "-32022"),
    "no data": (refusing(), "-32022"),
    "another error": (refusing(code=-32603, status=200), "-32603"),
    "the one that it refuses": (refusing(named("2025-11-25")), "it supports 2025-11-25"),
    "data of no kind": (refusing(["2026-07-28"]), "-32022"),
}


@pytest.mark.parametrize("name", TAKEN)
def test_a_version_that_a_refusal_names_is_spoken(name: str) -> None:
    handler, revision = TAKEN[name]

    async def main() -> None:
        handlers = {"initialize": handler, "tools__list": modern_list}
        refusal = refusing(code=-32601, status=404)
        async with serving(**handlers, server__discover=refusal) as (url, _):
            report, refused = await assessed(url, calls="none", select=("CAP",))
        assert (refused, report.revision) == (None, revision)
        assert [tool.name for tool in report.tools] == ["hours"]

    run(main())


@pytest.mark.parametrize("name", REFUSED)
def test_what_names_no_version_of_ours_is_a_refusal(name: str) -> None:
    handler, words = REFUSED[name]

    async def main() -> None:
        refusal = refusing(code=-32601, status=404)
        async with serving(initialize=handler, server__discover=refusal) as (url, peer):
            report, refused = await assessed(url, calls="none", select=("CAP",))
        assert refused is not None
        assert (refused.kind, report.revision) == ("refused", None)
        assert words in str(refused)
        assert report.summary.outcome == "incomplete"
        assert peer.count("initialize") <= 2

    run(main())


@pytest.mark.parametrize("revision", ["2025-11-25", "2025-06-18"])
def test_a_version_that_the_user_wants_is_not_given_up(revision: str) -> None:
    async def main() -> None:
        async with serving(initialize=speaking(OLD)) as (url, _):
            report, refused = await assessed(url, revision=revision, calls="none", select=("CAP",))
        assert refused is not None
        assert report.revision is None

    run(main())


NOTIFIED: dict[str, Handler] = {
    "closed": sends(b""),
    "reset": sends(b"", reset=True),
    "status 500": sends(response(500)),
    "status 400": sends(response(400)),
    "status 200": sends(response(200)),
    "no HTTP": sends(b"SSH-2.0-x\r\n"),
}


@pytest.mark.parametrize("name", NOTIFIED)
def test_whatever_the_first_notification_gets_the_rest_is_assessed(name: str) -> None:
    async def main() -> None:
        async with serving(notifications__initialized=NOTIFIED[name]) as (url, _):
            report, refused = await assessed(
                url, revision="2025-11-25", select=("RESP",), timeout=5.0, max_calls=2
            )
        assert refused is None
        assert [tool.status for tool in report.tools] == ["fully_working"]
        assert "unsettled-notifications" not in {limit.name for limit in report.limits}

    run(main())


def test_a_session_that_ends_with_the_first_notification_is_called_so() -> None:
    async def main() -> None:
        async with serving(notifications__initialized=sends(response(404))) as (url, _):
            report, refused = await assessed(
                url, revision="2025-11-25", select=("RESP",), timeout=5.0, max_calls=2
            )
        assert refused is None
        assert (report.summary.outcome, report.findings) == ("incomplete", [])
        assert "the server ended the session" in (report.summary.reason or "")

    run(main())
