"""Typed trees become the expected ops; each test verifies the code."""

from __future__ import annotations

import pytest

from fcbdsl.language.model import ir
from fcbdsl.language.model.declarations import Kind
from fcbdsl.language.model.ir import NUMBER, Modifier
from fcbdsl.machine.vm import fcbc
from tests.compiler.trees import (
    AT,
    HERO,
    SLOTS,
    Little,
    apply,
    binary,
    body,
    choose,
    do,
    get,
    number,
    quantified,
    select,
    var,
)  # fmt: skip


@pytest.fixture
def little() -> Little:
    return Little()


def ops(listing: str) -> list[str]:
    """Return the op names of a listing, in order."""
    rows = [line.split() for line in listing.splitlines()]
    return [row[1] for row in rows if row and row[0].isdigit()]


def test_constants_are_folded(little: Little) -> None:
    little.card(
        "one", body(ir.Assign(get(little.hp), "=", binary("+", number(2), binary("*", number(3), number(4))), AT))
    )
    assert "#14" in little.listing("card one, effect")
    assert "MUL" not in little.listing("card one, effect")


def test_comparison_is_one_jump(little: Little) -> None:
    weak = binary("<", get(little.hp), number(3))
    little.card("one", body(ir.If(weak, body(do(little.remove, var(0))), body(), AT)))
    assert ops(little.listing("card one, effect")) == ["STAT", "JGEI", "REMOVE", "RET"]


def test_and_is_lazy(little: Little) -> None:
    near = apply(little.adjacent, var(0), var(0))
    both = binary("and", binary("<", get(little.hp), number(3)), near)
    little.card("one", body(ir.If(both, body(do(little.remove, var(0))), body(), AT)))
    assert ops(little.listing("card one, effect")) == ["STAT", "JGEI", "LINKED", "JF", "REMOVE", "RET"]


def test_any_stops_at_first_match(little: Little) -> None:
    some = quantified("any", select(apply(little.adjacent, var(9), var(0))))
    little.card("one", body(ir.If(some, body(do(little.remove, var(0))), body(), AT)))
    listing = ops(little.listing("card one, effect"))
    assert listing == ["SELECT", "LIT", "ITER", "LINKED", "JF", "REMOVE", "RET"]


def test_loop_invariant_values_are_read_before_the_loop(little: Little) -> None:
    near = binary("<", apply(little.range, var(9), var(0)), binary("+", get(little.hp), number(1)))
    little.card("one", body(ir.ForEach(var(2), select(near), body(do(little.remove, var(2))), AT), more=1))
    listing = ops(little.listing("card one, effect"))
    assert listing.index("STAT") < listing.index("ITER") < listing.index("RANGE")
    assert listing.count("STAT") == 1


def test_condition_without_candidate_is_tested_once(little: Little) -> None:
    where = binary("and", apply(little.adjacent, var(9), var(0)), binary("<", get(little.hp), number(3)))
    little.card("one", body(ir.Let(var(2), select(where), AT), more=1))
    listing = ops(little.listing("card one, effect"))
    assert listing.index("JGEI") < listing.index("ITER")


def test_order_takes_one_pass_per_criterion(little: Little) -> None:
    order = (ir.Criterion(apply(little.range, var(9), var(0)), False, AT), ir.Criterion(get(little.hp, 9), True, AT))
    little.card("one", body(choose(2, select(None, order=order)), more=1))
    listing = ops(little.listing("card one, effect"))
    assert listing.count("RANK") == 2
    assert listing.index("RANGE") < listing.index("RANK") < listing.index("NEG")


def test_small_relation_is_inlined(little: Little) -> None:
    weak = little.native("relation", "weak", "", [HERO])
    weak.op = None
    weak.body = body(ir.Answer(binary("<", get(little.hp, 2), number(3)), AT), types=[HERO])
    little.card("one", body(ir.Require(apply(weak, var(0)), AT), do(little.remove, var(0))))
    assert ops(little.listing("card one, effect"))[:2] == ["STAT", "JLTI"]


def least_of(little: Little, times: int) -> list[str]:
    """Return the ops of an effect that sets HP to a measure with that many decisions."""
    least = little.native("measure", "least", "", [HERO], NUMBER)
    least.op = None
    early = [
        ir.If(binary("=", get(little.hp, 2), number(n)), body(ir.Answer(number(-n), AT)), body(), AT)
        for n in range(times)
    ]
    least.body = body(*early, ir.Answer(get(little.hp, 2), AT), types=[HERO])
    little.card("one", body(ir.Assign(get(little.hp), "=", apply(least, var(0)), AT)))
    return ops(little.listing("card one, effect"))


def test_short_branching_measure_is_inlined(little: Little) -> None:
    assert least_of(little, 1) == ["STAT", "JNEI", "LIT", "JMP", "STAT", "SET", "RET"]


def test_large_measure_is_called(little: Little) -> None:
    assert "CALLR" in least_of(little, 4)
    assert ops(little.listing("measure least")).count("RETV") == 5


def test_called_measure_can_have_no_result(little: Little) -> None:
    maybe = little.native("measure", "maybe", "", [HERO], NUMBER)
    maybe.op = None
    some = ir.If(binary("=", get(little.hp, 2), number(1)), body(ir.Answer(number(2), AT)), body(), AT)
    maybe.body = body(some, types=[HERO])
    little.card("one", body(ir.Assign(get(little.hp), "=", apply(maybe, var(0)), AT)))
    assert "CALLR" in ops(little.listing("card one, effect"))


def test_distance_is_tested_before_other_conditions_on_placed_things(little: Little) -> None:
    there = little.native("relation", "there", "on_board", [HERO])
    hurt = binary("<", get(little.hp, 9), number(3))
    near, standing = apply(little.adjacent, var(9), var(0)), apply(there, var(9))
    little.card("one", body(choose(2, select(binary("and", hurt, binary("and", standing, near)))), more=1))
    names = ops(little.listing("card one, effect"))
    assert [op for op in names if op in ("ON_BOARD", "LINKED", "STAT")] == ["ON_BOARD", "LINKED", "STAT"]


def test_distance_is_tested_last_without_placement_test(little: Little) -> None:
    hurt = binary("<", get(little.hp, 9), number(3))
    near = apply(little.adjacent, var(9), var(0))
    little.card("one", body(choose(2, select(binary("and", hurt, near))), more=1))
    names = ops(little.listing("card one, effect"))
    assert [op for op in names if op in ("LINKED", "STAT")] == ["STAT", "LINKED"]


def test_hoisted_value_waits_for_first_candidate(little: Little) -> None:
    hurt = binary("<", get(little.hp, 9), number(3))
    far = binary("<", get(little.hp, 9), apply(little.range, var(0), var(1, HERO)))
    little.card("one", body(choose(2, select(binary("and", hurt, far))), more=1))
    names = ops(little.listing("card one, effect"))
    assert names.index("ITER") < names.index("RANGE")
    assert names.count("ITER") == 2  # the second is the way to the others


def test_before_listener_changes_event(little: Little) -> None:
    hit = little.verb("hit", [HERO, NUMBER], do(little.remove, var(2)))
    event = little.event_of(hit)
    binds = (ir.Slot(2, None, "who"), ir.Slot(3, None, "amount"))
    softer = body(ir.Let(var(3, NUMBER), number(1), AT), types=[HERO, NUMBER])
    mine = binary("=", var(2), var(0))
    armour = little.card("armour", body())
    armour.listeners.append(ir.Listener(event, "before", binds, mine, None, False, softer, AT))
    program = little.program()
    (listener,) = program.listeners
    assert (listener.timing, listener.scope, listener.first) == ("before", "definition", 2)
    assert program.codes[listener.condition].params == 4
    assert "SETP" in ops(little.listing("card armour, before hit happens"))


def test_lasting_effect_keeps_locals(little: Little) -> None:
    own = Modifier(
        little.hp, little.model.kinds["hero"], 3, binary("=", var(3), var(2)), "add", number(1), None, SLOTS, AT
    )
    heard = body(do(little.remove, var(3)), types=[HERO, HERO])
    binds = (ir.Slot(3, binary("=", var(3), var(2)), "who"),)
    after = ir.Listener(little.dies, "after", binds, None, None, False, heard, AT)
    until = ir.Until(little.dies, var(2), (own,), (after,), AT)
    # two more locals follow: the registers of the body are captured completely
    little.card("one", body(choose(2, select()), until, choose(4, select()), more=3))
    program = little.program()
    assert [lasting.captured for lasting in program.lastings] == [5]
    assert [(row.scope, row.first) for row in program.listeners] == [("lasting", 5)]
    assert [(row.scope, row.it) for row in program.modifiers] == [("lasting", 5)]
    assert program.codes[program.listeners[0].body].params == 6


def test_event_verbs_are_done_and_others_called(little: Little) -> None:
    quiet = little.verb("hide", [HERO], do(little.remove, var(2)))
    loud = little.verb("leap", [HERO], do(little.remove, var(2)))
    little.event_of(loud)
    little.card("one", body(do(quiet, var(0)), do(loud, var(0))))
    assert ops(little.listing("card one, effect")) == ["CALL", "DO", "RET"]


def test_event_for_several_is_batch(little: Little) -> None:
    loud = little.verb("leap", [HERO], do(little.remove, var(2)))
    little.event_of(loud)
    little.card("one", body(ir.ForEach(var(2), select(), body(do(loud, var(2))), AT, together=True), more=1))
    little.card("two", body(ir.ForEach(var(2), select(), body(do(loud, var(2))), AT), more=1))
    listing = ops(little.listing("card one, effect"))
    assert listing.index("BATCH") < listing.index("ITER") < listing.index("FLUSH")
    assert "BATCH" not in ops(little.listing("card two, effect"))


def test_local_bound_on_one_path_starts_as_nothing(little: Little) -> None:
    weak = binary("<", get(little.hp), number(3))
    bound = ir.If(weak, body(ir.Let(var(2), var(0), AT)), body(), AT)
    little.card("one", body(bound, do(little.remove, var(2)), more=1))
    assert ops(little.listing("card one, effect"))[0] == "LIT"


def test_every_op_has_source_place(little: Little) -> None:
    little.card("one", body(do(little.remove, var(0))))
    program = little.program()
    (code,) = [code for code in program.codes if code.name == "card one, effect"]
    span = program.spans[code.spans[0]]
    assert (program.files[span.file], span.line, span.column, span.end) == ("hand.fcb", 1, 1, 8)


def test_same_model_gives_same_bytes() -> None:
    def build() -> bytes:
        little = Little()
        little.card("one", body(choose(2, select(apply(little.adjacent, var(9), var(0)))), more=1))
        return fcbc.dump(little.program())

    assert build() == build()


def test_redeclared_stat_keeps_column(little: Little) -> None:
    little.hp.default = number(3)
    little.model.kinds["giant"] = Kind("giant", little.model.kinds["hero"], AT)
    little.field("giant", "HP", NUMBER, "stat").default = number(9)
    program = little.program()
    (column,) = [field for field in program.fields if field.name == "HP"]
    assert [program.kinds[kind].name for kind, _ in column.starts] == ["hero", "giant"]
