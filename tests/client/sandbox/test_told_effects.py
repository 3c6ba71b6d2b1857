"""What a watcher tells becomes effects that are the same for equal runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from mcp_assay.client.sandbox.told_effects import (
    MOST_TOGETHER,
    effects_of,
    in_common,
    late,
    together,
    without,
)
from mcp_assay.model.effect import NOTHING, Effects, FileChange, FileState, ProgramRun


def told_file(path: str, what: str = "created", known: int = 0, **more: Any) -> dict[str, Any]:
    state = {"kind": "file", "mode": "0644", "size": 3, "target": None}
    sides = {"before": None if what == "created" else state, "after": state}
    return {"path": path, "what": what, "diff": None, "known": known, **sides, **more}


def file(path: str, size: int, what: str = "changed", **more: Any) -> FileChange:
    state = FileState(kind="file", mode="0644", size=size)
    return FileChange(path=path, what=what, after=state, **more)


def test_nothing_told_is_nothing() -> None:
    assert effects_of({}) == NOTHING
    assert effects_of({"cuts": {"names": 1}}) == NOTHING


def test_only_what_the_server_chose_is_replaced() -> None:
    begin = "/tmp/pytest-12/build-aB3dE9"
    told = {"files": [told_file(f"{begin}/out-1763441738.txt", known=len(begin))]}
    assert [one.path for one in effects_of(told).files] == [f"{begin}/out-{{number}}.txt"]


def test_words_of_the_call_stay() -> None:
    told = {
        "files": [told_file("/desk/1763441738.txt", diff="@@ -0,0 +1,1 @@\n+1763441738\n")],
        "programs": [["git", "show", "3f2a9c1d4e5b6a7f"]],
    }
    kept = effects_of(told, '["1763441738", "3f2a9c1d4e5b6a7f"]')
    assert kept.files[0].path == "/desk/1763441738.txt"
    assert kept.files[0].diff == "@@ -0,0 +1,1 @@\n+1763441738\n"
    assert kept.programs[0].argv == ["git", "show", "3f2a9c1d4e5b6a7f"]
    other = effects_of(told)
    assert other.files[0].diff == "@@ -0,0 +1,1 @@\n+{number}\n"
    assert other.programs[0].argv == ["git", "show", "{hex}"]


def test_how_long_a_text_is_that_differs_in_every_run_is_not_told() -> None:
    told = {
        "files": [
            told_file("/desk/a", diff="@@ -0,0 +1,1 @@\n+1763441738.25\n"),
            told_file("/desk/b", diff="@@ -0,0 +1,1 @@\n+ab\n"),
        ]
    }
    states = [one.after for one in effects_of(told).files]
    assert [state.size for state in states if state] == [None, 3]


def test_where_a_hunk_lies_is_not_replaced() -> None:
    head = "@@ -1234567890,3 +1234567890,4 @@\n"
    (change,) = effects_of({"files": [told_file("/a", diff=f"{head}+x\n")]}).files
    assert change.diff == f"{head}+x\n"


def test_the_order_is_not_by_chance() -> None:
    told = {"files": [told_file("/b"), told_file("/a")], "programs": [["b"], ["a"], ["b"]]}
    effects = effects_of(told)
    assert [one.path for one in effects.files] == ["/a", "/b"]
    assert [one.argv for one in effects.programs] == [["a"], ["b"]]


def test_late_effects_are_marked_each() -> None:
    found = late(Effects(files=[file("/a", 1)], programs=[ProgramRun(argv=["x"])], names=["n"]))
    assert found.late
    assert found.files[0].late
    assert found.programs[0].late


def test_a_file_changed_by_several_calls_is_one_change_of_the_tool() -> None:
    calls = [Effects(files=[file("/a", size, diff="x")]) for size in (1, 2, 3)]
    (change,) = together(calls).files
    assert change.after is not None
    assert (change.after.size, change.diff) == (3, None)
    assert len(together(calls, with_diffs=True).files) == 3


def test_what_is_too_much_together_is_counted() -> None:
    calls = [Effects(names=[f"{n}.example" for n in range(150)], left_out={"names": 7})]
    calls.append(Effects(names=[f"{n}.example" for n in range(100, 300)]))
    found = together(calls)
    assert len(found.names) == MOST_TOGETHER
    assert found.left_out == {"names": 100 + 7}


def changed(path: str, *, late: bool = False, what: str = "changed") -> FileChange:
    return FileChange(path=path, what=what, late=late)


def test_what_several_worlds_have_seen_is_what_all_of_them_have() -> None:
    one = Effects(files=[changed("/a"), changed("/b")], names=["x.example", "y.example"])
    two = Effects(files=[changed("/b", late=True), changed("/c")], names=["y.example"])
    shared = in_common([one, two])
    assert [it.path for it in shared.files] == ["/b"]
    assert shared.names == ["y.example"]
    assert not shared.late


def test_what_always_came_late_is_late() -> None:
    one = Effects(files=[changed("/b", late=True)], late=True)
    assert in_common([one, one]).late
    both = Effects(files=[changed("/b", late=True), changed("/b")], late=True)
    assert not in_common([both, one]).files[0].late


def test_what_comes_anyway_is_left_out_whatever_becomes_of_it() -> None:
    seen = Effects(files=[changed("/a"), changed("/b")], attempts=["mount"])
    anyway = Effects(files=[changed("/a", what="created")], attempts=["mount"])
    left = without(seen, [anyway])
    assert [it.path for it in left.files] == ["/b"]
    assert left.attempts == []


def test_nothing_in_common_is_nothing() -> None:
    assert in_common([]).is_empty


FOLDER = {"kind": "folder", "mode": "0755"}
EMPTY = {"kind": "file", "mode": "0644", "size": 0}
FULL = {"kind": "file", "mode": "0644", "size": 2}


def kept_apart(
    *files: tuple[str, Mapping[str, object]], known: str = "", what: str = "created"
) -> dict[str, bool]:
    """Which of these changes are bookkeeping, by their paths."""
    told = [
        {"path": path, "known": len(path), "what": what, "before": None, "after": after}
        for path, after in files
    ]
    own = ("/home/u", "/home/u/.src/desk")
    rows = effects_of({"files": [{**one, "diff": None} for one in told]}, known, own).files
    return {one.path: one.bookkeeping for one in rows}


def test_a_folder_that_was_made_for_a_lock_alone_is_bookkeeping() -> None:
    lock = ("/home/u/bin/x.lock", EMPTY)
    assert kept_apart(("/home/u/bin", FOLDER), lock) == {"/home/u/bin": True, lock[0]: True}
    others = kept_apart(("/home/u/bin", FOLDER), lock, ("/home/u/bin/x", EMPTY))
    assert not others["/home/u/bin"]
    assert not kept_apart(("/home/u/bin", FOLDER))["/home/u/bin"]


@pytest.mark.parametrize(
    ("path", "after", "known", "expected"),
    [
        ("/home/u/.tasks", FOLDER, '{"id": 1}', True),
        ("/home/u/.tasks/done", FOLDER, "", True),
        ("/home/u/.src/desk/.tasks", FOLDER, '{"project": "desk"}', True),
        ("/home/u/.src/desk/.ready", EMPTY, "", True),
        ("/home/u/.src/desk/.ready", FULL, "", False),
        ("/home/u/.src/desk/tasks", FOLDER, "", False),
        ("/home/u/.src/desk/notes.txt", EMPTY, "", False),
        ("/home/u/.src/desk/.github", FOLDER, '{"path": ".github/flows"}', False),
        ("/home/u/.src/desk/.github/flows", FOLDER, '{"path": ".github/flows"}', False),
        ("/home/u/.tasks/tea", FOLDER, '{"name": "tea"}', False),
    ],
)
def test_a_hidden_place_that_is_empty_and_that_nobody_named_is_bookkeeping(
    path: str, after: Mapping[str, object], known: str, expected: bool
) -> None:
    assert kept_apart((path, after), known=known) == {path: expected}


def test_an_empty_place_in_which_something_was_put_is_none() -> None:
    hidden, inner = "/home/u/.tasks", "/home/u/.tasks/done"
    assert all(kept_apart((hidden, FOLDER), (inner, FOLDER)).values())
    filled = kept_apart((hidden, FOLDER), (inner, FOLDER), (f"{inner}/1.json", FULL))
    assert not any(filled.values())
    cached = kept_apart((hidden, FOLDER), (f"{hidden}/.cache/x", FULL))
    assert all(cached.values())
    beside = kept_apart(("/home/u/new", FOLDER), ("/home/u/new/.tasks", FOLDER))
    assert beside == {"/home/u/new": False, "/home/u/new/.tasks": True}


def test_a_hidden_file_that_was_emptied_is_missed() -> None:
    assert not any(kept_apart(("/home/u/.tasks", EMPTY), what="changed").values())
