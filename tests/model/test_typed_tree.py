"""The typed tree is walked, rebuilt, rewritten and compared by the declarations of its classes."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from fcbdsl.base.source import Source, Span
from fcbdsl.language.model import ir
from fcbdsl.language.model.ir import FLAG, NUMBER, SPACE, Renamed, Substitution
from fcbdsl.language.model.ir.node import Node, node_schema

HERE, THERE = Source("here.fcb", "a or b"), Source("there.fcb", "  a or b")
AT = Span(HERE, 0, 1)


def number(value: int, span: Span = AT) -> ir.Const:
    return ir.Const(value, NUMBER, span)


def local(slot: int, name: str = "it", span: Span = AT) -> ir.Var:
    return ir.Var(name, slot, SPACE, span)


def both(op: str, left: ir.Expr, right: ir.Expr) -> ir.Binary:
    return ir.Binary(op, left, right, FLAG, AT)


def chosen(slot: int, noun: str = "space") -> ir.Select:
    """Return a selection of the spaces that are not the one in slot 9."""
    return ir.Select(None, slot, both("!=", local(slot, noun), local(9)), (), SPACE.several(), AT, noun)


def test_walk_enters_lists_and_skips_other_values() -> None:
    constant = both("+", number(1), number(2))
    body = ir.Body((ir.Let(local(2), constant, AT), ir.Stop(AT)), (("x", NUMBER),))
    assert list(ir.walk([("a word", None, body), 7])) == [
        body, body.statements[0], local(2), constant, number(1), number(2), body.statements[1],
    ]  # fmt: skip


def test_unchanged_nodes_are_same_object() -> None:
    tree = ir.Quantified("any", chosen(3), 4, both("=", local(4), number(1)), FLAG, AT)
    assert ir.rebuilt(tree, lambda child: child) is tree
    assert ir.substitute(tree, Substitution()) is tree
    assert ir.substitute((tree, "a word", None), Substitution(slots=Renamed({77: 78})))[0] is tree


def test_only_path_to_change_is_copied() -> None:
    constant, left = number(1), local(5)
    tree = ir.ListOf((both("+", left, constant), constant), NUMBER.several(), AT)
    made = ir.substitute(tree, Substitution(values={5: number(8)}))
    assert made == replace(tree, items=(both("+", number(8), constant), constant))
    assert isinstance(made.items[0], ir.Binary)
    assert made.items[0].right is constant
    assert made.items[1] is constant


def test_slots_are_visited_in_order_of_fields() -> None:
    asked: list[int] = []

    class Asked(dict[int, int]):
        def __missing__(self, slot: int) -> int:
            asked.append(slot)
            return slot + 100

    inner = replace(chosen(3), where=None)
    made = ir.substitute(replace(chosen(4), source=inner), Substitution(slots=Asked()))
    assert asked == [3, 4, 4, 9]
    assert made == replace(
        chosen(104), source=replace(inner, it=103), where=both("!=", local(104, "space"), local(109))
    )


def test_places_of_one_source_move_and_others_stay() -> None:
    declared = Span(Source("other.fcb", "x"), 0, 1)
    tree = both("+", number(1, Span(HERE, 0, 1)), number(2, declared))
    made = ir.substitute(tree, Substitution(source=HERE, target=THERE, start=0, end=6, shift=2))
    assert (made.span, made.left.span, made.right.span) == (Span(THERE, 2, 3), Span(THERE, 2, 3), declared)


def test_equal_trees_at_other_places_are_equal() -> None:
    assert ir.same(number(1), number(1, Span(THERE, 2, 3)))
    assert not ir.same(number(1), number(2))
    assert not ir.same(number(1), local(1))


def test_candidates_are_equal_regardless_of_slots() -> None:
    assert ir.same(chosen(3), chosen(4, "place"))
    assert not ir.same(chosen(9), chosen(4))
    assert not ir.same(local(3), local(4))


def test_trees_with_equivalent_slots_are_equal() -> None:
    assert ir.shape(local(3), {3: "r1"}) == ir.shape(local(4), {4: "r1"})
    assert ir.shape(local(3), {3: "r1"}) != ir.shape(local(4), {4: "r2"})


A, B, C = (ir.Variant(name, FLAG, AT) for name in "abc")


def none_of(operand: ir.Expr) -> ir.Not:
    return ir.Not(operand, FLAG, AT)


@pytest.mark.parametrize(
    ("expr", "plain", "negated"),
    [
        (None, [], []),
        (A, [A], [A]),
        (both("and", both("and", A, B), C), [A, B, C], [A, B, C]),
        (none_of(both("or", A, B)), [none_of(both("or", A, B))], [none_of(A), none_of(B)]),
        (none_of(none_of(both("and", A, B))), [none_of(none_of(both("and", A, B)))], [A, B]),
        (none_of(both("and", A, B)), [none_of(both("and", A, B))], [none_of(both("and", A, B))]),
    ],
)
def test_conditions_are_split_into_conjuncts(
    expr: ir.Expr | None, plain: list[ir.Expr], negated: list[ir.Expr]
) -> None:
    assert ir.conjuncts(expr) == plain
    assert ir.conjuncts(expr, negated=True) == negated


@dataclass(frozen=True, slots=True)
class Mixed(Node):
    pair: tuple[str, ir.Const]


def test_field_with_mixed_type_has_no_role() -> None:
    with pytest.raises(TypeError, match="different roles"):
        node_schema(Mixed)
