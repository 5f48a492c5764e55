"""Mistakes in phrases: one problem each, with its code, its exact place and its advice."""

from __future__ import annotations

import pytest
from phrasebook import HERO, lines, sample

from fcbdsl.language.model.ir import NUMBER
from fcbdsl.language.model.resolve import parameters, statements
from fcbdsl.language.model.resolve.scope import Scope

STATEMENTS = [
    ("hurt tarket", "FCB0401", "tarket", "`target`"),
    ("hurt target's", "FCB0420", "target", ""),
    ("if target's HP: stop", "FCB0403", "target's HP", ""),
    ("if target: stop", "FCB0403", "target", ""),
    ("if HP < target: stop", "FCB0403", "target", ""),
    ("hurt 2", "FCB0403", "2", ""),
    ("if alarm > 2: stop", "FCB0403", "alarm", "`alarm's value`"),
    ("if alarm = 2: stop", "FCB0403", "2", "`alarm's value`"),
    ("if that is enemy: stop", "FCB0432", "that", "`target`"),
    ("hurt target target", "FCB0403", "target", ""),
    ("hurt target to target", "FCB0402", "to", "prepositions"),
    ("hurt", "FCB0404", "hurt", "`hurt TARGET [AMOUNT] [by CULPRIT]`"),
    ("hurt unit", "FCB0417", "unit", "for each"),
    ("let x = tarket", "FCB0401", "tarket", "`target`"),
    ("let x = x + 1", "FCB0412", "x", "Set it"),
    ("hurt later\nlet later = target", "FCB0412", "later", "Set it"),
    ("if HP > 1:\n  let inner = target\nhurt inner", "FCB0412", "inner", "around it"),
    ("let x", "FCB0414", "let x", "let NAME = VALUE"),
    ("let x = target\nlet x = 3", "FCB0403", "3", ""),
    ("for each unti: stop", "FCB0401", "unti", "`unit`"),
    ("for each x in target: stop", "FCB0421", "x in target", "`target` is neither"),
    ("for each enemy, at once: HP +1", "FCB0415", "at once", ""),
    ("choose x: target", "FCB0403", "target", ""),
    ("choose x: unit within", "FCB0404", "within", "of B"),
    ("repeat: stop", "FCB0414", "repeat", "repeat N times"),
    ("repeat target times: stop", "FCB0403", "target", ""),
    ("roll coin:\n  edge: stop", "FCB0416", "edge", "Write a symbol"),
    ("roll target:\n  heads: stop", "FCB0421", "target", ""),
    ("else: stop", "FCB0415", "else", ""),
    ("break", "FCB0415", "break", ""),
    ("choose foe: enemy, at random, by target", "FCB0415", "target", ""),
    ("choose foe, by target: enemy, at random", "FCB0415", "target", ""),
    ("choose foe: enemy, up to 2, at random", "FCB0415", "at random", ""),
    ("choose foe: enemy, or none, up to 2", "FCB0415", "or none", ""),
    ("choose one, at random:\n  hurt target", "FCB0415", "at random", ""),
    ("choose one, up to 2:\n  hurt target", "FCB0415", "up to 2", ""),
    ("may, or none:\n  hurt target", "FCB0415", "or none", ""),
    ("may, by target", "FCB0414", "may, by target", ""),
    ("may, by target's HP: hurt target", "FCB0403", "target's HP", ""),
    ("cancel", "FCB0415", "cancel", ""),
    ("answer 3", "FCB0415", "answer", ""),
    ("stop target", "FCB0415", "target", ""),
    ("when dawn breaks: stop", "FCB0415", "when", ""),
    ("require hurt target", "FCB0406", "hurt", "Write a condition"),
    ("if hurt target: stop", "FCB0406", "hurt", "Write a condition"),
    ("push target", "FCB0410", "push", ""),
    ("target's hp +1", "FCB0409", "hp", "`HP`"),
    ("target's rank becomes 2", "FCB0411", "target's rank", "modifier"),
    ("target becomes self", "FCB0411", "target", ""),
    ("target's HP becomes target", "FCB0403", "target", ""),
    ("target's armour becomes 2", "FCB0409", "armour", ""),
    ("hurt target this's HP", "FCB0409", "HP", ""),
    ("target's HP", "FCB0407", "target's HP", "verb"),
    ("enemy", "FCB0407", "enemy", "verb"),
    ("effect hurt target", "FCB0407", "effect hurt target", "`effect: hurt target`"),
    ("Gunner target", "FCB0427", "Gunner", ""),  # `gunner` is a card, and no card can begin a statement
    ("hurt it", "FCB0413", "it", "candidate"),
    ("announce dusk", "FCB0408", "dusk", "event"),
    ("announce dwan", "FCB0408", "dwan", "`dawn`"),
    ("announce turn start 3", "FCB0403", "3", ""),
    ("until noon:\n  self has +1 HP", "FCB0408", "noon", "event"),
    ("until dawn:\n  self has +1 armour", "FCB0409", "armour", ""),
    ("until dawn:\n  hurt target", "FCB0414", "hurt target", "SUBJECT has"),
    ("until dawn", "FCB0414", "until dawn", "until EVENT"),
    ("let c = none\nadd 3 to c\nadd target to c", "FCB0403", "target", ""),
    ("if every enemy: stop", "FCB0421", "every enemy", "`every enemy is …`"),
    ("choose x: direction", "FCB0421", "direction", "is a type"),
    ("hurt gunnr#2", "FCB0401", "gunnr#2", "`gunner`"),
]


@pytest.mark.parametrize(("text", "code", "place", "advice"), STATEMENTS, ids=lambda value: value[:40])
def test_wrong_statement_is_reported(text: str, code: str, place: str, advice: str) -> None:
    book = sample()
    book.body(text + "\n")
    assert book.codes() == [code]
    (finding,) = book.problems.sorted()
    assert finding.span.source.text[finding.span.start : finding.span.end] == place
    assert advice in finding.advice


CAPTURES = [
    ("enemy where HP < 3", "HP", "it's HP", "`it's HP` for the candidate, or `self's HP` for the other"),
    ("hero where damage > 1", "damage", "it's damage", "`self's damage`"),
    ("this's stab where reach > 1", "", "", ""),
]


@pytest.mark.parametrize(("text", "place", "cure", "advice"), CAPTURES, ids=lambda value: value[:40])
def test_name_of_candidate_is_reported(text: str, place: str, cure: str, advice: str) -> None:
    book = sample()
    assert book.expression(text) is not None
    for finding in book.problems.sorted():
        assert finding.code == "FCB0424"
        assert finding.span.source.text[finding.span.start : finding.span.end] == place
        assert finding.fix is not None
        assert finding.fix.replacement == cure
        assert advice in finding.advice
    assert bool(book.problems.sorted()) == bool(place)


def test_problem_is_reported_at_every_line_that_causes_it() -> None:
    book = sample()
    book.body("if any enemy where HP < 3: stop\nif any enemy where HP < 3: stop\n")
    assert [finding.span.line for finding in book.problems.sorted()] == [1, 2]


def test_similar_event_is_suggested() -> None:
    book = sample()
    statements.moment(book.reader, lines("when enemy attack self: stop\n")[0], book.scope(params=[]))
    (finding,) = book.problems.sorted()
    assert finding.code == "FCB0408"
    assert "`attacker attacks target`" in finding.advice


def test_wrong_argument_of_an_event_is_named() -> None:
    book = sample()
    book.body("until self attacks 3:\n  self has +1 HP\n")
    (finding,) = book.problems.sorted()
    assert finding.code == "FCB0403"
    assert finding.span.source.text[finding.span.start : finding.span.end] == "3"


MOMENTS = [
    ("when enemi attacks self: stop", "FCB0401", "enemi"),
    ("when enemy attakcs self: stop", "FCB0401", "attakcs"),
    ("when the sun shines: stop", "FCB0408", "the sun shines"),
    ("when A1 attacks self: stop", "FCB0403", "A1"),
    ("when enemy attacks self, if HP: stop", "FCB0403", "HP"),
    ("when enemy attacks self: cancel", "FCB0415", "cancel"),
    ("before self takes amount: rank becomes 2", "FCB0411", "rank"),
    ("when self takes amount: amount becomes 2", "FCB0411", "amount"),
]


@pytest.mark.parametrize(("text", "code", "place"), MOMENTS, ids=lambda value: value[:40])
def test_wrong_trigger_is_reported(text: str, code: str, place: str) -> None:
    book = sample()
    statements.moment(book.reader, lines(text + "\n")[0], book.scope(params=[]))
    assert book.codes() == [code]
    (finding,) = book.problems.sorted()
    assert finding.span.source.text[finding.span.start : finding.span.end] == place


def test_every_line_has_own_problem() -> None:
    book = sample()
    book.body("hurt tarket\nhurt target 2\nhurt 3\nif foo: hurt bar\n")
    assert book.codes() == ["FCB0401", "FCB0403", "FCB0401", "FCB0401"]


CASCADES = [
    "let x = tarket\nhurt target x\nhurt x",
    "choose x: enemi\nhurt x\nx's HP +1",
    "for each x in enemi: hurt target x",
    "roll n: coi\nhurt n",
    "let x = tarket\nx",
]


@pytest.mark.parametrize("text", CASCADES)
def test_unbound_local_is_reported_once(text: str) -> None:
    book = sample()
    book.body(text + "\n")
    assert book.codes() == ["FCB0401"]


def test_self_without_actor_is_reported() -> None:
    book = sample()
    assert book.expression("self's HP", scope=Scope()) is None
    assert book.codes() == ["FCB0413"]


def test_statement_below_value_is_reported() -> None:
    book = sample()
    book.body("hurt self\n", Scope(HERO, None, mode="pure"))
    assert book.codes() == ["FCB0415"]


def test_ambiguous_forms_are_named() -> None:
    book = sample()
    book.form("verb", "hurt", "victim (hero)")
    book.body("hurt self\n")
    assert book.codes() == ["FCB0405"]
    assert "hurt VICTIM" in book.problems.sorted()[0].message


def test_forms_are_distinguished_by_types() -> None:
    book = sample()
    book.form("verb", "hurt", "victims (many number)")
    assert len(book.body("hurt self\nhurt 2, 3\n").statements) == 2
    assert book.codes() == []


def test_wrong_types_and_parameters_are_reported() -> None:
    book = sample()
    line = lines("takes: target (unti), by (number)\n")[0]
    params = parameters.params(book.reader, line, line.tail[0])
    assert [param.name for param in params] == ["target", "by"]
    assert params[1].type == NUMBER
    assert book.codes() == ["FCB0418"]
    assert "`unit`" in book.problems.sorted()[0].advice


def test_parameter_without_type_is_reported() -> None:
    book = sample()
    line = lines("takes: target\n")[0]
    assert parameters.params(book.reader, line, line.tail[0]) == []
    assert book.codes() == ["FCB0414"]
