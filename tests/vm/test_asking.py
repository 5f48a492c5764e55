"""Questions: the asked player, and the effect of an answer."""

from __future__ import annotations

import pytest

from fcbdsl.machine.vm import changes, setup
from fcbdsl.machine.vm.game import MOST_LOG, Game
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.program import Action, Limit
from fcbdsl.machine.vm.world import ACTION, DONE, LABEL, NONE, OPENING, RANDOM_ASKED, SINGLES_ASKED, THING, Ask
from tests.vm.assembly import Book


def begun(text: str, first: str = "") -> tuple[Image, Game]:
    """Return a game with a flow that stores its answers in the stats `got` and `count` of the game."""
    book = Book()
    book.field("got", "game", empty=-9)
    book.field("controller", "thing", "builtin", empty=-1)
    book.define("ann")
    book.define("bob")
    book.add("texts", {"en": "Left"})
    book.add("texts", {"en": "Right"})
    book.add("labels", (0, 1, -1))
    if first:
        book.settings["setup"] = (book.code("setup", first),)
    book.flow(text)
    image = book.image()
    return image, setup.start_game(image, "", 2, 7)


def asked(text: str, flags: int = 0, first: str = "") -> tuple[Game, Ask | None]:
    """Run such a flow as if an action had been offered before."""
    _, game = begun(text, first)
    game.world.flags &= ~OPENING
    game.script((), flags)
    ask = game.run()
    assert game.world.fault is None, game.world.fault
    return game, ask


def got(game: Game) -> int:
    return game.value(0, game.layout.range_of("game")[0])


ITEMS = "LNEW s2; LIT r2 3; LADD s2 r2; LIT r2 5; LADD s2 r2; LIT r3 -1"
KEEP = "SINGLE r8 game; SET got r8 r4; RET"


def test_choice_binds_element() -> None:
    game, ask = asked(f"{ITEMS}; ASK r4 s2 r3 0 thing -; {KEEP}")
    assert ask == Ask(-1, "choose", ((THING, 3), (THING, 5)))
    game.answer(1)
    assert game.run() is None
    assert got(game) == 5


def full_log(game: Game) -> None:
    """Fill the log of a game up to its limit."""
    game.world.happened = MOST_LOG


def test_answer_that_fills_log_is_fault() -> None:
    game, ask = asked(f"{ITEMS}; ASK r4 s2 r3 0 thing -; {KEEP}")
    assert ask is not None
    full_log(game)
    game.answer(1)
    assert game.run() is None
    assert game.world.fault is not None
    assert game.world.fault.reason == "too much has happened in this game"
    assert game.image.code(game.world.fault.code)[game.world.fault.pc].name == "ASK"


def test_game_with_full_log_is_fault() -> None:
    game, ask = asked(f"{ITEMS}; ASK r4 s2 r3 0 thing -; RET")
    assert ask is not None
    game.answer(1)
    full_log(game)
    assert game.run() is None
    assert game.world.fault is not None


def test_optional_choice_can_be_declined() -> None:
    game, ask = asked(f"{ITEMS}; ASK r4 s2 r3 1 number 0; {KEEP}")
    assert ask is not None
    assert (ask.options[2], ask.why) == ((NONE,), 0)
    game.answer(2)
    game.run()
    assert got(game) == -1


def test_single_mandatory_option_is_not_asked() -> None:
    text = f"LNEW s2; LIT r2 3; LADD s2 r2; LIT r3 -1; ASK r4 s2 r3 0 number -; {KEEP}"
    game, ask = asked(text)
    assert (ask, got(game)) == (None, 3)
    assert asked(text, SINGLES_ASKED)[1] is not None


def test_choice_without_options_ends_effect_unless_optional() -> None:
    for flags, expected in ((0, -9), (1, -1)):
        game, ask = asked(f"LNEW s2; LIT r3 -1; ASK r4 s2 r3 {flags} number -; {KEEP}")
        assert (ask, got(game)) == (None, expected)


NOTHING = "LNEW s2; LIT r3 -1; ASK r4 s2 r3 0 number -"
NO_OPTION = "LNEW s2; LIT r3 -1; ASKOPT r4 s2 r3 0 0"


@pytest.mark.parametrize("choice", [NOTHING, NO_OPTION])
def test_choice_without_options_is_fault_during_setup(choice: str) -> None:
    for flow, first in ((f"{choice}; RET", ""), ("RET", f"{choice}; RET")):
        image, game = begun(flow, first)
        assert game.run() is None
        assert game.world.fault is not None
        assert "nothing is there to choose from" in game.world.fault.reason
        assert f"; {image.code(game.world.fault.code)[game.world.fault.pc].name} " in choice
    image, game = begun(f"LNEW s3; LIT r5 -1; OFFER s3 r5 @on; on:; {choice}; RET")
    game.run()
    assert game.world.fault is None
    image, game = begun(f"{choice.replace(' 0 number', ' 1 number').replace(' 0 0', ' 1 0')}; {KEEP}")
    game.run()
    assert (game.world.fault, got(game)) == (None, -1)


def test_random_choice_asks_only_when_scripted() -> None:
    game, ask = asked(f"{ITEMS}; ASK r4 s2 r3 2 number -; {KEEP}")
    assert ask is None
    assert got(game) in (3, 5)
    assert game.world.reveals == 1
    assert asked(f"{ITEMS}; ASK r4 s2 r3 2 number -; {KEEP}", RANDOM_ASKED)[1] is not None


def test_several_elements_are_chosen_one_by_one() -> None:
    text = f"{ITEMS}; LIT r5 2; ASKMANY s3 s2 r3 r5 number -; LLEN r4 s3; {KEEP}"
    game, ask = asked(text)
    assert ask is not None
    assert ask.options[-1] == (DONE,)
    game.answer(1)
    second = game.run()
    assert second is not None
    assert second.picked == (5,)
    assert len(second.options) == 2
    rest = game.clone()
    game.answer(0)
    assert game.run() is None
    assert got(game) == 2
    rest.answer(1)
    rest.run()
    assert got(rest) == 1


def test_options_have_labels_and_stable_numbers() -> None:
    text = f"LNEW s2; LIT r2 2; LADD s2 r2; LIT r2 1; LADD s2 r2; LIT r3 -1; ASKOPT r4 s2 r3 1 0; {KEEP}"
    game, ask = asked(text)
    assert ask is not None
    assert ask.options == ((LABEL, -1, 2), (LABEL, 1, 1), (NONE,))
    for choice, expected in ((0, 2), (1, 1), (2, -1)):
        clone = game.clone()
        clone.answer(choice)
        clone.run()
        assert got(clone) == expected


def test_single_option_is_taken_and_none_gives_nothing() -> None:
    for options, expected in (("LIT r2 1; LADD s2 r2", 1), ("LIT r2 1", -1)):
        game, ask = asked(f"LNEW s2; {options}; LIT r3 -1; ASKOPT r4 s2 r3 0 0; {KEEP}")
        assert (ask, got(game)) == (None, expected)


@pytest.mark.parametrize(
    ("by", "who"),
    [
        ("PLAYERS s4; LIT r3 1; LAT r3 s4 r3", 1),
        ("FIRST r3 ann 1; PLAYERS s4; LIT r5 0; LAT r5 s4 r5; SET controller r3 r5", 0),
        ("FIRST r3 bob 1", -1),
    ],
)
def test_controller_is_asked(by: str, who: int) -> None:
    ask = asked(f"{ITEMS}; {by}; ASK r4 s2 r3 0 thing -; RET")[1]
    assert ask is not None
    assert ask.who == who


def test_answer_needs_existing_option() -> None:
    game, _ = asked(f"{ITEMS}; ASK r4 s2 r3 0 thing -; RET")
    for index in (-1, 2):
        with pytest.raises(IndexError):
            game.answer(index)
    game.answer(0)
    game.run()
    with pytest.raises(IndexError):
        game.answer(0)


# ── actions ────────────────────────────────────────────────────────────────────────────────────


def actions(once: int = 0, limit: str = "") -> Book:
    """Return a game in which Ann and Bob may `step` while they have MP, and `greet` each other; both write digits."""
    book = Book()
    book.field("MP", "piece", empty=2)
    book.field("trace", "game")
    book.define("ann")
    book.define("bob")
    book.code(
        "append", ("SINGLE r3 game; STAT r4 trace r3; LIT r5 10; MUL r4 r4 r5; ADD r4 r4 r2; SET trace r3 r4; RET"), 3
    )
    book.event("acted", False)
    book.event("turn")
    book.settings["acted"] = 0
    book.listen("acted", "after", "LIT r3 9; CALL append (r0 r1 r3); RET")
    step = book.code("step", "LIT r2 -1; CHG MP r0 r2; LIT r2 1; CALL append (r0 r1 r2); RET")
    greet = book.code("greet", "LIT r2 2; CALL append (r0 r1 r2); RET")
    number = book.add("limits", Limit(1, limit)) if limit else -1
    book.add("actions", Action("step", step))
    book.add("actions", Action("greet", greet, limit=number))
    others = "SELECT s1 piece; LDROP s1 r0; LIT r4 -1; next:; ITER s1 r4 r3 @done"
    if limit:
        others += f"; FREE r5 {number} r0 r3; JF r5 @next"
    book.settings["offers"] = book.code(
        "offers",
        "LNEW s0; STAT r2 MP r0; JLEI r2 0 @still; LIT r3 -1; OFFERED s0 step r3; still:; "
        f"FIRST r2 ann 1; JNE r0 r2 @done; {others}; OFFERED s0 greet r3; JMP @next; done:; RETS s0",
    )
    book.board(["..."])
    book.define("field", "mission", board=0)
    place = "CELL r2 0; FIRST r3 ann 1; PLACE r3 r2; CELL r2 1; FIRST r4 bob 1; PLACE r4 r2"
    again = "" if once else "JMP @again; "
    book.flow(f"{place}; LNEW s2; LADD s2 r3; LADD s2 r4; LIT r5 -1; again:; OFFER s2 r5 @done; {again}done:; RET")
    return book


def test_action_beyond_log_size_is_fault() -> None:
    image = actions().image()
    game = setup.start_game(image, "field", 1, 7)
    assert game.run() is not None
    option = game.actions((image.layout.first[0],))[0]
    game.world.ask = None
    full_log(game)
    game.begin_action(option)
    assert game.run() is None
    assert game.world.fault is not None


def test_actions_are_offered_until_done() -> None:
    image = actions().image()
    game = setup.start_game(image, "field", 1, 7)
    ask = game.run()
    assert ask is not None
    ann, bob = image.layout.first[0], image.layout.first[1]
    assert ask.options == ((ACTION, 0, ann, -1), (ACTION, 1, ann, bob), (ACTION, 0, bob, -1), (DONE,))
    for choice in (0, 1, 0):
        game.answer(choice)
        ask = game.run()
    assert ask is not None
    assert [option[1:3] for option in ask.options[:-1]] == [(1, ann), (0, bob)]
    assert game.value(1, image.layout.range_of("game")[0]) == 192919
    game.answer(len(ask.options) - 1)
    assert game.run() is None
    assert game.world.outcome_name() == "draw"


def test_single_action_ends_offer() -> None:
    image = actions(once=1).image()
    game = setup.start_game(image, "field", 1, 7)
    game.run()
    game.answer(1)
    assert game.run() is None


@pytest.mark.parametrize("per", ["figure", "game", "instance", "player"])
def test_limited_action_is_offered_once(per: str) -> None:
    image = actions(limit=per).image()
    game = setup.start_game(image, "field", 1, 7)
    game.run()
    game.answer(1)
    ask = game.run()
    assert ask is not None
    assert all(option[1] == 0 for option in ask.options[:-1])


def test_actions_can_be_listed_and_started_by_caller() -> None:
    image = actions().image()
    game = setup.start_game(image, "field", 1, 7, flow=False)
    ann = image.layout.first[0]
    assert game.actions((ann,)) == []  # she is in the box
    changes.place_thing(game, ann, image.layout.spaces_low, -1)
    assert game.actions((ann,)) == [(ACTION, 0, ann, -1)]
    game.begin_action((ACTION, 0, ann, -1))
    assert game.run() is None
    assert not game.world.outcome
    assert game.value(0, ann) == 1
