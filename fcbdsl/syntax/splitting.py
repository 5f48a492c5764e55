"""Cutting an expression in two at a word or an operator, as if that bound weaker than everything else.

The grammar knows no vocabulary, so that in ``d6 + power against d6 + armour`` the word ``against`` is an ordinary one
inside an operand. A statement that gives such a word a meaning cuts there.
"""

from __future__ import annotations

from fcbdsl.syntax.tree import Binary, Expr, Negation, Phrase, Where, Word

Halves = tuple[Expr, Expr]


def split_at_word(expr: Expr, word: str) -> Halves | None:
    """Return what stands left and right of the first `word` that has something on both sides, or None.

    ``a + b against c * d`` cut at ``against`` gives ``a + b`` and ``c * d``.
    """
    if isinstance(expr, Phrase):
        return _split_phrase(expr, word)
    if isinstance(expr, Negation):
        inner = split_at_word(expr.operand, word)
        return inner and (Negation(expr.start, inner[0].end, inner[0]), inner[1])
    first, second = _operands(expr)
    inner = split_at_word(first, word)
    if inner is not None:
        return inner[0], _joined(expr, inner[1], second)
    inner = split_at_word(second, word)
    return inner and (_joined(expr, first, inner[0]), inner[1])


def split_at_operator(expr: Expr, op: str) -> Halves | None:
    """Return what stands left and right of the first operator `op` outside parentheses, or None.

    ``x = a or b`` cut at ``=`` gives ``x`` and ``a or b``, although ``or`` binds weaker than ``=``.
    """
    if isinstance(expr, Phrase):
        return None
    if isinstance(expr, Negation):
        inner = split_at_operator(expr.operand, op)
        return inner and (Negation(expr.start, inner[0].end, inner[0]), inner[1])
    first, second = _operands(expr)
    inner = split_at_operator(first, op)
    if inner is not None:
        return inner[0], _joined(expr, inner[1], second)
    if isinstance(expr, Binary) and expr.op == op:
        return first, second
    inner = split_at_operator(second, op)
    return inner and (_joined(expr, first, inner[0]), inner[1])


def _operands(expr: Binary | Where) -> Halves:
    return (expr.left, expr.right) if isinstance(expr, Binary) else (expr.base, expr.condition)


def _joined(expr: Binary | Where, first: Expr, second: Expr) -> Expr:
    """The operator of `expr` between other operands."""
    if isinstance(expr, Binary):
        return Binary(first.start, second.end, expr.op, first, second)
    return Where(first.start, second.end, first, second)


def _split_phrase(phrase: Phrase, word: str) -> Halves | None:
    atoms = phrase.atoms
    for at, atom in enumerate(atoms):
        if isinstance(atom, Word) and atom.text == word and 0 < at < len(atoms) - 1:
            left, right = atoms[:at], atoms[at + 1 :]
            return Phrase(left[0].start, left[-1].end, left), Phrase(right[0].start, right[-1].end, right)
    return None
