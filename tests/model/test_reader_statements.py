"""Statements and their blocks."""

from __future__ import annotations

import pytest
from phrasebook import UNIT, sample, show

from fcbdsl.language.model import ir

STATEMENTS = [
    ("hurt target", "hurt(target, 1, nothing)"),
    ("hurt target 2", "hurt(target, 2, nothing)"),
    ("hurt target HP + 1 by self", "hurt(target, (self.HP + 1), self)"),
    ("Push target from A1", "Push(target, 1, A1#1)"),
    ("Push target 2", "Push(target, 2, self)"),
    ("place target on A1", "place(target, A1#1)"),
    ("mark Stunned on target", "mark(Stunned, target, nothing)"),
    ("mark Mark on target by self", "mark(Mark, target, self)"),
    ("put (top of deck) into hand of self", "put(top(deck#1), self/hand)"),
    ("spawn gunner at exit", "spawn(<gunner>, exit{marked(it, exit)})"),
    ("spawn gunner at A1, B2", "spawn(<gunner>, [A1#1, B2#1])"),
    ("perform this's effect", "perform(this.effect)"),
    ("HP +1", "self.HP + 1"),
    ("target's HP -2", "target.HP + -2"),
    ("target's HP becomes HP + 3", "target.HP = (self.HP + 3)"),
    ("shaken becomes yes", "self.shaken = yes"),
    ("Stunned on target becomes Stunned on target - 1", "target.Stunned = (target.Stunned - 1)"),
    ("fire on A1 +1", "A1#1.fire + 1"),
    ("let x = HP\nhurt target x", "x := self.HP; hurt(target, x, nothing)"),
    ("let x = 0\nlet x = x + 1", "x := 0; x := (x + 1)"),
    (
        "let chain = none\nadd target to chain\nlet n = number of chain\nremove self from chain",
        "chain := []; chain := [chain, target]; n := number chain; chain := chain{(it != self)}",
    ),
    ("let ok = target is self and HP > 3", "ok := ((target = self) and (self.HP > 3))"),
    ("let far = nothing\nlet far = target", "far := nothing; far := target"),
    (
        "if HP < 3: hurt target\nelse if HP < 5:\n  hurt target 2\n  stop\nelse: hurt self",
        (
            "if (self.HP < 3) {hurt(target, 1, nothing)} else {if (self.HP < 5) {hurt(target, 2, "
            "nothing); stop} else {hurt(self, 1, nothing)}}"
        ),
    ),
    ("for each enemy within 2: hurt enemy", "for enemy in enemy{within(it, 2, self)} {hurt(enemy, 1, nothing)}"),
    ("for each enemy, at once: announce turn start enemy", "for enemy in enemy at once {announce turn start(enemy)}"),
    (
        "for each foe in allies of self, by HP, at once:\n  if HP < 3: announce dawn",
        "for foe in allies(self) by it.HP at once {if (self.HP < 3) {announce dawn()}}",
    ),
    ("for each enemy, in any order: hurt enemy", "for enemy in enemy in any order {hurt(enemy, 1, nothing)}"),
    (
        "for each foe in allies of self, in any order, by target: hurt foe",
        "for foe in allies(self) in any order by target {hurt(foe, 1, nothing)}",
    ),
    (
        "for each foe in allies of self, in order of most HP, then rank: hurt foe",
        "for foe in allies(self) in order of most it.HP in order of it.rank {hurt(foe, 1, nothing)}",
    ),
    ("let line = enemy within 2, in order of HP", "line := enemy{within(it, 2, self)} in order of it.HP"),
    ("for each foe in allies of self: hurt foe", "for foe in allies(self) {hurt(foe, 1, nothing)}"),
    ("for each hero in allies of self: hurt hero", "for hero in allies(self){(it is a hero)} {hurt(hero, 1, nothing)}"),
    ("for each blade in hand of self: blade's edge +1", "for blade in blade{in(it, self/hand)} {blade.edge + 1}"),
    (
        "repeat HP times:\n  if HP = 0: break\n  hurt target",
        "repeat self.HP {if (self.HP = 0) {break}; hurt(target, 1, nothing)}",
    ),
    ("choose foe: enemy within 2, or none", "choose foe from enemy{within(it, 2, self)} optional"),
    (
        "choose foe: enemy within 2, by HP, then most rank, or none\nhurt foe",
        ("choose foe from enemy{within(it, 2, self)} by it.HP by most it.rank optional; hurt(foe, 1, nothing)"),
    ),
    (
        "choose foe: enemy, up to 2\nfor each x in foe: hurt x",
        "choose foe from enemy up to 2; for x in foe {hurt(x, 1, nothing)}",
    ),
    (
        "choose pair: enemy, exactly HP, by target\nfor each x in pair: hurt x",
        "choose pair from enemy by target exactly self.HP; for x in pair {hurt(x, 1, nothing)}",
    ),
    ("choose pair, exactly 2: enemy, at random", "choose pair from enemy exactly 2 at random"),
    ("if HP < 3: nothing\nelse: hurt self", "if (self.HP < 3) {nothing} else {hurt(self, 1, nothing)}"),
    ("choose foe: enemy, at random", "choose foe from enemy at random"),
    ("choose foe, or none: enemy", "choose foe from enemy optional"),
    ("choose spot: A1, B2", "choose spot from [A1#1, B2#1]"),
    ("choose foe: enemy, by target's controller", "choose foe from enemy by target.controller"),
    (
        ('choose one:\n  "Hurt": hurt target\n  "Push" Push target\n  Push target 2\n  if HP > 2: hurt target\n'),
        (
            "one of Hurt{hurt(target, 1, nothing)} | Push{Push(target, 1, self)} | {Push(target, 2, "
            "self)} | {if (self.HP > 2) {hurt(target, 1, nothing)}}"
        ),
    ),
    (
        "HP +1; may hurt target\nthen: HP +1\nelse:\n  HP -1\nhurt self",
        (
            "self.HP + 1; {one of {hurt(target, 1, nothing)} optional} then {self.HP + 1} else {self.HP + -1}; "
            "hurt(self, 1, nothing)"
        ),
    ),
    (
        "choose foe: enemy, or none\nthen: hurt foe\nthen: HP +1",
        "{{choose foe from enemy optional} then {hurt(foe, 1, nothing)}} then {self.HP + 1}",
    ),
    (
        'in any order:\n  hurt target\n  "Rest": HP +1\n  if HP > 2: stop',
        "in any order {hurt(target, 1, nothing)} | Rest{self.HP + 1} | {if (self.HP > 2) {stop}}",
    ),
    ("in any order, by target:\n  HP +1\n  HP -1", "in any order by target {self.HP + 1} | {self.HP + -1}"),
    ("choose one, or none:\n  hurt target", "one of {hurt(target, 1, nothing)} optional"),
    ("may hurt target", "one of {hurt(target, 1, nothing)} optional"),
    ("may:\n  hurt target\n  HP +1", "one of {hurt(target, 1, nothing); self.HP + 1} optional"),
    (
        "may, by target's controller:\n  hurt target\n  HP +1",
        "one of {hurt(target, 1, nothing); self.HP + 1} by target.controller optional",
    ),
    ("may, by target: hurt self", "one of {hurt(self, 1, nothing)} by target optional"),
    (
        "choose one, by target, or none:\n  hurt target",
        "one of {hurt(target, 1, nothing)} by target optional",
    ),
    ("choose foe: enemy, up to 2, by target", "choose foe from enemy by target up to 2"),
    (
        "roll coin:\n  heads: hurt target\n  else: stop",
        "roll 1d<coin> heads=[0]{hurt(target, 1, nothing)} else=None..None{stop}",
    ),
    ("roll n: 2 d6 + HP\nhurt target n", "n := roll (2d<d6> + self.HP); hurt(target, n, nothing)"),
    (
        "roll d6 against d6 + 1:\n  win: hurt target\n  tie: stop\n  lose: hurt self",
        (
            "roll 1d<d6> against (1d<d6> + 1) win=1..None{hurt(target, 1, nothing)} tie=0..0{stop} "
            "lose=None..-1{hurt(self, 1, nothing)}"
        ),
    ),
    (
        'roll d6:\n  1, 3: stop\n  4.. "High": hurt target',
        "roll 1d<d6> 1 3=1..1{stop} 1 3=3..3{stop} 4..=4..None{hurt(target, 1, nothing)}",
    ),
    ("require HP > 2", "require (self.HP > 2)"),
    ("announce turn start self", "announce turn start(self)"),
    ("announce attack self target", "announce attack(self, target)"),
    ("announce dawn", "announce dawn()"),
    (
        ("until dawn:\n  self has +1 HP\n  while HP < 3: target has HP 3\n  when enemy attacks self: hurt enemy count"),
        (
            "until dawn(-) {hero{(it = self)} add 1 HP; unit{(it = target)} set 3 HP while (self.HP < "
            "3); after attack(enemy:(attacker is a enemy), :(target = self)) {hurt(enemy, count, nothing)}}"
        ),
    ),
    (
        "until turn of self starts: enemy within count has -1 HP",
        "until turn start(self) {enemy{within(it, count, self)} add -1 HP}",
    ),
    ("until turn start of self: self has +1 HP", "until turn start(self) {hero{(it = self)} add 1 HP}"),
    ('win "Yes."', "win - Yes."),
    ('lose "No.", fr "Non."', "lose - No."),
    ("offer hero, until done", "offer hero by -"),
    ("offer hero, until done if target's HP > 2", "offer hero by - until done if (target.HP > 2)"),
    ("offer hero where it's HP > 2, by target's controller", "offer hero{(it.HP > 2)} by target.controller once"),
    ("let a1 = allies of self, by HP\nhurt target", "a1 := allies(self) by it.HP; hurt(target, 1, nothing)"),
    ("hurt target; HP +1", "hurt(target, 1, nothing); self.HP + 1"),
]


@pytest.mark.parametrize(("text", "meaning"), STATEMENTS, ids=lambda value: value[:40])
def test_phrase_has_expected_tree(text: str, meaning: str) -> None:
    book = sample()
    assert show(book.body(text + "\n")) == meaning
    assert book.codes() == []


def test_default_candidates_use_slots_of_caller() -> None:
    """A default is read where it is declared; its candidate there has the slot that here is a local's."""
    book = sample()
    book.form("verb", "rally", "friends (many unit, default unit where HP > 1)")
    body = book.body("let foe = target\nrally\nrally\nhurt foe\n")
    assert book.codes() == []
    locals, first, second, _ = body.statements
    assert isinstance(locals, ir.Let)
    assert isinstance(first, ir.Do)
    assert isinstance(second, ir.Do)
    assert isinstance(first.args[0], ir.Select)
    assert isinstance(second.args[0], ir.Select)
    its = [first.args[0].it, second.args[0].it]
    assert [body.slots[it][1] for it in its] == [UNIT, UNIT]
    assert len({*its, locals.var.slot}) == 3
    assert show(first) == "rally(unit{(it.HP > 1)})"
