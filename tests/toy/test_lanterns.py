"""A game of another kind, said in content alone: squares, two sides that take turns, opposed dice, a secret place."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

import pytest
from pypdf import PdfReader

from fcbdsl.compiler import lower
from fcbdsl.game.generator import Generator
from fcbdsl.model.whole import Model
from fcbdsl.project import check_project
from fcbdsl.render import render
from fcbdsl.sim.bots import Bot, RandomBot, SensibleBot
from fcbdsl.sim.content_tests import run_test
from fcbdsl.sim.guessing import guess
from fcbdsl.sim.happenings import happenings
from fcbdsl.sim.playout import Record, play_out, replay
from fcbdsl.sim.view import View
from fcbdsl.vm import saving
from fcbdsl.vm.machine import Machine
from fcbdsl.vm.verify import verify
from fcbdsl.vm.world import DRAW, L_EVENT, WIN, World

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
def machine(model: Model) -> Machine:
    program = lower(model, tests=True)
    assert not verify(program)
    return Machine(program)


def played(machine: Machine, seed: int, bots: Sequence[Bot] | None = None, record: Record | None = None) -> World:
    """A whole game."""
    world = machine.start(MISSION, 2, seed, {})
    play_out(machine, world, bots or (RandomBot(seed), RandomBot(seed + 100)), record)
    return world


def hidden(machine: Machine, seed: int) -> World:
    """A game at the first question after a thief has hidden."""
    world = machine.start(MISSION, 2, seed, {})
    for _ in range(2):
        assert machine.run(world) is not None
        machine.answer(world, 0)
    assert machine.run(world) is not None
    return world


def test_it_is_said_without_python() -> None:
    assert {path.suffix for path in TOY.rglob("*") if path.is_file()} == {".fcb", ".toml"}


def test_its_own_tests_pass(machine: Machine) -> None:
    results = [run_test(machine, number) for number in range(len(machine.program.tests))]
    assert len(results) >= 12
    assert [(result.title, result.failure) for result in results if result.failure is not None] == []


def test_games_come_to_an_end_that_belongs_to_a_side(machine: Machine) -> None:
    worlds = [played(machine, seed) for seed in SEEDS]
    assert {world.outcome for world in worlds} <= {WIN, DRAW}
    assert all((world.side >= 0) == (world.outcome == WIN) for world in worlds)


@pytest.mark.long
def test_each_side_can_win(machine: Machine) -> None:
    """A bot that plays for its own side beats one that plays anything; of two such bots each wins its share."""
    low = machine.layout.players_low
    seeds = SEEDS[:6]
    assert all(played(machine, seed, (RandomBot(seed), SensibleBot(seed))).side == low + GANG for seed in seeds)
    assert all(played(machine, seed, (SensibleBot(seed), RandomBot(seed))).side == low + WATCH for seed in seeds)
    sides = [played(machine, seed, (SensibleBot(seed), SensibleBot(seed + 100))).side - low for seed in SEEDS]
    assert min(sides.count(WATCH), sides.count(GANG)) >= len(SEEDS) // 4


def disguised(machine: Machine, world: World, seat: int) -> World:
    """The same game with other secrets: the deck turned over, the other hand exchanged for cards of the deck, the
    hidden thief elsewhere."""
    other = machine.clone(world)
    machine.enter(other)
    rows = {zone: machine.layout.zone_row[zone] for zone in range(1, machine.layout.zones)}
    secret = [zone for zone in rows if machine.secret(zone) and other.zones[zone]]
    (deck,) = [zone for zone in secret if machine.layout.zone_owner[zone] < 0]
    (hand,) = [zone for zone in secret if machine.controller(machine.layout.zone_owner[zone]) == 1 - seat]
    size = len(other.zones[hand])
    for zone, cards in ((hand, other.zones[deck][:size]), (deck, other.zones[hand] + other.zones[deck][size:][::-1])):
        other.zones[zone] = cards
        for card in cards:
            other.mem[machine.layout.zone + card] = zone
            other.mem[machine.layout.holder + card] = machine.layout.zone_owner[zone]
    field = next(number for number, row in enumerate(machine.program.fields) if row.secret)
    base, low = machine.layout.base[field], machine.layout.range_of("thief")[0]
    lurking = [t for t in range(low, machine.layout.range_of("thief")[1]) if other.mem[base + t] >= 0]
    for thief in lurking if seat == WATCH else ():
        other.mem[base + thief] += 1
    machine.wake_all()
    return other


@pytest.mark.parametrize("seat", [WATCH, GANG])
@pytest.mark.parametrize("seed", range(4))
def test_what_a_bot_may_not_see_does_not_move_it(machine: Machine, seat: int, seed: int) -> None:
    """Whatever the deck, the other hand and the hiding place are: the guess comes out the same."""
    world = hidden(machine, seed)
    other = disguised(machine, world, seat)
    assert machine.digest(other) != machine.digest(world)
    for one in (world, other):
        guess(machine, one, seat, Generator(seed, "test"))
    assert machine.digest(other) == machine.digest(world)


def test_a_guess_leaves_what_the_player_knows(machine: Machine) -> None:
    world = hidden(machine, 2)
    before = View(machine, "en", {GANG}).table(world)
    after = machine.clone(world)
    guess(machine, after, GANG, Generator(1, "test"))
    assert View(machine, "en", {GANG}).table(after) == before
    assert machine.digest(after) != machine.digest(world)


def test_a_position_is_valued_while_a_question_stands(machine: Machine) -> None:
    world = hidden(machine, 2)
    before = machine.digest(world)
    assert machine.outlook(world, GANG) == -machine.outlook(world, WATCH) > 0
    assert machine.digest(world) == before


def test_a_game_is_played_again_from_its_record(machine: Machine) -> None:
    record = Record(machine.program.hash, MISSION, 2, 3)
    world = played(machine, 3, record=record)
    assert machine.digest(replay(machine, record)) == machine.digest(world)


def test_the_sides_take_turns(machine: Machine) -> None:
    world = played(machine, 1)
    names = [event.name for event in machine.program.events]
    begins, step = names.index("round start"), names.index("activate")
    rounds: list[list[int]] = []
    for node in world.history():
        if node.what == L_EVENT and node.data[0] == begins:
            rounds.append([])
        elif node.what == L_EVENT and node.data[0] == step:
            rounds[-1].append(machine.controller(node.data[1]))
    assert all(order[: 2 * order.count(GANG)] in _alternations(order) for order in rounds)
    assert sum(map(len, rounds)) > 20


def _alternations(order: Sequence[int]) -> list[list[int]]:
    """Both ways in which the sides may alternate while the smaller one has figures left."""
    pairs = min(order.count(WATCH), order.count(GANG))
    return [[WATCH, GANG] * pairs, [GANG, WATCH] * pairs]


def test_only_the_gang_is_shown_where_its_thief_hides(machine: Machine) -> None:
    world = hidden(machine, 2)
    shown = {seat: View(machine, "en", {seat}) for seat in (WATCH, GANG)}
    tables = {seat: view.table(world) for seat, view in shown.items()}
    logs = {seat: "\n".join(happenings(view, world)) for seat, view in shown.items()}
    assert "in the shadows: " in tables[WATCH]
    assert "hiding place" in tables[GANG]
    assert "hiding place" in logs[GANG]
    assert "hiding place" not in tables[WATCH]
    assert "hiding place" not in logs[WATCH]


def test_a_hand_is_shown_to_its_player(machine: Machine) -> None:
    world = hidden(machine, 2)
    lines = View(machine, "en", {WATCH}).table(world).splitlines()
    own, other = (next(line for line in lines if line.startswith(f"Player {n}; hand")) for n in (1, 2))
    assert own.rsplit(": ", 1)[1][0].isalpha()
    assert other.rsplit(": ", 1)[1].isdigit()


def test_a_game_is_saved_with_its_secret(machine: Machine) -> None:
    world = hidden(machine, 4)
    again = machine.load(machine.save(world))
    assert not isinstance(again, saving.BadSave)
    assert machine.digest(again) == machine.digest(world)
    assert "hiding place" in View(machine, "en", {GANG}).table(again)


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", ("THE VINTNER’S CELLAR", "Cranny", "Hatch")), ("fr", ("LA CAVE DU NÉGOCIANT", "Recoin", "Trappe"))],
)
def test_it_is_printed(model: Model, tmp_path: Path, language: str, words: Sequence[str]) -> None:
    made = render(model, [], language, "a4", "pdf", tmp_path)
    assert [problem.message for problem in made.problems] == []
    assert [path.name for path in made.files] == ["cards.pdf", "mission-counting-house.pdf", f"mission-{MISSION}.pdf"]
    sheet = PdfReader(io.BytesIO(made.files[2].read_bytes())).pages[0].extract_text()
    assert all(word in sheet for word in words), sheet
    assert "G5" in sheet
