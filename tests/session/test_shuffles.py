"""Random results of the set-up: content tests keep every order and ask for random choices, so they are tested here."""

from __future__ import annotations

import functools
from pathlib import Path

import games
import pytest

from fcbdsl.language.compiler import program_without_hash
from fcbdsl.machine.vm import setup
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.world import L_RANDOM, ORDER_KEPT, Ask
from fcbdsl.play.bots.bots import RandomBot
from fcbdsl.play.testing import content_tests

GAME = "far-cry-beyond"
SEEDS = range(1, 9)
DIVE = "drowned-valley"
"""A mission with tiles, Events and all the decks."""


def shipped() -> Image:
    return games.image(GAME)


SHUFFLED = [
    pytest.param(game, *row.split(": "), id=f"{game}: {row}")
    for game in games.GAMES
    for row in games.page_with_reasons("shuffled", game)
]
"""Game, mission and pile of each row of `tests/cases/shuffled`."""


@functools.cache
def begun(seed: int) -> tuple[Game, Ask]:
    """Return the mission at its first question, and that question: the piles are made, and no hero is chosen yet."""
    return asked_first(GAME, DIVE, seed)


def asked_first(game: str, mission: str, seed: int) -> tuple[Game, Ask]:
    """Return a mission at its first question, and that question."""
    image = games.image(game)
    made = setup.start_game(image, mission, image.program.players[1], seed)
    ask = made.run()
    assert ask is not None
    return made, ask


def piles(game: Game, name: str) -> list[tuple[int, ...]]:
    """Return the cards of each pile of a name that has any, from bottom to top: piles of the game, or of its things."""
    zones = game.image.program.zones
    number = next(number for number, zone in enumerate(zones) if zone.name == name)
    rows = game.image.layout.zone_row
    return [cards for row, cards in zip(rows, game.world.zones, strict=True) if row == number and cards]


@functools.cache
def laid(game: str, mission: str, name: str, seed: int) -> tuple[tuple[int, ...], ...]:
    """Return the definitions of the cards in each such pile at the first question with one.

    Until then the questions of the set-up have the same answers with every seed.
    """
    made, ask = asked_first(game, mission, seed)
    bot = RandomBot(1)
    while not (piles_of_name := piles(made, name)):
        made.answer(bot.choose(made, ask))
        following = made.run()
        assert following is not None
        ask = following
    return tuple(definitions(game, cards) for cards in piles_of_name)


def pile(seed: int, name: str) -> tuple[int, ...]:
    """Return the cards of a pile, from bottom to top."""
    (cards,) = piles(begun(seed)[0], name)
    return cards


def definitions(game: str, cards: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(games.image(game).layout.definition_of[card] for card in cards)


@pytest.mark.parametrize(("game", "mission", "name"), SHUFFLED)
def test_piles_are_shuffled(game: str, mission: str, name: str) -> None:
    """FCB-SETUP-07, FCB-COUNT-02c, FCB-TREASURE-01, FTZ-SETUP-04a, FTZ-SETUP-06b, FTZ-SETUP-07b, FTZ-CARD-04b,
    ESC-SET-05a, BST-SET-01c, BST-DRF-01a, BST-DRF-04e."""
    made = [laid(game, mission, name, seed) for seed in SEEDS]
    assert len({len(each) for each in made}) == 1
    for orders in zip(*made, strict=True):
        assert len(set(orders)) > len(SEEDS) // 2
        # The cards are the same each time, and with enough seeds each card is at the top and at the bottom.
        assert len({tuple(sorted(order)) for order in orders}) == 1
        assert len({order[-1] for order in orders}) > 2
        assert len({order[0] for order in orders}) > 2


def test_objectives_are_shuffled() -> None:
    """ESC-TOK-01b."""
    made = [laid("escape", "infiltration", "prizes", seed) for seed in range(1, 21)]
    assert len({tuple(sorted(cards)) for (cards,) in made}) == 1
    assert len(set(made)) > 1


def test_ordered_pile_is_not_shuffled() -> None:
    """FCB-SETUP-07."""
    orders = {pile(seed, "crafted-pile") for seed in SEEDS}
    assert len(orders) == 1
    assert len(orders.pop()) > 4


def test_same_seed_makes_same_piles() -> None:
    """FCB-DICE-08."""
    again = setup.start_game(shipped(), DIVE, 4, 1)
    again.run()
    assert again.world.zones == begun(1)[0].world.zones


def field(name: str) -> int:
    return next(number for number, row in enumerate(shipped().program.fields) if row.name == name)


def test_tiles_are_on_random_slots_of_their_number() -> None:
    """FCB-TREASURE-01: one to a slot, of its own number, and each elsewhere with another seed."""
    image = shipped()
    layout = image.layout
    lurks, hideout = layout.base[field("lurks")], layout.base[field("hideout")]
    seen: dict[int, set[int]] = {}
    for seed in SEEDS:
        game = begun(seed)[0]
        spots = {tile: game.world.mem[lurks + tile] for tile in pile(seed, "tile-pile")}
        assert len(set(spots.values())) == len(spots)
        for tile, spot in spots.items():
            assert game.world.mem[hideout + spot] == game.value(field("number"), tile)
            seen.setdefault(tile, set()).add(spot)
    assert len(seen) == len(pile(1, "tile-pile"))
    assert all(len(spots) > 1 for spots in seen.values())


def test_random_results_are_not_asked() -> None:
    """FCB-DICE-08: a choice `at random` is drawn and noted; set-up asks for nothing before the heroes are chosen."""
    image = shipped()
    for seed in SEEDS:
        game, ask = begun(seed)
        assert ask.who == 0
        assert len(ask.options) == sum(1 for row in image.program.definitions if is_hero(row.kind))
    lots = 0
    for mission in (DIVE, "two-for-the-ferry", "last-pump"):
        game = setup.start_game(image, mission, 2, 1)
        bot = RandomBot(1)
        while (open_question := game.run()) is not None:
            assert "at random" not in line(open_question.span)
            game.answer(bot.choose(game, open_question))
        lots += sum(1 for node in game.world.history() if node.what == L_RANDOM)
    assert lots > 10


def is_hero(kind: int) -> bool:
    return shipped().program.kinds[kind].name == "hero"


@functools.cache
def text(file: str) -> list[str]:
    return Path(file).read_text(encoding="utf-8").splitlines()


def line(span: int) -> str:
    """Return the source line of a question."""
    row = shipped().program.spans[span]
    return text(shipped().program.files[row.file])[row.line - 1]


COMING_BACK = """use fireteam-zero
recon-event rumour "Rumour":
  number: 99
  copies: 1
  again: yes
  effect: nothing

test "A discard pile comes back":
  map areas:
    art: |
      a
  given shad at a
  do fill discard of shad with action-card where not upgrade for shad
  do draw a card for shad
  expect size of (hand of shad) = 1

test "A recon card comes back":
  map areas:
    art: |
      a
  given abe at a
  do fill recon-deck with recon-event
  as abe: do turn up rumour#1
  expect rumour#1 in recon-deck
"""


def test_cards_that_come_back_are_shuffled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """FTZ-TAC-06a, FTZ-SEARCH-05b: the order is another one than in a content test, which keeps it."""
    file = tmp_path / "back.fcb"
    file.write_text(COMING_BACK, encoding="utf-8")
    image = Image(program_without_hash(games.model_with("fireteam-zero", file), tests=True))
    deck, recons = ending_pile(image, 0, "deck"), ending_pile(image, 1, "recon-deck")
    monkeypatch.setattr(content_tests, "SCRIPTED", content_tests.SCRIPTED & ~ORDER_KEPT)
    assert ending_pile(image, 0, "deck") != deck
    assert ending_pile(image, 1, "recon-deck")[-1] != recons[-1]


def ending_pile(image: Image, number: int, name: str) -> tuple[int, ...]:
    """The cards of a pile at the end of a content test."""
    seen: list[list[tuple[int, ...]]] = []
    result = content_tests.run_test(image, number, once=True, seen=lambda game: seen.append(piles(game, name)))
    assert result.failure is None
    (cards,) = seen[-1]
    return cards


DISCARDED = """use beast
test "The Action cards of the discard pile are dealt":
  use mission clean-up
  given variant first-game is yes
  given fangrir at stone for player 1
  do fill common with feat
  do dawn
  expect size of aside = 12
"""


def test_discarded_cards_are_shuffled_in_at_dawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """BST-DRF-01a: the cards of the round before are in the pile when it is shuffled."""
    file = tmp_path / "dawn.fcb"
    file.write_text(DISCARDED, encoding="utf-8")
    image = Image(program_without_hash(games.model_with("beast", file), tests=True))
    kept_order = ending_pile(image, 0, "aside")
    monkeypatch.setattr(content_tests, "SCRIPTED", content_tests.SCRIPTED & ~ORDER_KEPT)
    assert ending_pile(image, 0, "aside") != kept_order
