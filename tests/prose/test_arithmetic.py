"""Computed values keep their brackets: different values have different words."""

from __future__ import annotations

from random import Random

import pytest
import small_vocabulary as v

from fcbdsl.language.model import ir
from fcbdsl.language.model.declarations import Field
from fcbdsl.language.model.ir.operators import calculate

GOLD = Field("gold", "unit", "stat", ir.NUMBER, v.SPAN, v.name("gold", "", "or", ""))
LEAVES: list[ir.Expr] = [
    v.hp(v.me()),
    ir.Get(v.me(), GOLD, ir.NUMBER, v.SPAN),
    v.hp(v.reference(v.TARGET, v.me())),
    ir.Quantified(
        "number", v.select("enemy", v.compare(">=", v.hp(v.local("it", 9)), v.number(2))), 9, None, ir.NUMBER, v.SPAN
    ),
    v.number(2),
    v.number(1),
]
VALUES = [Random(seed).choices(range(2, 999), k=4) for seed in range(6)]
"""Values of the leaves that are no numbers, several times."""


def computed(op: str, left: ir.Expr, right: ir.Expr) -> ir.Binary:
    return ir.Binary(op, left, right, ir.NUMBER, v.SPAN)


def tree(random: Random, depth: int) -> ir.Expr:
    """Return a random computed value."""
    if depth == 0 or random.random() < 0.2:
        return random.choice(LEAVES)
    op = random.choice(["+", "-", "*", "/", "min", "max"])
    return computed(op, tree(random, depth - 1), tree(random, depth - 1))


def result(expr: ir.Expr, values: list[int]) -> int | None:
    """Return the result of a tree; None if it divides by zero."""
    if isinstance(expr, ir.Binary):
        left, right = result(expr.left, values), result(expr.right, values)
        return None if left is None or right is None else calculate(expr.op, left, right)
    return expr.value if isinstance(expr, ir.Const) else values[LEAVES.index(expr)]


@pytest.mark.long
@pytest.mark.parametrize("language", ["en", "fr"])
def test_different_values_have_different_words(language: str) -> None:
    random = Random(7)
    meant: dict[str, list[int | None]] = {}
    pairs = 0
    for _ in range(3000):
        made = tree(random, 3)
        text = v.say(language, v.do(v.HEAL, v.me(), made))
        results = [result(made, values) for values in VALUES]
        pairs += text in meant
        if None in results:
            continue
        assert meant.setdefault(text, results) == results, text
    assert pairs > 100
    assert len(meant) > 1000


HP, OTHER = LEAVES[0], LEAVES[1]
SAID = [
    (
        computed("/", computed("+", HP, OTHER), v.number(2)),
        "(your HP plus your gold) divided by 2 (rounded down)",
        "(vos PV plus votre or) divisé par 2 (arrondi à l’inférieur)",
    ),
    (
        computed("+", HP, computed("/", OTHER, v.number(2))),
        "your HP plus (your gold divided by 2, rounded down)",
        "vos PV plus (votre or divisé par 2, arrondi à l’inférieur)",
    ),
    (computed("-", computed("-", v.number(9), HP), OTHER), "9 minus your HP minus your gold",
     "9 moins vos PV moins votre or"),
    (computed("-", v.number(9), computed("-", HP, OTHER)), "9 minus (your HP minus your gold)",
     "9 moins (vos PV moins votre or)"),
    (computed("*", computed("+", HP, OTHER), v.number(2)), "(your HP plus your gold) times 2",
     "(vos PV plus votre or) fois 2"),
    (computed("+", HP, computed("+", OTHER, v.number(1))), "your HP plus your gold plus 1",
     "vos PV plus votre or plus 1"),
    (
        computed("-", LEAVES[3], v.number(1)),
        "(the number of enemies with at least 2 HP) minus 1",
        "(le nombre d’ennemis ayant au moins 2 PV) moins 1",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("expr", "english", "french"), SAID, ids=[english for _, english, _ in SAID])
def test_nested_operations_have_needed_brackets(expr: ir.Expr, english: str, french: str) -> None:
    statement = v.do(v.HEAL, v.me(), expr)
    assert v.say("en", statement) == f"Heal X HP to you, where X is {english}."
    assert v.say("fr", statement) == f"Rendez X PV à vous, X étant {french}."
