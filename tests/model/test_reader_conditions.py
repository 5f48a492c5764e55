"""Conditions: relations, `is`, quantifiers."""

from __future__ import annotations

import pytest
from phrasebook import sample, show

CONDITIONS = [
    ("gunner not adjacent to self", "not adjacent to(gunner#1, self)"),
    ("any gunner within 2", "any gunner{((it.definition = <gunner>) and within(it, 2, self))}"),
    ("number of gunner > 1", "(number gunner{(it.definition = <gunner>)} > 1)"),
    ("every gunner is Stunned", "every gunner{(it.definition = <gunner>)}: (it.Stunned > 0)"),
    ("target is Stunned", "(target.Stunned > 0)"),
    ("target is not Stunned", "not (target.Stunned > 0)"),
    ("target is enemy", "(target is a enemy)"),
    ("target is gunner", "(target.definition = <gunner>)"),
    ("target is self", "(target = self)"),
    (
        "HP < 3 or target's HP >= 2 and not target is shaken",
        "((self.HP < 3) or ((target.HP >= 2) and not target.shaken))",
    ),
    ("any enemy within 2", "any enemy{within(it, 2, self)}"),
    ("no enemy is Stunned", "no enemy: (it.Stunned > 0)"),
    ("every hero is on exit", "every hero: on(it, exit{marked(it, exit)})"),
    ("this's family is long", "(this.family = long)"),
    ("this's family is long or short", "((this.family = long) or (this.family = short))"),
    ("night is on", "(?night = on)"),
    ("self sees target", "sees(self, target, no)"),
    ("self sees target strictly", "sees(self, target, yes)"),
    ("self sees target strictly (night is on)", "sees(self, target, (?night = on))"),
    ("target is adjacent to enemy", "any enemy: adjacent to(target, it)"),
    ("target not adjacent to self", "not adjacent to(target, self)"),
    ("target is on A1", "on(target, [A1#1])"),
    ("this's valid", "this.valid"),
    ("HP is 3", "(self.HP = 3)"),
    ("target's target is nothing", "(target.target = nothing)"),
    ("self in hand of target", "in(self, target/hand)"),
    ("target among allies of self", "among(target, allies(self))"),
    ("enemy adjacent to self", "any enemy{adjacent to(it, self)}"),
    ("target's place is free", "free(target.place)"),
    ("shaken", "self.shaken"),
    ("any unit where it is not shaken and it is hero", "any unit{(not it.shaken and (it is a hero))}"),
    ("this is knife", "(this.definition = <knife>)"),
    ("no hero definition where it is boris", "no definition of hero{(it = <boris>)}"),
    ("target is within 2 of boris or enemy", "(within(target, 2, boris#1) or any enemy)"),
]


@pytest.mark.parametrize(("text", "meaning"), CONDITIONS, ids=lambda value: value[:40])
def test_phrase_has_expected_tree(text: str, meaning: str) -> None:
    book = sample()
    assert show(book.condition(text)) == meaning
    assert book.codes() == []
