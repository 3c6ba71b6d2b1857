"""Runs that are started from the pages: real processes, followed, stopped and recorded."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from sqlalchemy import select

from mcp_assay.history.location import located
from mcp_assay.history.store import Store
from mcp_assay.history.tables import RUN, SERVER, rows
from mcp_assay.web.live import runs
from mcp_assay.web.live.servers import LiveSettings
from tests.patience import LONGEST
from tests.web.live import DEMO, GATED, LIMITS, Gate, end_of, events, live_settings, start
from tests.web.served import Served, serving

FIRST, SECOND = "/live/1", "/live/2"


def recorded_runs(history: str, server: str) -> list[dict[str, Any]]:
    """The runs of a server in a history."""
    store = Store(located(history))
    with store.reading() as connection:
        its = select(RUN).join(SERVER, SERVER.c.id == RUN.c.server_id)
        found = rows(connection, its.where(SERVER.c.name == server))
    store.close()
    return found


def until(served: Served, path: str, cookie: str, kind: str, **said: Any) -> int:
    """Wait until this was said of a run; its number."""
    return next(
        number
        for number, note in events(served, path, cookie)
        if note["kind"] == kind and all(note[name] == value for name, value in said.items())
    )


def latest(notes: list[tuple[int, Mapping[str, Any]]]) -> dict[tuple[str, int], Mapping[str, Any]]:
    return {(note["kind"], note.get("row", -1)): note for _, note in notes}


def test_a_run_is_told_as_it_happens_and_is_in_the_history(
    live_served: Served, gate: Gate, history_url: str
) -> None:
    cookie = live_served.cookie()
    answer = start(live_served, GATED, cookie)
    assert (answer.status, json.loads(answer.text)) == (200, {"location": FIRST})
    until(live_served, FIRST, cookie, "phase", phase="calling")
    until(live_served, FIRST, cookie, "tool", name="list_colors", word="working")
    assert recorded_runs(history_url, "gated") == []
    gate.open()
    end = end_of(live_served, FIRST, cookie)
    (run,) = recorded_runs(history_url, "gated")
    assert (end["run"], end["outcome"]) == (run["id"], run["outcome"])
    assert run["tools_called"] == 2
    page = live_served.get(FIRST, cookie)
    assert f'<a href="/runs/{run["id"]}">' in page.text
    assert live_served.get(f"/runs/{run['id']}", cookie).status == 200


def test_a_connection_that_comes_back_is_told_all_that_it_missed_and_then_no_more(
    live_served: Served, gate: Gate
) -> None:
    cookie = live_served.cookie()
    start(live_served, GATED, cookie)
    before: list[tuple[int, Mapping[str, Any]]] = []
    for one in events(live_served, FIRST, cookie):
        before.append(one)
        if one[1]["kind"] == "tool" and one[1]["word"] == "working":
            break
    gate.open()
    end_of(live_served, FIRST, cookie)
    after = list(events(live_served, FIRST, cookie, last_seen=before[-1][0]))
    whole = list(events(live_served, FIRST, cookie))
    assert latest([*before, *after]) == latest(whole)
    assert min(number for number, _ in after) > before[-1][0]
    assert list(events(live_served, FIRST, cookie, last_seen=after[-1][0])) == []


def test_stopping_ends_the_server_and_keeps_the_report(
    live_served: Served, gate: Gate, history_url: str
) -> None:
    cookie = live_served.cookie()
    start(live_served, GATED, cookie)
    until(live_served, FIRST, cookie, "tool", name="list_colors", word="working")
    assert live_served.get(f"{FIRST}/stop", cookie).status == 405
    assert live_served.post(f"{FIRST}/stop", cookie=cookie).status == 200
    end = end_of(live_served, FIRST, cookie)
    assert (end["outcome"], end["interrupted"]) == ("incomplete", True)
    (run,) = recorded_runs(history_url, "gated")
    assert (run["id"], run["outcome"]) == (end["run"], "incomplete")
    assert gate.has_ended()


def test_a_run_that_is_stopped_at_once_leaves_a_report_too(
    live_served: Served, history_url: str
) -> None:
    cookie = live_served.cookie()
    start(live_served, GATED, cookie)
    live_served.post(f"{FIRST}/stop", cookie=cookie)
    end = end_of(live_served, FIRST, cookie)
    assert end["outcome"] == "incomplete"
    assert len(recorded_runs(history_url, "gated")) == 1


def test_runs_go_on_side_by_side_and_one_too_many_is_refused(
    live_served: Served, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs, "MOST_AT_ONCE", 2)
    cookie = live_served.cookie()
    for _ in range(2):
        assert start(live_served, GATED, cookie).status == 200
    refused = start(live_served, DEMO, cookie)
    assert refused.status == 409
    assert json.loads(refused.text) == {
        "sentence": "2 runs are under way, the most that there may be at once: "
        "stop one, or wait for its end."
    }
    until(live_served, SECOND, cookie, "tool", name="list_colors", word="working")
    live_served.post(f"{FIRST}/stop", cookie=cookie)
    end_of(live_served, FIRST, cookie)
    assert start(live_served, DEMO, cookie).status == 200
    assert end_of(live_served, "/live/3", cookie)["outcome"] == "fail"
    gate.open()
    assert end_of(live_served, SECOND, cookie)["run"]


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"calls": "all"}, "--calls all would call more tools than --calls safe"),
        ({"max_calls": 13}, "--max-calls 13 is more than the 12"),
        ({"max_time": 601}, "--max-time 601 is more than the 600"),
        ({"command": "sh"}, "nothing else"),
    ],
)
def test_options_that_would_widen_are_refused_and_nothing_runs(
    live_served: Served, more: dict[str, Any], words: str
) -> None:
    cookie = live_served.cookie()
    refused = start(live_served, DEMO, cookie, **more)
    assert refused.status == 400
    assert words in json.loads(refused.text)["sentence"]
    assert live_served.get(FIRST, cookie).status == 404


def test_a_narrower_run_calls_less(live_served: Served, history_url: str) -> None:
    cookie = live_served.cookie()
    start(live_served, DEMO, cookie, only="get_note", max_calls=2)
    end_of(live_served, FIRST, cookie)
    start(live_served, DEMO, cookie, dry_run="on")
    end_of(live_served, SECOND, cookie)
    called = [run["tools_called"] for run in recorded_runs(history_url, "demo")]
    assert called[-2:] == [1, 0]


@pytest.mark.parametrize("server", ["0", "4", "-1", "x", "", "9" * 99])
def test_a_server_that_is_not_listed_cannot_be_started(live_served: Served, server: str) -> None:
    assert start(live_served, server, live_served.cookie()).status == 404  # type: ignore[arg-type]


def test_an_entry_that_has_changed_since_it_was_confirmed_is_not_started(
    live_served: Served, live: LiveSettings
) -> None:
    file = Path(live.servers[0].config)
    its = json.loads(file.read_text("utf-8"))
    its["mcpServers"]["demo"]["args"] = ["-c", "raise SystemExit"]
    file.write_text(json.dumps(its), "utf-8")
    cookie = live_served.cookie()
    refused = start(live_served, DEMO, cookie)
    assert refused.status == 409
    assert "has changed since it was confirmed" in json.loads(refused.text)["sentence"]
    assert start(live_served, GATED, cookie).status == 200


def test_a_get_starts_and_stops_nothing(live_served: Served) -> None:
    cookie = live_served.cookie()
    assert live_served.get(f"/live?server={DEMO}", cookie).status == 200
    assert live_served.get(FIRST, cookie).status == 404


def test_no_password_of_the_history_is_on_a_command_line(
    live: LiveSettings, history_url: str, tmp_path: Path
) -> None:
    file = tmp_path / "url"
    file.write_text(history_url, "utf-8")
    config, secret = Path(live.servers[0].config), "sqlite:///nowhere/at/all?password=hunter2"
    with serving(history_url, live=live_settings(config, f"@{file}", LIMITS)) as served:
        cookie = served.cookie()
        start(served, DEMO, cookie, dry_run="on")
        assert end_of(served, FIRST, cookie)["run"]
    with serving(history_url, live=live_settings(config, secret, LIMITS)) as served:
        cookie = served.cookie()
        start(served, DEMO, cookie, dry_run="on")
        end = end_of(served, FIRST, cookie)
        assert end["run"] is None
        assert "--history" in end["complaint"]
        assert "hunter2" not in served.get(FIRST, cookie).text


def test_when_the_pages_end_their_runs_end_and_are_recorded(
    live: LiveSettings, gate: Gate, history_url: str
) -> None:
    is_listening = threading.Event()

    def listen() -> None:
        for _ in events(served, FIRST, cookie):
            is_listening.set()

    with serving(history_url, live=live) as served:
        cookie = served.cookie()
        start(served, GATED, cookie)
        until(served, FIRST, cookie, "tool", name="list_colors", word="working")
        listening = threading.Thread(target=listen)
        listening.start()
        assert is_listening.wait(LONGEST)
    listening.join(LONGEST)
    assert not listening.is_alive()
    assert served.told == ["waiting for the end of 1 run"]
    assert gate.has_ended()
    (run,) = recorded_runs(history_url, "gated")
    assert run["outcome"] == "incomplete"


@pytest.mark.parametrize("path", ["/live/99", "/live/99/events", "/live/servers/99", "/live/x"])
def test_what_is_not_there_is_not_found(live_served: Served, path: str) -> None:
    assert live_served.get(quote(path), live_served.cookie()).status == 404
