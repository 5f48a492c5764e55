"""Registers, lists, arithmetic, jumps and calls."""

from __future__ import annotations

import pytest

from fcbdsl.machine.vm import setup
from tests.vm.assembly import Book, answer_of

ANSWERS = {
    "LIT": ("LIT r2 -7; RETV r2", -7),
    "MOV": ("LIT r2 4; MOV r3 r2; RETV r3", 4),
    "ADD": ("LIT r2 4; LIT r3 5; ADD r4 r2 r3; RETV r4", 9),
    "ADDI": ("LIT r2 4; ADDI r2 r2 -6; RETV r2", -2),
    "SUB": ("LIT r2 4; LIT r3 5; SUB r4 r2 r3; RETV r4", -1),
    "MUL": ("LIT r2 4; LIT r3 -5; MUL r4 r2 r3; RETV r4", -20),
    "DIV rounds down": ("LIT r2 -7; LIT r3 2; DIV r4 r2 r3; RETV r4", -4),
    "MIN": ("LIT r2 4; LIT r3 5; MIN r4 r2 r3; RETV r4", 4),
    "MAX": ("LIT r2 4; LIT r3 5; MAX r4 r2 r3; RETV r4", 5),
    "NEG": ("LIT r2 4; NEG r3 r2; RETV r3", -4),
    "NOT": ("LIT r2 4; NOT r3 r2; NOT r4 r3; SUB r5 r4 r3; RETV r5", 1),
    "AND": ("LIT r2 4; LIT r3 0; AND r4 r2 r3; RETV r4", 0),
    "OR": ("LIT r2 4; LIT r3 0; OR r4 r2 r3; RETV r4", 1),
    "EQ": ("LIT r2 4; LIT r3 4; EQ r4 r2 r3; RETV r4", 1),
    "EQI": ("LIT r2 4; EQI r4 r2 5; RETV r4", 0),
    "NE": ("LIT r2 4; LIT r3 4; NE r4 r2 r3; RETV r4", 0),
    "LT": ("LIT r2 4; LIT r3 4; LT r4 r2 r3; RETV r4", 0),
    "LE": ("LIT r2 4; LIT r3 4; LE r4 r2 r3; RETV r4", 1),
    "LLEN": ("LNEW s0; LIT r2 9; LADD s0 r2; LADD s0 r2; LLEN r3 s0; RETV r3", 2),
    "LMOV copies a value": ("LNEW s0; LMOV s1 s0; LIT r2 9; LADD s0 r2; LLEN r3 s1; RETV r3", 0),
    "LHAS": ("LNEW s0; LIT r2 9; LADD s0 r2; LHAS r3 s0 r2; RETV r3", 1),
    "LAT": ("LNEW s0; LIT r2 9; LADD s0 r2; LIT r3 0; LAT r4 s0 r3; RETV r4", 9),
    "LAT beyond": ("LNEW s0; LIT r3 0; LAT r4 s0 r3; RETV r4", -1),
    "LAT before": ("LNEW s0; LIT r2 9; LADD s0 r2; LIT r3 -1; LAT r4 s0 r3; RETV r4", -1),
    "LPOP": ("LNEW s0; LIT r2 9; LADD s0 r2; LPOP r3 s0; LLEN r4 s0; SUB r3 r3 r4; RETV r3", 9),
    "LPOP of none": ("LNEW s0; LPOP r3 s0; RETV r3", -1),
    "LPOPS": ("LNEW s0; LIT r2 1; LADD s0 r2; LADD s0 r2; LADD s0 r2; LPOPS s1 s0; LLEN r3 s1; RETV r3", 1),
    "LPOPS leaves the rest": (
        "LNEW s0; LIT r2 1; LADD s0 r2; LADD s0 r2; LADD s0 r2; LPOPS s1 s0; LLEN r3 s0; RETV r3",
        1,
    ),
    "LPOPS of none": ("LNEW s0; LPOPS s1 s0; LLEN r3 s1; RETV r3", 0),
    "LPOPS of less than none": ("LNEW s0; LIT r2 -5; LADD s0 r2; LPOPS s1 s0; LLEN r3 s1; RETV r3", 0),
    "LDROP": ("LNEW s0; LIT r2 9; LADD s0 r2; LADD s0 r2; LDROP s0 r2; LLEN r3 s0; RETV r3", 1),
    "LJOIN": ("LNEW s0; LIT r2 9; LADD s0 r2; LJOIN s0 s0; LLEN r3 s0; RETV r3", 2),
    "LOWEST": ("LNEW s0; LIT r2 9; LADD s0 r2; LIT r2 3; LADD s0 r2; LOWEST r3 s0; RETV r3", 3),
    "HIGHEST": ("LNEW s0; LIT r2 9; LADD s0 r2; LIT r2 3; LADD s0 r2; HIGHEST r3 s0; RETV r3", 9),
    "LOWEST of none": ("LNEW s0; LOWEST r3 s0; RETV r3", 0),
    "AMONG": ("LNEW s0; LIT r2 9; AMONG r3 r2 s0; RETV r3", 0),
    "RANK keeps the best that tie": (
        "LNEW s0; LIT r2 0; LIT r3 5; LIT r4 2; RANK s0 r2 r3 r4; LIT r3 6; RANK s0 r2 r3 r4;"
        "LIT r3 7; LIT r4 3; RANK s0 r2 r3 r4; HIGHEST r5 s0; RETV r5",
        6,
    ),
    "ITER sums a list": (
        "LNEW s0; LIT r2 2; LADD s0 r2; LIT r2 5; LADD s0 r2; LIT r3 -1; LIT r5 0;"
        "top:; ITER s0 r3 r4 @end; ADD r5 r5 r4; JMP @top; end:; RETV r5",
        7,
    ),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_op_returns_expected_value(name: str) -> None:
    text, expected = ANSWERS[name]
    assert answer_of(text) == expected


JUMPS = {
    "JT": [("JT r2 @yes", {4: 1, 0: 0})],
    "JF": [("JF r2 @yes", {4: 0, 0: 1})],
    "JEQ": [("JEQ r2 r3 @yes", {3: 1, 4: 0})],
    "JNE": [("JNE r2 r3 @yes", {3: 0, 4: 1})],
    "JLT": [("JLT r2 r3 @yes", {2: 1, 3: 0})],
    "JLE": [("JLE r2 r3 @yes", {3: 1, 4: 0})],
    "JEQI": [("JEQI r2 3 @yes", {3: 1, 4: 0})],
    "JNEI": [("JNEI r2 3 @yes", {3: 0, 4: 1})],
    "JLTI": [("JLTI r2 3 @yes", {2: 1, 3: 0})],
    "JLEI": [("JLEI r2 3 @yes", {3: 1, 4: 0})],
    "JGTI": [("JGTI r2 3 @yes", {4: 1, 3: 0})],
    "JGEI": [("JGEI r2 3 @yes", {3: 1, 2: 0})],
}


@pytest.mark.parametrize("name", JUMPS)
def test_jump_follows_condition(name: str) -> None:
    for jump, results in JUMPS[name]:
        for value, expected in results.items():
            text = f"LIT r2 {value}; LIT r3 3; {jump}; LIT r4 0; RETV r4; yes:; LIT r4 1; RETV r4"
            assert answer_of(text) == expected


def test_calls_pass_and_return_numbers_and_lists() -> None:
    book = Book()
    book.code("count", "LLEN r4 s3; ADD r4 r4 r2; RETV r4", 4, (3,))
    book.code("twice", "LJOIN s2 s2; RETS s2", 3, (2,))
    text = "LNEW s1; LIT r2 8; LADD s1 r2; CALLS s1 twice (r0 r1 s1); CALLR r3 count (r0 r1 r2 s1); RETV r3"
    assert answer_of(text, book) == 10


def test_code_without_answer_returns_nothing() -> None:
    book = Book()
    book.code("quiet", "RET")
    book.code("stopped", "STOP")
    book.code("unmet", "LIT r2 0; REQUIRE r2; LIT r2 9; RETV r2")
    assert answer_of("CALL quiet (r0 r1); LIT r2 5; CALLR r2 quiet (r0 r1); RETV r2", book) == 0
    assert answer_of("CALLR r2 stopped (r0 r1); RETV r2", book) == 0
    assert answer_of("CALLR r2 unmet (r0 r1); RETV r2", book) == 0


def test_loop_iterations_use_fuel_by_length() -> None:
    left = []
    for filling in (1, 3000):
        book = Book()
        loop = "LIT r2 100; LNEW s0; LADD s0 r2; top:; LIT r3 -1; " + "LIT r4 0; " * filling
        number = book.code("loop", f"{loop} ADDI r2 r2 -1; JLEI r2 0 @end; JMP @top; end:; RET")
        game = setup.start_game(book.image(), "", 1, 7)
        game.test(number)
        left.append(game.fuel)
    assert left[0] - left[1] > 100 * 3000 // 40


def test_constant_registers_are_set_in_every_call() -> None:
    book = Book()
    less = book.code("less", "SUB r2 r0 r3; RETV r2", 2, constants=(4,))
    book.code("asked", f"CALLR r2 {less} (r3 r4); CALLR r2 {less} (r2 r4); RETV r2", 2, constants=(10, 0))
    game = setup.start_game(book.image(), "", 1, 7)
    assert [game.test(book.find("codes", "asked")) for _ in range(2)] == [2, 2]
    assert game.test(less, 7) == 3


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("LIT r2 1; LIT r3 0; DIV r2 r2 r3; RET", "divided by 0"),
        ("top:; JMP @top", "too long"),
        ("CALL 0 (r0 r1); RET", "run each other without end"),
        ("LIT r2 3; top:; MUL r2 r2 r2; JMP @top", "too big"),
        ("LIT r2 3; top:; ADD r2 r2 r2; JMP @top", "too big"),
        ("LIT r2 -3; top:; ADDI r2 r2 -4503599627370000; JMP @top", "too big"),
        ("LNEW s0; LIT r2 1; LADD s0 r2; top:; LJOIN s0 s0; JMP @top", "list has become too long"),
        ("LIT r2 99; ROLL r2 r2; RET", "nothing is rolled"),
        ("LIT r2 0; NEIGHBOURS s0 r2; BESIDE r2 r2 r2; RET", "no board"),
    ],
)
def test_program_fault_has_place(text: str, reason: str) -> None:
    book = Book()
    book.flow(text)
    image = book.image()
    game = setup.start_game(image, "", 1, 7)
    assert game.run() is None
    assert game.world.outcome_name() == "fault"
    assert game.world.fault is not None
    assert reason in game.world.fault.reason
    assert game.world.fault.code == book.settings["flow"]
