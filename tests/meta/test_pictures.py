"""The pictures in the documentation show what the pages show: `python -m tools.picture --check`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.browser import missing
from tools.consoles import ROOT
from tools.picture import DOCS, NAMES, main
from tools.picture_words import with_words, words_of

PAGES = (ROOT / "README.md", *sorted(DOCS.glob("*.md")))


def test_all_pictures_are_taken_by_the_tool_and_shown_somewhere() -> None:
    assert sorted(path.name for path in DOCS.glob("*.png")) == sorted(NAMES)
    shown = "".join(path.read_text("utf-8") for path in PAGES)
    assert [name for name in NAMES if f"{name})" not in shown] == []


@pytest.mark.parametrize("name", NAMES)
def test_a_picture_holds_its_words_once(name: str) -> None:
    picture = (DOCS / name).read_bytes()
    assert "tools" in words_of(picture).casefold()
    assert with_words(picture, words_of(picture)) == picture
    assert words_of(with_words(picture, "other words, ✕")) == "other words, ✕"


def test_what_is_no_picture_holds_no_words() -> None:
    with pytest.raises(ValueError, match="no PNG"):
        words_of(b"GIF89a")


def test_the_pages_still_say_what_the_pictures_show(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lacking = missing()
    if lacking is not None:
        pytest.skip(f"needs a browser: {lacking}")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    assert main(["--check"]) == 0, capsys.readouterr().out
