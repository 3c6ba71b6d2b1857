"""A tree of Python sources as data: its modules, what each defines, and what each imports."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final, TypeAlias

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


@dataclass(frozen=True)
class Imported:
    """One import statement that really runs: where it stands, and the names that it asks for."""

    line: int
    names: tuple[str, ...]
    is_hidden: bool
    """Whether it stands inside a function."""


@dataclass(frozen=True)
class Source:
    """One module: its place below the package, its dotted name, its text."""

    place: str
    name: str
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        """The text as syntax."""
        return ast.parse(self.text)

    @property
    def lines(self) -> int:
        """How many lines the file has."""
        return len(self.text.splitlines())

    @property
    def package(self) -> str:
        """The folder at the top of the package that holds the module; "" where none does."""
        return self.place.partition("/")[0] if "/" in self.place else ""

    @property
    def is_package(self) -> bool:
        """Whether the module is the face of its folder."""
        return Path(self.place).name == "__init__.py"

    def functions(self) -> Iterator[Function]:
        """Every function and method, the nested ones too."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield node

    def classes(self) -> Iterator[ast.ClassDef]:
        """Every class, the nested ones too."""
        return (node for node in ast.walk(self.tree) if isinstance(node, ast.ClassDef))

    def imports(self) -> Iterator[Imported]:
        """Every import statement that runs; those for the type checker alone do not."""
        return _imports(self.tree, is_hidden=False)


def sources(package: Path) -> list[Source]:
    """Every module of the package in the order of their places."""
    return [_source(path, package) for path in sorted(package.rglob("*.py"))]


def graph(all_sources: Iterable[Source]) -> dict[str, set[str]]:
    """For each module the modules of the same tree that it imports."""
    by_name = {source.name: source for source in all_sources}
    return {
        name: {
            found
            for imported in source.imports()
            for wanted in imported.names
            if (found := _module_of(wanted, by_name.keys())) not in (None, name)
        }
        for name, source in by_name.items()
    }


def _source(path: Path, package: Path) -> Source:
    place = path.relative_to(package)
    parts = (package.name, *place.with_suffix("").parts)
    name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
    return Source(place.as_posix(), name, path.read_text("utf-8"))


def _module_of(wanted: str, known: Iterable[str]) -> str | None:
    """The module that an import of `wanted` reads: itself, or the one that defines the name."""
    parent = wanted.rpartition(".")[0]
    return next((name for name in (wanted, parent) if name in known), None)


def _imports(node: ast.AST, *, is_hidden: bool) -> Iterator[Imported]:
    for child in _run(node):
        if isinstance(child, ast.Import | ast.ImportFrom):
            yield Imported(child.lineno, tuple(_names(child)), is_hidden)
        else:
            yield from _imports(child, is_hidden=is_hidden or isinstance(child, FUNCTIONS))


def _run(node: ast.AST) -> Iterable[ast.AST]:
    """The parts of a node that run."""
    if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
        return node.orelse
    return ast.iter_child_nodes(node)


def _names(node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    before = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
    return (before + alias.name for alias in node.names)
