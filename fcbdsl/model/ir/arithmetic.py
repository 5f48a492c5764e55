"""What the operators of the language mean, wherever a value is known before anything is played."""

from __future__ import annotations


def calculate(op: str, left: int, right: int) -> int | None:
    """One operation on whole numbers, flags being 0 and 1; None for a division by zero."""
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
