"""The mutants of a project: every change of every file that is in the scope."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import CodeType
from typing import Final

from msgspec import Struct

from bench.mutation.changes import Change, changes
from bench.mutation.scope import Scope

LONGEST_SHOWN: Final = 70


class Mutant(Struct, frozen=True):
    """One file with one change."""

    folder: str
    path: Path
    used_elsewhere: frozenset[str]
    """The names of the file that other modules import."""
    number: int | None
    """Which of the changes of its file it is; None for a control, which has none."""
    lines: range
    """The lines of what is changed."""
    around: range
    """The lines of the function that it stands in, or else of the statement."""
    text: str
    """The change for people."""

    def code(self) -> CodeType:
        """The code of the file with its change."""
        module = ast.parse(self.path.read_bytes())
        if self.number is not None:
            changes(module, self.used_elsewhere)[self.number].apply()
        return compile(module, str(self.path), "exec")


def mutants(scope: Scope) -> Iterator[Mutant]:
    """Every mutant of a project, always in the same order."""
    imported = _imported(scope)
    for folder, path in scope.files():
        module = ast.parse(path.read_bytes())
        used = frozenset(imported[scope.module(path)])
        for number, change in enumerate(changes(module, used)):
            lines, around = _lines(change.before), _around(module, change)
            yield Mutant(folder, path, used, number, lines, around, shown(change))


def controls(scope: Scope) -> Iterator[Mutant]:
    """A file of each folder without a change: if one does not survive, no trial can be trusted."""
    for folder, path in dict(scope.files()).items():
        whole = range(1, len(path.read_text("utf-8").splitlines()) + 1)
        yield Mutant(folder, path, frozenset(), None, whole, whole, "no change")


def _imported(scope: Scope) -> Mapping[str, set[str]]:
    """The names of each module that other modules of the package import."""
    names: defaultdict[str, set[str]] = defaultdict(set)
    for path in (scope.root / scope.source / scope.package).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.ImportFrom) and node.module is not None:
                names[node.module].update(alias.name for alias in node.names)
    return names


def shown(change: Change) -> str:
    """The change for people: what stood there and what stands there now."""
    return f"{_shortened(change.before)}  ->  {_shortened(change.after)}"


def _shortened(node: ast.AST) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= LONGEST_SHOWN else f"{text[: LONGEST_SHOWN - 1]}…"


def _lines(node: ast.expr | ast.stmt) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


def _around(module: ast.Module, change: Change) -> range:
    line = change.before.lineno
    functions = (node for node in ast.walk(module) if isinstance(node, ast.FunctionDef))
    holding = [span for span in map(_whole, (*functions, *module.body)) if line in span]
    return min(holding, key=len)


def _whole(node: ast.stmt) -> range:
    decorators = node.decorator_list if isinstance(node, ast.FunctionDef) else []
    first = min([node.lineno, *(one.lineno for one in decorators)])
    return range(first, (node.end_lineno or node.lineno) + 1)
