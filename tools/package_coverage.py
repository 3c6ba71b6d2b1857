"""`python -m tools.package_coverage`: what the last `make coverage` has measured, by package."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePath
from typing import Any, Final, NamedTuple

from coverage import Coverage

from bench.tables import table

ROOT: Final = Path(__file__).parents[1]
PACKAGE: Final = "mcp_assay"
HEAD: Final = ("package", "statements", "run", "branches", "taken", "covered")


class Covered(NamedTuple):
    """How many statements and branches there are, and how many of each a test has run."""

    statements: int = 0
    run: int = 0
    branches: int = 0
    taken: int = 0

    def __add__(self, other: Any) -> Covered:
        return Covered(*map(sum, zip(self, other, strict=True)))

    @property
    def share(self) -> float:
        """The share of statements and branches together; of nothing, all of it."""
        whole = self.statements + self.branches
        return (self.run + self.taken) / whole if whole else 1.0


def by_package(files: Mapping[str, Mapping[str, Any]]) -> dict[str, Covered]:
    """What the files of each package add up to; modules at the top stand for themselves."""
    packages: dict[str, Covered] = {}
    for path, file in sorted(files.items()):
        name = package_of(path)
        packages[name] = packages.get(name, Covered()) + _covered(file["summary"])
    return packages


def package_of(path: str) -> str:
    """The package right under ours that a file belongs to, with one more level for rules."""
    parts = PurePath(path).parts
    below = parts[parts.index(PACKAGE) + 1 :]
    depth = 2 if below[0] == "rules" and len(below) > 2 else 1
    return "/".join(below[:depth]) + ("/" if len(below) > depth else "")


def _covered(summary: Mapping[str, int]) -> Covered:
    return Covered(
        summary["num_statements"],
        summary["covered_lines"],
        summary["num_branches"],
        summary["covered_branches"],
    )


def main() -> None:
    """Print the table."""
    packages = by_package(_files())
    total = sum(packages.values(), Covered())
    print(table(HEAD, [*_rows(packages), _row("all", total)]))


def _files() -> dict[str, Any]:
    coverage = Coverage(str(ROOT / ".coverage"), config_file=str(ROOT / "pyproject.toml"))
    coverage.load()
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "coverage.json")
        coverage.json_report(outfile=str(report))
        files: dict[str, Any] = json.loads(report.read_text())["files"]
    return files


def _rows(packages: Mapping[str, Covered]) -> Iterator[list[str]]:
    for name, covered in packages.items():
        yield _row(name, covered)


def _row(name: str, covered: Covered) -> list[str]:
    return [name, *map(str, covered), f"{covered.share:.1%}"]


if __name__ == "__main__":
    main()
