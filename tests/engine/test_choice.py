"""What may be said behind --engine."""

from __future__ import annotations

import pytest

from mcp_assay.engine.address import EngineChoice, engine_choice


@pytest.mark.parametrize(
    ("text", "choice", "is_remote"),
    [
        ("local", EngineChoice("local"), False),
        ("dask", EngineChoice("dask"), False),
        ("dask://127.0.0.1:8786", EngineChoice("dask", "127.0.0.1:8786"), False),
        ("dask://[::1]:8786", EngineChoice("dask", "[::1]:8786"), False),
        ("dask://localhost:1", EngineChoice("dask", "localhost:1"), False),
        ("dask://10.0.0.7:8786", EngineChoice("dask", "10.0.0.7:8786"), True),
        ("dask://localhost.example.com:1", EngineChoice("dask", "localhost.example.com:1"), True),
        ("dask+tls://host:8786", EngineChoice("dask", "host:8786", tls=True), True),
    ],
)
def test_an_engine_is_named(text: str, choice: EngineChoice, is_remote: bool) -> None:
    assert engine_choice(text) == choice
    assert choice.is_remote == is_remote


@pytest.mark.parametrize(
    "text",
    ["", "spark", "dask:", "dask://", "dask://host", "dask://host:x", "dask://host:99999",
     "dask://user@host:1", "dask://host:1/path", "tcp://host:8786", "local://host:1"],
)  # fmt: skip
def test_what_is_no_engine_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no engine; choose local, dask, dask://HOST:PORT or"):
        engine_choice(text)
