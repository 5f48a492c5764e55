"""Numbers that the game reads and no page prints are reported."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from games import GAMES
from games import model as shipped

from fcbdsl.base.source import Source
from fcbdsl.language.model.check import check
from fcbdsl.language.model.content import Definition
from fcbdsl.language.model.whole import Model
from fcbdsl.language.syntax.parser import parse
from fcbdsl.print.pieces.aids import reference_of
from fcbdsl.print.pieces.printables import is_sheet, printable
from fcbdsl.project.analysis.unprinted_numbers import NearPages, unprinted_numbers
from fcbdsl.project.project import Loader
from fcbdsl.project.settings import Project

SYSTEM = """\
system mini "Mini":
  players: 1..2
  board: graph
  languages: en, fr
kind player:
  stat gold "gold": number 0.., starts 3
    name: "coin", plural "coins"
    fr: "pièce", f, plural "pièces"
  stat breath: number 0.., starts 2
  stat fame: number 0..
kind game:
  stat wind "wind": number 0.., starts 4
    fr: "vent"
kind page is card:
  name: "page", plural "pages"
  fr: "page", f, plural "pages"
  held by: player
  field price "Price": number, default 0
    fr: "Prix"
  field depth: number, default 2
  field worth: formula, default 0
  field unread: number, default 1
  field effect: effect, optional
kind mission:
  field rounds "Rounds": number, default 5
    fr: "Manches"
  field sand: number, default 0
flow:
  repeat:
    for each player:
      player's gold becomes player's gold + player's breath + player's fame + wind
      for each page: player's gold becomes player's gold + page's price + page's depth + page's worth
      if player's gold > 20: win "Over.", fr "Fini."
    if mission's rounds + mission's sand > 20: lose "Gone.", fr "Raté."
layout page:
  size: card
  stats: price, STATS
layout mission:
  stats: rounds
"""
CARDS = """\
page a "A":
  fr: "A"
  price: 2
  depth: 4
  worth: number of player
page b "B":
  fr: "B"
  price: -1
mission m "M":
  fr: "M"
  sand: 6
"""


def made(system: str = SYSTEM, cards: str = CARDS) -> Model:
    loader = Loader(Project())
    loader.use("core")
    files = [*loader.files()]
    for name, text in (("mini.fcb", system), ("cards.fcb", "use mini\n" + cards)):
        file, problems = parse(Source(name, text))
        assert not problems, problems
        files.append(file)
    model, reported = check(files)
    assert not [problem.message for problem in reported if problem.severity == "error"]
    return model


def reported(model: Model) -> list[tuple[str, str]]:
    return [
        (str(problem.arguments["name"]), str(problem.arguments["value"])) for problem in unprinted_numbers(model)[0]
    ]


def test_unprinted_numbers_are_reported() -> None:
    hidden = reported(made(SYSTEM.replace(", STATS", "")))
    assert sorted(hidden) == [
        ("breath", "which starts at 2"),
        ("depth", "2 by default"),
        ("depth", "4"),
        ("sand", "6"),
        ("worth", "a formula"),
    ]


def test_unprinted_number_is_reported_at_value() -> None:
    spans = {
        problem.arguments["value"]: problem.span
        for problem in unprinted_numbers(made(SYSTEM.replace(", STATS", "")))[0]
    }
    assert (spans["4"].source.name, spans["4"].line) == ("cards.fcb", 5)
    assert (spans["2 by default"].source.name, spans["which starts at 2"].source.name) == ("mini.fcb", "mini.fcb")


def test_title_and_layout_line_print_number() -> None:
    system = SYSTEM.replace(", STATS", ", depth").replace("field depth:", 'field depth "Depth":')
    system = system.replace("field worth:", 'field worth "Worth":')
    assert sorted(reported(made(system))) == [("breath", "which starts at 2"), ("sand", "6")]


def test_number_in_title_counts_as_printed() -> None:
    cards = CARDS.replace('mission m "M"', 'mission m "Under 6 feet"')
    assert ("sand", "6") not in reported(made(SYSTEM.replace(", STATS", ""), cards))


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", ["Wind 4.", "Player 3 coins."]), ("fr", ["Vent 4.", "Joueur 3 pièces."])],
)
def test_reference_prints_starting_values(language: str, words: list[str]) -> None:
    reference, _ = reference_of(made(SYSTEM.replace(", STATS", "")), language)
    block = next(block for block in reference.blocks if block.title in ("Starting values", "Valeurs de départ"))
    lines = [f"{entry.title} {entry.text[0].plain()}".strip().replace("\u202f", " ") for entry in block.entries]
    assert sorted(line.replace("\xa0", " ") for line in lines) == sorted(words)


def with_limits(reminder: str = "") -> Model:
    stated = f'\n  reminder en: "{reminder}"\n  reminder fr: "{reminder}"' if reminder else ""
    system = SYSTEM.replace(
        "kind game:",
        '  zone bag "bag" of page: limit 3\n    fr: "sac", m\n  zone hat "hat" of page: limit 1\n    fr: "chapeau", m\n'
        'token soot "soot":\n  fr: "suie", f\n  limit: 4' + stated + "\nkind game:",
        1,
    )
    return made(system.replace(", STATS", ""))


def test_limits_above_one_that_no_text_states_are_reported() -> None:
    problems = [problem for problem in unprinted_numbers(with_limits())[0] if problem.arguments["name"] == "limit"]
    assert [(problem.arguments["thing"], problem.arguments["value"]) for problem in problems] == [
        ("zone `bag`", 3),
        ("token `soot`", 4),
    ]


@pytest.mark.parametrize(
    ("reminder", "left"),
    [
        ("Lay at most 4 soot on a space.", ["zone `bag`"]),
        ("Lay at most 14 soot on a space.", ["zone `bag`", "token `soot`"]),
        ("A bag holds 3 pages.", ["token `soot`"]),
    ],
)
def test_a_text_with_the_number_and_the_title_states_a_limit(reminder: str, left: list[str]) -> None:
    problems, _ = unprinted_numbers(with_limits(reminder))
    assert [problem.arguments["thing"] for problem in problems if problem.arguments["name"] == "limit"] == left


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_reference_prints_the_numbers_of_tables(language: str) -> None:
    """Tables are not examined, because the reference prints them from their trees."""
    table = (
        'die squall "squall die":\n  faces: 1..6\n  fr: "dé de grain", m\n'
        'table storm "Storm", fr "Tempête": squall\n  1..4: wind +2\n  5..: nothing\n'
    )
    system = SYSTEM.replace("flow:\n  repeat:\n", table + "flow:\n  repeat:\n    storm\n")
    pages = []
    for gain in (2, 3):
        reference, _ = reference_of(made(system.replace("wind +2", f"wind +{gain}")), language)
        pages.append(
            " ".join(line.plain() for block in reference.blocks for entry in block.entries for line in entry.text)
        )
    assert pages[0] != pages[1]


@pytest.mark.parametrize("game", GAMES)
def test_pages_near_a_number_are_found_as_by_a_search(game: str) -> None:
    model = shipped(game)
    everything = list(model.definitions.values())
    printed = {id(definition): None for definition in printable(model)}
    index = NearPages(model, printed)
    for kind in model.kinds.values():
        of_kind = [definition for definition in everything if kind in definition.kind.lineage()]
        assert [*index.of_kind(kind)] == sorted(of_kind, key=lambda definition: id(definition) not in printed)

    def around(definition: Definition) -> Iterator[Definition]:
        yield from [definition.target] if definition.target is not None else []
        for whole in everything:
            if any(part is definition for part in whole.parts):
                yield from (whole, *around(whole))
            elif is_sheet(whole) and whole.span.source is definition.span.source:
                yield whole

    for definition in (each for whole in everything for each in (whole, *whole.parts)):
        assert [*map(id, index.around(definition))] == [*map(id, around(definition))]
