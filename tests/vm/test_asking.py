"""Questions: who is asked what, and what an answer does."""

from __future__ import annotations

import pytest

from fcbdsl.vm.machine import MOST_LOG, Machine
from fcbdsl.vm.program import Action, Limit
from fcbdsl.vm.world import (
    ACTION,
    DONE,
    L_EVENT,
    LABEL,
    NONE,
    OPENING,
    RANDOM_ASKED,
    SINGLES_ASKED,
    THING,
    Ask,
    LogNode,
    World,
)
from tests.vm.assembly import Book


def begun(text: str, setup: str = "") -> tuple[Machine, World]:
    """A game with a flow that keeps what it was answered in the stats `got` and `count` of the game."""
    book = Book()
    book.field("got", "game", empty=-9)
    book.field("controller", "thing", "builtin", empty=-1)
    book.define("ann")
    book.define("bob")
    book.add("texts", {"en": "Left"})
    book.add("texts", {"en": "Right"})
    book.add("labels", (0, 1, -1))
    if setup:
        book.settings["setup"] = (book.code("setup", setup),)
    book.flow(text)
    machine = book.machine()
    return machine, machine.start("", 2, 7)


def game(text: str, flags: int = 0, setup: str = "") -> tuple[Machine, World, Ask | None]:
    """Run such a flow as if an action had been offered before."""
    machine, world = begun(text, setup)
    world.flags &= ~OPENING
    machine.script(world, (), flags)
    ask = machine.run(world)
    assert world.fault is None, world.fault
    return machine, world, ask


def got(machine: Machine, world: World) -> int:
    return machine.value(world, 0, machine.layout.range_of("game")[0])


ITEMS = "LNEW s2; LIT r2 3; LADD s2 r2; LIT r2 5; LADD s2 r2; LIT r3 -1"
KEEP = "SINGLE r8 game; SET got r8 r4; RET"


def test_a_choice_binds_an_element() -> None:
    machine, world, ask = game(f"{ITEMS}; ASK r4 s2 r3 0 thing -; {KEEP}")
    assert ask == Ask(-1, "choose", ((THING, 3), (THING, 5)))
    machine.answer(world, 1)
    assert machine.run(world) is None
    assert got(machine, world) == 5


def full_log(world: World) -> None:
    """As after a game in which as much has happened as a log can hold."""
    node = LogNode(world.log, L_EVENT, -1, ())
    node.number = MOST_LOG
    world.log = node


def test_an_answer_that_fills_the_log_is_a_fault_at_its_question() -> None:
    machine, world, ask = game(f"{ITEMS}; ASK r4 s2 r3 0 thing -; {KEEP}")
    assert ask is not None
    full_log(world)
    machine.answer(world, 1)
    assert machine.run(world) is None
    assert world.fault is not None
    assert world.fault.reason == "too much has happened in this game"
    assert machine.code(world.fault.code)[world.fault.pc].name == "ASK"


def test_a_game_that_ends_with_a_full_log_is_a_fault() -> None:
    machine, world, ask = game(f"{ITEMS}; ASK r4 s2 r3 0 thing -; RET")
    assert ask is not None
    machine.answer(world, 1)
    full_log(world)
    assert machine.run(world) is None
    assert world.fault is not None


def test_an_optional_choice_can_be_declined() -> None:
    machine, world, ask = game(f"{ITEMS}; ASK r4 s2 r3 1 number 0; {KEEP}")
    assert ask is not None
    assert (ask.options[2], ask.why) == ((NONE,), 0)
    machine.answer(world, 2)
    machine.run(world)
    assert got(machine, world) == -1


def test_one_mandatory_option_is_not_asked() -> None:
    text = f"LNEW s2; LIT r2 3; LADD s2 r2; LIT r3 -1; ASK r4 s2 r3 0 number -; {KEEP}"
    machine, world, ask = game(text)
    assert (ask, got(machine, world)) == (None, 3)
    assert game(text, SINGLES_ASKED)[2] is not None


def test_a_choice_without_options_ends_the_effect_unless_it_is_optional() -> None:
    for flags, expected in ((0, -9), (1, -1)):
        machine, world, ask = game(f"LNEW s2; LIT r3 -1; ASK r4 s2 r3 {flags} number -; {KEEP}")
        assert (ask, got(machine, world)) == (None, expected)


NOTHING = "LNEW s2; LIT r3 -1; ASK r4 s2 r3 0 number -"
NO_OPTION = "LNEW s2; LIT r3 -1; ASKOPT r4 s2 r3 0 0"


@pytest.mark.parametrize("choice", [NOTHING, NO_OPTION])
def test_a_choice_without_options_is_a_fault_until_an_action_is_offered(choice: str) -> None:
    for flow, setup in ((f"{choice}; RET", ""), ("RET", f"{choice}; RET")):
        machine, world = begun(flow, setup)
        assert machine.run(world) is None
        assert world.fault is not None
        assert "nothing is there to choose from" in world.fault.reason
        assert f"; {machine.code(world.fault.code)[world.fault.pc].name} " in choice
    machine, world = begun(f"LNEW s3; LIT r5 -1; OFFER s3 r5 @on; on:; {choice}; RET")
    machine.run(world)
    assert world.fault is None
    machine, world = begun(f"{choice.replace(' 0 number', ' 1 number').replace(' 0 0', ' 1 0')}; {KEEP}")
    machine.run(world)
    assert (world.fault, got(machine, world)) == (None, -1)


def test_a_random_choice_asks_nobody_unless_it_is_scripted() -> None:
    machine, world, ask = game(f"{ITEMS}; ASK r4 s2 r3 2 number -; {KEEP}")
    assert ask is None
    assert got(machine, world) in (3, 5)
    assert world.reveals == 1
    assert game(f"{ITEMS}; ASK r4 s2 r3 2 number -; {KEEP}", RANDOM_ASKED)[2] is not None


def test_several_can_be_chosen_one_after_the_other() -> None:
    text = f"{ITEMS}; LIT r5 2; ASKMANY s3 s2 r3 r5 number -; LLEN r4 s3; {KEEP}"
    machine, world, ask = game(text)
    assert ask is not None
    assert ask.options[-1] == (DONE,)
    machine.answer(world, 1)
    second = machine.run(world)
    assert second is not None
    assert second.picked == (5,)
    assert len(second.options) == 2
    rest = machine.clone(world)
    machine.answer(world, 0)
    assert machine.run(world) is None
    assert got(machine, world) == 2
    machine.answer(rest, 1)
    machine.run(rest)
    assert got(machine, rest) == 1


def test_options_have_labels_and_keep_their_numbers() -> None:
    text = f"LNEW s2; LIT r2 2; LADD s2 r2; LIT r2 1; LADD s2 r2; LIT r3 -1; ASKOPT r4 s2 r3 1 0; {KEEP}"
    machine, world, ask = game(text)
    assert ask is not None
    assert ask.options == ((LABEL, -1, 2), (LABEL, 1, 1), (NONE,))
    for choice, expected in ((0, 2), (1, 1), (2, -1)):
        clone = machine.clone(world)
        machine.answer(clone, choice)
        machine.run(clone)
        assert got(machine, clone) == expected


def test_a_single_option_is_taken_and_none_gives_nothing() -> None:
    for options, expected in (("LIT r2 1; LADD s2 r2", 1), ("LIT r2 1", -1)):
        machine, world, ask = game(f"LNEW s2; {options}; LIT r3 -1; ASKOPT r4 s2 r3 0 0; {KEEP}")
        assert (ask, got(machine, world)) == (None, expected)


@pytest.mark.parametrize(
    ("by", "who"),
    [
        ("PLAYERS s4; LIT r3 1; LAT r3 s4 r3", 1),
        ("FIRST r3 ann 1; PLAYERS s4; LIT r5 0; LAT r5 s4 r5; SET controller r3 r5", 0),
        ("FIRST r3 bob 1", -1),
    ],
)
def test_the_controller_is_asked(by: str, who: int) -> None:
    ask = game(f"{ITEMS}; {by}; ASK r4 s2 r3 0 thing -; RET")[2]
    assert ask is not None
    assert ask.who == who


def test_there_is_no_answer_without_its_option() -> None:
    machine, world, _ = game(f"{ITEMS}; ASK r4 s2 r3 0 thing -; RET")
    for index in (-1, 2):
        with pytest.raises(IndexError):
            machine.answer(world, index)
    machine.answer(world, 0)
    machine.run(world)
    with pytest.raises(IndexError):
        machine.answer(world, 0)


# ── actions ────────────────────────────────────────────────────────────────────────────────────


def actions(once: int = 0, limit: str = "") -> Book:
    """Ann and Bob may `step` while they have MP, and `greet` each other; both write digits."""
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


def test_an_action_that_the_log_cannot_hold_is_a_fault() -> None:
    machine = actions().machine()
    world = machine.start("field", 1, 7)
    assert machine.run(world) is not None
    option = machine.actions(world, (machine.layout.first[0],))[0]
    world.ask = None
    full_log(world)
    machine.begin_action(world, option)
    assert machine.run(world) is None
    assert world.fault is not None


def test_actions_are_offered_until_they_are_done() -> None:
    machine = actions().machine()
    world = machine.start("field", 1, 7)
    ask = machine.run(world)
    assert ask is not None
    ann, bob = machine.layout.first[0], machine.layout.first[1]
    assert ask.options == ((ACTION, 0, ann, -1), (ACTION, 1, ann, bob), (ACTION, 0, bob, -1), (DONE,))
    for choice in (0, 1, 0):
        machine.answer(world, choice)
        ask = machine.run(world)
    assert ask is not None
    assert [option[1:3] for option in ask.options[:-1]] == [(1, ann), (0, bob)]
    assert machine.value(world, 1, machine.layout.range_of("game")[0]) == 192919
    machine.answer(world, len(ask.options) - 1)
    assert machine.run(world) is None
    assert world.outcome_name() == "draw"


def test_a_single_action_ends_the_offer() -> None:
    machine = actions(once=1).machine()
    world = machine.start("field", 1, 7)
    machine.run(world)
    machine.answer(world, 1)
    assert machine.run(world) is None


@pytest.mark.parametrize("per", ["figure", "game", "instance", "player"])
def test_a_limited_action_is_offered_once(per: str) -> None:
    machine = actions(limit=per).machine()
    world = machine.start("field", 1, 7)
    machine.run(world)
    machine.answer(world, 1)
    ask = machine.run(world)
    assert ask is not None
    assert all(option[1] == 0 for option in ask.options[:-1])


def test_actions_can_be_listed_and_begun_from_outside() -> None:
    machine = actions().machine()
    world = machine.start("field", 1, 7, flow=False)
    ann = machine.layout.first[0]
    assert machine.actions(world, (ann,)) == [(ACTION, 0, ann, -1)]
    machine.begin_action(world, (ACTION, 0, ann, -1))
    assert machine.run(world) is None
    assert not world.outcome
    assert machine.value(world, 0, ann) == 1
