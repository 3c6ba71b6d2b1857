"""Caches, indexes, locks and logs are bookkeeping; what a tool is for is not."""

from __future__ import annotations

import pytest

from mcp_assay.text.bookkeeping import is_bookkeeping


@pytest.mark.parametrize(
    "path",
    [
        "/home/u/desk/package/__pycache__/a.cpython-311.pyc",
        "/home/u/.cache/uv/simple-v15/x",
        "/home/u/.npm/_cacache/index-v5/aa",
        "/home/u/.npm/_logs/2026-debug-0.log",
        "/home/u/desk/.git/index",
        "/home/u/desk/.git/index.lock",
        "/home/u/desk/data.db-wal",
        "/home/u/desk/data.db-journal",
        "/home/u/.planted/server.log",
        "/tmp/server.log",
        "/home/u/.server.log",
        "/home/u/.local/share/uv/tools/x",
        "/home/u/.local",
        "/home/u/.local/share",
        "/home/u/.local/share/notes-server",
        "/home/u/.local/share/notes-server/usage_stats/a.json",
        "/home/u/.local/share/notes-server/logs/server.jsonl",
        "/home/u/.local/state/notes-server/last",
        "/home/u/.local/bin/yq-4.52.lock",
        "/tmp/browser_profile-{random}/Default/Preferences",
        "/tmp/{hex}",
        "/home/u/.planted/server.log.1",
    ],
)
def test_what_programs_keep_for_themselves(path: str) -> None:
    assert is_bookkeeping(path)


@pytest.mark.parametrize(
    "path",
    [
        "/home/u/desk/notes.txt",
        "/home/u/desk/uv.lock",
        "/home/u/desk/data.db",
        "/home/u/desk/.git/HEAD",
        "/home/u/desk/.git/hooks/pre-commit",
        "/home/u/desk/.git/objects/aa/bb",
        "/home/u/desk/changes.log",
        "/home/u/.bashrc",
        "/home/u/desk/index",
        "/home/u/.config/autostart/x.desktop",
        "/home/u/.local/share/notes-server/notes/tea.md",
        "/home/u/.local/share/notes-server/memory.json",
        "/home/u/.local/bin/yq",
        "/tmp/mine/notes-{time}.md",
        "/tmp/report-{time}.pdf",
        "/home/u/desk/poetry.lock",
        "/home/u/desk/logs/server.jsonl",
        "/home/u/desk/stats.json",
        "/home/u/.server/notes.json",
    ],
)
def test_what_somebody_would_miss(path: str) -> None:
    assert not is_bookkeeping(path)


@pytest.mark.parametrize(
    ("path", "size", "expected"),
    [
        ("/home/u/.local/bin/yq.lock", 0, True),
        ("/home/u/desk/server.lock", 6, True),
        ("/home/u/desk/uv.lock", 4000, False),
        ("/home/u/desk/uv.lock", None, False),
        ("/home/u/desk/notes.txt", 0, False),
    ],
)
def test_a_lock_is_empty_or_holds_a_number(path: str, size: int | None, expected: bool) -> None:
    assert is_bookkeeping(path, size) is expected
