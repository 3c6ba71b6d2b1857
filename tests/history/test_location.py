"""Where a history is: by default in the user's own folder, for the user alone."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from mcp_assay.history.location import WrongLocation, located
from mcp_assay.history.store import Store

PASSWORD = "hunter2-and-more"


def mode(path: Path) -> int:
    return stat.S_IMODE(os.stat(path).st_mode)


def test_the_default_is_a_file_of_the_user_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    its = located("default")
    assert its.file == str(tmp_path / "data" / "mcp-assay" / "history.db")
    store = Store(its)
    assert mode(tmp_path / "data" / "mcp-assay") == 0o700
    with store.writing():
        for file in (tmp_path / "data" / "mcp-assay").iterdir():
            assert mode(file) == 0o600, file
    store.close()


def test_without_xdg_it_is_below_the_home_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ada")
    for given in ("", "relative/path"):
        monkeypatch.setenv("XDG_DATA_HOME", given)
        assert located("default").file == "/home/ada/.local/share/mcp-assay/history.db"


def test_a_url_may_be_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "url"
    file.write_text(f"postgresql://ada:{PASSWORD}@db.invalid/history\n", "utf-8")
    its = located(f"@{file}")
    assert its.url == f"postgresql+psycopg://ada:{PASSWORD}@db.invalid/history"
    assert its.shown == "postgresql://ada:[redacted]@db.invalid/history"


def test_parameters_are_not_shown() -> None:
    its = located(f"postgresql://ada@db.invalid/history?password={PASSWORD}")
    assert PASSWORD in its.url
    assert its.shown == "postgresql://ada@db.invalid/history"


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("nonsense", "no URL of a history"),
        (f"mysql://ada:{PASSWORD}@host/db", "mysql is not a database for a history"),
        ("sqlite://", "needs a file"),
        ("sqlite:///:memory:", "needs a file"),
        ("sqlite:///h.db?timeout=soon", "takes only .timeout=SECONDS"),
        ("sqlite:///h.db?timeout=nan", "takes only .timeout=SECONDS"),
        ("sqlite:///h.db?mode=ro", "takes only .timeout=SECONDS"),
        ("@/no/such/file", "@/no/such/file cannot be read"),
        (f"postgresql://ada:{PASSWORD}@host:port/db", "no URL of a history"),
        (f"postgresql://ada:a/b@{PASSWORD}@host/db", "an @ in a password is written as %40"),
    ],
)
def test_what_is_no_store_is_refused_without_its_password(given: str, words: str) -> None:
    with pytest.raises(WrongLocation, match=words) as caught:
        located(given)
    assert PASSWORD not in str(caught.value)
