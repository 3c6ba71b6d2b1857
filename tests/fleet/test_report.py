"""The report on a fleet: what servers share is said once, whatever they are called."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any, get_args

import pytest
from jsonschema_rs import Draft202012Validator
from msgspec.structs import replace

import mcp_assay.fleet.report
from mcp_assay.fleet.job import Reason, ReasonKind
from mcp_assay.fleet.outcome import ServerOutcome
from mcp_assay.fleet.report.as_text import fleet_lines, fleet_text
from mcp_assay.fleet.report.causes import MOST_EXAMPLES
from mcp_assay.fleet.report.form import FleetReport
from mcp_assay.fleet.report.formats import FLEET_FORMATS, fleet_written
from mcp_assay.fleet.report.words import REASON_WORDS, duration
from mcp_assay.text.lines import SCREEN as COLUMNS
from mcp_assay.text.lines import as_plain_text, width
from tests.fleet.fleets import (
    COERCED,
    CRASH,
    done,
    ended,
    found,
    large_fleet,
    on_server,
    package,
    program,
    reported,
    small_fleet,
    small_report,
)
from tests.report.reports import NASTY
from tools.consoles import ROOT

SCREEN = """\
INCOMPLETE  12 servers: 4 passed, 2 failed, 1 incomplete, 5 not assessed
      3 errors, 3 warnings · 7 of 7 tools called, 7 succeeded
      fleet.toml · 3 entries filtered out

  server      verdict     tools  ok  errors  warnings  change
  mail        FAIL            1   1       2         0  new
  films       FAIL            1   1       1         1  worse
    since the last run: 1 new error
  gone-wrong  INCOMPLETE      -   -       -         -  worse
    server could not be started or reached: Could not start the server: …
  books       PASS            1   1       0         1
  maps        PASS            1   1       0         1  new
  music       PASS            1   1       0         0
  notes       PASS            1   1       0         0  better

Most frequent causes
  warning DRIFT-003 wrong-type-accepted (FastMCP)  3 servers  books, films, maps
  error   RESP-004 valid-call-crashes              2 servers  films, mail

Not assessed, or only in part
  2 servers   package must be built
      old, older
      old: mcp-old has only sources.
  1 server    needs a container image
      images: mcp-images is a container image.
  1 server    server could not be started or reached
      gone-wrong: Could not start the server: python: not found.
  1 server    over the time limit of a job
      slow: Not done after 300 s.
  1 server    wrong entry in the fleet's file
      typo: It has no command.

Since the last run (2026-01-01T00:00:00Z)
  3 worse        films, gone-wrong, older
  1 better       notes
  5 new          mail, maps, old, slow, typo
  1 gone         retired
  3 the same
  versions       books 1.0.0 → 1.1.0
  findings       2 new, 1 fixed
  new findings
  error   RESP-004 valid-call-crashes              1 server   films
  warning DRIFT-003 wrong-type-accepted (FastMCP)  1 server   films
  fixed findings
  error   RESP-004 valid-call-crashes  1 server   notes

Tools 7 partly working
Times 1 min 05 s; single runs 14 s, preparing 7 s
Run   2 workers (local), 1 resumed, 1 tried again, started 2026-01-08T00:00:00Z
Next: mcp-assay explain DRIFT-003
"""

FIRST_RUN = """\
FAIL  2 servers: 1 passed, 1 failed
      1 error, 0 warnings · 2 of 2 tools called, 2 succeeded
      fleet.toml · 3 entries filtered out

  server  verdict  tools  ok  errors  warnings  change
  films   FAIL         1   1       1         0
  books   PASS         1   1       0         0

Most frequent causes
  error   RESP-004 valid-call-crashes  1 server   films

Tools 2 partly working
Times 1 min 05 s; single runs 4 s, preparing 2 s
Run   2 workers (local), started 2026-01-08T00:00:00Z
Next: mcp-assay explain RESP-004
"""


@pytest.fixture(scope="module")
def schema() -> Draft202012Validator:
    path = Path(next(iter(mcp_assay.fleet.report.__path__))) / "fleet.schema.json"
    return Draft202012Validator(json.loads(path.read_text("utf-8")))


@pytest.fixture(scope="module")
def large() -> FleetReport:
    return reported(large_fleet(), last_run="2026-01-01T00:00:00Z")


def screen(report: FleetReport, *, verbose: bool = False) -> str:
    return as_plain_text(fleet_text(report, verbose=verbose))


def without_timing(report: FleetReport) -> dict[str, Any]:
    whole: dict[str, Any] = json.loads(fleet_written(report, "json"))
    del whole["timing"]
    return whole


def test_the_screen_has_the_worst_first_then_what_servers_share_and_what_changed() -> None:
    assert screen(small_report()) == SCREEN


def test_the_guide_shows_this_screen() -> None:
    assert SCREEN in (ROOT / "docs" / "fleet.md").read_text("utf-8")


def test_the_first_run_of_a_fleet_speaks_of_no_change() -> None:
    servers = [
        done(package("books"), on_server("pass"), is_new=True),
        done(package("films"), on_server("fail", found(CRASH, "error", "films")), is_new=True),
    ]
    report = reported(servers)
    assert screen(report) == FIRST_RUN
    assert report.changes is None
    assert all(row.change is None for row in report.servers)


def test_a_fleet_without_servers_has_passed() -> None:
    assert screen(reported([])).startswith("PASS  0 servers: none\n")


def test_the_verbose_screen_has_every_server_and_every_reason() -> None:
    text = screen(small_report(), verbose=True)
    assert "  images      NOT ASSESSED" in text
    assert "older: mcp-older has only sources." in text


def test_a_quiet_run_names_what_did_not_pass_and_nothing_else() -> None:
    lines = as_plain_text(fleet_lines(small_report())).splitlines()
    assert lines[0] == "mail: FAIL: 2 errors, 0 warnings"
    assert lines[3] == (
        "images: NOT ASSESSED: needs a container image: mcp-images is a container image."
    )
    assert len(lines) == 8


def test_the_json_is_valid_in_the_schema_that_ships(schema: Draft202012Validator) -> None:
    whole = json.loads(fleet_written(small_report(), "json"))
    assert list(schema.iter_errors(whole)) == []
    assert whole["schema"] == "mcp-assay/fleet/1"
    assert len(whole["servers"]) == sum(whole["totals"]["verdicts"].values()) == 12
    del whole["causes"]
    assert not schema.is_valid(whole)


def test_equal_runs_give_equal_reports_whatever_came_first_and_whoever_did_it() -> None:
    servers = small_fleet()
    again = [
        replace(one, run_id=99, is_resumed=not one.is_resumed, tries=(), assessed_seconds=9.0)
        for one in servers
    ]
    Random(1).shuffle(again)
    first = reported(servers, last_run="2026-01-01T00:00:00Z")
    other = reported(again, last_run="2026-01-02T00:00:00Z", seconds=1.0)
    assert without_timing(first) == without_timing(other)
    assert list(without_timing(first)) == list(without_timing(other))


def test_the_fault_of_a_library_is_one_cause_in_all_servers_and_versions() -> None:
    servers = [
        done(
            package(f"s{number:02}"),
            on_server(
                "pass", found(COERCED, "warning", f"s{number:02}", f"FastMCP 4.{number % 3}.0")
            ),
        )
        for number in range(40)
    ]
    report = reported(servers)
    (cause,) = report.causes
    assert (cause.servers, cause.findings, cause.library) == (40, 40, "FastMCP")
    assert cause.versions == ["4.0.0", "4.1.0", "4.2.0"]
    assert cause.examples == ["s00", "s01", "s02", "s03", "s04"]
    assert cause.message == "s00 does it."
    assert {key for row in report.servers for key in row.causes} == {cause.key}
    assert "40 servers  s00 and 39 more" in screen(report)


def test_a_rule_that_a_library_and_an_author_break_is_two_causes() -> None:
    servers = [
        done(package("a"), on_server("pass", found(COERCED, "warning", "a", "FastMCP 4.1.0"))),
        done(package("b"), on_server("pass", found(COERCED, "warning", "b"))),
        done(package("c"), on_server("fail", found(COERCED, "error", "c"))),
    ]
    assert [one.key for one in reported(servers).causes] == [
        "DRIFT-003 error",
        "DRIFT-003 warning",
        "DRIFT-003 warning FastMCP",
    ]


def test_a_run_that_was_not_recorded_has_no_verdict_but_its_findings() -> None:
    lost = done(
        package("a"),
        on_server("fail", found(CRASH, "error", "a")),
        reason=Reason(kind="not_recorded", text="The store was away."),
    )
    report = reported([lost])
    (row,) = report.servers
    assert (row.verdict, row.reason_kind, row.errors) == ("not_assessed", "not_recorded", 1)
    assert report.totals.outcome == "incomplete"
    assert [one.rule for one in report.causes] == ["RESP-004"]


BUILD = Reason(kind="needs_build", text="It has only sources.")
PASSED, FAILED = on_server("pass"), on_server("fail", found(CRASH, "error", "a"))
UNREACHED = on_server("incomplete", revision=None, reason="It did not start.")


@pytest.mark.parametrize(
    ("now", "before", "move"),
    [
        ({"report": PASSED}, {"previous": PASSED}, "same"),
        ({"report": FAILED}, {"previous": PASSED}, "worse"),
        ({"report": PASSED}, {"previous": FAILED}, "better"),
        ({"report": UNREACHED}, {"previous": FAILED}, "worse"),
        ({"report": FAILED}, {"previous": UNREACHED}, "better"),
        ({"report": FAILED}, {"previous_reason": BUILD}, "better"),
        ({"reason": BUILD}, {"previous": FAILED}, "worse"),
        ({"reason": BUILD}, {"previous_reason": BUILD}, "same"),
        ({"reason": BUILD}, {"previous_reason": Reason(kind="failed", text="")}, "changed"),
        ({"report": PASSED}, {"is_new": True}, "new"),
        ({"report": PASSED}, {}, None),
    ],
)
def test_each_server_is_held_against_the_last_run(
    now: dict[str, Any], before: dict[str, Any], move: str | None
) -> None:
    outcome = ServerOutcome(name="a", entry=program("a"), **now, **before)
    report = reported([outcome], last_run="2026-01-01T00:00:00Z")
    change = report.servers[0].change
    assert (change.move if change else None) == move
    assert report.changes is not None
    assert report.changes.unknown == (move is None)
    if change and move == "worse":
        assert change.why


@pytest.mark.parametrize("format", FLEET_FORMATS)
@pytest.mark.parametrize("name", NASTY, ids=range(len(NASTY)))
def test_every_form_is_well_formed_whatever_a_server_says(
    name: str, format: str, schema: Draft202012Validator
) -> None:
    bad = found((name, name), "error", name, f"{name} {name}")
    report = reported(
        [
            done(package(name), on_server("fail", bad), on_server("pass"), version=name,
                 previous_version="1"),
            ended(program(f"{name}2"), "failed", name, is_new=True),
        ],
        last_run=name, gone=[name], files={name: name},
    )  # fmt: skip
    text = fleet_written(report, format)
    text.encode()
    assert "\x1b" not in text
    assert "\u202e" not in text
    if format == "html":
        assert text.count("<script") == 2
        assert 'href="javascript:' not in text
    elif format == "json":
        assert list(schema.iter_errors(json.loads(text))) == []
    elif format == "markdown":
        rows = [line for line in text.splitlines() if line.startswith("| ")]
        assert {line.replace("\\|", "").count("|") for line in rows} <= {5, 6, 10}


def test_a_server_is_linked_only_to_a_file_that_is_given() -> None:
    page = fleet_written(small_report(files={"films": "each/fi lms.html"}), "html")
    assert 'href="each/fi%20lms.html"' in page
    assert page.count('<th scope="row"><a ') == 1
    assert '<th scope="row"><a ' not in fleet_written(small_report(), "html")


def test_a_large_fleet_has_bounded_screens_that_say_how_much_is_missing(
    large: FleetReport,
) -> None:
    text = screen(large)
    assert "  and 2,660 servers more: 1,800 passed, 860 failed (--verbose)\n" in text
    assert len(text.splitlines()) < 180
    assert max(map(width, text.splitlines())) <= COLUMNS
    assert len(fleet_written(large, "markdown")) < 900_000
    page = fleet_written(large, "html")
    assert page.count("<tr") < 300
    assert "2,800 servers more" in page
    assert len(page) < 2_000_000


def test_a_large_fleet_names_few_servers_of_many(large: FleetReport) -> None:
    assert large.changes is not None
    assert large.changes.worse.servers == 900
    assert len(large.changes.worse.names) == 100
    assert {len(cause.examples) for cause in large.causes} == {MOST_EXAMPLES}
    assert len(large.servers) == 3_000


def test_every_kind_of_reason_has_words_and_a_row_in_the_guide() -> None:
    kinds = {*get_args(ReasonKind), "not_reached", "run_incomplete"}
    assert set(REASON_WORDS) == kinds
    guide = (ROOT / "docs" / "fleet.md").read_text("utf-8")
    assert [kind for kind in kinds if f"`{kind}`" not in guide] == []


def test_the_page_names_the_options_that_were_chosen() -> None:
    chosen = {"seed": 0, "only": None, "select": ["CALL", "RESP"], "job_time": 300.0}
    page = fleet_written(replace(small_report(), options=chosen), "html")
    assert "<dd>seed 0, select CALL RESP, job-time 300.0</dd>" in page


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.4, "0 s"), (59.4, "59 s"), (65, "1 min 05 s"), (3_600, "1 h 00 min"), (-1, "0 s"),
     (9_000_000, "2,500 h 00 min")],
)  # fmt: skip
def test_times_are_said_as_people_say_them(seconds: float, words: str) -> None:
    assert duration(seconds) == words
