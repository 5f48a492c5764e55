"""What becomes of codes when they are finished."""

from __future__ import annotations

from fcbdsl.compiler.assembler import MOST_CONSTANTS, Assembler, Label, Register
from fcbdsl.compiler.finishing import improve, initialise
from fcbdsl.vm.ops.arithmetic import Add
from fcbdsl.vm.ops.calls import Call, Ret, Retv, Stop
from fcbdsl.vm.ops.data import Lit
from fcbdsl.vm.ops.flow import Jmp, Jt


def written(code: Assembler) -> list[str]:
    code.instructions = improve(code.instructions)
    return [instruction.op.name for instruction in code.instructions]


def fresh() -> Assembler:
    return Assembler("code", params=2, list_params=(), ints=2, lists=0)


def test_a_jump_to_the_next_line_goes() -> None:
    code = fresh()
    after = code.label()
    code.emit(Jmp, after)
    code.place(after)
    code.emit(Ret)
    assert written(code) == ["RET"]


def test_what_is_never_reached_goes() -> None:
    code = fresh()
    code.emit(Ret)
    code.emit(Lit, 2, 1)
    code.emit(Ret)
    assert written(code) == ["RET"]


def test_a_chain_of_jumps_is_taken_at_once() -> None:
    code = fresh()
    first, second = code.label(), code.label()
    code.emit(Jt, 0, first)
    code.emit(Stop)
    code.place(first)
    code.emit(Jmp, second)
    code.place(second)
    code.emit(Ret)
    assert written(code) == ["JT", "STOP", "RET"]
    target = code.instructions[0].operands[1]
    assert getattr(target, "at", None) == 2


def test_only_a_plain_jump_goes_backward() -> None:
    code = fresh()
    again, skip = code.here(), code.label()
    code.emit(Jt, 0, skip)
    code.emit(Stop)
    code.place(skip)
    code.emit(Jmp, again)
    written(code)
    for number, instruction in enumerate(code.instructions):
        for operand in instruction.operands:
            if isinstance(operand, Label) and operand.at <= number:
                assert instruction.op.name == "JMP"


def test_a_register_read_on_one_path_only_gets_a_first_value() -> None:
    code = fresh()
    skip = code.label()
    code.emit(Jt, 0, skip)
    code.emit(Lit, 2, 5)
    code.place(skip)
    code.emit(Retv, 2)
    initialise(code)
    assert [i.op.name for i in code.instructions] == ["LIT", "JT", "LIT", "RETV"]
    assert code.instructions[0].operands == [2, -1]
    target = code.instructions[1].operands[1]
    assert getattr(target, "at", None) == 3


def test_constants_that_are_used_stand_above_all_other_registers() -> None:
    code = fresh()
    unused, seven, one = code.constant(3), code.constant(7), code.constant(1)
    assert (code.constant(7), len({unused, seven, one})) == (seven, 3)
    code.emit(Add, 4, seven, 0)
    code.emit(Call, 0, (Register(one), Register(4)))
    code.emit(Retv, seven)
    initialise(code)
    assert [i.operands for i in code.instructions] == [[4, 5, 0], [0, (Register(6), Register(4))], [5]]
    assert (code.constants, code.first_constant) == ([7, 1], 5)


def test_of_many_constants_the_late_ones_are_written_where_they_are_used() -> None:
    code = fresh()
    for number in range(MOST_CONSTANTS + 3):
        with code.scratch():
            code.emit(Retv, code.constant(number))
    initialise(code)
    assert code.constants == list(range(MOST_CONSTANTS))
    assert [i.operands for i in code.instructions[MOST_CONSTANTS:]] == [
        row for number in range(3) for row in ([2, MOST_CONSTANTS + number], [2])
    ]
    assert code.first_constant == 3


def test_arguments_count_as_read() -> None:
    code = fresh()
    code.emit(Call, 0, (Register(0), Register(1), Register(3, many=True)))
    code.emit(Ret)
    initialise(code)
    assert [i.op.name for i in code.instructions] == ["LNEW", "CALL", "RET"]


def test_a_plain_jump_that_others_aim_at_is_not_turned() -> None:
    """Found by play: the early way out of an `or` was sent on to the next candidate."""
    code = fresh()
    found, over, away = code.label(), code.label(), code.label()
    code.emit(Jt, 0, found)
    code.emit(Jt, 1, over)
    code.place(found)
    code.emit(Jmp, away)
    code.place(over)
    code.emit(Stop)
    code.place(away)
    code.emit(Ret)
    written(code)
    target = code.instructions[0].operands[1]
    assert code.instructions[getattr(target, "at", 0)].op.name == "RET"
