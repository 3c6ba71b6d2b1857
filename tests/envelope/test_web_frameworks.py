"""The middleware in real Starlette and FastAPI applications."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, StreamingResponse
from starlette.routing import Mount, Route

from mcp_assay.envelope import (
    ResponseFormatMiddleware,
    create_success_response,
    validate_mcp_response,
    wrap_tool_response,
)

Events = list[dict[str, Any]]


async def good(request: Request) -> JSONResponse:
    return JSONResponse(create_success_response({"n": 1}))


async def broken(request: Request) -> JSONResponse:
    return JSONResponse({"ok": True})


async def page(request: Request) -> HTMLResponse:
    return HTMLResponse("<p>tea</p>")


async def ticks(request: Request) -> StreamingResponse:
    async def events() -> AsyncIterator[str]:
        for number in range(3):
            yield f"data: {number}\n\n"

    return StreamingResponse(events(), media_type="text/event-stream")


def starlette(**options: Any) -> Starlette:
    routes = [
        Route("/tools/good", good),
        Route("/tools/broken", broken),
        Route("/tools/page", page),
        Route("/tools/ticks", ticks),
        Route("/health", broken),
    ]
    middleware = [Middleware(ResponseFormatMiddleware, paths="/tools", **options)]
    return Starlette(routes=routes, middleware=middleware)


def fastapi(**options: Any) -> FastAPI:
    application = FastAPI()
    application.add_middleware(ResponseFormatMiddleware, paths=["/tools"], **options)

    @application.get("/tools/good")
    @wrap_tool_response
    def halve(a: float = 4) -> float:
        return 4 / a

    @application.get("/tools/broken")
    def forget() -> dict[str, bool]:
        return {"ok": True}

    @application.get("/health")
    def health() -> dict[str, bool]:
        return {"ok": True}

    return application


def get(application: Any, path: str, **options: Any) -> httpx.Response:
    async def asked() -> httpx.Response:
        transport = httpx.ASGITransport(application)
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
            return await client.request(options.pop("method", "GET"), path, **options)

    return asyncio.run(asked())


@pytest.mark.parametrize("make", [starlette, fastapi])
def test_a_good_response_passes(make: Any) -> None:
    events: Events = []
    answer = get(make(on_invalid="replace", sink=events.append), "/tools/good")
    assert answer.status_code == 200
    assert validate_mcp_response(answer.json()) == []
    assert events == []


@pytest.mark.parametrize("make", [starlette, fastapi])
def test_a_broken_response_is_replaced(make: Any) -> None:
    answer = get(make(on_invalid="replace"), "/tools/broken")
    assert answer.status_code == 500
    assert validate_mcp_response(answer.json()) == []
    assert int(answer.headers["content-length"]) == len(answer.content)


@pytest.mark.parametrize("make", [starlette, fastapi])
def test_a_broken_response_is_only_reported_unless_asked_for(make: Any) -> None:
    events: Events = []
    answer = get(make(sink=events.append), "/tools/broken")
    assert (answer.status_code, answer.json()) == (200, {"ok": True})
    assert [event["toolName"] for event in events] == ["/tools/broken"]


@pytest.mark.parametrize("make", [starlette, fastapi])
def test_other_routes_are_left_alone(make: Any) -> None:
    answer = get(make(on_invalid="replace"), "/health")
    assert (answer.status_code, answer.json()) == (200, {"ok": True})


def test_pages_and_streams_pass() -> None:
    application = starlette(on_invalid="replace")
    assert get(application, "/tools/page").text == "<p>tea</p>"
    assert get(application, "/tools/ticks").text == "data: 0\n\ndata: 1\n\ndata: 2\n\n"


def test_head_requests_pass() -> None:
    answer = get(starlette(on_invalid="replace"), "/tools/broken", method="HEAD")
    assert (answer.status_code, answer.content) == (200, b"")


def test_refusals_of_the_framework_keep_their_status() -> None:
    assert get(fastapi(on_invalid="replace"), "/tools/good?a=many").status_code == 422
    assert get(fastapi(on_invalid="replace"), "/tools/none").status_code == 404


def test_a_wrapped_endpoint_keeps_its_query_parameters_and_reports_its_failures() -> None:
    application = fastapi(on_invalid="replace")
    assert get(application, "/tools/good?a=2").json()["data"] == 2
    failure = get(application, "/tools/good?a=0").json()
    assert failure["error"]["code"] == "ZERO_DIVISION_ERROR"


@pytest.mark.parametrize("inside", [True, False])
def test_packed_bodies_pass_and_plain_ones_are_packed_afterwards(inside: bool) -> None:
    async def long(request: Request) -> JSONResponse:
        return JSONResponse({"ok": "x" * 2000})

    pack, check = (
        Middleware(GZipMiddleware),
        Middleware(ResponseFormatMiddleware, on_invalid="replace"),
    )
    order = [check, pack] if inside else [pack, check]
    answer = get(Starlette(routes=[Route("/", long)], middleware=order), "/")
    assert answer.status_code == (200 if inside else 500)


def test_a_mounted_application_is_looked_at_by_its_own_paths() -> None:
    mounted = Starlette(routes=[Mount("/api", app=starlette(on_invalid="replace"))])
    assert get(mounted, "/api/tools/broken").status_code == 500
    assert get(mounted, "/api/health").status_code == 200
