"""The pages of runs as they happen: what can be started, and each run that was."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any, Final

from aiohttp import web

from mcp_assay.text.lines import counted
from mcp_assay.web.changes import done, refused
from mcp_assay.web.live.board import Note
from mcp_assay.web.live.narrowing import SERVER, WrongForm, narrowed
from mcp_assay.web.live.progress import PHASES
from mcp_assay.web.live.runs import LiveRun, LiveRuns, TooManyRuns
from mcp_assay.web.live.servers import CALLS, LiveServer, ServerChanged
from mcp_assay.web.live.stream import send_notes
from mcp_assay.web.page import render
from mcp_assay.web.routes import WebRoute
from mcp_assay.web.settings import SETTINGS

RUNS: Final = web.AppKey("live_runs", LiveRuns)
CALLS_WORDS: Final[Mapping[str, str]] = {
    "none": "no tools",
    "safe": "tools declared read-only",
    "likely": "also tools that only read by name and description",
    "all": "all tools",
}
LONGEST_NUMBER: Final = 6
"""Digits of the number of a server or a run."""


async def live_runs(application: web.Application) -> AsyncIterator[None]:
    """Have a place for runs while the application lives; they end with it."""
    runs = application[RUNS] = LiveRuns(application[SETTINGS].live)
    yield
    if runs.under_way:
        application[SETTINGS].tell(f"waiting for the end of {counted(runs.under_way, 'run')}")
    await runs.close()


async def hang_up(application: web.Application) -> None:
    """End the streams of events: the application is about to end."""
    application[RUNS].hang_up()


async def _live_page(request: web.Request) -> web.Response:
    runs = request.app[RUNS]
    return render(request, "live.html", servers=runs.settings.servers, runs=runs.latest_first())


async def _list_state(request: web.Request) -> web.Response:
    """The runs as the script of the list asks for them, while one of them goes on."""
    return web.json_response([_run_value(run) for run in request.app[RUNS].latest_first()])


async def _server_page(request: web.Request) -> web.Response:
    limits = request.app[RUNS].settings.limits
    number = _number(request.match_info["server"])
    return render(
        request,
        "live_server.html",
        server=_server(request, number),
        number=number,
        limits=limits,
        max_time=f"{limits.max_time:g}",
        calls={one: CALLS_WORDS[one] for one in CALLS[: CALLS.index(limits.calls) + 1]},
    )


async def _start(request: web.Request) -> web.Response:
    runs, form = request.app[RUNS], dict(await request.post())
    try:
        server = _server(request, _number(str(form.get(SERVER, ""))))
        if server.problem is not None:
            raise WrongForm(server.problem)
        run = runs.start(server, narrowed(runs.settings.limits, form))
    except WrongForm as refusal:
        return refused(str(refusal), 400)
    except (TooManyRuns, ServerChanged) as refusal:
        return refused(str(refusal), 409)
    return done(f"/live/{run.number}")


async def _run_page(request: web.Request) -> web.Response:
    run = _run(request)
    return render(request, "live_run.html", run=run, phases=PHASES, **_shown(run.board.notes()),
                  number=run.board.number)  # fmt: skip


def _run_value(run: LiveRun) -> dict[str, Any]:
    """What the list says of a run that may change."""
    return {
        "number": run.number,
        "state": run.state,
        "outcome": run.outcome,
        "recorded": run.recorded,
    }


async def _events(request: web.Request) -> web.StreamResponse:
    return await send_notes(request, _run(request).board)


async def _stop(request: web.Request) -> web.Response:
    run = _run(request)
    request.app[RUNS].stop(run)
    return done(f"/live/{run.number}")


def _shown(notes: Sequence[Note]) -> dict[str, Any]:
    """The notes of a run by their kinds; those with rows in their order."""
    latest = {str(note["kind"]): note for note in notes}
    rows = {kind: [note for note in notes if note["kind"] == kind] for kind in ("tool", "finding")}
    return {
        "said": latest,
        "tools": sorted(rows["tool"], key=_row),
        "findings": sorted(rows["finding"], key=_row),
    }


def _row(note: Note) -> int:
    return int(note["row"])


def _server(request: web.Request, number: int) -> LiveServer:
    servers = request.app[RUNS].settings.servers
    if not 0 < number <= len(servers):
        raise web.HTTPNotFound
    return servers[number - 1]


def _run(request: web.Request) -> LiveRun:
    run = request.app[RUNS].get(_number(request.match_info["run"]))
    if run is None:
        raise web.HTTPNotFound
    return run


def _number(text: str) -> int:
    """The number that a text is; one that nothing has where it is none."""
    is_number = text.isascii() and text.isdigit() and len(text) <= LONGEST_NUMBER
    return int(text) if is_number else 0


ROUTES: Final = (
    WebRoute("GET", "/live", _live_page, menu="Live"),
    WebRoute("POST", "/live", _start),
    WebRoute("GET", "/live/state", _list_state),
    WebRoute("GET", r"/live/servers/{server:\d+}", _server_page),
    WebRoute("GET", r"/live/{run:\d+}", _run_page),
    WebRoute("GET", r"/live/{run:\d+}/events", _events),
    WebRoute("POST", r"/live/{run:\d+}/stop", _stop),
)
