"""A report says how its run is repeated, and gives nobody permission."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from mcp_assay.assess.rerun import NotRepeatable, like
from mcp_assay.drift.reports import likeness
from mcp_assay.model.report import Report
from tests.drift.small_reports import compared, definition, finding, made, surface

SAFE = {"readOnlyHint": True}


def run(**options: Any) -> Report:
    """A run that called one tool that is read-only, and one that is not."""
    tools = (definition("find", annotations=SAFE), definition("shelve"))
    called = {"find": "fully_working", "shelve": "broken"}
    return made(tools=called, surface=surface(*tools), options=options)


def test_a_run_is_repeated_with_its_options() -> None:
    options = like(
        run(seed=7, max_calls=3, timeout=2, deny=["rm"], shrink=False, select=["RESP"])
    ).options
    assert (options.seed, options.max_calls, options.timeout) == (7, 3, 2.0)
    assert (options.deny, options.shrink, options.select) == (("rm",), False, ("RESP",))


@pytest.mark.parametrize(
    "options", [{"calls": "all"}, {"allow": ["shelve"]}, {}], ids=["all", "allow", "asked"]
)
def test_what_an_author_was_allowed_is_reported_and_not_taken(options: dict[str, Any]) -> None:
    its = like(run(**options))
    assert (its.options.calls, its.options.allow) == ("safe", ())
    assert its.permitted == ("shelve",)


def test_calls_that_were_switched_off_stay_off() -> None:
    assert like(run(calls="none")).options.calls == "none"


def test_what_decides_about_the_exit_code_and_files_is_the_reviewer_s_own() -> None:
    options = like(run(fail_on="never", min_tools="9", record="/tmp/trace")).options
    assert (options.fail_on, options.min_tools, options.record) == ("error", None, None)


@pytest.mark.parametrize(
    ("subject", "command", "url"),
    [
        ({"command": ["python", "s.py"]}, ("python", "s.py"), None),
        ({"command": ["s", "--token", "[redacted]"]}, (), None),
        ({"command": None, "url": "https://a.example/mcp"}, (), "https://a.example/mcp"),
        ({"command": None, "url": "https://redacted@a.example/mcp"}, (), None),
        ({"command": None, "url": "https://a.example/mcp?key=redacted"}, (), None),
        ({"command": None, "url": "file:///etc/passwd"}, (), None),
        ({"command": ["s", "a\0b"]}, (), None),
    ],
)
def test_a_server_is_named_where_the_report_holds_it_whole(
    subject: dict[str, Any], command: tuple[str, ...], url: str | None
) -> None:
    report = run()
    its = like(replace(report, subject=replace(report.subject, **subject)))
    assert (its.command, its.url) == (command, url)


def test_examples_that_are_not_whole_are_said() -> None:
    whole = like(run(examples={"find": {"valid": [{"q": "a"}]}}))
    assert whole.options.examples == {"find": {"valid": [{"q": "a"}]}}
    assert whole.lacks == ()
    [lack] = like(run(answers={"roots/list": {"uri": "[redacted]"}})).lacks
    assert "Its answers are incomplete" in lack


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"max_calls": "many"}, "has options that no run can have (Expected `int`"),
        ({"max_calls": 0}, "max_calls below 1"),
        ({"timeout": -1}, "timeout below 0.1"),
        ({"calls": "most"}, "Invalid enum value 'most'"),
        ({"examples": {"find": {"nonsense": 1}}}, "tools.find.nonsense is unknown"),
        ({"revision": "1999-01-01"}, "revision '1999-01-01', which this version does not know"),
    ],
)
def test_options_that_no_run_can_have_are_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(NotRepeatable) as refusal:
        like(run(**options))
    assert words in str(refusal.value)


def test_only_assessments_are_repeated() -> None:
    with pytest.raises(NotRepeatable, match="is a report of lint"):
        like(replace(run(), seed=None))


BROKEN = {"find": "broken"}
UNCALLED = {"find": "not_called"}


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (made(finding()), made(finding()), "same"),
        (made(finding()), made(), "differs"),
        (made(), made(finding(severity="info")), "differs"),
        (made(), made(tools=BROKEN), "differs"),
        (made(), made(surface=surface(definition("find", title="Find"))), "differs"),
        (made(finding()), made(tools=UNCALLED), "not_repeated"),
        (made(finding()), made(outcomes={"RESP-004": "skipped"}), "not_repeated"),
    ],
)
def test_a_repetition_confirms_a_report_or_not(old: Report, new: Report, expected: str) -> None:
    assert likeness(compared(old, new)) == expected
