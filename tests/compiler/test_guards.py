"""Guards are derived from the beginning of an effect."""

from __future__ import annotations

import pytest

from fcbdsl.language.model import ir
from fcbdsl.language.model.ir import Type
from tests.compiler.test_lowering import ops
from tests.compiler.trees import AT, HERO, Little, apply, binary, body, choose, do, get, number, quantified, select, var


@pytest.fixture
def little() -> Little:
    return Little()


def guard_of(little: Little, *statements: ir.Stmt, more: int = 2) -> list[str] | None:
    """Return the ops that decide whether an action with that effect is available; None: it always is."""
    little.action("act", body(*statements, more=more))
    names = offers(little)
    return names[: names.index("OFFERED")] if names != ["OFFERED"] else None


def offers(little: Little) -> list[str]:
    """Return the ops of the code of offers for the only action of a hero."""
    names = ops(little.listing("offers"))
    assert names[:3] == ["LNEW", "ISA", "JF"]
    assert names[-1] == "RETS"
    return [op for op in names[3:-1] if (op, names.index(op)) != ("LIT", names.index("OFFERED") - 1)]


def test_effect_without_requirement_has_no_guard(little: Little) -> None:
    assert guard_of(little, do(little.remove, var(0))) is None


def test_requirement_after_effect_is_not_in_guard(little: Little) -> None:
    weak = binary("<", get(little.hp), number(3))
    assert guard_of(little, do(little.remove, var(0)), ir.Require(weak, AT)) is None


def test_guard_contains_needs_and_requirements(little: Little) -> None:
    little.action(
        "act", body(ir.Require(binary("<", get(little.hp), number(3)), AT)), binary(">", get(little.hp), number(0))
    )
    assert offers(little) == ["STAT", "JLEI", "STAT", "JGEI", "OFFERED"]


def test_guard_needs_satisfiable_choice(little: Little) -> None:
    near = apply(little.adjacent, var(9), var(0))
    rest = ir.Require(binary("<", get(little.hp, 2), number(3)), AT)
    names = guard_of(little, choose(2, select(near)), rest)
    assert names is not None
    assert names.index("ITER") < names.index("LINKED") < names.index("STAT")
    assert "ASK" not in names


def test_guard_nests_choices(little: Little) -> None:
    near = select(apply(little.adjacent, var(8), var(2)), it=8)
    names = guard_of(
        little, choose(2, select()), choose(3, near), ir.Require(binary("<", get(little.hp, 3), number(3)), AT)
    )
    assert names is not None
    assert names.count("ITER") == 2


def test_guard_ignores_optional_choice(little: Little) -> None:
    assert (
        guard_of(little, choose(2, select(), optional=True), ir.Require(binary("<", get(little.hp), number(3)), AT))
        is None
    )


def test_guard_enters_first_verb(little: Little) -> None:
    weak = binary("<", get(little.hp, 2), number(3))
    hit = little.verb("hit", [HERO], ir.Require(weak, AT), do(little.remove, var(2)))
    assert "STAT" in (guard_of(little, do(hit, var(0))) or [])


def test_guard_stops_at_recursive_verb(little: Little) -> None:
    fall = little.verb("fall", [HERO])
    fall.recursive = True
    fall.body = body(do(fall, var(2)), types=[HERO])
    assert guard_of(little, do(fall, var(0))) is None


def test_guard_needs_one_possible_option(little: Little) -> None:
    first = ir.Option({"en": "a"}, body(ir.Require(binary("<", get(little.hp), number(3)), AT)), AT)
    second = ir.Option({"en": "b"}, body(ir.Require(binary(">", get(little.hp), number(7)), AT)), AT)
    names = guard_of(little, ir.ChooseOne((first, second), None, False, AT))
    assert names is not None
    assert names.count("STAT") == 2


def test_guard_needs_affordable_cost(little: Little) -> None:
    little.action("act", body()).costs.append((little.hp, number(2)))
    assert offers(little) == ["STAT", "JLTI", "OFFERED"]
    assert [op for op in ops(little.listing("action act")) if op == "CHG"] == ["CHG"]


def test_performed_effect_adds_its_guard(little: Little) -> None:
    perform = little.native("verb", "perform", "perform", [Type("effect")])
    weak = binary("<", get(little.hp), number(3))
    little.card("shy", body(ir.Require(weak, AT), do(little.remove, var(0))))
    little.card("bold", body(do(little.remove, var(0))))
    effect = ir.Get(var(1), little.effect, little.effect.type, AT)
    assert "EVAL" in (guard_of(little, do(perform, effect)) or [])
    program = little.program()
    (hidden,) = [n for n, field in enumerate(program.fields) if field.name == "effect?"]
    assert [len([v for v in d.values if v[0] == hidden]) for d in program.definitions] == [1, 0]
    assert program.fields[hidden].empty == 1


def test_guard_is_pure(little: Little) -> None:
    lost = quantified("any", select(binary("<", get(little.hp, 9), number(1))))
    names = guard_of(little, ir.Let(var(2), select(), AT), ir.Require(lost, AT), do(little.remove, var(2)))
    assert names is not None
    assert not {"ASK", "SET", "REMOVE"} & set(names)
