"""A test file says how each finding is repeated, or why it is not."""

from __future__ import annotations

import ast
import re
from typing import Any

import pytest
from msgspec.structs import replace

from mcp_assay.model.finding import Finding
from mcp_assay.model.report import Report, ReportSubject
from mcp_assay.report.as_pytest import literal, to_pytest
from tests.report.reports import finding, report

ASSESSED = {"fail_on": "error", "max_calls": 50}
JUDGED = {"fail_on": "error", "dialect": "mcp", "files": ["a.jsonl"]}
NASTY = ("\\", '"', "'", "\\'", '"""', "\n", "\u2028", "\x00", "\ud800", "\u034f", "é", "🙂")


def found(rule: str = "RESP-004", tool: str | None = "search", **details: Any) -> Finding:
    return replace(finding("x", tool=tool), rule=rule, details=details or None, examples=[])


def made(*findings: Finding, command: str = "server.py", **options: Any) -> str:
    subject = ReportSubject(kind="server", command=["python", command])
    known = replace(report("x", list(findings)), subject=subject)
    return to_pytest(replace(known, options={**ASSESSED, **options}))


def on_files(**options: Any) -> Report:
    known = report("x", [found("JSONRPC-005", tool=None)])
    subject = ReportSubject(kind="trace")
    return replace(known, seed=None, subject=subject, options={**JUDGED, **options})


@pytest.mark.parametrize(
    ("given", "step"),
    [
        (
            found(smallest={"query": "é"}, repeat="--only search --args …"),
            """RUN.call("search", '{"query": "é"}').must_keep("RESP-004")""",
        ),
        (
            found(smallest={"q": "\ud800"}, repeat="--only search --args …"),
            r"""RUN.call("search", '{"q": "\\ud800"}').must_keep("RESP-004")""",
        ),
        (
            found(input={"query": ""}, repeat="mcp-assay assess --config c.json --only search"),
            'RUN.calls("search").must_keep("RESP-004")',
        ),
        (
            found(smallest={"query": "x" * 30_000}, repeat="--only search --args …"),
            'RUN.calls("search").must_keep("RESP-004")',
        ),
        (
            found(smallest={"query": "[redacted]"}, repeat="--only search --args …"),
            'RUN.calls("search").must_keep("RESP-004")',
        ),
        (found("TOOL-015"), 'RUN.listed().must_keep("TOOL-015", "0000000000000000")'),
        (found("JSONRPC-035", None), 'RUN.whole().must_keep("JSONRPC-035", "0000000000000000")'),
    ],
)
def test_a_finding_is_repeated_by_what_decides_it(given: Finding, step: str) -> None:
    assert f"    {step}\n" in made(given)


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (replace(found(), severity="warning"), "it is below --fail-on"),
        (found(tool="a\0b", repeat="--only 'a\0b' "), "the tool's name cannot be typed"),
        (found(tool="\ud800", repeat="--only '\ud800' "), "the tool's name cannot be typed"),
    ],
)
def test_what_is_not_repeated_is_listed_with_the_reason(given: Finding, reason: str) -> None:
    text = made(given)
    assert "def test_" not in text
    assert re.search(rf"\n# \w+ RESP-004 0{{16}} .*\({reason}\)\n", text)


def test_what_several_findings_need_is_done_once() -> None:
    one = found(smallest={}, repeat="--only search --args …")
    text = made(one, replace(one, fingerprint="f" * 16))
    assert text.count("def test_") == 1
    assert f"fingerprint {'0' * 16}, {'f' * 16}\n" in text


def test_what_several_tools_share_is_repeated_for_each() -> None:
    repeats = [
        {"tool": "search", "smallest": {"query": "é"}, "repeat": "--only search --args …"},
        {"tool": "open it", "repeat": "mcp-assay assess --only 'open it'"},
        {"tool": "a\0b", "repeat": "--only 'a\0b' "},
    ]
    names = ["search", "open it", "a\0b", "close"]
    folded = found(tool=None, tools=names, repeat="--only search --args …", repeats=repeats)
    text = made(folded)
    assert re.findall("def (.*)\\(", text) == ["test_resp_004_search", "test_resp_004_open_it"]
    assert """    RUN.call("search", '{"query": "é"}').must_keep("RESP-004")\n""" in text
    assert """    RUN.calls("open it").must_keep("RESP-004")\n""" in text
    left = text.partition("# Not repeated here:\n")[2].splitlines()
    assert [line.rpartition("(")[2] for line in left] == [
        "the tool's name cannot be typed)",
        "it is not known how to repeat it for this tool)",
    ]


def test_tests_of_one_rule_and_tool_have_names_of_their_own() -> None:
    repeat = "--only search --args …"
    text = made(*(found(smallest={"n": n}, repeat=repeat) for n in range(3)))
    names = re.findall("def (.*)\\(", text)
    assert names == ["test_resp_004_search", "test_resp_004_search_2", "test_resp_004_search_3"]


@pytest.mark.parametrize(
    ("options", "line"),
    [
        ({"env": ["API_KEY"]}, 'talking=["--env", "API_KEY"],'),
        (
            {"revision": "2025-11-25", "timeout": 2.5},
            '"--revision", "2025-11-25", "--timeout", "2.5"',
        ),
        ({"calls": "all", "deny": ("drop",)}, 'options=["--calls", "all", "--deny", "drop"],'),
        (
            {"seed": 7, "examples_file": "e.toml"},
            'options=["--seed", "7", "--examples", "e.toml"],',
        ),
        ({"header": ["X-Key"]}, 'headers={"X-Key": "MCP_ASSAY_HEADER_X_KEY"},'),
        (
            {"config": "mcp.json", "server": "n"},
            'talking=["--config", "mcp.json", "--server", "n"],',
        ),
    ],
)
def test_the_run_is_made_with_the_options_that_it_had(options: dict[str, Any], line: str) -> None:
    assert line in made(**options)


@pytest.mark.parametrize(
    ("options", "consent", "talking", "words"),
    [
        ({"sandbox": "auto", "calls": "all"}, None, '["--sandbox"]', None),
        ({"sandbox": "sudo", "calls": "all"}, None, '["--sandbox=sudo"]', None),
        (
            {"sandbox": "auto", "calls": "safe"},
            {"answer": "choose", "in_world": True, "allowed": ["save"], "options": ["--sandbox"]},
            '["--sandbox"]',
            '["--calls", "safe", "--allow", "save"]',
        ),
        (
            {"sandbox": "auto", "sandbox_allow": ["a.example"], "calls": "all"},
            None,
            '["--sandbox", "--sandbox-allow", "a.example"]',
            '["--calls", "all"]',
        ),
    ],
)
def test_what_was_seen_in_a_world_is_looked_for_in_one(
    options: dict[str, Any], consent: dict[str, Any] | None, talking: str, words: str | None
) -> None:
    known = replace(report("x", []), options={**ASSESSED, **options}, consent=consent)
    written = to_pytest(known)
    assert f"talking={talking}," in written
    assert f"options={words}," in written if words else "options=" not in written


def test_what_was_permitted_on_a_terminal_is_permitted_again() -> None:
    consent = {"answer": "yes", "options": ["--allow", "save"]}
    known = replace(report("x", []), options=ASSESSED, consent=consent)
    assert 'options=["--allow", "save"],' in to_pytest(known)


def test_a_hidden_part_of_a_command_is_left_to_a_variable() -> None:
    text = made(command="[redacted]")
    assert '"assess", "--", "python", "${MCP_ASSAY_WORD_1}",' in text
    assert 'secrets=["MCP_ASSAY_WORD_1"],' in text


def test_a_hidden_part_of_an_address_is_left_to_a_variable() -> None:
    subject = ReportSubject(kind="server", url="https://redacted@notes.example/mcp")
    text = to_pytest(replace(report("x", []), subject=subject, options=ASSESSED))
    assert '"assess", "${MCP_ASSAY_URL}",' in text


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (["a.jsonl", "-b"], '"validate", "a.jsonl", "./-b",'),
        (["-"], "(its messages came from stdin)"),
        ([], "(its messages were live traffic; use --record"),
    ],
)
def test_files_are_judged_again_where_there_are_some(files: list[str], expected: str) -> None:
    assert expected in to_pytest(on_files(files=files))


def test_the_folder_of_the_run_is_seen_from_the_file_or_named() -> None:
    assert 'folder=Path(__file__).parent / "../..",' in to_pytest(on_files(), "../..")
    assert 'folder=Path("/srv/project"),' in to_pytest(on_files(), "/srv/project")


@pytest.mark.parametrize("text", [*NASTY, "".join(NASTY)], ids=range(len(NASTY) + 1))
def test_a_literal_is_the_text_itself_on_one_line(text: str) -> None:
    assert ast.literal_eval(literal(text)) == text
    assert literal(text).isprintable()
    assert "\u034f" not in literal(text)
