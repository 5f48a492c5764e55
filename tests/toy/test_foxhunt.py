"""A game of teams, made of content alone: teams win, choose and know together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from fcbdsl.language.compiler import lower
from fcbdsl.machine.geometry.generator import Generator
from fcbdsl.machine.vm import changes, loading, saving, setup, teams
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.verify.verifier import verify_program
from fcbdsl.machine.vm.world import DRAW, WIN
from fcbdsl.play.bots.bots import Bot, FirstBot, RandomBot, decide_together
from fcbdsl.play.bots.determinize import guess
from fcbdsl.play.session.log_text import happenings
from fcbdsl.play.session.playout import Record, play_out, replay
from fcbdsl.play.session.session import Session
from fcbdsl.play.session.view import View
from fcbdsl.play.testing.content_tests import run_test
from fcbdsl.project.project import check_project

TOY = Path(__file__).parents[1] / "systems" / "foxhunt"
MISSION = "woods"
FOX, BELL, DRUM = 0, 1, 2
SEEDS = range(8)


@pytest.fixture(scope="module")
def image() -> Image:
    model, problems = check_project([TOY])
    assert [problem.message for problem in problems] == []
    program = lower(model, tests=True)
    assert not verify_program(program)
    return Image(program)


def played(
    image: Image, seed: int, bots: Sequence[Bot] | None = None, record: Record | None = None, players: int = 3
) -> Game:
    """Return a whole game."""
    game = setup.start_game(image, MISSION, players, seed, record.switches if record is not None else {})
    play_out(game, bots or [RandomBot(seed + seat) for seat in range(players)], record)
    return game


def under_way(image: Image, seed: int, decisions: int, switches: dict[str, str] | None = None) -> Game:
    """Return a game of three after some decisions."""
    game = setup.start_game(image, MISSION, 3, seed, switches or {})
    bot = RandomBot(seed)
    for _ in range(decisions):
        ask = game.run()
        if ask is None:
            break
        game.answer(bot.choose(game, ask))
    game.run()
    return game


def team(image: Image, name: str) -> int:
    """Return a team as a thing."""
    return image.layout.first[[row.id for row in image.program.definitions].index(name)]


def test_game_needs_no_python() -> None:
    assert {path.suffix for path in TOY.rglob("*") if path.is_file()} == {".fcb", ".toml"}


def test_own_tests_pass(image: Image) -> None:
    results = [run_test(image, number) for number in range(len(image.program.tests))]
    assert len(results) >= 6
    assert [(result.title, result.failure) for result in results if result.failure is not None] == []


def test_team_wins_game(image: Image) -> None:
    worlds = [played(image, seed).world for seed in range(20)]
    assert {world.outcome for world in worlds} == {WIN, DRAW}
    assert {world.side for world in worlds} == {-1, team(image, "foxes"), team(image, "hounds")}
    assert all((world.side < 0) == (world.outcome == DRAW) for world in worlds)


def test_team_wins_and_loses_with_its_players(image: Image) -> None:
    game = under_way(image, 1, 4, {"litter": "two"})
    foxes, hounds, low = team(image, "foxes"), team(image, "hounds"), image.layout.players_low
    assert [teams.of_player(game, seat) for seat in range(3)] == [foxes, foxes, hounds]
    assert [teams.is_of(game, seat, foxes) for seat in range(3)] == [True, True, False]
    assert [teams.is_of(game, seat, low) for seat in range(3)] == [True, True, False]
    assert teams.is_of(game, teams.voice(game, hounds), low + 2)
    assert all(teams.is_of(game, who, -1) for who in (-1, 0, 1, 2))
    assert not teams.is_of(game, -1, foxes)


def test_team_is_asked_together(image: Image) -> None:
    game = under_way(image, 1, 0)
    bot = FirstBot(1)
    ask = game.run()
    while ask is not None and ask.who >= 0:
        game.answer(bot.choose(game, ask))
        ask = game.run()
    assert ask is not None
    hounds = team(image, "hounds")
    assert ask.who == teams.voice(game, hounds)
    assert teams.deciding_seats(game, ask.who) == (BELL, DRUM)
    assert View(image, "en").question(game, ask).startswith("Hounds: choose spot.")
    assert View(image, "fr").question(game, ask).startswith("Chiens\u00a0: choisissez")
    again = loading.load_game(image, game.save())
    assert not isinstance(again, saving.BadSave)
    assert again.digest() == game.digest()


def test_team_question_waits_for_person(image: Image) -> None:
    def waits(*bots: int) -> bool:
        game = setup.start_game(image, MISSION, 3, 1, {})
        record = Record(image.program.hash, MISSION, 3, 1)
        session = Session(game, record, {seat: FirstBot(seat) for seat in bots})
        ask = session.advance()
        while ask is not None and ask.who >= 0:
            session.choose(0)
            ask = session.advance()
        return ask is not None

    assert waits(FOX, BELL)
    assert waits(FOX, DRUM)
    assert not waits(FOX, BELL, DRUM)


def disguised(game: Game, seat: int) -> Game:
    """Return the same game with other secrets.

    Every secret stat that the player may not know has another value, and the contents of zones that they may not see
    change places.
    """
    other = game.clone()
    image, layout = game.image, game.layout
    for number, row in enumerate(image.program.fields):
        for thing in range(layout.field_low[number], layout.field_high[number]) if row.secret else ():
            space = other.base_value(number, thing)
            if space >= 0 and seat not in teams.insiders(game, thing, row):
                free = [s for s in range(*layout.range_of("space")) if game.is_space(s) and s != space]
                changes.set_guessed_field(other, number, thing, free[thing % len(free)])
    rows = {zone: image.program.zones[layout.zone_row[zone]] for zone in range(1, layout.zones)}
    hidden = [
        zone
        for zone, row in rows.items()
        if row.secret and row.name in ("nose", "air") and seat not in teams.insiders(game, layout.zone_owner[zone], row)
    ]
    lying = [thing for zone in hidden for thing in game.world.zones[zone]][::-1]
    dealt = {}
    for zone in hidden:
        size = len(game.world.zones[zone])
        dealt[zone], lying = tuple(lying[:size]), lying[size:]
    changes.exchange_zones(other, dealt)
    return other


@pytest.mark.parametrize("seat", [FOX, BELL, DRUM])
@pytest.mark.parametrize("seed", SEEDS)
def test_players_and_bots_use_no_hidden_information(image: Image, seat: int, seed: int) -> None:
    game = under_way(image, seed, 8 + 3 * seed, {"litter": "two"} if seed % 2 else {})
    if game.world.ask is not None and seat not in teams.deciding_seats(game, game.world.ask.who):
        game.world.ask = None
        game.world.stack.clear()
    other = disguised(game, seat)
    shown = View(image, "en", {seat})
    assert shown.table(other) == shown.table(game)
    for one in (game, other):
        guess(one, seat, Generator(seed, "test"))
    assert other.digest() == game.digest()


@pytest.mark.parametrize("seed", SEEDS)
def test_log_shows_secret_to_its_team(image: Image, seed: int) -> None:
    game = under_way(image, seed, 30)
    log_of = {seat: "\n".join(happenings(View(image, "en", {seat}), game)) for seat in (FOX, BELL, DRUM)}
    assert log_of[BELL] == log_of[DRUM]
    assert "lair" in log_of[FOX]
    assert "lair" not in log_of[BELL]
    assert "spot" not in log_of[FOX]


@pytest.mark.parametrize("seed", SEEDS)
def test_log_names_no_hidden_card(image: Image, seed: int) -> None:
    game = under_way(image, seed, 30)
    log_of = {seat: "\n".join(happenings(View(image, "en", {seat}), game)) for seat in (FOX, BELL)}
    everybody = "\n".join(happenings(View(image, "en"), game))
    laid = "the hounds lay Loop" in everybody
    assert ("the hounds lay Loop" in log_of[BELL]) == laid
    assert ("the hounds lay snare" in log_of[FOX]) == laid
    assert "Loop" not in log_of[FOX]


def test_determinization_for_team_keeps_shared_knowledge(image: Image) -> None:
    game = under_way(image, 3, 20)
    hounds = View(image, "en", {BELL, DRUM})
    before = hounds.table(game)
    guess(game, teams.voice(game, team(image, "hounds")), Generator(5, "test"))
    assert hounds.table(game) == before


def fits(game: Game) -> bool:
    """Return whether the run of each fox leads, step by step, from its burrow to its lair."""
    image = game.image
    number = {row.name: n for n, row in enumerate(image.program.fields)}
    zone = next(n for n, row in enumerate(image.program.zones) if row.name == "run")
    for fox in range(*image.layout.range_of("fox")):
        if game.in_play(fox) and game.base_value(number["lair"], fox) >= 0:
            spot = game.base_value(number["burrow"], fox)
            for step in game.contents(image.layout.zone_base[zone] + fox):
                following = game.base_value(number["to"], step)
                if game.cell(following) not in game.ground().neighbours(game.cell(spot)):
                    return False
                spot = following
            if spot != game.base_value(number["lair"], fox):
                return False
    return True


def supposed(image: Image, seed: int) -> list[bool]:
    """Return whether the guesses for the pack fit together, at each question of a game."""
    game = setup.start_game(image, MISSION, 3, seed, {"litter": "two"} if seed % 2 else {})
    bot = RandomBot(seed)
    out: list[bool] = []
    while (ask := game.run()) is not None:
        assert fits(game)
        guessed = game.clone()
        guess(guessed, BELL + seed % 2, Generator(seed, "test"))
        assert guessed.world.rng == game.world.rng
        assert (guessed.world.ask, len(guessed.world.stack)) == (ask, len(game.world.stack))
        out.append(fits(guessed))
        game.answer(bot.choose(game, ask))
    return out


def test_guesses_are_consistent(image: Image) -> None:
    """A path, its end and what everybody has seen of it; without a word on that, few guesses do."""
    blind = Image(replace(image.program, kinds=tuple(replace(row, supposes=-1) for row in image.program.kinds)))
    guesses = [fit for seed in SEEDS for fit in supposed(image, seed)]
    apart = [fit for seed in SEEDS for fit in supposed(blind, seed)]
    assert all(guesses)
    assert len(apart) == len(guesses)
    assert sum(apart) < len(apart) * 2 // 3


def test_known_things_are_not_guessed_again(image: Image) -> None:
    game = under_way(image, 5, 14)
    shown = View(image, "en", {FOX})
    table = shown.table(game)
    guess(game, FOX, Generator(1, "test"))
    assert shown.table(game) == table
    assert fits(game)


def test_team_game_replays(image: Image) -> None:
    record = Record(image.program.hash, MISSION, 3, 3, {"litter": "two"})
    game = played(image, 3, record=record)
    assert replay(image, record).digest() == game.digest()


def test_team_members_share_value_function(image: Image) -> None:
    game = played(image, 1)
    foxes, hounds = (teams.voice(game, game.layout.teams_low + number) for number in range(2))
    together = [(foxes, FOX), (FOX, foxes), (hounds, BELL), (DRUM, hounds), (teams.EVERYBODY, BELL)]
    assert all(decide_together(game, who, other) for who, other in together)
    apart = [(foxes, BELL), (FOX, hounds), (foxes, hounds), (BELL, DRUM), (BELL, teams.EVERYBODY)]
    assert not any(decide_together(game, who, other) for who, other in apart)
