"""Printed texts of a project's own game: formulas, places of a mission, bold words, labels, and clauses in a chain."""

from __future__ import annotations

import pytest

from fcbdsl.base.source import Source
from fcbdsl.language.model.check import check
from fcbdsl.language.model.whole import Model
from fcbdsl.language.prose import rules_text
from fcbdsl.language.syntax.parser import parse
from fcbdsl.print.pieces.cards import card_of
from fcbdsl.print.pieces.sheets import sheet_of
from fcbdsl.project.project import Loader
from fcbdsl.project.settings import Project

SYSTEM = """\
system mini "Mini":
  players: 1..2
  board: graph
  languages: en, fr
kind player:
  stat gold "gold": number 0.., starts 1
    fr: "or"
kind pawn is piece:
  name: "pawn", plural "pawns"
  fr: "pion", m, plural "pions"
kind page is card:
  name: "page", plural "pages"
  fr: "page", f, plural "pages"
  held by: player
  field read "Read aloud": text, optional
    fr: "À lire"
  field worth "Worth": formula, default 0
    fr: "Valeur"
  field price "Price": number, default 0
    fr: "Prix"
  field effect: effect, optional
kind mission:
  field skull "Skull": formula, default 0
    fr: "Crâne"
  field secret: formula, default 0
  field acts: many page, optional
  field tale: text, optional
verb put down:
  takes: who (pawn), at goal (space)
  text en: "place {who} at {goal}"
  text fr: "placez {who} à {goal}"
  effect: place who on goal
flow: win "Over.", fr "Fini."
layout page:
  size: card
  stats: price
  notes: read
layout mission:
  sections: SECTIONS
"""
MISSION = """\
mission m "M":
  fr: "M"
  skull: SKULL
  secret: 7 - number of pawn
  map graph:
    places:
      A "Old Mill"
"""


def made_of(cards: str, skull: str = "0 - number of pawn", sections: str = "skull") -> Model:
    """Return a small game with some cards."""
    loader = Loader(Project())
    loader.use("core")
    texts = {"mini.fcb": SYSTEM.replace("SECTIONS", sections), "c.fcb": MISSION.replace("SKULL", skull) + cards}
    files, wrong = list(loader.files()), []
    for name, text in texts.items():
        file, problems = parse(Source(name, text if name == "mini.fcb" else f"use mini\n{text}"))
        files.append(file)
        wrong += problems
    model, reported = check(files)
    errors = [problem.message for problem in [*wrong, *reported] if problem.severity == "error"]
    assert not errors, errors
    return model


PAWN = 'pawn rook "Rook":\n  fr: "Tour"\n'


def rules_of(cards: str, name: str, language: str = "en") -> str:
    return (
        rules_text(made_of(PAWN + cards).definitions["page", name], made_of(PAWN + cards), language)
        .plain()
        .replace("\u00a0", " ")
    )


def sheet(language: str, sections: str = "acts", skull: str = "0 - number of pawn") -> tuple[str, list[str]]:
    model = made_of(PAWN, skull, sections)
    made, problems = sheet_of(model.definitions["mission", "m"], model, language)
    words = " ".join(paragraph.plain() for section in made.sections for paragraph in section.text)
    return words.replace("\u00a0", " "), [problem.message for problem in problems]


@pytest.mark.parametrize(
    ("language", "words"), [("en", "Skull: Minus the number of pawns."), ("fr", "Crâne : Moins le nombre de pions.")]
)
def test_titled_formula_of_a_mission_prints_under_its_title(language: str, words: str) -> None:
    assert sheet(language)[0] == words


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("0 - (number of pawn + 2)", "Minus (the number of pawns plus 2)."),
        ("0 - number of pawn + 2", "2 minus the number of pawns."),
        ("3 - number of pawn", "3 minus the number of pawns."),
        ("2 - (0 - number of pawn)", "2 minus (minus the number of pawns)."),
    ],
)
def test_formula_that_starts_with_zero_is_negative(value: str, words: str) -> None:
    assert sheet("en", skull=value)[0] == f"Skull: {words}"


def test_formula_of_a_section_prints_once() -> None:
    words, _ = sheet("en", "skull")
    assert words.count("number of pawns") == 1


def test_titled_formula_of_a_card_prints_under_its_title() -> None:
    assert rules_of('page q "Q":\n  fr: "Q"\n  worth: self\'s gold * 2\n', "q") == "Worth: Your gold times 2."


def test_card_for_a_mission_prints_the_titles_of_its_places() -> None:
    card = 'page q "Q" for m:\n  fr: "Q"\n  effect: put down rook at A\n'
    assert rules_of(card, "q") == "Place Rook at Old Mill."


def test_section_without_a_title_is_reported() -> None:
    model = made_of(
        PAWN + 'mission n "N":\n  fr: "N"\n  tale: "Once."\n  map graph:\n    places:\n      A "A"\n', sections="tale"
    )
    _, problems = sheet_of(model.definitions["mission", "n"], model, "en")
    assert [problem.message for problem in problems] == ["`tale` on mission `n` has no text in en."]
    _, problems = sheet_of(model.definitions["mission", "m"], model, "en")  # it has no such section
    assert problems == []


def test_bold_words_of_a_text_field_are_bold() -> None:
    model = made_of(PAWN + 'page q "Q":\n  fr: "Q"\n  read: "At **nine** sharp."\n')
    (note,) = card_of(model.definitions["page", "q"], model, "en")[0].notes
    assert note.value == "At nine sharp."
    assert [(run.text, run.style) for run in note.runs] == [("At ", "plain"), ("nine", "keyword"), (" sharp.", "plain")]


def test_bold_words_of_a_label_are_bold() -> None:
    card = 'page q "Q":\n  fr: "Q"\n  effect:\n    choose one:\n'
    card += '      "**Dig**", fr "**Creuser**": self\'s gold +1\n      "Rest", fr "Repos": self\'s gold +2\n'
    model = made_of(PAWN + card)
    text = rules_text(model.definitions["page", "q"], model, "en")
    assert "*" not in text.plain()
    assert ("Dig", "keyword") in [(run.text, run.style) for paragraph in text.paragraphs for run in paragraph.runs]


def test_label_without_words_in_a_language_is_reported() -> None:
    card = 'page q "Q":\n  fr: "Q"\n  effect:\n    choose one:\n'
    card += '      "Dig": self\'s gold +1\n      "Rest": self\'s gold +2\n'
    model = made_of(PAWN + card)
    assert rules_text(model.definitions["page", "q"], model, "en").problems == ()
    problems = rules_text(model.definitions["page", "q"], model, "fr").problems
    assert [(problem.code, problem.arguments["name"]) for problem in problems] == [
        ("FCB0701", "Dig"),
        ("FCB0701", "Rest"),
    ]


def test_empty_else_branch_is_not_printed() -> None:
    card = 'page q "Q":\n  fr: "Q"\n  effect:\n    if gold > 2: self\'s gold +1\n    else: nothing\n'
    assert rules_of(card, "q") == "If you have at least 3 gold, gain 1 gold."


def test_chain_condition_differs_from_condition_on_member() -> None:
    inner = "if any player where (it's gold > it's gold + 1 or self's gold > 3) and self's gold > 2: self's gold +1"
    outer = "if (any player where it's gold > it's gold + 1) or self's gold > 3: self's gold +1"
    words = [rules_of(f'page q "Q":\n  fr: "Q"\n  effect:\n    {statement}\n', "q") for statement in (inner, outer)]
    assert words[0] != words[1]
    assert words[1] == (
        "If there is a player whose gold is greater than its gold plus 1, or you have at least 4 gold, gain 1 gold."
    )


def test_zero_is_printed_only_if_given() -> None:
    given = ["", "  price: 0\n", "  price: 2\n"]
    model = made_of("".join(f'page q{at} "Q":\n  fr: "Q"\n{line}' for at, line in enumerate(given)))
    cards = [card_of(model.definitions["page", f"q{at}"], model, "en")[0] for at in range(len(given))]
    assert [[(chip.label, chip.value) for chip in card.stats] for card in cards] == [
        [],
        [("Price", "0")],
        [("Price", "2")],
    ]
