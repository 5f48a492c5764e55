"""Numbers, payments, piles and titles of a project's own game."""

from __future__ import annotations

from functools import cache
from textwrap import indent

import pytest

from fcbdsl.base.source import Source
from fcbdsl.language.model.check import check
from fcbdsl.language.model.whole import Model
from fcbdsl.language.prose import rules_text
from fcbdsl.language.syntax.parser import parse
from fcbdsl.print.pieces.chips import PrintedFields
from fcbdsl.project.project import Loader
from fcbdsl.project.settings import Project

SYSTEM = """
system stall "Stall":
  fr: "Étal"
  players: 1..4
  languages: en, fr
kind game:
  stat debts "debts": number 0..
    name: "debt", plural "debts"
    fr: "dette", f, plural "dettes"
  stat tester "the seeker who tests": player
    fr: "le chercheur qui teste"
kind player:
  stat coins "coins": number 0..
    name: "coin", plural "coins"
    fr: "pièce", f, plural "pièces"
  stat wood "wood": number 0..
    fr: "bois"
  zone hand "hand" of gear: any
    fr: "main", f
  zone heap "discard pile" of gear: any
    fr: "défausse", f
kind gear is card:
  name: "card", plural "cards"
  fr: "carte", f
  held by: player
  field cost "Cost": number -9..9, default -1
    fr: "Coût"
  field play: effect, optional
  field story: text, optional
zone row "market" of gear: any
  fr: "marché"
verb harm:
  takes: who (player), amount (number)
  event: who suffers amount
  text en: "{who} [takes|take] {amount} wound[s]"
  text fr: "{who} [subit|subissent|subissez] {amount} blessure[s]"
  effect: debts +1
relation spoilt:
  takes: what (gear definition)
  effect:
    for each gear in row where it's definition = what: answer yes
    answer no
  text en: "{what} [is|are] <spoilt|not spoilt>"
  text fr: "{what} <est gâté[e]|n’est pas gâté[e]>"
flow: win "Over."
"""
CARDS = [
    ("play: if any gear in hand of self where it's cost > 3: coins +1",
     "If there is a card with a Cost of 4 or more in your hand, gain 1 coin.",
     "S’il y a une carte dans votre main ayant un Coût de 4 ou plus, gagnez 1 pièce."),
    ("play:\n  choose dear: gear in row, by most cost\n  put dear into hand of self",
     "Choose the card from the market with the highest Cost. Put that card into your hand.",
     "Mettez la carte du marché ayant le plus haut Coût dans votre main."),
    ("play:\n  choose junk: gear where it in hand of self or it in heap of self\n  put junk into row",
     "Choose a card from your hand or from your discard pile. Put that card into the market.",
     "Mettez une carte de votre main ou de votre défausse dans le marché."),
    ("play:\n  choose x: gear in row\n  wood becomes wood - x's cost",
     "Choose a card from the market. Lose X wood, where X is that card’s Cost.",
     "Choisissez une carte du marché. Perdez X bois, X étant le Coût de cette carte-là."),
    ("play: debts becomes debts - wood",
     "Lower the debts by X, where X is your wood.",
     "Diminuez les dettes de X, X étant votre bois."),
    ("play: if debts >= 2: debts -2",
     "If the debts are at 2 or more, lower the debts by 2.",
     "Si les dettes sont à 2 ou plus, diminuez les dettes de 2."),
    ("play: nothing", "Nothing happens.", "Rien ne se passe."),
    ("play: nothing\nstory: \"Dusk.\"\nstory fr: \"Le soir.\"", "Nothing happens.", "Rien ne se passe."),
    ("play: if spoilt tale: coins +1",
     "If the house that burned is spoilt, gain 1 coin.",
     "Si la maison brûlée est gâtée, gagnez 1 pièce."),
    ("play: harm tester 1",
     "The seeker who tests takes 1 wound.",
     "Le chercheur qui teste subit 1 blessure."),
    ("before self suffers any: amount -1",
     "When you take wounds, first: reduce that number by 1.",
     "Quand vous subissez des blessures, d’abord : réduisez ce nombre de 1."),
]  # fmt: skip
"""The effect of a card, and its text in each language."""


@cache
def stall() -> Model:
    cards = [
        f'gear card-{at} "Card {at}":\n  fr: "Carte {at}"\n{indent(lines, "  ")}\n'
        for at, (lines, _, _) in enumerate(CARDS)
    ]
    tale = 'gear tale "the house that burned":\n  fr: "la maison brûlée", f\n  cost: -3\n'
    loader = Loader(Project())
    loader.use("core")
    files, problems = [], []
    for name, text in (("stall.fcb", SYSTEM), ("cards.fcb", "use stall\n" + tale + "".join(cards))):
        file, reported = parse(Source(name, text))
        files.append(file)
        problems += reported
    model, reported = check([*loader.files(), *files])
    assert [problem.message for problem in (*problems, *reported) if problem.severity == "error"] == []
    return model


@pytest.mark.parametrize("at", range(len(CARDS)), ids=[lines for lines, _, _ in CARDS])
def test_card_of_custom_game_is_worded(at: int) -> None:
    for language, expected in zip(("en", "fr"), CARDS[at][1:], strict=True):
        text = rules_text(stall().definitions["gear", f"card-{at}"], stall(), language)
        assert text.problems == ()
        assert text.plain().replace("\u00a0", " ").replace("\u202f", " ") == expected


def test_negative_number_is_printed_if_given() -> None:
    for card, value in (("tale", "−3"), ("card-0", None)):
        chip = PrintedFields(stall().definitions["gear", card], stall(), "en").chip("cost")
        assert (chip and chip.value) == value
