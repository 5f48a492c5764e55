"""The verifier, the disassembler and the machine handle a new op by the declarations of its class."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from fcbdsl.machine.vm import op
from fcbdsl.machine.vm.disasm import disassemble
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.op import (
    ArgsNo,
    CodeNo,
    EffectField,
    EventNo,
    Int,
    ListField,
    ListInOut,
    Misdeclared,
    Op,
    Outcome,
    OwnedField,
    ReadField,
    Reg,
    RegOut,
    VerbNo,
    WrittenField,
    collect,
)
from fcbdsl.machine.vm.ops import NAMES, OPS
from fcbdsl.machine.vm.ops.calls import Calling
from fcbdsl.machine.vm.stats import read_stat
from fcbdsl.machine.vm.verify.verifier import verify_program
from fcbdsl.machine.vm.world import Frame
from tests.vm import assembly
from tests.vm.assembly import Book
from tests.vm.test_worlds import rich_book

pytestmark = pytest.mark.skipif(
    Path(op.__file__).suffix != ".py", reason="the ops of a compiled build are compiled with it, and it takes no others"
)


class Peek(Op):
    """A field of a thing, and one more."""

    name = "PEEK"
    pure = True
    out: RegOut
    field: ReadField
    thing: Reg

    def run(self, m: Game, f: Frame) -> Op | None:
        f.r[self.out] = read_stat(m, self.field, f.r[self.thing]) + 1
        return self.then


class Names(Op):
    """Fields of all sorts."""

    name = "NAMES"
    items: ListField
    marker: OwnedField
    text: EffectField
    stat: WrittenField


class Ask(Calling):
    """Return the answer of a pure code about two things."""

    name = "ASK_CODE"
    pure = True
    out: RegOut
    code: CodeNo
    args: ArgsNo

    def run(self, m: Game, f: Frame) -> Op | None:
        return self.enter(m, f, self.out)


class Hear(Op):
    """Some data of an event, and any effect of a verb."""

    name = "HEAR"
    event: EventNo
    told: ArgsNo
    verb: VerbNo
    given: ArgsNo


class Bare(Op):
    """A code that gets self and this."""

    name = "BARE"
    pure = True
    code: CodeNo


class Double(Op):
    """Every element of a list twice, and the end as some outcome."""

    name = "DOUBLE"
    pure = True
    items: ListInOut
    times: Int
    outcome: Outcome

    def run(self, m: Game, f: Frame) -> Op | None:
        f.s[self.items] = tuple([item for item in f.s[self.items] for _ in range(self.times)])
        return self.then


@pytest.fixture(autouse=True)
def own_ops(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the machine and the tests' assembler know the ops above."""
    for name, cls in collect(sys.modules[__name__]).items():
        monkeypatch.setitem(OPS, name, cls)
    monkeypatch.setattr(assembly, "NAMES", (*NAMES, *collect(sys.modules[__name__])))


def findings(text: str, book: Book | None = None, **more: Any) -> list[str]:
    book = book or rich_book()
    book.field("grudge", "hero", "status", owned=book.find("kinds", "hero"))
    book.code("own", text, **more)
    return [str(finding) for finding in verify_program(book.unverified())]


FINE = "LNEW s0; PEEK r2 HP r0; LADD s0 r2; DOUBLE s0 2 2; LLEN r2 s0; RETV r2"


def test_own_op_runs_and_is_shown() -> None:
    book = rich_book()
    assert assembly.answer_of(FINE, book) == 2
    assert "PEEK         r2, field HP, r0" in disassemble(book.program())


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("PEEK r2 friends r0; RET", "PEEK field: the field friends is not one that can be read"),
        ("PEEK r2 999 r0; RET", "PEEK field = 999: there is no such field"),
        ("NAMES HP grudge text HP; RET", "NAMES items: the field HP is not one that can be lists"),
        ("NAMES friends HP text HP; RET", "NAMES marker: the field HP is not one that can be owned"),
        ("NAMES friends grudge valid HP; RET", "NAMES text: the field valid is not one that can be effect"),
        ("NAMES friends grudge text max; RET", "NAMES stat: the field max is not one that can be written"),
        ("ASK_CODE r2 two (r0); RET", "ASK_CODE args: 1 arguments are passed, 2 are taken"),
        ("LNEW s1; ASK_CODE r2 two (r0 s1); RET", "ASK_CODE args: argument 1 is a list"),
        ("HEAR hit (r0 r1) hurt (r0 r1 r1); RET", "HEAR told: 2 arguments are passed, 3 are taken"),
        ("HEAR hit (r0 r1 r1) hurt (r0); RET", "HEAR given: 1 arguments are passed, 3 are taken"),
        ("BARE three; RET", "BARE code: 2 arguments are passed, 3 are taken"),
        ("DOUBLE s0 2 1; RET", "s0 may be read before it is written"),
        ("LNEW s0; DOUBLE s0 2 4; RET", "DOUBLE outcome = 4: there is no such outcome"),
        ("LNEW s0; DOUBLE s0 2 0; RET", "DOUBLE outcome = 0: there is no such outcome"),
    ],
)
def test_misfit_operands_of_own_op_are_found(text: str, reason: str) -> None:
    book = rich_book()
    book.code("two", "RETV r0")
    book.code("three", "RETV r0", 3)
    reported = findings(text, book)
    assert any(reason in finding for finding in reported), reported


def test_effects_of_called_codes_count() -> None:
    for text in ("ASK_CODE r2 deep (r0 r1); RETV r2", "BARE deep; RETV r0"):
        book = rich_book()
        book.code("deep", "LIT r2 0; ROLL r2 r2; RETV r2")
        book.settings["outlook"] = book.code("look", text)
        assert any("must not change" in str(finding) for finding in verify_program(book.unverified()))


def test_arguments_without_target_are_refused() -> None:
    class Lost(Op):
        """Arguments, and nothing that takes them."""

        name = "LOST"
        code: CodeNo
        other: Reg
        args: ArgsNo

    module = ModuleType(__name__)
    module.Lost = Lost  # type: ignore[attr-defined]
    with pytest.raises(Misdeclared, match="LOST args"):
        collect(module)
