"""The peephole pass leaves the results of a code unchanged, and removes needless ops."""

from __future__ import annotations

import copy

from fcbdsl.language.compiler.assembler import MOST_CONSTANTS, Assembler, Label, Register
from fcbdsl.language.compiler.interning import Interned, Spans
from fcbdsl.language.compiler.peephole import encode_code, improve, initialise
from fcbdsl.machine.vm import setup
from fcbdsl.machine.vm.ops.arithmetic import Add
from fcbdsl.machine.vm.ops.calls import Callr, Retv
from fcbdsl.machine.vm.ops.flow import Jmp, Jt
from fcbdsl.machine.vm.ops.registers import Lit
from tests.vm.assembly import Book

GIVEN = ((0, 0), (0, 1), (1, 0), (1, 1))
"""Values of the two parameters of a code."""


def fresh() -> Assembler:
    return Assembler("code", params=2, list_params=(), ints=2, lists=0)


def answers(code: Assembler, called: str = "") -> list[int]:
    """Return the answers of a code to all possible arguments."""
    book = Book()
    if called:
        book.code("called", called, 3, (2,))
    args: Interned[tuple[tuple[int, int], ...]] = Interned()
    finished = copy.deepcopy(code)
    initialise(finished)
    number = book.add("codes", encode_code(finished, Spans(), args))
    book.tables["args"] += args.values()
    game = setup.start_game(book.image(), "", 1, 7)
    out = [game.test(number, *given) for given in GIVEN]
    assert game.world.fault is None
    return out


def saved(code: Assembler) -> int:
    """Return how many ops the pass removes from a code. Assert that its answers are unchanged."""
    before, count = answers(code), len(code.instructions)
    code.instructions = improve(code.instructions)
    assert answers(code) == before
    return count - len(code.instructions)


def say(code: Assembler, number: int) -> None:
    """Emit the answer of a number."""
    code.emit(Lit, 2, number)
    code.emit(Retv, 2)


def test_jump_to_next_op_is_removed() -> None:
    code = fresh()
    after = code.label()
    code.emit(Jmp, after)
    code.place(after)
    say(code, 5)
    assert saved(code) == 1


def test_unreachable_ops_are_removed() -> None:
    code = fresh()
    say(code, 5)
    say(code, 6)
    assert saved(code) == 2


def test_jump_chain_is_one_jump() -> None:
    code = fresh()
    first, second = code.label(), code.label()
    code.emit(Jt, 0, first)
    say(code, 5)
    code.place(first)
    code.emit(Jmp, second)
    code.place(second)
    say(code, 6)
    assert saved(code) == 1
    assert answers(code) == [5, 5, 6, 6]


def test_loop_closed_by_condition_is_verified() -> None:
    """Only an op that charges may lead backward, which the verifier demands."""
    code = fresh()
    again, skip = code.here(), code.label()
    code.emit(Jt, 0, skip)
    say(code, 5)
    code.place(skip)
    code.emit(Lit, 0, 0)
    code.emit(Jmp, again)
    assert saved(code) == 0
    assert answers(code) == [5, 5, 5, 5]


def test_partly_written_register_is_initialized() -> None:
    code = fresh()
    skip = code.label()
    code.emit(Jt, 0, skip)
    code.emit(Lit, 2, 5)
    code.place(skip)
    code.emit(Retv, 2)
    assert answers(code) == [5, 5, -1, -1]


def test_constants_have_registers() -> None:
    code = fresh()
    unused, seven, first = code.constant(3), code.constant(7), code.constant(1)
    assert (code.constant(7), len({unused, seven, first})) == (seven, 3)
    code.emit(Add, 4, seven, 0)
    code.emit(Add, 4, 4, first)
    code.emit(Retv, 4)
    assert answers(code) == [8, 8, 9, 9]
    initialise(code)
    assert code.constants == [7, 1]


def test_many_constants_keep_their_values() -> None:
    code = fresh()
    total = code.int_register()
    code.emit(Lit, total, 0)
    for number in range(MOST_CONSTANTS + 3):
        with code.scratch():
            code.emit(Add, total, total, code.constant(10 + number))
    code.emit(Retv, total)
    assert answers(code) == [sum(range(10, 13 + MOST_CONSTANTS))] * len(GIVEN)


def test_arguments_count_as_read() -> None:
    code = fresh()
    code.emit(Callr, 2, 0, (Register(0), Register(1), Register(3, many=True)))
    code.emit(Retv, 2)
    assert answers(code, "LLEN r3 s2; RETV r3") == [0] * len(GIVEN)


def test_jump_with_other_targets_is_not_inverted() -> None:
    """Found by play: the early way out of an `or` went on to the next candidate."""
    code = fresh()
    target, over, away = code.label(), code.label(), code.label()
    code.emit(Jt, 0, target)
    code.emit(Jt, 1, over)
    code.place(target)
    code.emit(Jmp, away)
    code.place(over)
    say(code, 5)
    code.place(away)
    say(code, 6)
    saved(code)
    assert answers(code) == [6, 5, 6, 6]


def test_jump_over_jump_is_inverted() -> None:
    code = fresh()
    over, away = code.label(), code.label()
    code.emit(Jt, 0, over)
    code.emit(Jmp, away)
    code.place(over)
    say(code, 5)
    code.place(away)
    say(code, 6)
    assert saved(code) == 1
    assert answers(code) == [6, 6, 5, 5]


def test_labels_follow_inserted_ops() -> None:
    code = fresh()
    skip = code.label()
    code.emit(Jt, 0, skip)
    code.emit(Lit, 2, 5)
    code.place(skip)
    code.emit(Retv, 2)
    initialise(code)
    targets = [operand.at for op in code.instructions for operand in op.operands if isinstance(operand, Label)]
    assert [code.instructions[at].op for at in targets] == [Retv]
