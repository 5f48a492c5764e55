"""A game of secret choices, made of content alone: no player knows a choice before all have chosen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fcbdsl.language.compiler import lower
from fcbdsl.language.model.whole import Model
from fcbdsl.language.prose import rules_text
from fcbdsl.machine.geometry.generator import Generator
from fcbdsl.machine.vm import loading, saving, setup
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.verify.verifier import verify_program
from fcbdsl.machine.vm.world import THING, Frame
from fcbdsl.play.bots.bots import Bot, FirstBot, RandomBot, SensibleBot
from fcbdsl.play.bots.determinize import guess
from fcbdsl.play.session.log_text import happenings
from fcbdsl.play.session.playout import Record, play_out, replay
from fcbdsl.play.session.session import Session
from fcbdsl.play.session.view import View
from fcbdsl.play.testing.content_tests import run_test
from fcbdsl.project.project import check_project

TOY = Path(__file__).parents[1] / "systems" / "souk"
PLAYERS = 3


@pytest.fixture(scope="module")
def model() -> Model:
    made, problems = check_project([TOY])
    assert [problem.message for problem in problems] == []
    return made


@pytest.fixture(scope="module")
def image(model: Model) -> Image:
    program = lower(model, tests=True)
    assert not verify_program(program)
    return Image(program)


def sealed(game: Game) -> list[tuple[int, ...]]:
    """Return the choices that are not known yet."""
    return [row for item in game.world.stack if isinstance(item, Frame) for row in item.sealed or ()]


def positions(image: Image, seed: int) -> Iterator[Game]:
    """Yield the positions of a random game in which somebody is asked."""
    game = setup.start_game(image, "alley", PLAYERS, seed, {})
    bot = RandomBot(seed)
    while (ask := game.run()) is not None:
        yield game
        game.answer(bot.choose(game, ask))


def test_game_needs_no_python() -> None:
    assert {path.suffix for path in TOY.rglob("*") if path.is_file()} == {".fcb", ".toml"}


def test_own_tests_pass(image: Image) -> None:
    results = [run_test(image, number) for number in range(len(image.program.tests))]
    assert len(results) >= 5
    assert [(result.title, result.failure) for result in results if result.failure is not None] == []


@pytest.mark.parametrize("seed", range(4))
def test_games_end_and_replay(image: Image, seed: int) -> None:
    record = Record(image.program.hash, "alley", 2 + seed % 3, seed)
    game = setup.start_game(image, "alley", 2 + seed % 3, seed, {})
    bots: list[Bot] = [RandomBot(seed), FirstBot(1), RandomBot(seed + 1), FirstBot(2)]
    play_out(game, bots[: 2 + seed % 3], record)
    assert game.world.fault is None
    assert game.world.outcome
    assert replay(image, record).digest() == game.digest()


def differing(image: Image, seed: int) -> Iterator[tuple[Game, Game, int]]:
    """Yield positions in which somebody is asked after another's secret choice; the same with another choice; and the
    chooser."""
    before: Game | None = None
    for game in positions(image, seed):
        ask = game.world.ask
        assert ask is not None
        if before is not None and before.world.ask is not None and len(sealed(game)) > len(sealed(before)):
            for index in range(len(before.world.ask.options)):
                other = before.clone()
                other.answer(index)
                other.run()
                if sealed(other) != sealed(game) and other.world.ask == ask:
                    yield game, other, ask.who
        before = game.clone()


@pytest.mark.parametrize("seed", range(3))
def test_secret_choice_is_hidden_everywhere(image: Image, seed: int) -> None:
    seen = 0
    for game, other, who in differing(image, seed):
        seen += 1
        assert sealed(game) != sealed(other)
        view = View(image, "en", {who})
        assert view.table(game) == view.table(other)
        assert game.world.ask is not None
        assert other.world.ask is not None
        assert view.question(game, game.world.ask) == view.question(other, other.world.ask)
        assert view.options(game, game.world.ask) == view.options(other, other.world.ask)
        assert happenings(view, game) == happenings(view, other)
        assert game.world.reveals == other.world.reveals
        guessed = [world.clone() for world in (game, other)]
        for one in guessed:
            guess(one, who, Generator(seed, "test"))
        assert guessed[0].digest() == guessed[1].digest()
        picks = [SensibleBot(seed, looks=1, inner=2, depth=1).choose(world, game.world.ask) for world in (game, other)]
        assert picks[0] == picks[1]
    assert seen > 5


def test_determinized_choice_was_possible(image: Image) -> None:
    chance, guesses = Generator(1, "test"), set()
    number = {row.name: n for n, row in enumerate(image.program.zones)}
    for game in positions(image, 2):
        assert game.world.ask is not None
        if not (sealed(game) and game.world.ask.who == 1 and len(sealed(game)[0]) == 3):
            continue
        ware = game.world.ask.options[0][0] == THING
        for _ in range(8):
            guessed = game.clone()
            guess(guessed, 1, chance)
            ((_, who, value),) = sealed(guessed)
            guesses.add(value)
            bundle = guessed.contents(image.layout.zone_base[number["bundle"]] + who)
            assert value in bundle if ware else 0 <= value <= 3
            clone = game.clone()
            guess(clone, 0, chance)
            assert sealed(clone) == sealed(game)  # players know their own choices
    assert len(guesses) > 6


def test_secret_choice_can_be_undone_until_revealed(image: Image) -> None:
    game = setup.start_game(image, "alley", 2, 4, {})
    session = Session(game, Record(image.program.hash, "alley", 2, 4), {})
    session.advance()
    session.choose(0)
    session.advance()
    assert sealed(session.game)
    assert not session.revealed()
    session.choose(0)
    session.advance()
    assert not sealed(session.game)
    assert session.revealed()


def test_secret_choices_are_saved(image: Image) -> None:
    game = next(game for game in positions(image, 3) if len(sealed(game)) == 2)
    again = loading.load_game(image, game.save())
    assert again.digest() == game.digest()
    assert sealed(again) == sealed(game)
    for index in range(2):
        copy = game.clone()
        for row in (again, copy):
            assert row.run() is not None
            row.answer(index)
            row.run()
        assert again.digest() == copy.digest()
        again = loading.load_game(image, game.save())


@pytest.mark.parametrize("row", [[], [0], [0, 0, 1], [10**6, 0, 1], [-1, 0, 1]])
def test_damaged_secret_choice_is_refused(image: Image, row: list[int]) -> None:
    game = next(game for game in positions(image, 3) if len(sealed(game)) == 2)
    data: Any = game.save()
    frame = next(item for item in data["stack"] if item[0] == "frame" and item[7])
    frame[7][0] = row
    with pytest.raises(saving.BadSave):
        loading.load_game(image, data)


SAID = {
    "fire": (
        "In secret, for each player, that player chooses a ware from that player’s hand; once all have chosen, sell "
        "that ware.",
        "En secret, pour chaque joueur, ce joueur choisit une marchandise de la main de ce joueur ; quand tous ont "
        "choisi, vendez cette marchandise.",
    ),
    "gifts": (
        "In secret, for each player with at least 1 dinar, that player chooses up to 2 wares from that player’s hand; "
        "once all have chosen, sell each of those wares, then that player loses 1 dinar.",
        "En secret, pour chaque joueur ayant au moins 1 dinar, ce joueur choisit jusqu’à 2 marchandises de la main "
        "de ce joueur ; quand tous ont choisi, vendez chacune de ces marchandises, puis ce joueur perd 1 dinar.",
    ),
}


@pytest.mark.parametrize("card", sorted(SAID))
def test_secret_choices_have_words(model: Model, card: str) -> None:
    texts = [rules_text(model.definitions["trick", card], model, language) for language in ("en", "fr")]
    assert [problem.message for text in texts for problem in text.problems] == []
    assert tuple(text.plain().replace("\u00a0", " ").replace("\u202f", " ") for text in texts) == SAID[card]
