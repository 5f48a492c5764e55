"""What the operators of the language mean, wherever a value is known before anything is played."""

from __future__ import annotations

from dataclasses import replace

from fcbdsl.model.ir.values import Binary, Const, Def, Expr, ListOf, Not, Text


def is_fixed(expr: Expr) -> bool:
    """Whether a value, or all values of a list, are the same in every game."""
    if isinstance(expr, ListOf):
        return all(is_fixed(item) for item in expr.items)
    return isinstance(expr, Text | Def) or reckoned(expr) is not None


def reckoned(expr: Expr) -> int | None:
    """The number that an expression of numbers comes to in every game; None if it is not known before it is played."""
    match expr:
        case Const(value=value):
            return value
        case Not(operand=operand):
            known = reckoned(operand)
            return None if known is None else int(not known)
        case Binary(op=op, left=left, right=right):
            a, b = reckoned(left), reckoned(right)
            return None if a is None or b is None else calculate(op, a, b)
    return None


def calculate(op: str, left: int, right: int) -> int | None:
    """One operation on whole numbers, flags being 0 and 1; None for a division by zero, and for numbers that are not
    exact everywhere."""
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
    """The parts of a chain of `and`, in order; none of no condition. If what is `negated` is to be taken apart, too,
    what is not `a or b` is neither `a` nor `b`."""
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
