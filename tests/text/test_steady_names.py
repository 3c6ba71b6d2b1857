"""What differs from run to run is replaced by what it is; what somebody chose stays."""

from __future__ import annotations

from time import process_time

import pytest

from mcp_assay.text.steady_names import is_temporary, steady, steady_path


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("id 0f8fad5b-d9cb-469f-a165-70867728950e.", "id {uuid}."),
        ("at 2026-11-18T05:15:38.123Z on", "at {time} on"),
        ("at 2026-11-18 05:15:38", "at {time}"),
        ("backup-20261118_051538.tar", "backup-{time}.tar"),
        ("on Wed Nov 18 05:15:38 2026", "on {time}"),
        ("Wed, 18 Nov 2026 05:15:38 GMT", "{time} GMT"),
        ("05:15:38.5 INFO", "{time} INFO"),
        ("stamp 1763441738", "stamp {number}"),
        ("stamp 1763441738.25 s", "stamp {number} s"),
        ("commit 3f2a9c1d4e5b6a7f8091a2b3c4d5e6f708192a3b", "commit {hex}"),
        ("index 1a2b3c4..d4e5f60 100644", "index {hex}..{hex} 100644"),
        ("--index=/desk/.git/tmpzfmioco0 x", "--index=/desk/.git/{random} x"),
        ("pid=1234 pid: 77 [pid 9]", "pid={number} pid: {number} [pid {number}]"),
    ],
)
def test_chance_and_time_are_replaced(text: str, expected: str) -> None:
    assert steady(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "report2.txt",
        "port 8080",
        "line 12345",
        "cafe, decade, facade, defaced",
        "version 2.10.14",
        "0644 to 0755",
        "May be",
        "utf-8, sha256, base64",
        "127.0.0.1:3000",
        "",
    ],
)
def test_what_somebody_chose_stays(text: str) -> None:
    assert steady(text) == text


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/tmp/tmpab12_x9z", "/tmp/{random}"),
        ("/tmp/tmp6_ab3dx9.part", "/tmp/{random}.part"),
        ("/tmp/tmpa_12345_/4711", "/tmp/{random}/{number}"),
        ("/tmp/tmpabcdefgh/out.txt", "/tmp/{random}/out.txt"),
        ("/tmp/mcp-server-aB3dE9/file.txt", "/tmp/mcp-server-{random}/file.txt"),
        ("/tmp/server-4711.sock", "/tmp/server-{number}.sock"),
        ("/tmp/exfiltrated.txt", "/tmp/exfiltrated.txt"),
        ("/tmp/my-output/notes.txt", "/tmp/my-output/notes.txt"),
        ("/home/u/aB3dE9/server-47.txt", "/home/u/aB3dE9/server-47.txt"),
    ],
)
def test_names_of_temporary_files_are_mostly_chosen_by_chance(path: str, expected: str) -> None:
    assert steady_path(path) == expected


def test_what_a_call_names_is_not_chance() -> None:
    path = "/tmp/tmpab12cd34/2026-11-18.txt"
    assert steady_path(path, '{"path": "/tmp/tmpab12cd34/2026-11-18.txt"}') == path
    assert steady_path(path, '{"date": "2026-11-18"}') == "/tmp/{random}/2026-11-18.txt"


def test_the_working_folder_is_not_temporary_wherever_it_lies() -> None:
    assert is_temporary("/tmp/desk/a")
    assert not is_temporary("/tmp/desk/a", ["/tmp/desk"])
    assert is_temporary("/tmp/workshop/a", ["/tmp/desk"])
    assert not is_temporary("/tmpfile")


@pytest.mark.parametrize(
    "text", ["a1" * 50_000, "1" * 99_999, "-" * 99_999, "20" * 40_000, "pid " * 20_000]
)
def test_no_text_takes_long(text: str) -> None:
    began = process_time()
    steady(text)
    steady_path(f"/tmp/{text}")
    assert process_time() - began < 5
