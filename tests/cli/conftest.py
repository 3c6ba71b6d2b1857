"""Running the command line inside the test process."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import pytest

from mcp_assay.cli.main import main


class Ended(NamedTuple):
    """How a command ended and what it said."""

    code: int
    out: str
    err: str


Cli: TypeAlias = Callable[..., Ended]


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    """Run `mcp-assay` with arguments and, where given, bytes on standard input."""

    def run(*arguments: object, stdin: bytes = b"") -> Ended:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        code = main([str(argument) for argument in arguments])
        return Ended(code, *capsys.readouterr())

    return run
