"""Superinstructions differ from their parts only in speed."""

from __future__ import annotations

import random

import pytest

from fcbdsl.machine.vm import setup
from fcbdsl.machine.vm.frames import new_frame, push
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.linker import join, link_fused, link_unfused
from fcbdsl.machine.vm.op import Op
from fcbdsl.machine.vm.superinstructions import SetLoop
from fcbdsl.machine.vm.world import VMFault
from tests.vm.assembly import Book
from tests.vm.test_state import table
from tests.vm.test_worlds import rich_book

JUMPS = (
    "JT r2",
    "JF r2",
    *[f"{jump} r2 {to}" for jump in ("JEQI", "JNEI", "JLTI", "JLEI", "JGTI", "JGEI") for to in (0, 1, 3)],
)
FIRST = {
    "TestColumn": "STAT r2 HP r3",
    "TestRange": "ISA r2 hero r3",
    "TestLookup": "ON_BOARD r2 r3",
    "TestSingle": "SINGLE r4 game; STAT r2 wind r4",
}
LOOP = "SELECT s0 hero; top:; ITER s0 r0 r2 @end"
ROUNDS = "LIT r2 12; top:; JLEI r2 0 @end; ADDI r2 r2 -1"
BODY = "ADD r1 r1 r2; skip:; JMP @top; end:; ADD r1 r1 r2; RETV r1"
DEFINITIONS = "SELDEFS s0 hero; top:; ITER s0 r0 r2 @end"
PAIRS = {
    "TestColumns": "STAT r2 HP r3; JEQ r2 r0 @yes; RETV r2; yes:; RETV r3",
    "TestColumns of what differs": "STAT r2 HP r3; JNE r1 r2 @yes; LIT r2 1; RETV r3; yes:; LIT r2 2; RETV r2",
    "TestColumns with itself": "STAT r2 HP r3; JNE r2 r2 @yes; LIT r2 1; RETV r3; yes:; RETV r1",
    "TestColumns of the thing": "STAT r3 HP r3; JEQ r3 r2 @yes; RETV r3; yes:; RETV r1",
    "ReadSingle": "SINGLE r4 game; STAT r2 wind r4; RETV r2",
    "ReadSingle among many registers": "SINGLE r4 game; STAT r2 wind r4; MOV r70 r2; RETV r70",
    "Begin": "SELECT s0 hero; LIT r4 -1; top:; ITER s0 r4 r2 @end; ADD r3 r3 r2; JMP @top; end:; RETV r3",
    "One": "LNEW s0; LADD s0 r3; LADD s0 r2; LAT r4 s0 r2; LLEN r3 s0; RETV r3",
    "Holding": "ZONE r2 deck r3; CONTENTS s0 r2; LLEN r4 s0; RETV r4",
    "Holding of a thing": "ZONE r2 hand r3; CONTENTS s0 r2; LLEN r4 s0; RETV r4",
    "Seek a value": f"{LOOP}; STAT r4 HP r2; JLEI r4 2 @top; ADD r1 r1 r2; JMP @top; end:; RETV r1",
    "Seek from the first": (
        "SELECT s0 hero; LIT r4 -1; top:; ITER s0 r4 r2 @end; ON_BOARD r5 r2; JT r5 @top; RETV r2; end:; RETV r1"
    ),
    "SeekFlag from the first, of no list": (
        "LNEW s0; LIT r4 -1; top:; ITER s0 r4 r2 @end; ON_BOARD r5 r2; JT r5 @top; RETV r2; end:; RETV r4"
    ),
    "SeekColumn from the first": (
        "SELECT s0 hero; LIT r4 -1; top:; ITER s0 r4 r2 @end; STAT r5 HP r2; JLEI r5 2 @top; ADD r1 r1 r4; JMP @top;"
        " end:; RETV r1"
    ),
    "SeekFlag": f"{LOOP}; ON_BOARD r4 r2; JF r4 @top; RETV r2; end:; RETV r1",
    "SeekFlag of what is not so": f"{LOOP}; ON_BOARD r4 r2; JT r4 @top; RETV r2; end:; RETV r1",
    "SeekFlag from anywhere": f"{LOOP.replace('r0', 'r3')}; ON_BOARD r4 r2; JF r4 @top; RETV r2; end:; RETV r1",
    "SeekFlag that reads how far it is": f"{LOOP}; ON_BOARD r4 r0; JF r4 @top; RETV r2; end:; RETV r1",
    "Rounds": f"{ROUNDS}; ON_BOARD r4 r3; JT r4 @skip; {BODY}",
    "Rounds until it is on the board": f"{ROUNDS}; ON_BOARD r4 r3; JF r4 @skip; {BODY}",
    "TestField of one that equals": "DFIELD r2 max r3; JEQ r2 r1 @yes; RETV r2; yes:; RETV r3",
    "TestField of one that does not": "LIT r1 8; DFIELD r2 max r3; JNE r1 r2 @yes; RETV r2; yes:; RETV r3",
    "TestField of itself": "DFIELD r2 max r3; JEQ r2 r2 @yes; RETV r3; yes:; RETV r1",
    "TestField of a thing": "STAT r2 max r3; JNE r2 r1 @yes; RETV r2; yes:; RETV r3",
    "SeekField of things": f"LIT r1 3; {LOOP}; STAT r4 max r2; JNE r4 r1 @top; ADD r0 r0 r2; RETV r2; end:; RETV r2",
    "SeekField": f"{DEFINITIONS}; DFIELD r4 max r2; JNE r4 r1 @top; RETV r2; end:; RETV r2",
    "SeekField of others": f"LIT r1 8; {DEFINITIONS}; DFIELD r4 max r2; JEQ r4 r1 @top; RETV r4; end:; RETV r3",
    "SeekField of none": f"LIT r1 9; {DEFINITIONS}; DFIELD r4 max r2; JNE r1 r4 @top; RETV r2; end:; RETV r2",
    "SeekField from anywhere": (
        f"{DEFINITIONS.replace('r0', 'r3')}; DFIELD r4 max r2; JEQ r4 r0 @top; RETV r2; end:; RETV r1"
    ),
    "Seek a field that is compared with the element": (
        f"{DEFINITIONS}; DFIELD r4 max r2; JNE r4 r2 @top; RETV r2; end:; RETV r1"
    ),
    "SeekColumn": f"{LOOP}; STAT r4 HP r2; JEQI r4 2 @top; ADD r1 r1 r2; JMP @top; end:; RETV r1",
    "SeekColumn of what is at most": f"{LOOP}; STAT r4 HP r2; JGTI r4 2 @top; ADD r1 r1 r2; JMP @top; end:; RETV r1",
    "SeekColumn of another": f"{LOOP}; STAT r4 HP r3; JEQI r4 2 @top; ADD r1 r1 r2; JMP @top; end:; RETV r1",
    "Seek a kind": f"{LOOP}; ISA r4 hero r2; JF r4 @top; RETV r2; end:; RETV r1",
    "Seek who is linked": f"{LOOP}; LINKED r4 r2 r3; JF r4 @top; RETV r2; end:; RETV r1",
}


def book() -> Book:
    made = table()
    made.field("wind", "game", empty=2)
    return made


def outcome(game: Game, ops: list[Op], number: int, r: list[int], fuel: int) -> tuple[object, ...]:
    """Return everything that a run of a code leaves: registers, answer, fuel, and where it ended or failed."""
    game.image.codes[number].take(ops)
    game.refuel()
    frame = new_frame(game, number, r, [], -1)
    game.fuel = fuel
    push(game, frame)
    trouble = ""
    op: Op | None = ops[0]
    try:
        while op is not None:
            op = op.run(game, frame)
    except VMFault as raised:
        assert op is not None
        trouble = f"{raised} at {op.at}"
        game.world.stack.pop()
    return frame.r, frame.s, 0 if trouble else frame.pc, game.result, game.fuel, trouble


def compare(made: Book, text: str, expected: str = "", mission: str = "field") -> None:
    """Compare the results of two codes; the registers of a pure code don't count, those of another code do."""
    numbers = [made.code("looks", text, 4), made.code("acts", f"{text}; BATCH; RET", 4)]
    image = made.image()
    game = setup.start_game(image, mission, 2, 3)
    game.run()
    for number in numbers:
        parts, made_one = link_unfused(image, number), link_fused(image, number)
        for op in parts:
            op.join(parts)
        join(made_one)
        assert not expected or expected in [cls.__name__ for op in made_one for cls in type(op).__mro__]
        for thing in range(-3, image.layout.things + 2):
            for fuel in (0, 1, 2, 3, 50):
                results = [outcome(game, ops, number, [0, 0, 7, thing], fuel) for ops in (parts, made_one)]
                assert results[0][number == numbers[0] :] == results[1][number == numbers[0] :]


@pytest.mark.parametrize("jump", JUMPS)
@pytest.mark.parametrize("first", FIRST)
def test_value_and_jump_are_fused(first: str, jump: str) -> None:
    compare(book(), f"{FIRST[first]}; {jump} @yes; LIT r5 1; RETV r5; yes:; LIT r5 2; RETV r5", first)


@pytest.mark.parametrize("pair", PAIRS)
def test_two_ops_are_fused(pair: str) -> None:
    compare(book(), PAIRS[pair], pair.split()[0])


SET_LOOP = "SELECT s0 hero; LIT r4 -1; top:; ITER s0 r4 r2 @end; SET HP r2 {value}; JMP @top; end:; RET"


@pytest.mark.parametrize("value", ["r1", "r3"])
@pytest.mark.parametrize("before", [(2, 2, 2), (2, 3, 2), (1, 2, 3), (3, 3, 3)])
def test_loop_of_a_set_equals_its_rounds(before: tuple[int, ...], value: str) -> None:
    codes = book()
    number = codes.code("acts", SET_LOOP.format(value=value), 5)
    image = codes.image()
    game = setup.start_game(image, "field", 2, 3)
    game.run()
    parts, fused = link_unfused(image, number), link_fused(image, number)
    assert [type(op) for op in fused].count(SetLoop) == 1
    for ops in (parts, fused):
        join(ops)
    heroes = game.select([kind.name for kind in image.program.kinds].index("hero"))
    base = image.layout.base[[field.name for field in image.program.fields].index("HP")]
    for place, hero in enumerate(heroes):
        game.world.write(base + hero, before[place % len(before)])
    for fuel in range(2 * len(heroes) + 3):
        for wanted in (-1, 2, 3, 99):
            ends = []
            for ops in (parts, fused):
                played = game.clone()
                ends.append((outcome(played, ops, number, [0, wanted, 7, 2], fuel), played.digest()))
            assert ends[0] == ends[1]


@pytest.mark.parametrize("text", ["SET HP r2 r2", "SET HP r3 r1", "SET HP r2 r4"])
def test_other_loops_of_a_set_go_round_by_round(text: str) -> None:
    codes = book()
    number = codes.code("acts", SET_LOOP.format(value="r1").replace("SET HP r2 r1", text), 5)
    assert SetLoop not in [type(op) for op in link_fused(codes.image(), number)]


def test_rounds_that_a_test_changes_are_not_fused() -> None:
    for test in ("ON_BOARD r3 r3; JT r3 @skip", "ON_BOARD r4 r2; JT r4 @skip", "ON_BOARD r2 r3; JT r2 @skip"):
        compare(book(), f"{ROUNDS}; {test}; {BODY}")


def test_fault_in_rounds_has_same_place() -> None:
    compare(book(), f"{ROUNDS}; LINKED r4 r3 r3; JT r4 @skip; {BODY}", mission="")


@pytest.mark.parametrize("pair", [pair for pair in PAIRS if pair.startswith("Seek")])
def test_search_without_board_has_same_result(pair: str) -> None:
    compare(book(), PAIRS[pair], pair.split()[0], mission="")


def test_fused_fault_has_same_place() -> None:
    compare(book(), "LINKED r2 r3 r3; JT r2 @yes; RETV r2; yes:; RETV r3", "TestLookup", mission="")


def test_fused_fault_in_loop_has_same_place() -> None:
    for loop in (LOOP, LOOP.replace("top:", "LIT r0 -1; top:")):
        compare(book(), f"{loop}; LINKED r4 r2 r3; JF r4 @top; RETV r2; end:; RETV r1", "Seek", mission="")


def test_fused_jumps_use_same_fuel() -> None:
    text = (
        "SELECT s0 hero; LIT r4 -1; top:; ITER s0 r4 r2 @end; JGTI r2 3 @more; JMP @top;"
        "more:; JMP @on; on:; RETV r2; end:; RETV r1"
    )
    compare(book(), text)


def test_backward_jump_uses_fuel() -> None:
    made = book()
    number = made.code("endless", "MOV r2 r3; top:; MOV r1 r2; JMP @top", 4)
    image = made.image()
    game = setup.start_game(image, "field", 2, 3)
    game.run()
    ops = link_unfused(image, number)
    join(ops)
    assert "endless loop" in str(outcome(game, ops, number, [0, 0, 7, 3], 50)[-1])


def test_forward_jump_is_no_loop() -> None:
    compare(book(), "SELECT s0 hero; ITER s0 r0 r2 @end; STAT r4 HP r2; JT r4 @end; RETV r2; end:; RETV r3")


def test_fused_ops_on_different_registers_are_independent() -> None:
    compare(book(), "STAT r2 HP r3; JT r3 @end; LIT r4 -1; RETV r2; end:; RETV r3")


def test_jump_to_second_fused_op_works() -> None:
    made = book()
    text = "LIT r2 1; JMP @test; STAT r2 HP r3; test:; JT r2 @yes; LIT r2 5; RETV r2; yes:; LIT r2 6; RETV r2"
    number = made.code("aimed", text, 4)
    image = made.image()
    assert setup.start_game(image, "field", 2, 3).test(number) == 6


def test_games_are_equal_with_fused_ops() -> None:
    program = rich_book().program()
    images = [Image(program), Image(program)]
    for number, row in enumerate(images[1].codes):
        ops = link_unfused(images[1], number)
        row.take(ops)
        for op in ops:
            op.join(ops)
    for seed in range(30):
        both = [setup.start_game(image, "field", 2, seed) for image in images]
        chance = random.Random(seed)
        for _ in range(40):
            asks = [game.run() for game in both]
            assert asks[0] == asks[1]
            assert both[0].digest() == both[1].digest()
            if asks[0] is None:
                break
            choice = chance.randrange(len(asks[0].options))
            for game in both:
                game.answer(choice)
