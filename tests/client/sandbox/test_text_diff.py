"""Differences of texts are what `git apply` takes, and no text makes them take long."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path
from time import process_time

import pytest

from mcp_assay.client.sandbox.text_diff import is_text, unified

TEXTS = ("", "\n", "a", "a\n", "a\nb\nc\n", "a\r\nb\r\n", "a\x0bb\x0c\u2028c\n", "\\ No newline\n")


def applied(folder: Path, old: str, new: str) -> str:
    """What git makes of the old text by the difference."""
    (folder / "file").write_bytes(old.encode())
    head = "diff --git a/file b/file\n--- a/file\n+++ b/file\n"
    (folder / "patch").write_bytes((head + unified(old, new)).encode())
    subprocess.run(["git", "apply", "patch"], cwd=folder, check=True, capture_output=True)
    return (folder / "file").read_bytes().decode()


@pytest.mark.parametrize("old", TEXTS)
@pytest.mark.parametrize("new", TEXTS)
def test_git_makes_the_new_text_of_the_old_one(tmp_path: Path, old: str, new: str) -> None:
    if old == new:
        assert unified(old, new) == ""
    elif old and new:
        assert applied(tmp_path, old, new) == new


def test_git_makes_any_text_of_any_other(tmp_path: Path) -> None:
    chance = random.Random(7)
    for _ in range(40):
        old = [chance.choice("abcde") for _ in range(chance.randrange(1, 60))]
        new = list(old)
        for _ in range(chance.randrange(1, 8)):
            at = chance.randrange(len(new) + 1)
            new[at : at + chance.randrange(3)] = chance.choices("abxyz", k=chance.randrange(3))
        first = "\n".join(old) + chance.choice(["", "\n"])
        second = "\n".join([*new, "end"]) + chance.choice(["", "\n"])
        assert first == second or applied(tmp_path, first, second) == second


@pytest.mark.parametrize("line", ["a\n", "ab\nba\n", "{}\n"])
def test_long_texts_take_little_time(line: str) -> None:
    old = "".join(line.format(number) for number in range(10_000))
    new = "".join(line.format(-number) for number in range(9_999)) + "z\n"
    began = process_time()
    unified(old, new)
    unified("x\n" + old, old + "y\n")
    assert process_time() - began < 5


def test_only_what_people_can_read_is_text() -> None:
    assert is_text("grün\n".encode())
    assert not is_text(b"\x00abc")
    assert not is_text(b"\xff\xfe")
