"""What a code that only looks finds out for nothing is taken out of it; what it answers stays the same."""

from __future__ import annotations

import pytest

from fcbdsl.bots.roster import make_bot
from fcbdsl.compiler import finishing, lower
from fcbdsl.compiler.assembler import Assembler
from fcbdsl.compiler.finishing import improve
from fcbdsl.compiler.redundancy import looks, thrifty
from fcbdsl.play.playout import play_out
from fcbdsl.vm import setup
from fcbdsl.vm.image import Image
from fcbdsl.vm.ops.arithmetic import Add, Eqi
from fcbdsl.vm.ops.calls import Call, Callr, Retv
from fcbdsl.vm.ops.counters import Owned
from fcbdsl.vm.ops.data import Lit, Llen, Mov
from fcbdsl.vm.ops.flow import Iter, Jf, Jgti, Jmp, Jnei
from fcbdsl.vm.ops.state import Isa, Select, Set, Stat
from tests import games


def fresh() -> Assembler:
    return Assembler("code", params=2, list_params=(), ints=9, lists=3)


def left(code: Assembler) -> list[str]:
    thrifty(code, lambda kind, ancestor: f"{kind:b}".startswith(f"{ancestor:b}"))  # 1 is all of them; 4 and 5 are 2
    return [instruction.op.name for instruction in improve(code.instructions)]


def test_what_was_found_out_is_not_found_out_again() -> None:
    code = fresh()
    code.emit(Stat, 2, 0, 0)
    code.emit(Stat, 3, 0, 0)
    code.emit(Add, 4, 2, 3)
    code.emit(Retv, 4)
    assert left(code) == ["STAT", "ADD", "RETV"]


def test_it_is_where_another_way_leads_there_too() -> None:
    code = fresh()
    there = code.label()
    code.emit(Jf, 1, there)
    code.emit(Stat, 2, 0, 0)
    code.emit(Jgti, 2, 3, there)
    code.emit(Retv, 0)
    code.place(there)
    code.emit(Stat, 3, 0, 0)
    code.emit(Retv, 3)
    assert left(code) == ["JF", "STAT", "JGTI", "RETV", "STAT", "RETV"]


def test_a_register_that_is_written_to_is_another_value() -> None:
    code = fresh()
    code.emit(Stat, 2, 0, 0)
    code.emit(Mov, 0, 1)
    code.emit(Stat, 3, 0, 0)
    code.emit(Add, 4, 2, 3)
    code.emit(Retv, 4)
    assert left(code).count("STAT") == 2


def test_a_test_whose_outcome_is_known_is_none() -> None:
    code = fresh()
    no = code.label()
    code.emit(Stat, 2, 0, 0)
    code.emit(Jnei, 2, 3, no)
    code.emit(Stat, 4, 0, 0)
    code.emit(Jgti, 4, 5, no)
    code.emit(Eqi, 5, 4, 3)
    code.emit(Retv, 5)
    code.place(no)
    code.emit(Retv, 1)
    assert left(code) == ["STAT", "JNEI", "RETV", "RETV"]


def test_a_kind_says_which_others_a_thing_is_of() -> None:
    code = fresh()
    no = code.label()
    for kind in (4, 2, 1):
        code.emit(Isa, 2, kind, 0)
        code.emit(Jf, 2, no)
    code.emit(Isa, 2, 3, 0)
    code.emit(Retv, 2)
    code.place(no)
    code.emit(Retv, 1)
    assert left(code) == ["ISA", "JF", "RETV", "RETV"]
    assert code.constants == [1, 0]


def test_what_a_round_of_a_loop_writes_is_not_known_in_the_next() -> None:
    code = fresh()
    end = code.label()
    code.emit(Select, 0, 0)
    code.emit(Lit, 2, -1)
    code.emit(Lit, 4, 0)
    again = code.here()
    code.emit(Iter, 0, 2, 3, end)
    code.emit(Stat, 5, 0, 3)
    code.emit(Stat, 6, 1, 0)
    code.emit(Add, 4, 4, 5)
    code.emit(Add, 4, 4, 6)
    code.emit(Jmp, again)
    code.place(end)
    code.emit(Stat, 5, 1, 0)
    code.emit(Add, 4, 4, 5)
    code.emit(Retv, 4)
    assert left(code).count("STAT") == 3  # a list may be empty: what a round finds out is not known behind it


def test_what_nobody_reads_is_not_found_out() -> None:
    code = fresh()
    code.emit(Select, 0, 0)
    code.emit(Llen, 2, 0)
    code.emit(Owned, 3, 0, 0, 2)
    code.emit(Retv, 1)
    assert left(code) == ["RETV"]


def test_only_what_only_looks_is_looked_through() -> None:
    code = fresh()
    code.emit(Callr, 2, 7, ())
    code.emit(Retv, 2)
    assert looks(code, lambda number: number == 7)
    assert not looks(code, lambda number: False)
    code.emit(Set, 0, 0, 1)
    assert not looks(code, lambda number: True)
    code = fresh()
    code.emit(Call, 7, ())
    assert not looks(code, lambda number: True)


@pytest.mark.parametrize("game", games.first_few(games.GAMES[1::-1], 1))
def test_games_are_the_same(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With what codes find out for nothing the same games come about."""
    images = [Image(games.program(game))]
    monkeypatch.setattr(finishing, "LONG", 1 << 30)
    wasteful = lower(games.model(game))
    images.append(Image(wasteful))
    assert sum(len(code.spans) for code in wasteful.codes) > sum(len(code.spans) for code in images[0].program.codes)
    missions = [row.id for row in wasteful.definitions if wasteful.kinds[row.kind].policy == "mission"]
    for mission in missions[:4]:
        ends = []
        for image in images:
            game_ = setup.start(image, mission, 2, 3, {})
            play_out(game_, [make_bot("random", seat) for seat in range(2)])
            ends.append(game_.digest())
        assert ends[0] == ends[1]
