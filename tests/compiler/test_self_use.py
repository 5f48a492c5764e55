"""The analysis of the use of `self` finds what a search through all bodies finds, in any order of the questions."""

from __future__ import annotations

from random import Random

import games
import pytest

from fcbdsl.language.compiler.walk import SelfUse
from fcbdsl.language.model import ir
from fcbdsl.language.model.declarations import Form
from fcbdsl.language.model.ir import Body, Const, Stmt, Var, walk
from tests.compiler.trees import AT, Little, body

SELF = Var("self", 0, ir.Type("thing", "hero"), AT)


def needs_self(tree: Body, seen: set[int]) -> bool:
    """Return whether a body needs `self`, by a search through all bodies that it leads to."""
    for node in walk(tree):
        if isinstance(node, Var) and node.slot == 0:
            return True
        if isinstance(node, ir.Choose) and node.by is None and not node.chance:
            return True
        if isinstance(node, ir.ChooseOne | ir.AnyOrder) and node.by is None:
            return True
        if isinstance(node, ir.ForEach) and node.by is None and node.any_order:
            return True
        if isinstance(node, ir.Do | ir.Apply) and node.form.body is not None and id(node.form) not in seen:
            seen.add(id(node.form))
            if needs_self(node.form.body, seen):
                return True
    return False


@pytest.mark.parametrize("game", games.first_few(games.SMALLEST_FIRST, 2))
def test_shipped_bodies(game: str) -> None:
    model = games.model(game)
    bodies = [form.body for form in model.forms if form.body is not None]
    for definition in model.definitions.values():
        bodies += [value.body for value in definition.values.values() if value.body is not None]
    expected = {id(tree): needs_self(tree, set()) for tree in bodies}
    assert {*expected.values()} == {False, True}
    for seed in range(3):
        use = SelfUse()
        Random(seed).shuffle(bodies)
        assert {id(tree): use.of(tree) for tree in bodies} == expected


def test_circles() -> None:
    little = Little()
    forms = [little.verb(f"v{n}", []) for n in range(6)]

    def call(*numbers: int) -> list[Stmt]:
        return [ir.Do(forms[n], (), AT) for n in numbers]

    links = {0: (1,), 1: (2,), 2: (0, 3), 3: (), 4: (5,), 5: (4,)}
    for number, targets in links.items():
        forms[number].body = body(*call(*targets))
    forms[3].body = body(ir.Do(little.remove, (SELF,), AT))
    expected = [needs_self(form_body(form), set()) for form in forms]
    assert expected == [True, True, True, True, False, False]
    for seed in range(20):
        order = list(range(6))
        Random(seed).shuffle(order)
        use = SelfUse()
        assert {n: use.of(form_body(forms[n])) for n in order} == dict(enumerate(expected))


def form_body(form: Form) -> Body:
    assert form.body is not None
    return form.body


def test_other_locals_are_not_self() -> None:
    assert not SelfUse().of(body(ir.Let(Var("x", 2, ir.NUMBER, AT), Const(1, ir.NUMBER, AT), AT), more=1))
