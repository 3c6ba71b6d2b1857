"""Names from a configuration make harmless paths, and no two servers share a file."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_assay.cli.output import UsageError
from mcp_assay.cli.several_files import destinations, file_names, per_server


@pytest.mark.parametrize(
    ("name", "file_name"),
    [
        ("github", "github"),
        ("../../etc/passwd", "etc-passwd"),
        ("C:\\x", "C-x"),
        ("", "server"),
        ("...", "server"),
        ("-rf", "rf"),
        ("con", "server-con"),
        ("NUL.txt", "server-NUL.txt"),
        ("a\x00\x1b[2Jb", "a-2Jb"),
        ("Überflug", "berflug"),
        ("{server}", "server"),
        ("overall", "overall-2"),
        ("x" * 300, "x" * 60),
    ],
)
def test_a_name_becomes_a_harmless_file_name(name: str, file_name: str) -> None:
    assert file_names([name]) == {name: file_name}


def test_names_that_only_differ_in_case_or_signs_have_files_of_their_own() -> None:
    assert list(file_names(["a b", "a/b", "A-B", "a-b-2"]).values()) == [
        "a-b",
        "a-b-2",
        "A-B-3",
        "a-b-2-2",
    ]


@given(st.lists(st.text(st.characters(codec=None)), unique=True))
def test_all_names_differ_and_none_leaves_its_folder(names: list[str]) -> None:
    chosen = file_names(names)
    assert list(chosen) == names
    assert len({one.lower() for one in chosen.values()}) == len(names)
    for one in chosen.values():
        assert Path("folder", one).name == one
        assert not one.startswith((".", "-"))


def test_a_path_is_for_all_or_with_a_place_for_each(tmp_path: Path) -> None:
    (each,) = destinations([("html", "out/{server}.html")])
    assert each.is_for_each
    assert each.of("books") == "out/books.html"
    (whole,) = destinations([("json", "all.json")])
    assert not whole.is_for_each
    in_folder = destinations(
        [("junit", str(tmp_path)), ("pytest", "tests/"), ("json", "{server}/")]
    )
    assert [one.path for one in in_folder] == [
        str(tmp_path / "{server}.xml"),
        str(tmp_path / "overall.xml"),
        "tests/test_{server}.py",
        "{server}/{server}.json",
    ]


def test_a_form_that_cannot_report_several_servers_is_refused() -> None:
    with pytest.raises(UsageError, match="pytest reports cover one server each"):
        destinations([("pytest", "test_all.py")])


def test_a_baseline_of_all_servers_together_is_refused() -> None:
    with pytest.raises(UsageError, match=r"--baseline b.json with --all: each server needs"):
        per_server("b.json", "--baseline", "books")
    assert per_server("{server}.json", "--baseline", "books") == "books.json"
    assert per_server(None, "--baseline", "books") is None
