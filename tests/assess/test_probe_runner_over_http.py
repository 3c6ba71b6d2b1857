"""What probes ask over HTTP goes out exactly as they say, and is not held against the server."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from mcp_assay.assess.probe_runner import Prober, misnamed
from mcp_assay.client.target import Endpoint
from mcp_assay.model.finding import Finding
from mcp_assay.model.probe import OUR_SESSION, Anew, Ask, Http, Reply, Step
from mcp_assay.rules.probe.rule import Dialogue, Known, Probe
from tests.client.connected import options, run
from tests.client.servers.web import SESSION, Server, serving

KNOWN = Known(is_http=True, has_session=True)
CLOSED = Known(is_http=True, is_closed=True)
THE_USERS = {"Authorization": "Bearer of-the-user", "origin": "http://of-the-user.invalid"}


class Probing:
    """A prober, and what its server was asked and said."""

    def __init__(self, url: str, server: Server) -> None:
        settings = options(revision="2025-11-25")
        self.prober = Prober(Endpoint(url=url, headers=THE_USERS), settings)
        self.server = server
        self.found: list[Finding] = []

    async def replies(self, *steps: Step, known: Known = KNOWN) -> list[Reply]:
        """What comes of these steps, one after the other."""
        came: list[Reply] = []

        def conversation(_: Known) -> Dialogue:
            for step in steps:
                reply = yield step
                came.append(reply)
            return []

        await self.prober.verdicts(Probe((), conversation, None, None), known)
        return came

    @property
    def last(self) -> tuple[str, dict[str, str], Any]:
        return self.server.requests[-1]


@asynccontextmanager
async def probing(how: str = "") -> AsyncIterator[Probing]:
    async with serving(how) as (url, server):
        under_way = Probing(url, server)
        try:
            yield under_way
        finally:
            under_way.found = await under_way.prober.close()


def test_headers_are_those_of_the_step_and_then_those_of_the_user() -> None:
    async def main() -> None:
        async with probing() as under_way:
            headers = {"Origin": "http://x.invalid", "Mcp-Session-Id": OUR_SESSION, "Host": "x"}
            await under_way.replies(Http("GET", headers))
            method, sent, _ = under_way.last
            assert method == "GET"
            assert {name: it for name, it in sent.items() if name.lower() == "origin"} == {
                "Origin": "http://x.invalid"
            }
            assert (sent["Mcp-Session-Id"], sent["Host"]) == (SESSION, "x")
            assert sent["Authorization"] == THE_USERS["Authorization"]

    run(main())


def test_what_comes_back_on_an_odd_request_is_not_judged() -> None:
    async def main() -> None:
        async with probing() as under_way:
            body = '{"jsonrpc": "2.0", "id": null, "method": "tools/list"}'
            (reply,) = await under_way.replies(Http("POST", {}, body))
            assert reply.messages[0]["id"] is None
        assert under_way.found == []

    run(main())


def test_a_path_is_one_of_the_same_server() -> None:
    async def main() -> None:
        async with probing() as under_way:
            (other, own) = await under_way.replies(
                Http("GET", path="//192.0.2.1/mcp"), Http("GET", path="/mcp?from=there")
            )
            assert (other.status, own.status) == (404, 405)

    run(main())


def test_a_stranger_has_no_credentials_and_no_session() -> None:
    async def main() -> None:
        async with probing() as under_way:
            begin = Anew(with_handshake=False, with_credentials=False)
            replies = await under_way.replies(begin, Ask("tools/list"), known=CLOSED)
            assert replies[1].is_result
            assert [message["method"] for _, _, message in under_way.server.requests] == [
                "tools/list"
            ]
            assert not {"Authorization", "Mcp-Session-Id"} & set(under_way.last[1])

    run(main())


def test_a_session_that_the_server_has_forgotten_is_not_ended_once_more() -> None:
    async def main() -> None:
        async with probing("forgetful") as under_way:
            params = {"name": "weather", "arguments": {}}
            (reply,) = await under_way.replies(Ask("tools/call", params))
            assert reply.ending == "answered"
        sent = [method for method, _, _ in under_way.server.requests]
        assert sent.count("DELETE") == 1  # of the session that was begun in its place

    run(main())


def test_an_answer_under_another_id_is_the_answer_of_its_exchange() -> None:
    reply = Reply(ending="http_status", status=404, messages=[{"id": 0, "error": {"code": -32601}}])
    taken = misnamed(reply)
    assert (taken.ending, taken.code, taken.is_misnamed) == ("answered", -32601, True)
    silent = Reply(ending="http_status", status=404, messages=[{"method": "ping", "id": 1}])
    assert misnamed(silent) == silent
