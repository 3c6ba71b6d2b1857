"""What is mutated and which tests must notice: the only place that knows the project's paths."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from msgspec import Struct


class Scope(Struct, frozen=True):
    """The files of a project that are mutated, by folder, and the tests that are run on them."""

    root: Path
    package: str
    """The package that every trial imports anew."""
    source: str
    """The folder that holds the package."""
    mutated: Mapping[str, tuple[str, ...]]
    """Patterns of files under `source`, by the name under which their score is shown."""
    tests: tuple[str, ...]

    def files(self) -> Iterator[tuple[str, Path]]:
        """Every file that is mutated, with its folder, always in the same order."""
        for folder, patterns in self.mutated.items():
            for pattern in patterns:
                found = (self.root / self.source).glob(pattern)
                yield from ((folder, path) for path in sorted(found))

    def module(self, path: Path) -> str:
        """The name under which a file is imported."""
        parts = path.relative_to(self.root / self.source).with_suffix("").parts
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

    def shown(self, path: Path) -> str:
        """The path for people."""
        return path.relative_to(self.root).as_posix()


PROJECT: Final = Scope(
    root=Path(__file__).resolve().parents[2],
    package="mcp_assay",
    source="src",
    mutated={
        "wire": ("mcp_assay/wire/*.py",),
        "session": ("mcp_assay/session/*.py",),
        "rules/message": ("mcp_assay/rules/message/*.py",),
    },
    tests=(
        "tests/facades/protocol",
        "tests/robustness",
        "tests/rules",
        "tests/session",
        "tests/spec",
        "tests/wire",
    ),
)
