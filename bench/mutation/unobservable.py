"""What no test could notice, or need not: words for people, types, and the examples of rules."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Final

EXAMPLES: Final = frozenset({"good", "bad"})
"""The arguments of a rule that hold its examples: they are tests already."""
FOR_TOOLS: Final = frozenset(
    {"NewType", "TYPE_CHECKING", "TypeAlias", "TypeVar", "__all__", "__slots__"}
)
"""Names of what is there for type checkers and the interpreter."""
TYPES: Final = frozenset({"annotation", "format_spec", "returns"})
"""Fields that hold types, or say how a number looks in a text."""
TYPE_ARGUMENTS: Final[Mapping[str, int]] = {"cast": 0, "isinstance": 1}
"""Which argument of these functions is a type."""
PATTERN_SIGNS: Final = ("\\", "[^", "(?")
"""What a regular expression with a space has in it, and hardly any sentence."""


def is_unobservable(node: ast.AST, holder: ast.AST, field: str) -> bool:
    """Whether nothing inside this node is worth a change."""
    match node:
        case ast.Import() | ast.ImportFrom() | ast.Expr(value=ast.Constant()):
            return True
        case (
            ast.AnnAssign(annotation=ast.Name(id=name))
            | ast.Assign(targets=[ast.Name(id=name)])
            | ast.Call(func=ast.Name(id=name))
            | ast.If(test=ast.Name(id=name))
        ):
            return name in FOR_TOOLS
        case ast.keyword(arg=name):
            return name in EXAMPLES
        case ast.Constant(value=str(text)):
            return is_wording(text) and not _is_key(holder, field)
    return False


def is_wording(text: str) -> bool:
    """Whether a text is written for people: where words stand side by side, it is."""
    return " " in text.strip() and not any(sign in text for sign in PATTERN_SIGNS)


def _is_key(holder: ast.AST, field: str) -> bool:
    """Whether code finds something by a text that stands here, words or not."""
    match holder:
        case ast.Compare() | ast.Subscript() | ast.keyword(arg="grade"):
            return True
        case ast.Dict():
            return field == "keys"
    return False


def is_hidden(holder: ast.AST, field: str, position: int | None) -> bool:
    """Whether a field is a type, or a part of a text for people."""
    match holder:
        case ast.Call(func=ast.Name(id=name)) if field == "args":
            return TYPE_ARGUMENTS.get(name) == position
        case ast.JoinedStr(values=parts):
            is_text = isinstance(parts[position or 0], ast.Constant)
            return is_text and any(is_wording(f"x{text}x") for text in _texts(parts))
    return field in TYPES


def _texts(parts: list[ast.expr]) -> Iterator[str]:
    for part in parts:
        if isinstance(part, ast.Constant):
            yield str(part.value)


def only_for_examples(module: ast.Module, used_elsewhere: frozenset[str]) -> list[ast.stmt]:
    """The statements of a module that nothing but the examples of its rules needs."""
    found: list[ast.stmt] = []
    while more := [
        statement
        for statement in module.body
        if statement not in found and _serves_examples(statement, module, found, used_elsewhere)
    ]:
        found += more
    return found


def _serves_examples(
    statement: ast.stmt,
    module: ast.Module,
    found: list[ast.stmt],
    used_elsewhere: frozenset[str],
) -> bool:
    names = set(_defined(statement))
    others = [one for one in module.body if one is not statement and one not in found]
    used = {name for one in others for name in _loaded(one, examples=False)} | used_elsewhere
    shown = {name for one in module.body for name in _loaded(one, examples=True)}
    return bool(names & shown) and not names & used


def _defined(statement: ast.stmt) -> Iterator[str]:
    match statement:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            yield name


def _loaded(node: ast.AST, *, examples: bool) -> Iterator[str]:
    """The names that a node uses, with or without those in its examples."""
    if not examples and isinstance(node, ast.keyword) and node.arg in EXAMPLES:
        return
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        yield node.id
    for child in ast.iter_child_nodes(node):
        yield from _loaded(child, examples=examples)
