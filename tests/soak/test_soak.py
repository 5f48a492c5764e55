"""Random games keep the invariants; a game that breaks one is found, and shortened to the shortest one."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from games import GAMES, ROOT, SMALLEST_FIRST, first_few, model_with
from pond_game import calm_pond, crossing, image

from fcbdsl.language.compiler import lower
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.numbers import numbers
from fcbdsl.machine.vm.world import Ask
from fcbdsl.play.session.playout import read_record, replay
from fcbdsl.play.soak.inspection import MOST_DECISIONS, Inspector
from fcbdsl.play.soak.soak import Course, Script, failure_report, follow, games, random_settings, shrink
from fcbdsl.project.project import check_project

# ── the shipped games ──────────────────────────────────────────────────────────────────────────


@functools.cache
def shipped(game: str) -> Image:
    """Return a game; if it has missions for soaks, with these, which use every part of the game."""
    more = ROOT / "tests" / "cases" / "soak" / game
    return Image(lower(model_with(game, *([more] if more.is_dir() else []))))


@pytest.mark.parametrize("game", first_few(SMALLEST_FIRST, 2))
@pytest.mark.parametrize(
    ("seed", "count"), [(1, 2), *(pytest.param(seed, 20, marks=pytest.mark.long) for seed in range(3, 103, 20))]
)
def test_shipped_missions_end_and_keep_invariants(game: str, seed: int, count: int) -> None:
    image = shipped(game)
    for course in games(image, count, seed):
        assert course.breach is None, failure_report(image, shrink(image, course))
        assert course.record.outcome in ("win", "lose", "draw")


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_soak_samples_missions_players_and_switches(game: str) -> None:
    program = shipped(game).program
    drawn = [random_settings(shipped(game), seed) for seed in range(100)]
    assert {record.players for record in drawn} == set(range(program.players[0], program.players[1] + 1))
    assert {record.mission for record in drawn} == {
        row.id for row in program.definitions if program.kinds[row.kind].policy == "mission"
    }
    for switch in program.switches:
        assert {record.switches[switch.name] for record in drawn} == set(switch.values)


# ── finding and shortening failures ────────────────────────────────────────────────────────────


def broken(folder: Path, added: str) -> Image:
    """Return the Pond with another declaration, and without its endless loop."""
    root = calm_pond(folder)
    system = root / "systems" / "pond.fcb"
    system.write_text(f"{system.read_text(encoding='utf-8')}\n{added}\n", encoding="utf-8")
    model, problems = check_project([root])
    assert problems == []
    return Image(lower(model))


def first_failure(pond: Image) -> Course:
    course = list(games(pond, 200, 1))[-1]
    assert course.breach is not None
    return course


def test_broken_invariant_is_shortened_to_minimum(tmp_path: Path) -> None:
    """A frog is chosen; then twice: hop, and where to, if that is a question. Nothing shorter does it."""
    pond = broken(tmp_path, 'invariant few-leaps "Nobody leaps twice.": leaps < 2')
    shortest = shrink(pond, first_failure(pond))
    assert shortest.breach is not None
    assert shortest.breach.way == ("few-leaps", "Nobody leaps twice.")
    assert shortest.record.decisions == [0, 0, 0, 0]
    for decisions in itertools.product(range(8), repeat=3):
        assert follow(pond, shortest.record, Script(list(decisions)), Inspector(pond)).breach is None
    assert (shortest.record.players, shortest.record.switches) == (1, {})
    assert "leaps 2" in failure_report(pond, shortest)
    assert "systems/pond.fcb" in failure_report(pond, shortest)


def test_shortened_fault_keeps_needed_switch() -> None:
    """A frog is chosen, and loops: the pond can do that when the wind is gusty."""
    shortest = shrink(image(), first_failure(image()))
    assert shortest.breach is not None
    assert shortest.breach.name == "fault"
    assert shortest.record.switches == {"wind": "gusty"}
    assert len(shortest.record.decisions) == 2


IDLE = """
system idle "Idle":
  players: 1..1
  board: square
  languages: en
kind pawn is piece:
  name: "pawn", plural "pawns"
  stat age: number 0.., starts 0
flow:
  repeat: offer pawn, until done
action settle "Settle":
  by: pawn where age = 0
  form: settles
  effect: age +1
action rest "Rest":
  by: pawn where age > 0
  form: rests
  effect: stop
"""
FIELD = """
use idle
pawn ann "Ann"
mission yard "Yard":
  map square:
    art: |
      +--+
      |a |
      +--+
    legend:
      "a": ann
"""


def idle(folder: Path, flow: str) -> Image:
    """Return a game without an end."""
    for name, text in (
        ("fcb.toml", 'name = "idle"\npaths = ["cards"]\nlanguages = ["en"]\n'),
        ("systems/idle.fcb", IDLE.replace("repeat: offer pawn, until done", flow)),
        ("cards/yard.fcb", FIELD),
    ):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    model, problems = check_project([folder])
    assert not [problem for problem in problems if problem.severity == "error"]
    return Image(lower(model))


@pytest.mark.long
def test_endless_game_is_cut_to_its_cycle(tmp_path: Path) -> None:
    """No frog can settle twice; then Ann rests again and again."""
    game = idle(tmp_path, "repeat: offer pawn, until done")
    endless = first_failure(game)
    assert len(endless.record.decisions) == MOST_DECISIONS
    shortest = shrink(game, endless)
    assert shortest.breach is not None
    assert shortest.breach.says == "After decision 2 everything is as it was before decision 2, and so on for ever."
    assert shortest.record.decisions == [0, 0]
    assert replay(game, read_record(shortest.record.to_json())).world.outcome == 0


@pytest.mark.long
def test_game_without_repeated_positions_cannot_be_shortened(tmp_path: Path) -> None:
    game = idle(tmp_path, "repeat:\n    offer pawn\n    for each pawn: pawn's age +1")
    endless = first_failure(game)
    assert shrink(game, endless) is endless


@pytest.mark.long
def test_shortest_script_replays() -> None:
    shortest = shrink(image(), first_failure(image()))
    record = read_record(shortest.record.to_json())
    assert replay(image(), record).world.fault is not None


def test_internal_error_is_finding_with_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def stumble(*_: object) -> None:
        raise ZeroDivisionError("of all things")

    monkeypatch.setattr("fcbdsl.play.soak.soak.close_record", stumble)
    course = first_failure(image())
    assert course.breach is not None
    assert course.breach.way == ("internal error", "ZeroDivisionError: of all things")
    assert "stumble" in failure_report(image(), course)


def test_script_stops_at_end_and_clamps_options() -> None:
    record = replace(random_settings(image(), 1), switches={}, players=1)
    course = follow(image(), record, Script([99]), Inspector(image()))
    assert course.record.decisions == [1]
    assert (course.breach, course.record.outcome) == (None, "open")


# ── the machine's own data ─────────────────────────────────────────────────────────────────────


def put_twice(game: Game) -> None:
    zone = next(number for number, things in enumerate(game.world.zones) if things)
    game.world.lay(zone, (*game.world.zones[zone], game.world.zones[zone][0]))


def lose_from_zone(game: Game) -> None:
    zone = next(number for number, things in enumerate(game.world.zones) if things)
    game.world.lay(zone, game.world.zones[zone][1:])


def stand_in_zone(game: Game) -> None:
    layout = image().layout
    thing = next(things[0] for things in game.world.zones if things)
    game.world.write(layout.place + thing, layout.spaces_low)


def overfill(game: Game) -> None:
    layout, mem = image().layout, game.world.mem
    hand = next(zone for zone in range(1, layout.zones) if layout.zone_owner[zone] >= 0)
    low, high = layout.range_of("trick")
    for zone in range(layout.zones):
        game.world.lay(zone, ())
    game.world.lay(hand, tuple(range(low, high)))
    for thing in range(low, high):
        mem[layout.zone + thing], mem[layout.holder + thing] = hand, layout.zone_owner[hand]


def spend_too_much(game: Game) -> None:
    set_stat(game, "energy", -1)


def overstack(game: Game) -> None:
    set_stat(game, "Wet", 2)


def set_stat(game: Game, name: str, value: int) -> None:
    layout = image().layout
    field = next(number for number, row in enumerate(image().program.fields) if row.name == name)
    game.world.write(layout.base[field] + layout.field_low[field], value)


def run_past_the_end(game: Game) -> None:
    track = image().program.tracks[0]
    game.world.write(image().layout.value + image().layout.first[track.definition], track.high + 1)


def ask_twice(game: Game) -> None:
    assert game.world.ask is not None
    game.world.ask = replace(game.world.ask, options=game.world.ask.options[:1] * 2)


def ask_nothing(game: Game) -> None:
    assert game.world.ask is not None
    game.world.ask = replace(game.world.ask, options=())


def ask_nobody(game: Game) -> None:
    assert game.world.ask is not None
    game.world.ask = replace(game.world.ask, who=9)


def deafen(game: Game) -> None:
    game.world.live = numbers([0] * len(game.world.live))


def forget_one(game: Game) -> None:
    kind = next(kind for kind in range(len(game.program.kinds)) if game.select(kind))
    game.world.selected[kind] = game.select(kind)[1:]


def mark_all(game: Game) -> None:
    field = next(number for number, row in enumerate(game.image.fields) if row.counter)
    low, high = game.layout.field_low[field], game.layout.field_high[field]
    game.world.bearers = {field: tuple(range(low, high))}


def bar_the_way(game: Game) -> None:
    game.world.crowd = bytes([1] * len(game.crowd()))


@pytest.mark.parametrize(
    ("spoil", "name"),
    [
        (put_twice, "zones"),
        (lose_from_zone, "zones"),
        (stand_in_zone, "places"),
        (overfill, "capacity"),
        (spend_too_much, "limits"),
        (overstack, "limits"),
        (run_past_the_end, "tracks"),
        (ask_twice, "options"),
        (ask_nothing, "options"),
        (ask_nobody, "asked"),
        (deafen, "saving"),
        (forget_one, "saving"),
        (mark_all, "saving"),
        (bar_the_way, "saving"),
    ],
)
def test_corrupt_world_is_noticed(spoil: Callable[[Game], None], name: str) -> None:
    game = crossing()
    assert game.run() is not None
    inspector = Inspector(image(), saves=1)
    assert inspector.look(game, game.world.ask, 0) is None
    spoil(game)
    breach = inspector.look(game, game.world.ask, 0)
    assert breach is not None
    assert breach.name == name


def test_endless_game_is_noticed() -> None:
    game = crossing()
    ask: Ask | None = game.run()
    breach = Inspector(image()).look(game, ask, MOST_DECISIONS)
    assert breach is not None
    assert breach.name == "end"
    course = Course(random_settings(image(), 1), game, breach)
    assert shrink(image(), course) is course
