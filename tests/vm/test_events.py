"""The course of an event: order, change, cancel, replace, offers, batches, lasting effects.

A stat `trace` of the game collects digits: each listener appends its own, so that the order shows.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from fcbdsl.machine.vm import loading, setup
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.op_tracing import Marks
from fcbdsl.machine.vm.program import Lasting, Limit
from fcbdsl.machine.vm.saving import BadSave
from tests.vm.assembly import Book

# Append digit r2 to the trace.
APPEND = "SINGLE r3 game; STAT r4 trace r3; LIT r5 10; MUL r4 r4 r5; ADD r4 r4 r2; SET trace r3 r4; RET"


def book_with_event() -> Book:
    """Return a game with an event `hit` (parameters: who, how much) whose verb `strike` appends 5."""
    book = Book()
    book.field("trace", "game")
    book.field("HP", "piece", empty=9)
    book.define("ann")
    book.define("bob")
    hit = book.event("hit", False, False)
    book.tables["events"][hit] = replace(book.tables["events"][hit], tags=("thing", "number"))
    book.event("turn")
    book.code("append", APPEND, 3)
    book.verb("strike", "LIT r4 5; CALL append (r0 r1 r4); NEG r4 r3; CHG HP r2 r4; RET", 4, "hit")
    book.verb("pass", "RET", 2, "turn")
    book.settings["flow"] = book.code(
        "flow", "FIRST r2 ann 1; LIT r3 2; DO strike (r0 r1 r2 r3); LIT r4 6; CALL append (r0 r1 r4); RET"
    )
    return book


def digit(number: int) -> str:
    """Return a listener body that appends a digit (hit has parameters in r2, r3)."""
    return f"LIT r4 {number}; CALL append (r0 r1 r4); RET"


def play(book: Book, *choices: int) -> Game:
    """Play to the end or to the question after these choices."""
    image = book.image()
    game = setup.start_game(image, "", 2, 7)
    game.run()
    for choice in choices:
        game.answer(choice)
        game.run()
    assert game.world.fault is None, game.world.fault
    return game


def trace(game: Game) -> int:
    return game.value(0, game.layout.range_of("game")[0])


def hp(game: Game, name: int) -> int:
    return game.value(1, game.layout.first[name])


def test_event_without_listeners_is_its_body() -> None:
    game = play(book_with_event())
    assert trace(game) == 56
    assert hp(game, 0) == 7


def test_listeners_run_in_order_of_declaration() -> None:
    book = book_with_event()
    for timing, number in (("after", 7), ("before", 1), ("after", 8), ("before", 2)):
        book.listen("hit", timing, digit(number))
    assert trace(play(book)) == 125786


def test_instead_replaces_body_once() -> None:
    book = book_with_event()
    book.listen("hit", "instead", digit(3))
    book.listen("hit", "instead", digit(4))
    book.listen("hit", "before", digit(1))
    book.listen("hit", "after", digit(7))
    game = play(book)
    assert trace(game) == 136
    assert hp(game, 0) == 9


def test_cancel_stops_event() -> None:
    book = book_with_event()
    book.listen("hit", "before", "CANCEL; " + digit(1))
    book.listen("hit", "before", digit(2))
    book.listen("hit", "after", digit(7))
    game = play(book)
    assert trace(game) == 16
    assert hp(game, 0) == 9


def test_before_listeners_change_parameters() -> None:
    book = book_with_event()
    book.listen("hit", "before", "FIRST r4 bob 1; SETP 0 r4; LIT r4 4; SETP 1 r4; RET")
    book.listen("hit", "after", digit(7), condition="EQI r4 r3 4; RETV r4")
    game = play(book)
    assert (hp(game, 0), hp(game, 1)) == (9, 5)
    assert trace(game) == 576


def test_lists_can_be_parameters() -> None:
    book = book_with_event()
    book.event("crowd", True)
    book.verb("gather", "LLEN r3 s2; CALL append (r0 r1 r3); RET", 3, "crowd", (2,))
    book.listen("crowd", "before", "LNEW s3; LADD s3 r0; SETPS 0 s3; RET")
    book.listen("crowd", "after", "LLEN r3 s2; ADDI r3 r3 3; CALL append (r0 r1 r3); RET")
    book.flow("LNEW s2; LADD s2 r0; LADD s2 r1; DO gather (r0 r1 s2); RET")
    assert trace(play(book)) == 14


def test_unmet_requirement_means_event_did_not_happen() -> None:
    book = book_with_event()
    book.verb("try", "LIT r4 0; REQUIRE r4; RET", 4, "hit")
    book.listen("hit", "after", digit(7))
    book.flow("LIT r2 -1; LIT r3 0; DO try (r0 r1 r2 r3); RET")
    assert trace(play(book)) == 0


def test_things_listen_while_in_play() -> None:
    book = book_with_event()
    ann = book.find("definitions", "ann")
    book.listen("hit", "after", digit(7), "definition", ann)
    book.board(["..."])
    book.define("field", "mission", board=0)
    book.flow(
        "CELL r2 0; FIRST r3 ann 1; LIT r4 0; DO strike (r0 r1 r3 r4); PLACE r3 r2; DO strike (r0 r1 r3 r4);"
        "FIRST r5 bob 1; REMOVE r3; DO strike (r0 r1 r5 r4); RET"
    )
    image = book.image()
    game = setup.start_game(image, "field", 1, 7)
    game.run()
    assert game.world.fault is None
    assert trace(game) == 5575


def test_thing_that_leaves_play_still_reacts_to_that_event() -> None:
    book = book_with_event()
    book.verb("slay", "REMOVE r2; RET", 4, "hit")
    book.listen("hit", "after", digit(7), "kind", book.find("kinds", "piece"))
    book.board([".."])
    book.define("field", "mission", board=0)
    book.flow("CELL r2 0; FIRST r3 ann 1; PLACE r3 r2; LIT r4 0; DO slay (r0 r1 r3 r4); RET")
    image = book.image()
    game = setup.start_game(image, "field", 1, 7)
    game.run()
    assert trace(game) == 7


def test_listener_condition_reads_self_and_parameters() -> None:
    book = book_with_event()
    book.listen("hit", "after", digit(7), "kind", book.find("kinds", "piece"), condition="EQ r4 r0 r2; RETV r4")
    book.board(["..."])
    book.define("field", "mission", board=0)
    book.flow(
        "CELL r2 0; FIRST r3 ann 1; PLACE r3 r2; CELL r2 1; FIRST r5 bob 1; PLACE r5 r2;"
        "LIT r4 0; DO strike (r0 r1 r3 r4); RET"
    )
    image = book.image()
    game = setup.start_game(image, "field", 1, 7)
    game.run()
    assert trace(game) == 57


def test_markers_listen_for_bearer_in_play() -> None:
    book = book_with_event()
    book.field("Hurt", "piece", "status", limit=1)
    book.listen("turn", "after", "LIT r2 8; CALL append (r0 r1 r2); RET", "counter", book.find("fields", "Hurt"))
    marked = (
        "DO pass (r0 r1); FIRST r2 bob 1; LIT r3 1; CHG Hurt r2 r3; DO pass (r0 r1);"
        "LIT r3 0; SET Hurt r2 r3; DO pass (r0 r1); RET"
    )
    book.flow(f"PLAYERS s2; LIT r6 0; LAT r7 s2 r6; FIRST r2 bob 1; SET_HOLDER r2 r7; {marked}")
    assert trace(play(book)) == 8
    book.flow(marked)  # bob is in the box
    assert trace(play(book)) == 0


def test_batch_is_heard_as_a_whole() -> None:
    book = book_with_event()
    book.listen("hit", "after", digit(7))
    twice = "LIT r3 0; FIRST r2 ann 1; DO strike (r0 r1 r2 r3); FIRST r2 bob 1; DO strike (r0 r1 r2 r3)"
    book.flow(f"BATCH; {twice}; FLUSH; LIT r4 6; CALL append (r0 r1 r4); RET")
    assert trace(play(book)) == 55776
    book.flow(f"BATCH; {twice}; RET")
    assert trace(play(book)) == 5577


def test_nested_events_are_bounded() -> None:
    book = book_with_event()
    book.verb("echo", "RET", 4, "hit")
    book.listen("hit", "after", "DO echo (r0 r1 r2 r3); RET")
    image = book.image()
    game = setup.start_game(image, "", 1, 7)
    assert game.run() is None
    assert game.world.fault is not None
    assert "run each other without end" in game.world.fault.reason


# ── limits and offers ──────────────────────────────────────────────────────────────────────────


def test_limit_holds_until_its_event() -> None:
    book = book_with_event()
    limit = book.add("limits", Limit(book.find("events", "turn"), "game"))
    book.listen("hit", "after", digit(7), limit=limit)
    strike = "DO strike (r0 r1 r2 r3)"
    book.flow(f"FIRST r2 ann 1; LIT r3 0; {strike}; {strike}; DO pass (r0 r1); {strike}; RET")
    assert trace(play(book)) == 57557


def offered_book() -> Book:
    """Return a game with two cards `shield` in the hands of players 0 and 1; each may answer before a hit."""
    book = book_with_event()
    book.define("shield", "card", copies=3)
    card = book.find("definitions", "shield")
    spends = book.code("spends", "REMOVE r1; RET")
    book.listen("hit", "before", digit(1), "definition", card, offered=True, spends=spends)
    book.listen("hit", "after", digit(7))
    book.field("number", "player", "builtin")
    book.flow(
        "PLAYERS s2; LIT r6 0; LAT r7 s2 r6; LIT r6 1; LAT r8 s2 r6; FIRST r2 shield 1; SET_HOLDER r2 r7;"
        "FIRST r2 shield 2; SET_HOLDER r2 r8; FIRST r2 ann 1; LIT r3 0; DO strike (r0 r1 r2 r3); RET"
    )
    return book


def test_offered_listeners_ask_players_in_turn() -> None:
    game = play(offered_book())
    assert game.world.ask is not None
    assert (game.world.ask.who, game.world.ask.kind, len(game.world.ask.options)) == (0, "react", 2)
    game = play(offered_book(), 1)
    assert game.world.ask is not None
    assert game.world.ask.who == 1
    assert trace(play(offered_book(), 1, 1)) == 57
    assert trace(play(offered_book(), 0, 1)) == 157
    assert trace(play(offered_book(), 0, 0)) == 1157


def test_unusable_offer_asks_no_player() -> None:
    for column in ("guard", "usable"):
        book = offered_book()
        row = book.tables["listeners"][0]
        code = book.code("never", "LIT r4 0; RETV r4", 4 if column == "guard" else 2)
        book.tables["listeners"][0] = replace(row, **{column: code})
        assert trace(play(book)) == 57


def test_offer_is_taken_once_per_event() -> None:
    book = offered_book()
    book.tables["listeners"][0] = replace(book.tables["listeners"][0], spends=-1)
    assert trace(play(book, 0, 0)) == 1157


def test_reaction_to_reaction_comes_first() -> None:
    book = offered_book()
    book.tables["listeners"].clear()
    card = book.find("definitions", "shield")
    spends = book.find("codes", "spends")
    body = "LIT r4 1; CALL append (r0 r1 r4); FIRST r2 bob 1; DO strike (r0 r1 r2 r3); RET"
    book.listen("hit", "before", body, "definition", card, offered=True, spends=spends)
    game = play(book, 0)
    assert game.world.ask is not None
    assert game.world.ask.who == 1  # asked inside the event that player 0's answer set off
    assert trace(play(book, 0, 0)) == 11555


# ── lasting effects ────────────────────────────────────────────────────────────────────────────


def lasting_book(subject: str) -> Book:
    """Return a game in which until `turn` each hit appends the number captured in r2 (3); the effect begins with a
    subject."""
    book = book_with_event()
    lasting = book.add("lastings", Lasting(book.find("events", "turn"), 3))
    body = "CALL append (r0 r1 r2); RET"
    book.listen("hit", "after", body, "lasting", lasting, first=3)
    strike = "LIT r4 0; FIRST r3 ann 1; DO strike (r0 r1 r3 r4)"
    book.flow(
        f"LIT r2 3; LNEW s0; LNEW s1; LNEW s2; {subject}; LAST {lasting} r3; LIT r2 4; {strike};"
        f"DO pass (r0 r1); {strike}; RET"
    )
    return book


def test_lasting_effect_keeps_values_and_ends_with_event() -> None:
    assert trace(play(lasting_book("LIT r3 -1"))) == 535
    game = play(lasting_book("LIT r3 -1"))
    assert game.world.effects == []


def test_lasting_effect_with_subject_ends_only_for_it() -> None:
    start = "LIT r2 3; LNEW s0; LNEW s1; LNEW s2; FIRST r3 ann 1; LAST 0 r3; LIT r4 0; FIRST r5 bob 1"
    strike = "DO strike (r0 r1 r5 r4)"
    for who, expected in (("r5", 5353), ("r3", 535)):
        book = book_with_event()
        book.event("turn of", False)
        lasting = book.add("lastings", Lasting(book.find("events", "turn of"), 3))
        book.listen("hit", "after", "CALL append (r0 r1 r2); RET", "lasting", lasting, first=3)
        book.flow(f"{start}; {strike}; ANNOUNCE 2 (r0 r1 {who}); {strike}; RET")
        assert trace(play(book)) == expected


def test_modifiers_of_lasting_effect_hold_until_end() -> None:
    book = book_with_event()
    lasting = book.add("lastings", Lasting(book.find("events", "turn"), 3))
    book.modify("HP", "add", "RETV r2", scope="lasting", owner=lasting, it=3, where="EQ r4 r3 r0; RETV r4")
    book.flow("RET")
    effect = "LIT r2 4; LNEW s0; LNEW s1; LNEW s2; LIT r3 -1; LAST 0 r3; RET"
    begin = book.code("begin", effect)
    turn = book.code("turn", "DO pass (r0 r1); RET")
    image = book.image()
    game = setup.start_game(image, "", 1, 7, flow=False)
    ann, bob = image.layout.first[0], image.layout.first[1]
    game.begin(begin, ann, -1)
    game.run()
    assert (game.value(1, ann), game.value(1, bob)) == (13, 9)
    game.begin(turn, -1, -1)
    game.run()
    assert game.value(1, ann) == 9


@pytest.mark.parametrize(("first", "outcome"), [("1", "lose"), ("2", "lose")])
def test_loss_precedes_win_in_same_event(first: str, outcome: str) -> None:
    book = book_with_event()
    second = {"1": "2", "2": "1"}[first]
    for number in (first, second):
        book.listen("hit", "after", f"LIT r4 -1; END {number} r4 -; ")
    assert play(book).world.outcome_name() == outcome


def test_win_waits_for_its_event() -> None:
    book = book_with_event()
    book.listen("hit", "after", "LIT r4 -1; END 1 r4 -")
    book.listen("hit", "after", digit(7))
    game = play(book)
    assert game.world.outcome_name() == "win"
    assert trace(game) == 57


def book_with_an_end(number: int) -> Book:
    """Return a game whose flow ends it inside a verb with listeners; the rest of both must not run."""
    book = book_with_event()
    book.event("won", False)
    book.event("lost", False)
    book.settings["won"], book.settings["lost"] = book.find("events", "won"), book.find("events", "lost")
    book.listen("hit", "before", f"LIT r4 -1; END {number} r4 -; ")
    book.listen("hit", "after", digit(9))
    return book


@pytest.mark.parametrize(("number", "name", "expected"), [(1, "win", 596), (2, "lose", 8), (3, "draw", 59)])
def test_end_of_a_game_is_announced_before_it_ends(number: int, name: str, expected: int) -> None:
    """A win or draw waits for its event (body 5, after-listener 9), a loss does not; the flow does not go on."""
    book = book_with_an_end(number)
    book.listen("won", "after", "LIT r3 6; CALL append (r0 r1 r3); RET")
    book.listen("lost", "after", "LIT r3 8; CALL append (r0 r1 r3); RET")
    game = play(book)
    assert (game.world.outcome_name(), trace(game)) == (name, expected)
    assert not game.world.stack


def test_announcement_of_the_end_cannot_change_it() -> None:
    book = book_with_an_end(2)
    book.listen("lost", "after", "LIT r3 8; CALL append (r0 r1 r3); LIT r3 -1; END 1 r3 -; ")
    book.listen("lost", "after", "LIT r3 7; CALL append (r0 r1 r3); RET")
    game = play(book)
    assert (game.world.outcome_name(), trace(game)) == ("lose", 87)


def test_questions_and_saves_are_possible_at_end() -> None:
    book = book_with_an_end(2)
    book.listen("lost", "after", "LIT r3 8; CALL append (r0 r1 r3); RET", offered=True)
    game = play(book)
    assert game.world.outcome_name() == "open"
    assert game.world.ask is not None
    again = loading.load_game(game.image, game.save())
    again.answer(0)
    again.run()
    assert (again.world.outcome_name(), trace(again)) == ("lose", 8)


def test_save_at_end_without_result_is_refused() -> None:
    book = book_with_an_end(2)
    book.listen("lost", "after", "LIT r3 8; CALL append (r0 r1 r3); RET", offered=True)
    game = play(book)
    saved = game.save()
    assert isinstance(saved, dict)
    with pytest.raises(BadSave, match="verdict"):
        loading.load_game(game.image, {**saved, "verdict": []})


# ── whether something was done ─────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("watched", [False, True])
@pytest.mark.parametrize(
    ("does", "listener", "done"),
    [
        ("DO strike (r0 r1 r2 r3)", "", 1),
        ("DO strike (r0 r1 r2 r3)", "after", 1),
        ("DO strike (r0 r1 r2 r3)", "cancel", 0),
        ("DO strike (r0 r1 r2 r3)", "instead", 0),
        ("DO try (r0 r1 r2 r3)", "", 0),
        ("DO try (r0 r1 r2 r3)", "after", 0),
        ("CALL fail (r0 r1)", "", 0),
        ("CALL fine (r0 r1)", "", 1),
        ("LIT r4 -1; PERFORM r4", "", 0),
        ("ANNOUNCE hit (r0 r1 r2 r3)", "", 1),
        ("ANNOUNCE hit (r0 r1 r2 r3)", "after", 1),
        ("ANNOUNCE hit (r0 r1 r2 r3)", "cancel", 0),
    ],
)
def test_op_reads_whether_previous_verb_was_done(does: str, listener: str, done: int, watched: bool) -> None:
    """A failed requirement further inside, in a code that reaches its end, does not count."""
    book = book_with_event()
    book.code("fail", "LIT r2 0; REQUIRE r2; RET", 2)
    book.code("fine", "CALL fail (r0 r1); RET", 2)
    book.verb("try", "LIT r4 0; REQUIRE r4; RET", 4, "hit")
    if listener:
        timing = {"cancel": "before"}.get(listener, listener)
        book.listen("hit", timing, "CANCEL; RET" if listener == "cancel" else "RET")
    out = "MET r5; SINGLE r6 game; SET trace r6 r5; RET"
    book.settings["flow"] = book.code("asks", f"FIRST r2 ann 1; LIT r3 2; {does}; {out}")
    program = book.program()
    game = setup.start_game(Image(program, Marks(program) if watched else None), "", 2, 7)
    game.run()
    assert game.world.fault is None
    assert trace(game) == done
