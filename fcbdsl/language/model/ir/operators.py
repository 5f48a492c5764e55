"""Constant evaluation of expressions, and the meaning of the language's operators."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from fcbdsl.language.model.ir.node import walk
from fcbdsl.language.model.ir.values import Binary, Const, Def, Expr, ListOf, Not, Text, Var, Variant


def is_fixed(expr: Expr) -> bool:
    """Return whether a value, or all values of a list, are the same in every game."""
    if isinstance(expr, ListOf):
        return all(is_fixed(item) for item in expr.items)
    return isinstance(expr, Text | Def) or evaluate_constant(expr) is not None


Settings = Mapping[str, int]
"""Variant switch to the index of its value."""


def holds(condition: Expr | None, values: Mapping[int, int | None], settings: Settings) -> bool:
    """Return whether a condition certainly holds."""
    return condition is None or bool(evaluate_constant(condition, values, settings))


def evaluate_constant(
    expr: Expr, values: Mapping[int, int | None] | None = None, settings: Settings | None = None
) -> int | None:
    """Return the constant value of an expression, or None if it depends on play.

    `values`: values of slots. `settings`: values of variants.
    """
    match expr:
        case Const(value=value):
            return value
        case Var(slot=slot) if values is not None:
            return values.get(slot)
        case Variant(id=id) if settings is not None:
            return settings.get(id)
        case Not(operand=operand):
            inner = evaluate_constant(operand, values, settings)
            return None if inner is None else int(not inner)
        case Binary(op=op, left=left, right=right):
            a, b = evaluate_constant(left, values, settings), evaluate_constant(right, values, settings)
            return None if a is None or b is None else calculate(op, a, b)
    return None


def reads_slot(node: object, slot: int) -> bool:
    """Return whether a tree reads a slot."""
    return any(isinstance(inner, Var) and inner.slot == slot for inner in walk(node))


def calculate(op: str, left: int, right: int) -> int | None:
    """Return the result of one operation on whole numbers, flags being 0 and 1.

    Return None for a division by zero, and for numbers that are not exact everywhere.
    """
    result = _calculated(op, left, right)
    return result if result is not None and abs(result) < EXACT else None


EXACT = 1 << 53
"""Numbers below this are exact in every reader of JSON."""


def _calculated(op: str, left: int, right: int) -> int | None:
    match op:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/":
            return left // right if right else None
        case "=":
            return int(left == right)
        case "!=":
            return int(left != right)
        case "<":
            return int(left < right)
        case "<=":
            return int(left <= right)
        case ">":
            return int(left > right)
        case ">=":
            return int(left >= right)
        case "and":
            return int(bool(left and right))
        case "or":
            return int(bool(left or right))
        case "min":
            return min(left, right)
        case "max":
            return max(left, right)
    raise AssertionError(f"unknown operator {op}")


def conjuncts(expr: Expr | None, negated: bool = False) -> list[Expr]:
    """Return the parts of a chain of `and`, in order; empty for None.

    If `negated`, `not (a or b)` is split into `not a` and `not b`, too.
    """
    match expr:
        case None:
            return []
        case Binary(op="and", left=left, right=right):
            return conjuncts(left, negated) + conjuncts(right, negated)
        case Not(operand=Not(operand=inner)) if negated:
            return conjuncts(inner, negated)
        case Not(operand=Binary(op="or", left=left, right=right)) if negated:
            return [part for side in (left, right) for part in conjuncts(replace(expr, operand=side), negated)]
    return [expr]


def in_range(value: int, low: int | None, high: int | None) -> bool:
    """Return whether a number is in a range of which either end may be open."""
    return (low is None or value >= low) and (high is None or value <= high)


def bounds_of(low: int | None, high: int | None) -> str:
    """Return the rule of a range in words: ``must be at least 0``, ``must be from 1 to 3``."""
    if low == high:
        return f"must be {low}"
    if high is None:
        return f"must be at least {low}"
    return f"must be at most {high}" if low is None else f"must be from {low} to {high}"
