"""The pages of traffic: what there is, the rows of one proxy or file, and a message as a whole."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from typing import Any, Final

from aiohttp import web
from markupsafe import Markup, escape

from mcp_assay.history.names import NotKnown
from mcp_assay.text.lines import counted
from mcp_assay.web.page import render
from mcp_assay.web.routes import WebRoute
from mcp_assay.web.settings import SETTINGS
from mcp_assay.web.traffic.export import TraceExport, exported
from mcp_assay.web.traffic.filters import (
    DIRECTION_WORDS,
    FOUND_WORDS,
    TrafficFilter,
    number_of,
    wanted_rows,
)
from mcp_assay.web.traffic.live_traffic import LiveTraffic
from mcp_assay.web.traffic.row_pages import LONGEST_MESSAGE, RowPage, TrafficSource, WholeMessage
from mcp_assay.web.traffic.row_values import clock, row_value, sized
from mcp_assay.web.traffic.stream import send_events
from mcp_assay.web.traffic.trace_file import TraceFile
from mcp_assay.web.traffic.traffic_hub import MOST_STREAMS, ShownFile, TrafficHub

HUB: Final = web.AppKey("traffic", TrafficHub)
TRACE_TYPE: Final = "application/jsonl"
END: Final = 1 << 53
"""Behind every message."""


async def show_traffic(application: web.Application) -> AsyncIterator[None]:
    """Follow proxies and files while the application lives."""
    files = [TraceFile(path) for path in application[SETTINGS].traces]
    hub = application[HUB] = TrafficHub(files)
    hub.start()
    yield
    await hub.close()


async def hang_up(application: web.Application) -> None:
    """Let go of the pages that follow: the application is about to end."""
    application[HUB].hang_up()


async def _list_page(request: web.Request) -> web.Response:
    hub = request.app[HUB]
    proxies = [_proxy_value(one) for one in reversed(hub.proxies.values())]
    return render(request, "traffic.html", proxies=proxies, files=list(map(_file_value, hub.files)))


async def _list_state(request: web.Request) -> web.Response:
    """What the list has, as its script asks while it is open."""
    hub = request.app[HUB]
    proxies = [
        {"number": one.number, "messages": one.messages, "errors": one.errors, "how": one.how}
        for one in hub.proxies.values()
    ]
    files = [
        {"number": value["number"], "seen": value["seen"], "state": value["state"]}
        for value in map(_file_value, hub.files)
    ]
    return web.json_response({"proxies": proxies, "files": files})


async def _live_page(request: web.Request) -> web.Response:
    traffic, wanted = _proxy(request), wanted_rows(request.query)
    page = _live_rows(request, traffic, wanted)
    is_latest = not number_of(request.query, "at") and not number_of(request.query, "before")
    return _rows_page(
        request,
        traffic,
        page,
        wanted,
        proxy=_proxy_value(traffic),
        follows=is_latest and not traffic.is_over,
        last=traffic.last,
    )


def _live_rows(request: web.Request, traffic: LiveTraffic, wanted: TrafficFilter) -> RowPage:
    if at := number_of(request.query, "at"):
        return traffic.page_from(at, wanted)
    return traffic.page_before(number_of(request.query, "before") or END, wanted)


async def _file_page(request: web.Request) -> web.Response:
    shown, wanted = _file(request), wanted_rows(request.query)
    page = await _file_rows(request, shown.file, wanted)
    return _rows_page(request, shown.file, page, wanted, file=_file_value(shown))


async def _file_rows(request: web.Request, file: TraceFile, wanted: TrafficFilter) -> RowPage:
    """A page of rows; only so many files are looked through at a time."""
    before = number_of(request.query, "before")
    async with request.app[HUB].scans:
        if before:
            return await asyncio.to_thread(file.page_before, before, wanted)
        at = number_of(request.query, "at") or 1
        return await asyncio.to_thread(file.page_from, at, wanted)


def _rows_page(
    request: web.Request, source: TrafficSource, page: RowPage, wanted: TrafficFilter, **more: Any
) -> web.Response:
    whole = {"proxy": None, "file": None, "follows": False, "last": 0, **more}
    return render(
        request,
        "traffic_rows.html",
        title=source.title,
        path=request.path,
        rows=list(map(row_value, page.rows)),
        page=page,
        scanned=sized(page.scanned),
        wanted=wanted,
        link=partial(_link, request.path, wanted),
        export=_link(f"{request.path}/export", wanted),
        events=_link(f"{request.path}/events", wanted),
        directions=DIRECTION_WORDS,
        found_choices=FOUND_WORDS,
        **whole,
    )


async def _file_rows_json(request: web.Request) -> web.Response:
    """The rows of a page as its script gets them, when it looks further."""
    shown, wanted = _file(request), wanted_rows(request.query)
    page = await _file_rows(request, shown.file, wanted)
    return web.json_response(
        {"rows": list(map(row_value, page.rows)), "after": page.after, "scanned": page.scanned}
    )


async def _file_state(request: web.Request) -> web.Response:
    """How far a file was looked through and judged, as a page that is open asks."""
    value = _file_value(_file(request))
    return web.json_response({name: value[name] for name in ("state", "is_ready", "is_judged")})


async def _live_message(request: web.Request) -> web.Response:
    traffic = _proxy(request)
    message = traffic.message(int(request.match_info["message"]))
    return _message_page(request, traffic.title, message, f"/traffic/live/{traffic.number}")


async def _file_message(request: web.Request) -> web.Response:
    shown, number = _file(request), int(request.match_info["message"])
    message = await asyncio.to_thread(shown.file.message, number)
    return _message_page(request, shown.file.title, message, f"/traffic/files/{shown.number}")


def _message_page(
    request: web.Request, title: str, message: WholeMessage | None, back: str
) -> web.Response:
    if message is None:
        raise NotKnown("there is no message with this number, or it is not kept any more")
    return render(
        request,
        "traffic_message.html",
        title=title,
        back=back,
        row=row_value(message.row),
        text=_whole(message.text),
        indented=_whole(message.indented),
        is_cut=message.is_cut,
        most=sized(LONGEST_MESSAGE),
    )


def _link(path: str, wanted: TrafficFilter, **more: int) -> Markup:
    """An address of ours with what was typed into the filter, which is bounded and not cut."""
    return escape(path + wanted.query(**more))


def _whole(text: str) -> Markup:
    """A text that is bounded and made visible already, and is not to be cut again."""
    return escape(text)


async def _live_events(request: web.Request) -> web.StreamResponse:
    hub, traffic = request.app[HUB], _proxy(request)
    if hub.streams >= MOST_STREAMS:
        raise web.HTTPServiceUnavailable(text="Too many pages follow traffic; close some.")
    seen = request.headers.get("Last-Event-ID", "")
    after = number_of({"seen": seen}, "seen") or number_of(request.query, "after")
    return await send_events(request, hub, traffic, after, wanted_rows(request.query))


async def _live_export(request: web.Request) -> web.StreamResponse:
    traffic, wanted, export = _proxy(request), wanted_rows(request.query), TraceExport()
    lines = tuple(traffic.lines(wanted))
    response = await _begin_download(request)
    for line in lines:
        await response.write(export.line(line.line, line.read.row.session, line.passed))
    await response.write_eof()
    return response


async def _file_export(request: web.Request) -> web.StreamResponse:
    """The lines that are wanted, a few at a time, never all of them at once."""
    shown, wanted = _file(request), wanted_rows(request.query)
    pieces = exported(shown.file, wanted)
    response = await _begin_download(request)
    while (piece := await asyncio.to_thread(next, pieces, None)) is not None:
        await response.write(piece)
    await response.write_eof()
    return response


async def _begin_download(request: web.Request) -> web.StreamResponse:
    headers = {
        "Content-Type": TRACE_TYPE,
        "Content-Disposition": 'attachment; filename="trace.jsonl"',
    }
    response = web.StreamResponse(headers=headers)
    await response.prepare(request)
    return response


def _proxy(request: web.Request) -> LiveTraffic:
    number = int(request.match_info["proxy"])
    traffic = request.app[HUB].proxies.get(number)
    if traffic is None:
        raise NotKnown(f"there is no proxy {number}, or its traffic is not kept any more")
    return traffic


def _file(request: web.Request) -> ShownFile:
    number, files = int(request.match_info["file"]), request.app[HUB].files
    if not 1 <= number <= len(files):
        raise NotKnown(f"there is no file {number}")
    return files[number - 1]


def _proxy_value(traffic: LiveTraffic) -> dict[str, Any]:
    """What is said of a proxy."""
    return {
        "number": traffic.number,
        "title": traffic.title,
        "began": clock(traffic.began)[:8],
        "messages": traffic.messages,
        "errors": traffic.errors,
        "missed": traffic.missed,
        "forgotten": traffic.forgotten,
        "how": traffic.how,
        "sessions": [
            {"name": name, "first": one.first, "messages": one.messages, "errors": one.errors}
            for name, one in traffic.sessions.items()
        ],
    }


def _file_value(shown: ShownFile) -> dict[str, Any]:
    """What is said of a file."""
    file, findings = shown.file, shown.findings
    size = sized(file.index.size())
    seen = size if file.is_ready else f"{sized(file.index.seen)} of it looked through so far"
    return {
        "number": shown.number,
        "title": file.title,
        "path": file.path,
        "seen": seen,
        "lines": file.index.lines,
        "is_ready": file.is_ready,
        "is_judged": findings.state in ("judged", "failed"),
        "state": _judged_words(shown),
        "problem": file.problem,
    }


def _judged_words(shown: ShownFile) -> str:
    """What is known of the findings in a file."""
    findings = shown.findings
    if findings.state == "waiting":
        return "not checked yet"
    if findings.state == "judging":
        return f"being checked, {counted(findings.count, 'finding')} so far"
    if findings.summary is None:
        return "could not be checked; mcp-assay validate says why"
    summary = findings.summary
    numbers = {"error": summary.errors, "warning": summary.warnings, "note": summary.infos}
    words = ", ".join(counted(number, noun) for noun, number in numbers.items())
    all_found = summary.errors + summary.warnings + summary.infos
    return words if findings.count >= all_found else f"{words}; {findings.count:,} are shown"


_PROXY: Final = r"/traffic/live/{proxy:\d{1,9}}"
_FILE: Final = r"/traffic/files/{file:\d{1,9}}"
_MESSAGE: Final = r"/messages/{message:\d{1,15}}"
ROUTES: Final = (
    WebRoute("GET", "/traffic", _list_page, menu="Traffic"),
    WebRoute("GET", "/traffic/state", _list_state),
    WebRoute("GET", _PROXY, _live_page),
    WebRoute("GET", f"{_PROXY}/events", _live_events),
    WebRoute("GET", f"{_PROXY}/export", _live_export),
    WebRoute("GET", f"{_PROXY}{_MESSAGE}", _live_message),
    WebRoute("GET", _FILE, _file_page),
    WebRoute("GET", f"{_FILE}/rows", _file_rows_json),
    WebRoute("GET", f"{_FILE}/state", _file_state),
    WebRoute("GET", f"{_FILE}/export", _file_export),
    WebRoute("GET", f"{_FILE}{_MESSAGE}", _file_message),
)
