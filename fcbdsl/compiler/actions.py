"""Actions, invariants and the steps of tests to rows of the program."""

from __future__ import annotations

from fcbdsl.compiler import codes, definitions, rows
from fcbdsl.compiler.conditions import NEGATED
from fcbdsl.compiler.unit import Unit
from fcbdsl.model import ir
from fcbdsl.model.content import Invariant, Prospect, Step, Test
from fcbdsl.model.declarations import Action
from fcbdsl.vm import program as vm


def action(unit: Unit, declared: Action) -> vm.Action:
    """What a player may do; when he may is said by the code of `offers`."""
    subject = declared.subject
    return vm.Action(
        name=declared.id,
        body=codes.action(unit, f"action {declared.id}", declared.body, declared.costs),
        limit=limit(unit, declared),
        words=declared.words,
        title=rows.title(unit, declared.name),
        span=unit.spans.number(declared.span),
        subject=unit.kind(subject.type.name) if subject is not None and subject.type.base == "thing" else codes.NONE,
    )


def limit(unit: Unit, declared: Action) -> int:
    """How often it may be done; -1: without limit."""
    return unit.limit(declared.limit, declared.limit_per or "figure", f"action {declared.id}")


def invariant(unit: Unit, declared: Invariant) -> vm.Invariant:
    """What must hold whenever somebody is asked."""
    assert declared.condition is not None  # only a model without errors is lowered
    return vm.Invariant(
        name=declared.id,
        code=codes.truth(unit, f"invariant {declared.id}", declared.condition),
        title=unit.texts.number({"en": declared.says}),
        span=unit.spans.number(declared.span),
    )


def prospect(unit: Unit, declared: Prospect) -> vm.Prospect:
    """What each thing of a kind must come to in some course of a campaign."""
    assert declared.condition is not None  # only a model without errors is lowered
    return vm.Prospect(
        name=declared.id,
        kind=unit.kind(declared.kind.id),
        code=codes.truth(unit, f"prospect {declared.id}", declared.condition),
        title=unit.texts.number({"en": declared.says}),
        span=unit.spans.number(declared.span),
    )


def test(unit: Unit, declared: Test, boards: list[vm.Board]) -> vm.Test:
    """A content test: its steps, with the board it stands on."""
    mission = -1 if declared.mission is None else unit.entry(*declared.mission)
    drawn = declared.board
    board = -1
    if drawn is not None:
        board = len(boards)
        boards.append(rows.board(unit, drawn))
    elif mission >= 0:
        source = unit.entries[mission].source
        drawn = getattr(source, "board", None)
    definitions.place_board(unit, drawn)
    steps = tuple(_step(unit, step, f"test {declared.title}, step {n}") for n, step in enumerate(declared.steps, 1))
    definitions.place_board(unit, None)
    return vm.Test(
        title=declared.title,
        covers=tuple(declared.covers),
        mission=mission,
        board=board,
        steps=steps,
        overrides=tuple((unit.variant(switch), value) for switch, value in declared.overrides.items()),
        span=unit.spans.number(declared.span),
    )


def _step(unit: Unit, step: Step, name: str) -> vm.Step:
    span = unit.spans.number(step.span)
    if step.outcome:
        return vm.Step("outcome", words=(step.outcome,), span=span)
    if step.sort in {"given", "do"}:
        code = codes.NONE if step.body is None else codes.effect(unit, name, step.body)
        return vm.Step(step.sort, code, span=span)
    if step.sort == "expect":
        return _expectation(unit, step, name)
    code = codes.references(unit, name, step.references) if step.references else codes.NONE
    values = tuple(unit.symbols.number(symbol) if symbol else number for symbol, number in step.faces)
    tags = tuple(rows.tag_name(unit, reference.type) for reference in step.references)
    return vm.Step(step.sort, code, step.words, values, tags, span=span)


def _expectation(unit: Unit, step: Step, name: str) -> vm.Step:
    """What must hold; of a comparison the two sides as well, so that a failure can show them."""
    expr = step.expr
    assert expr is not None
    tags: tuple[str, ...] = ()
    sides: tuple[int, ...] = ()
    if isinstance(expr, ir.Binary) and expr.op in NEGATED:
        both = (expr.left, expr.right)
        tags = tuple(rows.tag_name(unit, side.type) for side in both)
        sides = tuple(
            codes.value(unit, f"{name}, {side}", of) for side, of in zip(("left", "right"), both, strict=True)
        )
    return vm.Step("expect", codes.truth(unit, name, expr), tags=tags, sides=sides, span=unit.spans.number(step.span))
