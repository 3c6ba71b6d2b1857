from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bench.published.labels import Label, digest_of, kappa, labels_of
from bench.published.score import (
    MEASURES,
    CheckedRow,
    FindingRow,
    Share,
    ToolRow,
    changes,
    false_shares,
    findings,
    has_hints,
    kept_shares,
    read_checked,
    tool_rows,
)
from bench.published.servers import (
    DATA,
    HALVES,
    OPEN_HALVES,
    UNSEEN,
    Half,
    chosen,
    half_of,
    servers,
    servers_of,
    version_of,
)

DIGEST = "labels.sha256"
WORKS = Label(label="works", reads=True)
NETWORK = Label(label="network", reads=True)
BROKEN = Label(label="broken", reads=False)


def row(label: Label, status: str, **more: Any) -> ToolRow:
    usual: dict[str, Any] = {"has_hints": False, "is_called": True}
    return ToolRow("tea", "brew", label, status=status, **usual | more)


def shares(*rows: ToolRow) -> dict[str, Share]:
    return {one.name: one.share(rows) for one in MEASURES}


def test_a_share_of_nothing_is_whole() -> None:
    assert (Share(0, 0).percent, str(Share(1, 4))) == (100.0, "1 of 4 (25.0 %)")


def test_tools_that_work_are_proven_by_either_green() -> None:
    seen = shares(row(WORKS, "fully_working"), row(WORKS, "partially_working"), row(WORKS, ""))
    assert seen["tools that work, proven"] == Share(2, 3)


@pytest.mark.parametrize(
    ("label", "status", "count"),
    [
        (NETWORK, "fully_working", 1),
        (BROKEN, "partially_working", 1),
        (NETWORK, "connectivity_only", 0),
    ],
)
def test_a_green_on_a_tool_that_cannot_work_is_counted(
    label: Label, status: str, count: int
) -> None:
    assert shares(row(label, status))["tools that cannot work, said to work"] == Share(count, 1)


@pytest.mark.parametrize(("label", "count"), [(WORKS, 1), (NETWORK, 1), (BROKEN, 0)])
def test_a_red_is_wrong_unless_the_tool_is_broken(label: Label, count: int) -> None:
    assert shares(row(label, "broken"))["tools called, wrongly said to be broken"] == Share(
        count, 1
    )


def test_likely_is_measured_on_tools_without_hints_that_only_read() -> None:
    seen = shares(
        row(WORKS, "", is_called_by_likely=True),
        row(WORKS, "", is_called_by_likely=False),
        row(WORKS, "", is_called_by_likely=False, has_hints=True),
        row(BROKEN, "", is_called_by_likely=False),
        row(WORKS, "", is_called_by_likely=None),
    )
    assert seen["tools without hints that only read, called by likely"] == Share(1, 2)


def test_what_likely_changed_is_counted() -> None:
    seen = shares(
        row(WORKS, "", is_called_by_likely=True, changes=("created tea.txt",)),
        row(WORKS, "", is_called_by_likely=True),
    )
    assert seen["tools without hints called by likely that changed something"] == Share(1, 2)
    hinted = shares(
        row(WORKS, "", is_called_by_likely=True, changes=("created tea.txt",), has_hints=True)
    )
    assert hinted["tools without hints called by likely that changed something"] == Share(0, 0)
    assert hinted["tools called because of their hints that changed something"] == Share(1, 1)


def test_bookkeeping_is_no_change() -> None:
    files = [
        {"path": "tea.txt", "what": "created", "bookkeeping": False},
        {"path": "cache/x", "what": "created", "bookkeeping": True},
    ]
    calls = [{"tool": "brew", "effects": {"files": files}}, {"tool": "pour", "effects": None}]
    assert changes({"calls": calls}) == {"brew": ("created tea.txt",)}


@pytest.mark.parametrize(
    ("annotations", "expected"),
    [({"readOnlyHint": False}, True), ({"title": "Brew"}, False), (None, False), ("no", False)],
)
def test_a_title_is_no_hint(annotations: object, expected: bool) -> None:
    assert has_hints({"name": "brew", "annotations": annotations}) is expected


def test_rows_are_made_from_labels_definitions_and_both_reports() -> None:
    report = {"tools": [{"name": "brew", "status": "broken", "called": 3}]}
    likely = {"tools": [{"name": "brew", "status": "not_called", "called": 0}]}
    found = tool_rows(
        "tea",
        {"brew": WORKS, "pour": BROKEN},
        [{"name": "brew", "annotations": {"readOnlyHint": True}}, {"name": "pour"}],
        report,
        likely,
    )
    assert found == [
        row(WORKS, "broken", has_hints=True, is_called_by_likely=False),
        row(BROKEN, "", is_called=False, is_called_by_likely=False)._replace(tool="pour"),
    ]


def test_a_finding_counts_once_for_each_rule_and_tool() -> None:
    warned = {"rule": "RESP-003", "severity": "warning", "where": {"tool": "brew"}, "message": "m"}
    told = {**warned, "severity": "info", "rule": "LINT-001"}
    of_server = {**warned, "where": {}, "severity": "error"}
    assert findings("tea", {"findings": [warned, warned, told, of_server]}) == {
        FindingRow("warning", "RESP-003", "tea", "brew", "m"),
        FindingRow("error", "RESP-003", "tea", "", "m"),
    }


def test_the_share_of_false_findings_is_that_of_the_checked(tmp_path: Path) -> None:
    file = tmp_path / "checked.csv"
    file.write_text(
        "server,rule,tool,severity,verdict,why\n"
        "tea,RESP-004,brew,error,false,our number\n"
        "tea,RESP-004,pour,error,true,it raises\n",
        "utf-8",
    )
    found = [FindingRow("error", "RESP-004", "tea", tool, "") for tool in ("brew", "pour", "sip")]
    shares = false_shares(found, read_checked(file))
    assert shares == {"error": (Share(1, 2), 1), "warning": (Share(0, 0), 0)}
    assert read_checked(tmp_path / "none.csv") == {}


def test_what_became_of_checked_findings_is_shown_for_the_servers_that_were_run() -> None:
    rows = [
        CheckedRow("error", "tea", "RESP-004", "brew", is_false=False),
        CheckedRow("error", "tea", "RESP-004", "pour", is_false=False),
        CheckedRow("error", "tea", "RESP-004", "sip", is_false=True),
        CheckedRow("error", "ale", "RESP-004", "sip", is_false=False),
    ]
    found = [
        FindingRow("error", "RESP-004", "tea", "brew", ""),
        FindingRow("warning", "RESP-004", "tea", "pour", ""),
    ]
    kept = kept_shares(found, rows, {"tea"})["error"]
    assert (kept.true_told, kept.false_told) == (Share(1, 2), Share(0, 1))
    assert kept.lost == (("tea", "RESP-004", "pour"),)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ([], 1.0),
        ([("works", "works")] * 3, 1.0),
        ([("works", "network"), ("network", "works")], -1.0),
        ([("a", "a"), ("a", "b"), ("b", "b"), ("b", "a")], 0.0),
    ],
)
def test_kappa_is_agreement_beyond_chance(said: list[tuple[str, str]], expected: float) -> None:
    assert kappa(said) == expected


def test_no_server_is_in_two_halves() -> None:
    assert len(servers()) == sum(len(servers_of(half)) for half in HALVES)


def test_a_server_of_the_unseen_half_is_chosen_only_where_it_is_asked_for() -> None:
    assert {half_of(name) for name in chosen()} == set(OPEN_HALVES)
    unseen = servers_of(UNSEEN)
    assert chosen(half=UNSEEN) == unseen
    assert chosen(tuple(unseen)) == (unseen or chosen())


@pytest.mark.parametrize("name", servers())
def test_a_server_is_pinned_and_labelled(name: str) -> None:
    assert version_of(name)
    assert labels_of(name)


@pytest.mark.parametrize("half", HALVES)
def test_every_label_belongs_to_a_server(half: Half) -> None:
    assert {file.stem for file in (DATA / half).glob("labels/*/*.toml")} <= set(servers_of(half))


def test_only_tools_that_need_the_network_are_marked_by_their_address() -> None:
    assert not WORKS.address
    marked = [label for name in servers() for label in labels_of(name).values() if label.address]
    assert marked
    assert {label.label for label in marked} == {"network"}


def test_pins_name_no_registry() -> None:
    pins = [*DATA.glob("*/pypi/*.txt"), *DATA.glob("*/npm/package-lock.json")]
    named = ("resolved", "--index-url", " @ ")
    texts = {file.name: file.read_text("utf-8") for file in pins}
    assert [(file, word) for file, text in texts.items() for word in named if word in text] == []


@pytest.mark.parametrize("half", [half for half in HALVES if (DATA / half / DIGEST).exists()])
def test_labels_are_those_that_were_made_before_they_were_scored(half: Half) -> None:
    assert (DATA / half / DIGEST).read_text("utf-8").strip() == digest_of(half)
