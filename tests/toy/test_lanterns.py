"""A game of another sort, made of content alone: squares, alternating sides, opposed dice, a secret place."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

import pytest
from pypdf import PdfReader

from fcbdsl.language.compiler import lower
from fcbdsl.language.model.whole import Model
from fcbdsl.machine.geometry.generator import Generator
from fcbdsl.machine.vm import loading, saving, setup, subscribers
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.verify.verifier import verify_program
from fcbdsl.machine.vm.world import DRAW, L_EVENT, WIN
from fcbdsl.play.bots.bots import Bot, RandomBot, SensibleBot
from fcbdsl.play.bots.determinize import guess
from fcbdsl.play.session.log_text import happenings
from fcbdsl.play.session.playout import Record, play_out, replay
from fcbdsl.play.session.view import View
from fcbdsl.play.testing.content_tests import run_test
from fcbdsl.print.press.press import render
from fcbdsl.project.project import check_project

TOY = Path(__file__).parents[1] / "systems" / "lanterns"
MISSION = "vintners-cellar"
WATCH, GANG = 0, 1
SEEDS = range(12)


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


def played(image: Image, seed: int, bots: Sequence[Bot] | None = None, record: Record | None = None) -> Game:
    """Return a whole game."""
    game = setup.start_game(image, MISSION, 2, seed, {})
    play_out(game, bots or (RandomBot(seed), RandomBot(seed + 100)), record)
    return game


def hidden(image: Image, seed: int) -> Game:
    """Return a game at the first question after a thief has hidden."""
    game = setup.start_game(image, MISSION, 2, seed, {})
    for _ in range(2):
        assert game.run() is not None
        game.answer(0)
    assert game.run() is not None
    return game


def test_game_needs_no_python() -> None:
    assert {path.suffix for path in TOY.rglob("*") if path.is_file()} == {".fcb", ".toml"}


def test_own_tests_pass(image: Image) -> None:
    results = [run_test(image, number) for number in range(len(image.program.tests))]
    assert len(results) >= 12
    assert [(result.title, result.failure) for result in results if result.failure is not None] == []


def test_games_end_for_a_side(image: Image) -> None:
    worlds = [played(image, seed) for seed in SEEDS]
    assert {game.world.outcome for game in worlds} <= {WIN, DRAW}
    assert all((game.world.side >= 0) == (game.world.outcome == WIN) for game in worlds)


@pytest.mark.long
def test_each_side_can_win(image: Image) -> None:
    """A bot that plays for its own side beats one that plays anything; of two such bots each wins its share."""
    low = image.layout.players_low
    seeds = SEEDS[:6]
    assert all(played(image, seed, (RandomBot(seed), SensibleBot(seed))).world.side == low + GANG for seed in seeds)
    assert all(played(image, seed, (SensibleBot(seed), RandomBot(seed))).world.side == low + WATCH for seed in seeds)
    sides = [played(image, seed, (SensibleBot(seed), SensibleBot(seed + 100))).world.side - low for seed in SEEDS]
    assert min(sides.count(WATCH), sides.count(GANG)) >= len(SEEDS) // 4


def disguised(game: Game, seat: int) -> Game:
    """Return the same game with other secrets: the deck reversed, the other hand exchanged with the deck, the hidden
    thief elsewhere."""
    other = game.clone()
    image = game.image
    rows = {zone: image.layout.zone_row[zone] for zone in range(1, image.layout.zones)}
    secret = [zone for zone in rows if other.secret(zone) and other.world.zones[zone]]
    (deck,) = [zone for zone in secret if image.layout.zone_owner[zone] < 0]
    (hand,) = [zone for zone in secret if other.controller(image.layout.zone_owner[zone]) == 1 - seat]
    size = len(other.world.zones[hand])
    for zone, cards in (
        (hand, other.world.zones[deck][:size]),
        (deck, other.world.zones[hand] + other.world.zones[deck][size:][::-1]),
    ):
        other.world.lay(zone, cards)
        for card in cards:
            other.world.write(image.layout.zone + card, zone)
            other.world.write(image.layout.holder + card, image.layout.zone_owner[zone])
    field = next(number for number, row in enumerate(image.program.fields) if row.secret)
    base, low = image.layout.base[field], image.layout.range_of("thief")[0]
    lurking = [t for t in range(low, image.layout.range_of("thief")[1]) if other.world.mem[base + t] >= 0]
    for thief in lurking if seat == WATCH else ():
        other.world.write(base + thief, other.world.mem[base + thief] + 1)
    subscribers.refresh_all(other)
    return other


@pytest.mark.parametrize("seat", [WATCH, GANG])
@pytest.mark.parametrize("seed", range(4))
def test_bot_ignores_hidden_information(image: Image, seat: int, seed: int) -> None:
    """The guess is equal for each deck, other hand and hiding place."""
    game = hidden(image, seed)
    other = disguised(game, seat)
    assert other.digest() != game.digest()
    for one in (game, other):
        guess(one, seat, Generator(seed, "test"))
    assert other.digest() == game.digest()


def test_determinization_keeps_player_knowledge(image: Image) -> None:
    game = hidden(image, 2)
    before = View(image, "en", {GANG}).table(game)
    after = game.clone()
    guess(after, GANG, Generator(1, "test"))
    assert View(image, "en", {GANG}).table(after) == before
    assert after.digest() != game.digest()


def test_position_with_open_question_has_value(image: Image) -> None:
    game = hidden(image, 2)
    before = game.digest()
    assert game.outlook(GANG) == -game.outlook(WATCH) > 0
    assert game.digest() == before


def test_game_replays_from_record(image: Image) -> None:
    record = Record(image.program.hash, MISSION, 2, 3)
    game = played(image, 3, record=record)
    assert replay(image, record).digest() == game.digest()


def test_sides_take_turns(image: Image) -> None:
    game = played(image, 1)
    names = [event.name for event in image.program.events]
    begins, step = names.index("round start"), names.index("activate")
    rounds: list[list[int]] = []
    for node in game.world.history():
        if node.what == L_EVENT and node.data[0] == begins:
            rounds.append([])
        elif node.what == L_EVENT and node.data[0] == step:
            rounds[-1].append(game.controller(node.data[1]))
    assert all(order[: 2 * order.count(GANG)] in _alternations(order) for order in rounds)
    assert sum(map(len, rounds)) > 20


def _alternations(order: Sequence[int]) -> list[list[int]]:
    """Return both ways in which the sides may alternate while the smaller one has figures left."""
    pairs = min(order.count(WATCH), order.count(GANG))
    return [[WATCH, GANG] * pairs, [GANG, WATCH] * pairs]


def test_hiding_place_is_shown_to_own_side(image: Image) -> None:
    game = hidden(image, 2)
    shown = {seat: View(image, "en", {seat}) for seat in (WATCH, GANG)}
    tables = {seat: view.table(game) for seat, view in shown.items()}
    logs = {seat: "\n".join(happenings(view, game)) for seat, view in shown.items()}
    assert "in the shadows: " in tables[WATCH]
    assert "hiding place" in tables[GANG]
    assert "hiding place" in logs[GANG]
    assert "hiding place" not in tables[WATCH]
    assert "hiding place" not in logs[WATCH]


def test_hand_is_shown_to_its_player(image: Image) -> None:
    game = hidden(image, 2)
    lines = View(image, "en", {WATCH}).table(game).splitlines()
    own, other = (next(line for line in lines if line.startswith(f"Player {n}; hand")) for n in (1, 2))
    assert own.rsplit(": ", 1)[1][0].isalpha()
    assert other.rsplit(": ", 1)[1].isdigit()


def test_saved_game_contains_secret(image: Image) -> None:
    game = hidden(image, 4)
    again = loading.load_game(image, game.save())
    assert not isinstance(again, saving.BadSave)
    assert again.digest() == game.digest()
    assert "hiding place" in View(image, "en", {GANG}).table(again)


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", ("THE VINTNER’S CELLAR", "Cranny", "Hatch")), ("fr", ("LA CAVE DU NÉGOCIANT", "Recoin", "Trappe"))],
)
def test_small_game_is_printed(model: Model, tmp_path: Path, language: str, words: Sequence[str]) -> None:
    made = render(model, [], language, "a4", "pdf", tmp_path)
    assert [problem.message for problem in made.problems] == []
    other = {"en": "", "fr": ".fr"}[language]
    names = [f"cards{other}.pdf", f"cards{other}.contents.pdf"]
    names += [f"mission-counting-house{other}.pdf", f"mission-{MISSION}{other}.pdf"]
    assert [path.name for path in made.files] == names
    sheet = PdfReader(io.BytesIO(made.files[3].read_bytes())).pages[0].extract_text()
    assert all(word in sheet for word in words), sheet
    assert "G5" in sheet
