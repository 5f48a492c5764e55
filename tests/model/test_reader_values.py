"""Values: the meaning of phrases without a verb."""

from __future__ import annotations

import pytest
from phrasebook import sample, show

VALUES = [
    ("2 + 3 * count", "(2 + (3 * count))"),
    ("HP", "self.HP"),
    ("target's HP", "target.HP"),
    ("HP of target", "target.HP"),
    ("target's target's HP", "target.target.HP"),
    ("Stunned on target", "target.Stunned"),
    ("Mark on target by self", "target.Mark[self]"),
    ("hand of self", "self/hand"),
    ("lowest of 1, HP, 2 + count", "lowest([1, self.HP, (2 + count)])"),
    ("range from self to target + 1", "(range(self, target) + 1)"),
    ("enemy", "enemy"),
    ("enemy adjacent to self", "enemy{adjacent to(it, self)}"),
    (
        "enemy within 2 of target where it's HP < 3 and it's rank > 1, by range from self to it, then most HP",
        ("enemy{(within(it, 2, target) and ((it.HP < 3) and (it.rank > 1)))} by range(self, it) by most it.HP"),
    ),
    ("enemy except target", "enemy{(it != target)}"),
    ("any unit on (target's place) except self", "any unit{(on(it, [target.place]) and (it != self))}"),
    ("unit on (space adjacent to self) except self", "unit{(on(it, space{adjacent to(it, self)}) and (it != self))}"),
    ("space adjacent to self except target's place", "space{(adjacent to(it, self) and (it != target.place))}"),
    ("enemy where it's HP < self's HP", "enemy{(it.HP < self.HP)}"),
    ("hero where damage of it > damage of self", "hero{(damage(it) > damage(self))}"),
    ("hero, by HP, then most damage", "hero by it.HP by most damage(it)"),
    ("number of enemy within 2", "number enemy{within(it, 2, self)}"),
    ("top of deck", "top(deck#1)"),
    ("allies of self where it is not self", "allies(self){not (it = self)}"),
    ("this's stab where reach > 1", "this.stab{(it.reach > 1)}"),
    ("stab of this", "this.stab"),
    ("hero definition", "definition of hero"),
    ("night", "?night"),
    ("knife", "knife#1"),
    ("gunner#2's HP", "gunner#2.HP"),
    ("space behind target from self", "space behind(target, self)"),
    ("new blade", "new(blade)"),
    ("fire on target's place", "target.place.fire"),
    ("alarm's value", "alarm#1.value"),
    ("rock adjacent to self", "rock{(filled with(it, rock) and adjacent to(it, self))}"),
    ("enemy not adjacent to self", "enemy{not adjacent to(it, self)}"),
    ("damage", "damage(self)"),
    ("damage of target", "damage(target)"),
    ("(number of enemy) * 2", "(number enemy * 2)"),
    ("A1", "A1#1"),
    ("unit with Stunned", "unit{(it.Stunned > 0)}"),
    ("unit with no Mark", "unit{not (it.Mark > 0)}"),
    ("boris's hand", "boris#1/hand"),
    ("coin", "<coin>"),
    ("nothing", "nothing"),
    ("none", "[]"),
    ("unit in hand of self", "unit{in(it, self/hand)}"),
]


@pytest.mark.parametrize(("text", "meaning"), VALUES, ids=lambda value: value[:40])
def test_phrase_has_expected_tree(text: str, meaning: str) -> None:
    book = sample()
    assert show(book.expression(text)) == meaning
    assert book.codes() == []
