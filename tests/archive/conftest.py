"""What tests of archives share: a cache of their own, and batches of any size."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from mcp_assay.archive import plan


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep indexes in a folder of the test."""
    folder = tmp_path / ".cache"
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    return folder


@pytest.fixture
def cut_into(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Cut archives into batches of so many bytes."""
    return lambda size: monkeypatch.setattr(plan, "SMALLEST_BATCH", size)
