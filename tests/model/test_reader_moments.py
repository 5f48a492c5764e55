"""Moments: how events are bound, limited and answered."""

from __future__ import annotations

import pytest
from phrasebook import lines, sample, show
from small import checked

from fcbdsl.language.model.resolve import statements

MOMENTS = [
    (
        "when enemy attacks self: hurt enemy",
        "after attack(enemy:(attacker is a enemy), :(target = self)) {hurt(enemy, 1, nothing)}",
    ),
    (
        "when enemy attacks hero within 3, if enemy's HP > 2, once per turn start: hurt hero",
        (
            "after attack(enemy:(attacker is a enemy), hero:((target is a hero) and within(target, 3, "
            "self))) if (enemy.HP > 2) once per turn start {hurt(hero, 1, nothing)}"
        ),
    ),
    ("before self takes amount: amount becomes 0", "before harm(:(victim = self), amount:-, :-) {amount := 0}"),
    (
        "before self takes amount from enemy:\n  amount -1\n  cancel",
        ("before harm(:(victim = self), amount:-, enemy:(source is a enemy)) {amount := (amount + -1); cancel}"),
    ),
    ("when any attacks self: hurt attacker", "after attack(:-, :(target = self)) {hurt(attacker, 1, nothing)}"),
    (
        "instead of unit attacks boris: hurt boris",
        "instead attack(unit:-, boris:(target.definition = <boris>)) {hurt(boris, 1, nothing)}",
    ),
    ("may when turn start: hurt who", "may after turn start(:-) {hurt(who, 1, nothing)}"),
    (
        "may instead of unit attacks boris, once per turn start: hurt boris",
        "may instead attack(unit:-, boris:(target.definition = <boris>)) once per turn start {hurt(boris, 1, nothing)}",
    ),
    ("at turn of self starts: HP +1", "after turn start(:(who = self)) {self.HP + 1}"),
    ("when turn start: hurt who", "after turn start(:-) {hurt(who, 1, nothing)}"),
    ("when hero enters space: hurt hero", "after step(hero:(mover is a hero), space:-) {hurt(hero, 1, nothing)}"),
    ("when dawn breaks: HP +1", "after dawn() {self.HP + 1}"),
    ("when unit enters A1: hurt unit", "after step(unit:-, :(spot = A1#1)) {hurt(unit, 1, nothing)}"),
    (
        "when unit enters space where it is free: hurt unit",
        "after step(unit:-, space:free(spot)) {hurt(unit, 1, nothing)}",
    ),
]


@pytest.mark.parametrize(("text", "meaning"), MOMENTS, ids=lambda value: value[:40])
def test_phrase_has_expected_tree(text: str, meaning: str) -> None:
    book = sample()
    assert show(statements.moment(book.reader, lines(text + "\n")[0], book.scope(params=[]))) == meaning
    assert book.codes() == []


WON = """
kind unit is piece:
  stat HP: number 0..
  when {said}: stop
event victory:
  takes: side (unit), winner (unit)
  form: side is won by winner
flow:
  for each unit: announce unit is won by unit
"""


@pytest.mark.parametrize(
    ("phrase", "meant"), [("self steps on room", None), ("self was won by unit", "side is won by winner")]
)
def test_event_with_half_of_words_is_suggested(phrase: str, meant: str | None) -> None:
    problems = [problem for problem in checked(WON.format(said=phrase))[1] if problem.code == "FCB0408"]
    assert [problem.suggestion for problem in problems] == [meant]
