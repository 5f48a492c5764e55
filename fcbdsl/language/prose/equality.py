"""Equality of statements, to find those that one sentence can cover."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from fcbdsl.language.model import ir
from fcbdsl.language.model.declarations import Form
from fcbdsl.language.model.ir import same
from fcbdsl.language.model.ir.operators import evaluate_constant


def other_argument(one: ir.Do, other: ir.Do, settled: Callable[[ir.Expr | None], bool]) -> int:
    """Return the only argument in which two statements differ, if it is a named thing; else -1.

    All other arguments must be equal and `settled`.
    """
    if one.form is not other.form and not worded_alike(one.form, other.form):
        return -1
    pairs = list(enumerate(zip(one.args, other.args, strict=True)))
    differing = [at for at, (a, b) in pairs if not (a is b or (a is not None and b is not None and same(a, b)))]
    if len(differing) != 1:
        return -1
    (at,) = differing
    named = all(isinstance(arg, ir.Def | ir.Instance) or is_word(arg) for arg in (one.args[at], other.args[at]))
    rest = [arg for place, (arg, _) in pairs if place != at]
    return at if named and all(settled(arg) for arg in rest) else -1


def worded_alike(one: Form, other: Form) -> bool:
    """Return whether two forms have the same texts, so that readers cannot distinguish them."""
    texts = [[(text.language, text.template, text.condition) for text in form.texts] for form in (one, other)]
    return len(one.params) == len(other.params) and texts[0] == texts[1] and bool(texts[0])


WORDS = ("counter", "mark", "terrain", "barrier")
"""Types whose values are words."""


def is_word(expr: ir.Expr | None) -> bool:
    """Return whether something is a thing known by its word alone: a status, a token, a mark, a ground."""
    return isinstance(expr, ir.Const) and expr.type.base in WORDS and expr.value >= 0


def places_of(template: str, param: str) -> list[re.Match[str]]:
    """Return the places of a parameter in a template, with quotation marks and a determiner that agrees with it."""
    quoted = r"(?P<own>\[[^\[\]]*\] )?(?P<open>“|«[ \u00a0\u202f]?)?\{(?P<name>(?:title |many |a )?" + re.escape(param)
    return list(re.finditer(quoted + r")\}(?P<close>”|[ \u00a0\u202f]?»)?", template.split(" / ")[0]))


def as_loss(statement: ir.Assign) -> ir.Expr | None:
    """Return the loss if a stat is set to itself less something (``coins becomes coins - price``)."""
    value, target = statement.value, statement.target
    if statement.op != "=" or not (isinstance(value, ir.Binary) and value.op == "-"):
        return None
    return value.right if _is_target(value.left, target) else None


def as_change(statement: ir.Assign) -> ir.Assign:
    """Read ``x's HP becomes x's HP + 1`` as ``x's HP +1``, and ``x's HP + a - b`` as a gain of ``a - b``."""
    value = statement.value
    if statement.op == "=" and isinstance(value, ir.Binary) and value.op in {"+", "-"}:
        amount = evaluate_constant(value.right)
        if amount is not None and value.op == "-" and _is_target(value.left, statement.target):
            return ir.Assign(statement.target, "+", ir.Const(-amount, ir.NUMBER, value.span), statement.span)
        added = _added(value, statement.target)
        if added is not None:
            return ir.Assign(statement.target, "+", added, statement.span)
    return statement


def _added(value: ir.Expr, target: ir.Get) -> ir.Expr | None:
    """Return what a sum adds to a stat that is its first term; None for other values, and for a loss."""
    if not isinstance(value, ir.Binary) or value.op not in {"+", "-"}:
        return None
    if _is_target(value.left, target):
        return value.right if value.op == "+" else None
    added = _added(value.left, target)
    return None if added is None else replace(value, left=added)


def _is_target(value: ir.Expr, target: ir.Get) -> bool:
    return isinstance(value, ir.Get) and value.field is target.field and same(value.of, target.of)
