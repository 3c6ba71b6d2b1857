"""The changes that mutants are made by: one small fault each, as a programmer might make it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from msgspec import Struct

from bench.mutation.unobservable import is_hidden, is_unobservable, only_for_examples

COMPARISONS: Final[Mapping[type[ast.cmpop], tuple[type[ast.cmpop], ...]]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
"""For an order: the boundary moved, and the opposite."""

ARITHMETIC: Final[Mapping[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
CONDITIONS: Final = frozenset({"ifs", "test"})
"""The fields that hold a condition."""
TURNED_ALREADY: Final = (ast.Compare, ast.Constant, ast.UnaryOp)
"""Conditions that the other changes turn into their opposite."""


class Change(Struct, frozen=True):
    """One node of a tree, what takes its place, and where it hangs."""

    holder: ast.AST
    field: str
    position: int | None
    before: ast.expr | ast.stmt
    after: ast.expr | ast.stmt

    def apply(self) -> None:
        """Make the change in the tree that it was found in."""
        ast.copy_location(self.after, self.before)
        ast.fix_missing_locations(self.after)
        if self.position is None:
            setattr(self.holder, self.field, self.after)
        else:
            getattr(self.holder, self.field)[self.position] = self.after


def changes(module: ast.Module, used_elsewhere: frozenset[str] = frozenset()) -> list[Change]:
    """Every change of a module that a test should notice, always in the same order."""
    return list(_changes(module, only_for_examples(module, used_elsewhere)))


def _changes(node: ast.AST, left_out: list[ast.stmt]) -> Iterator[Change]:
    for field, position, child in _children(node):
        if child in left_out or is_unobservable(child, node, field):
            continue
        if is_hidden(node, field, position):
            continue
        if isinstance(child, ast.expr | ast.stmt):
            for after in _alternatives(child, field):
                yield Change(node, field, position, child, after)
        yield from _changes(child, left_out)


def _children(node: ast.AST) -> Iterator[tuple[str, int | None, ast.AST]]:
    for field, value in ast.iter_fields(node):
        if isinstance(value, ast.AST):
            yield field, None, value
        elif isinstance(value, list):
            nodes = ((at, one) for at, one in enumerate(value) if isinstance(one, ast.AST))
            yield from ((field, at, one) for at, one in nodes)


def _alternatives(node: ast.expr | ast.stmt, field: str) -> Iterator[ast.expr | ast.stmt]:
    make = MAKERS.get(type(node))
    if make is not None:
        yield from make(node)
    if field in CONDITIONS and isinstance(node, ast.expr) and not isinstance(node, TURNED_ALREADY):
        yield ast.UnaryOp(ast.Not(), node)


def _compared(node: ast.Compare) -> Iterator[ast.expr]:
    for at, old in enumerate(node.ops):
        for new in COMPARISONS[type(old)]:
            ops = [*node.ops[:at], new(), *node.ops[at + 1 :]]
            yield ast.Compare(node.left, ops, node.comparators)


def _joined(node: ast.BoolOp) -> Iterator[ast.expr]:
    yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)


def _bare(node: ast.UnaryOp) -> Iterator[ast.expr]:
    if isinstance(node.op, ast.Not | ast.USub):
        yield node.operand


def _computed(node: ast.BinOp) -> Iterator[ast.expr]:
    if type(node.op) in ARITHMETIC:
        yield ast.BinOp(node.left, ARITHMETIC[type(node.op)](), node.right)


def _advanced(node: ast.AugAssign) -> Iterator[ast.stmt]:
    if type(node.op) in ARITHMETIC:
        yield ast.AugAssign(node.target, ARITHMETIC[type(node.op)](), node.value)


def _constant(node: ast.Constant) -> Iterator[ast.expr]:
    match node.value:
        case bool(value):
            yield ast.Constant(not value)
        case int(value) | float(value):
            yield ast.Constant(value + 1)
        case str(value):
            yield ast.Constant("" if value else "x")
        case bytes(value):
            yield ast.Constant(b"" if value else b"x")


def _returned(node: ast.Return) -> Iterator[ast.stmt]:
    if node.value is not None and not isinstance(node.value, ast.Constant):
        yield ast.Return(ast.Constant(None))


def _evaluated(node: ast.Expr) -> Iterator[ast.stmt]:
    """Leave a statement out; what yields still yields nothing, so that it stays a generator."""
    if isinstance(node.value, ast.Yield | ast.YieldFrom):
        yield ast.Expr(ast.YieldFrom(ast.Tuple([], ast.Load())))
    elif isinstance(node.value, ast.Call):
        yield ast.Pass()


def _left_out(_node: ast.stmt) -> Iterator[ast.stmt]:
    yield ast.Pass()


MAKERS: Final[Mapping[type[ast.AST], Callable[..., Iterator[ast.expr | ast.stmt]]]] = {
    ast.Compare: _compared,
    ast.BoolOp: _joined,
    ast.UnaryOp: _bare,
    ast.BinOp: _computed,
    ast.AugAssign: _advanced,
    ast.Constant: _constant,
    ast.Return: _returned,
    ast.Expr: _evaluated,
    ast.Break: _left_out,
    ast.Continue: _left_out,
    ast.Delete: _left_out,
    ast.Raise: _left_out,
}
"""What takes the place of a node, by its type."""
