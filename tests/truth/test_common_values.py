"""Values that users give: which are secrets, and what taking them out does to JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest
from msgspec.structs import replace

from mcp_assay.assess.options import AssessOptions
from mcp_assay.assess.reproduction import RepeatCommands, Repeater
from mcp_assay.client.target import Command, Endpoint, Target
from mcp_assay.model.call import Call, CallResult, ToolRun
from mcp_assay.model.finding import Finding, Where
from mcp_assay.model.scenario import Scenario
from mcp_assay.model.tool import ToolRow
from mcp_assay.model.verdict import ScenarioVerdict
from mcp_assay.rules.engine.findings import to_finding
from mcp_assay.rules.engine.rule import Found
from mcp_assay.spec.revisions import R2025_11_25
from mcp_assay.text.common_values import may_be_secret
from mcp_assay.text.redaction import Redactor
from mcp_assay.text.words import REDACTED

COMMON = """
    true false True FALSE yes no on off null None undefined 0 1 -1 42 8080 65535 0.25 30s 500ms 10MB
    80% debug INFO Warning error trace en de x ab dev production staging test localhost 127.0.0.1
    utf-8 stdio json enabled
    """.split()  # noqa: SIM905  a list of values reads better as prose
SECRETS = """
    hunter22 sk-abcdef0123456789 hush abcd 123456 0b5c9d1e 8080-8080 true-love information-desk
    p4ss 5f1c0a9e-77aa correcthorse 2026-01-01T00:00 warnings! debug1 1234567890
    """.split()  # noqa: SIM905


@pytest.mark.parametrize("value", ["", " ", *COMMON])
def test_a_common_value_hides_nothing(value: str) -> None:
    assert not may_be_secret(value)
    text = f"the value is {value} here"
    assert Redactor([value]).line(text) == text


@pytest.mark.parametrize("value", SECRETS)
def test_any_other_value_is_hidden(value: str) -> None:
    assert may_be_secret(value)
    assert value not in Redactor([value]).line(f"the value is {value} here")


SHAPES: list[tuple[str, Any, Any]] = [
    ("false", {"flag": False, "words": "false"}, {"flag": False, "words": "false"}),
    ("null", [None, "null"], [None, "null"]),
    ("8080", {"port": 8080}, {"port": 8080}),
    ("1234567", {"id": 1234567, "n": 7654321}, {"id": REDACTED, "n": 7654321}),
    ("hush", {"hush": 1, "a": "hush!"}, {REDACTED: 1, "a": f"{REDACTED}!"}),
    ("hush", {"hush": 1, "hush hush": 2}, {REDACTED: 1, f"{REDACTED} {REDACTED}": 2}),
    ("name", {"x": {"name": "n"}}, {"x": {REDACTED: "n"}}),
    ('a":1,"b', {"t": 'a":1,"b'}, {"t": REDACTED}),
    ("back\\slash", {"t": ["back\\slash"]}, {"t": [REDACTED]}),
    ("line\nbreak", {"t": "one line\nbreak"}, {"t": f"one {REDACTED}"}),
]


@pytest.mark.parametrize(("secret", "value", "shown"), SHAPES)
def test_texts_change_and_the_shape_of_a_value_stays(secret: str, value: Any, shown: Any) -> None:
    redactor = Redactor([secret])
    assert redactor.lines(value) == shown
    written = redactor.message(json.dumps(value).encode())
    clean = value if written is None else written[0]
    assert _shape(clean) == _shape(shown)
    assert value == shown or secret not in json.dumps(clean)


def _shape(value: Any) -> Any:
    if isinstance(value, dict):
        return [_shape(member) for member in value.values()]
    return [_shape(one) for one in value] if isinstance(value, list) else type(value)


def test_names_that_become_the_same_are_kept_apart() -> None:
    redactor = Redactor(["hush-1", "hush-2"])
    assert redactor.lines({"hush-1": 1, "hush-2": 2}) == {REDACTED: 1, f"{REDACTED} 2": 2}
    assert list(redactor.value({"hush-1": 1, "hush-2": 2})[0].values()) == [1, 2]


@pytest.mark.parametrize("secret", ["working", "fully", "fully_working"])
def test_words_that_a_record_lists_are_never_taken_out(secret: str) -> None:
    row = ToolRow(name=f"is_{secret}", status="fully_working", reason=f"it is {secret}")
    shown = Redactor([secret]).lines(row)
    assert (shown.name, shown.status) == (f"is_{REDACTED}", "fully_working")
    assert shown.reason == f"it is {REDACTED}"


AT_FIND = Where(tool="find", call=1)
ARGUMENTS = {"flag": False, "none": None, "port": 8080, "level": "debug", "word": "hush-hush"}


@pytest.mark.parametrize(
    "target",
    [
        Command(command=("server",), environment={"X": value})
        for value in ("false", "null", "8080", "debug", "true", "hush-hush", '{"a": 1}')
    ]
    + [Endpoint(url="http://localhost/mcp", headers={"X-Flag": "false"})],
)
def test_a_repeated_call_has_arguments_that_are_json(target: Target) -> None:
    commands = RepeatCommands(target, AssessOptions(), "2025-11-25", [], lambda _: None)
    call = Call(
        number=1,
        scenario=Scenario(
            tool="find", name="typed", category="happy_path", arguments=ARGUMENTS, valid=True
        ),
        answer=CallResult(ending="answered"),
        result=None,
        verdict=ScenarioVerdict(outcome="failed"),
    )
    run = ToolRun(tool={"name": "find"}, calls=(call,))
    (shown,) = Repeater(commands, target).with_repeats([_finding()], [run])
    assert shown.details is not None
    smallest = shown.details["smallest"]
    assert {name: it for name, it in smallest.items() if name != "word"} == {
        name: it for name, it in ARGUMENTS.items() if name != "word"
    }
    sent = shown.details.get("raw") or shown.details["curl"]
    assert json.dumps(smallest["word"])[1:-1] in sent


def _finding() -> Finding:
    return replace(to_finding(Found((), "It failed.", "RESP-004"), R2025_11_25), where=AT_FIND)
