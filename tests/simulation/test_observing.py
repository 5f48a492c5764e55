"""Observations of games agree with their logs, and are summed up in words."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from io import BytesIO

import pytest
from games import GAMES, SMALLEST_FIRST, first_few, missions, program
from pond_game import image, pond

from fcbdsl.machine.vm import setup
from fcbdsl.machine.vm import world as logged
from fcbdsl.machine.vm.image import Image
from fcbdsl.play.session.playout import play_out
from fcbdsl.play.simulation.ablation_bot import AbstainingBot, what_is_wrong
from fcbdsl.play.simulation.cell_statistics import Exchange, Tally, Waypoint, as_json, cell_summary
from fcbdsl.play.simulation.games import KeptGames, Matchup, Playout, _bots, play_once, playout_line
from fcbdsl.play.simulation.observing import Observer

CELL = Matchup("crossing", 2, bot="thumb")


@pytest.mark.long
@pytest.mark.parametrize("name", first_few(SMALLEST_FIRST, 2))
def test_observed_counts_agree_with_the_log(name: str) -> None:
    image = Image(program(name))
    cell = Matchup(missions(image.program)[0], 2, bot="thumb")
    game = setup.start_game(image, cell.mission, cell.players, 1, {})
    seen = Observer(game)
    play_out(game, _bots(cell, 1), None, seen.ask)
    seen.close()
    events = image.program.events
    history = game.world.history()
    announced = [events[node.data[0]] for node in history if node.what == logged.L_EVENT]
    assert seen.happened == Counter(row.name for row in announced if row.told >= 0)
    assert all(spaces.total() <= seen.happened[event] for event, spaces in seen.where.items())
    assert any(seen.where.values())
    moved = Counter[str]()
    for node in history:
        if node.what == logged.L_CHANGE:
            moved[image.program.fields[node.data[0]].name] += abs(node.data[4] - node.data[3])
    changes_seen = Counter[str]()
    for key, amount in (*seen.lost.items(), *seen.gained.items()):
        field, bearer, source = key.split(" ")
        changes_seen[field] += amount
        assert {bearer, source} <= {row.id for row in image.program.definitions}
    assert changes_seen <= moved
    for track, course in seen.courses.items():
        number = next(at for at, row in enumerate(image.program.tracks) if _id(image, row.definition) == track)
        assert course[-1] == game.track_value(number)
        assert max(course) <= seen.peaks.get(track, course[0])


@pytest.mark.long
def test_observations_are_written_as_json() -> None:
    image = Image(program(GAMES[0]))
    cell = Matchup(missions(image.program)[0], 2, bot="random")
    records = as_json([cell_summary(image.program, cell, Tally([play_once(image, cell, 1)]), "en")])
    (data,) = json.loads(json.dumps(records))
    assert any(sum(event["spaces"].values()) > 0 for event in data["events"])
    assert data["silent"]


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_events_have_distinct_words(name: str, language: str) -> None:
    game = program(name)
    cell = Matchup(missions(game)[0], 2)
    events = [row.name for row in game.events if row.told >= 0]
    some = Playout(1, "win", -1, (), 1, 1, happened=dict.fromkeys(events[::2], 1))
    summary = cell_summary(game, cell, Tally([some]), language)
    titles = [event.title for event in summary.events] + [*summary.silent]
    assert len(set(titles)) == len(titles) > 0


def test_cached_games_are_summed_up_like_others() -> None:
    image = Image(program(GAMES[0]))
    cell = Matchup(missions(image.program)[0], 2, bot="random")
    games = [play_once(image, cell, seed) for seed in (1, 2)]
    cached = KeptGames(
        BytesIO(b"".join(playout_line(image.program.hash, cell, game) for game in games)), image.program.hash
    )
    again = [cached[cell, game.seed] for game in games]
    first_report, told_again = (
        as_json([cell_summary(image.program, cell, Tally(some), "en")]) for some in (games, again)
    )
    assert json.dumps(first_report) == json.dumps(told_again)


def _id(image: Image, definition: int) -> str:
    return image.program.definitions[definition].id


def test_tally_sums_observations() -> None:
    first = Playout(
        1, "lose", -1, (), 9, 2,
        lost={"energy green-frog tree-frog": 3}, courses={"heron": [0, 1, 3]}, peaks={"heron": 3}, outlook=5,
        met=(0,), idle=(1, 2),
    )  # fmt: skip
    second = replace(first, seed=2, decisions=7, outlook=8, courses={"heron": [0, 2]}, peaks={"heron": 2}, met=(1,))
    won = replace(first, seed=3, outcome="win", decisions=8, outlook=99)
    summary = cell_summary(pond(), CELL, Tally([first, second, won]), "fr")
    assert summary.notable["closest"] == 2
    assert summary.courses["heron"] == (Waypoint(3, 0, 0, 0), Waypoint(3, 1, 1, 2), Waypoint(2, 3, 3, 3))
    assert summary.exchanges == (Exchange("énergie", "Grenouille verte", "Rainette", 9, 0),)
    assert len(summary.unmet) == 1
    assert "closest" not in cell_summary(pond(), CELL, Tally([won]), "en").notable


@pytest.mark.long
def test_effects_without_a_choice_are_counted_by_their_result() -> None:
    image = Image(program(GAMES[0]))
    cell = Matchup("ridge-signal", 2, bot="thumb")
    tally = Tally(play_once(image, cell, seed) for seed in range(1, 9))
    summary = cell_summary(image.program, cell, tally, "en")
    uses = {use.name: use for use in summary.uses}
    turned_up = [use for use in uses.values() if not use.uses and not use.offered and use.effects]
    assert turned_up
    assert all(0 <= use.fruitful <= use.effects for use in uses.values())
    assert any(use.fruitful > 0 for use in turned_up)
    assert all(0 < use.games <= 8 for use in turned_up)
    for met, possible in summary.content.values():
        assert 0 < met <= possible


@pytest.mark.long
@pytest.mark.parametrize("name", first_few(SMALLEST_FIRST, 2))
def test_spaces_of_moving_pieces_are_counted(name: str) -> None:
    image = Image(program(name))
    cell = Matchup(missions(image.program)[0], 2, bot="thumb")
    game = play_once(image, cell, 1)
    board = next(row.board for row in image.program.definitions if row.id == cell.mission)
    assert game.stood.keys() <= {space.name for space in image.program.boards[board].cells}
    assert sum(game.stood.values()) >= game.parts
    stood = cell_summary(image.program, cell, Tally([game, game]), "en").stood
    assert stood.keys() == cell_summary(image.program, cell, Tally([game]), "en").spaces.keys()
    assert sum(stood.values()) == 2 * sum(game.stood.values())


@pytest.mark.long
@pytest.mark.parametrize("name", first_few(SMALLEST_FIRST, 2))
def test_spaces_that_pieces_left_for_good_or_a_while_are_counted(name: str) -> None:
    image = Image(program(name))
    cell = Matchup(missions(image.program)[0], 2, bot="thumb")
    total = Counter[str]()
    for seed in (1, 2, 3):
        game = setup.start_game(image, cell.mission, cell.players, seed, {})
        seen = Observer(game)
        play_out(game, _bots(cell, seed), None, seen.ask)
        seen.close()
        at: dict[int, int] = {}
        left = Counter[str]()
        for node in game.world.history():
            if node.what == logged.L_MOVE:
                thing, space = node.data[:2]
                former = at.pop(thing, -1)
                if space >= 0:
                    at[thing] = space
                elif former >= 0:
                    cells = image.program.boards[game.world.board].cells
                    left[cells[former - game.layout.spaces_low].name] += 1
        by_space = sum((Counter(spaces) for spaces in seen.left.values()), Counter[str]())
        assert by_space <= left
        total += by_space
    assert total


def test_final_spaces_are_counted() -> None:
    """A frog alone: it moves, and the log contains its last space."""
    for seed in range(6):
        game = setup.start_game(image(), "crossing", 1, seed, {})
        seen = Observer(game)
        play_out(game, _bots(replace(CELL, players=1, bot="random"), seed), None, seen.ask)
        seen.close()
        names = image().program.boards[game.world.board].cells
        kinds = {row.name: number for number, row in enumerate(pond().kinds)}
        frogs = [
            thing for thing in range(game.layout.body)
            if game.layout.definition_of[thing] >= 0
            and pond().definitions[game.layout.definition_of[thing]].kind == kinds["frog"] and game.cell(thing) >= 0
        ]  # fmt: skip
        assert frogs
        assert all(seen.stood[names[game.cell(thing)].name] > 0 for thing in frogs) or not seen.stood


@pytest.mark.long
@pytest.mark.parametrize("name", first_few(SMALLEST_FIRST, 2))
def test_used_effects_are_not_idle(name: str) -> None:
    image = Image(program(name))
    cell = Matchup(missions(image.program)[0], 2, bot="thumb")
    games = [play_once(image, cell, seed) for seed in (1, 2)]
    for game in games:
        assert game.effects
        assert not {f"card {_id(image, number)}" for number in game.idle} & game.effects.keys()


def test_effects_without_a_change_are_counted_separately() -> None:
    games = [play_once(image(), replace(CELL, bot="random"), seed) for seed in range(40)]
    effects, fruitful = (sum(counts_of_card["card puddle"] for counts_of_card in map(Counter, counts)) for counts in (
        [game.effects for game in games], [game.fruitful for game in games],
    ))  # fmt: skip
    assert effects > fruitful > 0
    assert effects == sum(Counter(game.used)["card puddle"] for game in games)


def test_ablation_bot_avoids_name() -> None:
    games = [play_once(image(), replace(CELL, bot="random", without="hop"), seed) for seed in range(6)]
    assert all("action hop" not in game.used for game in games)
    assert any("action hop" in play_once(image(), replace(CELL, bot="random"), seed).used for seed in range(6))
    tricks = [play_once(image(), replace(CELL, bot="random", without="puddle"), seed).used for seed in range(12)]
    assert any("card gift" in used for used in tricks)
    assert all("card puddle" not in used for used in tricks)


def test_ablation_bot_takes_only_option() -> None:
    game = setup.start_game(image(), "crossing", 1, 1, {})
    ask = game.run()
    assert ask is not None
    only = replace(ask, options=((logged.ACTION, 0, 0, -1),))
    name = pond().actions[0].name
    assert AbstainingBot(_bots(CELL, 1)[0], name).choose(game, only) == 0


def test_ablation_that_no_bot_can_play_is_refused_with_the_reason() -> None:
    assert "'hopp'" in what_is_wrong(pond(), "hopp", "thumb")
    assert "sensible can't" in what_is_wrong(pond(), "hop", "sensible")
    assert not what_is_wrong(pond(), "puddle", "random")
