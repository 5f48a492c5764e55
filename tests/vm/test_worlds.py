"""Setup; and copies, saves and identities agree at every question."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fcbdsl.machine.vm import loading, setup
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.program import Cell, Lasting, Limit, Tier, Track
from fcbdsl.machine.vm.saving import BadSave, looks_alike
from fcbdsl.machine.vm.setup import CannotStart
from fcbdsl.machine.vm.world import L_END, L_RANDOM, L_ROLL
from tests.vm.assembly import Book
from tests.vm.test_state import dice_book, table


def rich_book() -> Book:
    """Return a game that uses every sort of state: offers, batches, lasting effects, tracks, dice, zones, limits."""
    book = dice_book()
    book.event("hit", False)
    book.event("turn")
    book.event("crowd", True)
    book.event("moved", False, False, False)
    book.settings["track_moved"] = book.find("events", "moved")
    mission = book.find("definitions", "field")
    book.define("alarm", "track", owner=mission)
    book.verb("hurt", "LIT r3 -1; CHG HP r2 r3; RET", 3, "hit")
    book.verb("gather", "LLEN r3 s2; RET", 3, "crowd", (2,))
    ask = "SELECT s0 hero; LIT r4 -1; ASK r3 s0 r4 1 thing -; RET"
    step = book.code("step", ask)
    book.add("tracks", Track(book.find("definitions", "alarm"), 0, 5, ((2, step),), -1))
    book.add("tiers", Tier(0, 3, True, step, -1))
    limit = book.add("limits", Limit(book.find("events", "turn"), "player"))
    rock = book.find("definitions", "rock")
    book.listen("hit", "before", "LIT r3 4; ROLL r3 r3; RET", "definition", rock, offered=True, limit=limit)
    book.listen("hit", "after", "LIT r3 1; CHG Sad r2 r3; RET")
    lasting = book.add("lastings", Lasting(book.find("events", "turn"), 3))
    book.listen("hit", "after", "RET", "lasting", lasting, first=3)
    book.modify("HP", "add", "RETV r2", "hero", "lasting", lasting, it=3)
    book.listen("moved", "after", "RET")
    heroes = "FIRST r3 ann 1; FIRST r4 tim 1"
    place = "CELL r2 0; PLACE r3 r2; CELL r2 2; PLACE r4 r2"
    cards = "PLAYERS s3; LIT r6 0; LAT r6 s3 r6; FIRST r5 rock 1; SET_HOLDER r5 r6; FIRST r5 rock 2; SET_HOLDER r5 r6"
    deck = "ZONE r5 deck r3; FIRST r6 club 1; PUT_TOP r6 r5; FIRST r6 club 2; PUT_TOP r6 r5; SHUFFLE r5"
    last = "LIT r2 1; LNEW s0; LNEW s1; LNEW s2; LIT r7 -1; LAST 0 r7"
    gather = "LADD s0 r3; LADD s0 r4; LIT r6 2; ASKMANY s4 s0 r7 r6 thing -; DO gather (r0 r1 s4)"
    strikes = "BATCH; DO hurt (r0 r1 r3); DO hurt (r0 r1 r4); FLUSH"
    track = "FIRST r5 alarm 1; LIT r6 3; TRACK_ADD r5 r6"
    again = "LIT r9 4; ROLL r9 r9; JLTI r9 3 @end; ANNOUNCE 1 (r0 r1); JMP @top; end:; RET"
    book.flow(f"{heroes}; {place}; {cards}; {deck}; top:; {last}; {gather}; {strikes}; {track}; {again}")
    return book


IMAGE = rich_book().image()


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**64 - 1), st.lists(st.integers(0, 50), max_size=25))
def test_clone_save_load_and_replay_agree(seed: int, choices: list[int]) -> None:
    game = setup.start_game(IMAGE, "field", 2, seed)
    ask = game.run()
    for choice in choices:
        if ask is None:
            break
        before = game.digest()
        saved = json.loads(json.dumps(game.save()))
        copies = [game.clone(), loading.load_game(IMAGE, saved)]
        assert copies[1].save() == game.save()
        for copy in copies:
            assert copy.digest() == before
            copy.answer(choice % len(ask.options))
            copy.run()
        assert game.digest() == before
        game.answer(choice % len(ask.options))
        ask = game.run()
        assert {copy.digest() for copy in copies} == {game.digest()}
        assert [copy.world.live for copy in copies] == [game.world.live] * 2
        hear = [[heard.things for heard in played.world.subscribers] for played in (*copies, game)]
        assert hear[:2] == [hear[2]] * 2
    assert game.world.fault is None, game.world.fault


def play(image: Image, seed: int) -> Game:
    game = setup.start_game(image, "field", 2, seed)
    ask = game.run()
    for number in range(200):
        if ask is None:
            break
        game.answer(number % len(ask.options))
        ask = game.run()
    return game


def test_same_seed_and_choices_make_same_game() -> None:
    first, second = play(IMAGE, 3), play(rich_book().image(), 3)
    assert first.digest() == second.digest()
    assert [node.data for node in first.world.history()] == [node.data for node in second.world.history()]
    assert first.digest() != play(IMAGE, 4).digest()


def test_clones_have_own_logs() -> None:
    game = setup.start_game(IMAGE, "field", 2, 3)
    game.run()
    begun = history_of(game)
    first, second, idle = game.clone(), game.clone(), game.clone()
    for played in (first, game, second):  # the first one that continues writes into the shared memory
        played.run()
        played.note((L_RANDOM, -1, len(history_of(played))))
        played.note((L_END, 7))
    more = [(len(begun) + 1, L_RANDOM, -1, (len(begun),)), (len(begun) + 2, L_END, 7, ())]
    assert history_of(first) == history_of(game) == history_of(second) == begun + more
    game.note((L_ROLL, 2, 1, 6))
    later = game.clone()
    later.note((L_ROLL, 2, 1, 5))
    assert history_of(first) == history_of(second) == begun + more
    assert history_of(later)[:-1] == history_of(game) == [*begun, *more, (len(begun) + 3, L_ROLL, 2, (1, 6))]
    assert history_of(idle) == begun
    assert history_of(game, len(begun)) == history_of(game)[len(begun) :]


def history_of(game: Game, after: int = 0) -> list[tuple[int, int, int, tuple[int, ...]]]:
    return [(entry.number, entry.what, entry.span, entry.data) for entry in game.world.history(after)]


def test_initial_state_is_shared_and_unchanged() -> None:
    image = rich_book().image()
    first, again, other = play(image, 3), play(image, 3), setup.start_game(image, "field", 1, 3)
    assert first.digest() == again.digest() == play(IMAGE, 3).digest()
    fresh, cached = setup.start_game(rich_book().image(), "field", 1, 3), setup.start_game(image, "field", 1, 3)
    assert other.digest() == fresh.digest() == cached.digest()
    assert [started.fuel for started in (other, cached)] == [fresh.fuel] * 2
    assert [started.world.rng for started in (other, cached)] == [fresh.world.rng] * 2
    assert setup.start_game(image, "field", 1, 4).digest() != cached.digest()


def test_only_recent_initial_states_are_cached() -> None:
    image = rich_book().image()
    for switches in range(setup.MOST_OPENINGS + 3):
        image.openings[-1, -1, 0, ((0, switches),), -1] = setup.start_game(image, "field", 2, 0).world, 0
    oldest = next(iter(image.openings))
    setup.start_game(image, "field", 1, 0)
    assert oldest not in image.openings


def test_digest_depends_only_on_state() -> None:
    game = setup.start_game(IMAGE, "field", 2, 11)
    game.run()
    assert game.digest() == loading.load_game(IMAGE, game.save()).digest()
    other = game.clone()
    other.world.write(0, other.world.mem[0] + 1)
    assert other.digest() != game.digest()


def test_reseeding_changes_only_future_chance() -> None:
    game = setup.start_game(IMAGE, "field", 2, 11)
    other = game.clone()
    other.reseed(12)
    assert other.world.rng != game.world.rng
    other.world.rng = game.world.rng
    assert other.digest() == game.digest()


# ── saves that are none ────────────────────────────────────────────────────────────────────────


def saved() -> dict[str, Any]:
    game = setup.start_game(IMAGE, "field", 2, 11)
    game.run()
    data = json.loads(json.dumps(game.save()))
    assert isinstance(data, dict)
    return data


BROKEN: dict[str, Any] = {
    "format": "other",
    "program": "0",
    "mem": [0],
    "zones": [],
    "stack": [["frame", 999, 0, -1, [], [], None]],
    "effects": [[9, 1, -1, [], []]],
    "rng": ["x", "1", "2", "3"],
    "switches": [1, 2, 3],
    "board": 7,
    "mission": 1 << 40,
    "players": 9,
    "outcome": 9,
    "ask": [0, "choose", [], -1, -1, []],
    "log": [[1]],
    "verdict": [1],
    "fault": [1],
}


@pytest.mark.parametrize("name", BROKEN)
def test_damaged_save_is_refused(name: str) -> None:
    with pytest.raises(BadSave):
        loading.load_game(IMAGE, {**saved(), name: BROKEN[name]})


def test_save_of_other_shape_is_refused() -> None:
    without = saved()
    del without["used"]
    for data in ([], "x", without, {**saved(), "more": 1}):
        with pytest.raises(BadSave):
            loading.load_game(IMAGE, data)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_changed_save_is_refused_or_plays_within_limits(data: st.DataObject) -> None:
    content = saved()
    for _ in range(data.draw(st.integers(1, 3))):
        _change(content, data)
    try:
        game = loading.load_game(IMAGE, content)
    except BadSave:
        return
    ask = game.run()
    for _ in range(3):
        if ask is None:
            return
        game.answer(data.draw(st.integers(0, len(ask.options) - 1)))
        ask = game.run()


def _change(content: Any, data: st.DataObject) -> None:
    """Replace some number or list deep inside by another."""
    keys = sorted(content) if isinstance(content, dict) else range(len(content))
    key = data.draw(st.sampled_from(list(keys)))
    inner = content[key]
    if isinstance(inner, (dict, list)) and inner and data.draw(st.booleans()):
        _change(inner, data)
    else:
        content[key] = data.draw(st.one_of(st.integers(-3, 40), st.just([]), st.none(), st.just(1 << 60)))


# ── setting up ─────────────────────────────────────────────────────────────────────────────────


def test_board_is_set_up_with_pieces_and_tokens() -> None:
    book = table()
    fire = book.find("fields", "fire")
    board = book.tables["boards"][0]
    cells = (Cell("A1", 0, 0, 0, (0,), ((fire, 1),), (0, 1)), *board.cells[1:])
    book.tables["boards"][0] = type(board)(board.sort, cells, board.sides, board.links, board.areas)
    image = book.image()
    game = setup.start_game(image, "field", 1, 1)
    space = image.layout.spaces_low
    assert game.value(book.find("fields", "place"), image.layout.first[0]) == space
    assert game.value(fire, space) == 1
    assert game.value(book.find("fields", "terrain"), space) == 0


@pytest.mark.parametrize(
    ("mission", "players", "switches"),
    [("nowhere", 1, {}), ("field", 0, {}), ("field", 3, {}), ("field", 1, {"no": "x"}), ("ann", 1, {})],
)
def test_impossible_setup_is_reported(mission: str, players: int, switches: dict[str, str]) -> None:
    with pytest.raises(CannotStart):
        setup.start_game(IMAGE, mission, players, 1, switches)


def test_setup_codes_run_before_the_flow_in_order() -> None:
    book = Book()
    book.field("trace", "game")
    append = "SINGLE r3 game; STAT r4 trace r3; LIT r5 10; MUL r4 r4 r5; ADDI r4 r4 {}; SET trace r3 r4; RET"
    book.settings["setup"] = (book.code("one", append.format(1)), book.code("two", append.format(2)))
    book.flow(append.format(3))
    image = book.image()
    game = setup.start_game(image, "", 1, 1)
    assert game.run() is None
    assert game.value(0, image.layout.range_of("game")[0]) == 123
    assert game.world.outcome_name() == "draw"


def test_game_with_fault_in_setup_is_over() -> None:
    book = Book()
    book.field("x", "game", starts=((7, book.code("bad", "LIT r2 0; DIV r2 r2 r2; RETV r2")),))
    image = book.image()
    game = setup.start_game(image, "", 1, 1)
    assert game.run() is None
    assert game.world.outcome_name() == "fault"


def test_worlds_look_alike_if_queries_cannot_tell_them_apart() -> None:
    game = setup.start_game(IMAGE, "field", 2, 3)
    game.run()
    other = game.clone()
    assert looks_alike(game.world, other.world)
    other.reseed(5)
    other.note((L_RANDOM, -1, 1, 0))
    other.world.ask = None
    assert looks_alike(game.world, other.world)
    for change in (_write, _put, _mark, _flag, _pop):
        changed = other.clone()
        change(changed)
        assert not looks_alike(game.world, changed.world)
    again = other.clone()
    _write(again)
    again.world.write(0, game.world.mem[0])  # the memory is another one, with the same numbers
    assert looks_alike(game.world, again.world)


def _write(game: Game) -> None:
    game.world.write(0, game.world.mem[0] + 1)


def _put(game: Game) -> None:
    game.world.lay(1, (*game.world.zones[1], 0))


def _mark(game: Game) -> None:
    game.world.markers[7] = 1


def _flag(game: Game) -> None:
    game.world.flags ^= 1


def _pop(game: Game) -> None:
    game.world.stack.pop()
